// GrammarMatcher: follows one output of a model; an inference loop calls it at every token.
//
// WHAT   fill_next_token_bitmask says which tokens may come next, accept_token moves on. After the bytes w, token t is
//        allowed iff w followed by the bytes of t is a prefix of a string of the language; a stop token is allowed iff
//        w itself is one. So every output can be completed in bytes. Whether tokens can spell those bytes depends on
//        the vocabulary: if it lacks a byte, a mask may be empty although the output is not complete.
//        Rules may have a bound on tokens (`max_tokens`, docs/ebnf.md). Then t is allowed iff in some reading of the
//        output all bounds are met and further tokens can end the bounded rules that are open within their bounds, as
//        far as a search finds such tokens.
// HOW    A state is an integer: an interned parser configuration. A matcher stores one state for each accepted token,
//        so rollback truncates a vector and fork copies it.
// COST   For a state that was reached before, a mask is a copy of the mask's words, and a token one table lookup per
//        byte.
// THREADS One thread at a time on each matcher. Any number of matchers share one CompiledGrammar.
// MEMORY What is explored is shared by all matchers and cannot be undone halfway. So a failed allocation in a member
//        that explores ends the program (these members are noexcept). Copying a matcher may throw std::bad_alloc.
//        Limits::state_memory says how much is kept. An object of weir that was moved from may only be destroyed or
//        assigned to.
//
//     weir::GrammarMatcher matcher(compiled);  // one for each output
//     std::vector<std::uint32_t> bitmask(weir::bitmask_words(tokenizer.vocab_size()));
//     while (!matcher.is_terminated()) {
//       if (matcher.fill_next_token_bitmask(bitmask) != weir::Step::kOk) return fail(matcher.limit_message());
//       weir::apply_token_bitmask_inplace(logits.data(), logits.size(), weir::LogitType::kFloat32, bitmask);
//       if (matcher.accept_token(sample(logits)) != weir::Step::kOk) return fail(matcher.limit_message());
//     }
#ifndef WEIR_MATCHER_H_
#define WEIR_MATCHER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/bitmask.h"
#include "weir/compiler.h"
#include "weir/export.h"

