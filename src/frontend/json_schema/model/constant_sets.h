// ConstantSets: sets of constant arrays, or of constant objects, that share all but what they differ by.
//
// WHY    After n items that must differ, the next one may be none of n constants, and each item makes another set. As
//        lists these sets, and their derivatives by a value, take time and memory as the square of n.
// HOW    A set is a radix tree by ConstantId whose nodes are hash-consed, so a set with one more member has some log n new
//        nodes. A set that was made of another one and a member remembers these two; what is asked of it is made of
//        what is known of the other set.
// COST   with(): O(log n). after(): the same, if it is known of the set that this one was made of; else it is found for all
//        sets that lead to it, or for all members.
// THREADS Same as Algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_CONSTANT_SETS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_CONSTANT_SETS_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/interner.h"

namespace weir::frontend::json_schema {

class Algebra;
enum class SetId : std::uint32_t { kNone = 0, kAny = 1 };
enum class NameId : std::uint32_t {};
enum class ConstantId : std::uint32_t {};
enum class ConstantSetId : std::uint32_t { kEmpty = 0 };

/// Maps from numbers to numbers that are not 0, as hash-consed radix trees: equal maps have equal ids. 0: no entries.
class NumberMaps {
 public:
  using Entry = std::pair<std::uint32_t, std::uint32_t>;
  NumberMaps() { nodes_.intern({}); }
  /// Returns 0 if the map does not have the key.
  [[nodiscard]] std::uint32_t get(std::uint32_t map, std::uint32_t key) const;
  /// Returns the map with another value for the key; without the key if the value is 0.
  std::uint32_t with(std::uint32_t map, std::uint32_t key, std::uint32_t value);
  /// Returns the map of these entries, which are ascending and have different keys.
  std::uint32_t of(std::span<const Entry> entries);
  /// Returns the entries, ascending.
  [[nodiscard]] std::vector<Entry> entries(std::uint32_t map) const;
  [[nodiscard]] std::size_t memory_bytes() const { return nodes_.memory_bytes(); }

 private:
  static constexpr std::uint32_t kBits = 4;
  static constexpr std::uint32_t kWays = 1U << kBits;
  static std::uint32_t height_of(std::uint32_t key);
  std::uint32_t put(std::uint32_t node, std::uint32_t height, std::uint32_t key, std::uint32_t value);
  std::uint32_t build(std::span<const Entry> entries, std::uint32_t height);
  std::uint32_t intern(std::uint32_t height, const std::uint32_t (&children)[kWays]);

  // A node: its height above the leaves, a bit for each of its children, the children; those of a leaf are the values.
  base::WordInterner nodes_;
};

class ConstantSets {
 public:
  /// The algebra must outlive this.
  explicit ConstantSets(Algebra& algebra);
  /// Takes over the sets of `before`, whose constants the algebra has taken over.
  void take_over(ConstantSets& before);

  ConstantSetId with(ConstantSetId set, ConstantId constant);
  /// Returns the set of these constants, which are ascending and different.
  ConstantSetId of(std::span<const ConstantId> constants);
  ConstantSetId join(ConstantSetId a, ConstantSetId b);

  /// Returns the members, ascending.
  [[nodiscard]] std::vector<ConstantId> members(ConstantSetId set) const;
  [[nodiscard]] bool contains(ConstantSetId set, ConstantId constant) const;
  /// These are of O(1). Precondition of is_of_objects(): the set is not empty.
  [[nodiscard]] std::uint32_t size(ConstantSetId set) const { return known(set).size; }
  [[nodiscard]] bool is_of_objects(ConstantSetId set) const { return known(set).is_of_objects; }
  /// Returns the most parts that a member has.
  [[nodiscard]] std::uint32_t longest(ConstantSetId set) const { return known(set).longest; }
  /// Returns the numbers of the names (NameId) in the members, ascending. The span is invalid after the next new set.
  [[nodiscard]] std::span<const std::uint32_t> names(ConstantSetId set) const { return names_[known(set).names]; }

  /// What is left of the members after one part: of objects the member of a name, of arrays the item of an index.
  struct After {
    SetId others = SetId::kAny;        ///< The values that no member has there.
    std::uint32_t values_of_rest = 0;  ///< By the set of the members' rests (ConstantSetId), the values that have it.
    std::uint32_t rest_of_value = 0;   ///< By the value's set (SetId), the rests of the members that have it.
  };
  After after(ConstantSetId set, NameId name) { return after_part(set, static_cast<std::uint32_t>(name)); }
  After after(ConstantSetId set, std::size_t index) { return after_part(set, static_cast<std::uint32_t>(index)); }
  [[nodiscard]] const NumberMaps& maps() const { return maps_; }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Part {
    std::uint32_t of;  // a name, or an index of items
    After after;
  };
  struct Known {
    ConstantSetId made_of = ConstantSetId::kEmpty;  // with `added`; kEmpty also for a set of a list
    ConstantId added{};
    std::uint32_t size = 0;
    std::uint32_t longest = 0;
    std::uint32_t names = 0;  // in names_
    bool is_of_objects = false;
    bool is_of_list = false;
    std::vector<Part> parts = {};  // that were asked for, mostly one or two
  };
  [[nodiscard]] const Known& known(ConstantSetId set) const {
    return known_[number_of_[static_cast<std::size_t>(set)]];
  }
  ConstantSetId add(std::uint32_t map, Known known, std::span<const ConstantId> added);
  [[nodiscard]] SetId value_at(ConstantId constant, std::uint32_t part) const;
  After after_part(ConstantSetId set, std::uint32_t part);
  void extend(After& after, std::span<const ConstantId> constants, std::uint32_t part);

  Algebra& algebra_;
  NumberMaps maps_;
  std::vector<Known> known_;
  std::vector<std::uint32_t> number_of_;  // by ConstantSetId, in known_; 0: not a set of constants, or the empty one
  base::WordInterner names_;
  std::size_t part_count_ = 0;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_CONSTANT_SETS_H_
