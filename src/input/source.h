// GrammarSource: what a grammar is read from, one value for all languages.
//
// WHY    A grammar cannot be copied into another one: its expressions are ids in its own ExprSet, and a schema for the
//        whole output is read differently than a schema with other text around it (Placement). Front ends can read into
//        a grammar that already has rules, so a part is read again where it is needed. The same value is the key by
//        which a compiler finds a grammar that it has compiled before (api/grammar_cache.h).
// COST   The texts are stored as long as the grammar.
#ifndef WEIR_SRC_INPUT_SOURCE_H_
#define WEIR_SRC_INPUT_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/json/json_value.h"
#include "frontend/json_schema/rules/placement.h"
#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/grammar.h"
#include "weir/limits.h"

namespace weir::input {

/// Equal sources give equal grammars.
struct GrammarSource {
  struct ResponseFormat : StructuralTagOptions {};
  struct Choice {  ///< The texts are its strings.
    friend bool operator==(const Choice&, const Choice&) = default;
  };
  struct Chunks {  ///< The texts are the chunks of quotations.
    friend bool operator==(const Chunks&, const Chunks&) = default;
  };
  enum class Join : std::uint8_t { kSequence, kChoice };  ///< There are parts and no texts.
  /// Says by its type what the texts are, and by its value how they are read. SubstringUnit is for quotations.
  using Kind = std::variant<GrammarTextOptions, RegexOptions, JsonSchemaOptions, StructuralTagOptions, ResponseFormat,
                            SubstringUnit, Choice, Chunks, Join>;

  Kind kind;
  std::vector<std::string> texts = {};  ///< One text if the kind does not say otherwise.
  std::vector<std::shared_ptr<const GrammarSource>> parts = {};
  std::size_t bytes = 0;    ///< The total size of all texts, also of those of the parts and of one that is too long.
  std::uint32_t depth = 0;  ///< Nesting depth of parts.

  explicit GrammarSource(Join how) : kind(how) {}
  GrammarSource(Kind how, std::vector<std::string> of);
  /// A text beyond the limit text_bytes is not copied, and read() reports it.
  GrammarSource(Kind how, std::string_view text, const Limits& limits) : kind(std::move(how)), bytes(text.size()) {
    texts.emplace_back(text.substr(0, bytes > limits.text_bytes ? 0 : bytes));  // a list would copy the text twice
  }
  GrammarSource(const GrammarSource&) = default;
  GrammarSource(GrammarSource&&) = default;
  GrammarSource& operator=(const GrammarSource&) = default;
  GrammarSource& operator=(GrammarSource&&) = default;
  ~GrammarSource();
  friend bool operator==(const GrammarSource&, const GrammarSource&) = default;
};

/// The sources of Grammar::from_ebnf, Grammar::json and Grammar::json_object.
GrammarSource ebnf_source(std::string_view text, const EbnfOptions& options, const Limits& limits);
GrammarSource json_source(const JsonSchemaOptions& options, const Limits& limits);
GrammarSource json_object_source(const JsonSchemaOptions& options, const Limits& limits);

/// Returns the grammar of a source, with warnings. A start rule that derives no string is not reported as an error here;
/// compiling reports it.
Result<Grammar> read(GrammarSource source, const Limits& limits);

/// Returns true if all texts are JSON, because the source is a schema or a response format of JSON.
bool is_json(const GrammarSource& source, const Limits& limits);

/// Changes an error about the tools that a structural tag was made of: it points into the text of the tools.
void move_into_tools(const GrammarSource& source, Error& error, const Limits& limits);
/// Gives warnings about a text of JSON a pointer. Those about tools then point into the text of the tools.
/// A schema is read again for that, unless its document is given.
void place_warnings(const GrammarSource& source, std::vector<Warning>& warnings, const Limits& limits,
                    const base::JsonDocument* schema = nullptr);

/// Adds the rules of a source to those of the reading, and returns the first one.
std::optional<grammar::RuleId> read_into(const GrammarSource& source, frontend::json_schema::Placement placement,
                                         frontend::Reading& reading);

}  // namespace weir::input

#endif  // WEIR_SRC_INPUT_SOURCE_H_
