#include "frontend/convert/spelling.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/display_width.h"
#include "base/utf8.h"
#include "frontend/ebnf/text.h"
#include "regex/expr.h"
#include "regex/parser.h"

namespace weir::frontend::convert {

namespace {

using regex::Node;

tl::unexpected<Error> refused(const std::string& what, SourceRange where, std::string hint = {}) {
  return tl::unexpected(Error{ErrorCode::kUnsupported, "GBNF has no way to say " + what, where, std::move(hint)});
}

void append_hex(std::string& out, char32_t c) {
  const unsigned digits = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
  out += digits == 2 ? "\\x" : digits == 4 ? "\\u" : "\\U";
  for (unsigned i = digits; i-- > 0;) out += "0123456789ABCDEF"[(c >> (4 * i)) & 15U];
}

// A character inside of quotes or of brackets; `marks` are those that mean something there and have no escape of their
// own in GBNF.
void append_character(std::string& out, char32_t c, std::string_view marks) {
  switch (c) {
    case U'\n': out += "\\n"; return;
    case U'\r': out += "\\r"; return;
    case U'\t': out += "\\t"; return;
    case U'\\': out += "\\\\"; return;
    case U'"': out += "\\\""; return;
    default: break;
  }
  const bool mark = c < 0x80 && marks.find(static_cast<char>(c)) != std::string_view::npos;
  // The code points of halves of pairs stand at the ends of ranges in classes; they have no text.
  if (mark || c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0xD800 && c <= 0xDFFF) || (c & 0xFFFEU) == 0xFFFE ||
      base::is_hidden(c)) {
    append_hex(out, c);
  } else {
    base::append_utf8(out, c);
  }
}

std::string ranges_text(const regex::CodePointSet& set) {
  std::string out;
  for (const regex::CodePointRange& range : set.ranges()) {
    append_character(out, range.first, "^-[]");
    if (range.last == range.first) continue;
    if (range.last > range.first + 1) out += '-';
    append_character(out, range.last, "^-[]");
  }
  return out;
}

// Halves of surrogate pairs are no characters: whether a set has them makes no difference.
regex::CodePointSet without_surrogates(const regex::CodePointSet& set) {
  return set - regex::CodePointSet::range(0xD800, 0xDFFF);
}

const char* name_of(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::kIntersection: return "an intersection";
    case Node::Kind::kComplement: return "a complement";
    case Node::Kind::kLookAhead:
    case Node::Kind::kNotLookAhead: return "a look-ahead";
    case Node::Kind::kLookBehind:
    case Node::Kind::kNotLookBehind: return "a look-behind";
    case Node::Kind::kWordBoundary:
    case Node::Kind::kNotWordBoundary: return "a word boundary";
    default: return "an anchor";
  }
}

// A pattern as operators of rules, bottom-up: children come before their parents.
Result<Written> pattern_text(const regex::SyntaxTree& tree, SourceRange where, const Limits& limits) {
  std::vector<Written> written;
  std::vector<bool> empty;  // whether the node may match the empty string
  std::size_t size = 0;
  for (const Node& node : tree.nodes) {
    Written out;
    const auto is_empty = [&](regex::NodeId child) {
      return static_cast<bool>(empty[static_cast<std::size_t>(child)]);
    };
    const auto children = tree.children_of(node);
    const auto join = [&](Level level, Level of_children, const char* separator) {
      out.level = level;
      for (const regex::NodeId child : children) {
        if (!out.text.empty()) out.text += separator;
        out.text += enclosed(written[static_cast<std::size_t>(child)], of_children);
      }
    };
    switch (node.kind) {
      case Node::Kind::kLiteral:
        out.text = literal_text(tree.literal(node));
        empty.push_back(node.size == 0);
        break;
      case Node::Kind::kClass: {
        const regex::CodePointSet set = without_surrogates(tree.classes[static_cast<std::size_t>(node.cls)]);
        if (set.is_empty()) return refused("a class without characters", where);
        out.text = class_text(set);
        empty.push_back(false);
        break;
      }
      case Node::Kind::kConcat:
        join(Level::kSequence, Level::kRepeat, " ");
        empty.push_back(std::all_of(children.begin(), children.end(), is_empty));
        break;
      case Node::Kind::kAlternation:
        join(Level::kChoice, Level::kSequence, " | ");
        empty.push_back(std::any_of(children.begin(), children.end(), is_empty));
        break;
      case Node::Kind::kRepeat:
        if (node.max == regex::kUnbounded && is_empty(children[0])) {
          return refused("a repetition without bound of what may be empty", where, "llama.cpp refuses left recursion");
        }
        if (!is_gbnf_count(node.min, node.max)) return refused("a count above 2000", where);
        empty.push_back(node.min == 0 || is_empty(children[0]));
        out = {enclosed(written[static_cast<std::size_t>(children[0])], Level::kItem) + repeat_text(node.min, node.max),
               Level::kRepeat};
        break;
      default: return refused(name_of(node.kind), where, "it has no regular expressions");
    }
    size += out.text.size();
    if (size > limits.text_bytes) return refused("so large a regular expression", where);
    written.push_back(std::move(out));
  }
  return std::move(written[static_cast<std::size_t>(tree.root)]);
}

