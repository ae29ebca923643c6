#include "frontend/lark/indentation.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/json/json_value.h"
#include "base/utf8.h"
#include "grammar/suggest.h"
#include "regex/analysis/members.h"
#include "regex/syntax/syntax.h"

namespace weir::frontend::lark {

using grammar::LineMark;
using regex::ExprId;

namespace {

// Lark's names of strings that are written in rules.
struct Bracket {
  std::string_view name, text;
};
constexpr std::array<Bracket, 8> kBrackets{{{"LPAR", "("},
                                            {"RPAR", ")"},
                                            {"LSQB", "["},
                                            {"RSQB", "]"},
                                            {"LBRACE", "{"},
                                            {"RBRACE", "}"},
                                            {"LESSTHAN", "<"},
                                            {"MORETHAN", ">"}}};

Error fault(ErrorCode code, std::string message, SourceRange where, std::string hint = {}) {
  return {code, std::move(message), where, std::move(hint), {}};
}

std::string quoted(std::string_view name) { return "`" + base::escape_for_display(name) + "`"; }

}  // namespace

struct Indents::Names {
  SourceRange where = {};
  std::string newline = {}, indent = "_INDENT", dedent = "_DEDENT";
  std::vector<std::string> open{"LPAR", "LSQB", "LBRACE"};
  std::vector<std::string> close{"RPAR", "RSQB", "RBRACE"};
  grammar::Indentation how = {};
};

bool Indents::contains(const std::vector<ExprId>& list, ExprId expr) {
  return std::find(list.begin(), list.end(), expr) != list.end();
}

LineMark Indents::mark_of(std::uint32_t definition) const {
  if (definition == newline_) return LineMark::kNewline;
  if (definition == indent_) return LineMark::kIndent;
  return definition == dedent_ ? LineMark::kDedent : LineMark::kNone;
}

Result<void> Indents::read_options(std::string_view text, std::size_t start, const Limits& limits, Names& names) {
  static constexpr std::array<std::string_view, 10> kNames{
      "newline", "indent", "dedent", "open", "close", "tab_len", "tabs", "width", "max_step", "ignored_at_ends"};
  const auto moved = [&](SourceRange range) { return SourceRange{range.start + start, range.end + start}; };
  auto document = base::JsonDocument::parse(text, limits);
  if (!document) {
    document.error().where = moved(document.error().where);
    return tl::unexpected(std::move(document.error()));
  }
  if (!document->root().is(base::JsonType::kObject)) {
    return tl::unexpected(fault(ErrorCode::kSyntax, "`%indent` needs a JSON object", names.where));
  }
  for (const base::JsonMember& member : document->root().members()) {
    const base::JsonValue& value = member.value;
    const auto wrong = [&](std::string_view what) {
      return tl::unexpected(fault(ErrorCode::kSyntax,
                                  "`" + std::string(member.key) + "` has to be " + std::string(what),
                                  moved(value.where())));
    };
    const auto name = std::find(kNames.begin(), kNames.end(), member.key);
    switch (name - kNames.begin()) {
      case 0:
      case 1:
      case 2: {
        if (!value.is(base::JsonType::kString)) return wrong("the name of a terminal");
        std::string* const into[] = {&names.newline, &names.indent, &names.dedent};
        *into[name - kNames.begin()] = value.string();
        break;
      }
      case 3:
      case 4: {
        if (!value.is(base::JsonType::kArray)) return wrong("an array of names of terminals");
        std::vector<std::string>& into = name - kNames.begin() == 3 ? names.open : names.close;
        into.clear();
        for (const base::JsonValue& item : value.items()) {
          if (!item.is(base::JsonType::kString)) return wrong("an array of names of terminals");
          into.emplace_back(item.string());
        }
        break;
      }
      case 6:
      case 9:
        if (!value.is(base::JsonType::kBoolean)) return wrong("true or false");
        (member.key == "tabs" ? names.how.tabs : names.how.ignored_at_ends) = value.boolean();
        break;
      case 5:
      case 7:
      case 8: {
        const std::optional<std::uint64_t> count =
            value.is(base::JsonType::kNumber) ? value.number().to_uint64() : std::nullopt;
        if (!count || *count == 0 || *count > grammar::kMaxColumns) {
          return wrong("an integer from 1 to " + std::to_string(grammar::kMaxColumns));
        }
        std::uint32_t& into = member.key == "tab_len" ? names.how.tab_len
                              : member.key == "width" ? names.how.width
                                                      : names.how.max_step;
        into = static_cast<std::uint32_t>(*count);
        break;
      }
      default:
        return tl::unexpected(fault(ErrorCode::kUnsupported, "unknown member " + quoted(member.key) + " of `%indent`",
                                    moved(member.key_where), grammar::did_you_mean(kNames, member.key)));
    }
  }
  return {};
}

Result<void> Indents::read(const Module& module, std::string_view indenter, RegularBodies& regular,
                           regex::ExprSet& exprs, const Limits& limits) {
  const auto declared = std::find_if(module.definitions.begin(), module.definitions.end(),
                                     [](const Definition& definition) { return definition.is_declared; });
  const bool is_declared = declared != module.definitions.end();
  if (!is_declared && !module.indent && indenter.empty()) return {};
  Names names;
  names.where = module.indent.value_or(is_declared ? declared->where : SourceRange{});
  if (!indenter.empty()) {
    if (auto done = read_options(indenter, 0, limits, names); !done) {
      done.error().message = "in the option `indenter`: " + done.error().message;
      done.error().where = {};
      done.error().options = "indenter";
      return done;
    }
  } else if (module.indent) {
    const std::string_view text = module.text.substr(module.indent->start, module.indent->end - module.indent->start);
    if (auto done = read_options(text, module.indent->start, limits, names); !done) return done;
  }
  exist_ = true;
  if (auto done = resolve(module, names, regular, exprs); !done) return done;
  indentation_ = names.how;
  return divide(module.definitions[newline_].where, exprs, limits);
}

Result<void> Indents::resolve(const Module& module, const Names& names, RegularBodies& regular, regex::ExprSet& exprs) {
  const auto find = [&](std::string_view name) -> std::optional<std::uint32_t> {
    const auto found = module.names.find(name);
    return found == module.names.end() ? std::nullopt : std::optional(found->second);
  };
  const auto missing = [&](std::string_view name, std::string_view what, std::string hint) {
    std::vector<std::string_view> known;
    for (const Definition& definition : module.definitions) known.emplace_back(definition.name);
    if (std::string meant = grammar::did_you_mean(known, name); !meant.empty()) hint = std::move(meant);
    return tl::unexpected(fault(ErrorCode::kInvalidArgument,
                                "there is no terminal " + quoted(name) + " for " + std::string(what), names.where,
                                std::move(hint)));
  };
  std::string newline = names.newline;
  if (newline.empty()) newline = find("_NEWLINE") || !find("_NL") ? "_NEWLINE" : "_NL";
  const auto line_end = find(newline);
  if (!line_end || !module.definitions[*line_end].is_terminal || module.definitions[*line_end].is_declared) {
    return missing(newline, "line ends", "define it, for example `_NEWLINE: /(\\r?\\n[\\t ]*)+/`");
  }
  newline_ = *line_end;
  for (const bool is_indent : {true, false}) {
    const std::string& name = is_indent ? names.indent : names.dedent;
    const auto found = find(name);
    if (!found || !module.definitions[*found].is_declared) {
      return missing(name, is_indent ? "indents" : "dedents",
                     "write `%declare " + names.indent + " " + names.dedent + "`");
    }
    (is_indent ? indent_ : dedent_) = *found;
  }
  for (std::uint32_t i = 0; i < module.definitions.size(); ++i) {
    const Definition& definition = module.definitions[i];
    if (!definition.is_declared || i == indent_ || i == dedent_) continue;
    return tl::unexpected(fault(ErrorCode::kUnsupported,
                                quoted(definition.name) + " is declared, but nothing gives it text", definition.where,
                                "only an indent and a dedent can be declared; define others"));
  }
  for (const bool is_open : {true, false}) {
    for (const std::string& name : is_open ? names.open : names.close) {
      const auto found = find(name);
      ExprId expr{};
      if (found && module.definitions[*found].is_terminal && !module.definitions[*found].is_declared) {
        auto value = regular.expr_of_definition(module, *found);
        if (!value) return tl::unexpected(std::move(value.error()));
        expr = *value;
      } else {
        const auto known =
            std::find_if(kBrackets.begin(), kBrackets.end(), [&](const Bracket& b) { return b.name == name; });
        if (known == kBrackets.end()) {
          return missing(name, "brackets", "define it; LPAR, RPAR, LSQB, RSQB, LBRACE and RBRACE are known");
        }
        expr = exprs.literal(known->text);
      }
      (is_open ? opens_ : closes_).push_back(expr);
    }
  }
  auto value = regular.expr_of_definition(module, newline_);
  if (!value) return tl::unexpected(std::move(value.error()));
  newline_expr_ = *value;
  return {};
}

// Divides the newline terminal after its last line feed. All that may come after a line feed has to be one language, as far
// as it has no line feed, with all blanks in it.
Result<void> Indents::divide(SourceRange where, regex::ExprSet& exprs, const Limits& limits) {
  const auto refuse = [&](std::string message, std::string hint) {
    return tl::unexpected(fault(ErrorCode::kUnsupported, std::move(message), where, std::move(hint)));
  };
  const auto is_empty = [&](ExprId expr) {
    return regex::emptiness(exprs, expr, limits.regex_fuel) == regex::Emptiness::kEmpty;
  };
  regex::ByteSet others = regex::ByteSet::range(0, '\n' - 1);
  others.add_range('\n' + 1, 255);
  const ExprId line = exprs.repeat(exprs.byte_set(others), 0, regex::kUnbounded);
  std::set<ExprId> seen{newline_expr_}, tails;
  std::vector<ExprId> open{newline_expr_};
  std::vector<regex::ExprSet::Branch> branches;
  while (!open.empty()) {
    const ExprId at = open.back();
    open.pop_back();
    branches.clear();
    exprs.append_branches(at, branches);
    for (const regex::ExprSet::Branch& branch : branches) {
      if (is_empty(branch.to)) continue;
      if (branch.bytes.contains('\n')) tails.insert(branch.to);
      if (seen.insert(branch.to).second) open.push_back(branch.to);
    }
    if (seen.size() > limits.regex_fuel) {
      return tl::unexpected(
          Error{ErrorCode::kLimitExceeded, "the terminal for line ends has too many states", where, {}, "regex_fuel"});
    }
  }
  static constexpr const char* kExample = "an example: `/(\\r?\\n[\\t ]*)+/`";
  if (tails.empty()) return refuse("the terminal for line ends matches no line feed", kExample);
  if (exprs.nullable(newline_expr_)) return refuse("the terminal for line ends matches the empty text", kExample);
  indentation_.rest = exprs.intersection(*tails.begin(), line);
  for (const ExprId tail : tails) {
    if (!exprs.nullable(tail))
      return refuse("the terminal for line ends cannot end after each of its line feeds", kExample);
    const ExprId rest = exprs.intersection(tail, line);
    const bool is_same = rest == indentation_.rest || (is_empty(exprs.difference(rest, indentation_.rest)) &&
                                                       is_empty(exprs.difference(indentation_.rest, rest)));
    if (!is_same) {
      return refuse("what the terminal for line ends matches after a line feed depends on which line feed it is",
                    kExample);
    }
    branches.clear();
    exprs.append_branches(tail, branches);
    for (const regex::ExprSet::Branch& branch : branches) {
      if (!is_empty(branch.to)) continuing_ |= branch.bytes;
    }
  }
  const bool has_tabs = !is_empty(exprs.derivative(indentation_.rest, '\t'));
  regex::ByteSet blanks = regex::ByteSet::of(' ');
  if (has_tabs) blanks.add('\t');
  const ExprId all_blanks = exprs.repeat(exprs.byte_set(blanks), 0, regex::kUnbounded);
  if (!is_empty(exprs.difference(all_blanks, indentation_.rest))) {
    return refuse("the terminal for line ends has to match all blanks after a line feed, by which the column is known",
                  kExample);
  }
  indentation_.tabs = indentation_.tabs && has_tabs;
  indentation_.newline = exprs.intersection(newline_expr_, exprs.concat(ExprId::kAllStrings, exprs.literal("\n")));
  if (exprs.is_full()) return tl::unexpected(regex::overflow_error(exprs, where));
  return {};
}

}  // namespace weir::frontend::lark
