// GrammarCache: compiled grammars by what they were compiled from, the least recently used ones forgotten first.
//
// WHY    A server is asked for the same schemas again and again. A compiled grammar that is found again brings the
//        states and masks with it that other requests have explored.
// HOW    The key is all of the text and all options; their hash only finds candidates. Who asks for what another thread
//        is compiling waits for it. Errors are not kept.
// LIMITS Limits::cache_memory. What grammars hold grows as they are used. So a grammar is counted anew when it is asked
//        for, and a few others, in turn, whenever one is added: to count all of them would make a compile longer the more
//        are kept. A grammar that is forgotten lives on with its matchers. The last one asked for is never
//        forgotten.
// THREADS Safe to use from many threads.
#ifndef WEIR_SRC_API_GRAMMAR_CACHE_H_
#define WEIR_SRC_API_GRAMMAR_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

#include "weir/compiler.h"

namespace weir {

class GrammarCache {
 public:
  /// What a text is; any value and any object have none.
  enum class Source : std::uint8_t {
    kEbnf,
    kText,
    kRegex,
    kJsonSchema,
    kStructuralTag,
    kResponseFormat,
    kAnyValue,
    kAnyObject,
    kChoice,
    kSubstring,
    kSubstringChunks
  };
  using Options = std::variant<EbnfOptions, GrammarTextOptions, RegexOptions, JsonSchemaOptions, StructuralTagOptions,
                               SubstringUnit, std::monostate>;
  using Compile = std::function<Result<CompiledGrammar>()>;

  explicit GrammarCache(std::size_t budget) : budget_(budget) {}

  /// What `compile` gives, or gave.
  Result<CompiledGrammar> get(Source source, std::string_view text, const Options& options, const Compile& compile);
  void clear();
  [[nodiscard]] CacheStats stats() const;

 private:
  struct Entry {
    std::size_t hash = 0;
    Source source{};
    std::string text;
    Options options;
    std::shared_future<Result<CompiledGrammar>> compiled;
    bool is_ready = false;
    std::size_t bytes = 0;  // as counted last
  };
  using Entries = std::list<Entry>;  // the most recently used first

  Entries::iterator find(std::size_t hash, Source source, std::string_view text, const Options& options);
  void remove(Entries::iterator entry);
  [[nodiscard]] static std::size_t memory_bytes(const Entry& entry);
  void count(Entry& entry);
  void count_some();
  void stay_within_budget();

  const std::size_t budget_;
  mutable std::mutex mutex_;
  Entries entries_;
  std::size_t bytes_ = 0;  // of all entries, as counted last
  Entries::iterator next_to_count_ = entries_.end();
  std::unordered_multimap<std::size_t, Entries::iterator> by_hash_;
  CacheStats stats_;
};

}  // namespace weir

#endif  // WEIR_SRC_API_GRAMMAR_CACHE_H_
