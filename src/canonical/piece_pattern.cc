#include "canonical/piece_pattern.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/stack.h"
#include "base/utf8.h"
#include "canonical/search_bounds.h"
#include "regex/expr/expr.h"
#include "regex/syntax/parser.h"
#include "regex/unicode/unicode.h"
#include "vocab/segmenters/pattern.h"

namespace weir::canonical {

namespace {

using regex::CodePointSet;
using regex::Node;
using regex::NodeId;
using regex::SyntaxTree;
using vocab::SplitBehavior;

tl::unexpected<Error> refused_pattern(std::string_view pattern, std::string_view what) {
  return tl::unexpected(
      Error{ErrorCode::kUnsupported,
            "the pre-tokenizer's pattern `" + base::escape_for_display(pattern) + "` has " + std::string(what)});
}

// Characters that are assigned in weir's Unicode tables or in PCRE2's and not in both. Planes 4 to 13 have none.
std::vector<char32_t> find_disputed_characters() {
  const auto assigned = regex::unicode_property("Assigned");
  if (!assigned) return {};
  std::vector<char32_t> characters;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == 0x3400) c = 0xA000;  // Han characters of the first versions; those after them are looked at below
    if (c == 0xAC00) c = 0xD7A4;  // Hangul
    if (c == 0xD800) c = 0xF900;  // surrogates, private use
    if (c == 0x20000) c = 0x2A6D0;
    if (c == 0x40000) c = 0xE0000;
    if (c == 0xE1000) break;  // private use
    characters.push_back(c);
  }
  for (char32_t c = 0x4DB0; c < 0x4E00; ++c) characters.push_back(c);
  for (char32_t c = 0x9FA0; c < 0xA000; ++c) characters.push_back(c);
  const auto unassigned = vocab::match_characters("\\p{Cn}", characters);
  if (!unassigned) return {};
  std::vector<char32_t> disputed;
  const std::span<const regex::CodePointRange> ranges = assigned->ranges();
  std::size_t range = 0;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    if (i > 0 && c < characters[i - 1]) range = 0;
    while (range < ranges.size() && ranges[range].last < c) ++range;
    const bool is_assigned = range < ranges.size() && ranges[range].first <= c;
    if ((*unassigned)[i] == is_assigned) disputed.push_back(c);
  }
  return disputed;
}

const std::vector<char32_t>& disputed_characters() {
  static const std::vector<char32_t> kDisputed = find_disputed_characters();
  return kDisputed;
}

// `\d` and `\D` as PCRE2 reads them with UCP; the other escapes of classes are properties already.
std::string with_unicode_digits(std::string_view regex) {
  std::string out;
  for (std::size_t at = 0; at < regex.size(); ++at) {
    if (regex[at] != '\\' || at + 1 == regex.size()) {
      out.push_back(regex[at]);
      continue;
    }
    const char escaped = regex[++at];
    if (escaped == 'd') {
      out.append("\\p{Nd}");
    } else if (escaped == 'D') {
      out.append("\\P{Nd}");
    } else {
      out.append({'\\', escaped});
    }
  }
  return out;
}

}  // namespace

PatternReader::PatternReader() { add({.kind = Term::Kind::kEmpty, .may_be_empty = true}); }

TermId PatternReader::add(const Term& term) {
  const std::array<std::uint32_t, 7> words = {
      static_cast<std::uint32_t>(term.kind),
      static_cast<std::uint32_t>(term.a),
      static_cast<std::uint32_t>(term.b),
      static_cast<std::uint32_t>(term.cls),
      term.min,
      term.max,
      (term.lazy ? 1U : 0U) | (term.negative ? 2U : 0U),
  };
  const auto [id, is_new] = ids_.intern(words);
  if (is_new) terms_.push_back(term);
  return TermId{id};
}

TermId PatternReader::concat(TermId a, TermId b) {
  if (a == TermId::kEmpty) return b;
  if (b == TermId::kEmpty) return a;
  // Nested to the right, so that the residual of a sequence is a part of it.
  std::vector<TermId> parts;
  for (; term(a).kind == Term::Kind::kConcat; a = term(a).b) parts.push_back(term(a).a);
  parts.push_back(a);
  TermId all = b;
  for (std::size_t i = parts.size(); i-- > 0;) {
    all = add({.kind = Term::Kind::kConcat,
               .a = parts[i],
               .b = all,
               .has_look = term(parts[i]).has_look || term(all).has_look,
               .may_be_empty = term(parts[i]).may_be_empty && term(all).may_be_empty});
  }
  return all;
}

