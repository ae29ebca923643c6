#include "engine/facts/accelerators/bases.h"

#include <array>
#include <optional>

#include "engine/facts/accelerators/accelerators.h"
#include "engine/facts/accelerators/character_steps.h"
#include "engine/search_bounds.h"
#include "regex/analysis/contents.h"
#include "regex/analysis/text_horizon.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::engine {

using regex::ExprId;

std::uint32_t find_uncounted(ResidualTable& table) {
  regex::ExprSet& exprs = table.exprs();
  const ExprId root = table.expr(table.root());
  const ExprId without = regex::without_counts(exprs, root, kMinCountedRounds);
  if (without == root || regex::equal_prefix_length(exprs, root, without).bytes < kMinCountedRounds)
    return ResidualTable::kDead;
  return table.add(without);
}

namespace {

using Choice = std::optional<BaseChoice>;

// The residual that most characters lead to and then stay in. For a pattern with counts or within a length it is taken
// from the pattern without them, since each remaining count is a residual of its own.
std::uint32_t usual_loop(ResidualTable& table, std::uint32_t uncounted) {
  return CharacterSteps(table).usual_loop(uncounted == ResidualTable::kDead ? table.root() : uncounted);
}

// A string of many characters, beside one of any length.
Choice of_many_rounds(ResidualTable& table, std::uint32_t uncounted) {
  regex::ExprSet& exprs = table.exprs();
  const ExprId root = table.expr(table.root());
  const regex::Rounds rounds = regex::first_rounds(exprs, root);
  if (rounds.max < kMinCountedRounds || (rounds.min == 0 && rounds.max == regex::kUnbounded)) return std::nullopt;
  const std::uint32_t unquoted = rounds.min > 0 && regex::is_json_repeat(exprs, root)
                                     ? table.add(regex::with_first_rounds(exprs, root, {0, rounds.max}))
                                     : ResidualTable::kDead;
  return BaseChoice{.residual = table.add(regex::with_first_rounds(exprs, root, {})),
                    .uncounted = uncounted,
                    .differs_in_count = true,
                    .unquoted = unquoted};
}

// A string of few characters, beside one that may also have fewer.
Choice of_least_rounds(ResidualTable& table, std::uint32_t uncounted) {
  regex::ExprSet& exprs = table.exprs();
  const ExprId root = table.expr(table.root());
  const regex::Rounds rounds = regex::first_rounds(exprs, root);
  if (rounds.min == 0 || rounds.max <= 1 || rounds.max >= kMinCountedRounds) return std::nullopt;
  const std::uint32_t without_least = table.add(regex::with_first_rounds(exprs, root, {0, rounds.max}));
  return BaseChoice{.residual = without_least,
                    .uncounted = uncounted,
                    .differs_in_count = true,
                    .is_worth_it = false,
                    .unquoted = regex::is_json_repeat(exprs, root) ? without_least : ResidualTable::kDead};
}

// A JSON string of which every text without a quote is a viable prefix, beside any string. These are strings other than
// some keys, and searches, that is, a word that may come after any text. In a search many characters lead back to the
// root; with fewer, the loop is the better base.
Choice of_any_string(ResidualTable& table, std::uint32_t uncounted) {
  regex::ExprSet& exprs = table.exprs();
  const ExprId root = table.expr(table.root());
  const ExprId any_string = regex::with_any_contents(exprs, regex::any_code_point(exprs), root);
  if (any_string == ExprId::kNothing || any_string == root) return std::nullopt;
  const std::uint32_t any = table.add(any_string);
  const BaseChoice choice{.residual = any, .unquoted = any};
  if (regex::has_cofinite_contents(exprs, root)) return choice;
  unsigned back = 0;
  for (std::uint8_t byte = 0x20; byte < 0x7F; ++byte) back += table.step(table.root(), byte) == table.root() ? 1 : 0;
  return back >= kMinReturningCharacters || usual_loop(table, uncounted) != any ? Choice(choice) : std::nullopt;
}

// The residual in which most texts stay. If it is the root itself, there is no base.
Choice of_usual_loop(ResidualTable& table, std::uint32_t uncounted) {
  const std::uint32_t loop = usual_loop(table, uncounted);
  if (loop == ResidualTable::kDead) return std::nullopt;
  return BaseChoice{.residual = loop == table.root() ? ResidualTable::kDead : loop,
                    .uncounted = uncounted,
                    .differs_in_count = uncounted != ResidualTable::kDead};
}

// A pattern with high counts, beside the pattern without them.
Choice of_uncounted(ResidualTable& /*table*/, std::uint32_t uncounted) {
  if (uncounted == ResidualTable::kDead) return std::nullopt;
  return BaseChoice{.residual = uncounted, .uncounted = uncounted, .differs_in_count = true};
}

struct Kind {
  Accelerator accelerator;
  Choice (*choose)(ResidualTable& table, std::uint32_t uncounted);
};
constexpr std::array kKinds{
    Kind{Accelerator::kCounts, of_many_rounds},   Kind{Accelerator::kCounts, of_least_rounds},
    Kind{Accelerator::kAnyString, of_any_string}, Kind{Accelerator::kUsualLoop, of_usual_loop},
    Kind{Accelerator::kCounts, of_uncounted},
};

}  // namespace

BaseChoice find_base(ResidualTable& table, std::uint32_t uncounted) {
  for (const Kind& kind : kKinds) {
    if (!table.accelerators().has(kind.accelerator)) continue;
    if (const Choice choice = kind.choose(table, uncounted)) return *choice;
  }
  return {};
}

}  // namespace weir::engine
