// Functions of the C interface that name languages.
#include "weir/languages.h"

#include "c_api/options.h"

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

size_t weir_language_count() {
  std::size_t count = 0;  // stays 0 if there is no memory
  static_cast<void>(guarded([&] {
    count = weir::language_names().size();
    return WEIR_OK;
  }));
  return count;
}

weir_status weir_language_name(size_t index, weir_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  return guarded([&] {
    const std::vector<std::string_view> names = weir::language_names();
    if (index >= names.size()) return WEIR_INVALID_ARGUMENT;
    *out = to_c(names[index]);
    return WEIR_OK;
  });
}
