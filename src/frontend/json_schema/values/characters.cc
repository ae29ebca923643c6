// See characters.h.
#include "frontend/json_schema/values/characters.h"

#include <string>
#include <utility>
#include <vector>

#include "base/build_call.h"
#include "base/limit_error.h"
#include "regex/analysis/members.h"
#include "regex/syntax/syntax.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::json_schema {

using base::JsonDocument;
using base::JsonMember;
using base::JsonType;
using base::JsonValue;

using regex::ExprId;

namespace {

// Appends the strings within `const` and `enum`, wherever these words stand: also where they are no keywords.
void append_listed(const JsonValue& root, regex::ExprSet& exprs, std::vector<ExprId>& strings) {
  std::vector<std::pair<const JsonValue*, bool>> open{{&root, false}};
  while (!open.empty()) {
    const auto [value, is_listed] = open.back();
    open.pop_back();
    if (is_listed && value->is(JsonType::kString)) strings.push_back(exprs.literal(value->string()));
    if (value->is(JsonType::kArray)) {
      for (const JsonValue& item : value->items()) open.emplace_back(&item, is_listed);
    } else if (value->is(JsonType::kObject)) {
      for (const JsonMember& member : value->members()) {
        open.emplace_back(&member.value, is_listed || member.key == "const" || member.key == "enum");
      }
    }
  }
}

}  // namespace

Result<ExprId> offered_strings(regex::ExprSet& exprs, const JsonSchemaOptions& options,
                               std::span<const JsonDocument* const> documents, const Limits& limits) {
  if (options.characters.empty()) return ExprId::kAllStrings;
  const std::string_view pattern =
      options.characters == "ascii" ? std::string_view("[\\x00-\\x7F]") : options.characters;
  const Result<ExprId> one = regex::parse_regex(exprs, pattern, {}, limits);
  if (!one) {
    const Error& why = one.error();
    const std::string place = "in `characters`, at byte " + std::to_string(why.where.start) + ": ";
    return tl::unexpected(
        base::with_options("characters", {why.code, place + why.message, {}, why.hint, why.limit, {}}));
  }
  const ExprId other = exprs.difference(*one, regex::any_code_point(exprs));
  const regex::Emptiness others = regex::emptiness(exprs, other, limits.regex_fuel);
  if (others == regex::Emptiness::kUnknown) {
    return tl::unexpected(base::with_options(
        "characters", base::limit_error("comparing `characters` with single characters", "regex_fuel")));
  }
  if (*one == ExprId::kNothing || others == regex::Emptiness::kNonEmpty) {
    return tl::unexpected(
        base::with_options("characters", {ErrorCode::kInvalidArgument,
                                          "`characters` must match single characters, and nothing else",
                                          {},
                                          "for example `ascii`, or the class `[ -~\\n]`"}));
  }
  const ExprId strings = exprs.repeat(*one, 0, regex::kUnbounded);
  std::vector<ExprId> listed;
  for (const JsonDocument* document : documents) append_listed(document->root(), exprs, listed);
  return exprs.alternation(strings, exprs.alternation(listed));
}

}  // namespace weir::frontend::json_schema
