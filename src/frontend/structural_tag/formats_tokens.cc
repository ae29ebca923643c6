// Formats of tokens, each of which is matched as a whole.
#include <algorithm>
#include <utility>

#include "frontend/structural_tag/formats.h"
#include "regex/expr/expr.h"

namespace weir::frontend::structural_tag {

using grammar::NodeId;

namespace {

void append(grammar::TokenSet& to, const grammar::TokenSet& from) {
  to.names.insert(to.names.end(), from.names.begin(), from.names.end());
  to.ranges.insert(to.ranges.end(), from.ranges.begin(), from.ranges.end());
}

}  // namespace

// Adds a token, given by id or by the name of a special token.
bool FormatReader::add_to(grammar::TokenSet& set, const JsonValue& token) {
  if (!set.name.empty()) set.name += ", ";
  const std::string text(input_.text_of(token));
  set.name += token.is(JsonType::kNumber) ? "<[" + text + "]>" : text;  // as EBNF has it
  if (token.is(JsonType::kString) && !token.string().empty()) {
    set.names.emplace_back(token.string());
    return true;
  }
  const auto id = token.is(JsonType::kNumber) ? token.number().to_uint64() : std::nullopt;
  if (!id) {
    input_.fail(token, "a token must be an id or the name of a special token");
    return false;
  }
  if (*id >= UINT32_MAX) {
    input_.fail(token, "token id out of range");
    return false;
  }
  set.ranges.emplace_back(static_cast<std::uint32_t>(*id), static_cast<std::uint32_t>(*id));
  return true;
}

std::optional<grammar::TokenSet> FormatReader::token_set(const Object& format, std::string_view key) {
  grammar::TokenSet set;
  set.where = format.value.where();
  if (find_given(format.value, key) == nullptr) return set;
  const JsonValue* array = input_.find(format, key, JsonType::kArray);
  if (array == nullptr) return std::nullopt;
  bool good = true;
  for (const JsonValue& token : array->items()) good &= add_to(set, token);
  if (!good) return std::nullopt;
  return set;
}

FormatReader::Node FormatReader::token(const Object& format) {
  input_.has_only(format, {"type", "token", "capture"});
  const JsonValue* type = input_.need(format, "type", JsonType::kString);
  if (type != nullptr && type->string() != "token")
    return input_.fail(*type, "only a string or a `token` may stand here");
  const JsonValue* value = find_given(format.value, "token");
  if (value == nullptr) return input_.fail(format.value, "`token` needs a member `token`");
  grammar::TokenSet set;
  set.where = value->where();
  if (!add_to(set, *value)) return std::nullopt;
  return grammar_.add_tokens(std::move(set));
}

FormatReader::Node FormatReader::exclude_token(const Object& format) {
  input_.has_only(format, {"type", "exclude_tokens", "capture"});
  std::optional<grammar::TokenSet> set = token_set(format, "exclude_tokens");
  if (!set) return std::nullopt;
  set->complement = true;
  return grammar_.add_tokens(*std::move(set));
}

FormatReader::Node FormatReader::any_tokens(const Object& format) {
  input_.has_only(format, {"type", "exclude_tokens", "max_tokens", "capture"});
  std::optional<grammar::TokenSet> set = token_set(format, "exclude_tokens");
  const std::uint32_t most = input_.reading().limits.repeat_count;
  const std::optional<std::uint32_t> max = input_.count(format, "max_tokens", most, regex::kUnbounded);
  if (!set || !max) return std::nullopt;
  append(*set, ends_.tokens);
  set->complement = true;
  return grammar_.add_repeat(grammar_.add_tokens(*std::move(set)), 0, *max, format.value.where());
}

// Returns a node for tokens up to a trigger, then what it leads to, and so on.
NodeId FormatReader::token_text(const TokenText& text) {
  grammar::TokenSet others = text.excluded;
  others.complement = true;
  others.where = text.where;
  append(others, ends_.tokens);
  std::vector<NodeId> calls;
  for (const TokenBranch& branch : text.branches) {
    append(others, branch.trigger);
    calls.push_back(
        grammar_.add_sequence(std::vector{grammar_.add_tokens(branch.trigger), branch.then}, branch.trigger.where));
  }
  others.name = "other tokens";
  const NodeId free = grammar_.add_repeat(grammar_.add_tokens(std::move(others)), 0, regex::kUnbounded, text.where);
  const NodeId again = rule("tokens", free, text.where, text.capture);
  const NodeId call = grammar_.add_choice(calls, text.where);
  if (text.stop_after_first) {
    return grammar_.add_sequence(std::vector{again, grammar_.add_repeat(call, 0, 1, text.where)}, text.where);
  }
  const NodeId round = grammar_.add_sequence(std::vector{call, again}, text.where);
  return grammar_.add_sequence(std::vector{again, grammar_.add_repeat(round, 0, regex::kUnbounded, text.where)},
                               text.where);
}

FormatReader::Node FormatReader::token_triggered_tags(const Object& format) {
  input_.has_only(format, {"type", "trigger_tokens", "tags", "exclude_tokens", "at_least_one", "stop_after_first",
                           "capture", "text_capture"});
  const std::optional<std::vector<Tag>> tags = read_tags(format);
  const JsonValue* triggers = input_.need(format, "trigger_tokens", JsonType::kArray);
  const std::optional<grammar::TokenSet> excluded = token_set(format, "exclude_tokens");
  const std::optional<bool> at_least_one = input_.flag(format, "at_least_one", false);
  const std::optional<bool> stop = input_.flag(format, "stop_after_first", false);
  if (triggers == nullptr || !tags || !excluded || !at_least_one || !stop) return std::nullopt;
  if (triggers->items().empty()) return input_.fail(*triggers, "`trigger_tokens` must not be empty");
  TokenText text{{}, *excluded, *stop, format.value.where(), capture_of(format, "text_capture")};
  bool good = true;
  std::vector<NodeId> ways;
  for (const Tag& tag : *tags) {
    if (!tag.begin_token) {
      input_.fail(*tag.begin_value, "a tag of `token_triggered_tags` must begin with a `token`",
                  "the format `triggered_tags` has tags that begin with a string");
      good = false;
      continue;
    }
    const JsonValue& token = *find_given(*tag.begin_value, "token");
    const auto items = triggers->items();
    if (std::find(items.begin(), items.end(), token) == items.end()) {
      input_.fail(token, "the tag begins with none of `trigger_tokens`");
      good = false;
      continue;
    }
    TokenBranch branch;
    branch.trigger.where = token.where();
    add_to(branch.trigger, token);
    branch.then = tag.rest;
    text.branches.push_back(std::move(branch));
    ways.push_back(tag_node(tag));
  }
  for (const JsonValue& trigger : triggers->items()) good &= add_to(text.excluded, trigger);
  if (!good) return std::nullopt;
  if (!*at_least_one) return token_text(text);
  const NodeId first = grammar_.add_choice(ways, text.where);
  if (*stop) return first;
  return grammar_.add_sequence(std::vector{first, token_text(text)}, text.where);
}

FormatReader::Node FormatReader::token_dispatch(const Object& format) {
  input_.has_only(format, {"type", "rules", "loop", "exclude_tokens", "capture", "text_capture"});
  const JsonValue* rules = input_.need(format, "rules", JsonType::kArray);
  const std::optional<grammar::TokenSet> excluded = token_set(format, "exclude_tokens");
  const std::optional<bool> loop = input_.flag(format, "loop", true);
  if (rules == nullptr || !excluded || !loop) return std::nullopt;
  if (rules->items().empty()) return input_.fail(*rules, "`rules` must not be empty");
  TokenText text{{}, *excluded, !*loop, format.value.where(), capture_of(format, "text_capture")};
  bool good = true;
  for (const JsonValue& rule : rules->items()) {
    const auto parts = rule.items();
    if (parts.size() != 2) {
      input_.fail(rule, "a rule must be a list of a token and a format");
      good = false;
      continue;
    }
    TokenBranch branch;
    branch.trigger.where = parts[0].where();
    good &= add_to(branch.trigger, parts[0]);
    const Node then = read(parts[1]);
    good &= then.has_value();
    if (then) branch.then = *then;
    text.branches.push_back(std::move(branch));
  }
  if (!good) return std::nullopt;
  return token_text(text);
}

}  // namespace weir::frontend::structural_tag
