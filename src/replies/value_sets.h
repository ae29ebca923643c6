// ValueSets: which values the arguments of a tool may have, by the sets of values of which the tool's tag is made as well.
//
// WHAT   A style may write `12` both for a number and for a string. What it is, only the schema can say, and all of its
//        keywords do: `not`, `if`, bounds, and what the members before it are. So the sets of the schema's values are
//        asked (json_schema/rules/schema_view.h), from which the tag gets its rules.
// LIMITS An answer that would take more than Limits::call_work steps, and one about a longer text than kMaxCheckedText, is
//        that everything is allowed. So it is for a schema that cannot be read.
// COST   The schema is read at the first question.
#ifndef WEIR_SRC_REPLIES_VALUE_SETS_H_
#define WEIR_SRC_REPLIES_VALUE_SETS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/json_value.h"
#include "frontend/json_schema/model/algebra.h"

namespace weir::replies {

/// A set of JSON types: a bit for each base::JsonType.
using Types = std::uint8_t;
constexpr Types type_bit(base::JsonType type) { return static_cast<Types>(1U << static_cast<unsigned>(type)); }
inline constexpr Types kAnyType = 0x3F;
inline constexpr Types kStringType = type_bit(base::JsonType::kString);

class ValueSets {
 public:
  using SetId = frontend::json_schema::SetId;
  using FormulaId = frontend::json_schema::FormulaId;

  /// The schema's text must outlive this.
  explicit ValueSets(std::string_view schema);
  ~ValueSets();
  ValueSets(const ValueSets&) = delete;
  ValueSets& operator=(const ValueSets&) = delete;

  /// Returns the set of the whole schema.
  SetId root();
  /// Returns the types that some value of the set has.
  Types types(SetId set);
  /// Returns false if the value with this JSON text is not in the set.
  bool allows(SetId set, std::string_view json);
  bool allows_all_strings(SetId set);
  /// Returns true if what was found out takes so much memory that new sets should take its place.
  [[nodiscard]] bool is_large() const;

 private:
  friend class Rest;
  struct View;
  View* view();

  std::string_view schema_;
  std::unique_ptr<View> view_;
  bool is_read_ = false;
};

/// What may follow in an object, or in a list, of which some members or items have been read.
class Rest {
 public:
  using SetId = ValueSets::SetId;
  enum class Of : std::uint8_t { kObject, kList };
  Rest() = default;
  /// The rest of an object, or list, of a set of `sets`, which must outlive this: without a set, that of the whole schema.
  /// Null: everything is allowed.
  Rest(ValueSets* sets, Of of, std::optional<SetId> set = std::nullopt) : sets_(sets), set_(set), of_(of) {}

  /// Returns the values that may come next; of a member, those of this key.
  SetId next(std::string_view key);
  /// Returns false if no member with this key, or no item, may come next.
  bool allows(std::string_view key);
  /// Notes the JSON text of a member or item that has been read.
  void take(std::string_view key, std::string_view json);
  /// Returns null if everything is allowed.
  [[nodiscard]] ValueSets* sets() const { return sets_; }

 private:
  bool begin();
  bool read_taken();
  void follow(std::string_view key, std::string_view json);

  ValueSets* sets_ = nullptr;
  std::optional<SetId> set_ = std::nullopt;
  Of of_ = Of::kObject;
  bool has_begun_ = false;
  std::size_t count_ = 0;  // of what has been read
  ValueSets::FormulaId left_ = ValueSets::FormulaId::kTrue;
  std::vector<std::pair<std::string, std::string>> taken_ = {};  // that no question needed yet
};

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_VALUE_SETS_H_
