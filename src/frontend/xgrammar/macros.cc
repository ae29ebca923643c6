// The meaning of XGrammar's macros.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "frontend/dispatch.h"
#include "frontend/substring.h"
#include "frontend/xgrammar/arguments.h"
#include "frontend/xgrammar/xgrammar.h"
#include "grammar/suggest.h"
#include "regex/syntax/syntax.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::xgrammar {

namespace {

using grammar::NodeId;
using regex::ExprId;

Error syntax_error(SourceRange where, std::string message, std::string hint = {}) {
  return Error{ErrorCode::kSyntax, std::move(message), where, std::move(hint), {}};
}

std::string_view name_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::kString: return "a string";
    case ValueKind::kInteger: return "a whole number";
    case ValueKind::kBoolean: return "`true` or `false`";
    case ValueKind::kName: return "the name of a rule";
    case ValueKind::kTuple: return "a tuple";
  }
  return "";
}

class Macro {
 public:
  Macro(std::string_view text, SourceRange where, const ebnf::Extension::RuleNamed& rule_named, Reading& reading)
      : text_(text), where_(where), rule_named_(rule_named), reading_(reading), grammar_(reading.grammar) {}

  Result<NodeId> run() {
    Result<Arguments> arguments = read_arguments(text_, where_);
    if (!arguments) return tl::unexpected(std::move(arguments.error()));
    arguments_ = std::move(*arguments);
    const std::string_view name = arguments_.macro;
    if (name == "Regex") return regular_expression();
    if (name == "Substring") return substring();
    if (name == "TagDispatch") return tag_dispatch();
    if (name == "TokenTagDispatch") return token_tag_dispatch();
    return tokens(name == "ExcludeToken");
  }

 private:
  [[nodiscard]] std::string title() const { return "`" + std::string(arguments_.macro) + "`"; }

  // Checks that named arguments have these names, and none comes twice.
  [[nodiscard]] Result<void> check_named(std::span<const std::string_view> names) const {
    for (std::size_t i = 0; i < arguments_.named.size(); ++i) {
      const NamedValue& named = arguments_.named[i];
      const auto same = [&](const NamedValue& other) { return other.name == named.name; };
      if (std::ranges::find(names, named.name) == names.end()) {
        return tl::unexpected(syntax_error(named.where, title() + " has no argument `" + named.name + "`",
                                           grammar::did_you_mean(names, named.name)));
      }
      if (std::any_of(arguments_.named.begin(), arguments_.named.begin() + static_cast<std::ptrdiff_t>(i), same)) {
        return tl::unexpected(syntax_error(named.where, "argument `" + named.name + "` is given twice"));
      }
    }
    return {};
  }

  [[nodiscard]] const Value* named(std::string_view name) const {
    for (const NamedValue& value : arguments_.named) {
      if (value.name == name) return &value.value;
    }
    return nullptr;
  }

  [[nodiscard]] static Result<void> check_kind(const Value& value, ValueKind kind) {
    if (value.kind == kind) return {};
    return tl::unexpected(syntax_error(
        value.where, "expected " + std::string(name_of(kind)) + ", found " + std::string(name_of(value.kind))));
  }

  // Returns a named boolean argument, or `otherwise`.
  [[nodiscard]] Result<bool> boolean(std::string_view name, bool otherwise) const {
    const Value* value = named(name);
    if (value == nullptr) return otherwise;
    return check_kind(*value, ValueKind::kBoolean).map([&] { return value->integer != 0; });
  }

  Result<NodeId> terminal(ExprId expr) {
    if (expr == ExprId::kOverflow) return tl::unexpected(regex::overflow_error(grammar_.exprs, where_));
    const std::string_view written = text_.substr(where_.start, where_.end - where_.start);
    return grammar_.add_terminal(
        {expr, base::LexemeMode::kExact, base::escape_for_display(written, grammar::kTerminalNameBytes), where_});
  }

  // Without flags `.` is any character. With flags it excludes line ends, unless `s` is among them.
  Result<regex::SyntaxOptions> regex_options() const {
    regex::SyntaxOptions options;
    options.dialect = regex::Dialect::kEcma262;
    const Value* flags = named("flags");
    options.dot_all = flags == nullptr;
    if (flags == nullptr) return options;
    if (auto done = check_kind(*flags, ValueKind::kString); !done) return tl::unexpected(std::move(done.error()));
    for (const char flag : flags->string) {
      switch (flag) {
        case 'i': options.ignore_case = true; break;
        case 's': options.dot_all = true; break;
        case 'u': break;  // characters are code points in any case
        default:
          return tl::unexpected(syntax_error(flags->where,
                                             std::string("unknown flag `") + flag + "` of a regular expression",
                                             "the flags are `i`, `s` and `u`"));
      }
    }
    return options;
  }

