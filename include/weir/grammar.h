// Grammar: a text in one of the languages that weir reads, parsed and checked, not yet joined to a tokenizer.
//
// WHAT   docs/ebnf.md describes the EBNF dialect, docs/regex.md the regular expressions, docs/json_schema.md JSON
//        Schema. GrammarCompiler (compiler.h) joins a grammar to a tokenizer.
// HOW    Immutable once built, and a cheap handle: copies share everything.
// THREADS const members may be called concurrently; the functions that read share nothing.
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

namespace grammar {
class Grammar;
}
namespace input {
struct GrammarSource;
}

/// How EBNF is read.
struct EbnfOptions {
  std::string start = "root";  ///< The start rule; any rule of the grammar may be named.
  friend bool operator==(const EbnfOptions&, const EbnfOptions&) = default;
};

/// The languages in which grammars are written as rules. docs/ has a page for each.
enum class GrammarSyntax : std::uint8_t {
  kEbnf,      ///< weir's own.
  kGbnf,      ///< llama.cpp's.
  kXgrammar,  ///< XGrammar's EBNF.
  kKbnf,      ///< kbnf's.
  kLark,      ///< Lark with llguidance's extensions.
};

/// Returns the syntax's name: "ebnf", "gbnf", "xgrammar", "kbnf" or "lark". Empty for a number that is no syntax; syntaxes
/// are numbered from 0.
WEIR_API std::string_view to_string(GrammarSyntax syntax) noexcept;
/// Returns the syntax of this name, or nullopt.
WEIR_API std::optional<GrammarSyntax> syntax_named(std::string_view name) noexcept;

/// A grammar that another grammar may refer to: as `@name` in Lark.
struct NamedGrammar {
  std::string name;                             ///< Without the `@`.
  std::string text;                             ///< The grammar.
  GrammarSyntax syntax = GrammarSyntax::kLark;  ///< Its language.
  friend bool operator==(const NamedGrammar&, const NamedGrammar&) = default;
};

/// How a grammar with rules is read.
struct GrammarTextOptions {
  GrammarSyntax syntax = GrammarSyntax::kEbnf;  ///< The language of the text.
  std::string start = {};                       ///< The start rule; empty: `start` in KBNF and Lark, else `root`.
  bool exact_splits = false;  ///< Lark: terminals may end wherever they match, not only at their longest match.
  /// KBNF: keeps rules that derive no finite string, for streams without an end. An output in such a rule is never
  /// complete.
  bool keep_endless = false;
  std::vector<NamedGrammar> grammars = {};  ///< Lark: the grammars that `@name` may refer to.
  JsonSchemaOptions json_schema = {};       ///< Lark: options of the schemas after `%json`.
  std::string indenter = {};                ///< Lark: a JSON object, which is read in place of the one after `%indent`.
  /// A language by its name, such as `sqlite`, in place of a grammar: docs/languages.md. The text is then empty, or
  /// lists the tables of SQL.
  std::string language = {};
  friend bool operator==(const GrammarTextOptions&, const GrammarTextOptions&) = default;
};

/// Which part of an output a pattern has to match.
enum class RegexMatch : std::uint8_t {
  kFull,    ///< The whole output matches.
  kSearch,  ///< Some part of the output matches, unless the pattern has anchors.
};

/// The dialects of regular expressions: the same pattern may mean different things in them (docs/regex.md).
enum class RegexDialect : std::uint8_t {
  kWeir,     ///< Refuses constructs that mean different things in the other dialects.
  kEcma262,  ///< As ECMA-262 with annex B reads it, for patterns written for JavaScript.
  kRust,     ///< As Rust's regex crate reads it.
  kPython,   ///< As Python's `re` reads a `str`.
  kPcre,     ///< As PCRE2 reads it with its option UTF.
};

/// How a regular expression is read.
struct RegexOptions {
  RegexDialect dialect = RegexDialect::kWeir;  ///< How the pattern is read.
  RegexMatch match = RegexMatch::kFull;        ///< Which part of the output it has to match.
  bool ignore_case = false;                    ///< Flag i.
  bool multi_line = false;                     ///< Flag m: ^ and $ also match at line ends.
  bool dot_all = false;                        ///< Flag s: . also matches line ends.
  bool extended = false;                       ///< Flag x: blanks and # comments are ignored.
  bool operators = false;                      ///< `&` is intersection, `~` complement (only in weir's own dialect).
  friend bool operator==(const RegexOptions&, const RegexOptions&) = default;
};

/// The units into which a text is cut for quotations.
enum class SubstringUnit : std::uint8_t {
  kCharacter,  ///< Code points.
  kWord,       ///< Runs of letters, digits and `_`; runs of blanks; runs of other characters.
};

