// Automata over tokens: the tokenizations of a regular language by a table of merges.
//
// WHAT   TokenDfa is a deterministic automaton whose symbols are token ids. direct_merge changes one so that it accepts
//        the results of merges in its token sequences. TokenizerDfa says which token may follow which in the output of
//        a tokenizer, for all texts. ByteDfa is a language of bytes. CartesianMerge combines the two: its language is
//        that of direct_merge, without writing all transitions out.
// WHY    These are the algorithms of the paper below, as it states them: to build an automaton that an engine can walk,
//        to compare methods, and to check faster ones. `weir index` writes such automata to files.
// TERMS  A *merge* (left, right, result): wherever token `left` is directly before token `right`, both become `result`.
//        In a run of equal tokens these are the first two, then the next two. A *table* is a list of merges. To
//        tokenize a text, begin with one *unit* (a token of one character, here of one byte) for each character; then
//        apply each merge of the table, in order, once to the whole sequence. A token is *made* if it is the
//        tokenization of its own text.
// LIMITS Here a text is tokenized merge by merge. Tokenizers take the best merge anywhere first. Both give the same
//        result for a *proper* table: one in which the merges that make `left` and `right` come before the merge of the
//        two. The tables that training writes are proper. There is no pre-tokenizer here: a text is one piece.
//        Limits::token_dfa_states and Limits::token_dfa_transitions bound what is built.
// THREADS Values. Const members may be called concurrently.
// REFERENCES Vivien Tran-Thien, Fast, High-Fidelity LLM Decoding with Regex Constraints: Technical Appendix, 2024.
//        "Algorithm" and "section" below mean that paper's.
//
//     // tokenize(L) for L = (ab)*c over the tokens a, b, c, ab.
//     TokenDfaSpec spec;
//     spec.states = {{false, {{0, DfaState{1}}, {2, DfaState{2}}}},  // state 0 reads a and c
//                    {false, {{1, DfaState{0}}}},                    // state 1 reads b
//                    {true, {}}};
//     const TokenDfa paths = *TokenDfa::create(spec);
//     const TokenDfa canonical = *direct_merge(paths, TokenMerge{0, 1, 3});
//     const std::uint32_t tokens[] = {3, 3, 2};
//     canonical.matches(tokens);  // true: ab ab c
#ifndef WEIR_TOKEN_DFA_H_
#define WEIR_TOKEN_DFA_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/export.h"
#include "weir/limits.h"

namespace weir {

/// Numbers a state of one automaton.
enum class DfaState : std::uint32_t {
  kStart = 0,          ///< Where every text begins.
  kNone = UINT32_MAX,  ///< No state.
};

struct TokenMerge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t result = 0;
  friend bool operator==(const TokenMerge&, const TokenMerge&) = default;
};

/// A tokenizer without its pre-tokenizer.
struct MergeTable {
  std::vector<std::uint32_t> units = {};
  std::vector<TokenMerge> merges = {};
};

/// Returns the table of a tokenizer that is given as a list of tokens. The rank of a token is its index, as in
/// tiktoken's files. A token of one byte is a unit. A longer token is the result of a merge of two tokens: those that
/// merges of lower rank make of its bytes. If these are not two tokens, the token has no merge, and no text is
/// tokenized to it. Empty strings are ignored; the first of equal tokens counts.
/// Cost     Quadratic in the length of each token.
/// Errors   kInvalidArgument: more than 2^21 - 1 tokens.
WEIR_API Result<MergeTable> merges_by_rank(std::span<const std::string_view> tokens);

// ---- Automata over tokens ----

struct TokenTransition {
  std::uint32_t token = 0;
  DfaState target = DfaState::kNone;
  friend bool operator==(const TokenTransition&, const TokenTransition&) = default;
};

/// The input of TokenDfa::create. State 0 is the start.
struct TokenDfaSpec {
  struct State {
    bool accepts = false;
    std::vector<TokenTransition> transitions = {};  ///< In any order, at most one for each token.
  };
  std::vector<State> states = {};
};

class WEIR_API TokenDfa {
 public:
  /// Makes the automaton with no accepting state.
  TokenDfa();

