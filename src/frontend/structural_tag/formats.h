// FormatReader: turns the formats of a structural tag, one JSON object each, into nodes of a grammar.
//
// FREE TEXT  Free text within a tag ends where the tag ends: none of the strings that may end the innermost enclosing tag
//        begins in it. If the end of that tag may be empty, the strings that may end the tag around it count as well.
//        The expressions of terminals keep these strings out of the text. A string that begins in the text and is
//        complete only in what follows is left to a pass that sees all that may follow (Grammar::free_texts).
// TOKENS A trigger that begins with the name of a special token is that token (literals.h), so the free text before it
//        ends at a token boundary. The name spelled as text is not free text either, because readers of the output
//        would take it for the token.
// DEPTH  Nested formats are read recursively; JsonDocument limits their nesting to Limits::nesting.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_FORMATS_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_FORMATS_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/dispatch.h"
#include "frontend/json_schema/rules/placement.h"
#include "frontend/structural_tag/arguments.h"
#include "frontend/structural_tag/input.h"
#include "frontend/structural_tag/literals.h"
#include "grammar/ir.h"
#include "weir/grammar.h"

namespace weir::frontend::structural_tag {

class FormatReader {
 public:
  using Node = std::optional<grammar::NodeId>;

  /// Both arguments must outlive the reader.
  FormatReader(Input& input, const StructuralTagOptions& options);

  /// Reads a format of any type.
  Node read(const JsonValue& format);
  /// Reads the root of a structural tag: an object with a `format`, or with tags and triggers.
  Node structural_tag(const Object& root);
  /// Reads a list of llguidance's StructTag.
  Node struct_tags(const JsonValue& list);
  /// Reads a schema, which is a part of the document. If it is a string, the string contains the schema.
  Node schema(const JsonValue& schema, const JsonSchemaOptions& options,
              json_schema::Placement placement = json_schema::Placement::kEmbedded);
  /// Reads the schema of a value that must be an object, whatever the schema says. If it allows none, that is an error.
  Node object_schema(const JsonValue& schema, const JsonSchemaOptions& options, json_schema::Placement placement);
  /// Reads a schema that is not part of the document; errors in it are reported at `at`.
  Node schema_text(const JsonValue& at, std::string_view text, const JsonSchemaOptions& options,
                   json_schema::Placement placement);
  /// Reads a format of type `grammar`.
  Node grammar_format(const Object& format);
  /// Returns a node for any text.
  Node any_text_at(const JsonValue& at) { return text_only({}, {}, at.where()); }
  /// Returns a node for up to a few blanks, which models write between parts.
  grammar::NodeId blanks(SourceRange where);
  /// Returns a node for `begin`, text without `end`, and `end`.
  grammar::NodeId text_up_to(std::string_view begin, const std::string& end, SourceRange where);
  /// Reads a format of type `language`.
  Node language(const Object& format);
  /// Reads a grammar; errors in it are reported within `text`.
  Node read_grammar(const JsonValue& text, std::string_view grammar, const GrammarTextOptions& options);
  /// Reads a grammar that is a string of the document; `start` names its start rule. With `is_text` a token in it is an
  /// error.
  Node grammar_text(const JsonValue& text, GrammarSyntax syntax, const std::string& start, bool is_text = false);
  /// Reads a pattern (ECMA-262) that is a string of the document.
  Node regex(const JsonValue& pattern);

 private:
  struct Format;
  static const std::vector<Format>& formats();

  // A trigger, and a node for all that may follow it.
  struct Branch {
    std::string trigger;
    std::vector<grammar::NodeId> then = {};
    SourceRange where = {};
  };
  struct FreeText {
    std::vector<Branch> branches;
    std::vector<std::string> excluded;
    bool stop_after_first = false;
    SourceRange where = {};
    std::vector<std::string> ends = {};  // of the tag; also excluded
    std::string capture = {};            // the name under which the text is reported
  };
  struct TokenBranch {
    grammar::TokenSet trigger;
    grammar::NodeId then = grammar::NodeId::kEmpty;
  };
  struct TokenText {
    std::vector<TokenBranch> branches;
    grammar::TokenSet excluded;
    bool stop_after_first = false;
    SourceRange where = {};
    std::string capture = {};
  };
  // The strings and tokens that end a tag. Free text within the tag must not contain them.
  struct Ends {
    std::vector<std::string> strings;
    grammar::TokenSet tokens;
  };
  // A tag in parts. `begin` is its string; it is empty if the tag begins with a token or a pattern.
  struct Tag {
    std::string begin;
    Node begin_token;
    std::optional<regex::ExprId> begin_pattern;
    const JsonValue* begin_value = nullptr;
    grammar::NodeId rest = grammar::NodeId::kEmpty;  // content and end
    const JsonValue* value = nullptr;
  };

