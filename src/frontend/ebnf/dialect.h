// The dialects of EBNF that one reader serves: words, text and parser ask for the dialect where they differ, and only
// there.
#ifndef WEIR_SRC_FRONTEND_EBNF_DIALECT_H_
#define WEIR_SRC_FRONTEND_EBNF_DIALECT_H_

#include <cstdint>

namespace weir::frontend::ebnf {

enum class Dialect : std::uint8_t {
  kWeir,      ///< docs/ebnf.md
  kGbnf,      ///< docs/gbnf.md: llama.cpp's; line ends are significant, and of two definitions the last counts.
  kXgrammar,  ///< docs/xgrammar.md: rules begin a line, and have options, a look-ahead, and macros in their bodies.
};

}  // namespace weir::frontend::ebnf

#endif  // WEIR_SRC_FRONTEND_EBNF_DIALECT_H_
