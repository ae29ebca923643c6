// The JSON of a structural tag while it is read: typed access to members, and errors that point at them.
//
// HOW    A document is read to its end where that is sensible: what is wrong is put into the Reading, with the place
//        and its JSON Pointer, and the accessors return nothing.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_INPUT_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_INPUT_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/json_schema/source/json_value.h"
#include "frontend/reading.h"
#include "grammar/ir.h"

namespace weir::frontend::structural_tag {

using json_schema::JsonType;
using json_schema::JsonValue;

/// An object, and what it is called in messages: "a `tag`".
struct Object {
  const JsonValue& value;
  std::string_view name;
};

class Input {
 public:
  /// Both outlive this.
  Input(const json_schema::JsonDocument& document, Reading& reading) : document_(document), reading_(reading) {}

  [[nodiscard]] const JsonValue& root() const { return document_.root(); }
  [[nodiscard]] Reading& reading() { return reading_; }
  /// The value as it stands in the document.
  [[nodiscard]] std::string_view text_of(const JsonValue& value) const;

  /// Kept, unless there have been enough.
  std::nullopt_t fail(const JsonValue& at, std::string message, std::string hint = {},
                      ErrorCode code = ErrorCode::kInvalidArgument);
  void warn(const JsonValue& at, std::string message, std::string hint = {});
  /// What was found in the text of `value`, a part of the document or, if it is a string, what that means.
  void fail_within(const JsonValue& value, Error error);
  void warn_within(const JsonValue& value, Warning warning);

  /// Members with other names are errors. Whether there are none.
  bool has_only(const Object& object, std::initializer_list<std::string_view> known);
  /// The member if there is one and it is of this type; another type is an error.
  const JsonValue* find(const Object& object, std::string_view key, JsonType type);
  /// The same; that there is none is an error, too.
  const JsonValue* need(const Object& object, std::string_view key, JsonType type);

  std::optional<std::string> need_string(const Object& object, std::string_view key);
  std::optional<bool> flag(const Object& object, std::string_view key, bool otherwise);
  /// An integer from 0 to `most`; null and a missing member are `otherwise`.
  std::optional<std::uint32_t> count(const Object& object, std::string_view key, std::uint32_t most,
                                     std::uint32_t otherwise);
  /// An array of strings that are not empty; none if there is no such member.
  std::optional<std::vector<std::string>> strings(const Object& object, std::string_view key);

 private:
  [[nodiscard]] std::size_t offset_of(const JsonValue& value, std::size_t offset) const;
  [[nodiscard]] SourceRange range_within(const JsonValue& value, SourceRange where) const;

  const json_schema::JsonDocument& document_;
  Reading& reading_;
};

/// Reads `text` as JSON and has `read` make a node of it, for a rule that is returned.
std::optional<grammar::RuleId> read_tag_document(std::string_view text, Reading& reading,
                                                 const std::function<std::optional<grammar::NodeId>(Input&)>& read);

}  // namespace weir::frontend::structural_tag

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_INPUT_H_
