#include "regex/parser_quantifier.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "regex/expr.h"
#include "regex/parser_error.h"

namespace weir::regex {

namespace {

/// The value of a bound; `at` is where its digits stand.
Result<std::uint32_t> bound(std::string_view digits, std::size_t at, const Limits& limits) {
  std::uint64_t value = 0;
  for (char c : digits) value = std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(c - '0'), kUnbounded);
  if (value <= limits.repeat_count && value < kUnbounded) return static_cast<std::uint32_t>(value);
  return limit_error({at, at + digits.size()},
                     join({"the repeat count is larger than ", std::to_string(limits.repeat_count)}), "repeat_count");
}

/// `{m}`, `{m,}`, `{m,n}`; nothing, and no move, when the brace is a character.
Result<std::optional<Quantifier>> take_braces(Scanner& scanner, const Limits& limits) {
  const std::size_t start = scanner.pos();
  const std::string_view text = scanner.rest();
  std::size_t i = 1;
  bool foreign = false;  // Blanks, or no first bound: some dialects read a quantifier, some characters.
  const auto skip_blanks = [&] {
    for (; scanner.is(' ', i) || scanner.is('\t', i); ++i) foreign = true;
  };
  const auto digits = [&] {
    skip_blanks();
    const std::size_t first = i;
    while (is_digit(scanner.byte(i))) ++i;
    const std::string_view found = text.substr(first, i - first);
    skip_blanks();
    return found;
  };
  const std::string_view least = digits();
  const bool comma = scanner.is(',', i);
  if (comma) ++i;
  const std::string_view most = comma ? digits() : least;
  const OddBraces odd = scanner.rules().odd_braces;
  const bool may_lack_both = comma && odd == OddBraces::kNoLeast;
  if ((least.empty() && most.empty() && !may_lack_both) || !scanner.is('}', i)) return std::nullopt;
  ++i;
  const SourceRange where = {start, start + i};
  if (odd == OddBraces::kNoLeast && foreign) return std::nullopt;
  if (odd != OddBraces::kNoLeast && (foreign || least.empty())) {
    if (odd == OddBraces::kCharacters) return std::nullopt;
    const std::string bounds = join({least.empty() ? "0" : least, comma ? "," : "", comma ? most : ""});
    return syntax_error(where, "dialects differ on whether this is a quantifier",
                        join({"write `{", base::escape_for_display(bounds), "}`, or `\\{` for the brace itself"}));
  }
  const auto offset = [&](std::string_view part) {
    return start + static_cast<std::size_t>(part.data() - text.data());
  };
  const auto min = least.empty() ? Result<std::uint32_t>(0) : bound(least, offset(least), limits);
  if (!min) return tl::unexpected(min.error());
  const auto max = most.empty() ? Result<std::uint32_t>(kUnbounded) : bound(most, offset(most), limits);
  if (!max) return tl::unexpected(max.error());
  if (*min > *max) {
    return syntax_error(where, "the bounds are out of order",
                        join({"write `{", std::to_string(*max), ",", std::to_string(*min), "}`"}));
  }
  scanner.advance(i);
  return Quantifier{*min, *max};
}

}  // namespace

Result<std::optional<Quantifier>> take_quantifier(Scanner& scanner, const Limits& limits) {
  const std::size_t start = scanner.pos();
  std::optional<Quantifier> quantifier;
  if (scanner.take('*')) {
    quantifier = Quantifier{0, kUnbounded};
  } else if (scanner.take('+')) {
    quantifier = Quantifier{1, kUnbounded};
  } else if (scanner.take('?')) {
    quantifier = Quantifier{0, 1};
  } else if (scanner.is('{')) {
    auto braces = take_braces(scanner, limits);
    if (!braces) return braces;
    quantifier = *braces;
  }
  if (!quantifier) return std::nullopt;
  if (!scanner.rules().stacked_quantifiers && scanner.take('+')) {
    quantifier->possessive = scanner.rules().possessive;
    if (quantifier->possessive) return quantifier;
    return unsupported_error(scanner.since(start),
                             join({"the possessive quantifier `", scanner.text_since(start),
                                   "` is not supported: it depends on the order in which a matcher tries"}),
                             "remove the last `+`");
  }
  quantifier->question = scanner.take('?');  // The same language, but where what was taken is kept.
  return quantifier;
}

}  // namespace weir::regex
