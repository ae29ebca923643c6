#include "system.h"

#include <filesystem>
#include <system_error>
#include <utility>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
// The following headers need the types of the one above.
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <shellapi.h>
#else
#include <unistd.h>
#endif
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

namespace weir::cli {

namespace {

/// The path of this program; empty if it is unknown.
std::filesystem::path program_path() {
#if defined(_WIN32)
  std::wstring path(32768, L'\0');  // no path is longer
  path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path;
#elif defined(__APPLE__)
  std::uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  if (_NSGetExecutablePath(path.data(), &size) != 0) return {};
  return path.c_str();  // it ends with a null character
#else
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed);
#endif
}

#if defined(_WIN32)

std::string to_utf8(std::wstring_view text) {
  const int units = static_cast<int>(text.size());
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, text.data(), units, nullptr, 0, nullptr, nullptr);
  std::string result(static_cast<std::size_t>(bytes), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), units, result.data(), bytes, nullptr, nullptr);
  return result;
}

// An argument as a command line has it: in quotes, with a backslash before each quote, and with twice the backslashes
// that stand before a quote.
std::wstring quoted(const std::wstring& argument) {
  std::wstring result = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t c : argument) {
    if (c == L'"') result.append(backslashes + 1, L'\\');
    backslashes = c == L'\\' ? backslashes + 1 : 0;
    result += c;
  }
  result.append(backslashes, L'\\');
  return result + L'"';
}

#endif

}  // namespace

#if defined(_WIN32)

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

std::optional<int> run_program_beside(const std::string& name, const std::vector<std::string>& arguments) {
  const std::wstring program = program_path().parent_path() / (name + ".exe");
  std::vector<std::wstring> texts{quoted(program)};
  for (const std::string& argument : arguments) {
    texts.push_back(quoted(std::filesystem::path(std::u8string(argument.begin(), argument.end())).wstring()));
  }
  std::vector<const wchar_t*> pointers;
  for (const std::wstring& text : texts) pointers.push_back(text.c_str());
  pointers.push_back(nullptr);
  const std::intptr_t status = _wspawnv(_P_WAIT, program.c_str(), pointers.data());
  if (status == -1) return std::nullopt;
  return static_cast<int>(status);
}

#else

Arguments::Arguments(int argc, char** argv) : pointers_(argv, argv + argc) { pointers_.push_back(nullptr); }

void prepare_streams() {}

std::optional<int> run_program_beside(const std::string& name, const std::vector<std::string>& arguments) {
  std::string program = (program_path().parent_path() / name).string();
  std::vector<char*> argv{program.data()};
  std::vector<std::string> texts = arguments;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  return std::nullopt;
}

#endif

}  // namespace weir::cli