namespace weir {

namespace engine {
class Cursor;
}

/// The outcome of a step. On anything but kOk the matcher is unchanged.
enum class [[nodiscard]] Step : std::uint8_t{
    kOk,
    kRefused,        ///< The token or the bytes do not continue a string of the language.
    kTerminated,     ///< A stop token was accepted before; only rollback and reset are possible.
    kLimitExceeded,  ///< A limit of exploring was met; GrammarMatcher::limit_message names it.
    kBadArgument,    ///< A token id out of range, a bitmask of the wrong size, a rollback past the beginning.
};

/// Returns the step's name: "ok", "refused", ...
WEIR_API std::string_view to_string(Step step) noexcept;

/// Which token sequences an output may consist of.
enum class Tokenization : std::uint8_t {
  kAny,        ///< Every sequence of tokens whose bytes are in the language.
  kCanonical,  ///< The one sequence for each text that the tokenizer itself would write.
};

/// How a matcher begins.
struct MatcherOptions {
  /// True if the output is at the beginning of a text, so that the tokenizer's leading-space rule (if it has one)
  /// applies to the first token. False if the output continues a text.
  bool at_text_start = true;
  /// Which token sequences the output may consist of. kCanonical needs a tokenizer that TokenizerInfo::canonical_support
  /// accepts; GrammarMatcher::create reports what is refused. docs/canonical.md says when to use it.
  Tokenization tokenization = Tokenization::kAny;
  /// With kCanonical: the tokens before the output, at least since the beginning of the text or the last special token.
  /// The allowed tokens depend on them: after `th` the tokenizer would not write `e` as a token. If there is a context,
  /// the output continues it, and at_text_start has no effect; with kAny a context has no other effect. Without one,
  /// at_text_start says where the output is.
  std::vector<std::uint32_t> context = {};
  /// Tokens that end this output, in place of TokenizerInfo::stop_token_ids; without a value, those. The matcher behaves
  /// as one of a tokenizer that was made with these stop tokens (TokenizerOptions::stop_token_ids), but shares states
  /// and masks with all matchers of its CompiledGrammar. A stop token of the tokenizer that is not listed is text again,
  /// or a special token; a listed token that is text ends the output and is no text any more. Token ids and names in the
  /// grammar keep their tokens.
  /// GrammarMatcher::create refuses an empty list, ids out of range, and an id that occurs twice.
  std::optional<std::vector<std::uint32_t>> stop_token_ids = {};
  /// The most tokens that the output may have, a stop token at its end not counted. From where the shortest way to the
  /// end takes all that are left, masks allow only what ends in time; before, nothing changes. A matcher whose tokens
  /// come from its masks then always ends with a complete output. Bytes that accept_bytes adds take no token.
  /// A token is left out although it would end in time only if a search meets Limits::lookahead_threads. Keys that an
  /// object has already and items that must differ are not foreseen: where an object needs another key, a mask may be
  /// empty near the end, and a matcher without max_tokens would have to go on.
  /// GrammarMatcher::create refuses rules bounded in tokens, greedy terminals, look-aheads, own stop tokens that change
  /// which tokens are text, and a number of tokens within which no output ends.
  std::optional<std::uint32_t> max_tokens = {};
};

/// What may come next, in a form for people.
struct Expectation {
  std::vector<std::string> terminals =
      {};                                ///< Names of terminals in progress or expected, each once, in grammar order.
  std::vector<std::uint8_t> bytes = {};  ///< The bytes that may come next, ascending.
  bool end = false;                      ///< True if the output may end here or has ended.
};

/// Why a token is allowed or not.
struct TokenExplanation {
  bool allowed = false;
  std::size_t bytes_matched = 0;  ///< Bytes of the token that continue the output.
  std::string reason = {};        ///< A sentence, empty when allowed.
  Expectation expected = {};      ///< What was expected at the byte that was refused.
};

/// A part of a completion: text, or a token that a token terminal takes as a whole.
struct CompletionPart {
  std::string text = {};
  std::optional<std::uint32_t> token = {};  ///< If there is a token, `text` is empty.
  friend bool operator==(const CompletionPart&, const CompletionPart&) = default;
};

/// A part of the output that the grammar names, such as `@capture(name: ...)` in EBNF.
struct Capture {
  std::string name = {};
  std::size_t begin = 0, end = 0;  ///< A range of bytes of GrammarMatcher::text.
  bool complete = false;           ///< False if the capture has begun but not ended; then `end` is the end of the text.
  friend bool operator==(const Capture&, const Capture&) = default;
};

/// Counts about the state that a matcher is in, for inspection.
struct StateStats {
  std::uint32_t state = 0;                  ///< GrammarMatcher::state_id.
  std::uint32_t threads = 0;                ///< Readings of the text that are followed at once.
  std::uint32_t terminals_in_progress = 0;  ///< Terminals begun or expected, with their residuals, over all threads.
  std::uint32_t byte_classes = 0;           ///< Classes of bytes that the grammar distinguishes.
  std::uint32_t known_transitions = 0;      ///< Byte classes whose transition from this state has been explored.
  bool mask_known = false;                  ///< True if the next mask is only a copy.
};

class WEIR_API GrammarMatcher {
 public:
  /// Makes a matcher at the beginning of an output. Copies are independent of each other.
  /// Precondition: create() accepts the options; all default ones are accepted. A matcher of options that are refused
  /// returns kBadArgument at every step.
  explicit GrammarMatcher(CompiledGrammar compiled, const MatcherOptions& options = {});
  /// A matcher, or why there is none.
  /// Errors   kUnsupported: canonical tokenization with a tokenizer that cannot be followed, or a stop token that is
  ///          text; own stop tokens that are text, or text of the tokenizer's stop tokens, with rules bounded in tokens;
  ///          max_tokens with what MatcherOptions::max_tokens names. kInvalidArgument: a context that the tokenizer
  ///          would not write; `where.start` is the index of the first token that is not as it would write it.
  ///          stop_token_ids that are empty, out of range or repeated; `where.start` is the index. kUnsatisfiable: with
  ///          canonical tokenization no text of the language follows the context, or none within the bounds of rules;
  ///          no token is left to a terminal `<[^...]>`; no text within max_tokens was found. kLimitExceeded: a search
  ///          for such a text meets a limit.
  /// Cost     Some microseconds; with max_tokens that of a shortest completion, if the grammar's is not known yet.
  /// Example
  ///     weir::MatcherOptions options;
  ///     options.stop_token_ids = {end_of_turn, end_of_text};  // the request's, in place of the tokenizer's
  ///     weir::Result<weir::GrammarMatcher> matcher = weir::GrammarMatcher::create(compiled, options);
  static Result<GrammarMatcher> create(CompiledGrammar compiled, const MatcherOptions& options = {});
  GrammarMatcher(const GrammarMatcher&);
  GrammarMatcher& operator=(const GrammarMatcher&);
  GrammarMatcher(GrammarMatcher&&) noexcept;
  GrammarMatcher& operator=(GrammarMatcher&&) noexcept;
  ~GrammarMatcher();

