// Where result lines go, a JSON object each: nowhere, standard output, or a file that is written as the run goes.
#ifndef WEIR_APPS_SUPPORT_RESULT_FILE_H_
#define WEIR_APPS_SUPPORT_RESULT_FILE_H_

#include <cstdio>
#include <string>

namespace weir::cli {

/// Members throw InputError.
class ResultFile {
 public:
  /// Empty: nowhere; "-": standard output.
  explicit ResultFile(const std::string& path);
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  [[nodiscard]] bool is_wanted() const { return file_ != nullptr; }
  /// The line is there for others to read before this returns.
  void write(const std::string& line);
  /// The last lines are written only now, and a full disk may show only now.
  void close();

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_RESULT_FILE_H_