TermId PatternReader::alternation(std::span<const TermId> alternatives) {
  if (alternatives.size() == 1) return alternatives.front();
  const TermId a = alternation(alternatives.first(alternatives.size() / 2));
  const TermId b = alternation(alternatives.subspan(alternatives.size() / 2));
  return add({.kind = Term::Kind::kAlternation,
              .a = a,
              .b = b,
              .has_look = term(a).has_look || term(b).has_look,
              .may_be_empty = term(a).may_be_empty || term(b).may_be_empty});
}

TermId PatternReader::repeat(TermId body, std::uint32_t min, std::uint32_t max, bool lazy) {
  if (max == 0) return TermId::kEmpty;
  if (min == 1 && max == 1) return body;
  return add({.kind = Term::Kind::kRepeat,
              .a = body,
              .min = min,
              .max = max,
              .lazy = lazy,
              .has_look = term(body).has_look,
              .may_be_empty = min == 0});
}

TermId PatternReader::character_class(CodePointSet set) {
  const auto known = std::find(classes_.begin(), classes_.end(), set);
  const auto id = static_cast<std::uint32_t>(known - classes_.begin());
  if (known == classes_.end()) classes_.push_back(std::move(set));
  return add({.kind = Term::Kind::kClass, .cls = ClassId{id}});
}

TermId PatternReader::literal(std::string_view text) {
  std::vector<TermId> characters;
  for (std::size_t at = 0; at < text.size();) {
    const base::Decoded d = base::decode_utf8(text, at);
    characters.push_back(character_class(CodePointSet::of(d.code_point)));
    at += std::max<std::size_t>(1, d.length);
  }
  TermId term = TermId::kEmpty;
  for (std::size_t i = characters.size(); i-- > 0;) term = concat(characters[i], term);
  return term;
}

Result<TermId> PatternReader::read(const vocab::SplitPattern& pattern) {
  const std::string regex = with_unicode_digits(pattern.regex);
  Limits limits;
  limits.nesting = kMaxPatternNesting;
  limits.repeat_count = kMaxPatternCount;
  const auto tree = regex::parse_pattern(regex, {.dialect = regex::Dialect::kPcre}, limits);
  if (!tree) {
    return tl::unexpected(Error{
        ErrorCode::kUnsupported,
        "the pre-tokenizer's pattern `" + base::escape_for_display(pattern.regex) + "`: " + tree.error().message});
  }
  auto term = convert(*tree, tree->root, regex);
  if (!term) return term;
  return with_behavior(*term, pattern);
}

Result<TermId> PatternReader::read_texts(std::span<const std::string> texts) {
  std::vector<std::string_view> longest_first(texts.begin(), texts.end());
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [](std::string_view a, std::string_view b) { return a.size() > b.size(); });
  std::vector<TermId> all;
  for (const std::string_view text : longest_first) {
    if (base::find_invalid_utf8(text) != std::string_view::npos) {
      return tl::unexpected(Error{ErrorCode::kUnsupported, "an added token that is not valid UTF-8"});
    }
    all.push_back(literal(text));
  }
  return all.empty() ? TermId::kEmpty : alternation(all);
}

Result<CodePointSet> PatternReader::class_of(const SyntaxTree& tree, const Node& node, std::string_view pattern) {
  CodePointSet set = tree.classes[static_cast<std::size_t>(node.cls)];
  const std::vector<char32_t>& disputed = disputed_characters();
  if (disputed.empty()) return set;
  // A single character needs no tables, and neither does a character with its case variants.
  const std::string_view text = pattern.substr(node.where.start, node.where.end - node.where.start);
  if (!text.starts_with('[') && !text.starts_with('\\')) return set;
  const auto members = vocab::match_characters(text, disputed);
  if (!members) return tl::unexpected(members.error());
  std::vector<regex::CodePointRange> ranges;
  std::vector<regex::CodePointRange> in_pcre2;
  for (std::size_t i = 0; i < disputed.size(); ++i) {
    ranges.push_back({disputed[i], disputed[i]});
    if ((*members)[i]) in_pcre2.push_back({disputed[i], disputed[i]});
  }
  return (set - CodePointSet(std::move(ranges))) | CodePointSet(std::move(in_pcre2));
}

Result<TermId> PatternReader::convert(const SyntaxTree& tree, NodeId id, std::string_view pattern) {
  return base::with_stack([&] { return convert_node(tree, id, pattern); });
}

