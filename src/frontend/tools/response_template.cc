#include "frontend/tools/response_template.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/blanks.h"
#include "base/build_call.h"
#include "base/json/json_text.h"
#include "base/json/json_value.h"
#include "base/utf8.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/structural_tag/arguments.h"
#include "frontend/structural_tag/input.h"
#include "frontend/tools/harmony.h"
#include "frontend/tools/template_pattern.h"
#include "grammar/suggest.h"
#include "regex/analysis/members.h"
#include "regex/expr/expr.h"
#include "regex/syntax/syntax.h"
#include "weir/diagnostic.h"
#include "weir/tools.h"

namespace weir::frontend::tools {

namespace {

using base::JsonDocument;
using base::JsonType;
using base::JsonValue;
using base::trimmed;
using structural_tag::ArgumentStyle;
using structural_tag::find_given;
using Kind = PatternPiece::Kind;
using Pieces = std::vector<PatternPiece>;
using Texts = std::vector<std::string>;

constexpr std::array<std::string_view, 8> kContents{"text", "int",        "float",    "bool",
                                                    "json", "xml-inline", "kv-lines", "python-call-list"};

std::string shown(std::string_view text) { return "`" + base::escape_for_display(text) + "`"; }

// Storage for a style that is made from a template.
struct Owned {
  ToolStyle style;
  std::deque<std::string> texts;
  std::optional<ArgumentStyle> arguments;
  std::vector<std::string_view> stops;

  std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
};

// How calls are written, as far as a template says it.
struct Shape {
  enum class Form : std::uint8_t {
    kObject,  // a JSON object with the name and the arguments
    kList,    // a JSON list of them
    kNamed,   // the name, then the arguments
    kPython,  // a list of calls in Python
  };
  Form form = Form::kNamed;
  Texts open = {};   // before the object, the list or the name, between blanks
  Texts after = {};  // of kNamed: between the name and the arguments
  std::string close = {};
  std::string name_key = {};
  std::string arguments_key = {};
  std::optional<ArgumentStyle> arguments = {};  // of kNamed: nullopt if they are JSON
};

// A blank that may be left out.
bool is_maybe_blank(const PatternPiece& piece) { return piece.kind == Kind::kMaybe && trimmed(piece.text).empty(); }

// Returns it as a text of a style.
std::string maybe_blank(const PatternPiece& piece) {
  std::string text(kOr);
  text += piece.text;
  return text.append(kOr).append(kOr);
}

Texts texts_in(const Pieces& pieces) {
  Texts texts;
  for (const PatternPiece& piece : pieces) {
    const bool is_text = piece.kind == Kind::kText || piece.kind == Kind::kMaybe;
    if (is_text && !trimmed(piece.text).empty()) texts.emplace_back(trimmed(piece.text));
  }
  return texts;
}

std::string last_of(const Texts& texts) { return texts.empty() ? "" : texts.back(); }

std::string joined(const Texts& texts) {
  std::string all;
  for (const std::string& text : texts) all += text;
  return all;
}

// Takes the bracket with which a list begins, or ends, from the texts beside it.
Texts without_bracket(Texts texts, char bracket) {
  std::string& at = bracket == '[' ? texts.back() : texts.front();
  at.erase(bracket == '[' ? at.size() - 1 : 0, 1);
  std::erase(texts, "");
  return texts;
}

// Returns what stands between the quotation marks of these numbers, where a negative number counts from the end.
std::string between_quotes(std::string_view text, int first) {
  std::vector<std::size_t> quotes;
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at + 1)) quotes.push_back(at);
  const std::size_t index =
      first < 0 ? quotes.size() - static_cast<std::size_t>(-first) : static_cast<std::size_t>(first);
  return std::string(text.substr(quotes[index] + 1, quotes[index + 1] - quotes[index] - 1));
}

Shape shape_of(const ToolStyle& style) {
  Shape shape;
  const std::string_view before = style.before_name;
  const std::size_t brace = before.find('{');
  const bool is_section = !style.section_end.empty();
  if (style.name_form == NameForm::kJson && brace != std::string_view::npos) {
    shape.form = is_section ? Shape::Form::kList : Shape::Form::kObject;
    shape.open = is_section ? without_bracket(texts_of(style.trigger), '[') : texts_of(before.substr(0, brace));
    shape.close = is_section ? joined(without_bracket(texts_of(style.section_end), ']'))
                             : joined(texts_of(style.end.substr(style.end.find('}') + 1)));
    // The last quotation mark opens the name, and the first one after it closes it.
    shape.name_key = between_quotes(style.id_pattern.empty() ? before : style.after_id, -3);
    shape.arguments_key = between_quotes(style.after_name, 1);
    return shape;
  }
  if (style.arguments == "python") {
    shape.form = Shape::Form::kPython;
    shape.open = texts_of(style.trigger);
    if (is_section && last_of(shape.open).ends_with('[')) {
      shape.open = without_bracket(std::move(shape.open), '[');
      shape.close = joined(without_bracket(texts_of(style.section_end), ']'));
    } else {
      shape.close = "\n";  // calls without brackets around them: no template says so
    }
    return shape;
  }
  shape.open = texts_of(before);
  shape.after = texts_of(style.after_name);
  shape.close = joined(texts_of(style.end));
  shape.arguments = arguments_of(style);
  return shape;
}

