#include "system.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
// The following headers need the types of the one above.
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#else
#include <unistd.h>

#include <filesystem>
#include <system_error>
#endif

namespace weir::cli {

#if defined(_WIN32)

namespace {

std::string to_utf8(std::wstring_view text) {
  const int units = static_cast<int>(text.size());
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, text.data(), units, nullptr, 0, nullptr, nullptr);
  std::string result(static_cast<std::size_t>(bytes), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), units, result.data(), bytes, nullptr, nullptr);
  return result;
}

}  // namespace

Arguments::Arguments(int argc, char** argv) {
  int count = 0;
  if (wchar_t** wide = CommandLineToArgvW(GetCommandLineW(), &count); wide != nullptr) {
    for (int i = 0; i < count; ++i) texts_.push_back(to_utf8(wide[i]));
    LocalFree(wide);
    for (std::string& text : texts_) pointers_.push_back(text.data());
  } else {
    pointers_.assign(argv, argv + argc);
  }
  pointers_.push_back(nullptr);
}

void prepare_streams() {
  _setmode(_fileno(stdin), _O_BINARY);
  _setmode(_fileno(stdout), _O_BINARY);
  SetConsoleCP(CP_UTF8);
  SetConsoleOutputCP(CP_UTF8);
  for (const DWORD stream : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {
    DWORD mode = 0;
    HANDLE console = GetStdHandle(stream);
    if (GetConsoleMode(console, &mode) != 0) SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

// The packages for Windows have one program.
void become_program_beside(const std::string& /*name*/, const std::vector<std::string>& /*arguments*/) {}

#else

Arguments::Arguments(int argc, char** argv) : pointers_(argv, argv + argc) { pointers_.push_back(nullptr); }

void prepare_streams() {}

void become_program_beside(const std::string& name, const std::vector<std::string>& arguments) {
  std::error_code failed;
  const std::filesystem::path itself = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return;  // only Linux has it; the packages for macOS have one program
  std::string program = (itself.parent_path() / name).string();
  std::vector<char*> argv{program.data()};
  std::vector<std::string> texts = arguments;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
}

#endif

}  // namespace weir::cli
