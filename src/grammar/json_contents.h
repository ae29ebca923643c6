// JsonContents: a grammar's texts as the contents of JSON strings.
//
// WHAT   Rewrites what a front end has added to a grammar, so that its texts are written with the escapes of a JSON string,
//        each in every spelling that the options allow. The quotes are the caller's.
// WHY    A grammar can be written where a string can, such as the argument of a call that is a JSON object.
// HOW    Decoding maps the spelling of each character to that character alone. So it suffices to replace the language of
//        each terminal (regex/atoms/json_string.h), and the rules remain as they are. A look-ahead is a condition on the
//        contents up to the closing quote, which is no character.
#ifndef WEIR_SRC_GRAMMAR_JSON_CONTENTS_H_
#define WEIR_SRC_GRAMMAR_JSON_CONTENTS_H_

#include <cstddef>
#include <string_view>

#include "grammar/ir.h"
#include "regex/atoms/json_decoder.h"

namespace weir::grammar {

class JsonContents {
 public:
  /// What is added to the grammar from now on is meant.
  explicit JsonContents(const Grammar& grammar);

  /// Rewrites what has been added. Returns why it cannot; "" if it has.
  [[nodiscard]] std::string_view write(Grammar& grammar, const regex::JsonStringOptions& options) const;

 private:
  std::size_t terminals_, rules_, token_sets_, sources_, free_texts_, separable_;
};

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_JSON_CONTENTS_H_
