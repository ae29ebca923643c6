// SchemaRules: the rules of a schema's grammar, made when a parser predicts them. The last step of the front end.
//
// The basic idea: a rule is named by what an array or object must still satisfy, a formula. So the rule after an item
// or member is that of a derivative, and it is made only when a text reaches it.
//
// WHAT   A rule is for a set of values S, or for a position in an array or object, with the formula f or g that the
//        remaining items or members must satisfy:
//          value(S)        ::= scalars | "[" array(f) | "{" object(g)
//          array(f)        ::= "]" | item(f)             object(g)    ::= "}" | member(g)
//          item(f)         ::= value(S) items(f')        member(g)    ::= key ":" after_key(g, key)
//          items(f)        ::= "]" | "," item(f)         members(g)   ::= "}" | "," member(g)
//                                                        after_key(g, key) ::= value(S) members(g')
//        where (S, f') are the choices for the next item (derivation.h), and likewise (S, g') for members. All scalars
//        of a set are one terminal. All keys that lead to the same rule are one terminal, too; in an object that allows
//        unlisted keys these are most keys.
// WHY    Rules offer only what can be completed (witness.h), so there are no dead ends.
// ITEMS  If items must differ, the item after a comma is a rule that follows the text (RuleMaker::follows_text): it
//        reads the value before the comma and adds it to the values from which later items must differ. If that item may
//        be any string but some, the text decides only where it ends, or where few strings are left
//        (RuleMaker::alike_until). The same mechanism serves formulas with many `contains`: which of them an item fulfils is
//        decided after its value is known, so that there is no rule for each combination. A few that no two values fulfil
//        together have few combinations: they need no text, which a budget of tokens does not know.
// KEYS   A listed name is excluded (*crossed out*) after it has been used, unless it is a prefix of an unlisted key
//        that may come. Unlisted keys are not excluded by rules; with Placement::kWholeText, a KeyGuard refuses
//        repetitions. With Placement::kEmbedded there is no guard: a text may have several readings, and a guard has
//        one verdict for all of them. Then the member after a comma follows the text and excludes the keys that its
//        object has so far.
//        The member after a comma also follows the text if all unlisted keys with some prefix may be used up, as for
//        `^[a-z]{2}$`. A guard refuses a key at its closing quote, so the prefix would be a dead end. The member then
//        excludes those used keys that are not a prefix of another key that may come.
//        Members that come in a declared order, with no condition but which are required, are a list, and a rule is for a
//        position in it (member_sequence.h):
//          listed(g, i)      ::= key value(S) listed_rest(g, j + 1), for the members j from i to the first required one
//          listed_rest(g, i) ::= "}" | "," listed(g, i) | "," member(g'), g' about keys after those of the list
// YAML   Within brackets the rules are those of JSON, with other texts of scalars. In blocks a `depth` is a YamlPlace, and
//        a column is a part of it. A line end and the blanks before an item or member begin its rule, so nothing closes an
//        array or object, and what may end has a production without a rest (make_line):
//          value(S)       ::= " " scalars | " {" object(g) | line-end deeper(g)
//          deeper(g)      ::= member(g) | " " deeper(g)                at this column, or one more
//          next_member(g) ::= line-end key after_key(g, key)
//          after_key(g)   ::= ":" value(S) | ":" value(S) next_member(g')    and without value(S) if it may be null
//        Rules look back at items (yaml_reader.h) whatever the placement is. Keys are left to a YamlGuard in objects that allow
//        all keys but some names; in others rules look back at them.
// ARGUMENTS  Between tags, strings are written without quotes. The root has a rule of its own there (kArgument), which
//        includes the end tag so that it is not nullable.
// EXAMPLE  1. add_item: `prefixItems: [{enum: [1, 2, 3]}, {const: 1}]`, `uniqueItems`, two items. The first choice is
//           1, 2 or 3. The rest needs a 1 that is not in the array yet (`needed`), so the item is 2 or 3. If one item
//           suffices, there are two items: 2 or 3; and 1, with a rest that has no further item, since only a longer
//           array needs the 1.
//        2. settle: items from 1, 2, 3 that must differ. The item after `[2,` follows the text: settle() reads the `2`,
//           and the rule becomes that of an item whose formula excludes 2. After `[2` and `[3` the rules are the same.
//        3. defer_contains: items from 1 to 5, and four `contains`, for 1 or 2, 2 or 3, 3 or 4, and 4 or 5. An item could
//           fulfil one of them, or two. There is one item instead, any value, with a rest that still has all four. After
//           `[3,` settle() reads the `3`, and the next rule is that of an item with the other two (rest_after_item). `]`
//           may come when none is left.
//        4. settle_member: keys `^[a-z]{1,2}$`. After `{"a":null,"aa":null,` the used keys are a and aa. No other key
//           begins with aa: the rule excludes it, because `"aa` would be a dead end. Others begin with a: the rule
//           keeps it, and the guard refuses the quote after `"a`. After the key comes the same rule as for all keys,
//           since the next comma reads the keys again.
// COST   Making a rule is linear in the keys of its formula, or in the formula. What follows a key is computed in the
//        rule after the key, not for all keys in advance (key_probe.h). Rules that no text reaches are not made.
// LIMITS schema_steps a rule; regex_nodes, regex_fuel, nesting.
// THREADS Same as RuleMaker.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_SCHEMA_RULES_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_SCHEMA_RULES_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/interner.h"
#include "base/limit.h"
#include "frontend/json_schema/model/algebra.h"
#include "frontend/json_schema/model/key_probe.h"
#include "frontend/json_schema/model/schema_meaning.h"
#include "frontend/json_schema/model/witness.h"
#include "frontend/json_schema/rules/constant_texts.h"
#include "frontend/json_schema/rules/look_back.h"
#include "frontend/json_schema/rules/member_sequence.h"
#include "frontend/json_schema/rules/placement.h"
#include "frontend/json_schema/rules/yaml_reader.h"
#include "frontend/json_schema/source/schema_store.h"
#include "frontend/json_schema/values/layout.h"
#include "frontend/json_schema/values/yaml_strings.h"
#include "grammar/growth.h"