  /// Makes an automaton. Except for the start, states that are on no path from the start to an accepting state are left
  /// out. The others are numbered in the order of a breadth-first walk that takes transitions by ascending token.
  /// Errors   kInvalidArgument: no state, a target out of range, two transitions of a state for one token, a token id
  ///          above 2^21 - 2.
  /// Cost     O(n log n) in states and transitions.
  static Result<TokenDfa> create(const TokenDfaSpec& spec);

  [[nodiscard]] std::uint32_t state_count() const noexcept { return static_cast<std::uint32_t>(accepts_.size()); }
  [[nodiscard]] std::size_t transition_count() const noexcept { return transitions_.size(); }

  // Precondition below: `state` is a state of this automaton.

  [[nodiscard]] bool accepts(DfaState state) const noexcept { return accepts_[static_cast<std::size_t>(state)]; }
  /// Returns the transitions of a state by ascending token.
  [[nodiscard]] std::span<const TokenTransition> transitions(DfaState state) const noexcept;
  /// Returns the state after `token`; kNone if it cannot come. Cost: O(log n) in the transitions of `state`.
  [[nodiscard]] DfaState step(DfaState state, std::uint32_t token) const noexcept;

  /// Returns true if the automaton accepts these tokens.
  [[nodiscard]] bool matches(std::span<const std::uint32_t> tokens) const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Equal automata accept the same sequences; the reverse need not hold.
  friend bool operator==(const TokenDfa&, const TokenDfa&) = default;

 private:
  std::vector<bool> accepts_;
  std::vector<std::size_t> begin_;  // [state]: its first transition; one more at the end
  std::vector<TokenTransition> transitions_;
};

/// Applies the merge to each sequence that `dfa` accepts. Returns the automaton that accepts the results.
///
/// Algorithm 1 is used if `left` and `right` differ: a state between a transition by `left` and one by `right` is split
/// by the other tokens before and after it, and a transition by `result` bypasses it. Algorithm 2 is used if they are
/// equal: states are first doubled, for an odd and an even number of equal tokens before them. In line 15 of Algorithm
/// 2, S_a is a state of the given automaton: the states that lines 4 to 12 add are already connected.
///
/// Errors   kInvalidArgument: `result` equals `left` or `right`; an id is above 2^21 - 2; the result would not be
///          deterministic, because `dfa` has a transition by `result` and also a path by `left` and `right`. The latter
///          cannot happen if `dfa` accepts tokenizations by one table. kLimitExceeded: token_dfa_states,
///          token_dfa_transitions.
/// Cost     Reading and writing `dfa`; Algorithm 1 also the transitions that it changes, Algorithm 2 linear in `dfa`.
WEIR_API Result<TokenDfa> direct_merge(const TokenDfa& dfa, TokenMerge merge, const Limits& limits = {});

/// Does the same for each merge in order; `dfa` is read and the result written once.
/// Errors   As above, for the first merge that has one.
/// Cost     Each merge may multiply the transitions of some states: the 208 transitions of `[a-z]{1,8}` become 330,000
///          by GPT-2's first 1,024 merges.
WEIR_API Result<TokenDfa> direct_merge(const TokenDfa& dfa, std::span<const TokenMerge> merges,
                                       const Limits& limits = {});

// ---- All texts: which token may follow which ----

/// Numbers a state of a TokenizerDfa.
enum class TokenizerState : std::uint32_t {
  kNone = UINT32_MAX,  ///< The start of a text, where no token is forbidden. After a token that is not made: no state.
};

/// The automaton of tokenize(all texts). All its states accept, and all transitions by one token lead to one state. So
/// it is stored as the state after each token, and for each state the made tokens that are forbidden there, its
/// *entries*. The tokens that may come next depend on the last token alone.
class WEIR_API TokenizerDfa {
 public:
  /// Makes an automaton without tokens.
  TokenizerDfa() = default;

