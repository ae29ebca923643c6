#include "interrupt.h"

#include <csignal>

namespace weir::cli {

namespace {

volatile std::sig_atomic_t interrupted = 0;

void note(int /*signal*/) {
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() { std::signal(SIGINT, note); }

Interrupt::~Interrupt() {
  if (!is_requested()) std::signal(SIGINT, SIG_DFL);
}

bool Interrupt::is_requested() { return interrupted != 0; }

void end_if_interrupted() {
  if (!Interrupt::is_requested()) return;
  std::signal(SIGINT, SIG_DFL);
  std::raise(SIGINT);
}

}  // namespace weir::cli
