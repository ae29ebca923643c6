#include "member_sampler.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "canonical_option.h"
#include "commands.h"
#include "engine/automaton/compiled.h"
#include "engine/automaton/completion.h"
#include "inputs.h"
#include "text.h"

namespace weir::cli {

namespace {

// std::uniform_int_distribution is not used, because it differs between standard libraries; a seed must give the same
// member everywhere.
std::size_t below(std::mt19937_64& random, std::size_t bound) { return static_cast<std::size_t>(random() % bound); }

bool chance(std::mt19937_64& random, double probability) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53 < probability;
}

// A completion takes time in proportion to its length, so one of n tokens is looked for again after n / kCompletionsShare
// tokens: of 128 tokens and fewer after each token, and of longer ones so rarely that a text takes linear time.
constexpr std::size_t kCompletionsShare = 64;

// Kinds of first bytes. The kind of a punctuation character is its code, which is below 128.
constexpr std::size_t kLetter = 128, kDigit = 129, kBlank = 130, kOther = 131, kKinds = 132;

std::size_t kind_of(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if ((byte | 0x20U) >= 'a' && (byte | 0x20U) <= 'z') return kLetter;
  if (byte >= '0' && byte <= '9') return kDigit;
  if (byte == ' ' || (byte >= '\t' && byte <= '\r')) return kBlank;
  return byte < 0x20 || byte >= 0x7F ? kOther : byte;
}

}  // namespace

MemberSampler::MemberSampler(const CompiledGrammar& compiled, const SamplerOptions& options, const MatcherOptions& how)
    : matcher_(make_matcher(compiled, how)),
      options_(options),
      plain_(how.tokenization == Tokenization::kAny
                 ? std::nullopt
                 : std::optional(GrammarMatcher(compiled, {.at_text_start = how.at_text_start, .context = {}}))) {
  const TokenizerInfo& info = matcher_.compiled_grammar().tokenizer_info();
  bitmask_.resize(bitmask_words(info.vocab_size()));
  for (std::uint32_t id = 0; id < info.vocab_size(); ++id) {
    const std::string_view bytes = info.token_bytes(id);
    if (bytes.empty()) continue;
    by_bytes_.emplace(bytes, id);
    if (plain_) all_by_bytes_[bytes].push_back(id);
    longest_token_ = std::max(longest_token_, bytes.size());
  }
  if (plain_) refuse_if_nothing_may_come();
  refuse_if_too_long();
  const std::optional<std::vector<std::uint32_t>> shortest = completion_tokens({});
  is_endless_ = !has_end_;
  if (is_endless_) return;
  if (!shortest) {
    throw InputError(
        fmt::format("the tokenizer cannot spell `{}`, a shortest text of the grammar: no tokens of the "
                    "vocabulary have these bytes in a row",
                    escape(unspelled_)));
  }
  if (shortest->size() > options_.max_tokens) {
    throw InputError(fmt::format("no member fits into {} tokens (--max-tokens): the shortest that was found takes {}",
                                 options_.max_tokens, shortest->size()));
  }
}

void MemberSampler::refuse_if_nothing_may_come() {
  if (matcher_.is_completed()) return;
  if (matcher_.fill_next_token_bitmask(bitmask_) != Step::kOk) throw_on_limit(matcher_);
  const auto is_empty = [](std::uint32_t word) { return word == 0; };
  if (!std::all_of(bitmask_.begin(), bitmask_.end(), is_empty)) return;
  throw InputError("--canonical: the tokenizer gives back no text of the grammar");
}

// Throws an InputError if a completion has more tokens than max_tokens by an estimate from the grammar alone. Computing
// an actual completion of a million items would take half a minute.
void MemberSampler::refuse_if_too_long() {
  engine::SharedAutomaton& automaton = *matcher_.compiled_grammar().impl()->automaton();
  const engine::StopTokens stops(matcher_.compiled_grammar().tokenizer_info().vocabulary());
  const engine::Completion estimate = engine::estimate_completion(automaton, automaton.start(), stops);
  if (!estimate.parts) return;
  std::size_t bytes = 0, tokens = 0;
  for (const CompletionPart& part : *estimate.parts) (part.token ? tokens : bytes) += part.token ? 1 : part.text.size();
  const std::size_t least = tokens + bytes / std::max<std::size_t>(longest_token_, 1);
  if (least <= options_.max_tokens) return;
  throw InputError(fmt::format("no member fits into {} tokens (--max-tokens): the shortest that was found has {} bytes",
                               options_.max_tokens, bytes));
}

