// What programs need from the operating system: arguments and streams of bytes in UTF-8, and the programs beside them.
#ifndef WEIR_APPS_SUPPORT_SYSTEM_H_
#define WEIR_APPS_SUPPORT_SYSTEM_H_

#include <string>
#include <vector>

namespace weir::cli {

/// The arguments of main() in UTF-8. Windows gives main() arguments in the system's code page, which cannot hold every
/// character, so they are read anew there.
class Arguments {
 public:
  Arguments(int argc, char** argv);

  int count() const { return static_cast<int>(pointers_.size()) - 1; }
  /// The arguments, followed by a null pointer.
  char** values() { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;  // empty if the arguments of main() are used
  std::vector<char*> pointers_;
};

/// On Windows: lets standard input and output pass bytes unchanged, and lets a console show UTF-8 and colours. Elsewhere
/// they do already.
void prepare_streams();

/// Runs the program `name` in the folder of this program, in place of this program, with `arguments`, which do not begin
/// with a program's name. Returns only if it cannot be started; on Windows it never is.
void become_program_beside(const std::string& name, const std::vector<std::string>& arguments);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_SYSTEM_H_
