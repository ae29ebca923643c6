// byte_dfa: a regular expression's residuals, written out and made minimal.
//
// HOW    Expressions are states (regex/expr/expr.h). The reachable ones are numbered, with a column for each class of
//        bytes. Hopcroft's partition refinement then makes the automaton minimal, because different expressions may
//        denote one language.
// REFERENCES Hopcroft, An n log n algorithm for minimizing states in a finite automaton, 1971.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/work.h"
#include "regex/expr/expr.h"
#include "regex/syntax/syntax.h"
#include "token_languages/token_limits.h"
#include "weir/token_dfa.h"

namespace weir {

namespace {

// A complete automaton: state 0 is the sink, state 1 the start.
struct Table {
  std::uint32_t classes = 1;
  std::vector<std::uint32_t> next;  // [state * classes + class]
  std::vector<bool> accepts;
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(accepts.size()); }
};

Result<Table> explore(regex::ExprSet& exprs, regex::ExprId e, const regex::ByteClasses& classes, const Limits& limits) {
  using regex::ExprId;
  Table table{classes.count(), {}, {}};
  std::vector<ExprId> residuals;
  std::unordered_map<ExprId, std::uint32_t> numbers;
  const auto number = [&](ExprId residual) {
    const auto [it, is_new] = numbers.try_emplace(residual, static_cast<std::uint32_t>(residuals.size()));
    if (is_new) {
      residuals.push_back(residual);
      table.accepts.push_back(exprs.nullable(residual));
    }
    return it->second;
  };
  number(ExprId::kNothing);
  number(e);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    for (std::uint32_t cls = 0; cls < classes.count(); ++cls) {
      const ExprId to = exprs.derivative(residuals[i], classes.representative(static_cast<std::uint8_t>(cls)));
      if (to == ExprId::kOverflow) return tl::unexpected(regex::overflow_error(exprs, {}));
      table.next.push_back(number(to));
    }
    base::Work::charge(classes.count());
    if (base::Work::is_met()) return token_languages::work_error("the automaton of the expression");
    if (residuals.size() > limits.token_dfa_states)
      return token_languages::states_error("the automaton of the expression");
    if (table.next.size() > limits.token_dfa_transitions) {
      return token_languages::transitions_error("the automaton of the expression");
    }
  }
  return table;
}

// Partition refinement. Blocks are ranges of `order_`; the marked states of a block come first in it.
class Minimizer {
 public:
  explicit Minimizer(const Table& table) : table_(table) {}

  // [state]: the number of its block.
  std::vector<std::uint32_t> run() {
    list_sources();
    start_blocks();
    std::vector<std::uint32_t> states;
    while (!open_.empty()) {
      const auto [block, cls] = open_.back();
      open_.pop_back();
      is_open_[std::size_t{block} * table_.classes + cls] = false;
      states.assign(order_.begin() + begin_[block], order_.begin() + end_[block]);
      for (const std::uint32_t state : states) {
        const std::size_t slot = std::size_t{cls} * table_.size() + state;
        for (std::size_t i = source_begin_[slot]; i < source_begin_[slot + 1]; ++i) mark(sources_[i]);
      }
      split_marked();
    }
    return block_of_;
  }

 private:
  void list_sources() {
    const std::size_t slots = std::size_t{table_.classes} * table_.size();
    source_begin_.assign(slots + 1, 0);
    const auto for_each = [&](const auto& use) {
      for (std::uint32_t s = 0; s < table_.size(); ++s) {
        for (std::uint32_t cls = 0; cls < table_.classes; ++cls) {
          use(std::size_t{cls} * table_.size() + table_.next[std::size_t{s} * table_.classes + cls], s);
        }
      }
    };
    for_each([&](std::size_t slot, std::uint32_t) { ++source_begin_[slot + 1]; });
    for (std::size_t i = 1; i <= slots; ++i) source_begin_[i] += source_begin_[i - 1];
    sources_.resize(source_begin_.back());
    std::vector<std::uint32_t> at(source_begin_.begin(), source_begin_.end() - 1);
    for_each([&](std::size_t slot, std::uint32_t s) { sources_[at[slot]++] = s; });
  }

