// Assertions, and the automaton that knows what they need to know.
//
// An expression with assertions ("conditional") describes spans of a text, not strings: whether \b holds depends on
// what stands around the span. A context node closes such an expression e over the text: it holds
//   - pairs (O, e): e is yet to be matched up to the end of the text, and O, the obligation, is a language that the
//     text from here to its end must be in: what look-aheads passed by demand;
//   - for each look-behind in e a tracker: the derivative of Σ*·body by the text so far. The look-behind holds here iff
//     its tracker is nullable.
// The language of the context is the union over its pairs of the texts in O that e matches. Its derivative by a byte b
// takes every way in which e can consume b as its next byte (walk), meeting the look-aheads on the way with O, asking
// the trackers about look-behinds; then derives obligations and trackers by b. It is one context again, with pairs that
// differ in O or e, so that equal futures are found equal and the states of an expression are finitely many:
// obligations stay flat intersections of residuals, never intersections of unions of intersections.
//
// A look-behind whose body has assertions has a tracker node in place of a plain expression. That is the same
// automaton, never closed: "the body ends here" then has, in place of yes or no, the obligations of its look-aheads for
// an answer.
#include <algorithm>
#include <map>
#include <utility>

#include "regex/expr/expr.h"

namespace weir::regex {

namespace {

constexpr bool is_negated(std::uint32_t look) { return (look & 1) != 0; }
constexpr bool is_behind(std::uint32_t look) { return look >= static_cast<std::uint32_t>(Look::kBehind); }

}  // namespace

/// The contents of a context or a tracker node while one is read or made.
class ExprSet::Context {
 public:
  /// At the beginning of the text: trackers for the look-behinds of `e`.
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

  /// The node with these contents, or something simpler.
  ExprId build();
  /// Moves on by a byte. Lists the expressions whose derivatives were taken, for whatever byte.
  void derive(std::uint8_t byte, std::vector<ExprId>& parts);
  /// A language of texts from here on: those with which the span of `e` may be empty here.
  ExprId at_end(ExprId e);
  /// The same for all pairs.
  ExprId at_end();

 private:
  struct Pair {
    ExprId obligation, e;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  struct Tracker {
    ExprId first, now;  // at the beginning of the text, and here
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
  std::vector<ExprId> closed_;     // languages without assertions, beside the pairs
};

ExprId ExprSet::Context::tracker(ExprId leaf) const {
  return std::ranges::lower_bound(trackers_, s_.operand(leaf), {}, &Tracker::first)->now;
}

/// The texts from here on with which the assertion `leaf` holds.
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

/// Every way in which the pair's expression can consume `byte` as its next byte.
void ExprSet::Context::walk(const Pair& pair, std::uint8_t byte, std::vector<Pair>& out, std::vector<ExprId>& parts) {
  std::vector<Way> ways{{pair.obligation, pair.e, ExprId::kEpsilon}};
  while (!ways.empty()) {
    const Way way = ways.back();
    ways.pop_back();
    const Node n = s_.node(way.e);
    if (!s_.has_assertions(way.e)) {
      // Also where one of the two comes to nothing: the list of parts must be the same for all bytes.
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
      // Rounds before the first that consumes are empty; all at this place, so they hold together or not at all. With
      // none, {m-1,n-1} rounds are left; with k of them {m-1-k,n-1-k}, which for all k together makes {0,n-1}.
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

/// A tracker that has come to all strings or to nothing will not change: its look-behind is decided.
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

/// Takes alternations apart, and moves assertions that stand first into the obligations.
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

/// One pair for each obligation; those without assertions become languages. Drops pairs that others include.
void ExprSet::Context::join() {
  constexpr std::size_t kFewPairs = 16;
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
      if (i == j || !s_.includes(joined[j].obligation, joined[i].obligation) ||
          !s_.includes(joined[j].e, joined[i].e)) {
        continue;
      }
      const bool equal =
          s_.includes(joined[i].obligation, joined[j].obligation) && s_.includes(joined[i].e, joined[j].e);
      if (!equal || j < i) return true;
    }
    return false;
  };
  pairs_.clear();
  for (std::size_t i = 0; i < joined.size(); ++i) {
    if (joined.size() <= kFewPairs && is_needless(i)) continue;
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

/// The look-behinds of `e`, outside contexts, each named by its first tracker: an index into leaf_sets_.
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
    e = whole_text(e);  // without look-behinds, all that it is about is the text from there on
  }
  if (e == ExprId::kOverflow) return e;
  if (e == ExprId::kAllStrings || e == ExprId::kNothing) {
    return (e == ExprId::kAllStrings) != is_negated(code) ? ExprId::kEpsilon : ExprId::kNothing;
  }
  return intern(Kind::kLook, static_cast<std::uint32_t>(e), code, 0);
}

ExprId ExprSet::close(ExprId e) { return has_assertions(e) ? Context(*this, Kind::kContext, e).build() : e; }

ExprId ExprSet::derive_context(ExprId e, std::uint8_t byte, std::vector<ExprId>& parts) {
  Context context(*this, Node(node(e)));
  context.derive(byte, parts);
  return context.build();
}

/// Whether the empty text is in the context's language. The node itself need not be stored yet.
bool ExprSet::context_nullable(const Node& n) const {
  const auto trackers = static_cast<std::uint32_t>(leaf_sets_[n.c].size());
  for (std::uint32_t i = 0; i < n.b - trackers; i += 2) {
    if (nullable(child(n, i)) && holds_at_end(child(n, i + 1), n)) return true;
  }
  return false;
}

/// Whether `e` has an empty match at the end of a text that the context's trackers have read.
bool ExprSet::holds_at_end(ExprId e, const Node& context) const {
  for (; kind(e) == Kind::kConcat; e = tail(e)) {
    if (!holds_at_end(head(e), context)) return false;
  }
  if (!has_assertions(e) || nullable(e)) return nullable(e);
  const Node& n = node(e);
  switch (n.kind) {
    case Kind::kRepeat: return holds_at_end(ExprId{n.a}, context);
    case Kind::kAlternation:
      for (std::uint32_t i = 0; i < n.b; ++i) {
        if (holds_at_end(child(n, i), context)) return true;
      }
      return false;
    default: break;
  }
  if (!is_behind(n.b)) return holds_at_end(ExprId{n.a}, context) != is_negated(n.b);
  const std::span<const std::uint32_t> leaves = leaf_sets_[context.c];
  const auto at = static_cast<std::uint32_t>(std::ranges::lower_bound(leaves, n.a) - leaves.begin());
  const ExprId now = child(context, context.b - static_cast<std::uint32_t>(leaves.size()) + at);
  const bool holds = kind(now) == Kind::kTracker ? context_nullable(node(now)) : nullable(now);
  return holds != is_negated(n.b);
}

}  // namespace weir::regex
