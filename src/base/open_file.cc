#include "base/open_file.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <cerrno>
#include <string_view>
#endif

namespace weir {

#ifdef _WIN32

namespace {

// Returns an empty text if `text` is empty or is not UTF-8.
std::wstring to_utf16(std::string_view text) {
  const int bytes = static_cast<int>(text.size());
  const int units = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, nullptr, 0);
  std::wstring result(static_cast<std::size_t>(units), L'\0');
  MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, result.data(), units);
  return result;
}

}  // namespace

std::FILE* open_file(const std::string& path, const char* mode) {
  const std::wstring name = to_utf16(path);
  if (name.empty()) {
    errno = ENOENT;
    return nullptr;
  }
  return _wfopen(name.c_str(), to_utf16(mode).c_str());
}

#else

std::FILE* open_file(const std::string& path, const char* mode) { return std::fopen(path.c_str(), mode); }

#endif

}  // namespace weir
