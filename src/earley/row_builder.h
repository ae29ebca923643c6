// RowBuilder: computes the predictions and continuations of a new row. Only RowTable uses it; row_table.h describes the
// method. One builder serves all rows of a table, so that its buffers are allocated once.
#ifndef WEIR_SRC_EARLEY_ROW_BUILDER_H_
#define WEIR_SRC_EARLEY_ROW_BUILDER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "base/recycling_vector.h"
#include "base/strong_components.h"
#include "earley/row_table.h"

namespace weir::earley {

class RowBuilder {
 public:
  explicit RowBuilder(RowTable& table) : table_(table), cfg_(table.cfg_) {}

  /// Fills in the row with this kernel (resolved, sorted, unique). Returns the limit that was exceeded, or kNone.
  base::Limit build(RowId row, std::span<const Entry> kernel);

  /// Computes the continuation that replaces `continuation` when a token begins, and those of all reachable from it.
  /// Precondition: `continuation` has fences.
  void begin_token(ContinuationId continuation);

  /// Returns the number of items of the last row, to which the size of the buffers is proportional.
  [[nodiscard]] std::size_t items() const { return items_; }

 private:
  // A local is a continuation under construction; it belongs to a rule that this row predicts. Entries refer to it as
  // kLocalBit | LocalId until it is interned and has a ContinuationId, its name.
  using LocalId = std::uint32_t;
  static constexpr std::uint32_t kLocalBit = 0x8000'0000U;

  // A bounded rule has two consecutive locals: kOutside has the entries that wait for it and are not fences; kFences
  // has the fences around them, which the productions of the rule resume. Other rules have one, kAll.
  enum class Kind : std::uint8_t { kAll, kOutside, kFences };
  struct Local {
    std::uint32_t rule = 0;
    std::vector<Entry> entries = {};  // entries that wait for the rule, resolved; close_links() makes them unique
    std::vector<LocalId> links = {};  // locals whose entries also belong to this one
    std::vector<ContinuationId> resumed = {};  // continuations whose entries also belong to this one
    ContinuationId name{};
    Kind kind = Kind::kAll;
    std::uint32_t tokens = 0;  // kFences: maximum number of tokens of each fence

    void recycle() {
      rule = tokens = 0;
      entries.clear();
      links.clear();
      resumed.clear();
      name = {};
      kind = Kind::kAll;
    }
  };
  struct Arc {
    grammar::Symbol symbol;
    Entry after;
    friend bool operator<(const Arc& a, const Arc& b) {
      return a.symbol != b.symbol ? a.symbol < b.symbol : a.after < b.after;
    }
    friend bool operator==(const Arc& a, const Arc& b) { return a.symbol == b.symbol && a.after == b.after; }
  };

  static bool is_local(ContinuationId c) { return (static_cast<std::uint32_t>(c) & kLocalBit) != 0; }
  static LocalId local(ContinuationId c) { return static_cast<std::uint32_t>(c) & ~kLocalBit; }

  enum class Frames : bool { kPutAside, kPredict };

  void clear();
  base::Limit add_productions(Frames frames);
  void note_outside_frames();
  LocalId predict(std::uint32_t rule);
  [[nodiscard]] LocalId resumed_by_productions(LocalId id) const {
    return locals_[id].kind == Kind::kOutside ? id + 1 : id;
  }
  void expect(Entry item);
  void wait(LocalId for_rule, Entry after);
  void resume(LocalId for_rule, const Entry& entry);
  bool resume_all();
  bool close_links();
  bool close_links_with_bounds();
  bool add_linked(LocalId to, LocalId from);
  [[nodiscard]] bool is_around_nothing(const Entry& fence) const;
  void drop_unfenced();
  void drop_lost();
  void name_components();
  const std::vector<Entry>& named_entries(const Local& member);
  void name_component(std::span<const LocalId> members);
  void note_included(std::span<const LocalId> members);
  void set_names(std::span<const LocalId> members, std::span<const std::uint32_t> names);
  [[nodiscard]] std::vector<std::uint32_t> merge_equal_members(std::span<const LocalId> members);
  bool reuse_older(std::span<const LocalId> members);
  void fill_row(RowId row, bool accepts);

  RowTable& table_;
  const grammar::Cfg& cfg_;
  static constexpr LocalId kNoLocal = UINT32_MAX;
  base::RecyclingVector<Local> locals_;
  std::vector<LocalId> local_of_rule_;  // by rule; kNoLocal if the row does not predict it
  std::vector<Arc> arcs_;
  std::vector<LocalId> to_predict_;
  std::vector<LocalId> frames_;  // predicted by items that are not within one of them
  std::vector<grammar::Symbol>
      outside_frames_;     // symbols that these items expect; sorted, empty if there are no frames
  std::size_t items_ = 0;  // counted against Limits::row_items
  // Scratch:
  base::StrongComponents components_;
  std::vector<bool> is_closed_;  // by LocalId, in close_links_with_bounds(): it has all its entries
  struct References {
    std::vector<LocalId> to = {};
    void recycle() { to.clear(); }
  };
  base::RecyclingVector<References> references_;  // of name_components()
  std::vector<Entry> entries_;                    // of named_entries() and close_links()
  std::vector<ContinuationId> resumed_;           // of close_links() and resume_all()
  std::vector<std::uint32_t> symbols_;            // of fill_row()
};

}  // namespace weir::earley

#endif  // WEIR_SRC_EARLEY_ROW_BUILDER_H_