bool has_same_arguments(const std::optional<ArgumentStyle>& known, const std::optional<ArgumentStyle>& wanted) {
  if (!known || !wanted) return !known && !wanted;
  if (known->nesting != wanted->nesting || known->quote != wanted->quote) return false;
  const std::string_view after = known->after_string_key.empty() ? known->after_key : known->after_string_key;
  return known->before_key == wanted->before_key && after == wanted->after_key && known->to_value == wanted->to_value &&
         known->end == wanted->end && known->on_lines == wanted->on_lines && known->after_type.empty();
}

// Returns true if `text`, of a style, is the word, or two words of which one comes and the word is one of them.
bool is_or_has(std::string_view text, std::string_view word) {
  const std::vector<TextPart> parts = parts_of(text);
  const bool has_two = parts.size() == 1 && parts[0].kind == TextPart::Kind::kOr;
  return has_two ? parts[0].text == word || parts[0].other == word : text == word;
}

// Returns true if a template that reads calls of the shape `wanted` reads those of the known shape.
bool reads(const Shape& wanted, const Shape& known) {
  if (known.form != wanted.form || known.open != wanted.open || !known.close.ends_with(wanted.close)) return false;
  if (known.form == Shape::Form::kPython) return true;
  if (known.form != Shape::Form::kNamed) {
    return known.name_key == wanted.name_key && is_or_has(known.arguments_key, wanted.arguments_key);
  }
  return last_of(known.after) == last_of(wanted.after) && has_same_arguments(known.arguments, wanted.arguments);
}

class TemplateReader {
 public:
  TemplateReader(const JsonDocument& document, const Limits& limits) : document_(document), limits_(limits) {}

  Result<FoundStyle> read() {
    auto owned = std::make_shared<Owned>();
    out_ = owned.get();
    const std::optional<Parts> parts = read_parts();
    const bool is_of_channels = parts && is_harmony(*parts);
    if (!error_ && !is_of_channels) read_style(*parts);
    if (error_) return tl::unexpected(base::with_options("style", *std::move(error_)));
    if (is_of_channels) return FoundStyle{nullptr, nullptr, true};
    return FoundStyle{&owned->style, owned, true};
  }

 private:
  // The fields of a template; null if there is none.
  struct Parts {
    const JsonValue* reasoning = nullptr;
    const JsonValue* answer = nullptr;
    const JsonValue* calls = nullptr;
  };

  // A text, or a pattern, at which a part of a reply begins or ends.
  struct Mark {
    const JsonValue* at = nullptr;  // null: there is none
    Pieces pieces = {};             // without those at its ends that may match nothing
    Texts others = {};              // further texts, one of which may stand in its place
    std::string blanks = {};        // those that may precede it, as a text of a style
  };

  bool fail(const JsonValue& at, std::string message, std::string hint = {}, ErrorCode code = ErrorCode::kUnsupported) {
    if (error_) return false;
    error_ = Error{code, "the response template: " + std::move(message), at.where(), std::move(hint)};
    error_->pointer = frontend::json_schema::pointer_to(document_.root(), at);
    error_->text = document_.text();
    return false;
  }
  bool invalid(const JsonValue& at, std::string message, std::string hint = {}) {
    return fail(at, std::move(message), std::move(hint), ErrorCode::kInvalidArgument);
  }

  bool has_only(const JsonValue& object, std::span<const std::string_view> known) {
    for (const base::JsonMember& member : object.members()) {
      if (std::ranges::find(known, member.key) == known.end()) {
        return invalid(member.value, "there is no member " + shown(member.key),
                       grammar::did_you_mean(known, member.key));
      }
    }
    return true;
  }

  bool is_true(const JsonValue& field, std::string_view key) {
    const JsonValue* value = field.find(key);
    if (value == nullptr) return false;
    if (!value->is(JsonType::kBoolean)) return invalid(*value, shown(key) + " must be true or false");
    return value->boolean();
  }

