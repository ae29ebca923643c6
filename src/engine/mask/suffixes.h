// Suffixes: what is left of tokens behind a place where a terminal may end inside them.
//
// WHY    Behind a name some ten thousand tokens go on, and most with letters, which hardly ever follow a name. To read
//        their bytes and lay them out as a trie takes longer than to find them.
// HOW    A suffix is a token and a depth, 8 bytes. Where they are few, all are one trie, which is made at once, for it
//        is asked for as a rule; else those with one first byte are, and it is made when that byte may come.
// THREADS Safe to call concurrently; copies share the tries.
#ifndef WEIR_SRC_ENGINE_MASK_SUFFIXES_H_
#define WEIR_SRC_ENGINE_MASK_SUFFIXES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/mask/token_view.h"
#include "vocab/token_trie.h"

namespace weir::engine {

class Suffixes {
 public:
  struct Suffix {
    std::uint32_t token;
    std::uint16_t depth;  ///< It begins behind so many bytes.
    std::uint8_t first;   ///< Byte of it.
  };
  using List = std::vector<Suffix>;
  Suffixes() = default;
  /// The vocabulary of `tokens` must outlive it.
  Suffixes(List list, const TokenView& tokens);

  [[nodiscard]] bool empty() const { return made_ == nullptr; }
  /// Calls `use` with tries that hold all suffixes for whose first bytes `may_come`, as long as it returns true.
  template <typename MayCome, typename Use>
  void for_each_trie(MayCome may_come, Use use) const {
    if (empty()) return;
    for (Part& part : made_->parts) {
      if (!part.has_all && !may_come(part.first)) continue;
      if (!use(trie_of(part))) return;
    }
  }
  /// With what the tries that are not made yet will take, more or less.
  [[nodiscard]] std::size_t memory_bytes() const { return bytes_; }

 private:
  struct Part {
    std::uint8_t first = 0;
    bool has_all = false;            // whatever the first byte is
    std::size_t begin = 0, end = 0;  // in the list
    std::once_flag once;
    std::unique_ptr<const vocab::TokenTrie> trie;
  };
  struct Made {
    Made(List l, const TokenView& t) : list(std::move(l)), tokens(t) {}
    void split();

    List list;  // empty once the one part has its trie
    TokenView tokens;
    std::deque<Part> parts;
  };
  [[nodiscard]] const vocab::TokenTrie& trie_of(Part& part) const;

  std::shared_ptr<Made> made_;
  std::size_t bytes_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_SUFFIXES_H_
