// GrammarMatcher: a cursor over one output; what an inference loop calls at every token.
//
// WHAT   fill_next_token_bitmask says which tokens may come next, accept_token moves on. For a prefix w of bytes, token
//        t is allowed iff w followed by the bytes of t is a prefix of a string of the language; a stop token iff w is
//        one. So every output has a way to its end in bytes. Whether tokens can spell those bytes is the vocabulary's
//        affair: where it lacks a byte, a mask may be empty though the output is not complete.
//        Where rules have a bound on tokens (`max_tokens`, docs/ebnf.md), tokens count, too: t is allowed iff some
//        reading keeps all bounds and more tokens can end what is open within them, as far as such tokens are found.
// HOW    A state is an integer: an interned parser configuration. A matcher is a vector of them, one for each accepted
//        token, so that rollback truncates and fork copies.
// COST   For a state that was seen before, a copy of the mask's words and a table look-up a byte of token.
// THREADS One thread a matcher at a time; any number of matchers share one CompiledGrammar.
// MEMORY What is explored is shared and could not be undone halfway, so an allocation that fails in a member that
//        explores ends the program (they are noexcept). Copying a matcher may throw std::bad_alloc. See
//        Limits::state_memory for how much is kept. An object of weir that was moved from may only be destroyed or
//        assigned to.
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

/// The outcome of a step. On anything but kOk the matcher is unchanged.
enum class [[nodiscard]] Step : std::uint8_t{
    kOk,
    kRefused,        ///< The token or the bytes do not continue a string of the language.
    kTerminated,     ///< A stop token was accepted before; only rollback and reset are possible.
    kLimitExceeded,  ///< A limit of exploring was met; GrammarMatcher::limit_message names it.
    kBadArgument,    ///< A token id out of range, a bitmask of the wrong size, a rollback past the beginning.
};

WEIR_API std::string_view to_string(Step step) noexcept;

/// Which token sequences an output may consist of.
enum class Tokenization : std::uint8_t {
  kAny,        ///< Every sequence of tokens whose bytes are in the language.
  kCanonical,  ///< The one sequence for each text that the tokenizer itself would write.
};

struct MatcherOptions {
  /// Whether the output stands at the beginning of a text, so that the tokenizer's leading-space rule (if it has one)
  /// applies to the first token. False for an output that continues a text.
  bool at_text_start = true;
  /// kCanonical: docs/canonical.md says when to use it. Needs a tokenizer that TokenizerInfo::canonical_support accepts
  /// and a grammar without rules bounded in tokens; GrammarMatcher::create reports what is refused.
  Tokenization tokenization = Tokenization::kAny;
  /// With kCanonical: the tokens before the output since the beginning of the text or the last special token, or more.
  /// What may come depends on them: behind `th` the tokenizer would not write `e` by itself. Empty: at_text_start says
  /// where the output stands.
  std::vector<std::uint32_t> context = {};
};

/// What may come next, for people.
struct Expectation {
  std::vector<std::string> terminals =
      {};                                ///< Names of terminals in progress or expected, each once, in grammar order.
  std::vector<std::uint8_t> bytes = {};  ///< The bytes that may come next, ascending.
  bool end = false;                      ///< Whether the output may end here.
};

/// Why a token may come or not.
struct TokenExplanation {
  bool allowed = false;
  std::size_t bytes_matched = 0;  ///< Bytes of the token that continue the output.
  std::string reason = {};        ///< A sentence, empty when allowed.
  Expectation expected = {};      ///< At the byte that was refused.
};

/// A part of a way to the end: text, or a token that a token terminal takes as a whole.
struct CompletionPart {
  std::string text = {};
  std::optional<std::uint32_t> token = {};  ///< Where there is one, `text` is empty.
  friend bool operator==(const CompletionPart&, const CompletionPart&) = default;
};

/// A part of the output that the grammar gives a name, such as `@capture(name: ...)` in EBNF.
struct Capture {
  std::string name = {};
  std::size_t begin = 0, end = 0;  ///< Bytes of GrammarMatcher::text.
  bool complete = false;           ///< False for one that has begun and is not done: `end` is where the text ends.
  friend bool operator==(const Capture&, const Capture&) = default;
};

/// What is known of the state that a matcher stands in.
struct StateStats {
  std::uint32_t state = 0;    ///< GrammarMatcher::state_id.
  std::uint32_t threads = 0;  ///< Readings of the text that are followed at once.
  std::uint32_t terminals_in_progress =
      0;                                ///< Terminals begun or expected, with what is left of each, over all threads.
  std::uint32_t byte_classes = 0;       ///< Classes of bytes that the grammar tells apart.
  std::uint32_t known_transitions = 0;  ///< How many of them have been explored from here.
  bool mask_known = false;              ///< Whether the next mask is a copy.
};

