#include "base/stack.h"

#if WEIR_HAS_THREADS

#include <exception>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <process.h>
#include <windows.h>
#else
#include <pthread.h>
#include <signal.h>
#endif

#include "base/work.h"

namespace weir::base {

namespace {

// A call on a helper thread.
struct HelperCall {
  void (*call)(void*);
  void* argument;
  WorkCounter work;
  std::exception_ptr thrown;
};

void run_call(HelperCall& of) {
  Stack::begin_helper();
  Work::take_over(of.work);
  try {
    of.call(of.argument);
  } catch (...) {
    of.thrown = std::current_exception();
  }
  of.work = Work::handed_over();
}

#ifdef _WIN32

unsigned __stdcall helper_main(void* of) {
  run_call(*static_cast<HelperCall*>(of));
  return 0;
}

bool run_thread(HelperCall& call) {
  const std::uintptr_t thread = _beginthreadex(nullptr, static_cast<unsigned>(kHelperStack), helper_main, &call,
                                               STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
  if (thread == 0) return false;
  const HANDLE handle = reinterpret_cast<HANDLE>(thread);
  WaitForSingleObject(handle, INFINITE);
  CloseHandle(handle);
  return true;
}

// As GetCurrentThreadStackLimits does, which older headers lack.
StackBounds system_bounds() {
  MEMORY_BASIC_INFORMATION region{};
  if (VirtualQuery(__builtin_frame_address(0), &region, sizeof(region)) == 0) return {0, 0, true};
  const auto low = reinterpret_cast<std::uintptr_t>(region.AllocationBase);
  const auto high = reinterpret_cast<std::uintptr_t>(reinterpret_cast<const NT_TIB*>(NtCurrentTeb())->StackBase);
  return {low, high - low, true};
}

#else

void* helper_main(void* of) {
  run_call(*static_cast<HelperCall*>(of));
  return nullptr;
}

bool run_thread(HelperCall& call) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread{};
  bool is_made = false;
  // The program's signals are for its own threads: a new thread inherits that all are blocked.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  if (pthread_attr_setstacksize(&attributes, kHelperStack) == 0 && pthread_sigmask(SIG_SETMASK, &all, &before) == 0) {
    is_made = pthread_create(&thread, &attributes, helper_main, &call) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  pthread_attr_destroy(&attributes);
  return is_made && pthread_join(thread, nullptr) == 0;
}

StackBounds system_bounds() {
#if defined(__APPLE__)
  const std::size_t size = pthread_get_stacksize_np(pthread_self());
  return {reinterpret_cast<std::uintptr_t>(pthread_get_stackaddr_np(pthread_self())) - size, size, true};
#elif defined(__linux__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {0, 0, true};
  void* low = nullptr;
  std::size_t size = 0;
  if (pthread_attr_getstack(&attributes, &low, &size) != 0) size = 0;
  pthread_attr_destroy(&attributes);
  return {reinterpret_cast<std::uintptr_t>(low), size, true};
#else
  return {0, 0, true};
#endif
}

#endif

}  // namespace

bool Stack::measure(std::size_t need) {
  bounds_ = system_bounds();
  return has(need);
}

// What the system itself uses of a thread's stack is less than kStackNeed.
void Stack::begin_helper() {
  const std::size_t size = kHelperStack - kStackNeed;
  bounds_ = {reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - size, size + kStackNeed, true};
}

bool Stack::run_on_helper(void (*call)(void*), void* argument) {
  HelperCall of{call, argument, Work::handed_over(), nullptr};
  const bool was_run = run_thread(of);
  Work::take_over(of.work);
  if (of.thrown) std::rethrow_exception(of.thrown);
  return was_run;
}

}  // namespace weir::base

#endif
