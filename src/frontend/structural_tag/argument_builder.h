// ArgumentBuilder: turns the schema of a call's arguments into nodes of a grammar, in one of the styles of arguments.h.
//
// WHAT   A schema of an object is read as the formula that its members satisfy (json_schema/model/algebra.h), whatever
//        keywords say it. The formula's derivatives by a member say what may follow, as in the rules of JSON objects
//        (json_schema/rules/schema_rules.h); only the notation of a member differs. In styles that write objects and
//        lists within arguments in their own form, the same holds at all levels.
// HOW    A formula is split into alternatives. An alternative that only says which members there are, with which values,
//        and which of them are required, is a sequence of members, each in its place in the order; one that says more is
//        an automaton with a rule for each formula that remains. An object or list within another one is a rule, because
//        it may be recursive; the bodies of rules are made one after the other, not within each other.
// WHICH  Members that no keyword lists exist only where `additionalProperties` or `patternProperties` asks for them, or
//        where nothing else satisfies the schema, where the whole schema is `true`, or in an object within another one of
//        which no member is listed. An argument without values that the style can write does not occur; if it is
//        required, that is an error.
// ERRORS Point into the schema.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_ARGUMENT_BUILDER_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_ARGUMENT_BUILDER_H_

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "frontend/json_schema/rules/placement.h"
#include "frontend/json_schema/rules/schema_view.h"
#include "frontend/structural_tag/arguments.h"
#include "frontend/structural_tag/input.h"
#include "frontend/structural_tag/literals.h"
#include "grammar/ir.h"
#include "weir/json_schema.h"

namespace weir::frontend::structural_tag {

class ArgumentBuilder {
 public:
  using Node = std::optional<grammar::NodeId>;

  struct Request {
    const JsonValue& schema;
    const ArgumentStyle& style;
    JsonSchemaOptions options;  // with the schema, and that of excluded strings, among its documents
    bool any_order = false;
    std::vector<std::string> excluded = {};
    bool is_open = false;  // the schema is `true`: members of any names, with any values
  };
  /// All arguments must outlive the builder. Precondition: read_json_schema has accepted the schema.
  ArgumentBuilder(Input& input, const Literals& literals, const Request& request);

  /// Returns a node for the arguments; on an error, adds it to the input and returns nullopt.
  Node build();

 private:
  using FormulaId = json_schema::FormulaId;
  using KeyClass = json_schema::KeyClass;
  using SetId = json_schema::SetId;

  // The key of a member: a name, or a node for the keys that the schema does not list. Neither for an item of a list.
  struct Key {
    std::optional<std::string_view> name = {};
    Node node = std::nullopt;
  };
  struct Member {
    KeyClass key;
    SetId value{};
    bool is_required = false;
    std::uint64_t order = 0;  // json_schema::PropertyMap::Named::order
  };
  struct Part {
    grammar::NodeId node;
    bool is_required = false;
  };
  // A rule whose body is still to be made.
  enum class Kind : std::uint8_t { kObject, kMembers, kMoreMembers, kList, kItems, kMoreItems };
  struct RuleKey {
    Kind kind;
    FormulaId f;
    bool is_root;  // of members: those of the whole, not of an object within it
    friend auto operator<=>(const RuleKey&, const RuleKey&) = default;
  };

