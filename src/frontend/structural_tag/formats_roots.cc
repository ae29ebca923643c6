// The roots of structural tags: a format, or one of the older forms.
#include <utility>

#include "base/blanks.h"
#include "frontend/structural_tag/formats.h"

namespace weir::frontend::structural_tag {

using grammar::NodeId;

FormatReader::Node FormatReader::structural_tag(const Object& root) {
  const JsonValue* type = input_.find(root, "type", JsonType::kString);
  if (type != nullptr && type->string() != "structural_tag") {
    return input_.fail(*type, "`type` of a structural tag must be `structural_tag`",
                       R"(a format alone stands in {"type": "structural_tag", "format": ...})");
  }
  if (const JsonValue* format = find_given(root.value, "format")) {
    input_.has_only(root, {"type", "format", "tools", "notes"});
    input_.find(root, "tools", JsonType::kString);
    warn_of_notes(root);
    return read(*format);
  }
  const char* tags = input_.one_of(root, {"tags", "structures"});
  if (tags == nullptr) return std::nullopt;
  if (find_given(root.value, tags) == nullptr) {
    return input_.fail(root.value, "a structural tag needs a member `format`",
                       "or, in the older form, `triggers` and `structures`");
  }
  input_.has_only(root, {"type", tags, "triggers"});
  return tags_with_triggers(root, tags);
}

// Adds a warning for each of the tag's `notes`: structural_tag_for_tools notes each tool whose schema it replaced.
void FormatReader::warn_of_notes(const Object& root) {
  const JsonValue* notes = input_.find(root, "notes", JsonType::kArray);
  if (notes == nullptr) return;
  for (const JsonValue& note : notes->items()) {
    const Object object{note, "a note"};
    input_.has_only(object, {"message", "pointer"});
    const std::optional<std::string> message = input_.need_string(object, "message");
    const JsonValue* pointer = input_.find(object, "pointer", JsonType::kString);
    if (!message) continue;
    input_.warn(note, *message, "bad-tool");
    if (pointer != nullptr) input_.reading().warnings.back().pointer = pointer->string();
  }
}

FormatReader::Node FormatReader::struct_tags(const JsonValue& list) {
  if (list.items().empty()) return input_.fail(list, "the list of tags must not be empty");
  FreeText text{{}, {}, false, list.where()};
  bool good = true;
  for (const JsonValue& item : list.items()) {
    const Object tag{item, "a tag"};
    const std::size_t errors = input_.reading().errors.size();
    if (!item.is(JsonType::kObject)) {
      input_.fail(item, "a tag must be an object");
      good = false;
      continue;
    }
    input_.has_only(tag, {"trigger", "begin", "grammar", "end"});
    const std::optional<std::string> trigger = input_.need_string(tag, "trigger");
    const std::optional<std::string> begin = input_.need_string(tag, "begin");
    const std::optional<std::string> end = input_.need_string(tag, "end");
    const JsonValue* content = find_given(item, "grammar");
    if (content == nullptr) input_.fail(item, "a tag needs a member `grammar`");
    if (trigger && trigger->empty()) input_.fail(*find_given(item, "trigger"), "`trigger` must not be empty");
    if (trigger && begin && !begin->starts_with(*trigger)) {
      input_.fail(*find_given(item, "begin"), "`begin` must begin with `trigger`");
    }
    const Node inside = content != nullptr ? struct_tag_content(*content) : std::nullopt;
    if (input_.reading().errors.size() != errors || !inside) {
      good = false;
      continue;
    }
    const std::size_t cut = trigger_length(*begin, trigger->size());
    if (cut != trigger->size()) text.excluded.push_back(*trigger);
    const NodeId parts[] = {literals_.add(grammar_, begin->substr(cut), item.where()), *inside,
                            literals_.add(grammar_, *end, item.where())};
    add_branch(text, begin->substr(0, cut), grammar_.add_sequence(parts, item.where()), item.where());
  }
  if (!good) return std::nullopt;
  warn_of_unreachable(text);
  return free_text(text);
}

// Reads the content of a StructTag: a schema, as JSON or as its text, or a grammar in Lark.
FormatReader::Node FormatReader::struct_tag_content(const JsonValue& content) {
  if (!content.is(JsonType::kString)) return schema(content, options_.json_schema);
  const std::size_t first = content.string().find_first_not_of(base::kBlanks);
  if (first != std::string_view::npos && content.string()[first] == '{') return schema(content, options_.json_schema);
  return grammar_text(content, GrammarSyntax::kLark, "");
}

}  // namespace weir::frontend::structural_tag
