// The oracle of canonical masks: the token sequences of a finite set, and what may come after each of their prefixes.
//
// WHAT   For a tokenizer and a finite language, the set holds what the tokenizer writes for each text that it gives
//        back. After the tokens u, token t is allowed iff u t is a prefix of a sequence of the set, and the output may
//        end iff u is one.
// HOW    A tree of all sequences.
#ifndef WEIR_TESTS_ORACLE_CANONICAL_H_
#define WEIR_TESTS_ORACLE_CANONICAL_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/bpe_tokenizer.h"

namespace weir::oracle {

class SequenceTree {
 public:
  struct Node {
    std::map<std::uint32_t, std::size_t> children = {};  ///< Tokens and nodes, which are greater than their parent.
    bool member = false;                                 ///< True if the tokens up to here are a sequence of the set.
    std::uint64_t sequences = 0;                         ///< Sequences that go through this node.
  };

  SequenceTree() : nodes_(1) {}
  /// Adds a sequence; one that is there already is not counted again.
  void add(const TokenIds& sequence);
  /// Node 0 is the root.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  /// Returns the node of these tokens, or nullopt if they are not a prefix of a sequence.
  [[nodiscard]] std::optional<std::size_t> find(const TokenIds& prefix) const;
  [[nodiscard]] bool empty() const { return nodes_[0].sequences == 0; }

 private:
  std::vector<Node> nodes_;
};

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_CANONICAL_H_
