#include "shared_data.h"

#include <cstdlib>

namespace weir::tests {

const std::string& repository() {
  static const std::string directory = WEIR_SOURCE_DIR;
  return directory;
}

std::filesystem::path shared_data() {
  const char* from_environment = std::getenv("WEIR_SHARED_DATA");
  if (from_environment != nullptr) return from_environment;
  return std::filesystem::path(repository()).parent_path() / "shared" / "data";
}

}  // namespace weir::tests