  [[nodiscard]] std::uint32_t state_count() const noexcept {
    return begin_.empty() ? 0 : static_cast<std::uint32_t>(begin_.size() - 1);
  }
  /// Returns δ(S0, token) of the paper. `token` may be any id.
  [[nodiscard]] TokenizerState state_after(std::uint32_t token) const noexcept {
    return token < state_after_.size() ? state_after_[token] : TokenizerState::kNone;
  }
  [[nodiscard]] bool is_made(std::uint32_t token) const noexcept { return state_after(token) != TokenizerState::kNone; }
  /// Returns the made tokens that may not come in this state, ascending; none for kNone.
  [[nodiscard]] std::span<const std::uint32_t> forbidden(TokenizerState state) const noexcept;
  /// Returns true if `right` may come directly after `left`: ListAllowedTokens of Algorithm 3 for one token.
  /// Cost     O(log n) in the tokens that are forbidden.
  [[nodiscard]] bool allows(std::uint32_t left, std::uint32_t right) const noexcept;
  /// Returns true if tokenizing the text of these tokens gives these tokens.
  [[nodiscard]] bool matches(std::span<const std::uint32_t> tokens) const noexcept;
  /// Return the number of made tokens, and of pairs of made tokens that are adjacent in no tokenization.
  [[nodiscard]] std::uint32_t made_count() const noexcept;
  [[nodiscard]] std::uint64_t forbidden_pairs() const noexcept;
  /// Returns the number of entries of all states.
  [[nodiscard]] std::size_t entry_count() const noexcept { return forbidden_.size(); }
  /// Returns a bound: the ids of made tokens are below it.
  [[nodiscard]] std::uint32_t token_limit() const noexcept { return static_cast<std::uint32_t>(state_after_.size()); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  friend WEIR_API Result<TokenizerDfa> build_tokenizer_dfa(const MergeTable& table, const Limits& limits);
  friend WEIR_API TokenizerDfa fuse_states(const TokenizerDfa& dfa);

  std::vector<TokenizerState> state_after_;  // by token
  std::vector<std::size_t> begin_;           // [state]: its first entry; one more at the end
  std::vector<std::uint32_t> forbidden_;
};

/// Builds the automaton by Algorithm 3, BuildTokenizerDFA, line by line. A merge whose parts are not made yet changes
/// no text and is skipped; line 9 skips a merge whose parts are never adjacent.
///
/// The paper's S0 is the start, and also the state after each token that no merge has distinguished yet. If only one
/// such token is left, line 16 adds entries to S0 itself. They are correct after this token and wrong at the start, so
/// here the start is a state of its own: `TokenizerState::kNone`.
///
/// Errors   kInvalidArgument: an id is above 2^21 - 2; a token is both a unit and a result, or the result of two merges
///          that both happen, so its id does not stand for one text. kLimitExceeded: token_dfa_states, or more entries
///          than token_dfa_transitions.
/// Cost     GPT-2's 50,000 merges: 14,639 states with 22 million entries (`weir bench canonical` has times).
WEIR_API Result<TokenizerDfa> build_tokenizer_dfa(const MergeTable& table, const Limits& limits = {});

/// Unites states with the same entries (section 5.3).
/// Cost     Linear in the entries.
WEIR_API TokenizerDfa fuse_states(const TokenizerDfa& dfa);

/// Returns the same automaton with its transitions written out; its start is a state of its own.
/// Errors   kLimitExceeded: token_dfa_states, token_dfa_transitions.
/// Cost     The product of states and made tokens.
WEIR_API Result<TokenDfa> written_out(const TokenizerDfa& dfa, const Limits& limits = {});

// ---- Languages of bytes ----

/// A deterministic automaton over bytes: state 0 is the start.
struct ByteDfa {
  std::array<std::uint8_t, 256> class_of = {};  ///< Bytes of one class have the same transitions in all states.
  std::uint32_t class_count = 1;
  std::vector<DfaState> next = {};  ///< [state * class_count + class]; kNone: no transition.
  std::vector<bool> accepts = {};   ///< [state]

