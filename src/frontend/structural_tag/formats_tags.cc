// Tags, and free text between them.
#include <algorithm>
#include <utility>

#include "base/build_call.h"
#include "base/limit_error.h"
#include "base/utf8.h"
#include "base/work.h"
#include "frontend/dispatch.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/structural_tag/formats.h"
#include "frontend/structural_tag/tool_places.h"
#include "regex/analysis/members.h"
#include "regex/expr/expr.h"
#include "regex/syntax/syntax.h"

namespace weir::frontend::structural_tag {

using grammar::NodeId;

// Returns a node for the strings or the token that may end a tag. Appends to `out` those that free text must not
// contain.
FormatReader::Node FormatReader::ends(const JsonValue& end, Ends& out) {
  if (end.is(JsonType::kObject)) {
    const Node node = token({end, "`token`"});
    if (node) add_to(out.tokens, *find_given(end, "token"));
    return node;
  }
  std::vector<const JsonValue*> values;
  if (end.is(JsonType::kString)) values.push_back(&end);
  for (const JsonValue& item : end.items()) values.push_back(&item);
  if (values.empty()) return input_.fail(end, "`end` must be a string, a list of strings, or a `token`");
  std::vector<NodeId> ways;
  bool may_be_empty = false;
  for (const JsonValue* value : values) {
    if (!value->is(JsonType::kString)) return input_.fail(*value, "an item of `end` must be a string");
    const std::string text(value->string());
    ways.push_back(literals_.add(grammar_, text, value->where()));
    const auto pieces = literals_.split(text);
    if (pieces.size() == 1 && pieces[0].is_token) out.tokens.names.push_back(text);
    if (!text.empty()) out.strings.push_back(text);
    may_be_empty |= text.empty();
  }
  if (may_be_empty) {
    out.strings.insert(out.strings.end(), ends_.strings.begin(), ends_.strings.end());
    out.tokens.names.insert(out.tokens.names.end(), ends_.tokens.names.begin(), ends_.tokens.names.end());
    out.tokens.ranges.insert(out.tokens.ranges.end(), ends_.tokens.ranges.begin(), ends_.tokens.ranges.end());
  }
  return grammar_.add_choice(ways, end.where());
}

// Checks the member `text`: a range of the string `key`, in bytes, that special tokens must not overlap. The names of
// tools are such ranges, because those who write tools do not decide on control tokens.
void FormatReader::check_is_text(const Object& object, std::string_view key, std::string_view string) {
  const JsonValue* range = find_given(object.value, "text");
  if (range == nullptr) return;
  std::vector<std::size_t> ends;
  for (const JsonValue& end : range->items()) {
    const std::optional<std::uint64_t> at = end.is(JsonType::kNumber) ? end.number().to_uint64() : std::nullopt;
    if (at && *at <= string.size()) ends.push_back(*at);
  }
  if (ends.size() != 2 || range->items().size() != 2 || ends[0] > ends[1]) {
    input_.fail(*range, "`text` must be a range of bytes of `" + std::string(key) + "`: its start and its end");
    return;
  }
  const std::string_view text = string.substr(ends[0], ends[1] - ends[0]);
  if (const auto token = literals_.token_over(string.substr(0, ends[0]), text, string.substr(ends[1]))) {
    input_.fail(*range, "the name spells the special token `" + base::escape_for_display(*token) + "`",
                "another name cannot be taken for a token", ErrorCode::kUnsupported);
  }
}

// Reads the member `tool` of a tag, which says from which tool of a request the tag was made.
FormatReader::ToolOrigin FormatReader::tool_origin(const JsonValue& tag) {
  ToolOrigin origin{input_.reading().errors.size(), input_.reading().warnings.size()};
  const JsonValue* tool = input_.find({tag, "`tag`"}, "tool", JsonType::kObject);
  if (tool == nullptr) return origin;
  const Object object{*tool, "`tool`"};
  input_.has_only(object, {"name", "pointer"});
  const std::optional<std::string> name = input_.need_string(object, "name");
  const std::optional<std::string> pointer = input_.need_string(object, "pointer");
  if (!name || !pointer) return origin;
  origin.name = *name;
  origin.pointer = *pointer;
  return origin;
}

// Changes the errors and warnings that were added after `origin` was made: they name the tool and the argument, and point
// into the list of tools.
void FormatReader::name_tool(const ToolOrigin& origin, const JsonValue& content) {
  if (origin.name.empty()) return;
  Reading& reading = input_.reading();
  for (std::size_t i = origin.errors; i < reading.errors.size(); ++i) {
    base::blame_call_work(reading.errors[i]);
    lead_to_tool(reading.errors[i], origin.name, origin.pointer);
  }
  if (base::Work::is_met() && reading.errors.empty()) {
    Error error{ErrorCode::kLimitExceeded, {}, content.where()};
    error.pointer = kSchemaMember;
    base::blame_call_work(error);
    lead_to_tool(error, origin.name, origin.pointer);
    reading.errors.insert(reading.errors.begin(), std::move(error));
  }
  for (std::size_t i = origin.warnings; i < reading.warnings.size(); ++i) {
    Warning& warning = reading.warnings[i];
    warning.pointer = json_schema::pointer_at(input_.root(), warning.where);
    lead_to_tool(warning, origin.name, origin.pointer);
  }
}

std::optional<FormatReader::Tag> FormatReader::read_tag(const JsonValue& value) {
  const Object object{value, "`tag`"};
  if (!value.is(JsonType::kObject)) return input_.fail(value, "a tag must be an object");
  const JsonValue* type = input_.find(object, "type", JsonType::kString);
  if (type != nullptr && type->string() != "tag") return input_.fail(*type, "only a `tag` may stand here");
  const char* content_key = input_.one_of(object, {"content", "schema"});
  if (content_key == nullptr) return std::nullopt;
  const bool is_old = content_key == std::string_view("schema");
  if (is_old) {
    input_.has_only(object, {"begin", "schema", "end"});
  } else {
    input_.has_only(object, {"type", "begin", "text", "tool", "content", "end", "capture"});
  }
  const std::string capture = capture_of(object, "capture");
  Tag tag;
  tag.value = &value;
  tag.begin_value = find_given(value, "begin");
  const JsonValue* end = find_given(value, "end");
  const JsonValue* content = find_given(value, content_key);
  if (tag.begin_value == nullptr || end == nullptr || content == nullptr) {
    const char* missing = tag.begin_value == nullptr ? "begin" : content == nullptr ? "content" : "end";
    return input_.fail(value, std::string("`tag` needs a member `") + missing + "`");
  }
  const JsonValue* begin_type = tag.begin_value->is(JsonType::kObject) ? find_given(*tag.begin_value, "type") : nullptr;
  if (begin_type != nullptr && begin_type->is(JsonType::kString) && begin_type->string() == "regex") {
    tag.begin_pattern = begin_pattern({*tag.begin_value, "`regex`"});
    if (!tag.begin_pattern) return std::nullopt;
  } else if (tag.begin_value->is(JsonType::kObject)) {
    tag.begin_token = token({*tag.begin_value, "`token`"});
    if (!tag.begin_token) return std::nullopt;
  } else {
    const std::optional<std::string> begin = input_.need_string(object, "begin");
    if (!begin) return std::nullopt;
    tag.begin = *begin;
  }
  const ToolOrigin origin = tool_origin(value);
  check_is_text(object, "begin", tag.begin);
  Ends inner;
  const Node ending = ends(*end, inner);
  std::swap(ends_, inner);
  const Node inside = is_old ? schema(*content, options_.json_schema) : read(*content);
  std::swap(ends_, inner);
  name_tool(origin, *content);
  if (input_.reading().errors.size() != origin.errors) return std::nullopt;
  if (!ending || !inside) return std::nullopt;
  tag.rest = grammar_.add_sequence(std::vector{captured(*inside, capture, content->where()), *ending}, value.where());
  return tag;
}

std::optional<std::vector<FormatReader::Tag>> FormatReader::read_tags(const Object& format, std::string_view key) {
  const JsonValue* array = input_.need(format, key, JsonType::kArray);
  if (array == nullptr) return std::nullopt;
  if (array->items().empty()) return input_.fail(*array, "`" + std::string(key) + "` must not be empty");
  std::vector<Tag> tags;
  for (const JsonValue& item : array->items()) {
    if (std::optional<Tag> tag = read_tag(item)) tags.push_back(*std::move(tag));
  }
  if (tags.size() != array->items().size()) return std::nullopt;
  return tags;
}

// Reads a `begin` of the form {"type": "regex", "pattern": ...}.
std::optional<regex::ExprId> FormatReader::begin_pattern(const Object& begin) {
  input_.has_only(begin, {"type", "pattern"});
  const JsonValue* pattern = input_.need(begin, "pattern", JsonType::kString);
  if (pattern == nullptr) return std::nullopt;
  const regex::SyntaxOptions syntax{.dialect = regex::Dialect::kEcma262};
  Result<regex::ExprId> texts = regex::parse_regex(grammar_.exprs, pattern->string(), syntax, input_.reading().limits);
  if (!texts) {
    input_.fail_within(*pattern, std::move(texts.error()));
    return std::nullopt;
  }
  if (regex::emptiness(grammar_.exprs, *texts, input_.reading().limits.regex_fuel) == regex::Emptiness::kEmpty) {
    return input_.fail(*pattern, "the pattern matches nothing");
  }
  return *texts;
}

// Returns the tag after `cut`, with which it begins.
NodeId FormatReader::tag_node(const Tag& tag, std::string_view cut) {
  const SourceRange where = tag.begin_value->where();
  NodeId begin = NodeId::kEmpty;
  if (tag.begin_token) {
    begin = *tag.begin_token;
  } else if (tag.begin_pattern) {
    regex::ExprId texts = *tag.begin_pattern;
    for (const char byte : cut) texts = grammar_.exprs.derivative(texts, static_cast<std::uint8_t>(byte));
    if (texts != regex::ExprId::kEpsilon) {
      begin = grammar_.add_terminal({texts, base::LexemeMode::kExact, "begin", where});
      keep_end_apart(begin);
    }
  } else {
    begin = literals_.add(grammar_, std::string_view(tag.begin).substr(cut.size()), where);
  }
  return grammar_.add_sequence(std::vector{begin, tag.rest}, tag.value->where());
}

// Says whether every begin of the tag begins with the trigger. Returns nullopt, with an error, if a limit was met.
std::optional<bool> FormatReader::begins_with(const Tag& tag, std::string_view trigger) {
  if (!tag.begin_pattern) return std::string_view(tag.begin).starts_with(trigger);
  regex::ExprSet& exprs = grammar_.exprs;
  const regex::ExprId others =
      exprs.difference(*tag.begin_pattern, exprs.concat(exprs.literal(trigger), regex::ExprId::kAllStrings));
  const regex::Emptiness found = regex::emptiness(exprs, others, input_.reading().limits.regex_fuel);
  if (found != regex::Emptiness::kUnknown) return found == regex::Emptiness::kEmpty;
  input_.reading().errors.push_back(
      base::limit_error("comparing the pattern with a trigger", "regex_fuel", tag.begin_value->where()));
  return std::nullopt;
}

FormatReader::Node FormatReader::tag(const Object& format) {
  const std::optional<Tag> tag = read_tag(format.value);
  if (!tag) return std::nullopt;
  return tag_node(*tag);
}

FormatReader::Node FormatReader::tags_with_separator(const Object& format) {
  input_.has_only(format, {"type", "tags", "separator", "at_least_one", "stop_after_first", "capture"});
  const std::optional<std::vector<Tag>> tags = read_tags(format);
  const std::optional<std::string> separator = input_.need_string(format, "separator");
  const std::optional<bool> at_least_one = input_.flag(format, "at_least_one", false);
  const std::optional<bool> stop = input_.flag(format, "stop_after_first", false);
  if (!tags || !separator || !at_least_one || !stop) return std::nullopt;
  const SourceRange where = format.value.where();
  std::vector<NodeId> ways;
  for (const Tag& tag : *tags) ways.push_back(tag_node(tag));
  const NodeId one = rule("tags", grammar_.add_choice(ways, where), where);
  NodeId all = one;
  if (!*stop) {
    const NodeId next = grammar_.add_sequence(std::vector{literals_.add(grammar_, *separator, where), one}, where);
    all = grammar_.add_sequence(std::vector{one, grammar_.add_repeat(next, 0, regex::kUnbounded, where)}, where);
  }
  return *at_least_one ? all : grammar_.add_repeat(all, 0, 1, where);
}

// Returns the length of the part of `begin` that identifies the tag: the trigger, extended to the end of a special
// token that the trigger ends in.
std::size_t FormatReader::trigger_length(std::string_view begin, std::size_t trigger) const {
  std::size_t length = 0;
  for (const Literals::Piece& piece : literals_.split(begin)) {
    if (length >= trigger) break;
    length = piece.is_token ? length + piece.text.size() : std::min(length + piece.text.size(), trigger);
  }
  return length;
}

FormatReader::Node FormatReader::triggered_tags(const Object& format) {
  input_.has_only(format, {"type", "triggers", "tags", "after", "at_least_one", "stop_after_first", "excludes",
                           "capture", "text_capture"});
  return tags_with_triggers(format, "tags");
}

FormatReader::Node FormatReader::tags_with_triggers(const Object& format, std::string_view tags_key) {
  const std::optional<std::vector<Tag>> tags = read_tags(format, tags_key);
  const JsonValue* trigger_values = input_.need(format, "triggers", JsonType::kArray);
  const std::optional<std::vector<std::string>> triggers = input_.strings(format, "triggers");
  const std::optional<std::vector<std::string>> excluded = input_.strings(format, "excludes");
  const std::optional<bool> at_least_one = input_.flag(format, "at_least_one", false);
  const std::optional<bool> stop = input_.flag(format, "stop_after_first", false);
  if (trigger_values == nullptr || !tags || !triggers || !excluded || !at_least_one || !stop) return std::nullopt;
  if (triggers->empty()) return input_.fail(*trigger_values, "`triggers` must not be empty");
  Node after = NodeId::kEmpty;
  if (const JsonValue* value = find_given(format.value, "after")) {
    after = read(*value);
    if (!after) return std::nullopt;
    const grammar::RuleId shared =
        grammar_.add_rule({.name = "after_tag", .where = value->where(), .defined = true, .generated = true});
    grammar_.rule(shared).body = *after;
    after = grammar_.add_rule_reference(shared, value->where());
  }

  FreeText text{{}, *excluded, *stop, format.value.where(), ends_.strings, capture_of(format, "text_capture")};
  std::vector<bool> used(triggers->size(), false);
  std::vector<std::string> extended;  // triggers that end within a special token
  std::vector<NodeId> ways;
  bool good = true;
  for (const Tag& tag : *tags) {
    const std::optional<std::size_t> trigger = trigger_of(tag, *triggers);
    if (!trigger) {
      good = false;
      continue;
    }
    used[*trigger] = true;
    const std::string& spelled = (*triggers)[*trigger];
    const std::size_t length = tag.begin_pattern ? spelled.size() : trigger_length(tag.begin, spelled.size());
    if (length != spelled.size()) extended.push_back(spelled);
    const std::string cut = tag.begin_pattern ? spelled : tag.begin.substr(0, length);
    const NodeId rest = grammar_.add_sequence(std::vector{tag_node(tag, cut), *after}, tag.value->where());
    add_branch(text, cut, rest, tag.begin_value->where());
    if (*at_least_one) {
      const NodeId first = literals_.add(grammar_, cut, tag.begin_value->where());
      ways.push_back(grammar_.add_sequence(std::vector{first, rest}, tag.value->where()));
    }
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] || !good) continue;
    good = false;
    input_.fail(trigger_values->items()[i], "no tag begins with the trigger `" + (*triggers)[i] + "`",
                "to keep it out of the text, list it in `excludes`");
  }
  if (!good) return std::nullopt;
  for (const std::string& spelled : extended) {
    const auto same = [&](const Branch& branch) { return branch.trigger == spelled; };
    // Spelled as text, the trigger leads nowhere.
    if (std::none_of(text.branches.begin(), text.branches.end(), same)) text.excluded.push_back(spelled);
  }
  warn_of_unreachable(text);
  if (!*at_least_one) return free_text(text);
  const NodeId first = grammar_.add_choice(ways, text.where);
  if (*stop) return first;
  const Node rest = free_text(text);
  if (!rest) return std::nullopt;
  return grammar_.add_sequence(std::vector{first, *rest}, text.where);
}