  // Reads the mark under `literal` or, as a pattern, under `pattern`. Some patterns have groups.
  Mark mark(const JsonValue& field, std::string_view literal, std::string_view pattern,
            const std::vector<std::string_view>& groups = {}) {
    Mark mark;
    const JsonValue* text = field.find(literal);
    const JsonValue* regex = field.find(pattern);
    if (text != nullptr && regex != nullptr) {
      invalid(*regex, shown(literal) + " and " + shown(pattern) + " exclude each other");
      return mark;
    }
    mark.at = text != nullptr ? text : regex;
    if (text != nullptr) read_texts(*text, mark);
    if (regex == nullptr) return mark;
    if (!regex->is(JsonType::kString)) {
      invalid(*regex, shown(pattern) + " must be a string");
      return mark;
    }
    auto pieces = read_template_pattern(regex->string(), groups, limits_);
    if (!pieces) {
      Error why = std::move(pieces.error());
      const std::string part(regex->string().substr(why.where.start, why.where.end - why.where.start));
      fail(*regex, shown(pattern) + (part.empty() ? "" : " at " + shown(part)) + ": " + why.message, why.hint,
           why.code);
      return mark;
    }
    const auto may_be_left_out = [&](const PatternPiece& piece) {
      // A text that may follow the name is one that the model was trained to write.
      const bool is_after_name =
          piece.kind == Kind::kMaybe && !is_maybe_blank(piece) && !groups.empty() && &piece != &pieces->front();
      return piece.kind == Kind::kBlanks || (piece.is_optional && !is_after_name);
    };
    while (!pieces->empty() && may_be_left_out(pieces->front())) {
      if (pieces->front().kind == Kind::kBlanks) mark.blanks = kBlank;
      if (is_maybe_blank(pieces->front()) && mark.blanks.empty()) mark.blanks = maybe_blank(pieces->front());
      pieces->erase(pieces->begin());
    }
    while (!pieces->empty() && may_be_left_out(pieces->back())) pieces->pop_back();
    mark.pieces = *std::move(pieces);
    return mark;
  }

  void read_texts(const JsonValue& text, Mark& mark) {
    const auto add = [&](const JsonValue& one) {
      if (!one.is(JsonType::kString) || one.string().empty()) {
        invalid(one, "a text that begins or ends a part must be a string that is not empty");
      } else if (mark.pieces.empty()) {
        mark.pieces.push_back({Kind::kText, std::string(one.string())});
      } else {
        mark.others.emplace_back(one.string());
      }
    };
    if (!text.is(JsonType::kArray)) return add(text);
    if (text.items().empty()) invalid(text, "a list of texts must not be empty");
    for (const JsonValue& one : text.items()) add(one);
  }

  // Returns the mark as one text; fails if it is more than that.
  std::string only_text(const Mark& mark) {
    if (mark.at == nullptr || mark.pieces.empty()) return {};
    if (mark.pieces.size() == 1 && mark.pieces.front().kind == Kind::kText && mark.others.empty()) {
      return mark.pieces.front().text;
    }
    fail(*mark.at, "around reasoning and answers there can be one text each, with what may be left out around it");
    return {};
  }

  // Returns the pieces as a text of a style; fails if they are more than texts and blanks.
  std::string style_text(const JsonValue& at, std::span<const PatternPiece> pieces) {
    std::string text;
    for (const PatternPiece& piece : pieces) {
      if (piece.kind == Kind::kText && first_text(piece.text) != piece.text) {
        fail(at, "the characters " + shown(kBlank) + " and " + shown(kOr) + " cannot be in it");
      }
      if (piece.kind == Kind::kText) text += piece.text;
      if (piece.kind == Kind::kBlanks) text += kBlank;
      if (is_maybe_blank(piece)) text += maybe_blank(piece);
      if (piece.kind != Kind::kText && piece.kind != Kind::kBlanks && !piece.is_optional) {
        fail(at, shown(piece.text) + " stands between texts: what to write there is not said",
             "texts, blanks, groups for the name, and what may be left out are read");
      }
    }
    return text;
  }

  // Returns nullopt after an error.
  std::optional<Parts> read_parts() {
    const JsonValue* fields = fields_of_root();
    if (fields == nullptr) return std::nullopt;
    Parts parts;
    for (const base::JsonMember& member : fields->members()) {
      const bool is_reasoning =
          member.key == "reasoning_content" || member.key == "reasoning" || member.key == "thinking";
      const JsonValue*& part = is_reasoning ? parts.reasoning : member.key == "content" ? parts.answer : parts.calls;
      if ((!is_reasoning && member.key != "content" && member.key != "tool_calls") || part != nullptr) {
        fail(member.value, "a reply has no part " + shown(member.key),
             "parts are `reasoning_content` (or `thinking`), `content` and `tool_calls`");
        return std::nullopt;
      }
      part = &member.value;
      if (!check_field(member.value)) return std::nullopt;
    }
    return parts;
  }

  // Returns null after an error.
  const JsonValue* fields_of_root() {
    const JsonValue* root = &document_.root();
    if (const JsonValue* inner = find_given(*root, "response_template")) root = inner;
    if (!root->is(JsonType::kObject)) {
      invalid(*root, "it must be an object");
      return nullptr;
    }
    constexpr std::array<std::string_view, 5> kKeys{"version", "defaults", "fields", "start_anchor",
                                                    "start_anchor_pattern"};
    const JsonValue* version = root->find("version");
    if (version != nullptr &&
        document_.text().substr(version->where().start, version->where().end - version->where().start) != "1") {
      fail(*version, "only version 1 is read");
      return nullptr;
    }
    if (!has_only(*root, kKeys)) return nullptr;
    const JsonValue* fields = root->find("fields");
    if (fields == nullptr || !fields->is(JsonType::kObject) || fields->members().empty()) {
      invalid(fields == nullptr ? *root : *fields, "it needs `fields`, an object with a part of a reply");
      return nullptr;
    }
    if (mark(*root, "start_anchor", "start_anchor_pattern").at == nullptr && !error_) {
      invalid(*root, "it needs a `start_anchor` or a `start_anchor_pattern`");
      return nullptr;
    }
    return error_ ? nullptr : fields;
  }

