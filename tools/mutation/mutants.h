// What tools/mutation/mutate.py puts into the files that it mutates. All mutants are compiled into one program; the
// environment variable WEIR_MUTANT selects the one that is active. WEIR_MUTANTS_REACHED names a file to which a program
// writes the numbers of the mutants that it executed.
#ifndef WEIR_TOOLS_MUTATION_MUTANTS_H_
#define WEIR_TOOLS_MUTATION_MUTANTS_H_

#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace weir_mutants {

inline const int active = [] {
  const char* const number = std::getenv("WEIR_MUTANT");
  return number == nullptr ? 0 : std::atoi(number);
}();

inline unsigned char reached[1 << 16] = {};

inline const struct Report {
  ~Report() {
    const char* const name = std::getenv("WEIR_MUTANTS_REACHED");
    std::FILE* const file = name == nullptr ? nullptr : std::fopen(name, "w");
    if (file == nullptr) return;
    for (int mutant = 0; mutant < 1 << 16; ++mutant) {
      if (reached[mutant] != 0) std::fprintf(file, "%d\n", mutant);
    }
    std::fclose(file);
  }
} report;

inline bool is_active(int mutant) {
  reached[mutant] = 1;
  return active == mutant;
}

// Returns true if the mutant is the active one. What the compiler computes is never mutated.
constexpr bool is(int mutant) {
  if (std::is_constant_evaluated()) return false;
  return is_active(mutant);
}

#define WEIR_MUTATED(name, op, other)                                     \
  template <class A, class B>                                             \
  constexpr auto name(int mutant, const A& a, const B& b)->decltype(a op b) { \
    return is(mutant) ? static_cast<decltype(a op b)>(a other b) : a op b; \
  }
WEIR_MUTATED(lt, <, <=)
WEIR_MUTATED(le, <=, <)
WEIR_MUTATED(gt, >, >=)
WEIR_MUTATED(ge, >=, >)
WEIR_MUTATED(eq, ==, !=)
WEIR_MUTATED(ne, !=, ==)
WEIR_MUTATED(add, +, -)
WEIR_MUTATED(sub, -, +)
WEIR_MUTATED(mul, *, +)
WEIR_MUTATED(div, /, *)
WEIR_MUTATED(rem, %, *)
WEIR_MUTATED(shl, <<, >>)
WEIR_MUTATED(shr, >>, <<)
WEIR_MUTATED(bit_and, &, |)
WEIR_MUTATED(bit_or, |, &)
WEIR_MUTATED(bit_xor, ^, &)
#undef WEIR_MUTATED

}  // namespace weir_mutants

#endif  // WEIR_TOOLS_MUTATION_MUTANTS_H_
