// Suffixes: the suffixes of crossing tokens, that is, their bytes after a place where a terminal may end inside them.
//
// WHY    After a name some ten thousand tokens are crossing, most of them with letters, which seldom follow a name.
//        Reading their bytes and building a trie of them takes longer than finding them, so tries are built only as
//        needed.
// HOW    A suffix is a token and a depth, 8 bytes. Few suffixes are put into one trie at once, since it is usually
//        needed. Many suffixes are grouped by their first byte, and a group's trie is built when that byte may come.
// THREADS Concurrent calls are safe; copies share the tries.
#ifndef WEIR_SRC_ENGINE_FACTS_SUFFIXES_H_
#define WEIR_SRC_ENGINE_FACTS_SUFFIXES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/sets/token_view.h"
#include "vocab/token_trie.h"

namespace weir::engine {

class Suffixes {
 public:
  struct Suffix {
    std::uint32_t token;
    std::uint16_t depth;  ///< Number of bytes of the token before the suffix.
    std::uint8_t first;   ///< First byte of the suffix.
  };
  using List = std::vector<Suffix>;
  Suffixes() = default;
  /// The vocabulary of `tokens` must outlive the object.
  Suffixes(List list, const TokenView& tokens);

  [[nodiscard]] bool empty() const { return made_ == nullptr; }
  /// Calls `use` with tries that together hold all suffixes whose first byte satisfies `may_come`, until it returns
  /// false.
  template <typename MayCome, typename Use>
  void for_each_trie(MayCome may_come, Use use) const {
    if (empty()) return;
    for (Part& part : made_->parts) {
      if (!part.has_all && !may_come(part.first)) continue;
      if (!use(trie_of(part))) return;
    }
  }
  /// Returns the bytes in use, including an estimate for tries that are not built yet.
  [[nodiscard]] std::size_t memory_bytes() const { return bytes_; }

 private:
  struct Part {
    std::uint8_t first = 0;
    bool has_all = false;            // the part has suffixes with any first byte
    std::size_t begin = 0, end = 0;  // a range of Made::list
    std::once_flag once;
    std::unique_ptr<const vocab::TokenTrie> trie;
  };
  struct Made {
    Made(List l, const TokenView& t) : list(std::move(l)), tokens(t) {}
    void split();

    List list;  // emptied when a single part has its trie
    TokenView tokens;
    std::deque<Part> parts;
  };
  [[nodiscard]] const vocab::TokenTrie& trie_of(Part& part) const;

  std::shared_ptr<Made> made_;
  std::size_t bytes_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_FACTS_SUFFIXES_H_