  // Makes the style of a template that is not harmony.
  void read_style(const Parts& parts) {
    const JsonValue* answer = parts.answer;
    is_implicit_ = answer != nullptr && answer->find("open") == nullptr && answer->find("open_pattern") == nullptr;
    has_answer_ = answer != nullptr;
    // A later text replaces an earlier one.
    text_is_first_ = is_implicit_ && !is_true(*answer, "repeats");
    if (parts.calls != nullptr && !read_calls(*parts.calls)) return;
    if (parts.calls == nullptr) out_->style.name = "response_template";
    if (read_reasoning(parts.reasoning) && read_answer(answer)) out_->style.stops = out_->stops;
  }

  bool check_field(const JsonValue& field) {
    constexpr std::array<std::string_view, 11> kKeys{"open",     "open_pattern", "close",         "close_pattern",
                                                     "content",  "content_args", "repeats",       "join",
                                                     "optional", "transform",    "transform_each"};
    if (!field.is(JsonType::kObject)) return invalid(field, "a part of a reply must be an object");
    if (!has_only(field, kKeys)) return false;
    const JsonValue* content = field.find("content");
    if (content == nullptr) return true;
    if (!content->is(JsonType::kString)) return invalid(*content, "`content` must be a string");
    if (std::ranges::find(kContents, content->string()) != kContents.end()) return true;
    return invalid(*content, "there is no content " + shown(content->string()),
                   grammar::did_you_mean(kContents, content->string()));
  }

  // Returns true if all parts are messages with channels. False after an error.
  bool is_harmony(const Parts& parts) {
    return std::ranges::all_of(std::array{parts.reasoning, parts.answer, parts.calls}, [&](const JsonValue* field) {
      if (field == nullptr) return true;
      const Texts open = texts_in(mark(*field, "open", "open_pattern", {"name"}).pieces);
      return !error_ && !open.empty() && open.front().starts_with(harmony::kChannel);
    });
  }

  static std::string_view content_of(const JsonValue& field) {
    const JsonValue* content = field.find("content");
    return content == nullptr ? "text" : content->string();
  }

  bool is_plain_text(const JsonValue& field) {
    if (content_of(field) != "text") return fail(*field.find("content"), "reasoning and answers are of content `text`");
    if (const JsonValue* transform = field.find("transform"); transform != nullptr)
      return fail(*transform, "reasoning and answers have no `transform`");
    return true;
  }

  bool read_reasoning(const JsonValue* field) {
    ToolStyle& style = out_->style;
    if (field == nullptr) {
      style.think_begin = style.think_label = style.think_end = "";
      return true;
    }
    if (!is_plain_text(*field)) return false;
    const Mark open = mark(*field, "open", "open_pattern");
    const Mark close = mark(*field, "close", "close_pattern");
    const std::string begin = only_text(open);
    const std::string end = only_text(close);
    if (error_) return false;
    if (begin.empty() || end.empty()) return fail(*field, "reasoning needs a text that begins it and one that ends it");
    if (std::string(style.think_begin) + std::string(style.think_label) == begin && style.think_end == end) return true;
    style.think_begin = out_->keep(begin);
    style.think_label = "";
    style.think_end = out_->keep(end);
    return true;
  }

  bool read_answer(const JsonValue* field) {
    ToolStyle& style = out_->style;
    const auto set = [&](std::string begin, std::string end) {
      if (style.answer_begin == begin && style.answer_end == end) return;
      style.answer_begin = out_->keep(std::move(begin));
      style.answer_end = out_->keep(std::move(end));
      style.message_begin = style.message_end = "";
    };
    if (field == nullptr) {
      set("", "");
      return true;
    }
    if (!is_plain_text(*field)) return false;
    const Mark open = mark(*field, "open", "open_pattern");
    const Mark close = mark(*field, "close", "close_pattern");
    for (const std::string& text : close.others) out_->stops.push_back(out_->keep(text));
    if (!is_implicit_) {
      Mark first = close;
      first.others.clear();
      set(only_text(open), only_text(first));
      return !error_;
    }
    for (const PatternPiece& piece : close.pieces) {
      if (piece.kind == Kind::kText) out_->stops.push_back(out_->keep(piece.text));
    }
    set("", "");
    return true;
  }

  // --- calls ---