  Result<NodeId> regular_expression() {
    static constexpr std::array<std::string_view, 2> kNames{"json_string", "flags"};
    if (auto done = check_named(kNames); !done) return tl::unexpected(std::move(done.error()));
    if (arguments_.positional.size() != 1) {
      return tl::unexpected(syntax_error(arguments_.macro_where, "`Regex` takes one pattern"));
    }
    const Value& pattern = arguments_.positional.front();
    if (auto done = check_kind(pattern, ValueKind::kString); !done) return tl::unexpected(std::move(done.error()));
    const Result<regex::SyntaxOptions> options = regex_options();
    if (!options) return tl::unexpected(options.error());
    const Result<bool> json_string = boolean("json_string", false);
    if (!json_string) return tl::unexpected(json_string.error());
    Result<ExprId> expr = regex::parse_regex(grammar_.exprs, pattern.string, *options, reading_.limits);
    if (!expr) {
      Error error = std::move(expr.error());
      move_into_literal(error, pattern);
      return tl::unexpected(std::move(error));
    }
    if (*json_string) {
      const regex::CodePointSet unescaped = regex::CodePointSet::all() - regex::CodePointSet::range(0, 0x1F) -
                                            regex::CodePointSet::of('"') - regex::CodePointSet::of('\\');
      const ExprId characters = regex::utf8_set(grammar_.exprs, unescaped);
      *expr = grammar_.exprs.intersection(*expr, grammar_.exprs.repeat(characters, 0, regex::kUnbounded));
    }
    return terminal(*expr);
  }

  // If the literal has no escapes, a range of the pattern is a range of the literal; otherwise the error points at the
  // whole literal.
  void move_into_literal(Error& error, const Value& pattern) const {
    const bool verbatim = pattern.where.end - pattern.where.start == pattern.string.size() + 2;
    error.where =
        verbatim ? SourceRange{error.where.start + pattern.where.start + 1, error.where.end + pattern.where.start + 1}
                 : pattern.where;
  }

  Result<NodeId> substring() {
    if (auto done = check_named({}); !done) return tl::unexpected(std::move(done.error()));
    std::vector<std::string_view> units;
    for (const Value& value : arguments_.positional) {
      if (auto done = check_kind(value, ValueKind::kString); !done) return tl::unexpected(std::move(done.error()));
      units.push_back(value.string);
    }
    return terminal(substring_of(grammar_.exprs, units));
  }

  // Returns a reference to the rule of a pair (key, rule).
  Result<NodeId> pair_rule(const Value& pair, ValueKind key, std::string_view example) {
    if (pair.kind != ValueKind::kTuple || pair.items.size() != 2 || pair.items[0].kind != key ||
        pair.items[1].kind != ValueKind::kName) {
      return tl::unexpected(syntax_error(pair.where, "expected a pair of " + std::string(name_of(key)) + " and a rule",
                                         "a pair is written `" + std::string(example) + "`"));
    }
    const SourceRange name = pair.items[1].where;
    return grammar_.add_rule_reference(rule_named_(name), name);
  }

  Result<NodeId> tag_dispatch() {
    static constexpr std::array<std::string_view, 2> kNames{"loop_after_dispatch", "excludes"};
    if (auto done = check_named(kNames); !done) return tl::unexpected(std::move(done.error()));
    const Result<bool> loop = boolean("loop_after_dispatch", true);
    if (!loop) return tl::unexpected(loop.error());
    Dispatch dispatch;
    dispatch.where = where_;
    for (const Value& pair : arguments_.positional) {
      const Result<NodeId> rule = pair_rule(pair, ValueKind::kString, "(\"<tag>\", name)");
      if (!rule) return rule;
      const Value& tag = pair.items[0];
      if (tag.string.empty()) return tl::unexpected(syntax_error(tag.where, "a tag must not be empty"));
      dispatch.triggers.push_back({tag.string, *rule, *loop ? Trigger::Next::kText : Trigger::Next::kEnd, tag.where});
    }
    if (auto done = read_excludes(dispatch); !done) return tl::unexpected(std::move(done.error()));
    for (const std::size_t i : unreachable_triggers(grammar_.exprs, dispatch)) {
      reading_.warnings.push_back({"this tag is never reached: it holds another tag, or a string that is excluded",
                                   dispatch.triggers[i].where,
                                   {},
                                   "unreachable-tag"});
    }
    return add_dispatch(grammar_, dispatch, "TagDispatch");
  }

