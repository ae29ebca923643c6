// FormatReader: turns the formats of a structural tag, one JSON object each, into nodes of a grammar.
//
// FREE TEXT  Free text within a tag ends where the tag ends: none of the strings that may end the innermost enclosing tag
//        begins in it. If the end of that tag may be empty, the strings that may end the tag around it count as well.
//        What is in the text, the expressions of terminals say; what begins in it and is complete in what follows, is
//        left to a pass that sees all that may follow (Grammar::free_texts).
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
  /// Reads a grammar that is a string of the document; `start` names its start rule.
  Node grammar_text(const JsonValue& text, GrammarSyntax syntax, const std::string& start);
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
  };
  // The strings and tokens that end a tag. Free text within the tag must not contain them.
  struct Ends {
    std::vector<std::string> strings;
    grammar::TokenSet tokens;
  };
  // A tag in parts. `begin` is its string; it is empty if the tag begins with a token.
  struct Tag {
    std::string begin;
    Node begin_token;
    const JsonValue* begin_value = nullptr;
    grammar::NodeId rest = grammar::NodeId::kEmpty;  // content and end
    const JsonValue* value = nullptr;
  };

  Node triggered_tags(const Object& format);
  Node struct_tag_content(const JsonValue& content);
  Node tags_with_triggers(const Object& format, std::string_view tags_key);
  Node const_string(const Object& format);
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
  struct ArgumentPart {
    grammar::NodeId node;
    bool is_required = false;
  };
  Node arguments(const JsonValue& schema, const ArgumentStyle& style, const JsonSchemaOptions& options, bool any_order,
                 const std::vector<std::string>& excluded);
  bool check_schema(const JsonValue& schema, const JsonSchemaOptions& options);
  Node without_strings(const JsonValue& schema, const JsonSchemaOptions& options,
                       const std::vector<std::string>& excluded);
  // Returns the options with the schema as an additional document, which references to its parts use.
  [[nodiscard]] JsonSchemaOptions with_document(const JsonValue& schema, const JsonSchemaOptions& options) const;
  // The order and separation of the members of an object.
  struct MemberOrder {
    bool is_any = false;
    bool is_sorted = false;           // unless is_any: sorted by key, ignoring case; else in the order of `properties`
    std::string_view separator = {};  // between two members
  };
  // A member with a known key: `properties` lists it, or `required` alone does.
  struct ListedMember {
    std::string_view key;
    std::vector<std::string> pointers;  // from the object's schema to those of its values, as fragments of a URI
    const JsonValue* schema = nullptr;  // the one that the first pointer leads to
    bool is_required = false;
  };
  // Other members, which `patternProperties` or `additionalProperties` allows.
  struct FurtherMembers {
    std::string keys;                   // the text of a schema for their keys
    std::vector<std::string> pointers;  // from the object's schema to those of their values, as fragments of a URI
    const JsonValue* schema = nullptr;  // of their values, if there is only one
  };
  // Returns a node for the members of an object; `node_of` makes the node of each listed one, `further` that of all
  // others, which styles without such members do not have.
  Node members(const JsonValue& schema, const MemberOrder& order, const JsonSchemaOptions& options,
               const std::function<Node(const ListedMember&)>& node_of,
               const std::function<Node(const FurtherMembers&)>& further = nullptr);
  bool listed_members(const JsonValue& schema, const JsonSchemaOptions& options, std::vector<ListedMember>& listed);
  std::optional<std::vector<FurtherMembers>> further_members(const JsonValue& schema,
                                                             std::span<const ListedMember> listed);
  Node further_key(const JsonValue& object, const std::string& keys, const JsonSchemaOptions& options);
  bool has_one_schema(const ListedMember& member);
  bool can_write_key(const ListedMember& member, bool& good);
  // Warns that a member that may be left out is always left out.
  void warn_of_absent(const ListedMember& member, const std::string& why);
  bool has_texts(grammar::NodeId id, std::map<grammar::NodeId, bool>& known, std::uint32_t depth = 0) const;
  bool may_match(std::string_view key, std::string_view pattern, const JsonSchemaOptions& options);
  // `further`: what may come any number of times, after all parts or between them; kEmpty: nothing.
  grammar::NodeId in_order(std::span<const ArgumentPart> parts, std::string_view separator, SourceRange where);
  grammar::NodeId in_any_order(std::span<const ArgumentPart> parts, std::string_view separator, grammar::NodeId further,
                               SourceRange where);
  // nested_arguments.cc
  struct NestedValue {
    const JsonValue* schema = nullptr;
    std::optional<std::string_view> name;  // the key; none for items of a list
    std::string reference;                 // a URI that refers to the schema
    std::uint32_t level = 0;               // number of enclosing objects and lists
    const JsonValue* root = nullptr;       // what `#` in a `$ref` refers to; null if references are not followed
    // The node of the key, for members that `properties` does not list; they have no `name`.
    std::optional<grammar::NodeId> names = std::nullopt;
  };
  // How the values of a call are written as tags within tags.
  struct NestedStyle {
    const JsonSchemaOptions& options;
    bool any_order = false;
    bool is_named = false;  // ArgumentStyle::Nesting::kNamedTags; else kTypedTags
  };
  Node nested_arguments(const JsonValue& schema, const NestedStyle& style);
  Node nested_value(const NestedValue& value, const NestedStyle& style);
  Node typed_value(const NestedValue& value, const NestedStyle& style);
  Node named_value(const NestedValue& value, const NestedStyle& style);
  Node scalar_value(const NestedValue& value, std::string_view types, std::string_view end,
                    const JsonSchemaOptions& options);
  Node nested_member(const NestedValue& object, const ListedMember& member, std::uint32_t level,
                     const NestedStyle& style);
  Node further_nested(const NestedValue& object, const FurtherMembers& others, std::uint32_t level,
                      const NestedStyle& style);
  Node nested_object(const NestedValue& value, const NestedStyle& style);
  Node nested_list(const NestedValue& value, const NestedStyle& style);
  Node any_typed_value(const JsonValue& at);
  bool is_too_deep(const NestedValue& value);
  // Returns a node for a list; `node_of` makes the node of an item from the schema of the items.
  Node list_of(const NestedValue& value, std::string_view separator,
               const std::function<Node(const NestedValue&)>& node_of);
  // argument_shapes.cc
  struct Shapes {
    std::vector<NestedValue> found;         // schemas with a type
    std::vector<const JsonValue*> settled;  // schemas whose shapes are all in `found`
    std::vector<const JsonValue*> way;      // path to the current schema
  };
  static std::optional<NestedValue> target_of(const NestedValue& value, const JsonValue& reference);
  bool has_values(std::initializer_list<std::string_view> references, std::string_view type,
                  const JsonSchemaOptions& options);
  bool are_disjoint(std::span<const NestedValue> branches, std::string_view type, const JsonSchemaOptions& options);
  std::vector<NestedValue> branches_of(const NestedValue& value, std::string_view type,
                                       const JsonSchemaOptions& options);
  bool add_shapes(const NestedValue& value, std::string_view type, const JsonSchemaOptions& options, Shapes& out);
  // Returns one node for each schema that the objects (or lists) among the values may follow; `node_of` makes each
  // node.
  std::optional<std::vector<grammar::NodeId>> container_alternatives(
      const NestedValue& value, std::string_view type, const JsonSchemaOptions& options,
      const std::function<Node(const NestedValue&)>& node_of);
  // bracket_arguments.cc
  Node bracket_object(const NestedValue& value, const JsonSchemaOptions& options, bool any_order);
  Node bracket_member(const NestedValue& value, const JsonSchemaOptions& options, bool any_order);
  Node bracket_value(const NestedValue& value, const JsonSchemaOptions& options, bool any_order);
  Node bracket_list(const NestedValue& value, const JsonSchemaOptions& options, bool any_order);
  Node value_and_end(const std::string& schema, const json_schema::Argument& argument, const JsonSchemaOptions& options,
                     Reading& reading);
  // An argument's key: a text, or for arguments that are not listed a node.
  struct ArgumentKey {
    std::string_view text = {};
    Node node = std::nullopt;
    bool is_required = false;  // if the argument has no value, that is an error
  };
  Node argument(const JsonValue& schema, const ArgumentKey& key, const std::string& values, const ArgumentStyle& style,
                const JsonSchemaOptions& options);

  Node repeated(const Object& format, std::uint32_t min, std::uint32_t max);
  std::optional<std::vector<grammar::NodeId>> elements(const Object& format);

  std::optional<Tag> read_tag(const JsonValue& value);
  std::optional<std::vector<Tag>> read_tags(const Object& format, std::string_view key = "tags");
  grammar::NodeId tag_node(const Tag& tag, std::size_t cut = 0);
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
  grammar::NodeId rule(std::string name, grammar::NodeId body, SourceRange where, std::string capture = {});

  Input& input_;
  const StructuralTagOptions& options_;
  grammar::Grammar& grammar_;
  Literals literals_;
  Ends ends_ = {};                                                                  // of the innermost tag
  std::map<std::pair<const JsonValue*, std::string>, grammar::RuleId> containers_;  // by schema and type
  std::optional<grammar::RuleId> any_typed_value_ = {};                             // any_typed_value
};

}  // namespace weir::frontend::structural_tag

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_FORMATS_H_