  // Returns the path of a placeholder, `{content.name}`; empty if the value is none.
  static std::string_view placeholder(const JsonValue& value) {
    if (!value.is(JsonType::kString)) return {};
    const std::string_view text = value.string();
    if (text.size() < 3 || text.front() != '{' || text.back() != '}') return {};
    return text.substr(1, text.size() - 2);
  }

  // Returns the key under which an object has what the placeholder says; empty if it is none of its members.
  static std::string_view member_of(std::string_view path, bool is_each) {
    constexpr std::string_view kContent = "content.";
    if (!is_each) path.remove_prefix(path.starts_with(kContent) ? kContent.size() : path.size());
    return path.find('.') == std::string_view::npos ? path : std::string_view();
  }

  // What `transform` says about the name and the arguments: whole values, members, or a group.
  struct Transform {
    std::string name_group = {};
    std::string name_key = "name";
    std::string arguments_key = "arguments";
  };

  std::optional<Transform> read_transform(const JsonValue& field) {
    Transform made;
    const JsonValue* transform = field.find("transform");
    const bool is_each = is_true(field, "transform_each");
    if (transform == nullptr || error_) return error_ ? std::nullopt : std::optional(made);
    constexpr const char* kForm = R"(it is {"type": "function", "function": {"name": "{...}", "arguments": "{...}"}})";
    const JsonValue* function = find_given(*transform, "function");
    const JsonValue& of = function == nullptr ? *transform : *function;
    if (!is_each && placeholder(of) == "content") return made;
    const JsonValue* name = find_given(of, "name");
    const JsonValue* arguments = find_given(of, "arguments");
    if (name == nullptr || arguments == nullptr) {
      fail(of, "the `transform` of calls must say the name and the arguments", kForm);
      return std::nullopt;
    }
    const std::string_view from = placeholder(*arguments);
    if (from == "content" && !is_each) {
      made.name_group = placeholder(*name);
      if (made.name_group.empty() || made.name_group.find('.') != std::string::npos) {
        fail(*name, "the name must be that of a group of the pattern", kForm);
      }
    } else {
      made.name_key = member_of(placeholder(*name), is_each);
      made.arguments_key = member_of(from, is_each);
      if (made.name_key.empty()) fail(*name, "the name must be a member of the content", kForm);
      if (made.arguments_key.empty()) fail(*arguments, "the arguments must be the content or a member of it", kForm);
    }
    return error_ ? std::nullopt : std::optional(made);
  }

  bool read_calls(const JsonValue& field) {
    const std::optional<Transform> transform = read_transform(field);
    if (!transform) return false;
    std::vector<std::string_view> groups;
    if (!transform->name_group.empty()) groups.emplace_back(transform->name_group);
    const Mark open = mark(field, "open", "open_pattern", groups);
    const Mark close = mark(field, "close", "close_pattern");
    if (error_) return false;
    if (open.at == nullptr || open.pieces.empty())
      return fail(open.at == nullptr ? field : *open.at, "no text begins a call");
    const auto at_name = std::ranges::find(open.pieces, Kind::kGroup, &PatternPiece::kind);
    const bool is_named = !transform->name_group.empty();
    if (is_named && at_name == open.pieces.end()) {
      return invalid(*open.at, "`open_pattern` has no group " + shown(transform->name_group) + " with the name");
    }
    for (const std::string& text : close.others) out_->stops.push_back(out_->keep(text));

    Shape shape;
    shape.open = texts_in(Pieces(open.pieces.begin(), at_name));
    if (is_named) shape.after = texts_in(Pieces(at_name + 1, open.pieces.end()));
    shape.close = joined(texts_in(close.pieces));
    shape.name_key = transform->name_key;
    shape.arguments_key = transform->arguments_key;
    if (!read_content(field, is_named, shape)) return false;
    const bool may_wrap = !has_answer_ || !is_implicit_;
    // Where known styles have any blanks, the template may have fewer.
    const bool has_few_blanks = std::any_of(open.pieces.begin(), at_name, is_maybe_blank);
    const auto known = std::ranges::find_if(tools::tool_styles(), [&](const ToolStyle& style) {
      const bool is_wrapped = !style.section_end.empty() && shape.form == Shape::Form::kNamed;
      return (!is_wrapped || may_wrap) && (is_named || !has_few_blanks) && !style.name_is_of_trigger &&
             reads(shape, shape_of(style));
    });
    ToolStyle& style = out_->style;
    const Pieces after_name = is_named ? Pieces(at_name + 1, open.pieces.end()) : Pieces();
    const auto is_free = [](const PatternPiece& piece) { return piece.kind == Kind::kOther; };
    if (known != tools::tool_styles().end()) {
      style = *known;
      if (has_few_blanks) style.before_name = out_->keep(style_text(*open.at, {open.pieces.begin(), at_name}));
      style.takes_json = style.takes_json_arguments = false;
      style.other_trigger = style.other_open = style.empty_call = "";
      if (std::ranges::none_of(after_name, is_free)) style.after_name_pattern = "";
      if (!is_named && style.name_form == NameForm::kJson) choose_key(shape.arguments_key);
      if (shape.arguments) out_->arguments = arguments_of(style);
    } else {
      style.name = "response_template";
      if (!make_calls(open, close, shape)) return false;
      out_->arguments = shape.arguments;
    }
    if (is_named) style.name_pattern = out_->keep(at_name->text);
    style.key_pattern = key_pattern_;
    if (shape.form == Shape::Form::kPython) {
      style.name_pattern = style.key_pattern = "[A-Za-z_][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*";
    }
    if (is_named && first_text(style.after_name).empty()) limit_blanks();
    set_arguments(shape);
    if (!open.others.empty() || !style.section_end.empty()) {
      if (!open.others.empty()) return fail(*open.at, "several texts that begin a call are not supported");
    } else {
      style.separator = text_is_first_ ? out_->keep(open.blanks) : kBlank;
    }
    style.text_is_first = text_is_first_;
    const bool is_list = shape.form == Shape::Form::kList || shape.form == Shape::Form::kPython;
    style.is_single = !is_list && (close.at == nullptr || !is_true(field, "repeats"));
    return !error_;
  }

