// Assertions: the automaton that turns an expression with assertions into a language.
//
// An expression with assertions ("conditional") describes spans of a text, not strings: whether \b holds depends on the
// text around the span. A context node denotes the language of the texts that such an expression matches. It holds
//   - pairs (O, e): the expression e must match the rest of the text, and the rest must also be in the language O, the
//     obligation. O is the intersection of what the look-aheads that were passed demand.
//   - for each look-behind in e a tracker: the derivative of Σ*·body by the text so far. The look-behind holds at this
//     position iff its tracker is nullable.
// The language of a context is the union, over its pairs, of the texts in O that e matches. Its derivative by a byte b
// follows every way in which e can consume b as its next byte (walk). On the way, look-aheads are intersected with O
// and look-behinds are decided by their trackers. Then obligations and trackers are derived by b. The result is a
// context again. Its pairs are distinct, and obligations stay flat intersections of residuals instead of nested unions
// and intersections. So equal states are recognised, and an expression has finitely many states.
//
// If the body of a look-behind has assertions, its tracker is a tracker node instead of a plain expression: the same
// automaton, but not turned into a language. Whether the body ends at a position is then not true or false, but the
// obligation of the look-aheads in the body.
#include <algorithm>
#include <map>
#include <utility>

#include "base/stack.h"
#include "regex/expr/expr.h"
#include "regex/expr/search_bounds.h"
#include "regex/syntax/assertions.h"

namespace weir::regex {

namespace {

constexpr bool is_negated(std::uint32_t look) { return (look & 1) != 0; }
constexpr bool is_behind(std::uint32_t look) { return look >= static_cast<std::uint32_t>(Look::kBehind); }

}  // namespace

/// The contents of a context or tracker node, for reading and constructing nodes.
class ExprSet::Context {
 public:
  /// The contents at the beginning of the text: `e`, and initial trackers for its look-behinds.
  Context(ExprSet& set, Kind kind, ExprId e) : s_(set), kind_(kind), pairs_{{ExprId::kAllStrings, e}} {
    for (std::uint32_t first : s_.leaf_sets_[s_.leaf_set(e)]) trackers_.push_back({ExprId{first}, ExprId{first}});
  }
  /// The contents of `node`.
  Context(ExprSet& set, const Node& node) : s_(set), kind_(node.kind) {
    const std::span<const std::uint32_t> leaves = s_.leaf_sets_[node.c];
    const std::uint32_t pairs_end = node.b - static_cast<std::uint32_t>(leaves.size());
    for (std::uint32_t i = 0; i < pairs_end; i += 2) pairs_.push_back({s_.child(node, i), s_.child(node, i + 1)});
    for (std::uint32_t i = 0; i < leaves.size(); ++i) {
      trackers_.push_back({ExprId{leaves[i]}, s_.child(node, pairs_end + i)});
    }
  }

  /// Returns the node with these contents, or a simpler expression.
  ExprId build();
  /// Derives by a byte. Appends the expressions whose derivatives were taken; they are the same for every byte.
  void derive(std::uint8_t byte, std::vector<ExprId>& parts);
  /// Returns the language that the rest of the text must be in for `e` to match the empty span at this position.
  ExprId at_end(ExprId e);
  /// Returns the union of these languages over all pairs.
  ExprId at_end();

 private:
  struct Pair {
    ExprId obligation, e;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  struct Tracker {
    ExprId first, now;  // at the beginning of the text, and at this position
  };
  struct Way {
    ExprId obligation, e, rest;
  };

  [[nodiscard]] ExprId tracker(ExprId leaf) const;
  ExprId demand(ExprId leaf);
  void walk(const Pair& pair, std::uint8_t byte, std::vector<Pair>& out, std::vector<ExprId>& parts);
  void decide_leaves();
  ExprId decide(ExprId e, std::map<ExprId, ExprId>& done);
  void expand();
  void join();
  ExprId intern();

