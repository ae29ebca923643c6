// SchemaRules: the rules of a schema's grammar, made as a parser predicts them. The last of the front end's steps.
//
// WHAT   A rule is a set of values, or a place in an array or object with the formula that what follows must satisfy:
//          value(S)        ::= scalars | "[" array(f) | "{" object(g)
//          array(f)        ::= "]" | item(f)             object(g)    ::= "}" | member(g)
//          item(f)         ::= value(S) items(f')        member(g)    ::= key ":" behind_key(g, key)
//          items(f)        ::= "]" | "," item(f)         members(g)   ::= "}" | "," member(g)
//                                                        behind_key(g, key) ::= value(S) members(g')
//        where (S, f') are the choices for the next item (derivation.h), and likewise for members. All scalars of a set
//        are one terminal; so are all keys that lead to the same, which in an object that may have any other member,
//        too, is most of them.
// WHY    Only what can be finished is offered (witness.h), so there are no dead ends.
// ITEMS  Where items must differ, the item behind a comma is a rule that follows the text (grammar/growth.h): the value
//        before the comma is added to those that it must differ from, so no value is offered that has been there.
//        So it is where several of many `contains` may hold for an item: which of them do is asked of the text behind
//        it, so there is no rule for each combination.
// KEYS   Names without number may come again as far as the rules know; a text's guard (key_guard.h) refuses them. A
//        listed name is crossed out when it has been used, so that the rules know what is left, unless one of those
//        without number begins with it. Where other text stands around the schema's a guard would not know where to
//        begin: then the member behind a comma follows the text, as items do, and lacks the keys of its object so far.
//        So it does where all names that begin in some way can have been used, `^[a-z]{2}$`: a guard, which refuses a
//        key's last quote, would let the beginning come; it lacks those keys that no other goes on behind.
// ARGUMENTS  Between tags strings stand without quotes: a rule of the root's own, which takes in the end of the tag, so
//        that it is not nullable (schema_rules.cc).
// COST   A rule costs the keys of its formula, or the parts of it; what a key leaves is looked at behind the key, not
//        for all keys in advance (key_probe.h). Rules that are not met are not made.
// LIMITS schema_steps a rule; regex_nodes, regex_fuel, nesting.
// THREADS As RuleMaker.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_SCHEMA_RULES_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_SCHEMA_RULES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/limit.h"
#include "base/word_interner.h"
#include "frontend/json_schema/model/algebra.h"
#include "frontend/json_schema/model/key_probe.h"
#include "frontend/json_schema/model/schema_meaning.h"
#include "frontend/json_schema/model/witness.h"
#include "frontend/json_schema/rules/layout.h"
#include "frontend/json_schema/rules/placement.h"
#include "frontend/json_schema/source/schema_store.h"
#include "grammar/growth.h"

namespace weir::frontend::json_schema {

NumberSpelling number_spelling(const JsonSchemaOptions& options);
regex::JsonStringOptions string_spelling(const JsonSchemaOptions& options);

/// A schema and all that is found out about it while a grammar grows.
class SchemaRules : public grammar::RuleMaker {
 public:
  /// The handle of the rule for all of the schema.
  static constexpr std::uint32_t kRoot = 0;

  /// `store` has loaded the schema, `root`; check_schemas() has found nothing wrong with it. `options` and `exprs`
  /// outlive this.
  SchemaRules(std::unique_ptr<SchemaStore> store, SchemaId root, const JsonSchemaOptions& options, Layout layout,
              Placement placement, Argument argument, regex::ExprSet& exprs, const Limits& limits);

  base::Limit make(std::uint32_t handle, grammar::GrowingCfg& out) override;
  std::string short_text(std::uint32_t handle) override;
  [[nodiscard]] std::size_t memory_bytes() const override;
  bool follows_text(std::uint32_t handle) override;
  std::string_view deciding_text(std::string_view text) override;
  std::uint32_t settle(std::uint32_t handle, std::string_view deciding_text) override;

  [[nodiscard]] Algebra& algebra() { return algebra_; }
  [[nodiscard]] Witness& witness() { return witness_; }
  [[nodiscard]] SchemaStore& store() { return *store_; }
  /// Leaves rules of which nothing is to be asked any more.
  [[nodiscard]] std::unique_ptr<SchemaStore> take_store() { return std::move(store_); }
  [[nodiscard]] SchemaId schema() const { return schema_; }
  /// Its set.
  [[nodiscard]] SetId root() const { return root_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }
  /// Whether some value can stand between the tags. Precondition: `argument` has an end.
  [[nodiscard]] bool has_argument();
  /// The strings that can, without the end. Precondition: likewise.
  [[nodiscard]] regex::ExprId argument_strings();

