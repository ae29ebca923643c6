// GrammarCompiler joins a grammar to a tokenizer; a CompiledGrammar is what matchers run on.
//
// HOW    Compiling is lazy: it checks the grammar and sets up the automaton's start; states are explored as matchers
//        reach them, once for all matchers of the compiled grammar, and kept within Limits::state_memory.
//        What is compiled from a text is remembered by its text and options, within Limits::cache_memory: the same
//        schema compiled again is the same CompiledGrammar, with all that was explored for it. Copies of a compiler
//        share that.
// THREADS A CompiledGrammar is a cheap handle on shared state and safe to use from many threads at once.
#ifndef WEIR_COMPILER_H_
#define WEIR_COMPILER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/export.h"
#include "weir/grammar.h"
#include "weir/limits.h"
#include "weir/tokenizer_info.h"

namespace weir {

namespace engine {
class Compiled;
}
class GrammarCache;

/// What exploring has cost so far. Counts are deterministic for one thread and one order of calls for all grammars of a
/// tokenizer: what one of them finds out about the vocabulary the others need not.
struct EngineStats {
  std::uint64_t states = 0;         ///< Configurations interned.
  std::uint64_t transitions = 0;    ///< Byte transitions computed (not looked up).
  std::uint64_t rows = 0;           ///< Earley rows interned.
  std::uint64_t row_items = 0;      ///< Items in them.
  std::uint64_t continuations = 0;  ///< Continuations interned.
  std::uint64_t lexer_states = 0;   ///< Lexer states interned.
  std::uint64_t regex_nodes = 0;    ///< Hash-consed expressions.
  std::uint64_t masks = 0;          ///< Masks computed.
  std::uint64_t trie_nodes = 0;     ///< Trie nodes visited for them.
  std::uint64_t cache_flushes = 0;  ///< Times that state_memory was reached and everything explored dropped.
  std::uint64_t memory_bytes = 0;   ///< Bytes held by what is explored now.
};

/// What a compiler's cache of grammars holds and has done.
struct CacheStats {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;     ///< Grammars forgotten for Limits::cache_memory.
  std::uint64_t entries = 0;       ///< Grammars held now.
  std::uint64_t memory_bytes = 0;  ///< Bytes of their texts and of what has been explored for them.
};

class WEIR_API CompiledGrammar {
 public:
  /// The tokenizer that the grammar is joined to.
  [[nodiscard]] const TokenizerInfo& tokenizer_info() const noexcept;
  /// The grammar's warnings and what compiling added to them, each once; ranges of the grammar's text.
  [[nodiscard]] const std::vector<Warning>& warnings() const noexcept;
  /// What all matchers together have explored. Cost: waits for one that is exploring.
  [[nodiscard]] EngineStats stats() const;

  /// For the layers inside weir.
  explicit CompiledGrammar(std::shared_ptr<engine::Compiled> impl) noexcept : impl_(std::move(impl)) {}
  [[nodiscard]] const std::shared_ptr<engine::Compiled>& impl() const noexcept { return impl_; }

 private:
  std::shared_ptr<engine::Compiled> impl_;
};

class WEIR_API GrammarCompiler {
 public:
  /// `limits` hold for everything compiled here, whatever a grammar was read under.
  /// Cost     Nothing, but for the first compiler of a tokenizer with more than some thousand tokens: what masks of all
  ///          short strings have in common is then worked out once.
  explicit GrammarCompiler(TokenizerInfo tokenizer_info, const Limits& limits = {});

  /// Errors   kUnsatisfiable: no string is in the language. kInvalidArgument: a token terminal names a token that the
  ///          vocabulary lacks. kUnsupported: a greedy terminal that matches the empty string. kLimitExceeded:
  ///          grammar_symbols, regex_nodes, regex_fuel, what the state before any text exceeds, or lookahead_threads in
  ///          the search for a text within a bound on tokens. Error::where is a range of the grammar's text.
  /// Cost     Linear in the grammar's symbols, and in the vocabulary for each token terminal; for each bound on tokens
  ///          a search for a text that keeps it.
  /// Threads  May be called concurrently, here and below.
  [[nodiscard]] Result<CompiledGrammar> compile(const Grammar& grammar) const;

  /// Grammar::from_ebnf and compile in one call, under the compiler's limits. Errors: those of both.
  [[nodiscard]] Result<CompiledGrammar> compile_ebnf(std::string_view text, const EbnfOptions& options = {}) const;

  /// Grammar::from_text and compile in one call, under the compiler's limits. Errors: those of both.
  [[nodiscard]] Result<CompiledGrammar> compile_text(std::string_view text, const GrammarTextOptions& options) const;

  /// Grammar::from_regex and compile in one call, under the compiler's limits. Errors: those of both.
  [[nodiscard]] Result<CompiledGrammar> compile_regex(std::string_view pattern, const RegexOptions& options = {}) const;

  /// Grammar::from_json_schema and compile in one call, under the compiler's limits. Errors: those of both.
  [[nodiscard]] Result<CompiledGrammar> compile_json_schema(std::string_view schema,
                                                            const JsonSchemaOptions& options = {}) const;

  /// Grammar::from_structural_tag and compile in one call, under the compiler's limits. Without special tokens in the
  /// options, those of the tokenizer are taken. Errors: those of both.
  [[nodiscard]] Result<CompiledGrammar> compile_structural_tag(std::string_view text,
                                                               const StructuralTagOptions& options = {}) const;

  /// The same with Grammar::from_response_format.
  [[nodiscard]] Result<CompiledGrammar> compile_response_format(std::string_view text,
                                                                const StructuralTagOptions& options = {}) const;

  /// The same with Grammar::json and Grammar::json_object.
  [[nodiscard]] Result<CompiledGrammar> compile_json(const JsonSchemaOptions& options = {}) const;
  [[nodiscard]] Result<CompiledGrammar> compile_json_object(const JsonSchemaOptions& options = {}) const;

  /// Grammar::from_choice and compile in one call, under the compiler's limits. Errors: those of both.
  [[nodiscard]] Result<CompiledGrammar> compile_choice(std::span<const std::string> strings) const;

  /// Grammar::from_substring and compile in one call, under the compiler's limits. Errors: those of both.
  [[nodiscard]] Result<CompiledGrammar> compile_substring(std::string_view text, SubstringUnit unit) const;

  /// Grammar::from_substring_chunks and compile in one call, under the compiler's limits. Errors: those of both.
  [[nodiscard]] Result<CompiledGrammar> compile_substring_chunks(std::span<const std::string> chunks) const;

  /// The tokenizer that grammars are joined to.
  [[nodiscard]] const TokenizerInfo& tokenizer_info() const noexcept { return tokenizer_info_; }

  /// What everything compiled here is held to.
  [[nodiscard]] const Limits& limits() const noexcept { return limits_; }

  /// What the cache holds and has done.
  [[nodiscard]] CacheStats cache_stats() const;
  /// Forgets all grammars in the cache; those in use live on.
  void clear_cache() const;

 private:
  TokenizerInfo tokenizer_info_;
  Limits limits_;
  std::shared_ptr<GrammarCache> cache_;
};

}  // namespace weir

#endif  // WEIR_COMPILER_H_
