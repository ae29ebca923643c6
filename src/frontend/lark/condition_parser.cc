#include "frontend/lark/condition_parser.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "grammar/suggest.h"

namespace weir::frontend::lark {

namespace {

constexpr std::uint64_t kBits = 64;

std::optional<std::uint64_t> number(WordReader& reader, std::string_view what, std::uint64_t largest = UINT64_MAX) {
  const std::optional<std::uint64_t> value =
      reader.kind() == WordKind::kNumber ? whole_number(reader.spelling()) : std::nullopt;
  if (!value || *value > largest) {
    reader.expected(what);
    return std::nullopt;
  }
  reader.advance();
  return value;
}

std::optional<std::uint64_t> bit(WordReader& reader) { return number(reader, "a bit from 0 to 63", kBits - 1); }

std::optional<BitRange> bit_range(WordReader& reader) {
  if (reader.take(WordKind::kUnderscore)) return BitRange{};
  const std::size_t start = reader.pos();
  if (!reader.expect(WordKind::kOpenBracket, "a range of bits", "a range is written `[0:8]`; `_` is all bits"))
    return {};
  const auto first = number(reader, "the first bit of a range, from 0 to 63", kBits - 1);
  if (!first || !reader.expect(WordKind::kColon, "`:` in a range of bits")) return std::nullopt;
  const auto end = number(reader, "the end of a range of bits, at most 64", kBits);
  if (!end || !reader.expect(WordKind::kCloseBracket, "`]` after a range of bits")) return std::nullopt;
  if (*end <= *first) {
    reader.fail(reader.range_from(start), "empty range of bits", "`[x:y]` is the bits from x to y - 1");
    return std::nullopt;
  }
  return BitRange{static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*end)};
}

template <std::size_t N>
void unknown_function(WordReader& reader, const std::array<std::string_view, N>& names, const char* what) {
  std::string hint = grammar::did_you_mean(names, reader.spelling(), "there are");
  if (reader.kind() != WordKind::kRuleName) {
    reader.expected(what, std::move(hint));
  } else {
    reader.fail(reader.where(), "unknown function `" + std::string(reader.spelling()) + "`", std::move(hint));
  }
}

std::optional<ParameterExpr> constant(std::optional<std::uint64_t> value) {
  if (!value) return std::nullopt;
  return ParameterExpr{ParameterExpr::Kind::kConstant, *value, {}, {}};
}

std::optional<ParameterExpr> call(WordReader& reader) {
  static constexpr std::array<std::string_view, 6> kNames{"set_bit", "clear_bit", "bit_and", "bit_or", "incr", "decr"};
  const std::string_view name = reader.kind() == WordKind::kRuleName ? reader.spelling() : std::string_view();
  std::size_t which = 0;
  while (which < kNames.size() && kNames[which] != name) ++which;
  if (which == kNames.size()) {
    unknown_function(reader, kNames, "a parameter: a number, `_` or a function of it");
    return std::nullopt;
  }
  reader.advance();
  if (!reader.expect(WordKind::kOpen, "`(`")) return std::nullopt;
  ParameterExpr expr;
  if (which < 2) {
    const auto b = bit(reader);
    if (!b) return std::nullopt;
    expr.kind = which == 0 ? ParameterExpr::Kind::kOr : ParameterExpr::Kind::kAnd;
    expr.value = which == 0 ? std::uint64_t{1} << *b : ~(std::uint64_t{1} << *b);
  } else if (which < 4) {
    const auto value = number(reader, "a number");
    if (!value) return std::nullopt;
    expr.kind = which == 2 ? ParameterExpr::Kind::kAnd : ParameterExpr::Kind::kOr;
    expr.value = *value;
  } else {
    const auto bits = bit_range(reader);
    if (!bits) return std::nullopt;
    expr.kind = which == 4 ? ParameterExpr::Kind::kIncrement : ParameterExpr::Kind::kDecrement;
    expr.bits = *bits;
  }
  if (!reader.expect(WordKind::kClose, "`)`")) return std::nullopt;
  return expr;
}

using Order = ConditionStep::Order;

// The names of comparisons: an optional prefix `bit_count_`, then the order, as in `lt` and `bit_count_lt`.
std::optional<Order> order_named(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kNames{"eq", "ne", "lt", "le", "gt", "ge"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Order>(i);
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 20> kConditions{
    "true",         "and",          "or",           "not",          "bit_clear",    "bit_set",     "is_ones",
    "is_zeros",     "eq",           "ne",           "lt",           "le",           "gt",          "ge",
    "bit_count_eq", "bit_count_ne", "bit_count_lt", "bit_count_le", "bit_count_gt", "bit_count_ge"};

// Parses the arguments of a comparison, from after its opening parenthesis.
std::optional<ConditionStep> comparison(WordReader& reader, std::string_view name) {
  ConditionStep step;
  step.kind = ConditionStep::Kind::kCompare;
  if (name == "bit_clear" || name == "bit_set") {
    const auto b = bit(reader);
    if (!b) return std::nullopt;
    step.bits = {static_cast<std::uint32_t>(*b), static_cast<std::uint32_t>(*b + 1)};
    step.value = name == "bit_set" ? 1 : 0;
    return step;
  }
  const auto bits = bit_range(reader);
  if (!bits) return std::nullopt;
  step.bits = *bits;
  if (name == "is_zeros") return step;
  if (name == "is_ones") {
    step.kind = ConditionStep::Kind::kCompareCount;
    step.value = bits->end - bits->first;
    return step;
  }
  constexpr std::string_view kCount = "bit_count_";
  if (name.starts_with(kCount)) {
    step.kind = ConditionStep::Kind::kCompareCount;
    name.remove_prefix(kCount.size());
  }
  step.order = *order_named(name);
  if (!reader.expect(WordKind::kComma, "`,` and what the bits are compared with")) return std::nullopt;
  const auto value = number(reader, "a number");
  if (!value) return std::nullopt;
  step.value = *value;
  return step;
}

// An operator whose operands are being read.
struct Open {
  ConditionStep::Kind kind;
  int operands;  // number of operands still to be read
};

}  // namespace

std::optional<std::uint64_t> whole_number(std::string_view spelling) {
  if (spelling.starts_with('+')) spelling.remove_prefix(1);
  const bool is_hex = spelling.starts_with("0x") || spelling.starts_with("0X");
  const std::uint64_t base = is_hex ? 16 : 10;
  if (is_hex) spelling.remove_prefix(2);
  std::uint64_t value = 0;
  for (const char c : spelling) {
    std::uint64_t digit = base;
    if (c >= '0' && c <= '9') digit = static_cast<std::uint64_t>(c - '0');
    if (c >= 'a' && c <= 'f') digit = static_cast<std::uint64_t>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') digit = static_cast<std::uint64_t>(c - 'A' + 10);
    if (digit >= base || value > (UINT64_MAX - digit) / base) return std::nullopt;
    value = value * base + digit;
  }
  return value;
}

std::optional<ParameterExpr> parse_parameter(WordReader& reader) {
  const std::size_t start = reader.pos();
  std::optional<ParameterExpr> expr;
  if (reader.take(WordKind::kUnderscore)) {
    expr = ParameterExpr{};
  } else if (reader.kind() == WordKind::kNumber) {
    expr = constant(number(reader, "a number of at most 64 bits"));
  } else {
    expr = call(reader);
  }
  if (expr) expr->where = reader.range_from(start);
  return expr;
}

std::optional<Condition> parse_condition(WordReader& reader) {
  Condition condition;
  std::vector<Open> open;
  for (;;) {
    const std::string_view name = reader.kind() == WordKind::kRuleName ? reader.spelling() : std::string_view();
    if (std::find(kConditions.begin(), kConditions.end(), name) == kConditions.end()) {
      unknown_function(reader, kConditions, "a condition");
      return std::nullopt;
    }
    reader.advance();
    if (name == "true") {
      condition.push_back({});
      if (reader.take(WordKind::kOpen) && !reader.expect(WordKind::kClose, "`)`")) return std::nullopt;
    } else {
      if (!reader.expect(WordKind::kOpen, "`(`")) return std::nullopt;
      if (name == "and" || name == "or" || name == "not") {
        const auto kind = name == "and"  ? ConditionStep::Kind::kAnd
                          : name == "or" ? ConditionStep::Kind::kOr
                                         : ConditionStep::Kind::kNot;
        open.push_back({kind, name == "not" ? 1 : 2});
        continue;
      }
      const auto step = comparison(reader, name);
      if (!step || !reader.expect(WordKind::kClose, "`)`")) return std::nullopt;
      condition.push_back(*step);
    }
    while (!open.empty() && --open.back().operands == 0) {
      if (!reader.expect(WordKind::kClose, "`)`")) return std::nullopt;
      ConditionStep step;
      step.kind = open.back().kind;
      condition.push_back(step);
      open.pop_back();
    }
    if (open.empty()) return condition;
    if (!reader.expect(WordKind::kComma, "`,` and a second condition")) return std::nullopt;
  }
}

}  // namespace weir::frontend::lark