  [[nodiscard]] std::uint32_t state_count() const noexcept { return static_cast<std::uint32_t>(accepts.size()); }
  /// Precondition: `state` is one of this automaton's.
  [[nodiscard]] DfaState step(DfaState state, std::uint8_t byte) const noexcept {
    return next[static_cast<std::size_t>(state) * class_count + class_of[byte]];
  }
};

/// Returns the smallest automaton of a regular expression in weir's own dialect (docs/regex.md), over texts in UTF-8.
/// Every state is on a path from the start to an accepting state. For other dialects use `convert_to_regex` of a
/// `Grammar`.
/// Errors   kSyntax, kUnsupported, kLimitExceeded (text_bytes, nesting, repeat_count, regex_nodes) of the pattern;
///          kLimitExceeded: token_dfa_states, before the automaton is minimal. kUnsatisfiable: no text matches.
/// Cost     O(n log n) in the states before it is minimal.
WEIR_API Result<ByteDfa> byte_dfa(std::string_view pattern, const Limits& limits = {});

/// Returns the automaton of all token sequences whose bytes together are a text of `language`: "DFA 1" of Algorithm 5.
/// `tokens` are the bytes of each token; an empty one never comes. With units alone it is the input of direct_merge.
/// Errors   kInvalidArgument: `language` has no state, or a target out of range; a token has more than 2,047 bytes;
///          there are more than 2^21 - 1 tokens or 2^24 - 1 bytes. kLimitExceeded: token_dfa_transitions.
/// Cost     For each state a walk over the trie of the tokens.
WEIR_API Result<TokenDfa> token_paths(const ByteDfa& language, std::span<const std::string_view> tokens,
                                      const Limits& limits = {});

/// tokenize(L) as a product. A state is a state of L and the state of the tokenizer after the last token.
class WEIR_API CartesianMerge {
 public:
  struct State {
    DfaState language = DfaState::kStart;
    TokenizerState tokenizer = TokenizerState::kNone;
    friend bool operator==(const State&, const State&) = default;
  };
  [[nodiscard]] State start() const noexcept { return {}; }

  // Precondition below: `state` was reached from start() by tokens that may come.

  [[nodiscard]] bool accepts(State state) const noexcept;
  /// Algorithm 6, ListPotentialNextTokens: appends the tokens that may come next, ascending. None leads to a dead end.
  /// Cost     Linear in the tokens that the language allows and in the entries of the tokenizer's state.
  void append_next_tokens(State state, std::vector<std::uint32_t>& out) const;
  /// Returns the state after `token`; nullopt if it may not come.
  /// Cost     A binary search for each state of the product that tokens lead to from here.
  [[nodiscard]] std::optional<State> step(State state, std::uint32_t token) const noexcept;

  /// Return the number of states and of transitions by tokens of the language, without transitions that lead to no
  /// relevant state (section 5.4).
  [[nodiscard]] std::uint32_t language_states() const noexcept;
  [[nodiscard]] std::size_t language_transitions() const noexcept;
  /// Returns the number of states of the product that are on a path from the start to an accepting one.
  [[nodiscard]] std::uint32_t product_states() const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;  ///< The tokenizer's included.

  /// Returns the product with its transitions written out. Its language is that of direct_merge.
  /// Errors   kLimitExceeded: token_dfa_transitions.
  [[nodiscard]] Result<TokenDfa> written_out(const Limits& limits = {}) const;

 private:
  struct Data;
  friend WEIR_API Result<CartesianMerge> cartesian_merge(const ByteDfa& language,
                                                         std::span<const std::string_view> tokens,
                                                         const TokenizerDfa& tokenizer, const Limits& limits);
  explicit CartesianMerge(std::shared_ptr<const Data> data) noexcept : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;  // immutable: copies share it
};

/// Builds the product by Algorithm 5. First the language's transitions by tokens are grouped by their target and the
/// state of the tokenizer after the token; then the reachable states of the product are found, and of these the ones
/// from which the end is reachable.
/// Errors   As token_paths; kUnsatisfiable: no tokenization of a text of `language` consists of these tokens;
///          kLimitExceeded: token_dfa_states, also by the product.
/// Cost     For each state of the product the groups of its language state; the scan of a group ends at the first token
///          that may come.
WEIR_API Result<CartesianMerge> cartesian_merge(const ByteDfa& language, std::span<const std::string_view> tokens,
                                                const TokenizerDfa& tokenizer, const Limits& limits = {});

}  // namespace weir

#endif  // WEIR_TOKEN_DFA_H_
