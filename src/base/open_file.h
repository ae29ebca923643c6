// Opens files by names in UTF-8.
#ifndef WEIR_SRC_BASE_OPEN_FILE_H_
#define WEIR_SRC_BASE_OPEN_FILE_H_

#include <cstdio>
#include <string>

namespace weir {

/// std::fopen for a path in UTF-8. On Windows std::fopen reads paths in the system's code page, which cannot name every
/// file, so the path is converted to UTF-16 there. Returns nullptr, and sets errno, if the file cannot be opened.
std::FILE* open_file(const std::string& path, const char* mode);

}  // namespace weir

#endif  // WEIR_SRC_BASE_OPEN_FILE_H_
