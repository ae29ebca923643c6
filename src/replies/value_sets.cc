#include "replies/value_sets.h"

#include <algorithm>
#include <optional>

#include "base/work.h"
#include "frontend/json_schema/rules/schema_view.h"
#include "replies/search_bounds.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::replies {

using base::JsonType;
using frontend::json_schema::Algebra;
using frontend::json_schema::Choice;
using frontend::json_schema::FormulaId;
using frontend::json_schema::KeyClass;
using frontend::json_schema::NameId;
using frontend::json_schema::SchemaView;
using frontend::json_schema::SetId;
using frontend::json_schema::Shape;
using frontend::json_schema::Witness;

struct ValueSets::View {
  explicit View(const Limits& limits) : exprs(limits.regex_nodes) {}
  regex::ExprSet exprs;
  JsonSchemaOptions options = {};
  std::unique_ptr<SchemaView> schema = nullptr;
};

namespace {

// The steps of a question: those of a call, and of the algebra by itself.
class Question {
 public:
  explicit Question(SchemaView& view) : algebra_(view.algebra()) { algebra_.reset_steps(); }
  // Returns true if what was found is certain.
  [[nodiscard]] bool is_answered() const { return algebra_.limit_hit() == base::Limit::kNone; }

 private:
  base::Work::Call call_{Limits{}.call_work};
  Algebra& algebra_;
};

bool contains(SchemaView& view, SetId set, std::string_view json) {
  const Result<base::JsonDocument> document = base::JsonDocument::parse(json, Limits{});
  if (!document || document->lone_surrogate() || !document->duplicate_keys().empty()) return true;
  Algebra& algebra = view.algebra();
  if (document->root().is(JsonType::kString)) {
    return algebra.exprs().matches(algebra.shape(set).strings, document->root().string());
  }
  return view.witness().has_member(algebra.meet(set, algebra.constant(document->root())));
}

// Returns what the next member, or item, may be, and what may follow it.
std::vector<Choice> choices_of(SchemaView& view, FormulaId f, Rest::Of of, std::string_view key) {
  Witness& witness = view.witness();
  std::vector<Choice> choices;
  if (of == Rest::Of::kList) {
    choices = witness.derivation().next_item(f);
    std::erase_if(choices,
                  [&](const Choice& one) { return !witness.has_member(one.value) || !witness.array_exists(one.rest); });
    return choices;
  }
  const NameId name = view.algebra().name(key);
  const FormulaId with_key = view.algebra().meet(f, view.algebra().has(name));
  const auto classes = witness.derivation().key_classes(with_key);
  const auto own = std::ranges::find(*classes, std::optional(name), &KeyClass::name);
  if (own == classes->end()) return {};
  choices = witness.derivation().next_member(with_key, *own);
  std::erase_if(choices,
                [&](const Choice& one) { return !witness.has_member(one.value) || !witness.object_exists(one.rest); });
  return choices;
}

}  // namespace

ValueSets::ValueSets(std::string_view schema) : schema_(schema) {}
ValueSets::~ValueSets() = default;

ValueSets::View* ValueSets::view() {
  if (is_read_) return view_.get();
  is_read_ = true;
  const Limits limits;
  const base::Work::Call call(limits.call_work);
  auto made = std::make_unique<View>(limits);
  made->options.order = JsonSchemaOptions::Order::kAny;
  auto schema = SchemaView::make(schema_, made->options, made->exprs, limits);
  if (!schema) return nullptr;
  made->schema = std::move(*schema);
  view_ = std::move(made);
  return view_.get();
}

bool ValueSets::is_large() const { return view_ != nullptr && view_->exprs.node_count() > kMaxViewNodes; }

SetId ValueSets::root() {
  View* const known = view();
  return known == nullptr ? SetId::kAny : known->schema->root();
}