Result<TermId> PatternReader::convert_node(const SyntaxTree& tree, NodeId id, std::string_view pattern) {
  const Node& node = tree[id];
  const auto children = tree.children_of(node);
  switch (node.kind) {
    case Node::Kind::kLiteral: return literal(tree.literal(node));
    case Node::Kind::kClass: {
      auto set = class_of(tree, node, pattern);
      if (!set) return tl::unexpected(std::move(set).error());
      return character_class(*std::move(set));
    }
    case Node::Kind::kConcat: return convert_concat(tree, node, pattern);
    case Node::Kind::kAlternation: {
      std::vector<TermId> all;
      for (const NodeId alternative : children) {
        const auto child = convert(tree, alternative, pattern);
        if (!child) return child;
        all.push_back(*child);
      }
      return alternation(all);
    }
    case Node::Kind::kRepeat: {
      const auto body = convert(tree, children[0], pattern);
      if (!body) return body;
      if (node.max == 0) return TermId::kEmpty;
      if (node.min == 1 && node.max == 1) return body;
      if (term(*body).may_be_empty) return refused_pattern(pattern, "a repeat of what may be empty");
      if (term(*body).has_look && node.max == regex::kUnbounded) {
        return refused_pattern(pattern, "a look-ahead within an unbounded repeat");
      }
      return repeat(*body, node.min, node.max, node.lazy);
    }
    case Node::Kind::kLookAhead:
    case Node::Kind::kNotLookAhead: {
      const auto body = convert(tree, children[0], pattern);
      if (!body) return body;
      return add({.kind = Term::Kind::kLook,
                  .a = *body,
                  .negative = node.kind == Node::Kind::kNotLookAhead,
                  .has_look = true,
                  .may_be_empty = true});
    }
    case Node::Kind::kFinalLineEnd:
      if (pattern[node.where.start] != '$') return refused_pattern(pattern, "the anchor `\\Z`");
      [[fallthrough]];
    case Node::Kind::kTextEnd:
      return add({.kind = Term::Kind::kLook,
                  .a = character_class(CodePointSet::all()),
                  .negative = true,
                  .has_look = true,
                  .may_be_empty = true});
    case Node::Kind::kLookBehind:
    case Node::Kind::kNotLookBehind: return refused_pattern(pattern, "a look-behind");
    case Node::Kind::kTextStart:
    case Node::Kind::kLineStart: return refused_pattern(pattern, "an anchor of the beginning");
    case Node::Kind::kLineEnd: return refused_pattern(pattern, "an anchor of line ends");
    case Node::Kind::kWordBoundary:
    case Node::Kind::kNotWordBoundary: return refused_pattern(pattern, "a word boundary");
    case Node::Kind::kIntersection:
    case Node::Kind::kComplement: break;
  }
  return refused_pattern(pattern, "an operator");
}

// Converts from the right, so that the class after a look-ahead of one character is known.
Result<TermId> PatternReader::convert_concat(const SyntaxTree& tree, const Node& node, std::string_view pattern) {
  TermId all = TermId::kEmpty;
  const auto children = tree.children_of(node);
  for (std::size_t i = children.size(); i-- > 0;) {
    const auto part = convert(tree, children[i], pattern);
    if (!part) return part;
    const Term look = term(*part);
    const Term first = term(all).kind == Term::Kind::kConcat ? term(term(all).a) : term(all);
    const bool narrows =
        look.kind == Term::Kind::kLook && term(look.a).kind == Term::Kind::kClass && first.kind == Term::Kind::kClass;
    if (!narrows) {
      all = concat(*part, all);
      continue;
    }
    const CodePointSet& ahead = classes_[static_cast<std::size_t>(term(look.a).cls)];
    const CodePointSet& set = classes_[static_cast<std::size_t>(first.cls)];
    const TermId rest = term(all).kind == Term::Kind::kConcat ? term(all).b : TermId::kEmpty;
    all = concat(character_class(look.negative ? set - ahead : set & ahead), rest);
  }
  return all;
}

// Returns a pattern whose isolated matches are the pieces of the step.
Result<TermId> PatternReader::with_behavior(TermId id, const vocab::SplitPattern& pattern) {
  if (pattern.behavior == SplitBehavior::kIsolated) return id;
  if (pattern.behavior == SplitBehavior::kRemoved) {
    return tl::unexpected(Error{ErrorCode::kUnsupported, "a split that removes text, by the pattern `" +
                                                             base::escape_for_display(pattern.regex) + "`"});
  }
  // Matches of one character can be joined to the text beside them. Longer ones could overlap it, so they are refused.
  if (term(id).kind != Term::Kind::kClass || (pattern.invert && pattern.behavior != SplitBehavior::kContiguous)) {
    return refused_pattern(pattern.regex, "a behaviour that joins matches of several characters");
  }
  if (pattern.behavior == SplitBehavior::kContiguous) return repeat(id, 1, regex::kUnbounded, false);
  const CodePointSet set = classes_[static_cast<std::size_t>(term(id).cls)];
  const TermId other = character_class(~set);
  const TermId others = repeat(other, 0, regex::kUnbounded, false);
  const TermId joined = pattern.behavior == SplitBehavior::kMergedWithNext ? concat(id, others) : concat(others, id);
  const std::array both = {joined, repeat(other, 1, regex::kUnbounded, false)};
  return alternation(both);
}

}  // namespace weir::canonical