/// How a structural tag or a response_format is read.
struct StructuralTagOptions {
  JsonSchemaOptions json_schema = {};  ///< Options for the schemas in it, unless the tag itself sets them.
  GrammarSyntax grammar_syntax = GrammarSyntax::kXgrammar;  ///< The syntax of grammars in it that name none.
  /// Names of special tokens. Where a constant string, a begin, an end or a trigger contains such a name, it means the
  /// token, not text. If the list is empty, GrammarCompiler uses the special tokens of its tokenizer.
  std::vector<std::string> special_tokens = {};
  friend bool operator==(const StructuralTagOptions&, const StructuralTagOptions&) = default;
};

/// A grammar that was read. Example of reading, reporting and compiling:
///
///     const weir::Result<weir::Grammar> grammar = weir::Grammar::from_ebnf(text);
///     if (!grammar) {
///       std::cerr << weir::render(grammar.error(), text, "order.ebnf");
///       return 1;
///     }
///     for (const weir::Warning& warning : grammar->warnings()) std::cerr << weir::render(warning, text, "order.ebnf");
///     const weir::Result<weir::CompiledGrammar> compiled = compiler.compile(*grammar);
class WEIR_API Grammar {
 public:
  /// Reads EBNF: a superset of llama.cpp's GBNF and of the core of XGrammar's EBNF.
  /// Errors   kSyntax. kInvalidArgument: a rule is used but not defined, or there is no start rule. kUnsupported: an
  ///          operand that has to be regular is not; a construct of a regular expression. kLimitExceeded: text_bytes,
  ///          nesting, repeat_count, regex_nodes. Error::where is a range of `text`. A grammar that no text matches is
  ///          read without error; compiling it fails.
  /// Cost     Linear in the text, plus the cost of its regular expressions.
  /// Example
  ///     auto grammar = weir::Grammar::from_ebnf("root ::= \"[\" [0-9]+ (\",\" [0-9]+)* \"]\"");
  static Result<Grammar> from_ebnf(std::string_view text, const EbnfOptions& options = {}, const Limits& limits = {});

  /// Reads a grammar in any of the languages that have rules.
  /// Errors   As from_ebnf; the page of each language lists those it adds.
  /// Example
  ///     auto grammar = weir::Grammar::from_text("start: \"yes\" | \"no\"", {.syntax = weir::GrammarSyntax::kLark});
  static Result<Grammar> from_text(std::string_view text, const GrammarTextOptions& options, const Limits& limits = {});

  /// Reads one regular expression; the grammar's language is that of the expression.
  /// Errors   kSyntax. kUnsupported: a construct that is not regular. kLimitExceeded: text_bytes, nesting,
  ///          repeat_count, regex_nodes. Error::where is a range of `pattern`.
  /// Cost     About linear in the pattern; assertions in loops may multiply it.
  /// Example
  ///     auto grammar = weir::Grammar::from_regex("[a-z]+@example\\.com", {.ignore_case = true});
  static Result<Grammar> from_regex(std::string_view pattern, const RegexOptions& options = {},
                                    const Limits& limits = {});

  /// Reads a JSON Schema; the language is the JSON texts that are valid under it. docs/json_schema.md says which
  /// keywords and dialects are supported, and which texts of a value are in the language.
  /// Errors   kSyntax: `schema` is not JSON, or a pattern is not a regular expression. kInvalidArgument: a keyword's
  ///          value is of the wrong kind; a reference has no target; a whitespace pattern matches more than blanks.
  ///          kUnsupported: a pattern is not regular; a schema refers back to itself without going into an item or a
  ///          member. kUnsatisfiable: no value is valid. kLimitExceeded: text_bytes, nesting, number_digits,
  ///          regex_nodes, regex_fuel, schema_steps, ... Error::where is a range of `schema`, Error::pointer the value
  ///          that contains it.
  /// Cost     The text is read and its keywords are checked. What they mean together is worked out later, as matchers
  ///          need it.
  /// Example
  ///     weir::JsonSchemaOptions options;
  ///     options.whitespace = weir::JsonSchemaOptions::Whitespace::kNone;
  ///     auto grammar = weir::Grammar::from_json_schema(R"({"enum": ["red", "green"]})", options);
  static Result<Grammar> from_json_schema(std::string_view schema, const JsonSchemaOptions& options = {},
                                          const Limits& limits = {});

  /// The JSON texts of all values, or of all objects: from_json_schema of `true`, or of {"type": "object"}. Only
  /// options about texts have an effect.
  /// Errors   kInvalidArgument: a whitespace pattern matches more than blanks. kLimitExceeded.
  /// Example
  ///     auto grammar = weir::Grammar::json({.whitespace = weir::JsonSchemaOptions::Whitespace::kNone});
  static Result<Grammar> json(const JsonSchemaOptions& options = {}, const Limits& limits = {});
  static Result<Grammar> json_object(const JsonSchemaOptions& options = {}, const Limits& limits = {});