 private:
  enum class Kind : std::uint32_t {
    kValue,
    kArray,
    kItem,
    kItems,
    kNext,
    kOpenItems,
    kOpenNext,
    kObject,
    kMember,
    kMembers,
    kNextMember,
    kBehindKey,
    kArgument,  // of the root alone
  };
  struct Rule {
    Kind kind;
    std::uint32_t id;  // SetId or FormulaId
    std::uint32_t depth;
    std::uint32_t
        key;  // of kBehindKey: Key::index; of kMember: the formula that goes on behind the key, or 0: this one
  };
  // Keys that may come next, and lead to the same.
  struct Key {
    regex::ExprId texts = regex::ExprId::kNothing;
    std::string name;
    std::uint32_t index = 0;  // of one of them among the formula's classes
  };

  void begin();
  std::uint32_t handle(Kind kind, std::uint32_t id, std::uint32_t depth, std::uint32_t key = 0);
  [[nodiscard]] Rule rule(std::uint32_t handle) const;
  void make_value(SetId set, std::uint32_t depth, grammar::GrowingCfg& out);
  void make_argument(grammar::GrowingCfg& out);
  std::string argument_text();
  regex::ExprId argument_scalars(std::string& name);
  void make_item(FormulaId f, std::uint32_t depth, grammar::GrowingCfg& out);
  void make_rest(const Rule& rule, grammar::GrowingCfg& out);
  regex::ExprId scalars(const Shape& shape, std::string& name);

  // schema_rules.cc
  struct Item {
    SetId value = SetId::kNone;
    FormulaId rest = FormulaId::kFalse;
    bool is_open = false;  // of the sets that items must be in, the value's are not taken off the rest yet
  };
  const std::vector<Item>& items_of(FormulaId f);
  void add_item(const Choice& choice, std::vector<Item>& out);
  SetId fitting_values(SetId values, FormulaId rest);
  bool leave_open(FormulaId f, std::vector<Item>& out);
  FormulaId behind_item(FormulaId open, SetId value);
  FormulaId behind_any_item(FormulaId open);

  // schema_rules.cc
  KeyProbe& probe_of(FormulaId f);
  const std::vector<Key>& keys_of(FormulaId f);
  Key key_of(const std::vector<KeyClass>& classes, const std::vector<std::uint32_t>& group);
  std::vector<Choice> choices_behind(FormulaId f, std::uint32_t key);
  void make_member(const Rule& rule, grammar::GrowingCfg& out);
  void make_behind_key(const Rule& rule, grammar::GrowingCfg& out);
  std::vector<std::uint32_t> classes_in(FormulaId all, FormulaId f);
  bool asks_for_used_keys(FormulaId f);
  std::uint32_t settle_member(const Rule& rule, std::vector<NameId> used);
  std::vector<NameId> used_up(FormulaId f, const std::vector<NameId>& used);

  std::string text_behind_key(const Rule& rule);
  std::string make_short_text(std::uint32_t handle);
  grammar::Symbol terminal(const Layout::Piece& piece, grammar::GrowingCfg& out, std::string_view name);
  grammar::Symbol lazy(Kind kind, std::uint32_t id, std::uint32_t depth, grammar::GrowingCfg& out,
                       std::uint32_t key = 0);

  std::unique_ptr<SchemaStore> store_;
  SchemaId schema_;
  const JsonSchemaOptions& options_;
  KeyProbe::Order order_;
  Placement placement_;
  Argument argument_;
  Layout layout_;
  regex::ExprSet& exprs_;
  Algebra algebra_;
  Witness witness_;
  SchemaMeaning meaning_;
  SetId root_ = SetId::kNone;
  base::WordInterner rules_;  // Kind, id, depth, key; by handle
  std::unordered_map<std::uint32_t, std::vector<Item>> items_;
  std::unordered_map<std::uint32_t, std::vector<Key>> keys_;
  std::size_t key_count_ = 0;
  std::optional<KeyProbe> probe_;                               // of probe_of
  std::string used_keys_;                                       // of deciding_text
  std::unordered_map<std::uint32_t, std::string> short_texts_;  // by handle
  std::size_t short_text_bytes_ = 0;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_SCHEMA_RULES_H_
