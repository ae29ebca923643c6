// ToolSchemas: which types the arguments of each tool may have, so that a value without quotes can be read.
#ifndef WEIR_SRC_REPLIES_TOOL_SCHEMAS_H_
#define WEIR_SRC_REPLIES_TOOL_SCHEMAS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_value.h"
#include "replies/value_sets.h"

namespace weir::replies {

/// A schema and the one in which its references are resolved; null if nothing is known of the value.
struct RootedSchema {
  const base::JsonValue* schema = nullptr;
  const base::JsonValue* root = nullptr;
};

// What was found out about a schema is stored, so that reading an argument costs the same whatever the schemas
// are.
class ToolSchemas {
 public:
  /// Precondition: structural_tag_for_tools has accepted the tools that the document is.
  explicit ToolSchemas(base::JsonDocument document);
  /// Forgets all tools but these.
  void keep(const std::set<std::string, std::less<>>& names);

  [[nodiscard]] bool has(std::string_view tool) const { return tools_.contains(tool); }
  /// Returns true if the name of a tool begins with the text.
  [[nodiscard]] bool has_beginning(std::string_view text) const {
    const auto next = tools_.lower_bound(text);
    return next != tools_.end() && next->first.starts_with(text);
  }
  [[nodiscard]] std::vector<std::string_view> names() const;
  /// Returns true if the tool is a custom one, whose only argument is a text.
  [[nodiscard]] bool is_custom(std::string_view tool) const { return custom_.contains(tool); }
  [[nodiscard]] bool has_custom() const { return !custom_.empty(); }
  /// Returns the schema of the tool's arguments.
  [[nodiscard]] RootedSchema arguments(std::string_view tool) const;
  /// Returns what the arguments of the tool may be. Invalid after the next call.
  Rest values(std::string_view tool);
  /// Returns true if the object has all members that the schema requires.
  [[nodiscard]] static bool has_required(RootedSchema place, std::string_view object);

  /// Returns the schema of a member, or of all items of a list; of several, the first. One that no schema lists may be any
  /// that `patternProperties` and `additionalProperties` describe.
  RootedSchema member(RootedSchema place, std::string_view key);
  /// Returns true if a schema lists the member by its name.
  bool lists(RootedSchema place, std::string_view key);
  [[nodiscard]] static RootedSchema item(RootedSchema place);
  /// Returns the types that any of the member's schemas allows; 0 if they say nothing of types.
  Types member_types(RootedSchema place, std::string_view key);

  /// Returns the types that the schema's keywords allow; 0 if they say nothing of types.
  Types types(RootedSchema place);

 private:
  using Schemas = std::vector<const base::JsonValue*>;
  struct Members {
    std::map<std::string_view, Schemas> listed;
    Schemas others;  // of `patternProperties` and `additionalProperties`
  };
  const Members& members_of(RootedSchema place);
  const Schemas& schemas_of(RootedSchema place, std::string_view key);
  [[nodiscard]] Types types_said(RootedSchema place) const;

  base::JsonDocument document_;
  std::map<std::string_view, const base::JsonValue*> tools_;
  std::set<std::string_view> custom_;
  base::JsonDocument of_custom_;                       // the schema of their arguments
  std::map<const base::JsonValue*, Members> members_;  // of a schema and those that apply in the same place
  std::map<const base::JsonValue*, Types> types_;
  std::map<std::string, ValueSets, std::less<>> sets_;  // by tool
};

/// What a value may be. `types` are what the keywords say (ToolSchemas::types), 0 if nothing.
struct Allowed {
  Types types = 0;
  ValueSets* sets = nullptr;  ///< Null: all values of the types are allowed.
  ValueSets::SetId set = ValueSets::SetId::kAny;

  /// Returns true if a value of the type may be allowed.
  [[nodiscard]] bool has(base::JsonType type) const { return types == 0 || (types & type_bit(type)) != 0; }
  /// Returns false if the value with this JSON text is not allowed.
  [[nodiscard]] bool allows(std::string_view json) const { return sets == nullptr || sets->allows(set, json); }
  /// Returns true if the value is a string, whatever its text is.
  [[nodiscard]] bool is_string() const {
    return types == kStringType || (types == 0 && (sets == nullptr || sets->allows_all_strings(set)));
  }
};

/// Returns what the next member of `rest` with this key, or the next item, may be. `types`: what its keywords say. Unless
/// `has_parts`, the sets are asked only if there may be two readings of a text; parts of the value need its set.
Allowed next_value(Rest& rest, std::string_view key, Types types, bool has_parts = false);

/// Returns the JSON text of a value in a notation that writes strings without quotes. If the schema allows only strings,
/// the text is a string. A number, `true` or a list is read as that if the schema allows it. If it allows no strings, the
/// forms of Python, and numbers with leading zeros, are read, too. Anything else is a string. If there are two readings,
/// one that the schema allows is preferred.
std::string value_as_json(std::string_view text, const Allowed& allowed);

/// Returns the JSON text of a literal of Python or JSON; empty if the text is none.
std::string literal_as_json(std::string_view text);

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_TOOL_SCHEMAS_H_
