// Grammar: text in one of weir's languages, read and checked, not yet joined to a tokenizer.
// The EBNF dialect stands on docs/ebnf.md, the regex syntax on docs/regex.md.
//
// HOW    Immutable once built, and a cheap handle: a copy shares what was read.
// THREADS const members are safe to call concurrently; the functions that read share nothing.
#ifndef WEIR_GRAMMAR_H_
#define WEIR_GRAMMAR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/export.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir {

namespace frontend {
struct Source;
}
namespace grammar {
class Grammar;
}

struct EbnfOptions {
  std::string start = "root";  ///< The rule to begin with; any rule will do.
  friend bool operator==(const EbnfOptions&, const EbnfOptions&) = default;
};

/// The languages that grammars are written in, rules and all. Each stands on a page of its own in docs/.
enum class GrammarSyntax : std::uint8_t {
  kEbnf,      ///< weir's own.
  kGbnf,      ///< llama.cpp's.
  kXgrammar,  ///< XGrammar's EBNF.
  kKbnf,      ///< kbnf's.
  kLark,      ///< Lark, as llguidance has extended it.
};

/// The syntax's name: "ebnf", "gbnf", "xgrammar", "kbnf", "lark".
WEIR_API std::string_view to_string(GrammarSyntax syntax) noexcept;
/// The syntax of this name, if there is one.
WEIR_API std::optional<GrammarSyntax> syntax_named(std::string_view name) noexcept;

/// A grammar that another one may name: `@name` in Lark.
struct NamedGrammar {
  std::string name;
  std::string text;
  GrammarSyntax syntax = GrammarSyntax::kLark;
  friend bool operator==(const NamedGrammar&, const NamedGrammar&) = default;
};

struct GrammarTextOptions {
  GrammarSyntax syntax = GrammarSyntax::kEbnf;
  std::string start = {};     ///< The rule to begin with. Empty: `start` in KBNF and Lark, else `root`.
  bool exact_splits = false;  ///< Lark: terminals end wherever they match, not only at their longest match.
  /// KBNF: keep rules that derive no finite string, for streams without an end. What they lead to is then never
  /// complete.
  bool keep_endless = false;
  std::vector<NamedGrammar> grammars = {};  ///< Lark: what `@name` may refer to.
  friend bool operator==(const GrammarTextOptions&, const GrammarTextOptions&) = default;
};

enum class RegexMatch : std::uint8_t {
  kFull,    ///< The whole output matches.
  kSearch,  ///< Some part of the output matches, unless the pattern has anchors.
};

/// Where texts of one spelling mean different things (docs/regex.md).
enum class RegexDialect : std::uint8_t {
  kWeir,     ///< What dialects disagree about is refused.
  kEcma262,  ///< As ECMA-262 reads it, annex B included: for patterns written for JavaScript.
  kRust,     ///< As Rust's regex crate reads it.
  kPython,   ///< As Python's `re` reads a `str`.
  kPcre,     ///< As PCRE2 reads it with its option UTF.
};

struct RegexOptions {
  RegexDialect dialect = RegexDialect::kWeir;
  RegexMatch match = RegexMatch::kFull;
  bool ignore_case = false;  ///< Flag i.
  bool multi_line = false;   ///< Flag m: ^ and $ match at lines.
  bool dot_all = false;      ///< Flag s: . matches line ends.
  bool extended = false;     ///< Flag x: blanks and # comments are ignored.
  bool operators = false;    ///< `&` is intersection, `~` complement (weir's own dialect).
  friend bool operator==(const RegexOptions&, const RegexOptions&) = default;
};

/// What a text is cut into, to quote whole ones.
enum class SubstringUnit : std::uint8_t {
  kCharacter,  ///< Code points.
  kWord,       ///< Runs of letters, digits and `_`; of blanks; of what is neither.
};

struct StructuralTagOptions {
  JsonSchemaOptions json_schema = {};  ///< Of the schemas in it, where the tag itself does not say.
  GrammarSyntax grammar_syntax = GrammarSyntax::kXgrammar;  ///< Of grammars in it that do not name their syntax.
  /// Names of special tokens. Where one stands in a constant string, a begin, an end or a trigger it is that token, not
  /// text. GrammarCompiler takes those of its tokenizer if there are none here.
  std::vector<std::string> special_tokens = {};
  friend bool operator==(const StructuralTagOptions&, const StructuralTagOptions&) = default;
};

class WEIR_API Grammar {
 public:
  /// Reads EBNF: a superset of llama.cpp's GBNF and of the core of XGrammar's EBNF.
  /// Errors   kSyntax. kInvalidArgument: a rule that is not defined, or no start rule. kUnsupported: an operand that is
  ///          not regular, a construct of a regular expression. kLimitExceeded: text_bytes, nesting, repeat_count,
  ///          regex_nodes. Error::where is a range of `text`. That no text matches is an error of compiling only.
  /// Cost     Linear in the text, and what its regular expressions cost.
  static Result<Grammar> from_ebnf(std::string_view text, const EbnfOptions& options = {}, const Limits& limits = {});

  /// Reads a grammar in any of the languages that have rules.
  /// Errors   As from_ebnf; what each language adds stands on its page.
  static Result<Grammar> from_text(std::string_view text, const GrammarTextOptions& options, const Limits& limits = {});

  /// Reads one regular expression; its language is the grammar's.
  /// Errors   kSyntax; kUnsupported, of what is not regular; kLimitExceeded: text_bytes, nesting, repeat_count,
  ///          regex_nodes. Error::where is a range of `pattern`.
  /// Cost     About linear in the pattern; assertions in loops may multiply it.
  static Result<Grammar> from_regex(std::string_view pattern, const RegexOptions& options = {},
                                    const Limits& limits = {});

