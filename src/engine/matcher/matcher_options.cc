#include "engine/matcher/matcher_options.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/build_call.h"
#include "base/lexeme_mode.h"
#include "base/limit.h"
#include "base/limit_error.h"
#include "base/utf8.h"
#include "base/work.h"
#include "engine/canonical/canonical_product.h"
#include "engine/sets/mask.h"
#include "engine/sets/stop_tokens.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Answer;
using base::Limit;
using canonical::CanonicalId;

TokenPosition first_position(const vocab::Vocabulary& vocabulary, const MatcherOptions& options) {
  const bool is_first = options.at_text_start && options.context.empty() && vocabulary.drops_leading_space();
  return is_first ? TokenPosition::kFirst : TokenPosition::kInside;
}

CanonicalId first_canonical_state(const canonical::CanonicalAutomaton& canonical, const MatcherOptions& options) {
  if (!options.context.empty()) return *canonical.start(options.context);
  return options.at_text_start ? canonical.start() : canonical.restart();
}

namespace {

bool has_bounds(const Program& program) {
  return std::any_of(program.cfg.rules.begin(), program.cfg.rules.end(),
                     [](const grammar::CfgRule& rule) { return rule.max_tokens != grammar::kNoTokenLimit; });
}

// Returns an error if the grammar cannot be matched with these stop tokens.
Result<void> check_stop_tokens(const Program& program, const StopTokens& stops) {
  if (stops.reverses_text() && has_bounds(program)) {
    return tl::unexpected(base::with_options(
        "stop_token_ids", {ErrorCode::kUnsupported,
                           "`stop_token_ids` of a matcher that are text, or that make a stop token of the tokenizer "
                           "text, with rules that have a bound on tokens",
                           {},
                           "make a tokenizer with these stop tokens"}));
  }
  const TokenTerminals& sets = program.token_terminals;
  for (std::size_t set = 0; set < sets.size() && !stops.reversed().empty(); ++set) {
    if (!sets.is_complement(set) || sets.example(set, program.tokenizer.vocabulary(), stops).has_value()) continue;
    const grammar::TokenSet& named = program.cfg.token_sets[set];
    return tl::unexpected(Error{ErrorCode::kUnsatisfiable,
                                "without the stop tokens of the matcher no token is left in `" + named.name + "`",
                                {},
                                "name other stop tokens"});
  }
  return {};
}

// Returns an error if the grammar cannot be matched in at most MatcherOptions::max_tokens tokens. `canonical` is null
// with any tokenization.
Result<void> check_max_tokens(const Compiled& compiled, const MatcherOptions& options, const StopTokens& stops,
                              const canonical::CanonicalAutomaton* canonical) {
  const Program& program = compiled.program();
  const auto refuse = [](std::string what, std::string hint, const std::string& other = "") {
    return tl::unexpected(
        base::with_options("max_tokens" + other,
                           {ErrorCode::kUnsupported, "`max_tokens` of a matcher with " + what, {}, std::move(hint)}));
  };
  if (has_bounds(program)) {
    return refuse("rules that have a bound on tokens", "give the bound either to the rules or to the matcher");
  }
  if (program.has_conditions()) {
    const auto is_one = [](const grammar::Terminal& terminal) {
      return base::ends_under_conditions(terminal.mode) || terminal.follow != regex::ExprId::kAllStrings;
    };
    const auto first = std::ranges::find_if(program.cfg.terminals, is_one);
    std::string place;
    if (first != program.cfg.terminals.end()) {
      place = " (the first is `" + base::escape_for_display(first->name, 60) + "`, at bytes " +
              std::to_string(first->where.start) + " to " + std::to_string(first->where.end) + " of the text)";
    }
    return refuse(
        "greedy or competing terminals or look-aheads" + place +
            ": which text may follow them depends on what they matched",
        "terminals of Lark compete unless the option `exact_splits` is set; in a structural tag what follows a "
        "free text must not be able to complete the tag's end; other grammars need terminals that are not "
        "greedy, and no look-aheads",
        " exact_splits");
  }
  if (stops.reverses_text()) {
    return refuse("stop tokens that are text, or that make a stop token of the tokenizer text",
                  "let only special tokens be stop tokens");
  }
  const std::shared_ptr<SharedAutomaton> automaton = compiled.automaton();
  const TokenPosition position = first_position(program.tokenizer.vocabulary(), options);
  const StateId start = automaton->start();
  std::optional<std::uint32_t> enough;
  const auto search = [&]() -> Answer {
    if (is_limit(start)) return limit_of(start);
    if (canonical != nullptr) {
      CanonicalProduct& product = CanonicalProduct::of(*automaton, *canonical);
      const CanonicalId first = first_canonical_state(*canonical, options);
      const Answer fits = product.fits({start, first, position, *options.max_tokens}, enough);
      if (!fits.is_no()) return fits;
      // This finds `enough`, which the error names. The answer stays `fits`, unless this search meets a limit.
      const Answer fits_more = product.fits({start, first, position, kMaxSufficientTokens}, enough);
      return fits_more.is_known() ? fits : fits_more;
    }
    const StateId kept = automaton->keep_within(start, position, *options.max_tokens);
    if (is_limit(kept)) return limit_of(kept);
    if (kept == start) return true;
    const Limit limit = automaton->tokens_to_end(start, position, kMaxSufficientTokens, enough);
    return limit == Limit::kNone ? Answer(false) : limit;
  };
  const Answer fits = search();
  if (fits.is_yes()) return {};
  if (!fits.is_known()) {
    return tl::unexpected(base::with_options(
        "max_tokens", base::limit_error("a search for a text within `max_tokens`", base::field_name(fits.limit()))));
  }
  const std::string found = enough ? ": the shortest that was found has " + std::to_string(*enough) : std::string();
  return tl::unexpected(
      base::with_options("max_tokens", {ErrorCode::kUnsatisfiable,
                                        "no text of the grammar with at most " + std::to_string(*options.max_tokens) +
                                            " tokens (`max_tokens`) was found" + found,
                                        {},
                                        enough ? "allow more tokens" : ""}));
}

Result<void> check_canonical(const Compiled& compiled, const MatcherOptions& options, const StopTokens& stops) {
  const auto canonical = canonical::CanonicalAutomaton::of(compiled.program().tokenizer.vocabulary());
  if (!canonical) return tl::unexpected(canonical.error());
  const vocab::Vocabulary& vocabulary = compiled.program().tokenizer.vocabulary();
  // The tokenizer's own stop tokens are tested even if the matcher has others, because the canonical automaton never
  // reads them as text.
  for (const auto listed : {vocabulary.stop_token_ids(), stops.ids()}) {
    for (const std::uint32_t stop : listed) {
      if (!stops.has_text(stop)) continue;
      return tl::unexpected(Error{ErrorCode::kUnsupported,
                                  "canonical tokenization with the stop token " + std::to_string(stop) +
                                      ", which is text: texts that the tokenizer writes with it could not be written",
                                  {},
                                  "name other stop tokens"});
    }
  }
  if (!options.context.empty()) {
    if (const auto start = (*canonical)->start(options.context); !start) return tl::unexpected(start.error());
  }
  const bool is_bounded = has_bounds(compiled.program());
  const CanonicalId start = first_canonical_state(**canonical, options);
  const std::shared_ptr<SharedAutomaton> automaton = compiled.automaton();
  CanonicalProduct& product = CanonicalProduct::of(*automaton, **canonical);
  const StateId first = automaton->start();
  const TokenPosition position = first_position(vocabulary, options);
  const auto search = [&]() -> Answer {
    if (is_limit(first)) return limit_of(first);
    if (is_bounded) {
      std::optional<std::uint32_t> known;
      return product.fits({first, start, position, PairWithin::kAnyNumber}, known);
    }
    const Answer viable = product.is_viable(first, start);
    if (!viable.is_yes() || position != TokenPosition::kFirst || automaton->accepts(first)) return viable;
    // A tokenizer may not give back a text that begins with a space. The search for a text does not know that, the mask
    // does.
    TokenBits mask(static_cast<std::size_t>(bitmask_words(vocabulary.size())));
    const Limit limit = product.write_mask(first, start, position, mask);
    if (limit != Limit::kNone) return limit;
    return std::any_of(mask.begin(), mask.end(), [](std::uint32_t word) { return word != 0; });
  };
  const Answer viable = search();
  if (is_bounded && !viable.is_known()) {
    return tl::unexpected(base::limit_error("a search for a canonical text within the bounds of rules",
                                            base::field_name(viable.limit())));
  }
  if (!viable.is_no()) return {};
  std::string message = options.context.empty() ? "the tokenizer gives back no text of the grammar"
                                                : "after the context the tokenizer writes no text of the language";
  if (is_bounded) message += ", or none was found, within the bounds of rules on tokens";
  return tl::unexpected(
      Error{ErrorCode::kUnsatisfiable, message, {0, options.context.size()}, is_bounded ? "raise the bounds" : "", {}});
}

}  // namespace

Result<void> check_matcher_options(const Compiled& compiled, const MatcherOptions& options) {
  const Program& program = compiled.program();
  const base::Work::Call call(program.limits.call_work);
  const auto stops = StopTokens::create(program.tokenizer.vocabulary(), options.stop_token_ids);
  if (!stops) return tl::unexpected(stops.error());
  if (auto checked = check_stop_tokens(program, *stops); !checked) return checked;
  const bool is_canonical = options.tokenization != Tokenization::kAny;
  if (is_canonical) {
    if (auto checked = check_canonical(compiled, options, *stops); !checked) return checked;
  }
  if (!options.max_tokens) return {};
  const canonical::CanonicalAutomaton* const canonical =
      is_canonical ? *canonical::CanonicalAutomaton::of(program.tokenizer.vocabulary()) : nullptr;
  return check_max_tokens(compiled, options, *stops, canonical);
}

}  // namespace weir::engine