  Result<void> read_excludes(Dispatch& dispatch) const {
    const Value* excludes = named("excludes");
    if (excludes == nullptr) return {};
    if (auto done = check_kind(*excludes, ValueKind::kTuple); !done) return done;
    for (const Value& value : excludes->items) {
      if (auto done = check_kind(value, ValueKind::kString); !done) return done;
      if (value.string.empty())
        return tl::unexpected(syntax_error(value.where, "an excluded string must not be empty"));
      for (const Trigger& trigger : dispatch.triggers) {
        if (!trigger.text.starts_with(value.string)) continue;
        return tl::unexpected(syntax_error(
            value.where, "a tag begins with this excluded string: \"" + base::escape_for_display(trigger.text) + "\""));
      }
      dispatch.excluded.push_back(value.string);
    }
    return {};
  }

  Result<void> add_token(const Value& value, grammar::TokenSet& set) const {
    if (auto done = check_kind(value, ValueKind::kInteger); !done) return done;
    if (value.integer >= UINT32_MAX) return tl::unexpected(syntax_error(value.where, "token id out of range"));
    const auto id = static_cast<std::uint32_t>(value.integer);
    set.ranges.emplace_back(id, id);
    return {};
  }

  [[nodiscard]] grammar::TokenSet empty_set(SourceRange where) const {
    grammar::TokenSet set;
    set.name = text_.substr(where.start, where.end - where.start);
    set.where = where;
    return set;
  }

  Result<NodeId> tokens(bool complement) {
    if (auto done = check_named({}); !done) return tl::unexpected(std::move(done.error()));
    if (arguments_.positional.empty()) {
      return tl::unexpected(syntax_error(arguments_.macro_where, title() + " takes at least one token id"));
    }
    grammar::TokenSet set = empty_set(where_);
    set.complement = complement;
    for (const Value& value : arguments_.positional) {
      if (auto done = add_token(value, set); !done) return tl::unexpected(std::move(done.error()));
    }
    return grammar_.add_tokens(std::move(set));
  }

  // loop ::= (any token but triggers and excluded ones) loop | trigger rule loop | ... | ""
  Result<NodeId> token_tag_dispatch() {
    static constexpr std::array<std::string_view, 2> kNames{"loop_after_dispatch", "excludes"};
    if (auto done = check_named(kNames); !done) return tl::unexpected(std::move(done.error()));
    const Result<bool> again = boolean("loop_after_dispatch", true);
    if (!again) return tl::unexpected(again.error());
    const grammar::RuleId rule =
        grammar_.add_rule({.name = "TokenTagDispatch", .where = where_, .defined = true, .generated = true});
    const NodeId loop = grammar_.add_rule_reference(rule, where_);
    grammar::TokenSet others = empty_set(where_);
    others.complement = true;
    std::vector<NodeId> ways{NodeId::kEmpty};
    for (const Value& pair : arguments_.positional) {
      const Result<NodeId> then = pair_rule(pair, ValueKind::kInteger, "(7, name)");
      if (!then) return then;
      grammar::TokenSet trigger = empty_set(pair.items[0].where);
      if (auto done = add_token(pair.items[0], trigger); !done) return tl::unexpected(std::move(done.error()));
      others.ranges.push_back(trigger.ranges.front());
      std::vector<NodeId> parts{grammar_.add_tokens(std::move(trigger)), *then};
      if (*again) parts.push_back(loop);
      ways.push_back(grammar_.add_sequence(parts, pair.where));
    }
    if (const Value* excludes = named("excludes")) {
      if (auto done = check_kind(*excludes, ValueKind::kTuple); !done) return tl::unexpected(std::move(done.error()));
      const std::size_t triggers = others.ranges.size();
      for (const Value& value : excludes->items) {
        if (auto done = add_token(value, others); !done) return tl::unexpected(std::move(done.error()));
        const auto end = others.ranges.begin() + static_cast<std::ptrdiff_t>(triggers);
        if (std::find(others.ranges.begin(), end, others.ranges.back()) == end) continue;
        return tl::unexpected(syntax_error(value.where, "this token is a trigger, so it cannot be excluded"));
      }
    }
    const NodeId text[] = {grammar_.add_tokens(std::move(others)), loop};
    ways.push_back(grammar_.add_sequence(text, where_));
    grammar_.rule(rule).body = grammar_.add_choice(ways, where_);
    return loop;
  }

  std::string_view text_;
  SourceRange where_;
  const ebnf::Extension::RuleNamed& rule_named_;
  Reading& reading_;
  grammar::Grammar& grammar_;
  Arguments arguments_;
};

}  // namespace

Result<NodeId> read_macro(std::string_view text, SourceRange where, const ebnf::Extension::RuleNamed& rule_named,
                          Reading& reading) {
  return Macro(text, where, rule_named, reading).run();
}

}  // namespace weir::frontend::xgrammar