// Returns the index of the trigger that a tag begins with. There must be exactly one.
std::optional<std::size_t> FormatReader::trigger_of(const Tag& tag, const std::vector<std::string>& triggers) {
  if (tag.begin_token) {
    return input_.fail(*tag.begin_value, "a tag of `triggered_tags` must begin with a string or a pattern",
                       "the format `token_triggered_tags` has tags that begin with a token");
  }
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < triggers.size(); ++i) {
    const std::optional<bool> begins = begins_with(tag, triggers[i]);
    if (!begins) return std::nullopt;
    if (!*begins) continue;
    if (found && triggers[i] != triggers[*found]) {
      return input_.fail(*tag.begin_value,
                         "the tag begins with two triggers, `" + triggers[*found] + "` and `" + triggers[i] + "`",
                         "free text ends at the shorter one: leave the longer one out");
    }
    found = i;
  }
  if (!found) {
    return input_.fail(*tag.begin_value, "the tag begins with none of the triggers",
                       "a trigger is the first part of `begin`, or all of it");
  }
  return found;
}

FormatReader::Node FormatReader::dispatch(const Object& format) {
  input_.has_only(format, {"type", "rules", "loop", "excludes", "capture", "text_capture"});
  const JsonValue* rules = input_.need(format, "rules", JsonType::kArray);
  const std::optional<std::vector<std::string>> excluded = input_.strings(format, "excludes");
  const std::optional<bool> loop = input_.flag(format, "loop", true);
  if (rules == nullptr || !excluded || !loop) return std::nullopt;
  if (rules->items().empty()) return input_.fail(*rules, "`rules` must not be empty");
  FreeText text{{}, *excluded, !*loop, format.value.where(), {}, capture_of(format, "text_capture")};
  bool good = true;
  for (const JsonValue& rule : rules->items()) {
    const auto parts = rule.items();
    if (parts.size() != 2 || !parts[0].is(JsonType::kString) || parts[0].string().empty()) {
      input_.fail(rule, "a rule must be a list of a string that is not empty, and a format");
      good = false;
      continue;
    }
    const Node then = read(parts[1]);
    good &= then.has_value();
    if (then) add_branch(text, std::string(parts[0].string()), *then, parts[0].where());
  }
  if (!good) return std::nullopt;
  warn_of_unreachable(text);
  return free_text(text);
}