Member MemberSampler::draw(std::uint64_t index) {
  std::seed_seq seed{static_cast<std::uint32_t>(options_.seed), static_cast<std::uint32_t>(options_.seed >> 32),
                     static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32)};
  std::mt19937_64 random(seed);
  matcher_.reset();
  if (plain_) plain_->reset();
  if (is_endless_) return draw_endless(random);
  Member member;
  std::vector<std::uint32_t> finish = *completion_tokens({});  // the constructor has checked that there is a completion
  std::size_t known_at = 0;                                    // `finish` completes so many of the member's tokens
  const auto is_known = [&] { return known_at == member.tokens.size(); };
  // Finds the completion of all tokens so far. Returns false if there is none that fits.
  const auto find_finish = [&] {
    std::optional<std::vector<std::uint32_t>> found = completion_tokens(member.tokens);
    if (!found || member.tokens.size() + found->size() > options_.max_tokens) return false;
    finish = *std::move(found);
    known_at = member.tokens.size();
    return true;
  };
  while (true) {
    std::uint32_t token = 0;
    const double used = static_cast<double>(member.tokens.size()) / options_.max_tokens;
    if (chance(random, 2 * options_.steer * used) && is_known()) {
      if (finish.empty()) break;
      token = finish.front();
    } else {
      const std::optional<std::uint32_t> any = random_allowed_token(random);
      if (!any) break;
      token = *any;
    }
    accept(token);
    member.tokens.push_back(token);
    if (member.tokens.size() - known_at >= finish.size() / kCompletionsShare && !find_finish()) break;
  }
  if (!is_known() && !find_finish()) {
    const std::size_t steps = member.tokens.size() - known_at;
    member.tokens.resize(known_at);
    if (matcher_.rollback(steps) != Step::kOk) throw InputError("internal error: steps could not be taken back");
    if (plain_) static_cast<void>(plain_->rollback(steps));
  }
  member.walked = member.tokens.size();
  for (const std::uint32_t token : finish) {
    if (matcher_.accept_token(token) != Step::kOk) throw InputError("internal error: a completion was refused");
    member.tokens.push_back(token);
  }
  if (!matcher_.is_completed()) throw InputError("internal error: a completion does not complete");
  member.text = matcher_.compiled_grammar().tokenizer_info().decode(member.tokens);
  return member;
}

Member MemberSampler::draw_endless(std::mt19937_64& random) {
  Member member;
  while (member.tokens.size() < options_.max_tokens) {
    const std::optional<std::uint32_t> token = random_allowed_token(random);
    if (!token) throw InputError("no token of the vocabulary goes on with a text of the grammar, and none may end");
    accept(*token);
    member.tokens.push_back(*token);
  }
  member.walked = member.tokens.size();
  member.text = matcher_.compiled_grammar().tokenizer_info().decode(member.tokens);
  return member;
}

void MemberSampler::accept(std::uint32_t token) {
  if (matcher_.accept_token(token) == Step::kOk) {
    if (plain_) static_cast<void>(plain_->accept_token(token));
    return;
  }
  throw_on_limit(matcher_);
  const std::string text = matcher_.text();
  throw InputError(fmt::format("internal error: token {} is in the mask after `{}` and was refused", token,
                               escape(text, text.size())));
}

void MemberSampler::find_allowed_tokens() {
  const TokenizerInfo& info = matcher_.compiled_grammar().tokenizer_info();
  if (matcher_.fill_next_token_bitmask(bitmask_) != Step::kOk) throw_on_limit(matcher_);
  const auto stops = info.stop_token_ids();
  allowed_.assign(kKinds, {});
  for (std::uint32_t id = 0; id < info.vocab_size(); ++id) {
    if (!bitmask_get(bitmask_, id) || std::find(stops.begin(), stops.end(), id) != stops.end()) continue;
    const std::string_view bytes = info.token_bytes(id);
    allowed_[bytes.empty() ? kOther : kind_of(bytes.front())].push_back(id);
  }
}

