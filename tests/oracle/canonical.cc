#include "oracle/canonical.h"

namespace weir::oracle {

void SequenceTree::add(const TokenIds& sequence) {
  if (const std::optional<std::size_t> known = find(sequence); known && nodes_[*known].member) return;
  std::size_t at = 0;
  ++nodes_[0].sequences;
  for (const std::uint32_t token : sequence) {
    const auto [entry, is_new] = nodes_[at].children.try_emplace(token, nodes_.size());
    at = entry->second;
    if (is_new) nodes_.emplace_back();
    ++nodes_[at].sequences;
  }
  nodes_[at].member = true;
}

std::optional<std::size_t> SequenceTree::find(const TokenIds& prefix) const {
  std::size_t at = 0;
  for (const std::uint32_t token : prefix) {
    const auto child = nodes_[at].children.find(token);
    if (child == nodes_[at].children.end()) return std::nullopt;
    at = child->second;
  }
  return at;
}

}  // namespace weir::oracle
