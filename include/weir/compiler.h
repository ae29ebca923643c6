// GrammarCompiler joins a grammar to a tokenizer. The result, a CompiledGrammar, is what matchers run on.
//
// HOW    Compiling is lazy: it checks the grammar and explores the automaton's start state only. Other states are
//        explored when a matcher first reaches them, once for all matchers of the compiled grammar, and are kept within
//        Limits::state_memory.
//        The compile_... calls remember their results by text and options, within Limits::cache_memory: the same schema
//        compiled again gives the same CompiledGrammar with everything that was explored for it. Copies of a compiler
//        share this cache.
// THREADS A CompiledGrammar is a cheap handle on shared state. It may be used from many threads at once.
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

/// Counts of what exploring has cost so far. For one thread and one order of calls over all grammars of a tokenizer the
/// counts are deterministic. They depend on that order because grammars of a tokenizer share facts about its
/// vocabulary: what one of them has computed costs the others nothing.
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
  std::uint64_t facts = 0;  ///< Residuals whose facts were computed; those known from another grammar do not count.
  std::uint64_t cache_flushes = 0;  ///< Times that state_memory was reached and everything explored was dropped.
  std::uint64_t memory_bytes = 0;   ///< Bytes that everything explored takes now.
};

/// The contents of a compiler's cache of grammars, and counts of its use.
struct CacheStats {
  std::uint64_t hits = 0;          ///< Calls that found their grammar.
  std::uint64_t misses = 0;        ///< Calls that compiled.
  std::uint64_t evictions = 0;     ///< Grammars dropped to stay within Limits::cache_memory.
  std::uint64_t entries = 0;       ///< Grammars held now.
  std::uint64_t memory_bytes = 0;  ///< Bytes of their texts and of everything explored for them.
};

/// How much CompiledGrammar::warm_up explores.
struct WarmUpOptions {
  /// Steps of work, as Limits::call_work counts them: 0.03 to 0.1 µs each. The default takes some milliseconds. Steps of
  /// earlier calls for the same grammar count too, so a server may make the same call for each request.
  std::uint64_t work = 60'000;
};

/// What CompiledGrammar::warm_up has done.
struct WarmUpReport {
  std::uint64_t work = 0;    ///< Steps that this call took.
  std::uint64_t masks = 0;   ///< Masks that were computed.
  bool is_complete = false;  ///< True if everything that warm-up explores is explored.
};

class WEIR_API CompiledGrammar {
 public:
  /// Returns the tokenizer that the grammar is joined to.
  [[nodiscard]] const TokenizerInfo& tokenizer_info() const noexcept;
  /// Returns the grammar's warnings and those that compiling added, each once. Ranges are of the grammar's text.
  [[nodiscard]] const std::vector<Warning>& warnings() const noexcept;
  /// Returns counts of what all matchers together have explored. Cost: waits for a matcher that is exploring.
  [[nodiscard]] EngineStats stats() const;

  /// Explores the states that outputs of the grammar are likely to meet, the likeliest first, so that their masks are
  /// known when a matcher asks for them. Call it while the model reads its prompt, in a thread of its own if matchers
  /// run meanwhile; it yields to them. It changes no result and makes no call exceed a limit. It explores nothing in
  /// grammars with bounds on tokens (`max_tokens`), and stops when half of Limits::state_memory, regex_nodes or
  /// lexer_states is used. A later call with more work continues after what the calls before it explored; passing over
  /// known states costs little.
  /// Cost     Up to `options.work` steps less those of earlier calls, and memory as for a matcher that meets these states.
  /// Memory   Ends early if an allocation of its own fails. A failed allocation while it explores ends the program, as
  ///          in a matcher.
  /// Threads  May be called from any thread, beside matchers of the grammar.
  /// Example
  ///     std::thread warm_up([compiled] { compiled.warm_up(); });  // while the model reads the prompt
  WarmUpReport warm_up(const WarmUpOptions& options = {}) const noexcept;

  /// Ends the calls of warm_up for this grammar that are running now, from whatever thread. A server calls it when a
  /// request is aborted. Each returns after its current step, some tenths of a millisecond. What they have explored is
  /// kept, and a later call goes on from there.
  /// Threads  May be called from any thread. Does not wait.
  /// Example
  ///     compiled.stop_warm_up();
  ///     warm_up.join();
  void stop_warm_up() const noexcept;

  /// For weir's own layers.
  explicit CompiledGrammar(std::shared_ptr<engine::Compiled> impl) noexcept : impl_(std::move(impl)) {}
  [[nodiscard]] const std::shared_ptr<engine::Compiled>& impl() const noexcept { return impl_; }

 private:
  std::shared_ptr<engine::Compiled> impl_;
};

class WEIR_API GrammarCompiler {
 public:
  /// Makes a compiler for one tokenizer. `limits` apply to everything compiled here; the limits under which a grammar
  /// was read do not matter.
  /// Cost     Small, except for the first compiler of a tokenizer with more than a few thousand tokens: that one
  ///          computes the facts about the vocabulary that masks of strings share.
  /// Example
  ///     weir::Result<weir::TokenizerInfo> tokenizer = weir::TokenizerInfo::from_file("tokenizer.json");
  ///     if (!tokenizer) return fail(tokenizer.error());
  ///     const weir::GrammarCompiler compiler(*tokenizer);
  explicit GrammarCompiler(TokenizerInfo tokenizer_info, const Limits& limits = {});