  ExprSet& s_;
  Kind kind_;
  std::vector<Pair> pairs_;
  std::vector<Tracker> trackers_;  // ascending by `first`
  std::vector<ExprId> closed_;     // pairs whose expression has no assertions, as languages
};

ExprId ExprSet::Context::tracker(ExprId leaf) const {
  return std::ranges::lower_bound(trackers_, s_.operand(leaf), {}, &Tracker::first)->now;
}

/// Returns the language that the rest of the text must be in for the assertion `leaf` to hold at this position.
ExprId ExprSet::Context::demand(ExprId leaf) {
  const Node n = s_.node(leaf);
  ExprId e = ExprId{n.a};
  if (!is_behind(n.b)) {
    if (s_.has_assertions(e)) {
      Context inner(s_, Kind::kContext, e);
      for (Tracker& t : inner.trackers_) {
        t.now = std::ranges::lower_bound(trackers_, t.first, {}, &Tracker::first)->now;
      }
      e = inner.build();
    }
  } else if (const ExprId now = tracker(leaf); s_.kind(now) == Kind::kTracker) {
    e = Context(s_, s_.node(now)).at_end();
  } else {
    e = s_.nullable(now) ? ExprId::kAllStrings : now == ExprId::kOverflow ? now : ExprId::kNothing;
  }
  return is_negated(n.b) ? s_.complement(e) : e;
}

ExprId ExprSet::Context::at_end(ExprId e) {
  ExprId all = ExprId::kAllStrings;
  for (; s_.kind(e) == Kind::kConcat && all != ExprId::kNothing; e = s_.tail(e)) {
    all = s_.intersection(all, at_end(s_.head(e)));
  }
  if (all == ExprId::kNothing) return all;
  if (s_.nullable(e)) return all;
  if (!s_.has_assertions(e)) return ExprId::kNothing;
  const Node n = s_.node(e);
  ExprId last = ExprId::kNothing;
  if (n.kind == Kind::kLook) {
    last = demand(e);
  } else if (n.kind == Kind::kRepeat) {
    last = at_end(ExprId{n.a});
  } else {
    for (std::uint32_t i = 0; i < n.b; ++i) last = s_.alternation(last, at_end(s_.child(n, i)));
  }
  return s_.intersection(all, last);
}

ExprId ExprSet::Context::at_end() {
  ExprId any = ExprId::kNothing;
  for (const Pair& p : pairs_) any = s_.alternation(any, s_.intersection(p.obligation, at_end(p.e)));
  return any;
}

void ExprSet::Context::derive(std::uint8_t byte, std::vector<ExprId>& parts) {
  std::vector<Pair> next;
  for (const Pair& p : pairs_) walk(p, byte, next, parts);
  for (Tracker& t : trackers_) {
    parts.push_back(t.now);
    t.now = s_.derivative(t.now, byte);
  }
  pairs_ = std::move(next);
}

/// Appends a pair for every way in which the pair's expression can consume `byte` as its next byte.
void ExprSet::Context::walk(const Pair& pair, std::uint8_t byte, std::vector<Pair>& out, std::vector<ExprId>& parts) {
  std::vector<Way> ways{{pair.obligation, pair.e, ExprId::kEpsilon}};
  while (!ways.empty()) {
    const Way way = ways.back();
    ways.pop_back();
    const Node n = s_.node(way.e);
    if (!s_.has_assertions(way.e)) {
      // Both are added even if one derivative is empty, because the parts must be the same for all bytes.
      parts.push_back(way.e);
      parts.push_back(way.obligation);
      const ExprId e = s_.derivative(way.e, byte);
      const ExprId obligation = s_.derivative(way.obligation, byte);
      if (e != ExprId::kNothing) out.push_back({obligation, s_.concat(e, way.rest)});
    } else if (n.kind == Kind::kConcat) {
      ways.push_back({way.obligation, ExprId{n.a}, s_.concat(ExprId{n.b}, way.rest)});
      const ExprId passed = s_.intersection(way.obligation, at_end(ExprId{n.a}));
      if (passed != ExprId::kNothing) ways.push_back({passed, ExprId{n.b}, way.rest});
    } else if (n.kind == Kind::kAlternation) {
      for (std::uint32_t i = 0; i < n.b; ++i) ways.push_back({way.obligation, s_.child(n, i), way.rest});
    } else if (n.kind == Kind::kRepeat) {
      // Rounds before the first that consumes a byte are empty. They are all at this position, so either all of them
      // hold or none does. After no empty round, {m-1,n-1} rounds remain; after k empty rounds {m-1-k,n-1-k}. The union
      // of these over all k is {0,n-1}.
      const ExprId body{n.a};
      const std::uint32_t max = n.c == kUnbounded ? n.c : n.c - 1;
      const std::uint32_t min = n.b == 0 ? 0 : n.b - 1;
      ways.push_back({way.obligation, body, s_.concat(s_.repeat(body, min, max), way.rest)});
      if (min == 0) continue;
      const ExprId passed = s_.intersection(way.obligation, at_end(body));
      if (passed != ExprId::kNothing) ways.push_back({passed, body, s_.concat(s_.repeat(body, 0, max), way.rest)});
    }
  }
}

ExprId ExprSet::Context::build() {
  decide_leaves();
  expand();
  join();
  return intern();
}

/// Replaces look-behinds whose tracker is all strings or the empty set: it cannot change any more.
void ExprSet::Context::decide_leaves() {
  const bool any = std::ranges::any_of(
      trackers_, [](const Tracker& t) { return t.now == ExprId::kAllStrings || t.now == ExprId::kNothing; });
  if (!any) return;
  std::map<ExprId, ExprId> done;
  for (Pair& p : pairs_) p.e = decide(p.e, done);
}

ExprId ExprSet::Context::decide(ExprId e, std::map<ExprId, ExprId>& done) {
  if (s_.leaf_set(e) == 0) return e;
  if (const auto it = done.find(e); it != done.end()) return it->second;
  const Node n = s_.node(e);
  ExprId result = e;
  std::vector<ExprId> parts;
  switch (n.kind) {
    case Kind::kConcat:
      for (ExprId x = e; x != ExprId::kEpsilon; x = s_.tail(x)) parts.push_back(decide(s_.head(x), done));
      result = s_.concat(parts);
      break;
    case Kind::kAlternation:
      for (std::uint32_t i = 0; i < n.b; ++i) parts.push_back(decide(s_.child(n, i), done));
      result = s_.alternation(parts);
      break;
    case Kind::kRepeat: result = s_.repeat(decide(ExprId{n.a}, done), n.b, n.c); break;
    default:
      if (!is_behind(n.b)) {
        result = s_.assertion(Look{static_cast<std::uint8_t>(n.b)}, decide(ExprId{n.a}, done));
      } else if (const ExprId now = tracker(e); now == ExprId::kAllStrings || now == ExprId::kNothing) {
        result = (now == ExprId::kAllStrings) != is_negated(n.b) ? ExprId::kEpsilon : ExprId::kNothing;
      }
  }
  done.emplace(e, result);
  return result;
}

/// Splits alternations into pairs, and moves leading assertions into the obligations.
void ExprSet::Context::expand() {
  std::vector<Pair> work;
  std::swap(work, pairs_);
  while (!work.empty()) {
    const Pair p = work.back();
    work.pop_back();
    if (p.obligation == ExprId::kNothing || p.e == ExprId::kNothing) continue;
    const ExprId first = s_.head(p.e);
    const Node n = s_.node(p.e);
    if (!s_.has_assertions(p.e)) {
      pairs_.push_back(p);
    } else if (s_.kind(first) == Kind::kLook) {
      work.push_back({s_.intersection(p.obligation, demand(first)), s_.tail(p.e)});
    } else if (n.kind == Kind::kAlternation) {
      for (std::uint32_t i = 0; i < n.b; ++i) work.push_back({p.obligation, s_.child(n, i)});
    } else if (n.kind == Kind::kRepeat && n.b == 0 && n.c == 1) {
      work.push_back({p.obligation, ExprId::kEpsilon});
      work.push_back({p.obligation, ExprId{n.a}});
    } else {
      pairs_.push_back(p);
    }
  }
}

/// Joins pairs with equal obligations, drops pairs that others include, and moves pairs without assertions to closed_.
void ExprSet::Context::join() {
  const auto key = [&](const Pair& p) { return std::pair(p.obligation, s_.has_assertions(p.e)); };
  std::ranges::sort(pairs_, [&](const Pair& x, const Pair& y) { return key(x) < key(y); });
  std::vector<Pair> joined;
  std::vector<ExprId> parts;
  for (std::size_t i = 0; i < pairs_.size();) {
    parts.clear();
    const Pair first = pairs_[i];
    for (; i < pairs_.size() && key(pairs_[i]) == key(first); ++i) parts.push_back(pairs_[i].e);
    joined.push_back({first.obligation, s_.alternation(parts)});
  }
  const auto is_needless = [&](std::size_t i) {
    for (std::size_t j = 0; j < joined.size(); ++j) {
      if (i == j || !s_.includes_memoised(joined[j].obligation, joined[i].obligation) ||
          !s_.includes_memoised(joined[j].e, joined[i].e)) {
        continue;
      }
      const bool equal = s_.includes_memoised(joined[i].obligation, joined[j].obligation) &&
                         s_.includes_memoised(joined[i].e, joined[j].e);
      if (!equal || j < i) return true;
    }
    return false;
  };
  pairs_.clear();
  for (std::size_t i = 0; i < joined.size(); ++i) {
    if (joined.size() <= kMaxComparedPairs && is_needless(i)) continue;
    if (kind_ == Kind::kContext && !s_.has_assertions(joined[i].e)) {
      closed_.push_back(s_.intersection(joined[i].obligation, joined[i].e));
    } else {
      pairs_.push_back(joined[i]);
    }
  }
}

ExprId ExprSet::Context::intern() {
  std::vector<ExprId> list;
  std::uint32_t leaves = 0;
  for (const Pair& p : pairs_) {
    if (p.obligation == ExprId::kOverflow || p.e == ExprId::kOverflow) return ExprId::kOverflow;
    list.push_back(p.obligation);
    list.push_back(p.e);
    leaves = s_.leaf_set_union(leaves, s_.leaf_set(p.e));
  }
  for (const Tracker& t : trackers_) {
    if (t.now == ExprId::kOverflow) return t.now;
    if (std::ranges::binary_search(s_.leaf_sets_[leaves], static_cast<std::uint32_t>(t.first))) list.push_back(t.now);
  }
  if (!pairs_.empty()) closed_.push_back(s_.intern_list(kind_, list, leaves));
  return s_.alternation(closed_);
}

// --- The interface to the rest of ExprSet ---

/// Returns the index in leaf_sets_ of the look-behinds of `e` outside contexts. Each is identified by its initial
/// tracker.
std::uint32_t ExprSet::leaf_set(ExprId e) const {
  if (!has_assertions(e)) return 0;
  while (kind(e) == Kind::kRepeat) e = operand(e);
  return node(e).c;
}

std::uint32_t ExprSet::leaf_set_union(std::uint32_t x, std::uint32_t y) {
  if (x == y || y == 0) return x;
  if (x == 0) return y;
  std::vector<std::uint32_t> both;
  std::ranges::set_union(leaf_sets_[x], leaf_sets_[y], std::back_inserter(both));
  return leaf_sets_.intern(both).first;
}

ExprId ExprSet::assertion(Look look, ExprId body) {
  const auto code = static_cast<std::uint32_t>(look);
  ExprId e = is_behind(code) ? concat(ExprId::kAllStrings, body) : concat(body, ExprId::kAllStrings);
  if (is_behind(code)) {
    if (has_assertions(e)) e = Context(*this, Kind::kTracker, e).build();
  } else if (leaf_set(e) == 0) {
    e = whole_text(*this, e);  // without look-behinds, the body depends only on the text after the position
  }
  if (e == ExprId::kOverflow) return e;
  if (e == ExprId::kAllStrings || e == ExprId::kNothing) {
    return (e == ExprId::kAllStrings) != is_negated(code) ? ExprId::kEpsilon : ExprId::kNothing;
  }
  return intern(Kind::kLook, static_cast<std::uint32_t>(e), code, 0);
}

ExprId ExprSet::context(ExprId e) { return Context(*this, Kind::kContext, e).build(); }

ExprId ExprSet::derive_context(ExprId e, std::uint8_t byte, std::vector<ExprId>& parts) {
  Context context(*this, Node(node(e)));
  context.derive(byte, parts);
  return context.build();
}

/// Returns true if the empty string is in the context's language. The node need not be stored yet.
bool ExprSet::context_nullable(const Node& n) const {
  const auto trackers = static_cast<std::uint32_t>(leaf_sets_[n.c].size());
  for (std::uint32_t i = 0; i < n.b - trackers; i += 2) {
    if (nullable(child(n, i)) && holds_at_end(child(n, i + 1), n)) return true;
  }
  return false;
}

/// Returns true if `e` matches the empty span at the end of a text that the context's trackers have read.
bool ExprSet::holds_at_end(ExprId e, const Node& context) const {
  const auto holds = [&](ExprId part) { return base::with_stack([&] { return holds_at_end(part, context); }); };
  for (; kind(e) == Kind::kConcat; e = tail(e)) {
    if (!holds(head(e))) return false;
  }
  if (!has_assertions(e) || nullable(e)) return nullable(e);
  const Node& n = node(e);
  switch (n.kind) {
    case Kind::kRepeat: return holds(ExprId{n.a});
    case Kind::kAlternation:
      for (std::uint32_t i = 0; i < n.b; ++i) {
        if (holds(child(n, i))) return true;
      }
      return false;
    default: break;
  }
  if (!is_behind(n.b)) return holds(ExprId{n.a}) != is_negated(n.b);
  const std::span<const std::uint32_t> leaves = leaf_sets_[context.c];
  const auto at = static_cast<std::uint32_t>(std::ranges::lower_bound(leaves, n.a) - leaves.begin());
  const ExprId now = child(context, context.b - static_cast<std::uint32_t>(leaves.size()) + at);
  const bool is_met = kind(now) == Kind::kTracker ? context_nullable(node(now)) : nullable(now);
  return is_met != is_negated(n.b);
}

}  // namespace weir::regex