  Node triggered_tags(const Object& format);
  Node struct_tag_content(const JsonValue& content);
  Node tags_with_triggers(const Object& format, std::string_view tags_key);
  Node const_string(const Object& format);
  void keep_end_apart(grammar::NodeId node);
  Node json_schema(const Object& format);
  Node any_text(const Object& format);
  Node regex_format(const Object& format);
  Node sequence(const Object& format);
  Node alternatives(const Object& format);
  Node optional(const Object& format) { return repeated(format, 0, 1); }
  Node plus(const Object& format);
  Node star(const Object& format);
  Node repeat(const Object& format);
  Node tag(const Object& format);
  Node tags_with_separator(const Object& format);
  Node dispatch(const Object& format);
  Node token(const Object& format);
  Node exclude_token(const Object& format);
  Node any_tokens(const Object& format);
  Node token_triggered_tags(const Object& format);
  Node token_dispatch(const Object& format);
  Node qwen_xml_parameter(const Object& format);
  void warn_of_notes(const Object& root);
  Node arguments(const JsonValue& schema, std::string_view style_text, const ArgumentStyle& style,
                 const JsonSchemaOptions& options, bool any_order, const std::vector<std::string>& excluded);
  bool check_schema(const JsonValue& schema, const JsonSchemaOptions& options);
  Node without_strings(const JsonValue& schema, const JsonSchemaOptions& options,
                       const std::vector<std::string>& excluded);
  // Returns the options with the schema as an additional document, which references to its parts use.
  [[nodiscard]] JsonSchemaOptions with_document(const JsonValue& schema, const JsonSchemaOptions& options) const;

  Node repeated(const Object& format, std::uint32_t min, std::uint32_t max);
  std::optional<std::vector<grammar::NodeId>> elements(const Object& format);

  // The tool that a tag was made from, and the numbers of errors and warnings before it was read.
  struct ToolOrigin {
    std::size_t errors = 0;
    std::size_t warnings = 0;
    std::string name = {};     // empty: none
    std::string pointer = {};  // to the object with the name, in the list of tools
  };
  ToolOrigin tool_origin(const JsonValue& tag);
  void name_tool(const ToolOrigin& origin, const JsonValue& content);
  void check_is_text(const Object& object, std::string_view key, std::string_view string);
  std::optional<Tag> read_tag(const JsonValue& value);
  std::optional<std::vector<Tag>> read_tags(const Object& format, std::string_view key = "tags");
  grammar::NodeId tag_node(const Tag& tag, std::string_view cut = {});
  std::optional<regex::ExprId> begin_pattern(const Object& begin);
  std::optional<bool> begins_with(const Tag& tag, std::string_view trigger);
  Node ends(const JsonValue& end, Ends& out);
  [[nodiscard]] std::size_t trigger_length(std::string_view begin, std::size_t trigger) const;
  std::optional<std::size_t> trigger_of(const Tag& tag, const std::vector<std::string>& triggers);

  Node free_text(const FreeText& text);
  static void add_branch(FreeText& text, std::string trigger, grammar::NodeId then, SourceRange where);
  Dispatch text_dispatch(const FreeText& text);
  void warn_of_unreachable(const FreeText& text);
  [[nodiscard]] bool holds_token(std::string_view trigger) const;
  // Returns a node for text of at most `most` characters without the strings of `ends` and `excluded`.
  grammar::NodeId text_only(const std::vector<std::string>& ends, const std::vector<std::string>& excluded,
                            SourceRange where, std::uint32_t most = regex::kUnbounded);
  grammar::NodeId token_text(const TokenText& text);
  bool add_to(grammar::TokenSet& set, const JsonValue& token);
  std::optional<grammar::TokenSet> token_set(const Object& format, std::string_view key);
  [[nodiscard]] std::string capture_of(const Object& format, std::string_view member);
  grammar::NodeId captured(grammar::NodeId text, const std::string& capture, SourceRange where);
  grammar::NodeId rule(std::string name, grammar::NodeId body, SourceRange where, std::string capture = {});

  Input& input_;
  const StructuralTagOptions& options_;
  grammar::Grammar& grammar_;
  Literals literals_;
  Ends ends_ = {};  // of the innermost tag
  // Arguments that have been read without a warning. Tags of tools have those of each tool for the first call and for
  // the calls after it.
  struct KnownArguments {
    std::string schema;
    std::string style;
    JsonSchemaOptions options;
    bool any_order;
    std::vector<std::string> excluded;
    grammar::NodeId node;
  };
  std::vector<KnownArguments> known_arguments_ = {};
  // Reads the texts of a style of arguments that has no name.
  std::optional<ArgumentStyle> own_style(const JsonValue& value);
  // Returns the node of known arguments, or that which `make` returns.
  template <typename Make>
  Node known_or(const JsonValue& schema, std::string_view style, const JsonSchemaOptions& options, bool any_order,
                const std::vector<std::string>& excluded, Make&& make);
};

template <typename Make>
FormatReader::Node FormatReader::known_or(const JsonValue& schema, std::string_view style,
                                          const JsonSchemaOptions& options, bool any_order,
                                          const std::vector<std::string>& excluded, Make&& make) {
  const std::string_view text = input_.text_of(schema);
  for (const KnownArguments& known : known_arguments_) {
    if (known.schema == text && known.style == style && known.any_order == any_order && known.excluded == excluded &&
        known.options == options) {
      return known.node;
    }
  }
  const std::size_t warnings = input_.reading().warnings.size();
  const Node node = make();
  if (node && input_.reading().warnings.size() == warnings) {
    known_arguments_.push_back({std::string(text), std::string(style), options, any_order, excluded, *node});
  }
  return node;
}

}  // namespace weir::frontend::structural_tag

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_FORMATS_H_
