// Ctrl-C between two lines of output, not within one.
//
// HOW    While an Interrupt exists, the first Ctrl-C only makes is_requested() true. A command that writes a line for
//        each of many things asks after each line, and stops. Then run_program writes what is buffered and ends the
//        program by the same signal, so that shells see it. A second Ctrl-C ends the program at once.
#ifndef WEIR_APPS_SUPPORT_INTERRUPT_H_
#define WEIR_APPS_SUPPORT_INTERRUPT_H_

namespace weir::cli {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool is_requested();
};

/// Ends the program by the signal of Ctrl-C if that was requested. Call it when all output is written.
void end_if_interrupted();

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_INTERRUPT_H_