class WEIR_API GrammarMatcher {
 public:
  /// Precondition: create() accepts the options; all default ones are accepted. A matcher of options that are refused
  /// returns kBadArgument at every step.
  explicit GrammarMatcher(CompiledGrammar compiled, const MatcherOptions& options = {});
  /// A matcher, or why there is none.
  /// Errors   kUnsupported: canonical tokenization with a tokenizer or a grammar that does not have it.
  ///          kInvalidArgument: a context that the tokenizer would not write; `where.start` is the index of the first
  ///          token that is not as it would write it.
  static Result<GrammarMatcher> create(CompiledGrammar compiled, const MatcherOptions& options = {});
  GrammarMatcher(const GrammarMatcher&);
  GrammarMatcher& operator=(const GrammarMatcher&);
  GrammarMatcher(GrammarMatcher&&) noexcept;
  GrammarMatcher& operator=(GrammarMatcher&&) noexcept;
  ~GrammarMatcher();

  /// Writes into `bitmask` the set of tokens that may come next.
  ///
  /// Bit `t` is set iff the bytes accepted so far followed by the bytes of token `t` are a prefix of a string of the
  /// grammar's language, or a token terminal of the grammar allows `t` here; a stop token's bit iff the bytes accepted
  /// so far are such a string, or a token terminal lists it here. Text tokens that never add a byte are not allowed.
  ///
  /// Shape    `bitmask.size() == bitmask_words(vocab_size)`. Bits from `vocab_size` on are 0.
  /// Returns  kOk; kTerminated; kLimitExceeded; kBadArgument (size). On all but kOk it is all zero.
  /// Cost     A copy when the state's mask is known; else it is put together (engine/mask/mask.h). Under a JSON schema also
  ///          a look at the tokens with several quotes, and at those that would end a key that has been.
  Step fill_next_token_bitmask(std::span<std::uint32_t> bitmask) noexcept;

  /// Names the mask that fill_next_token_bitmask would write, for callers that keep masks on a device: of matchers of
  /// one CompiledGrammar, equal ids have equal masks, so each needs to be fetched once. Dropping caches
  /// (Limits::state_memory) leads to new ids for old masks, never to an old id for another mask. None where the mask is
  /// this text's alone (under a JSON schema, when it leaves out a key that has been), and where there is no mask: after
  /// a stop token, and on a limit, which limit_message names.
  /// Cost     That of fill_next_token_bitmask less the writing.
  [[nodiscard]] std::optional<std::uint64_t> next_token_mask_id() noexcept;

  /// Masks behind each node of a tree of drafted tokens. Node i is token `tokens[i]` behind node `parents[i]`, which is
  /// a smaller number, or -1 for where the matcher stands; the mask there is fill_next_token_bitmask's. The matcher is
  /// unchanged afterwards.
  ///
  /// Shape    n tokens, n parents, n steps, and n rows of bitmask_words(vocab_size) words one behind the other.
  ///          `steps[i]` says what accepting node i's token returned, kRefused behind a parent that was not accepted.
  ///          Row i is all zero unless that is kOk, and behind a stop token. A limit that is met makes a step
  ///          kLimitExceeded.
  /// Returns  kOk; kBadArgument for shapes and parents that are not so, and then nothing is written.
  /// Cost     An accept_token and a fill_next_token_bitmask a node; memory for the deepest path.
  Step fill_draft_tree_bitmasks(std::span<const std::uint32_t> tokens, std::span<const std::int32_t> parents,
                                std::span<std::uint32_t> bitmasks, std::span<Step> steps) noexcept;

  /// Whether accept_token(token) would return kOk, without computing a mask. False on a limit; limit_message says so.
  [[nodiscard]] bool is_token_allowed(std::uint32_t token) noexcept;

  /// Appends a token. A stop token ends the output; from then on is_terminated().
  Step accept_token(std::uint32_t token) noexcept;

  /// Appends bytes, all or nothing, as one step: rollback(1) takes them all back. Chunking makes no difference. For
  /// bounds on tokens they belong to the token before them.
  Step accept_bytes(std::string_view bytes) noexcept;

  /// Tokenizes `text` and accepts its tokens, one step each, all or none. The tokens are those of `text` alone; with
  /// canonical tokenization they must also be what the tokenizer writes after the output so far.
  /// Returns  kOk; kRefused: a token is not allowed; kTerminated; kLimitExceeded; kBadArgument: the tokenizer has no
  ///          tokens for the text.
  Step accept_text(std::string_view text);
  Step accept_string(std::string_view text) noexcept { return accept_bytes(text); }

  /// The longest prefix of `bytes` that may come next, in bytes. Changes nothing. Shorter on a limit; limit_message
  /// says so.
  [[nodiscard]] std::size_t longest_viable_prefix(std::string_view bytes) noexcept;