void FormatReader::add_branch(FreeText& text, std::string trigger, NodeId then, SourceRange where) {
  for (Branch& branch : text.branches) {
    if (branch.trigger == trigger) return branch.then.push_back(then);
  }
  text.branches.push_back({std::move(trigger), {then}, where});
}

// Returns a dispatch of the branches whose triggers are text. The other triggers are added to the excluded strings.
frontend::Dispatch FormatReader::text_dispatch(const FreeText& text) {
  Dispatch dispatch;
  dispatch.excluded = text.excluded;
  dispatch.excluded.insert(dispatch.excluded.end(), text.ends.begin(), text.ends.end());
  dispatch.where = text.where;
  for (const Branch& branch : text.branches) {
    if (holds_token(branch.trigger)) {
      dispatch.excluded.push_back(branch.trigger);
      continue;
    }
    Trigger trigger;
    trigger.text = branch.trigger;
    trigger.then = grammar_.add_choice(branch.then, branch.where);
    trigger.next = text.stop_after_first ? Trigger::Next::kEnd : Trigger::Next::kText;
    trigger.where = branch.where;
    dispatch.triggers.push_back(std::move(trigger));
  }
  return dispatch;
}

bool FormatReader::holds_token(std::string_view trigger) const {
  const auto pieces = literals_.split(trigger);
  return std::any_of(pieces.begin(), pieces.end(), [](const auto& piece) { return piece.is_token; });
}