// Returns a random allowed token, or nullopt to end the text.
std::optional<std::uint32_t> MemberSampler::random_allowed_token(std::mt19937_64& random) {
  find_allowed_tokens();
  // If nearly all punctuation is allowed, the text is free text, and all punctuation together counts as one kind.
  constexpr std::size_t kFreeText = 20;
  std::vector<std::uint32_t> punctuation;
  std::size_t punctuation_kinds = 0;
  for (std::size_t kind = 0; kind < kLetter; ++kind) {
    punctuation_kinds += allowed_[kind].empty() ? 0 : 1;
    punctuation.insert(punctuation.end(), allowed_[kind].begin(), allowed_[kind].end());
  }
  std::vector<const std::vector<std::uint32_t>*> kinds;
  const bool free_text = punctuation_kinds >= kFreeText;
  if (free_text) kinds.push_back(&punctuation);
  for (std::size_t kind = free_text ? kLetter : 0; kind < kKinds; ++kind) {
    if (allowed_[kind].empty()) continue;
    // Letters are preferred, as in most texts; white space, which most languages allow nearly everywhere, is rare.
    const std::size_t weight = kind == kLetter ? 4 : kind == kBlank ? 1 : 2;
    kinds.insert(kinds.end(), weight, &allowed_[kind]);
  }
  const std::size_t ends = matcher_.is_completed() ? 2 : 0;
  const std::size_t chosen = kinds.empty() ? 0 : below(random, kinds.size() + ends);
  if (chosen >= kinds.size()) return std::nullopt;
  const std::vector<std::uint32_t>& tokens = *kinds[chosen];
  const std::uint32_t a = tokens[below(random, tokens.size())], b = tokens[below(random, tokens.size())];
  const TokenizerInfo& info = matcher_.compiled_grammar().tokenizer_info();
  return info.token_bytes(a).size() < info.token_bytes(b).size() ? a : b;
}

// Returns the tokens of a completion; without canonical tokenization it is a shortest one. Returns nullopt if there is
// none (has_end_ is then false), or if the tokenizer cannot spell a part of it, which is then stored in unspelled_.
// Throws InputError if a limit is met; but in a canonical walk that has begun, returns nullopt with has_end_ false.
std::optional<std::vector<std::uint32_t>> MemberSampler::completion_tokens(std::span<const std::uint32_t> before) {
  if (plain_) {
    if (const auto by_grammar = plain_->shortest_completion_parts()) {
      if (auto ids = spell_canonically(*by_grammar)) return ids;
    }
  }
  const std::optional<std::vector<CompletionPart>> parts = matcher_.shortest_completion_parts();
  has_end_ = parts.has_value();
  if (!parts && plain_ && !before.empty()) return std::nullopt;  // a search met a limit: the walk avoids this token
  if (!parts) {
    throw_on_limit(matcher_);
    return std::nullopt;
  }
  if (plain_) return spell_canonically(*parts);
  const TokenizerInfo& info = matcher_.compiled_grammar().tokenizer_info();
  const auto is_text = [&](std::uint32_t id) { return !info.token_bytes(id).empty(); };
  bool begins_text = std::none_of(before.begin(), before.end(), is_text);
  std::vector<std::uint32_t> ids;
  for (const CompletionPart& part : *parts) {
    if (part.token) {
      ids.push_back(*part.token);
      begins_text = begins_text && !is_text(*part.token);
      continue;
    }
    const std::optional<std::vector<std::uint32_t>> spelled = spell(part.text, begins_text);
    if (!spelled) {
      unspelled_ = part.text;
      return std::nullopt;
    }
    ids.insert(ids.end(), spelled->begin(), spelled->end());
    begins_text = begins_text && part.text.empty();
  }
  return ids;
}

// Returns the canonical tokens if they decode to exactly this text, otherwise those that cover() finds. Some tokenizers
// insert a space before a text, drop characters that have no token, or write special tokens.
std::optional<std::vector<std::uint32_t>> MemberSampler::spell(std::string_view text, bool begins_text) const {
  const TokenizerInfo& info = matcher_.compiled_grammar().tokenizer_info();
  if (is_valid_utf8(text)) {
    Result<std::vector<std::uint32_t>> ids = info.tokenize(text);
    std::string said;
    if (ids && begins_text) said = info.decode(*ids);
    for (std::size_t i = 0; ids && !begins_text && i < ids->size(); ++i) said += info.token_bytes((*ids)[i]);
    const auto has_no_bytes = [&](std::uint32_t id) { return info.token_bytes(id).empty(); };
    if (ids && said == text && std::none_of(ids->begin(), ids->end(), has_no_bytes)) return *std::move(ids);
  }
  return cover(text, begins_text);
}