  /// Writes into `bitmask` the set of tokens that may come next.
  ///
  /// Bit `t` is set iff the bytes accepted so far followed by the bytes of token `t` are a prefix of a string of the
  /// grammar's language, or a token terminal of the grammar allows `t` here. A stop token's bit is set iff the bytes
  /// accepted so far are such a string, or a token terminal lists it here. Text tokens that never add a byte are not
  /// allowed.
  ///
  /// Shape    `bitmask.size() == bitmask_words(vocab_size)`. Bits from `vocab_size` on are 0.
  /// Returns  kOk; kTerminated; kLimitExceeded; kBadArgument (size). On all but kOk the mask is all zero.
  /// Cost     A copy if the state's mask is known; otherwise it is computed (engine/mask/mask_builder.h). Under a JSON
  ///          schema also a test of the tokens with several quotes, and of those that would end a key that its object
  ///          already has.
  /// Example
  ///     std::vector<std::uint32_t> bitmask(weir::bitmask_words(tokenizer.vocab_size()));
  ///     if (matcher.fill_next_token_bitmask(bitmask) == weir::Step::kOk && weir::bitmask_get(bitmask, token)) { ... }
  Step fill_next_token_bitmask(std::span<std::uint32_t> bitmask) noexcept;

  /// Returns a name for the mask that fill_next_token_bitmask would write, for callers that keep masks on a device.
  /// Among matchers of one CompiledGrammar equal ids mean equal masks, so each mask has to be transferred only once.
  /// When caches are dropped (Limits::state_memory), an old mask may get a new id; an old id never names another mask.
  /// Returns nullopt if the mask depends on this text alone (under a JSON schema, if it excludes a key that the object
  /// already has), or if there is no mask: after a stop token, and on a limit, which limit_message names.
  /// Cost     That of fill_next_token_bitmask without the writing.
  /// Example
  ///     const std::optional<std::uint64_t> id = matcher.next_token_mask_id();
  ///     if (id && device_masks.contains(*id)) return device_masks.at(*id);
  [[nodiscard]] std::optional<std::uint64_t> next_token_mask_id() noexcept;

  /// Writes the masks after each node of a tree of drafted tokens. Node i is token `tokens[i]` after node `parents[i]`,
  /// which is less than i, or -1 for the matcher's own place, whose mask fill_next_token_bitmask gives. Afterwards the
  /// matcher is where it was.
  ///
  /// Shape    n tokens, n parents, n steps, and n rows of bitmask_words(vocab_size) words, one after another.
  ///          `steps[i]` receives what accepting node i's token returned; kRefused if its parent was not accepted;
  ///          kLimitExceeded also if computing its mask met a limit. Row i is all zero unless steps[i] is kOk, and
  ///          after a stop token.
  /// Returns  kOk; kBadArgument for other shapes or parents, and then nothing is written.
  /// Cost     One accept_token and one fill_next_token_bitmask per node; memory for the deepest path.
  /// Example
  ///     const std::vector<std::uint32_t> tokens = {first, second, other};  // `second` and `other` both follow `first`
  ///     const std::vector<std::int32_t> parents = {-1, 0, 0};
  ///     std::vector<std::uint32_t> bitmasks(3 * weir::bitmask_words(tokenizer.vocab_size()));
  ///     std::vector<weir::Step> steps(3);
  ///     if (matcher.fill_draft_tree_bitmasks(tokens, parents, bitmasks, steps) != weir::Step::kOk) return;
  Step fill_draft_tree_bitmasks(std::span<const std::uint32_t> tokens, std::span<const std::int32_t> parents,
                                std::span<std::uint32_t> bitmasks, std::span<Step> steps) noexcept;

  /// Returns true if accept_token(token) would return kOk; computes no mask. On a limit it returns false and
  /// limit_message names the limit.
  /// Example
  ///     if (matcher.is_token_allowed(preferred)) token = preferred;
  [[nodiscard]] bool is_token_allowed(std::uint32_t token) noexcept;