  // Leaves one of two keys of the arguments: the one that the template reads.
  void choose_key(const std::string& key) {
    std::string after;
    for (const TextPart& part : parts_of(out_->style.after_name)) {
      after += part.kind == TextPart::Kind::kOr ? std::string_view(key) : part.written;
    }
    out_->style.after_name = out_->keep(std::move(after));
  }

  // Keeps blanks that the pattern of the name would take for a part of it from following the name.
  void limit_blanks() {
    ToolStyle& style = out_->style;
    regex::ExprSet exprs(limits_.regex_nodes);
    regex::SyntaxOptions python;
    python.dialect = regex::Dialect::kPython;
    python.dot_all = true;
    const Result<regex::ExprId> names = regex::parse_regex(exprs, style.name_pattern, python, limits_);
    // Whether a name may end with the character.
    const auto takes = [&](char c) {
      if (!names) return false;
      const regex::ExprId any = exprs.repeat(exprs.any_byte(), 0, regex::kUnbounded);
      const regex::ExprId ended = exprs.concat(any, exprs.byte(static_cast<std::uint8_t>(c)));
      return regex::emptiness(exprs, exprs.intersection(*names, ended), limits_.regex_fuel) != regex::Emptiness::kEmpty;
    };
    const bool takes_line_end = takes('\n');
    if (!takes_line_end && !takes(' ') && !takes('\t') && !takes('\r')) return;
    std::string after;
    for (const TextPart& part : parts_of(style.after_name)) {
      const bool follows_name = after.empty() && is_blank(part);
      if (part.kind != TextPart::Kind::kBlank && !follows_name) after += part.written;
    }
    style.after_name = out_->keep(std::move(after));
    if (!out_->arguments) return;
    out_->arguments->blanks = takes_line_end ? ArgumentStyle::Blanks::kNone : ArgumentStyle::Blanks::kLineEnd;
  }

  // Sets the form of arguments, as a tag and a reader have it: a known one with what the template does not read taken away,
  // or the template's own.
  void set_arguments(const Shape& shape) {
    using Nesting = ArgumentStyle::Nesting;
    ToolStyle& style = out_->style;
    if (shape.form == Shape::Form::kPython) style.arguments = "python";
    if (shape.form == Shape::Form::kPython) out_->arguments = structural_tag::argument_style("python");
    if (!out_->arguments) return;
    ArgumentStyle& own = *out_->arguments;
    const bool is_known = style.arguments != "json";
    own.is_strict = own.nesting != Nesting::kJson || shape.arguments->is_strict;
    if (is_known && !own.is_strict && own.blanks == ArgumentStyle::Blanks::kAny) return;
    const bool is_bracketed = own.nesting == Nesting::kBrackets;
    style.own_arguments = &own;
    const std::string_view like = is_known ? style.arguments : is_bracketed ? "gemma4" : "";
    style.arguments = out_->keep(structural_tag::to_json(own, like));
  }

  // Reads how the text of a call becomes its name and arguments.
  bool read_content(const JsonValue& field, bool is_named, Shape& shape) {
    const JsonValue* args = field.find("content_args");
    if (args != nullptr && !args->is(JsonType::kObject)) return invalid(*args, "`content_args` must be an object");
    const std::string_view content = content_of(field);
    if (content == "json") {
      shape.form = is_named                           ? Shape::Form::kNamed
                   : is_true(field, "transform_each") ? Shape::Form::kList
                                                      : Shape::Form::kObject;
      return read_json_args(args, shape);
    }
    if (content == "python-call-list") {
      shape.form = Shape::Form::kPython;
      const bool is_plain = shape.name_key == "name" && shape.arguments_key == "arguments" && !is_named;
      return is_plain || fail(field, "calls in Python have a `name` and `arguments`");
    }
    if (content == "xml-inline" && is_named) return read_tag_pattern(field, args, shape);
    const JsonValue* at = field.find("content");
    return fail(at == nullptr ? field : *at, "calls of content " + shown(content) + " are not read here",
                "`json`, `python-call-list` and, with the name in `open_pattern`, `xml-inline` are");
  }

