// Masks for trees of drafted tokens.
#include <algorithm>
#include <utility>

#include "engine/cursor.h"
#include "weir/bitmask.h"

namespace weir::engine {

namespace {

// The children of each node in ascending order; those of the root, the cursor's place, are at the number of nodes.
struct DraftTree {
  explicit DraftTree(std::span<const std::int32_t> parents)
      : none(parents.size()), first_child(parents.size() + 1, none), next_sibling(parents.size(), none) {
    for (std::size_t i = parents.size(); i-- > 0;) {
      const std::size_t parent = parents[i] < 0 ? none : static_cast<std::size_t>(parents[i]);
      next_sibling[i] = std::exchange(first_child[parent], i);
    }
  }
  std::size_t none;
  std::vector<std::size_t> first_child, next_sibling;
};

}  // namespace

Step Cursor::fill_draft_tree_bitmasks(std::span<const std::uint32_t> tokens, std::span<const std::int32_t> parents,
                                      std::span<std::uint32_t> bitmasks, std::span<Step> steps) {
  const std::size_t count = tokens.size();
  const std::size_t words = bitmask_words(compiled_->program().tokenizer.vocab_size());
  if (parents.size() != count || steps.size() != count || bitmasks.size() != count * words) return Step::kBadArgument;
  for (std::size_t i = 0; i < count; ++i) {
    if (parents[i] < -1 || parents[i] >= static_cast<std::int64_t>(i)) return Step::kBadArgument;
  }
  std::fill(steps.begin(), steps.end(), Step::kRefused);
  std::fill(bitmasks.begin(), bitmasks.end(), 0);
  const DraftTree tree(parents);
  std::vector<std::size_t> path;  // accepted nodes above the one at hand
  for (std::size_t i = tree.first_child[tree.none]; i != tree.none;) {
    steps[i] = accept_token(tokens[i]);
    if (steps[i] == Step::kOk) {
      const bool met_limit = fill_next_token_bitmask(bitmasks.subspan(i * words, words)) == Step::kLimitExceeded;
      if (met_limit) steps[i] = Step::kLimitExceeded;
      if (!met_limit && tree.first_child[i] != tree.none) {
        path.push_back(i);
        i = tree.first_child[i];
        continue;
      }
      (void)rollback(1);
    }
    for (; tree.next_sibling[i] == tree.none && !path.empty(); path.pop_back()) {
      i = path.back();
      (void)rollback(1);
    }
    i = tree.next_sibling[i];
  }
  return Step::kOk;
}

}  // namespace weir::engine