  /// Appends a token. A stop token ends the output: from then on is_terminated() is true.
  /// Returns  kOk; kRefused; kTerminated; kLimitExceeded; kBadArgument (no such token). On all but kOk nothing changes.
  /// Cost     One table lookup per byte where the states are known.
  /// Example
  ///     if (matcher.accept_token(token) == weir::Step::kRefused) std::cerr << matcher.explain(token).reason << "\n";
  Step accept_token(std::uint32_t token) noexcept;

  /// Appends all of `bytes` or none of them, as one step: rollback(1) takes them all back. It makes no difference to
  /// the language how an output is divided into calls. For bounds on tokens the bytes belong to the token before them.
  /// Returns  As accept_token.
  /// Example
  ///     if (matcher.accept_string("{\"answer\": ") != weir::Step::kOk) return;  // the beginning is given
  Step accept_bytes(std::string_view bytes) noexcept;

  Step accept_string(std::string_view text) noexcept { return accept_bytes(text); }

  /// Tokenizes `text` and accepts its tokens, one step each, all or none. The tokens are those of `text` alone. With
  /// canonical tokenization they are those that the tokenizer writes for `text` after the context and the output so far;
  /// kRefused if it would write the output so far in other tokens then.
  /// Returns  kOk; kRefused: a token is not allowed; kTerminated; kLimitExceeded; kBadArgument: the tokenizer
  ///          cannot tokenize the text. The empty text is kOk, and no step.
  Step accept_text(std::string_view text);

  /// Returns the length in bytes of the longest prefix of `bytes` that may come next. Changes nothing. On a limit the
  /// result may be shorter, and limit_message names the limit.
  /// Example
  ///     const std::size_t good = matcher.longest_viable_prefix(text);
  ///     if (good < text.size()) std::cerr << "unexpected at byte " << good << "\n";
  [[nodiscard]] std::size_t longest_viable_prefix(std::string_view bytes) noexcept;

  /// Takes back the last `steps` steps, stop tokens included; any number of them. Returns kOk, or kBadArgument if there
  /// are fewer. Cost: O(steps).
  /// Example
  ///     if (matcher.rollback(3) != weir::Step::kOk) return;  // three accept calls are undone
  Step rollback(std::size_t steps) noexcept;

  /// Returns a second matcher at the same place. Cost: a copy of the history, no exploring.
  [[nodiscard]] GrammarMatcher fork() const { return *this; }

  /// Returns to the beginning.
  void reset() noexcept;

  /// Returns the number of steps accepted so far, stop token included.
  [[nodiscard]] std::size_t step_count() const noexcept;

  /// Returns true if a stop token was accepted.
  [[nodiscard]] bool is_terminated() const noexcept;

  /// Returns true if the output so far is a string of the language, so that it may end here.
  [[nodiscard]] bool is_completed() const noexcept;

  /// Returns the longest byte string that every continuation begins with. It is empty where there is a choice or the
  /// output may end here. It may end inside a character. On a limit it is cut short, and limit_message names the limit.
  /// Cost     For each byte one lookup per byte class (StateStats::byte_classes) where the states are known.
  /// Example
  ///     const std::string forced = matcher.find_jump_forward_string();
  ///     if (!forced.empty() && matcher.accept_string(forced) != weir::Step::kOk) return;
  [[nodiscard]] std::string find_jump_forward_string() noexcept;

  /// Returns the tokens that the tokenizer gives for the forced bytes, whatever text follows them. The bytes are
  /// tokenized as a text of their own, and tokens at the end that further text could still change are left out. How
  /// many tokens remain depends on the algorithm: with longest match, all up to where a longer token could begin; with
  /// a splitting pattern (byte-level BPE, WordPiece), those of all pieces but the last; with SentencePiece and others
  /// that read the whole text at once, none. If a normalizer may change the text, only its leading ASCII part counts.
  /// Empty where nothing is forced or the tokenizer cannot tokenize.
  /// Cost     That of find_jump_forward_string, plus tokenizing the bytes.
  /// Example
  ///     for (const std::uint32_t token : matcher.forced_tokens()) {
  ///       if (matcher.accept_token(token) != weir::Step::kOk) break;
  ///     }
  [[nodiscard]] std::vector<std::uint32_t> forced_tokens() noexcept;