namespace weir::frontend::json_schema {

NumberSpelling number_spelling(const JsonSchemaOptions& options);
regex::JsonStringOptions string_spelling(const JsonSchemaOptions& options);
/// Restricts the strings of the algebra as the option `characters` says. Precondition: check_schemas() has accepted it.
void offer_strings(Algebra& algebra, const SchemaStore& store, const JsonSchemaOptions& options);
/// Returns the JSON texts of the literals, numbers and strings of a shape, and appends a description to `name`.
regex::ExprId scalar_texts(Algebra& algebra, const Shape& shape, std::string& name);

/// A schema, with everything that has been computed for it while a parser runs.
class SchemaRules : public grammar::RuleMaker {
 public:
  /// The handle of the rule for the whole schema.
  static constexpr std::uint32_t kRoot = 0;
  /// In YAML: that of the value on the line of `---`.
  static constexpr std::uint32_t kRootOnLine = 1;

  /// Preconditions: `store` has loaded the schema `root`, and check_schemas() has accepted it; `options` and `exprs`
  /// outlive this object. `before`, if it is not null, are rules for the same schema and options that have lost their
  /// store, and `exprs` is a later copy of their expressions: what they have computed is taken from them.
  SchemaRules(std::unique_ptr<SchemaStore> store, SchemaId root, const JsonSchemaOptions& options, Layout layout,
              Placement placement, Argument argument, regex::ExprSet& exprs, const Limits& limits,
              SchemaRules* before = nullptr);

  base::Limit make(std::uint32_t handle, grammar::GrowingCfg& out) override;
  std::optional<base::CutText> short_text(std::uint32_t handle, std::size_t most) override;
  std::string place(std::uint32_t handle) override;
  [[nodiscard]] std::size_t memory_bytes() const override;
  bool follows_text(std::uint32_t handle) override;
  grammar::AlikeUntil alike_until(std::uint32_t handle) override;
  std::string_view deciding_text(std::string_view text) override;
  std::uint32_t settle(std::uint32_t handle, std::string_view deciding_text) override;

  /// Reads the values of schemas in advance, as far as limits allow.
  void read_values(std::span<const SchemaPlace> places);

