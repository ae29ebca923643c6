#include "vocab/readers/json_file.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include "vocab/readers/readers.h"

namespace weir::vocab {

Result<base::JsonDocument> parse_json_file(std::string_view data, std::string_view name) {
  Limits limits;
  limits.text_bytes = UINT32_MAX;
  limits.nesting = kMaxJsonDepth;
  limits.number_digits = UINT32_MAX;
  Result<base::JsonDocument> document = base::JsonDocument::parse(data, limits);
  if (!document) {
    const Error& error = document.error();
    const std::string reason = error.limit == "nesting"
                                   ? "JSON is nested deeper than " + std::to_string(kMaxJsonDepth) + " levels"
                                   : (error.code == ErrorCode::kSyntax ? "not valid JSON: " : "") + error.message;
    return tl::unexpected(malformed(name, reason, error.where.start));
  }
  if (const auto at = document->lone_surrogate()) {
    return tl::unexpected(malformed(name, "not valid JSON: half of a surrogate pair", *at));
  }
  return document;
}

const Json& json_member(const Json& object, std::string_view key) {
  static const Json kNull{};
  const Json* member = object.find(key);
  return member == nullptr ? kNull : *member;
}

std::span<const Json> json_items(const Json& value) {
  if (value.is(JsonType::kNull) || value.is(JsonType::kArray)) return value.items();
  return {&value, 1};
}

std::optional<std::string_view> json_string(const Json& value) {
  return value.is(JsonType::kString) ? std::optional(value.string()) : std::nullopt;
}

std::optional<std::string_view> json_string(const Json& object, std::string_view key) {
  return json_string(json_member(object, key));
}

std::optional<bool> json_bool(const Json& object, std::string_view key) {
  const Json& value = json_member(object, key);
  return value.is(JsonType::kBoolean) ? std::optional(value.boolean()) : std::nullopt;
}

std::optional<std::uint32_t> json_u32(const Json& value) {
  if (!value.is(JsonType::kNumber) || !value.is_written_in_digits()) return std::nullopt;
  const auto number = value.number().to_uint64();
  if (!number || *number > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::optional<std::uint32_t> json_u32(const Json& object, std::string_view key) {
  return json_u32(json_member(object, key));
}

std::optional<double> json_double(const Json& value) {
  if (!value.is(JsonType::kNumber)) return std::nullopt;
  const base::Decimal& number = value.number();
  // Without a decimal point, which would depend on the locale.
  const std::string text =
      (number.sign() < 0 ? "-0" : "0") + std::string(number.digits()) + "e" + std::to_string(number.exponent());
  const double nearest = std::strtod(text.c_str(), nullptr);
  return std::isfinite(nearest) ? std::optional(nearest) : std::nullopt;
}

}  // namespace weir::vocab