  void start_blocks() {
    order_.resize(table_.size());
    place_.resize(table_.size());
    block_of_.resize(table_.size());
    std::uint32_t count = 0;
    for (const bool accepts : {false, true}) {
      const std::uint32_t begin = count;
      for (std::uint32_t s = 0; s < table_.size(); ++s) {
        if (table_.accepts[s] == accepts) order_[count++] = s;
      }
      if (begin != count) add_block(begin, count);
    }
    for (std::uint32_t cls = 0; cls < table_.classes; ++cls) {
      for (std::uint32_t block = 0; block < begin_.size(); ++block) open(block, cls);
    }
  }
  std::uint32_t add_block(std::uint32_t begin, std::uint32_t end) {
    const auto block = static_cast<std::uint32_t>(begin_.size());
    begin_.push_back(begin);
    end_.push_back(end);
    marked_.push_back(0);
    is_open_.resize(is_open_.size() + table_.classes);
    for (std::uint32_t i = begin; i < end; ++i) {
      block_of_[order_[i]] = block;
      place_[order_[i]] = i;
    }
    return block;
  }
  void open(std::uint32_t block, std::uint32_t cls) {
    if (is_open_[std::size_t{block} * table_.classes + cls]) return;
    is_open_[std::size_t{block} * table_.classes + cls] = true;
    open_.emplace_back(block, cls);
  }

  void mark(std::uint32_t state) {
    const std::uint32_t block = block_of_[state];
    const std::uint32_t to = begin_[block] + marked_[block];
    if (place_[state] < to) return;  // marked before
    if (marked_[block]++ == 0) touched_.push_back(block);
    const std::uint32_t other = order_[to];
    std::swap(order_[to], order_[place_[state]]);
    place_[other] = place_[state];
    place_[state] = to;
  }
  void split_marked() {
    for (const std::uint32_t block : touched_) {
      const std::uint32_t middle = begin_[block] + marked_[block];
      marked_[block] = 0;
      if (middle == end_[block]) continue;
      // The smaller part becomes the new block. The larger one keeps the number, and is still open if the block was.
      const bool marked_is_smaller = middle - begin_[block] <= end_[block] - middle;
      const std::uint32_t from = marked_is_smaller ? begin_[block] : middle;
      const std::uint32_t to = marked_is_smaller ? middle : end_[block];
      (marked_is_smaller ? begin_[block] : end_[block]) = middle;
      const std::uint32_t made = add_block(from, to);
      for (std::uint32_t cls = 0; cls < table_.classes; ++cls) open(made, cls);
    }
    touched_.clear();
  }

  const Table& table_;
  std::vector<std::uint32_t> source_begin_, sources_;  // by class and state
  std::vector<std::uint32_t> order_, place_, block_of_;
  std::vector<std::uint32_t> begin_, end_, marked_;  // by block
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open_;
  std::vector<bool> is_open_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace

Result<ByteDfa> byte_dfa(std::string_view pattern, const Limits& limits) {
  const base::Work::Call call(token_languages::index_work(limits));
  regex::ExprSet exprs(limits.regex_nodes);
  const Result<regex::ExprId> e = regex::parse_regex(exprs, pattern, {}, limits);
  if (!e) return tl::unexpected(e.error());
  const auto no_text = [&] {
    return tl::unexpected(Error{ErrorCode::kUnsatisfiable, "no text matches the expression", {0, pattern.size()}});
  };
  if (*e == regex::ExprId::kNothing) return no_text();
  regex::ByteClasses classes;
  exprs.refine_classes(*e, classes);
  const Result<Table> table = explore(exprs, *e, classes, limits);
  if (!table) return tl::unexpected(table.error());
  const std::vector<std::uint32_t> block_of = Minimizer(*table).run();
  const std::uint32_t dead = block_of[0];
  if (block_of[1] == dead) return no_text();
  ByteDfa dfa;
  dfa.class_count = table->classes;
  for (unsigned byte = 0; byte < 256; ++byte) {
    dfa.class_of[byte] = classes.class_of(static_cast<std::uint8_t>(byte));
  }
  std::unordered_map<std::uint32_t, DfaState> number{{dead, DfaState::kNone}, {block_of[1], DfaState::kStart}};
  std::vector<std::uint32_t> firsts{1};  // by state, a residual of it
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    dfa.accepts.push_back(table->accepts[firsts[i]]);
    for (std::uint32_t cls = 0; cls < table->classes; ++cls) {
      const std::uint32_t to = table->next[std::size_t{firsts[i]} * table->classes + cls];
      const auto [it, is_new] = number.try_emplace(block_of[to], DfaState{static_cast<std::uint32_t>(firsts.size())});
      if (is_new) firsts.push_back(to);
      dfa.next.push_back(it->second);
    }
  }
  return dfa;
}

}  // namespace weir