  [[nodiscard]] Algebra& algebra() { return algebra_; }
  [[nodiscard]] Witness& witness() { return witness_; }
  [[nodiscard]] SchemaStore& store() { return *store_; }
  /// Moves the store out. No other member function may be called afterwards.
  [[nodiscard]] std::unique_ptr<SchemaStore> take_store() { return std::move(store_); }
  [[nodiscard]] SchemaId schema() const { return schema_; }
  /// The set of schema().
  [[nodiscard]] SetId root() const { return root_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }
  /// Returns true if some value can stand between the tags. Precondition: `argument` has an end.
  [[nodiscard]] bool has_argument();
  /// Returns the strings that can stand between the tags, without the end. Precondition: likewise.
  [[nodiscard]] regex::ExprId argument_strings();

 private:
  enum class Kind : std::uint32_t {
    kValue,
    kArray,
    kItem,
    kItems,
    kNext,
    kDeferredItems,
    kDeferredNext,
    kObject,
    kMember,
    kMembers,
    kNextMember,
    kAfterKey,
    kListed,      // from this position of a MemberSequence on, a member comes
    kListedRest,  // the text after a member of a MemberSequence, which goes on at this position
    kArgument,    // only for the root
    kDeeper,      // YAML: the first line of a block, at this column or deeper
  };
  struct Rule {
    Kind kind;
    std::uint32_t id;  // SetId or FormulaId
    std::uint32_t depth;
    std::uint32_t key;  // kAfterKey: Key::index. kMember: the formula to continue with after the key; 0 means `id`.
                        // kListed, kListedRest: the position. kDeeper: see deeper_kind().
  };
  // Keys that may come next and lead to the same rule.
  struct Key {
    static constexpr std::uint32_t kShownNames = 4;
    regex::ExprId texts = regex::ExprId::kNothing;  // with the colon
    std::uint32_t index = 0;                        // index of one of their classes in Derivation::key_classes()
    std::uint32_t named = 0;                        // number of listed names,
    std::array<NameId, kShownNames> shown = {};     // and the first of them
    bool has_others = false;                        // there are unlisted keys
  };

  void begin();
  std::uint32_t handle(Kind kind, std::uint32_t id, std::uint32_t depth, std::uint32_t key = 0);
  [[nodiscard]] Rule rule(std::uint32_t handle) const;
  std::optional<regex::ExprId> constants_of(FormulaId f, std::uint32_t depth, const grammar::GrowingCfg& out);
  void make_value(SetId set, std::uint32_t depth, grammar::GrowingCfg& out);
  void make_argument(grammar::GrowingCfg& out);
  base::CutText argument_text(std::size_t most);
  regex::ExprId argument_scalars(std::string& name);
  regex::ExprId on_lines(regex::ExprId strings, regex::ExprId others);
  void make_item(FormulaId f, std::uint32_t depth, grammar::GrowingCfg& out);
  void make_rest(const Rule& rule, grammar::GrowingCfg& out);

  // Arrays.
  struct Item {
    SetId value = SetId::kNone;
    FormulaId rest = FormulaId::kFalse;
    bool is_open = false;  // `rest` still has all kMinContains; rest_after_item() applies the value to them
  };
  const std::vector<Item>& items_of(FormulaId f);
  void add_item(const Choice& choice, std::vector<Item>& out);
  SetId fitting_values(SetId values, FormulaId rest);
  bool are_disjoint(const std::vector<SetId>& sets);
  bool defer_contains(FormulaId f, std::vector<Item>& out);
  FormulaId rest_after_item(FormulaId open, SetId value);
  FormulaId rest_after_unknown_item(FormulaId open);

  // Objects.
  KeyProbe& probe_of(FormulaId f);
  const std::vector<Key>& keys_of(FormulaId f, std::uint32_t form);
  Key key_of(const std::vector<KeyClass>& classes, const std::vector<std::uint32_t>& group, std::uint32_t form);
  regex::ExprId with_colon(regex::ExprId keys, std::uint32_t form);
  regex::ExprId name_with_colon(NameId name, std::uint32_t form);
  [[nodiscard]] std::string name_of(const Key& key) const;
  std::vector<Choice> choices_after_key(FormulaId f, std::uint32_t key);
  void make_member(const Rule& rule, grammar::GrowingCfg& out);
  void make_after_key(const Rule& rule, grammar::GrowingCfg& out);
  MemberSequence* sequence_of(const Rule& rule);
  void make_listed(const Rule& rule, grammar::GrowingCfg& out);
  // What may come after an item or member.
  struct Rest {
    std::optional<Rule> listed = std::nullopt;
    bool may_end = false;
    std::optional<Rule> next = std::nullopt;
  };
  Rest rest_of(const Rule& rule);
  void make_close(const Rule& rule, bool is_first, char bracket, grammar::GrowingCfg& out);
  void make_next(const Rule& rule, bool is_first, grammar::Symbol next, grammar::GrowingCfg& out);
  std::vector<std::uint32_t> classes_in(FormulaId all, FormulaId f);
  bool depends_on_used_keys(FormulaId f);
  std::uint32_t settle_member(const Rule& rule, std::vector<NameId> used);
  std::vector<NameId> used_up(FormulaId f, const std::vector<NameId>& used);