void FormatReader::warn_of_unreachable(const FreeText& text) {
  const Dispatch dispatch = text_dispatch(text);
  for (const std::size_t i : unreachable_triggers(grammar_.exprs, dispatch)) {
    input_.reading().warnings.push_back(
        {"no text reaches the trigger `" + dispatch.triggers[i].text + "`", dispatch.triggers[i].where,
         "it holds another trigger, or a string that is excluded", "unreachable-trigger"});
  }
}

FormatReader::Node FormatReader::free_text(const FreeText& text) {
  Dispatch dispatch = text_dispatch(text);
  Node node;
  std::vector<std::string> ends = text.ends, excluded = text.excluded;
  for (const Branch& branch : text.branches) ends.push_back(branch.trigger);
  const NodeId only_text = captured(text_only(ends, excluded, text.where), text.capture, text.where);
  if (dispatch.triggers.empty()) {
    node = only_text;
  } else {
    grammar::FreeText kept;
    dispatch.text_nodes = &kept.nodes;
    dispatch.capture = text.capture;
    Result<NodeId> added = add_dispatch(grammar_, dispatch, "text");
    if (!added) {
      input_.reading().errors.push_back(std::move(added.error()));
      return std::nullopt;
    }
    node = *added;
    kept.ends = ends;
    kept.excluded = excluded;
    grammar_.free_texts.push_back(std::move(kept));
  }
  std::vector<NodeId> by_token;
  for (const Branch& branch : text.branches) {
    if (!holds_token(branch.trigger)) continue;
    by_token.push_back(grammar_.add_sequence(std::vector{literals_.add(grammar_, branch.trigger, branch.where),
                                                         grammar_.add_choice(branch.then, branch.where)},
                                             branch.where));
  }
  if (by_token.empty()) return node;
  const NodeId called = grammar_.add_choice(by_token, text.where);
  if (text.stop_after_first) {
    const NodeId stopped = grammar_.add_sequence(std::vector{only_text, called}, text.where);
    return grammar_.add_choice(std::vector{*node, stopped}, text.where);
  }
  const NodeId again = rule("text", *node, text.where);
  const NodeId round = grammar_.add_sequence(std::vector{called, again}, text.where);
  return grammar_.add_sequence(std::vector{again, grammar_.add_repeat(round, 0, regex::kUnbounded, text.where)},
                               text.where);
}

}  // namespace weir::frontend::structural_tag
