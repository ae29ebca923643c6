#include "result_file.h"

#include <fmt/core.h>

#include <utility>

#include "base/open_file.h"
#include "command.h"

namespace weir::cli {

ResultFile::ResultFile(const std::string& path) : path_(path) {
  if (path.empty()) return;
  file_ = path == "-" ? stdout : open_file(path, "wb");
  if (file_ == nullptr) fail();
}

ResultFile::~ResultFile() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

void ResultFile::write(const std::string& line) {
  if (file_ == nullptr) return;
  if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fflush(file_) != 0) fail();
}

void ResultFile::close() {
  if (file_ == nullptr || file_ == stdout) return;
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
}

void ResultFile::fail() const {
  throw InputError(path_ == "-" ? "cannot write to standard output" : fmt::format("cannot write `{}`", path_));
}

}  // namespace weir::cli
