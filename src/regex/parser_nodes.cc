#include "regex/parser_nodes.h"

#include <utility>

#include "base/hash.h"

namespace weir::regex {

using Kind = Node::Kind;

/// A node over `children`, or the only child where the kind joins several; an empty sequence is the empty literal at
/// `where`, which otherwise is the range of the node itself, by default from the first child to the last.
NodeId TreeBuilder::add_parent(Kind kind, std::span<const NodeId> children, SourceRange where) {
  const bool joins = kind == Kind::kConcat || kind == Kind::kAlternation || kind == Kind::kIntersection;
  if (joins && children.empty()) return add_literal({}, where);
  if (joins && children.size() == 1) return children[0];
  if (joins) where = {tree_[children.front()].where.start, tree_[children.back()].where.end};
  const auto begin = static_cast<std::uint32_t>(tree_.children.size());
  tree_.children.insert(tree_.children.end(), children.begin(), children.end());
  return add({.kind = kind, .begin = begin, .size = static_cast<std::uint32_t>(children.size()), .where = where});
}

NodeId TreeBuilder::add_literal(std::string_view bytes, SourceRange where) {
  const auto begin = static_cast<std::uint32_t>(tree_.text.size());
  tree_.text += bytes;
  return add(
      {.kind = Kind::kLiteral, .begin = begin, .size = static_cast<std::uint32_t>(bytes.size()), .where = where});
}

NodeId TreeBuilder::add_repeat(NodeId body, std::uint32_t min, std::uint32_t max, SourceRange where) {
  const NodeId node = add_parent(Kind::kRepeat, {{body}}, where);
  tree_.nodes.back().min = min;
  tree_.nodes.back().max = max;
  return node;
}

/// `\R`, which takes CR LF whole: a CR alone is one that no LF follows.
NodeId TreeBuilder::add_line_break(SourceRange where) {
  const NodeId both = add_literal("\r\n", where);
  const NodeId feed = add_parent(Kind::kNotLookAhead, {{add_literal("\n", where)}}, where);
  const NodeId carriage = add_parent(Kind::kConcat, {{add_literal("\r", where), feed}}, where);
  const CodePointSet others =
      CodePointSet::range('\n', '\f') | CodePointSet::of(0x85) | CodePointSet::range(0x2028, 0x2029);
  return add_parent(Kind::kAlternation, {{both, carriage, add_class(others, where)}}, where);
}

/// The beginning of the text, and behind a line feed that is not the last character.
NodeId TreeBuilder::add_inner_line_start(SourceRange where) {
  const NodeId begin = add({.kind = Kind::kTextStart, .where = where});
  const NodeId behind = add_parent(Kind::kLookBehind, {{add_literal("\n", where)}}, where);
  const NodeId more = add_parent(Kind::kLookAhead, {{add_class(CodePointSet::all(), where)}}, where);
  const NodeId inner = add_parent(Kind::kConcat, {{behind, more}}, where);
  return add_parent(Kind::kAlternation, {{begin, inner}}, where);
}

NodeId TreeBuilder::add_class(CodePointSet set, SourceRange where, Kind kind) {
  return add({.kind = kind, .cls = class_id(std::move(set)), .where = where});
}

/// Equal classes are stored once.
ClassId TreeBuilder::class_id(CodePointSet set) {
  std::uint64_t hash = 0;
  for (const CodePointRange& range : set.ranges()) hash = base::hash_mix(base::hash_mix(hash, range.first), range.last);
  const auto [begin, end] = class_ids_.equal_range(hash);
  for (auto known = begin; known != end; ++known) {
    if (tree_.classes[static_cast<std::size_t>(known->second)] == set) return known->second;
  }
  const ClassId id{static_cast<std::uint32_t>(tree_.classes.size())};
  class_ranges_ += set.ranges().size();
  tree_.classes.push_back(std::move(set));
  class_ids_.emplace(hash, id);
  return id;
}

}  // namespace weir::regex