  // Members and items (argument_members.cc).
  Node members(FormulaId f);
  std::vector<FormulaId> alternatives(FormulaId f);
  bool add_alternatives(FormulaId f, std::vector<FormulaId>& out);
  bool asks_for(FormulaId f, const KeyClass& key);
  bool lists_members(FormulaId f);
  bool takes_any(FormulaId f);
  FormulaId closed(FormulaId f);
  bool has_values_by_name(FormulaId f, json_schema::NameId name);
  std::optional<json_schema::Witness::ObjectAtoms> plain_object(FormulaId f);
  void sort_members(FormulaId f, std::vector<Member>& members);
  grammar::NodeId plain_members(FormulaId f, const json_schema::Witness::ObjectAtoms& atoms, bool is_open);
  Node other_keys(const KeyClass& key);
  grammar::NodeId member(const Member& one);
  void absent(const Member& one, const std::string& why, ErrorCode code);
  void check_members();
  Node member_body(FormulaId f, bool is_first);
  void warn_of_least(FormulaId f);
  Node items(FormulaId f);
  bool has_few_values(FormulaId f);
  FormulaId without_unique(FormulaId f);
  std::optional<grammar::NodeId> plain_items(FormulaId f);
  Node item_body(FormulaId f, bool is_first);
  // What may come before any of the parts, and after another member.
  std::pair<grammar::NodeId, grammar::NodeId> in_order(const std::vector<Part>& parts);
  // Between members, and between items; empty if there is none.
  [[nodiscard]] std::string_view separator() const;
  grammar::NodeId comma();
  // Members come in the order of their keys, so those that the schema does not list may come between others.
  [[nodiscard]] bool is_sorted() const { return style_.nesting == ArgumentStyle::Nesting::kBrackets; }
  std::vector<Part> plain_parts(FormulaId f, const json_schema::Witness::ObjectAtoms& atoms, bool is_open,
                                grammar::NodeId& further);
  grammar::NodeId in_any_order(const std::vector<Part>& parts, grammar::NodeId further);
  grammar::NodeId rule(Kind kind, FormulaId f);
  Node body(const RuleKey& key);
  bool has_texts(grammar::NodeId id, std::map<grammar::NodeId, bool>& known, std::uint32_t depth = 0) const;

  // The notation of a member, an object, a list (argument_notation.cc).
  [[nodiscard]] std::string why_unwritable(std::string_view key) const;
  grammar::NodeId written_member(const Key& key, SetId value);
  grammar::NodeId argument(const Key& key, SetId value);
  grammar::NodeId value_and_end(SetId value, json_schema::Argument::Values kind, std::string_view type);
  grammar::NodeId make_value_and_end(SetId value, json_schema::Argument::Values kind, std::string_view type);
  grammar::NodeId typed_value(const Key& key, SetId value);
  grammar::NodeId named_value(const Key& key, SetId value);
  grammar::NodeId words(SetId value);
  grammar::NodeId bracket_value(SetId value);
  grammar::NodeId python_key(const Key& key);
  regex::ExprId python_strings(char quote);
  grammar::NodeId python_value(SetId value);
  grammar::NodeId containers(SetId value, bool is_list);
  grammar::NodeId strings(SetId value, std::string_view end);
  grammar::NodeId scalars(SetId value);
  Node object_body(FormulaId f);
  Node list_body(FormulaId f);

  grammar::NodeId literal(std::string_view text) { return grammar_.add_literal(text, where_); }
  grammar::NodeId marks(std::string_view text) { return literals_.add(grammar_, text, where_); }
  grammar::NodeId sequence(std::initializer_list<grammar::NodeId> parts);
  grammar::NodeId nothing() { return grammar_.add_choice({}, where_); }
  [[nodiscard]] SourceRange whole() const { return {0, where_.end - where_.start}; }  // in the schema's text
  grammar::NodeId blanks() { return add_blanks(grammar_, where_, style_.blanks); }
  grammar::NodeId terminal(regex::ExprId texts, std::string name);
  grammar::NodeId terminal_or_nothing(regex::ExprId texts, std::string name);
  void fail(ErrorCode code, std::string message, SourceRange where, std::string hint = {});
  [[nodiscard]] bool check_limit();

  Input& input_;
  const Literals& literals_;
  const Request& request_;
  const ArgumentStyle& style_;
  grammar::Grammar& grammar_;
  SourceRange where_;
  JsonSchemaOptions options_;  // of the view
  std::unique_ptr<json_schema::SchemaView> view_;
  std::map<RuleKey, grammar::RuleId> rules_;
  std::deque<RuleKey> open_;
  std::size_t transitions_ = 0;
  std::size_t differing_ = 0;  // transitions that has_few_values has promised
  std::size_t splits_ = 0;     // in the current call of alternatives()
  bool is_root_ = true;        // the members that are being made are those of the whole
  bool has_failed_ = false;
  bool drops_unique_ = false;
  bool drops_least_ = false;
  // Members that have been written, to find those without texts when all rules are made.
  std::map<std::tuple<bool, json_schema::NameId, SetId>, std::pair<Member, grammar::NodeId>> written_;
  std::set<std::string> warned_;
  std::optional<Error> reason_;  // the first reason why a required member cannot be written
  std::map<std::tuple<SetId, json_schema::Argument::Values, std::string>, grammar::NodeId> values_;  // value_and_end
};

}  // namespace weir::frontend::structural_tag

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_ARGUMENT_BUILDER_H_
