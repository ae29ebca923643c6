// The dialects of EBNF. One reader reads all of them; its parts ask for the dialect only where dialects differ.
#ifndef WEIR_SRC_FRONTEND_EBNF_DIALECT_H_
#define WEIR_SRC_FRONTEND_EBNF_DIALECT_H_

#include <cstdint>

namespace weir::frontend::ebnf {

enum class Dialect : std::uint8_t {
  kWeir,      ///< docs/ebnf.md
  kGbnf,      ///< docs/gbnf.md: llama.cpp's; line ends are significant, and the last of several definitions counts.
  kXgrammar,  ///< docs/xgrammar.md: rules begin a line, and have options, a look-ahead, and macros in their bodies.
};

}  // namespace weir::frontend::ebnf

#endif  // WEIR_SRC_FRONTEND_EBNF_DIALECT_H_