  bool read_json_args(const JsonValue* args, Shape& shape) {
    if (args == nullptr) return true;
    constexpr std::array<std::string_view, 3> kKeys{"unquoted_keys", "string_delims", "allow_non_json"};
    if (!has_only(*args, kKeys)) return false;
    const JsonValue* delims = args->find("string_delims");
    const bool has_bare_keys = is_true(*args, "unquoted_keys");
    if (delims == nullptr && !has_bare_keys) return !error_;
    const bool is_pair =
        delims != nullptr && delims->is(JsonType::kArray) && delims->items().size() == 1 &&
        delims->items()[0].items().size() == 2 && delims->items()[0].items()[0].is(JsonType::kString) &&
        delims->items()[0].items()[0].string().size() > 1 && delims->items()[0].items()[0].string().starts_with('<') &&
        delims->items()[0].items()[0] == delims->items()[0].items()[1];
    if (!is_pair || !has_bare_keys || shape.form != Shape::Form::kNamed) {
      return fail(delims == nullptr ? *args : *delims,
                  "strings in marks of their own need `unquoted_keys`, the name in `open_pattern`, and one text for "
                  "both marks, "
                  "of several characters from `<` on");
    }
    shape.arguments = ArgumentStyle{};
    shape.arguments->nesting = ArgumentStyle::Nesting::kBrackets;
    key_pattern_ = "\\w+";
    shape.arguments->quote = out_->keep(std::string(delims->items()[0].items()[0].string()));
    return true;
  }

  bool read_tag_pattern(const JsonValue& field, const JsonValue* args, Shape& shape) {
    constexpr std::array<std::string_view, 3> kKeys{"tag_pattern", "value_parser", "merge_duplicates"};
    if (args == nullptr || args->find("tag_pattern") == nullptr) {
      return invalid(args == nullptr ? field : *args, "`xml-inline` needs a `tag_pattern`");
    }
    if (!has_only(*args, kKeys)) return false;
    if (const JsonValue* parser = args->find("value_parser"); parser != nullptr && !check_value_parser(*parser))
      return false;
    const Mark tag = mark(*args, "", "tag_pattern", {"key", "value"});
    if (error_) return false;
    const auto group = [&](std::string_view name) {
      return std::ranges::find_if(tag.pieces, [&](const PatternPiece& piece) { return piece.name == name; });
    };
    const auto key = group("key");
    const auto value = group("value");
    if (key == tag.pieces.end() || value == tag.pieces.end() || value < key) {
      return invalid(*tag.at, "`tag_pattern` needs a group `key` and, after it, a group `value`");
    }
    ArgumentStyle style;
    const std::string before = style_text(*tag.at, {tag.pieces.begin(), key});
    Pieces between(key + 1, value);
    Pieces end(value + 1, tag.pieces.end());
    const auto drop_blanks = [&](Pieces& pieces, bool at_front) {
      const auto is_line_end = [](const PatternPiece& piece) {
        return piece.kind == Kind::kBlanks || (is_maybe_blank(piece) && piece.text == "\n");
      };
      if (pieces.empty() || !is_line_end(at_front ? pieces.front() : pieces.back())) return;
      pieces.erase(at_front ? pieces.begin() : pieces.end() - 1);
      style.on_lines = true;
    };
    drop_blanks(between, false);
    drop_blanks(end, true);
    std::erase_if(between, is_maybe_blank);
    std::erase_if(end, is_maybe_blank);
    // What follows the key up to the first blanks, and what follows these.
    const auto blanks = std::ranges::find(between, Kind::kBlanks, &PatternPiece::kind);
    const std::string after = style_text(*tag.at, {between.begin(), blanks});
    const std::string to_value = blanks == between.end() ? "" : style_text(*tag.at, {blanks + 1, between.end()});
    const std::string last = style_text(*tag.at, end);
    if (error_) return false;
    for (const std::string& text : {before, after, last}) {
      if (text.empty()) return fail(*tag.at, "`tag_pattern` needs texts before the key, after it and after the value");
    }
    for (const std::string& text : {before, after, to_value, last}) {
      if (first_text(text) != text) return fail(*tag.at, "blanks are read around a value alone");
    }
    // Without blanks between them, the tag that ends the key and the one that begins the value are one text.
    const std::size_t tags = to_value.empty() ? after.find("><") : std::string::npos;
    const bool is_one = tags == std::string::npos;
    style.before_key = out_->keep(before);
    style.after_key = out_->keep(is_one ? after : after.substr(0, tags + 1));
    style.to_value = out_->keep(is_one ? to_value : after.substr(tags + 1));
    style.is_strict = !is_one;  // nothing stands between them
    style.end = out_->keep(last);
    key_pattern_ = out_->keep(key->text);
    shape.arguments = style;
    return true;
  }