// Whether the text is one literal, class or regular expression and nothing behind it.
bool is_one_word(std::string_view text) {
  if (text.front() == '.') return text.size() == 1;
  const std::size_t close = text.front() == '/' ? text.rfind('/') : std::string_view::npos;
  if (close != std::string_view::npos) {
    const auto is_flag = [](char c) { return c >= 'a' && c <= 'z'; };
    return close > 0 && std::all_of(text.begin() + static_cast<std::ptrdiff_t>(close) + 1, text.end(), is_flag);
  }
  const char closing = text.front() == '[' ? ']' : text.front();
  std::size_t end = text.starts_with("[^") ? 2 : 1;
  while (end < text.size() && text[end] != closing) end += text[end] == '\\' ? 2 : 1;
  return end + 1 == text.size();
}

Result<Written> regex_text(std::string_view text, SourceRange where, const Limits& limits) {
  const std::size_t close = text.rfind('/');
  regex::SyntaxOptions options;
  for (const char flag : text.substr(close + 1)) {
    options.ignore_case = options.ignore_case || flag == 'i';
    options.multi_line = options.multi_line || flag == 'm';
    options.dot_all = options.dot_all || flag == 's';
    options.extended = options.extended || flag == 'x';
  }
  const Result<regex::SyntaxTree> tree = regex::parse_pattern(text.substr(1, close - 1), options, limits);
  if (!tree) return tl::unexpected(tree.error());
  return pattern_text(*tree, where, limits);
}

}  // namespace

std::string enclosed(const Written& written, Level level) {
  return written.level < level ? "(" + written.text + ")" : written.text;
}

bool is_gbnf_count(std::uint32_t min, std::uint32_t max) {
  return min <= kMostGbnfRepeats && (max <= kMostGbnfRepeats || max == regex::kUnbounded);
}

std::string repeat_text(std::uint32_t min, std::uint32_t max) {
  if (max == regex::kUnbounded && min == 0) return "*";
  if (max == regex::kUnbounded && min == 1) return "+";
  if (min == 0 && max == 1) return "?";
  std::string out = "{" + std::to_string(min);
  if (max == min) return out + "}";
  out += ",";
  if (max != regex::kUnbounded) out += std::to_string(max);
  return out + "}";
}

std::string literal_text(std::string_view bytes) {
  std::string out = "\"";
  for (std::size_t pos = 0; pos < bytes.size();) {
    const base::Decoded c = base::decode_utf8(bytes, pos);
    append_character(out, c.code_point, "");
    pos += std::max<std::size_t>(1, c.length);
  }
  return out + "\"";
}

std::string class_text(const regex::CodePointSet& given) {
  const regex::CodePointSet set = without_surrogates(given);
  const regex::CodePointSet others = without_surrogates(~set);
  if (others.is_empty()) return ".";
  const std::string as_it_is = "[" + ranges_text(set) + "]";
  const std::string negated = "[^" + ranges_text(others) + "]";
  return negated.size() < as_it_is.size() ? negated : as_it_is;
}

Result<Written> gbnf_terminal(const grammar::Terminal& terminal, SourceRange where, const Limits& limits) {
  if (terminal.mode == grammar::MatchMode::kLazy) return refused("a lazy terminal", where);
  if (terminal.mode == grammar::MatchMode::kGreedy) return refused("a greedy terminal", where);
  if (grammar::competes(terminal.mode)) return refused("a terminal that competes with others", where);
  const std::string_view text = terminal.text;
  if (text.empty()) return refused("terminal " + terminal.name, where);
  if (text.front() != '(' && !is_one_word(text)) return refused("`" + terminal.name + "`", where);
  const SourceRange all{0, text.size()};
  switch (text.front()) {
    case '"':
    case '\'': {
      const Result<std::string> bytes = ebnf::literal_bytes(text, all);
      if (!bytes) return tl::unexpected(bytes.error());
      return Written{literal_text(*bytes)};
    }
    case '[': {
      const Result<regex::CodePointSet> set = ebnf::class_set(text, all);
      if (!set) return tl::unexpected(set.error());
      if (without_surrogates(*set).is_empty()) return refused("a class without characters", where);
      return Written{class_text(*set)};
    }
    case '.': return Written{"."};
    case '/': return regex_text(text, where, limits);
    default: return refused("`" + terminal.name + "`", where, "intersections and complements are weir's own");
  }
}

Result<Written> gbnf_tokens(const grammar::TokenSet& set, SourceRange where) {
  const std::string negation = set.complement ? "!" : "";
  const bool one_id = set.ranges.size() == 1 && set.names.empty() && set.ranges[0].first == set.ranges[0].second;
  if (one_id) return Written{negation + "<[" + std::to_string(set.ranges[0].first) + "]>"};
  const bool one_name = set.ranges.empty() && set.names.size() == 1 && set.names[0].size() > 2 &&
                        set.names[0].front() == '<' && set.names[0].find_first_of(">\n") == set.names[0].size() - 1;
  if (one_name) return Written{negation + set.names[0]};
  return refused("a set of tokens", where, "it has single ones, `<[7]>` and `<name>`");
}

}  // namespace weir::frontend::convert
