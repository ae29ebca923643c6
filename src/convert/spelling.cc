#include "convert/spelling.h"

#include <algorithm>
#include <utility>

#include "base/display_width.h"
#include "base/utf8.h"
#include "convert/search_bounds.h"
#include "frontend/ebnf/text.h"
#include "grammar/print.h"
#include "regex/expr/expr.h"
#include "regex/syntax/parser.h"

namespace weir::frontend::convert {

namespace {

const char* name_of(Target target) {
  switch (target) {
    case Target::kEbnf: return "EBNF";
    case Target::kGbnf: return "GBNF";
    case Target::kXgrammar: return "XGrammar's EBNF";
    case Target::kKbnf: return "KBNF";
    case Target::kLark: return "Lark";
    case Target::kRegex: return "a regular expression";
  }
  return "";
}

void append_digits(std::string& out, char32_t c, unsigned digits) {
  for (unsigned i = digits; i-- > 0;) out += "0123456789ABCDEF"[(c >> (4 * i)) & 15U];
}

void append_number(Target target, std::string& out, char32_t c) {
  // XGrammar's `\x` reads all digits that follow. KBNF's literals have no `\U`.
  if (c < 0x100 && target != Target::kXgrammar) {
    out += "\\x";
    append_digits(out, c, 2);
  } else if (c < 0x10000) {
    out += "\\u";
    append_digits(out, c, 4);
  } else if (target == Target::kKbnf) {
    out += "\\u{";
    append_digits(out, c, 6);
    out += "}";
  } else {
    out += "\\U";
    append_digits(out, c, 8);
  }
}

// Returns true if the character is written as itself. Surrogates, which can be bounds of ranges in classes, have no
// text.
bool is_shown(char32_t c) {
  return c >= 0x20 && !(c >= 0x7F && c < 0xA0) && !(c >= 0xD800 && c <= 0xDFFF) && (c & 0xFFFEU) != 0xFFFE &&
         !base::is_hidden(c);
}

// Appends a character within quotes or brackets. `marks` are characters that have a meaning there and are written as
// numbers.
void append_character(Target target, std::string& out, char32_t c, std::string_view marks) {
  switch (c) {
    case U'\n': out += "\\n"; return;
    case U'\r': out += "\\r"; return;
    case U'\t': out += "\\t"; return;
    case U'\\': out += "\\\\"; return;
    case U'"':
      if (target == Target::kRegex) break;
      out += "\\\"";
      return;
    default: break;
  }
  const bool is_mark = c < 0x80 && marks.find(static_cast<char>(c)) != std::string_view::npos;
  if (is_mark || !is_shown(c)) {
    append_number(target, out, c);
  } else {
    base::append_utf8(out, c);
  }
}

std::string ranges_text(Target target, const regex::CodePointSet& set) {
  // The characters that are operators in classes of some dialect.
  const std::string_view marks = target == Target::kRegex ? "^-[]&~|/#\"' " : "^-[]";
  std::string out;
  for (const regex::CodePointRange& range : set.ranges()) {
    append_character(target, out, range.first, marks);
    if (range.last == range.first) continue;
    if (range.last > range.first + 1) out += '-';
    append_character(target, out, range.last, marks);
  }
  return out;
}

// Surrogates are not characters, so it does not matter whether a set contains them.
regex::CodePointSet without_surrogates(const regex::CodePointSet& set) {
  return set - regex::CodePointSet::range(0xD800, 0xDFFF);
}

const char* name_of(regex::Node::Kind kind) {
  switch (kind) {
    case regex::Node::Kind::kIntersection: return "an intersection";
    case regex::Node::Kind::kComplement: return "a complement";
    case regex::Node::Kind::kLookAhead:
    case regex::Node::Kind::kNotLookAhead: return "a look-ahead";
    case regex::Node::Kind::kLookBehind:
    case regex::Node::Kind::kNotLookBehind: return "a look-behind";
    case regex::Node::Kind::kWordBoundary:
    case regex::Node::Kind::kNotWordBoundary: return "a word boundary";
    default: return "an anchor";
  }
}

// Writes a{2,4} as `a a [a [a]]`.
Result<Written> written_with_copies(const Written& item, std::uint32_t min, std::uint32_t max, SourceRange where,
                                    std::size_t most_bytes) {
  const std::uint32_t copies = max == regex::kUnbounded ? min : max;
  const std::string one = enclosed(Target::kKbnf, item, Level::kSequence);
  if (one.size() * copies > most_bytes) return too_long(where);
  Written out{{}, Level::kSequence};
  const auto add = [&](const std::string& text) { out.text += (out.text.empty() ? "" : " ") + text; };
  for (std::uint32_t i = 0; i < min; ++i) add(one);
  if (max == regex::kUnbounded) {
    add(enclosed(Target::kKbnf, item, Level::kItem) + "*");
  } else if (max > min) {
    for (std::uint32_t i = min; i < max; ++i) add("[" + one);
    out.text.append(max - min, ']');
  }
  if (out.text.empty()) return Written{"\"\""};
  return out;
}

// Writes an assertion with its condition spelled out, so that all dialects read it in the same way.
std::optional<std::string> assertion_text(const regex::SyntaxTree& tree, const regex::Node& node,
                                          const std::string& body) {
  const auto look = [](const char* head, const std::string& text) { return std::string(head) + text + ")"; };
  const std::string cls = node.kind == regex::Node::Kind::kLineStart || node.kind == regex::Node::Kind::kLineEnd ||
                                  node.kind == regex::Node::Kind::kWordBoundary ||
                                  node.kind == regex::Node::Kind::kNotWordBoundary
                              ? class_text(Target::kRegex, tree.classes[static_cast<std::size_t>(node.cls)]).text
                              : std::string();
  const std::string any = "(?s:.)";
  switch (node.kind) {
    case regex::Node::Kind::kLookAhead: return look("(?=", body);
    case regex::Node::Kind::kNotLookAhead: return look("(?!", body);
    case regex::Node::Kind::kLookBehind: return look("(?<=", body);
    case regex::Node::Kind::kNotLookBehind: return look("(?<!", body);
    case regex::Node::Kind::kTextStart: return look("(?<!", any);
    case regex::Node::Kind::kTextEnd: return look("(?!", any);
    case regex::Node::Kind::kFinalLineEnd: return "(?!" + any + any + "|[^\\n])";
    case regex::Node::Kind::kLineStart: return "(?:(?<!" + any + ")|(?<=" + cls + "))";
    case regex::Node::Kind::kLineEnd: return "(?:(?!" + any + ")|(?=" + cls + "))";
    case regex::Node::Kind::kWordBoundary: return "(?:(?<=" + cls + ")(?!" + cls + ")|(?<!" + cls + ")(?=" + cls + "))";
    case regex::Node::Kind::kNotWordBoundary:
      return "(?:(?<=" + cls + ")(?=" + cls + ")|(?<!" + cls + ")(?!" + cls + "))";
    default: return std::nullopt;
  }
}

// Writes the nodes of a pattern, children before their parents.
class PatternWriter {
 public:
  PatternWriter(Target target, const regex::SyntaxTree& tree, SourceRange where, bool keeps_assertions)
      : target_(target), tree_(tree), where_(where), keeps_assertions_(keeps_assertions) {}