  // YAML (yaml_rules.cc).
  regex::ExprId yaml_scalars(const Shape& shape, std::uint32_t depth, std::string& name);
  regex::ExprId yaml_keys(regex::ExprId keys, std::uint32_t form);
  YamlStrings& yaml_strings();
  void make_block(const Rule& container, grammar::GrowingCfg& out);
  void make_pair(const Rule& object, grammar::GrowingCfg& out);
  void make_deeper(const Rule& rule, grammar::GrowingCfg& out);
  [[nodiscard]] static Kind deeper_kind(const Rule& rule);
  [[nodiscard]] Layout::Piece beginning_of_line(const Rule& rule) const;
  void make_line(const Rule& rule, std::optional<grammar::Symbol> key, SetId value, const Rule& rest,
                 grammar::GrowingCfg& out);

  // The members that every object of a formula has, with their texts, for short texts after each of its keys.
  struct RequiredMembers {
    FormulaId formula = FormulaId::kFalse;
    std::uint32_t depth = 0;
    bool is_plain = false;  // the formula is about nothing else but the values of members; otherwise the rest is empty
    Witness::ObjectAtoms atoms = {};
    std::vector<std::pair<NameId, base::CutText>> members = {};  // with a comma before each
    std::uint64_t length = 0;                                    // of all
  };
  const RequiredMembers& required_members(FormulaId f, std::uint32_t depth);
  std::optional<base::CutText> text_beside_required(const Rule& rule);
  base::CutText text_after_key(const Rule& rule, std::size_t most);
  base::CutText make_short_text(std::uint32_t handle, std::size_t most);
  template <typename MakeName>
  grammar::Symbol terminal(regex::ExprId texts, grammar::GrowingCfg& out, const MakeName& make_name);
  grammar::Symbol terminal(const Layout::Piece& piece, grammar::GrowingCfg& out, std::string_view name);
  grammar::Symbol lazy(Kind kind, std::uint32_t id, std::uint32_t depth, grammar::GrowingCfg& out,
                       std::uint32_t key = 0);

  std::unique_ptr<SchemaStore> store_;
  SchemaId schema_;
  const JsonSchemaOptions& options_;
  Placement placement_;
  Argument argument_;
  Layout layout_;
  regex::ExprSet& exprs_;
  Algebra algebra_;
  Witness witness_;
  SchemaMeaning meaning_;
  SetId root_ = SetId::kNone;
  base::WordInterner rules_;              // by handle: kind, id, depth, key
  std::vector<std::uint32_t> made_from_;  // by handle: the rule in whose productions it first occurred
  std::uint32_t current_ = kRoot;         // the rule that is being made or settled
  std::unordered_map<std::uint32_t, std::vector<Item>> items_;
  std::unordered_map<std::uint64_t, std::vector<Key>> keys_;  // by formula and form: 1 in blocks of YAML
  std::size_t key_count_ = 0;
  std::array<std::vector<regex::ExprId>, 2> names_with_colon_;  // by form and name; kOverflow: not made yet
  std::optional<KeyProbe> probe_;                               // the last result of probe_of()
  RequiredMembers required_;                                    // the last result of required_members()
  KeyReader key_reader_;
  YamlReader yaml_reader_;
  std::optional<YamlStrings> yaml_strings_;
  ConstantTexts constant_texts_;
  std::unordered_map<std::uint64_t, std::optional<MemberSequence>> sequences_;  // by formula and depth
  std::size_t sequence_members_ = 0;                                            // of all sequences_
  std::unordered_map<std::uint32_t, base::CutText> short_texts_;                // by handle; of grammar::kKeptTextBytes
  std::size_t short_text_bytes_ = 0;
  std::size_t item_count_ = 0;  // of all items_
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_SCHEMA_RULES_H_