// Returns the tokens of a completion that the canonical matcher accepts; nullopt if none are found. The matcher is
// afterwards in its state from before. A text has one canonical tokenization, so the matcher refuses a token that is
// not part of it at once or a few tokens later.
std::optional<std::vector<std::uint32_t>> MemberSampler::spell_canonically(std::span<const CompletionPart> parts) {
  const TokenizerInfo& info = matcher_.compiled_grammar().tokenizer_info();
  const std::size_t steps_before = matcher_.step_count();
  std::vector<std::uint32_t> ids;
  const auto accept_next = [&](const std::string& whole, std::size_t from_length) -> std::size_t {
    const std::string at = matcher_.text();
    const std::string_view rest = std::string_view(whole).substr(at.size());
    const auto accepts = [&](std::string_view bytes) {
      const auto found = all_by_bytes_.find(bytes);
      if (found == all_by_bytes_.end()) return false;
      for (const std::uint32_t token : found->second) {
        if (matcher_.accept_token(token) != Step::kOk) continue;
        if (whole.starts_with(matcher_.text())) {
          ids.push_back(token);
          return true;
        }
        static_cast<void>(matcher_.rollback(1));
      }
      return false;
    };
    // `length` is the number of bytes plus 1; 0 means that no token is left. It is 1 for the token of a single space,
    // which the start of a text may drop.
    for (std::size_t length = std::min(from_length, rest.size() + 1); length != 0; --length) {
      const std::string_view bytes = rest.substr(0, length - 1);
      if (accepts(bytes) || (at.empty() && info.drops_leading_space() && accepts(" " + std::string(bytes)))) {
        return length;
      }
    }
    return 0;
  };
  const auto give_up = [&](std::string text) -> std::optional<std::vector<std::uint32_t>> {
    static_cast<void>(matcher_.rollback(matcher_.step_count() - steps_before));
    unspelled_ = std::move(text);
    return std::nullopt;
  };
  for (const CompletionPart& part : parts) {
    if (part.token) {
      if (matcher_.accept_token(*part.token) != Step::kOk) return give_up(part.text);
      ids.push_back(*part.token);
      continue;
    }
    const std::string whole = matcher_.text() + part.text;
    std::vector<std::size_t> lengths;  // of the tokens of this part
    std::size_t from_length = longest_token_ + 1;
    std::size_t attempts = 1000 + 100 * part.text.size();
    while (matcher_.text().size() != whole.size()) {
      if (attempts-- == 0) return give_up(part.text);
      const std::size_t length = accept_next(whole, from_length);
      from_length = longest_token_ + 1;
      if (length != 0) {
        lengths.push_back(length);
        continue;
      }
      if (lengths.empty()) return give_up(part.text);
      static_cast<void>(matcher_.rollback(1));
      ids.pop_back();
      from_length = lengths.back() - 1;
      lengths.pop_back();
    }
  }
  if (!matcher_.is_completed()) return give_up("");
  static_cast<void>(matcher_.rollback(ids.size()));
  return ids;
}

// Returns tokens whose bytes are the text; nullopt if there are none. From the end to the start, finds at each byte the
// longest token after which the rest can be covered. This is needed for the last bytes of a character, which have no
// canonical tokens.
std::optional<std::vector<std::uint32_t>> MemberSampler::cover(std::string_view text, bool begins_text) const {
  const bool drops_space = begins_text && matcher_.compiled_grammar().tokenizer_info().drops_leading_space();
  struct Step {
    std::uint32_t id = 0;
    std::uint32_t length = 0;  // 0: the text from here on cannot be covered
  };
  std::vector<Step> steps(text.size());
  const auto covered = [&](std::size_t at) { return at == text.size() || steps[at].length != 0; };
  for (std::size_t at = text.size(); at-- != 0;) {
    for (std::size_t length = std::min(longest_token_, text.size() - at); length != 0; --length) {
      if (!covered(at + length)) continue;
      const std::string_view bytes = text.substr(at, length);
      auto found = by_bytes_.end();
      if (at == 0 && drops_space) {
        found = by_bytes_.find(" " + std::string(bytes));
        if (found == by_bytes_.end() && bytes.front() == ' ') continue;
      }
      if (found == by_bytes_.end()) found = by_bytes_.find(bytes);
      if (found == by_bytes_.end()) continue;
      steps[at] = {found->second, static_cast<std::uint32_t>(length)};
      break;
    }
  }
  if (!covered(0)) return std::nullopt;
  std::vector<std::uint32_t> ids;
  for (std::size_t at = 0; at < text.size(); at += steps[at].length) ids.push_back(steps[at].id);
  return ids;
}

}  // namespace weir::cli