  /// Joins `grammar` to the tokenizer. The result is not cached, unlike those of the compile_... calls.
  /// Errors   kUnsatisfiable: no string is in the language. kInvalidArgument: a token terminal names a token that the
  ///          vocabulary lacks. kUnsupported: a greedy terminal matches the empty string. kLimitExceeded:
  ///          grammar_symbols, regex_nodes, regex_fuel, a limit of exploring for the start state, or lookahead_threads
  ///          in the search for a text that meets a bound on tokens. Error::where is a range of the grammar's text.
  /// Cost     Linear in the grammar's symbols; each token terminal adds a pass over the vocabulary. For each bound on
  ///          tokens one search for a text that meets it.
  /// Threads  Concurrent calls are safe, here and below.
  /// Example
  ///     weir::Result<weir::CompiledGrammar> compiled = compiler.compile(*grammar);
  ///     if (!compiled) std::cerr << weir::render(compiled.error(), text, "<grammar>");
  [[nodiscard]] Result<CompiledGrammar> compile(const Grammar& grammar) const;

  /// Grammar::from_ebnf and compile in one call, under the compiler's limits, with the cache. Errors: those of both.
  /// Example
  ///     auto compiled = compiler.compile_ebnf("root ::= \"yes\" | \"no\"");
  [[nodiscard]] Result<CompiledGrammar> compile_ebnf(std::string_view text, const EbnfOptions& options = {}) const;

  /// Grammar::from_text and compile in one call, as compile_ebnf. Errors: those of both.
  /// Example
  ///     auto compiled = compiler.compile_text(text, {.syntax = weir::GrammarSyntax::kLark});
  [[nodiscard]] Result<CompiledGrammar> compile_text(std::string_view text, const GrammarTextOptions& options) const;

  /// Grammar::from_regex and compile in one call, as compile_ebnf. Errors: those of both.
  /// Example
  ///     auto compiled = compiler.compile_regex("[A-Z]{3}-[0-9]+", {.dialect = weir::RegexDialect::kPython});
  [[nodiscard]] Result<CompiledGrammar> compile_regex(std::string_view pattern, const RegexOptions& options = {}) const;

  /// Grammar::from_json_schema and compile in one call, as compile_ebnf. Errors: those of both.
  /// Example
  ///     auto compiled = compiler.compile_json_schema(R"({"type": "array", "items": {"type": "integer"}})");
  [[nodiscard]] Result<CompiledGrammar> compile_json_schema(std::string_view schema,
                                                            const JsonSchemaOptions& options = {}) const;

  /// Grammar::from_structural_tag and compile in one call, as compile_ebnf. If `options` lists no special tokens, the
  /// tokenizer's are used. Errors: those of both.
  /// Example
  ///     weir::Result<std::string> tag = weir::structural_tag_for_tools("hermes", tools);
  ///     if (tag) compiled = compiler.compile_structural_tag(*tag);
  [[nodiscard]] Result<CompiledGrammar> compile_structural_tag(std::string_view text,
                                                               const StructuralTagOptions& options = {}) const;

  /// Grammar::from_response_format and compile in one call, as compile_structural_tag. Errors: those of both.
  /// Example
  ///     auto compiled = compiler.compile_response_format(R"({"type": "json_object"})");
  [[nodiscard]] Result<CompiledGrammar> compile_response_format(std::string_view text,
                                                                const StructuralTagOptions& options = {}) const;

  /// Grammar::json or Grammar::json_object and compile in one call, as compile_ebnf. Errors: those of both.
  /// Example
  ///     auto compiled = compiler.compile_json({.whitespace = weir::JsonSchemaOptions::Whitespace::kCompact});
  [[nodiscard]] Result<CompiledGrammar> compile_json(const JsonSchemaOptions& options = {}) const;
  [[nodiscard]] Result<CompiledGrammar> compile_json_object(const JsonSchemaOptions& options = {}) const;

  /// Grammar::from_choice and compile in one call, as compile_ebnf. Errors: those of both.
  /// Example
  ///     auto compiled = compiler.compile_choice(std::vector<std::string>{"red", "green", "blue"});
  [[nodiscard]] Result<CompiledGrammar> compile_choice(std::span<const std::string> strings) const;

  /// Grammar::from_substring and compile in one call, as compile_ebnf. Errors: those of both.
  /// Example
  ///     auto compiled = compiler.compile_substring(article, weir::SubstringUnit::kWord);
  [[nodiscard]] Result<CompiledGrammar> compile_substring(std::string_view text, SubstringUnit unit) const;

  /// Grammar::from_substring_chunks and compile in one call, as compile_ebnf. Errors: those of both.
  /// Example
  ///     auto compiled = compiler.compile_substring_chunks(sentences);  // a std::vector<std::string>
  [[nodiscard]] Result<CompiledGrammar> compile_substring_chunks(std::span<const std::string> chunks) const;

  /// Returns the tokenizer that grammars are joined to.
  [[nodiscard]] const TokenizerInfo& tokenizer_info() const noexcept { return tokenizer_info_; }

  /// Returns the limits that apply to everything compiled here.
  [[nodiscard]] const Limits& limits() const noexcept { return limits_; }

  /// Returns the contents of the cache and counts of its use.
  [[nodiscard]] CacheStats cache_stats() const;
  /// Drops all grammars from the cache. Grammars in use stay valid.
  void clear_cache() const;

 private:
  [[nodiscard]] Result<CompiledGrammar> compile(const input::GrammarSource& source) const;

  TokenizerInfo tokenizer_info_;
  Limits limits_;
  std::shared_ptr<GrammarCache> cache_;
};

}  // namespace weir

#endif  // WEIR_COMPILER_H_