  Result<Written> run(const Limits& limits) {
    std::size_t size = 0;
    for (const regex::Node& node : tree_.nodes) {
      // A node may be used in several places, so sizes are added up before texts are joined.
      std::size_t parts = 0;
      for (const regex::NodeId child : tree_.children_of(node)) parts += of(child).text.size();
      if (parts > limits.text_bytes - size) return too_long(where_);
      Result<Written> out = write(node, limits.text_bytes - size);
      if (!out) return out;
      size += out->text.size();
      if (size > limits.text_bytes) return too_long(where_);
      written_.push_back(std::move(*out));
    }
    return std::move(written_[static_cast<std::size_t>(tree_.root)]);
  }

 private:
  [[nodiscard]] bool is_empty(regex::NodeId id) const { return empty_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const Written& of(regex::NodeId id) const { return written_[static_cast<std::size_t>(id)]; }

  Result<Written> write(const regex::Node& node, std::size_t most_bytes) {
    const auto children = tree_.children_of(node);
    const auto join = [&](Level level) {
      std::vector<Written> parts;
      for (const regex::NodeId child : children) parts.push_back(of(child));
      return joined(target_, parts, level);
    };
    const auto may_be_empty = [&](regex::NodeId child) { return is_empty(child); };
    switch (node.kind) {
      case regex::Node::Kind::kLiteral:
        empty_.push_back(node.size == 0);
        return literal_text(target_, tree_.literal(node));
      case regex::Node::Kind::kClass: {
        const regex::CodePointSet& set = tree_.classes[static_cast<std::size_t>(node.cls)];
        if (without_surrogates(set).is_empty()) return refused(target_, "a class without characters", where_);
        empty_.push_back(false);
        return class_text(target_, set);
      }
      case regex::Node::Kind::kConcat:
        empty_.push_back(std::all_of(children.begin(), children.end(), may_be_empty));
        return join(Level::kSequence);
      case regex::Node::Kind::kAlternation:
        empty_.push_back(std::any_of(children.begin(), children.end(), may_be_empty));
        return join(Level::kChoice);
      case regex::Node::Kind::kRepeat:
        if (target_ == Target::kGbnf && node.max == regex::kUnbounded && is_empty(children[0])) {
          return refused(target_, "an unbounded repetition of a part that may be empty", where_,
                         "llama.cpp refuses left recursion");
        }
        empty_.push_back(node.min == 0 || is_empty(children[0]));
        return repeated(target_, of(children[0]), node.min, node.max, where_, most_bytes);
      default: break;
    }
    empty_.push_back(true);
    if (keeps_assertions_) {
      const std::string body = children.empty() ? std::string() : of(children[0]).text;
      if (std::optional<std::string> text = assertion_text(tree_, node, body)) return Written{std::move(*text)};
    }
    return refused(target_, name_of(node.kind), where_,
                   target_ == Target::kRegex ? "" : "it has no regular expressions");
  }

  const Target target_;
  const regex::SyntaxTree& tree_;
  const SourceRange where_;
  const bool keeps_assertions_;
  std::vector<Written> written_;
  std::vector<bool> empty_;  // true if the node may match the empty string
};

// Returns true if the text is exactly one literal, class or regular expression.
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

std::optional<regex::SyntaxTree> tree_of_regex(std::string_view text, const Limits& limits) {
  const std::size_t close = text.rfind('/');
  regex::SyntaxOptions options;
  for (const char flag : text.substr(close + 1)) {
    options.ignore_case = options.ignore_case || flag == 'i';
    options.multi_line = options.multi_line || flag == 'm';
    options.dot_all = options.dot_all || flag == 's';
    options.extended = options.extended || flag == 'x';
  }
  Result<regex::SyntaxTree> tree = regex::parse_pattern(text.substr(1, close - 1), options, limits);
  if (!tree) return std::nullopt;
  return std::move(*tree);
}

// Returns the pattern as `#"..."` or `/.../`.
std::string quoted_pattern(Target target, std::string_view pattern) {
  std::string out = target == Target::kKbnf ? "#\"" : "/";
  bool escaped = false;
  for (const char c : pattern) {
    if (target == Target::kKbnf && (c == '\\' || c == '"')) out += '\\';
    if (target == Target::kLark && c == '/' && !escaped) out += '\\';
    out += c;
    escaped = c == '\\' && !escaped;
  }
  return out + (target == Target::kKbnf ? "\"" : "/");
}

}  // namespace

tl::unexpected<Error> refused(Target target, const std::string& what, SourceRange where, std::string hint) {
  return tl::unexpected(Error{ErrorCode::kUnsupported,
                              std::string(name_of(target)) + " has no way to say " + what,
                              where,
                              std::move(hint),
                              {}});
}

tl::unexpected<Error> too_long(SourceRange where) {
  return tl::unexpected(
      Error{ErrorCode::kLimitExceeded, "the text that is written is too long", where, {}, "text_bytes"});
}

std::string enclosed(Target target, const Written& written, Level level) {
  if (written.level >= level) return written.text;
  return (target == Target::kRegex ? "(?:" : "(") + written.text + ")";
}

Written joined(Target target, const std::vector<Written>& parts, Level level) {
  if (parts.size() == 1) return parts[0];
  const bool is_choice = level == Level::kChoice;
  const std::string separator = target == Target::kRegex ? (is_choice ? "|" : "") : (is_choice ? " | " : " ");
  Written out{{}, level};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out.text += separator;
    out.text += enclosed(target, parts[i], Level::kSequence);
  }
  return out;
}

bool has_count(Target target, std::uint32_t min, std::uint32_t max) {
  const std::uint32_t most = target == Target::kGbnf   ? kMaxGbnfRepeats
                             : target == Target::kKbnf ? kMaxKbnfRepeats
                                                       : regex::kUnbounded;
  return min <= most && (max <= most || max == regex::kUnbounded);
}

Result<Written> repeated(Target target, const Written& item, std::uint32_t min, std::uint32_t max, SourceRange where,
                         std::size_t most_bytes) {
  if (!has_count(target, min, max)) {
    const bool is_kbnf = target == Target::kKbnf;
    return refused(target, "a count above " + std::to_string(is_kbnf ? kMaxKbnfRepeats : kMaxGbnfRepeats), where,
                   is_kbnf ? "it has no counts" : "");
  }
  const bool has_sign = (min <= 1 && max == regex::kUnbounded) || (min == 0 && max == 1);
  if (target == Target::kKbnf && !has_sign) return written_with_copies(item, min, max, where, most_bytes);
  return Written{enclosed(target, item, Level::kItem) + grammar::count_text(min, max), Level::kRepeat};
}

Written literal_text(Target target, std::string_view bytes) {
  if (target == Target::kRegex) {
    if (bytes.empty()) return {"(?:)"};
    std::string out;
    std::size_t count = 0;
    for (std::size_t pos = 0; pos < bytes.size(); ++count) {
      const base::Decoded c = base::decode_utf8(bytes, pos);
      const bool is_mark =
          c.code_point < 0x80 &&
          std::string_view("()[]{}|*+?.^$/&~#\"' ").find(static_cast<char>(c.code_point)) != std::string_view::npos;
      if (is_mark && c.code_point != ' ' && c.code_point != '"') out += '\\';
      append_character(target, out, c.code_point, "");
      pos += std::max<std::size_t>(1, c.length);
    }
    return {out, count == 1 ? Level::kItem : Level::kSequence};
  }
  std::string out = "\"";
  for (std::size_t pos = 0; pos < bytes.size();) {
    const base::Decoded c = base::decode_utf8(bytes, pos);
    append_character(target, out, c.code_point, "");
    pos += std::max<std::size_t>(1, c.length);
  }
  return {out + "\""};
}

Written class_text(Target target, const regex::CodePointSet& given) {
  if ((target == Target::kKbnf || target == Target::kLark) && without_surrogates(given).size() > 1) {
    return {quoted_pattern(target, class_text(Target::kRegex, given).text)};
  }
  const regex::CodePointSet set = without_surrogates(given);
  if (set.size() == 1) {
    std::string character;
    base::append_utf8(character, set.ranges()[0].first);
    return literal_text(target, character);
  }
  const regex::CodePointSet others = without_surrogates(~set);
  if (others.is_empty()) {
    if (target == Target::kRegex) return {"(?s:.)"};
    return {target == Target::kXgrammar ? "[^]" : "."};
  }
  const std::string as_it_is = "[" + ranges_text(target, set) + "]";
  const std::string negated = "[^" + ranges_text(target, others) + "]";
  return {negated.size() < as_it_is.size() ? negated : as_it_is};
}

Result<Written> pattern_text(Target target, const regex::SyntaxTree& tree, SourceRange where, const Limits& limits,
                             bool keeps_assertions) {
  return PatternWriter(target, tree, where, keeps_assertions).run(limits);
}

Result<Written> terminal_text(Target target, const regex::SyntaxTree& tree, SourceRange where, const Limits& limits) {
  const regex::Node& root = tree[tree.root];
  if (root.kind == regex::Node::Kind::kLiteral) return literal_text(target, tree.literal(root));
  if (root.kind == regex::Node::Kind::kClass) {
    const regex::CodePointSet& set = tree.classes[static_cast<std::size_t>(root.cls)];
    if (!without_surrogates(set).is_empty()) return class_text(target, set);
  }
  Result<Written> pattern = pattern_text(Target::kRegex, tree, where, limits, true);
  if (!pattern) return pattern;
  return Written{quoted_pattern(target, pattern->text)};
}

std::optional<regex::SyntaxTree> tree_of_text(std::string_view text, const Limits& limits) {
  if (text.empty() || !is_one_word(text)) return std::nullopt;
  const SourceRange all{0, text.size()};
  regex::SyntaxTree tree;
  switch (text.front()) {
    case '"':
    case '\'': {
      const Result<std::string> bytes = ebnf::literal_bytes(text, all);
      if (!bytes) return std::nullopt;
      tree.text = *bytes;
      tree.nodes.push_back({.kind = regex::Node::Kind::kLiteral, .size = static_cast<std::uint32_t>(bytes->size())});
      return tree;
    }
    case '.':
    case '[': {
      const Result<regex::CodePointSet> set =
          text == "." ? Result<regex::CodePointSet>(regex::CodePointSet::all()) : ebnf::class_set(text, all);
      if (!set) return std::nullopt;
      tree.classes.push_back(*set);
      tree.nodes.push_back({.kind = regex::Node::Kind::kClass});
      return tree;
    }
    case '/': return tree_of_regex(text, limits);
    default: return std::nullopt;
  }
}

regex::SyntaxTree with_single_characters(const regex::SyntaxTree& tree) {
  regex::SyntaxTree out = tree;
  out.nodes.clear();
  std::vector<regex::NodeId> moved;
  const auto last = [&] { return regex::NodeId{static_cast<std::uint32_t>(out.nodes.size() - 1)}; };
  for (const regex::Node& given : tree.nodes) {
    regex::Node node = given;
    const std::string_view text = node.kind == regex::Node::Kind::kLiteral ? tree.literal(node) : std::string_view();
    std::vector<regex::NodeId> characters;
    for (std::size_t pos = 0; pos < text.size();) {
      const std::size_t length = std::max<std::size_t>(1, base::decode_utf8(text, pos).length);
      out.nodes.push_back({.kind = regex::Node::Kind::kLiteral,
                           .begin = static_cast<std::uint32_t>(node.begin + pos),
                           .size = static_cast<std::uint32_t>(length)});
      characters.push_back(last());
      pos += length;
    }
    if (characters.size() != 1) {
      if (characters.size() > 1) node.kind = regex::Node::Kind::kConcat;
      for (const regex::NodeId child : tree.children_of(given))
        characters.push_back(moved[static_cast<std::size_t>(child)]);
      if (node.kind != regex::Node::Kind::kLiteral) {
        node.begin = static_cast<std::uint32_t>(out.children.size());
        node.size = static_cast<std::uint32_t>(characters.size());
        out.children.insert(out.children.end(), characters.begin(), characters.end());
      }
      out.nodes.push_back(node);
    }
    moved.push_back(last());
  }
  out.root = moved[static_cast<std::size_t>(tree.root)];
  return out;
}

Result<Written> tokens_text(Target target, const grammar::TokenSet& set, SourceRange where, std::size_t most_bytes) {
  const bool has_words = target == Target::kGbnf || target == Target::kLark;
  const bool one_name = has_words && set.ranges.empty() && set.names.size() == 1 && set.names[0].size() > 2 &&
                        set.names[0].front() == '<' && set.names[0].find_first_of(">\n") == set.names[0].size() - 1;
  std::string ids;
  for (const auto& [first, last] : set.ranges) {
    if (target == Target::kXgrammar && last - first > kMaxGbnfRepeats) return refused(target, "so many tokens", where);
    for (std::uint32_t id = first;; ++id) {
      ids += (ids.empty() ? "" : target == Target::kLark ? "," : ", ") + std::to_string(id);
      if (ids.size() > most_bytes) return too_long(where);
      if (id == last || target != Target::kXgrammar) break;
    }
    if (target != Target::kXgrammar && last != first) ids += "-" + std::to_string(last);
  }
  switch (target) {
    case Target::kGbnf: {
      const bool one_id = set.ranges.size() == 1 && set.names.empty() && set.ranges[0].first == set.ranges[0].second;
      const std::string negation = set.complement ? "!" : "";
      if (one_id) return Written{negation + "<[" + ids + "]>"};
      if (one_name) return Written{negation + set.names[0]};
      return refused(target, "a set of tokens", where, "it has single ones, `<[7]>` and `<name>`");
    }
    case Target::kXgrammar:
      if (!set.names.empty()) return refused(target, "a token by its name", where, "it has ids, `Token(7)`");
      return Written{(set.complement ? "ExcludeToken(" : "Token(") + ids + ")"};
    case Target::kLark:
      if (one_name && !set.complement) return Written{set.names[0]};
      if (!set.names.empty()) return refused(target, "a set of tokens with names", where);
      if (ids.empty()) {
        if (!set.complement) return refused(target, "a set without tokens", where);
        return Written{"<[*]>"};
      }
      return Written{(set.complement ? "<[^" : "<[") + ids + "]>"};
    default: return refused(target, "tokens", where);
  }
}

}  // namespace weir::frontend::convert