  /// Reads a structural tag: JSON that says which parts of the output follow which format (docs/structural_tags.md). It
  /// may have XGrammar's form with all its formats, the older form of tags and triggers, or be a list of llguidance's
  /// StructTag.
  /// Errors   kSyntax: `text` is not JSON. kInvalidArgument: it does not have one of these forms. kUnsupported. Also
  ///          the errors of the schemas, grammars and regular expressions in it. Error::where is a range of `text`,
  ///          Error::pointer the value that contains it.
  /// Cost     Linear in the text, plus the cost of checking the schemas.
  /// Example
  ///     auto grammar = weir::Grammar::from_structural_tag(
  ///         R"({"type": "structural_tag", "format": {"type": "json_schema", "json_schema": {"type": "object"}}})");
  static Result<Grammar> from_structural_tag(std::string_view text, const StructuralTagOptions& options = {},
                                             const Limits& limits = {});

  /// Reads a `response_format` as OpenAI-compatible servers accept it. Its type is "text", "json_object",
  /// "json_schema", "structural_tag", "grammar", "regex" or "choice" (docs/structural_tags.md).
  /// Errors   As from_structural_tag.
  /// Example
  ///     auto grammar = weir::Grammar::from_response_format(R"({"type": "json_object"})");
  static Result<Grammar> from_response_format(std::string_view text, const StructuralTagOptions& options = {},
                                              const Limits& limits = {});
  /// The language of these strings, byte for byte.
  /// Errors   kInvalidArgument: there are no strings. kLimitExceeded: text_bytes (of all together), regex_nodes.
  /// Cost     About linear in their bytes.
  /// Example
  ///     auto grammar = weir::Grammar::from_choice(std::vector<std::string>{"red", "green", "blue"});
  static Result<Grammar> from_choice(std::span<const std::string> strings, const Limits& limits = {});

  /// The language of quotations from `text`: any stretch from the beginning of a unit to the end of a unit, and the
  /// empty string.
  /// Errors   kSyntax: the text is not UTF-8. kLimitExceeded: text_bytes, regex_nodes.
  /// Cost     Linear in the text.
  /// Example
  ///     auto grammar = weir::Grammar::from_substring(article, weir::SubstringUnit::kWord);  // "of the", not "f th"
  static Result<Grammar> from_substring(std::string_view text, SubstringUnit unit, const Limits& limits = {});

  /// concat: the texts that are a text of the first part, then one of the second, and so on. any_of: the texts that are
  /// a text of some part.
  /// The parts become rules of one grammar, so greedy terminals, look-ahead and the competition of Lark's terminals
  /// take effect across parts. Captures are reported as in the part.
  /// Errors   kInvalidArgument: there are no parts. kUnsupported: a part that keeps endless rules. kLimitExceeded:
  ///          text_bytes, of all parts together; nesting, of parts that were themselves made of parts; limits that
  ///          reading the parts under `limits` exceeds. Errors and warnings, also those of compiling, have no place, as
  ///          there is no single text.
  /// Cost     Reading the parts' texts again.
  /// Example
  ///     const std::vector<weir::Grammar> parts = {*thought, *answer};
  ///     auto grammar = weir::Grammar::concat(parts);
  static Result<Grammar> concat(std::span<const Grammar> parts, const Limits& limits = {});
  static Result<Grammar> any_of(std::span<const Grammar> parts, const Limits& limits = {});

  /// Returns what was probably not meant: unused rules, rules that derive no finite string, terminals that match nothing.
  /// If several differ in place alone, the first 3 are kept; the 3rd has the number of others. Compiling may find more.
  [[nodiscard]] const std::vector<Warning>& warnings() const noexcept { return warnings_; }

  /// The language of quotations that are runs of neighbouring `chunks`, and the empty string. Empty chunks are ignored.
  /// Errors   kSyntax: the chunks together are not UTF-8. kLimitExceeded: text_bytes (of all together), regex_nodes.
  /// Cost     Linear in the chunks' bytes.
  /// Example
  ///     auto grammar = weir::Grammar::from_substring_chunks(sentences);  // a std::vector<std::string>
  static Result<Grammar> from_substring_chunks(std::span<const std::string> chunks, const Limits& limits = {});

  /// For weir's own layers.
  Grammar(std::shared_ptr<const grammar::Grammar> ir, std::vector<Warning> warnings, Limits limits,
          std::shared_ptr<const input::GrammarSource> source) noexcept;
  [[nodiscard]] const grammar::Grammar& ir() const noexcept { return *ir_; }
  [[nodiscard]] const std::shared_ptr<const input::GrammarSource>& source() const noexcept { return source_; }
  [[nodiscard]] const Limits& limits() const noexcept { return limits_; }

 private:
  std::shared_ptr<const grammar::Grammar> ir_;
  std::vector<Warning> warnings_;
  Limits limits_;
  std::shared_ptr<const input::GrammarSource> source_;
};

}  // namespace weir

#endif  // WEIR_GRAMMAR_H_
