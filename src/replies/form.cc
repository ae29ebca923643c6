#include "replies/form.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "frontend/structural_tag/arguments.h"
#include "frontend/tools/harmony.h"
#include "frontend/tools/tool_styles.h"
#include "frontend/tools/tools.h"
#include "replies/json_scanner.h"

namespace weir::replies {

namespace {

using frontend::structural_tag::ArgumentStyle;
using frontend::tools::NameForm;
using frontend::tools::texts_of;
using frontend::tools::ToolStyle;

/// Special tokens that end replies of many models. Servers take them away, but not always.
constexpr std::array<std::string_view, 11> kStops{"<|im_end|>",
                                                  "</s>",
                                                  "<|eot_id|>",
                                                  "<|eom_id|>",
                                                  "<turn|>",
                                                  "<|END_OF_TURN_TOKEN|>",
                                                  "<｜end▁of▁sentence｜>",
                                                  "<|endoftext|>",
                                                  "<|role_end|>",
                                                  "<|user|>",
                                                  "<|observation|>"};

// Returns the tag of which `before` is the beginning, up to the value of an attribute; `end` follows the value's quote.
AttributeTag attribute_tag(std::string_view before, std::string_view name_before, std::string_view end) {
  AttributeTag tag;
  if (!before.ends_with("=\"")) return tag;
  tag.begin = before.substr(0, before.rfind(' ') + 1);
  const std::string_view key = name_before.substr(name_before.rfind(' ') + 1);
  tag.name_key = key.substr(0, key.find('='));
  tag.end = end.substr(end.starts_with('"') ? 1 : 0);
  return tag;
}

void set_arguments(const ArgumentStyle& style, Form& form) {
  using Nesting = ArgumentStyle::Nesting;
  switch (style.nesting) {
    case Nesting::kTypedTags: form.arguments = Form::Arguments::kTypedTags; return;
    case Nesting::kNamedTags: form.arguments = Form::Arguments::kNamedTags; return;
    case Nesting::kBrackets:
      form.arguments = Form::Arguments::kBrackets;
      form.quote = style.quote;
      return;
    case Nesting::kPython:
      form.arguments = Form::Arguments::kPython;
      form.end.clear();  // the bracket at the end is read with the arguments
      return;
    case Nesting::kJson: break;
  }
  form.arguments = Form::Arguments::kTags;
  form.before_key = style.before_key;
  form.after_key = style.after_key;
  form.to_value = style.to_value;
  form.end_value = style.end;
  form.on_lines = style.on_lines;
  const std::string_view last = style.after_type.empty() ? style.after_key : style.after_type;
  form.key_tag = attribute_tag(style.before_key, style.before_key, last.substr(last.rfind('"') + 1));
  if (!form.key_tag.begin.empty()) form.before_key = form.key_tag.begin;
}

Form form_of_harmony() {
  Form form;
  form.call = Form::Call::kMessage;
  form.name_prefix = frontend::tools::harmony::kFunctions;
  return form;
}

// A text that a reader takes in the place of the one before the name: `{` begins the object with the name.
void set_opening(const ToolStyle& style, Form& form) {
  const std::size_t brace = style.name_form == NameForm::kJson ? style.before_name.find('{') : std::string_view::npos;
  if (brace != std::string_view::npos) {
    form.call = Form::Call::kObject;
    form.open = texts_of(style.before_name.substr(0, brace));
    form.open.emplace_back("{");
    const std::size_t end = style.end.find('}');
    form.end = texts_of(style.end.substr(end + 1));
    form.needs_arguments = form.open.size() == 1 && style.section_end.empty();
    return;
  }
  const std::string_view at_name = style.id_pattern.empty() ? style.before_name : style.after_id;
  form.open = texts_of(style.before_name);
  form.after_name = texts_of(style.after_name);
  form.name_tag = attribute_tag(style.before_name, at_name, style.after_name);
  if (!form.name_tag.begin.empty()) form.open = {form.name_tag.begin};
  form.end = texts_of(style.end);
}

}  // namespace

Form form_of(const ToolStyle* found, bool is_strict, std::span<const std::string_view> names) {
  if (found == nullptr) return form_of_harmony();
  const ToolStyle& style = *found;
  Form form;
  set_opening(style, form);
  if (!style.section_end.empty()) {
    const std::vector<std::string> begin = texts_of(style.trigger);
    form.sections.push_back(style.name_is_of_trigger ? "[" : begin.front());
    form.is_list = style.name_is_of_trigger || begin.back().ends_with('[');
    const std::vector<std::string> end = texts_of(style.section_end);
    form.section_end = end.back() == "]" ? style.other_section_end : end.back();
  }
  if (!style.other_trigger.empty()) {
    (style.section_end.empty() ? form.sections : form.other_sections).emplace_back(style.other_trigger);
  }
  form.is_bare_list = style.name_is_of_trigger;
  form.note_begin = style.note_begin;
  form.note_end = style.note_end;
  form.other_open = trimmed(style.other_open);
  if (!form.open.empty() && form.open.back().ends_with(style.name_prefix)) {
    form.name_prefix = style.name_prefix;
    form.open.back().resize(form.open.back().size() - form.name_prefix.size());
  }
  form.name_ends = style.name_ends;
  form.id_mark = style.id_mark;
  form.bare = style.bare;
  form.again = style.again.empty() ? style.bare : style.again;
  if (!form.name_tag.begin.empty() && !form.bare.empty()) form.bare = form.again = form.name_tag.begin;
  form.raw_begin = style.raw_begin;
  form.raw_end = style.raw_end;
  form.decodes_keys = style.name_form == NameForm::kAttribute || style.name_form == NameForm::kEscaped;
  form.name_key = style.name_key;
  form.arguments_key = style.arguments_key;
  if (const std::optional<ArgumentStyle> arguments = frontend::tools::arguments_of(style))
    set_arguments(*arguments, form);
  if (style.has_glued_names) {
    form.glued = trimmed(form.name_tag.begin);
    form.before_key = form.key_tag.begin = trimmed(form.key_tag.begin);
  }
  form.guesses_types = style.guesses_types;
  form.has_calls_in_reasoning = style.has_calls_in_reasoning;
  form.think_begin = style.think_begin;
  form.think_label = style.think_label;
  form.think_end = style.think_end;
  for (const std::string_view tag :
       {style.answer_begin, style.answer_end, style.message_end, style.other_answer_begin, style.other_answer_end}) {
    if (!tag.empty()) form.answer_tags.emplace_back(tag);
  }
  form.message_begin = style.message_begin;
  if (!form.message_begin.empty()) {
    for (const std::string_view text : {style.message_begin, style.think_end, style.answer_end, style.message_end}) {
      form.message_borders.emplace_back(text);
    }
  }
  for (const std::string_view token : style.ignored) {
    if (!token.empty()) form.ignored.emplace_back(token);
  }
  form.stops.assign(kStops.begin(), kStops.end());
  form.stops.insert(form.stops.end(), style.stops.begin(), style.stops.end());
  if (is_strict && (form.is_bare_list || form.needs_arguments)) {
    form.triggers = frontend::tools::call_triggers(style, names);
  }
  return form;
}

std::string decoded_attribute(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 4> kEntities{
      std::pair{"&amp;", '&'}, std::pair{"&quot;", '"'}, std::pair{"&lt;", '<'}, std::pair{"&gt;", '>'}};
  std::string out;
  while (!text.empty()) {
    const auto entity = std::ranges::find_if(kEntities, [&](const auto& one) { return text.starts_with(one.first); });
    out += entity == kEntities.end() ? text.front() : entity->second;
    text.remove_prefix(entity == kEntities.end() ? 1 : entity->first.size());
  }
  return out;
}

}  // namespace weir::replies
