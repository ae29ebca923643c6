// ConstantSets: sets of constant arrays, or of constant objects, that share all but what they differ by.
//
// WHY    After n items that must differ, the next one may be none of n constants, and each item makes another set. As
//        lists these sets, and their derivatives by a value, take time and memory as the square of n.
// HOW    A set is a radix tree by ConstantId whose nodes are hash-consed, so a set with one more member has some log n new
//        nodes. A set that was made of another one and a member remembers these two; what is asked of it is made of
//        what is known of the other set.
// COST   with(): O(log n). after(), others_at(): the same, if they are known of the set that this one was made of; else
//        they are found for all sets that lead to it, or for all members.
// THREADS Same as Algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_CONSTANT_SETS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_CONSTANT_SETS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
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
  explicit ConstantSets(Algebra& algebra) : algebra_(algebra) {}

  ConstantSetId with(ConstantSetId set, ConstantId constant);
  /// Returns the set of these constants, which are ascending and different.
  ConstantSetId of(std::span<const ConstantId> constants);
  ConstantSetId join(ConstantSetId a, ConstantSetId b);

  /// Returns the members, ascending.
  [[nodiscard]] std::vector<ConstantId> members(ConstantSetId set) const;
  [[nodiscard]] bool contains(ConstantSetId set, ConstantId constant) const;
  /// These are of O(1). Precondition of is_of_objects(): the set is not empty.
  [[nodiscard]] std::uint32_t size(ConstantSetId set) const { return known_.at(set).size; }
  [[nodiscard]] bool is_of_objects(ConstantSetId set) const { return known_.at(set).is_of_objects; }
  /// Returns the most parts that a member has.
  [[nodiscard]] std::uint32_t longest(ConstantSetId set) const { return known_.at(set).longest; }
  /// Returns the names in the members, ascending.
  [[nodiscard]] const std::vector<NameId>& names(ConstantSetId set) const { return *known_.at(set).names; }

  /// What is left of the members after one part: of objects the member of a name, of arrays the first item.
  struct After {
    SetId others;                      ///< The values that no member has there.
    std::uint32_t values_of_rest = 0;  ///< By the set of the members' rests (ConstantSetId), the values that have it.
    std::uint32_t rest_of_value = 0;   ///< By the value's set (SetId), the rests of the members that have it.
  };
  After after(ConstantSetId set, NameId name);
  After after_first(ConstantSetId set);
  /// Returns the values that no member has at a name, or at an index of its items.
  SetId others_at(ConstantSetId set, NameId name);
  SetId others_at(ConstantSetId set, std::uint32_t index);
  [[nodiscard]] const NumberMaps& maps() const { return maps_; }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Known {
    ConstantSetId made_of = ConstantSetId::kEmpty;  // with `added`; kEmpty also for a set of a list
    ConstantId added{};
    std::uint32_t size = 0;
    std::uint32_t longest = 0;
    bool is_of_objects = false;
    bool is_of_list = false;
    std::shared_ptr<const std::vector<NameId>> names = std::make_shared<const std::vector<NameId>>();
  };
  /// A name, or an index of items.
  struct Part {
    ConstantSetId set;
    std::uint32_t of;
    friend bool operator==(const Part&, const Part&) = default;
  };
  struct PartHash {
    std::size_t operator()(const Part& part) const {
      return base::hash_mix(0, (static_cast<std::uint64_t>(part.set) << 32U) | part.of);
    }
  };
  template <typename Result, typename Add>
  Result extend(std::unordered_map<Part, Result, PartHash>& memo, Part part, Result none, const Add& add);
  [[nodiscard]] SetId value_at(ConstantId constant, std::uint32_t part) const;
  After after_part(ConstantSetId set, std::uint32_t part);
  void add(After& after, std::span<const ConstantId> constants, std::uint32_t part);

  Algebra& algebra_;
  NumberMaps maps_;
  std::unordered_map<ConstantSetId, Known> known_{{ConstantSetId::kEmpty, {}}};
  std::unordered_map<Part, After, PartHash> after_;
  std::unordered_map<Part, SetId, PartHash> others_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_CONSTANT_SETS_H_