  /// Reads a JSON Schema; the language is the JSON texts that are valid under it. docs/json_schema.md says which
  /// keywords and dialects, and which texts of a value.
  /// Errors   kSyntax: not JSON, or a pattern that is none. kInvalidArgument: a keyword's value of the wrong kind, a
  ///          reference that leads nowhere, a whitespace pattern that matches more than blanks. kUnsupported: what is
  ///          not regular in a pattern, a schema that leads back to itself in place. kUnsatisfiable: no value is valid.
  ///          kLimitExceeded: text_bytes, nesting, number_digits, regex_nodes, regex_fuel, schema_steps, ...
  ///          Error::where is a range of `schema`, Error::pointer the value that it lies in.
  /// Cost     The schema's text is read and its keywords are checked; what they mean together is found out as matchers
  ///          need it.
  static Result<Grammar> from_json_schema(std::string_view schema, const JsonSchemaOptions& options = {},
                                          const Limits& limits = {});

  /// The JSON texts of all values, and of all objects: from_json_schema of `true` and of {"type": "object"}. Of the
  /// options those about texts matter.
  /// Errors   kInvalidArgument: a whitespace pattern that matches more than blanks. kLimitExceeded.
  static Result<Grammar> json(const JsonSchemaOptions& options = {}, const Limits& limits = {});
  static Result<Grammar> json_object(const JsonSchemaOptions& options = {}, const Limits& limits = {});

  /// Reads a structural tag: JSON that says which parts of the output follow which format (docs/structural_tags.md), in
  /// XGrammar's form with all its formats, as tags and triggers, or as a list of llguidance's StructTag.
  /// Errors   kSyntax: not JSON. kInvalidArgument: what is not of the form. kUnsupported. Those of the schemas,
  ///          grammars and regular expressions in it. Error::where is a range of `text`, Error::pointer the value that
  ///          it lies in.
  /// Cost     Linear in the text, and what checking the schemas costs.
  static Result<Grammar> from_structural_tag(std::string_view text, const StructuralTagOptions& options = {},
                                             const Limits& limits = {});

  /// Reads a `response_format` as OpenAI-compatible servers take it: {"type": "text"}, "json_object", "json_schema",
  /// "structural_tag", "grammar", "regex" or "choice" (docs/structural_tags.md).
  /// Errors   As from_structural_tag.
  static Result<Grammar> from_response_format(std::string_view text, const StructuralTagOptions& options = {},
                                              const Limits& limits = {});
  /// One of these strings, byte for byte.
  /// Errors   kInvalidArgument: there are none. kLimitExceeded: text_bytes (of all together), regex_nodes.
  /// Cost     About linear in their bytes.
  static Result<Grammar> from_choice(std::span<const std::string> strings, const Limits& limits = {});

  /// Any stretch of `text` from the beginning of a unit to the end of one, and the empty string: for quoting.
  /// Errors   kSyntax: not UTF-8. kLimitExceeded: text_bytes, regex_nodes.
  /// Cost     Linear in the text.
  static Result<Grammar> from_substring(std::string_view text, SubstringUnit unit, const Limits& limits = {});

  /// The texts that are one of the first part, then one of the second, and so on; and those that are one of some part.
  /// The parts become rules of one grammar: greedy terminals, look-ahead and the competition of Lark's terminals reach
  /// beyond a part. Captures are reported as in the part.
  /// Errors   kInvalidArgument: there are no parts. kUnsupported: a part that keeps endless rules. kLimitExceeded:
  ///          text_bytes, of all parts together; nesting, of parts that are themselves of parts; what reading the parts
  ///          under `limits` exceeds. Errors and warnings have no place, in compiling too: there is no one text.
  /// Cost     Reading the parts' texts again.
  static Result<Grammar> concat(std::span<const Grammar> parts, const Limits& limits = {});
  static Result<Grammar> any_of(std::span<const Grammar> parts, const Limits& limits = {});

  /// What looks unintended: rules never used, rules that derive no finite string, terminals that match nothing.
  /// Compiling finds more: CompiledGrammar::warnings() has these and those, each once.
  [[nodiscard]] const std::vector<Warning>& warnings() const noexcept { return warnings_; }

  /// Any run of `chunks` as they follow one another, and the empty string. Empty chunks are none.
  /// Errors   kSyntax: the chunks together are not UTF-8. kLimitExceeded: text_bytes (of all together), regex_nodes.
  /// Cost     Linear in the chunks' bytes.
  static Result<Grammar> from_substring_chunks(std::span<const std::string> chunks, const Limits& limits = {});

  /// For the layers inside weir.
  Grammar(std::shared_ptr<const grammar::Grammar> ir, std::vector<Warning> warnings, Limits limits,
          std::shared_ptr<const frontend::Source> source) noexcept;
  [[nodiscard]] const grammar::Grammar& ir() const noexcept { return *ir_; }
  [[nodiscard]] const std::shared_ptr<const frontend::Source>& source() const noexcept { return source_; }
  [[nodiscard]] const Limits& limits() const noexcept { return limits_; }

 private:
  std::shared_ptr<const grammar::Grammar> ir_;
  std::vector<Warning> warnings_;
  Limits limits_;
  std::shared_ptr<const frontend::Source> source_;
};

}  // namespace weir

#endif  // WEIR_GRAMMAR_H_
