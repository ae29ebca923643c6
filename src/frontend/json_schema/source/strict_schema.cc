// strict_json_schema: xgrammar's strict mode, as a change of a schema's text.
//
// WHICH  A schema is *closed* if it alone describes a value: at the root, and as the schema of a member or an item. Then
//        it allows no other members and items than those that it lists. If it has only `anyOf` or `oneOf`, each
//        alternative is closed. If it has only `$ref`, it refers to a closed copy of the target, because the target may
//        also be part of another schema. If several parts describe the value, closing them needs
//        `unevaluatedProperties`, which drafts before 2019-09 lack; in these drafts such schemas stay open. References
//        in a schema with its own `$id` are relative to that schema, where a closed copy in the root cannot be named:
//        they do not change.
// HOW    Keywords are inserted into the text. What does not change is copied from it, so numbers keep their digits, and
//        members their order, on which the order of an object's members may depend.
// COST   Linear in the text and the copies, and for each schema without `properties` that has several parts, the size
//        of these parts. `Limits::text_bytes` and `Limits::schema_steps` bound both.
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/build_call.h"
#include "base/json/json_value.h"
#include "base/limit.h"
#include "base/limit_error.h"
#include "base/stack.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "weir/strict_schema.h"

namespace weir {

namespace frontend::json_schema {

namespace {

// Keywords with subschemas that describe the same value.
constexpr std::array<std::string_view, 12> kParts = {
    "allOf",        "anyOf", "oneOf", "if", "then", "else", "$ref", "$dynamicRef", "$recursiveRef", "dependentSchemas",
    "dependencies", "not"};
// Keywords that do not restrict a value.
constexpr std::array<std::string_view, 16> kNotes = {
    "title",   "description", "default", "examples", "deprecated", "readOnly",    "writeOnly",   "$comment",
    "$schema", "$id",         "id",      "$anchor",  "$defs",      "definitions", "$vocabulary", "discriminator"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has(const JsonValue& schema, std::string_view key) { return schema.find(key) != nullptr; }

// Returns the number of a draft from 3 to 7, which `$schema` names as `draft-07` or `draft-4`; 0 for later drafts.
int old_draft(const JsonValue& schema) {
  constexpr std::string_view kDraft = "draft-";
  const JsonValue* uri = schema.find("$schema");
  if (uri == nullptr || !uri->is(JsonType::kString)) return 0;
  const std::size_t at = uri->string().find(kDraft);
  if (at == std::string_view::npos) return 0;
  std::string_view version = uri->string().substr(at + kDraft.size());
  if (version.starts_with('0')) version.remove_prefix(1);
  return !version.empty() && version[0] >= '3' && version[0] <= '7' ? version[0] - '0' : 0;
}

class StrictSchema {
 public:
  StrictSchema(const JsonDocument& document, const Limits& limits)
      : text_(document.text()),
        root_(document.root()),
        limits_(limits),
        is_old_(old_draft(root_) != 0),
        id_(is_old_ && old_draft(root_) < 6 ? "id" : "$id"),
        container_(is_old_ ? "definitions" : "$defs"),
        definitions_(root_.find(container_)) {}

  Result<std::string> run() {
    if (!root_.is(JsonType::kObject)) return std::string(text_);
    close(root_);
    insert_copies();
    if (exceeded_ == base::Limit::kNone) return std::move(out_);
    return tl::unexpected(base::limit_error("strict mode", base::field_name(exceeded_), root_.where()));
  }

 private:
  void copy(SourceRange range) { out_ += text_.substr(range.start, range.end - range.start); }
  void copy(const JsonValue& value) { copy(value.where()); }
  void begin_member() {
    if (out_.back() != '{') out_ += ',';
  }
  void begin_member(const JsonMember& member) {
    begin_member();
    copy(member.key_where);
    out_ += ':';
  }
  void forbid(std::string_view keyword) {
    begin_member();
    out_ += '"';
    out_ += keyword;
    out_ += "\":false";
  }
  // Writes an array by calling `write` with each of its items.
  template <typename Write>
  void each(const JsonValue& array, Write write) {
    char before = '[';
    for (const JsonValue& item : array.items()) {
      out_ += std::exchange(before, ',');
      write(item);
    }
    if (before == '[') out_ += '[';
    out_ += ']';
  }

  // Writes the closed form of a schema that alone describes a value.
  void close(const JsonValue& schema) {
    if (is_over()) return;
    if (!schema.is(JsonType::kObject)) return copy(schema);
    std::string_view only;  // the one keyword that restricts values; empty if there are none or several
    int keywords = 0;
    for (const JsonMember& member : schema.members()) {
      if (is_one_of(kNotes, member.key)) continue;
      only = ++keywords == 1 ? member.key : std::string_view();
    }
    write_members(schema, only);
    const bool has_parts =
        std::any_of(kParts.begin(), kParts.end(), [&](std::string_view part) { return has(schema, part); });
    if (!has_parts) {
      close_members(schema, "additionalProperties");
      close_items(schema);
    } else if (!is_old_ && only != "$ref" && only != "anyOf" && only != "oneOf") {
      close_members(schema, "unevaluatedProperties");
    }
    if (&schema == &root_ && definitions_ == nullptr && !copies_.empty()) {
      begin_member();
      out_ += '"';
      out_ += container_;
      out_ += "\":";
      write_definitions();
    }
    out_ += '}';
  }

  // Writes a schema that is part of another one: only the schemas of its members and items are closed.
  void write_part(const JsonValue& schema) {
    if (is_over()) return;
    if (!schema.is(JsonType::kObject)) return copy(schema);
    write_members(schema, {});
    out_ += '}';
  }

  // Writes a schema's members after an opening brace.
  void write_members(const JsonValue& schema, std::string_view only) {
    const bool was_in_resource = std::exchange(is_in_resource_, is_in_resource_ || is_resource(schema));
    out_ += '{';
    for (const JsonMember& member : schema.members()) {
      begin_member(member);
      if (&member.value == definitions_ && member.value.is(JsonType::kObject)) {
        write_definitions();
      } else {
        base::with_stack([&] { write_keyword(member, only); });
      }
    }
    is_in_resource_ = was_in_resource;
  }

  void write_keyword(const JsonMember& member, std::string_view only) {
    constexpr std::array<std::string_view, 2> kMaps = {"properties", "patternProperties"};
    constexpr std::array<std::string_view, 7> kChildren = {"items",
                                                           "prefixItems",
                                                           "additionalProperties",
                                                           "unevaluatedProperties",
                                                           "additionalItems",
                                                           "unevaluatedItems",
                                                           "contains"};
    const auto& [key, key_where, value] = member;
    if (is_one_of(kMaps, key) && value.is(JsonType::kObject)) {
      out_ += '{';
      for (const JsonMember& child : value.members()) {
        begin_member(child);
        close(child.value);
      }
      out_ += '}';
    } else if (is_one_of(kChildren, key)) {
      if (!value.is(JsonType::kArray)) return close(value);
      each(value, [&](const JsonValue& child) { close(child); });
    } else if ((key == "allOf" || key == "anyOf" || key == "oneOf") && value.is(JsonType::kArray)) {
      const bool is_alone = only == key && key != "allOf";
      each(value, [&](const JsonValue& part) {
        if (is_alone) return close(part);
        write_part(part);
      });
    } else if (key == "if" || key == "then" || key == "else") {
      write_part(value);
    } else if (key == "$ref" && only == key && value.is(JsonType::kString)) {
      write_reference(value);
    } else {
      copy(value);
    }
  }

  void close_members(const JsonValue& schema, std::string_view keyword) {
    if (has(schema, "additionalProperties") || has(schema, "unevaluatedProperties")) return;
    if (names_members(schema)) forbid(keyword);
  }

  void close_items(const JsonValue& schema) {
    const JsonValue* items = schema.find("items");
    if (items != nullptr && items->is(JsonType::kArray)) {
      if (!has(schema, "additionalItems")) forbid("additionalItems");
    } else if (items == nullptr && has(schema, "prefixItems") && !has(schema, "unevaluatedItems")) {
      forbid("items");
    }
  }

  // Returns true if the schema, or a part of it, lists members.
  bool names_members(const JsonValue& schema) {
    ++question_;
    std::vector<const JsonValue*> waiting{&schema};
    const auto add = [&](const JsonValue* part) {
      if (part == nullptr || !part->is(JsonType::kObject)) return;
      if (std::exchange(last_asked_[part], question_) != question_) waiting.push_back(part);
    };
    while (!waiting.empty() && !is_over()) {
      const JsonValue& at = *waiting.back();
      waiting.pop_back();
      if (has(at, "properties") || has(at, "patternProperties")) return true;
      if (!is_in_resource_ && !is_resource(at)) add(target_of(at.find("$ref")));
      for (const std::string_view key : {"if", "then", "else"}) add(at.find(key));
      for (const std::string_view key : {"allOf", "anyOf", "oneOf"}) {
        const JsonValue* parts = at.find(key);
        if (parts == nullptr) continue;
        for (const JsonValue& part : parts->items()) add(&part);
        steps_ += parts->items().size();
      }
      if (++steps_ > limits_.schema_steps) exceeded_ = base::Limit::kSchemaSteps;
    }
    return false;
  }

  // Returns true if references in a schema are relative to the schema itself, not to the document.
  [[nodiscard]] bool is_resource(const JsonValue& schema) const {
    const JsonValue* uri = schema.find(id_);
    return &schema != &root_ && uri != nullptr && uri->is(JsonType::kString) && !uri->string().starts_with('#');
  }

  // Returns the value that a reference by JSON Pointer leads to in this document, or null. Reads each reference once,
  // since many questions may lead to a long one.
  const JsonValue* target_of(const JsonValue* reference) {
    if (reference == nullptr || !reference->is(JsonType::kString)) return nullptr;
    std::uint32_t& number = number_of_target_[reference];
    if (number == 0) {
      targets_.push_back(find_target(reference->string()));
      number = static_cast<std::uint32_t>(targets_.size());
    }
    return targets_[number - 1];
  }

  [[nodiscard]] const JsonValue* find_target(std::string_view reference) const {
    if (!reference.starts_with("#/") || reference.find('%') != std::string_view::npos) return nullptr;
    const Result<std::vector<std::string>> tokens = parse_pointer(reference.substr(1));
    if (!tokens) return nullptr;
    const JsonValue* at = &root_;
    for (const std::string& token : *tokens) {
      if (is_resource(*at)) return nullptr;
      at = step_pointer(*at, token);
      if (at == nullptr) return nullptr;
    }
    return at;
  }

  // Writes a reference to the closed copy of the target; the reference itself if there can be none.
  void write_reference(const JsonValue& reference) {
    const JsonValue* target = target_of(&reference);
    const bool has_place = !is_in_resource_ && (definitions_ == nullptr || definitions_->is(JsonType::kObject));
    if (target == nullptr || !target->is(JsonType::kObject) || !has_place) return copy(reference);
    std::uint32_t& copy = copy_of_[target];  // counts from 1
    if (copy == 0) {
      std::string name = "strict-" + std::to_string(copies_.size());
      while (definitions_ != nullptr && has(*definitions_, name)) name += '-';
      copies_.emplace_back(std::move(name), target);
      copy = static_cast<std::uint32_t>(copies_.size());
    }
    out_ += "\"#/";
    out_ += container_;
    out_ += '/';
    out_ += copies_[copy - 1].first;
    out_ += '"';
  }

  // Writes the definitions of the root, which do not change, and notes where the closed copies go.
  void write_definitions() {
    out_ += '{';
    if (definitions_ != nullptr) {
      for (const JsonMember& member : definitions_->members()) {
        begin_member(member);
        copy(member.value);
      }
    }
    place_of_copies_ = out_.size();
    out_ += '}';
  }

  // Inserts the closed copies, which may need more copies, after the definitions.
  void insert_copies() {
    if (copies_.empty()) return;
    std::string whole = std::exchange(out_, "{");
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      begin_member();
      out_ += '"';
      out_ += copies_[i].first;
      out_ += "\":";
      close(*copies_[i].second);
      if (whole.size() + out_.size() > limits_.text_bytes) exceeded_ = base::Limit::kTextBytes;
    }
    out_[0] = ',';
    const bool is_first = whole[place_of_copies_ - 1] == '{';
    out_ = whole.insert(place_of_copies_, out_, is_first ? 1 : 0);
  }

  // Returns true if a limit was exceeded; out_ is then unspecified.
  bool is_over() {
    if (out_.size() > limits_.text_bytes) exceeded_ = base::Limit::kTextBytes;
    return exceeded_ != base::Limit::kNone;
  }

  std::string_view text_;
  const JsonValue& root_;
  const Limits& limits_;
  bool is_old_;
  std::string_view id_;           // the keyword with a schema's URI
  std::string_view container_;    // the keyword with definitions
  const JsonValue* definitions_;  // of the root; null if there are none
  std::string out_;
  using NumberOf = std::unordered_map<const JsonValue*, std::uint32_t>;
  std::vector<std::pair<std::string, const JsonValue*>> copies_;  // the names of the closed copies, and their targets
  NumberOf copy_of_;                                              // the copy's place in copies_, plus 1, by target
  std::vector<const JsonValue*> targets_;
  NumberOf number_of_target_;    // the target's place in targets_, plus 1, by reference
  bool is_in_resource_ = false;  // what is written is in a resource
  NumberOf last_asked_;          // by schema: the last question_ that met it
  std::uint32_t question_ = 0;
  std::uint64_t steps_ = 0;
  std::size_t place_of_copies_ = 0;  // in out_
  base::Limit exceeded_ = base::Limit::kNone;
};

}  // namespace

}  // namespace frontend::json_schema

Result<std::string> strict_json_schema(std::string_view schema, const Limits& limits) {
  using frontend::json_schema::StrictSchema;
  Result<std::string> strict =
      base::JsonDocument::parse(schema, limits).and_then([&](const base::JsonDocument& document) {
        return StrictSchema(document, limits).run();
      });
  if (!strict) base::make_utf8(strict.error());
  return strict;
}

}  // namespace weir