  /// Returns a shortest byte string that completes the output; empty if it is complete already. Under a JSON schema,
  /// objects and arrays that have not begun are completed by short ones, not always by the shortest.
  /// Returns nullopt in these cases: every completion needs a token terminal; a look-ahead (greedy terminals) refuses
  /// the shortest text and Limits end the search for another; the text would be longer than Limits::completion_bytes;
  /// the output has begun a rule that has no end (GrammarTextOptions::keep_endless).
  /// Cost     Linear in what is nested below the state, and once in the whole grammar. Meant for finishing an output,
  ///          not for every token.
  /// With canonical tokenization the completion is short, not always the shortest.
  /// Example
  ///     if (const std::optional<std::string> rest = matcher.shortest_completion()) output += *rest;
  [[nodiscard]] std::optional<std::string> shortest_completion() noexcept;

  /// Returns a shortest completion that may contain tokens for token terminals: texts and tokens in turn, with as few
  /// tokens as possible and, among those, with the fewest bytes. For a token terminal one of the tokens
  /// that it lists is given. Returns nullopt only if Limits are met, which limit_message says, or there is no end.
  /// Example
  ///     if (const auto parts = matcher.shortest_completion_parts()) {
  ///       for (const weir::CompletionPart& part : *parts) if (!part.token) output += part.text;
  ///     }
  [[nodiscard]] std::optional<std::vector<CompletionPart>> shortest_completion_parts() noexcept;

  /// Returns the text of the output so far, that is, the bytes of its tokens and byte strings. Special tokens add
  /// nothing. Cost: linear in the text.
  [[nodiscard]] std::string text() const;

  /// Returns the captures of the output so far, in the order in which they begin, outer ones before inner ones. If the
  /// output may end here, it is read as a complete text; otherwise as a beginning, in which the last captures may be
  /// incomplete. If there are several readings, the same one is always chosen for the same text: docs/ebnf.md says
  /// which. On a limit the result is empty, and limit_message names the limit.
  /// Cost     The first call parses the output, in about linear time if the grammar is not ambiguous, in cubic time at
  ///          worst. Later calls parse what was added since, and everything again after a rollback. Masks and steps
  ///          cost nothing extra.
  /// Example
  ///     for (const weir::Capture& capture : matcher.captures()) {
  ///       const std::string found = matcher.text().substr(capture.begin, capture.end - capture.begin);
  ///     }
  [[nodiscard]] std::vector<Capture> captures() noexcept;

  /// Returns the temperature that the grammar asks for here (docs/ebnf.md): the highest of those that apply to the next
  /// byte. Returns nullopt if none applies, and after a stop token. It is a request to the sampler; masks do not depend
  /// on it.
  /// Cost     Nothing for a grammar without temperatures; otherwise linear in the terminals in progress.
  /// Example
  ///     const float temperature = matcher.temperature().value_or(default_temperature);
  [[nodiscard]] std::optional<float> temperature() noexcept;

  /// Returns what may come next, in a form for people. Cost: linear in what is in progress; explores one step per byte
  /// class.
  [[nodiscard]] Expectation expected() noexcept;
  /// Returns why `token` is allowed or not, and what was expected at the first byte that was refused.
  /// Example
  ///     const weir::TokenExplanation why = matcher.explain(token);
  ///     if (!why.allowed) std::cerr << why.reason << " after " << why.bytes_matched << " bytes\n";
  [[nodiscard]] TokenExplanation explain(std::uint32_t token) noexcept;

  /// Returns counts about the state, for inspection. Explores nothing, except what has to be replayed after a cache
  /// flush. Cost: O(threads + byte classes).
  [[nodiscard]] StateStats state_stats() noexcept;

  /// Returns the state's number, for inspection. Equal configurations have equal ids unless a cache flush comes
  /// between. Under a JSON schema the keys of open objects are not part of the state, so masks of equal ids may differ
  /// in keys.
  [[nodiscard]] std::uint32_t state_id() noexcept;

  /// Returns, after a call that met a limit (by kLimitExceeded or by a shortened answer), which field of Limits it was
  /// and what to do. Otherwise empty.
  [[nodiscard]] std::string limit_message() const;

  /// Returns the tokens that end the output, ascending: MatcherOptions::stop_token_ids or the tokenizer's. The span is
  /// valid until the matcher is destroyed or assigned to.
  [[nodiscard]] std::span<const std::uint32_t> stop_token_ids() const noexcept;

  /// Returns the compiled grammar that the matcher runs on.
  [[nodiscard]] const CompiledGrammar& compiled_grammar() const noexcept;

  /// For weir's own layers.
  [[nodiscard]] engine::Cursor& cursor() noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weir

#endif  // WEIR_MATCHER_H_