Types ValueSets::types(SetId set) {
  if (set == SetId::kAny) return kAnyType;
  SchemaView& of = *view_->schema;
  const Question question(of);
  Witness& witness = of.witness();
  const Shape shape = of.algebra().shape(set);
  Types types = 0;
  const auto add = [&](JsonType type, bool has_values) {
    if (has_values) types |= type_bit(type);
  };
  add(JsonType::kNull, (shape.literals & Shape::kNull) != 0);
  add(JsonType::kBoolean, (shape.literals & (Shape::kTrue | Shape::kFalse)) != 0);
  add(JsonType::kNumber, of.algebra().has_number(shape.numbers));
  add(JsonType::kString, of.algebra().has_text(shape.strings));
  add(JsonType::kArray, witness.array_exists(shape.arrays));
  add(JsonType::kObject, witness.object_exists(shape.objects));
  return question.is_answered() ? types : kAnyType;
}

bool ValueSets::allows(SetId set, std::string_view json) {
  if (set == SetId::kAny || json.size() > kMaxCheckedText) return true;
  const Question question(*view_->schema);
  return contains(*view_->schema, set, json) || !question.is_answered();
}

bool ValueSets::allows_all_strings(SetId set) {
  if (set == SetId::kAny) return true;
  Algebra& algebra = view_->schema->algebra();
  const Question question(*view_->schema);
  return algebra.shape(set).strings == algebra.any_shape().strings || !question.is_answered();
}

// Returns false if everything is allowed.
bool Rest::begin() {
  if (has_begun_) return left_ != FormulaId::kTrue;
  has_begun_ = true;
  if (sets_ == nullptr || sets_->view() == nullptr) return false;
  SchemaView& view = *sets_->view()->schema;
  const Question question(view);
  const Shape& shape = view.algebra().shape(set_ ? *set_ : sets_->root());
  left_ = of_ == Of::kObject ? shape.objects : shape.arrays;
  if (!question.is_answered() || left_ == FormulaId::kFalse) left_ = FormulaId::kTrue;
  return left_ != FormulaId::kTrue;
}

// Goes on after a member or item.
void Rest::follow(std::string_view key, std::string_view json) {
  if (left_ == FormulaId::kTrue) return;
  SchemaView& view = *sets_->view()->schema;
  const Question question(view);
  std::vector<FormulaId> left;
  for (const Choice& one : choices_of(view, left_, of_, key)) {
    if (json.empty() || contains(view, one.value, json)) left.push_back(one.rest);
  }
  // After a value that is not allowed nothing is known.
  left_ = left.empty() ? FormulaId::kTrue : view.algebra().join(std::move(left));
  if (!question.is_answered()) left_ = FormulaId::kTrue;
}

// Follows what was noted. Returns false if everything is allowed.
bool Rest::read_taken() {
  if (!begin()) return false;
  for (const auto& [before, json] : std::exchange(taken_, {})) follow(before, json);
  return left_ != FormulaId::kTrue;
}

bool Rest::allows(std::string_view key) {
  if (!read_taken()) return true;
  SchemaView& view = *sets_->view()->schema;
  const Question question(view);
  return !choices_of(view, left_, of_, key).empty() || !question.is_answered();
}

SetId Rest::next(std::string_view key) {
  if (!read_taken()) return SetId::kAny;
  SchemaView& view = *sets_->view()->schema;
  const Question question(view);
  std::vector<SetId> values;
  for (const Choice& one : choices_of(view, left_, of_, key)) values.push_back(one.value);
  const SetId all = values.empty() ? SetId::kAny : view.algebra().join(std::move(values));
  return question.is_answered() ? all : SetId::kAny;
}

void Rest::take(std::string_view key, std::string_view json) {
  if (sets_ == nullptr) return;
  if (++count_ > kMaxChecked) {
    *this = {};
    return;
  }
  taken_.emplace_back(key, json.size() > kMaxCheckedText ? std::string_view() : json);
}

}  // namespace weir::replies
