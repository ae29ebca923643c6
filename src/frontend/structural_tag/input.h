// Access to the JSON of a structural tag: typed members, and errors that point at them.
//
// HOW    A document is read to its end where that is sensible. Errors are added to the Reading with their position and
//        JSON Pointer, and the accessor returns nothing.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_INPUT_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_INPUT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_value.h"
#include "frontend/reading.h"
#include "grammar/ir.h"

namespace weir::frontend::structural_tag {

using base::JsonType;
using base::JsonValue;

/// An object, and its name in messages, such as "a `tag`".
struct Object {
  const JsonValue& value;
  std::string_view name;
};

/// Returns the member; nullptr if there is none or if it is null, which in requests means that it is not given.
inline const JsonValue* find_given(const JsonValue& object, std::string_view key) {
  const JsonValue* value = object.find(key);
  return value == nullptr || value->is(JsonType::kNull) ? nullptr : value;
}

/// What is added to a grammar while the object lives is from a text within the document, and gets its place there in the end:
/// that in `value` if it is a string without escapes, otherwise `value` itself. A rule "root" that is one terminal may remain
/// unused.
class PlacedParts {
 public:
  PlacedParts(grammar::Grammar& grammar, const JsonValue& value);
  PlacedParts(const PlacedParts&) = delete;
  PlacedParts& operator=(const PlacedParts&) = delete;
  ~PlacedParts();

 private:
  void place(SourceRange& where) const;

  grammar::Grammar& grammar_;
  const JsonValue& value_;
  std::size_t nodes_, rules_, terminals_, token_sets_;  // how many there were
};

class Input {
 public:
  /// Both arguments must outlive the Input.
  Input(const base::JsonDocument& document, Reading& reading) : document_(document), reading_(reading) {}

  [[nodiscard]] const JsonValue& root() const { return document_.root(); }
  [[nodiscard]] Reading& reading() { return reading_; }
  /// Returns the value as written in the document.
  [[nodiscard]] std::string_view text_of(const JsonValue& value) const;

  /// Adds an error at the value `at`, unless there are kMaxErrors errors already.
  std::nullopt_t fail(const JsonValue& at, std::string message, std::string hint = {},
                      ErrorCode code = ErrorCode::kInvalidArgument);
  /// Adds a warning of this kind (Warning::code) at the value `at`, which names these options (Warning::options).
  void warn(const JsonValue& at, std::string message, std::string code, std::string options = {});
  /// Adds an error or warning found in the text of `value`: its JSON text or, if it is a string, the text that the
  /// string denotes.
  void fail_within(const JsonValue& value, Error error);
  void warn_within(const JsonValue& value, Warning warning);

  // The next functions take a member that is null as missing (find_given).

  /// Reports members with other names as errors. Returns true if there are none.
  bool has_only(const Object& object, std::initializer_list<std::string_view> known);
  /// Returns the member if it exists and has this type. Another type is an error.
  const JsonValue* find(const Object& object, std::string_view key, JsonType type);
  /// The same, but a missing member is an error, too.
  const JsonValue* need(const Object& object, std::string_view key, JsonType type);

  std::optional<std::string> need_string(const Object& object, std::string_view key);
  std::optional<bool> flag(const Object& object, std::string_view key, bool otherwise);
  /// Returns an integer from 0 to `most`; `otherwise` for a missing member.
  std::optional<std::uint32_t> count(const Object& object, std::string_view key, std::uint32_t most,
                                     std::uint32_t otherwise);
  enum class Empty : bool { kRefused, kAllowed };  // of strings
  /// Returns an array of strings; empty if there is no such member.
  std::optional<std::vector<std::string>> strings(const Object& object, std::string_view key,
                                                  Empty empty = Empty::kRefused);
  /// Returns the one of two names of a member that the object has, or the first if it has neither. Both are an error.
  const char* one_of(const Object& object, std::array<const char*, 2> names);

 private:
  [[nodiscard]] std::size_t offset_of(const JsonValue& value, std::size_t offset) const;
  [[nodiscard]] SourceRange range_within(const JsonValue& value, SourceRange where) const;

  const base::JsonDocument& document_;
  Reading& reading_;
};

/// Parses `text` as JSON, calls `read` to make a node of it, and returns a rule with this node.
std::optional<grammar::RuleId> read_tag_document(std::string_view text, Reading& reading,
                                                 const std::function<std::optional<grammar::NodeId>(Input&)>& read);

}  // namespace weir::frontend::structural_tag

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_INPUT_H_