  bool check_value_parser(const JsonValue& parser) {
    const JsonValue* name = find_given(parser, "name");
    constexpr std::array<std::string_view, 5> kValues{"text", "int", "float", "bool", "json"};
    if (name == nullptr) return true;
    if (name->is(JsonType::kString) && std::ranges::find(kValues, name->string()) != kValues.end()) return true;
    return fail(*name, "values of arguments are `text`, `int`, `float`, `bool` or `json`");
  }

  // Makes the entry of a style from the template's own texts.
  bool make_calls(const Mark& open, const Mark& close, const Shape& shape) {
    ToolStyle& style = out_->style;
    const auto keep = [&](std::string text) { return out_->keep(std::move(text)); };
    const std::string blank(kBlank);
    const auto name_at = std::ranges::find(open.pieces, Kind::kGroup, &PatternPiece::kind);
    const std::string before = style_text(*open.at, {open.pieces.begin(), name_at});
    const std::string end = close.at == nullptr ? "" : style_text(*close.at, close.pieces);
    if (error_) return false;
    if (first_text(before).empty()) return fail(*open.at, "no text begins a call");
    style.trigger = keep(std::string(first_text(before)));
    const std::string key_of_arguments = base::json_string(shape.arguments_key);
    switch (shape.form) {
      case Shape::Form::kObject:
      case Shape::Form::kList: {
        const std::string name = "{" + blank + base::json_string(shape.name_key) + blank + ":" + blank + "\"";
        style.after_name = keep("\"" + blank + "," + blank + key_of_arguments + blank + ":" + blank);
        style.name_key = keep(shape.name_key);
        style.arguments_key = keep(shape.arguments_key);
        if (shape.form == Shape::Form::kObject) {
          style.before_name = keep(before + blank + name);
          style.end = keep(blank + "}" + (end.empty() ? "" : blank + end));
          return true;
        }
        style.before_name = keep(name);
        style.end = keep(blank + "}");
        break;
      }
      case Shape::Form::kPython:
        style.after_name = "(";
        style.end = ")";
        style.name_form = NameForm::kPlain;
        style.name_ends = kNoNameOfPython;
        break;
      case Shape::Form::kNamed: return make_named(open, end, before, shape);
    }
    style.trigger = keep(before + blank + "[" + blank);
    style.section_end = keep(blank + "]" + (end.empty() ? "" : blank + end));
    style.separator = keep(blank + "," + blank);
    return true;
  }

  bool make_named(const Mark& open, const std::string& end, const std::string& before, const Shape& shape) {
    ToolStyle& style = out_->style;
    const auto name_at = std::ranges::find(open.pieces, Kind::kGroup, &PatternPiece::kind);
    const std::string after = style_text(*open.at, {name_at + 1, open.pieces.end()});
    if (error_) return false;
    style.before_name = out_->keep(before);
    style.after_name = out_->keep(after);
    style.name_form = NameForm::kPlain;
    const bool is_json = !shape.arguments;
    style.end = out_->keep((is_json && !end.empty() ? std::string(kBlank) : "") + end);
    // What follows the name must not be in it.
    std::string next;
    for (const TextPart& part : parts_of(after)) {
      next += part.kind == TextPart::Kind::kBlank ? " " : part.text.substr(0, 1);
      if (!is_blank(part)) break;
    }
    if (after.empty()) {
      const bool is_tags = !is_json && shape.arguments->nesting == ArgumentStyle::Nesting::kJson;
      next = is_tags ? shape.arguments->before_key.substr(0, 1) : "{";
    }
    style.name_ends = out_->keep(next);
    return true;
  }

  const JsonDocument& document_;
  const Limits& limits_;
  Owned* out_ = nullptr;
  std::optional<Error> error_ = {};
  bool is_implicit_ = false;  // the answer is what no other part has
  bool has_answer_ = false;
  bool text_is_first_ = false;
  std::string_view key_pattern_ = {};
};

}  // namespace

Result<FoundStyle> find_style(std::string_view style, const Limits& limits) {
  const std::size_t first = style.find_first_not_of(base::kBlanks);
  if (first != std::string_view::npos && style[first] == '{') {
    Result<JsonDocument> document = JsonDocument::parse(style, limits);
    if (document) return TemplateReader(*document, limits).read();
    document.error().text = style;
    return tl::unexpected(base::with_options("style", std::move(document.error())));
  }
  const auto known = std::ranges::find(tool_styles(), style, &ToolStyle::name);
  if (known != tool_styles().end()) return FoundStyle{&*known};
  const std::vector<std::string_view> names = weir::tool_styles();
  if (std::ranges::find(names, style) != names.end()) return FoundStyle{};
  return tl::unexpected(base::with_options("style", {ErrorCode::kInvalidArgument,
                                                     "there is no style `" + base::escape_for_display(style) + "`",
                                                     {},
                                                     grammar::did_you_mean(names, style, "the styles are")}));
}

}  // namespace weir::frontend::tools
