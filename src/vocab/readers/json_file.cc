#include "vocab/readers/json_file.h"

#include <string>

#include "vocab/readers/readers.h"

namespace weir::vocab {

namespace {

// Returns the offset of the first bracket that is nested deeper than kMaxJsonDepth, or npos if there is none. Brackets
// in strings do not count. If the text is not JSON, the result is meaningless, and the parser will report an error.
std::size_t find_too_deep(std::string_view data) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    switch (data[i]) {
      case '"':
        for (++i; i < data.size() && data[i] != '"'; ++i) {
          if (data[i] == '\\') ++i;
        }
        break;
      case '[':
      case '{':
        if (++depth > kMaxJsonDepth) return i;
        break;
      case ']':
      case '}':
        if (depth > 0) --depth;
        break;
      default: break;
    }
  }
  return std::string_view::npos;
}

// Records the position and the reason of a syntax error.
struct ErrorRecorder final : nlohmann::json_sax<Json> {
  std::size_t position = 0;
  std::string message;
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception& error) override {
    position = at == 0 ? 0 : at - 1;
    message = error.what();
    return false;
  }
};

// Returns the library's message without its prefix "[json.exception.parse_error.101] parse error at line 1, column 2:
// ".
std::string_view reason_of(std::string_view message) {
  const std::size_t at = message.find("column ");
  const std::size_t colon = at == std::string_view::npos ? at : message.find(": ", at);
  return colon == std::string_view::npos ? message : message.substr(colon + 2);
}

}  // namespace

Result<void> check_json_depth(std::string_view data, std::string_view name) {
  const std::size_t at = find_too_deep(data);
  if (at == std::string_view::npos) return {};
  return tl::unexpected(malformed(name, "JSON is nested deeper than " + std::to_string(kMaxJsonDepth) + " levels", at));
}

Error json_error(std::string_view data, std::string_view name) {
  // Parsing again finds the position of the error; only invalid files pay for it.
  ErrorRecorder recorder;
  static_cast<void>(Json::sax_parse(data.begin(), data.end(), &recorder));
  return malformed(name, "not valid JSON: " + std::string(reason_of(recorder.message)), recorder.position);
}

Result<Json> parse_json_file(std::string_view data, std::string_view name) {
  if (auto done = check_json_depth(data, name); !done) return tl::unexpected(std::move(done).error());
  Json json = Json::parse(data.begin(), data.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return tl::unexpected(json_error(data, name));
  return json;
}

const Json& json_member(const Json& object, std::string_view key) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto it = object.find(key);
  return it == object.end() ? kNull : *it;
}

const std::string* json_string(const Json& object, std::string_view key) {
  return json_member(object, key).get_ptr<const std::string*>();
}

std::optional<bool> json_bool(const Json& object, std::string_view key) {
  const auto* value = json_member(object, key).get_ptr<const bool*>();
  return value == nullptr ? std::nullopt : std::optional<bool>(*value);
}

std::optional<std::uint32_t> json_u32(const Json& value) {
  const auto* number = value.get_ptr<const Json::number_unsigned_t*>();
  if (number == nullptr || *number > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::optional<std::uint32_t> json_u32(const Json& object, std::string_view key) {
  return json_u32(json_member(object, key));
}

}  // namespace weir::vocab