  /// Takes back the last `steps` steps, stop tokens included. No limit. Returns kOk or kBadArgument (too many).
  Step rollback(std::size_t steps) noexcept;

  /// A second cursor at the same place. Cost: a copy of the history, no exploring.
  [[nodiscard]] GrammarMatcher fork() const { return *this; }

  /// Back to the beginning. Lets go of what this matcher alone held on to (Limits::state_memory).
  void reset() noexcept;

  /// Steps accepted so far, stop token included.
  [[nodiscard]] std::size_t step_count() const noexcept;

  /// Whether a stop token was accepted.
  [[nodiscard]] bool is_terminated() const noexcept;

  /// Whether the output so far is a string of the language, so that it may end here.
  [[nodiscard]] bool is_completed() const noexcept;

  /// The longest byte string that every way on begins with; empty where there is a choice or the output may end. May
  /// end inside a character. Cut short on a limit; limit_message says so.
  /// Cost: a look-up for each byte class (StateStats::byte_classes) a byte when known.
  [[nodiscard]] std::string find_jump_forward_string() noexcept;

  /// Tokens that the tokenizer itself gives for the forced bytes, taken as a text of their own, whatever comes behind
  /// them: those at the end that further text could still change are left out. How many that leaves depends on the
  /// algorithm: with longest match all up to a longer token's beginning; behind a pattern (byte-level BPE, WordPiece)
  /// those of all pieces but the last; for SentencePiece and others that read the whole text at once, none. Of a text
  /// that a normalizer may change only the leading ASCII counts. Empty where nothing is forced or the tokenizer cannot
  /// cut text.
  /// Cost: find_jump_forward_string, and tokenizing the bytes.
  [[nodiscard]] std::vector<std::uint32_t> forced_tokens() noexcept;

  /// A shortest byte string that makes the output complete; empty when it is complete already. Of a JSON schema,
  /// objects and arrays that have not begun are short ones that were found, not always the shortest. None where the way
  /// needs a token terminal; where a look-ahead (greedy terminals) refuses the shortest text and Limits end the search
  /// for another; where the text would be longer than Limits::completion_bytes; and behind the beginning of a rule that
  /// is kept without having an end (GrammarTextOptions::keep_endless).
  /// Cost: looks at what is nested below the state, and once at the whole grammar; for finishing an output, not for
  /// every token.
  [[nodiscard]] std::optional<std::string> shortest_completion() noexcept;

  /// The same where the way to the end may need token terminals: texts and tokens in turn, with as few tokens as can be
  /// and, of such ways, with the fewest bytes. Of a token terminal's tokens it names one. None only where Limits are
  /// met, which limit_message says, and where there is no end.
  [[nodiscard]] std::optional<std::vector<CompletionPart>> shortest_completion_parts() noexcept;

  /// The text of the output so far: what tokens and bytes have added to it. Special tokens add nothing.
  [[nodiscard]] std::string text() const;

  /// The captures of the output so far, in the order in which they begin, an outer one before those in it. Where the
  /// output may end here it is read as ended, else as a beginning, whose last captures may not be complete. Of several
  /// readings one is chosen, always the same for the same text: docs/ebnf.md says which. Empty on a limit;
  /// limit_message says so.
  /// Cost     The first time a parse of the output, about linear in its text where the grammar is not ambiguous, at
  ///          most cubic; from then on what has come since, and anew behind a rollback. Masks and steps cost nothing
  ///          for it.
  [[nodiscard]] std::vector<Capture> captures() noexcept;

  /// The temperature that the grammar asks for here (docs/ebnf.md): the highest one of those that the next byte may be
  /// under; none where there is none, and behind a stop token. For whoever samples; masks do not depend on it.
  /// Cost     Nothing in a grammar without temperatures, else what is in progress.
  [[nodiscard]] std::optional<float> temperature() noexcept;

  [[nodiscard]] Expectation expected() noexcept;
  [[nodiscard]] TokenExplanation explain(std::uint32_t token) noexcept;

  /// Counts about the state, for inspection. Cost: O(threads + byte classes); explores nothing but what a flushed cache
  /// needs.
  [[nodiscard]] StateStats state_stats() noexcept;

  /// The state's number, for inspection: equal configurations have equal ids as long as no cache flush comes between.
  /// Under a JSON schema the keys of open objects are not part of it, so equal ids may have masks that differ in keys.
  [[nodiscard]] std::uint32_t state_id() noexcept;

  /// After a call that met a limit, by kLimitExceeded or by an answer cut short: which field of Limits, and what to do.
  /// Otherwise empty.
  [[nodiscard]] std::string limit_message() const;

  [[nodiscard]] const CompiledGrammar& compiled_grammar() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weir

#endif  // WEIR_MATCHER_H_
