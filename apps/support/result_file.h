// ResultFile: writes result lines, each a JSON object, to a file or to standard output during a run, or discards them.
#ifndef WEIR_APPS_SUPPORT_RESULT_FILE_H_
#define WEIR_APPS_SUPPORT_RESULT_FILE_H_

#include <cstdio>
#include <string>

namespace weir::cli {

/// Members throw InputError.
class ResultFile {
 public:
  /// `path` is a file, "-" for standard output, or empty to discard all lines.
  explicit ResultFile(const std::string& path);
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  [[nodiscard]] bool is_wanted() const { return file_ != nullptr; }
  /// Writes a line and flushes it, so that other programs can read it when this returns.
  void write(const std::string& line);
  /// Closes the file. Throws if the last lines cannot be written, for example because the disk is full.
  void close();

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_RESULT_FILE_H_
