#include "canonical/piece_automaton.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/interner.h"
#include "base/stack.h"
#include "base/utf8.h"
#include "canonical/piece_pattern.h"
#include "canonical/search_bounds.h"
#include "regex/expr/expr.h"

namespace weir::canonical {

namespace {

using regex::ByteSet;
using regex::ExprId;
using regex::ExprSet;

// An alternative that a backtracking matcher tries next: the end of the match, or a character of `atoms` and then
// `rest`. Each has a condition on the text from here on.
struct Attempt {
  bool is_end = false;
  ClassId atoms = {};
  TermId rest = {};
  ExprId condition = ExprId::kAllStrings;
  friend bool operator==(const Attempt&, const Attempt&) = default;
};

// The part of a hypothesis for one step.
struct Level {
  enum class Kind : std::uint32_t {
    kMatch,  ///< `attempts`, in order.
    kGap,
    kWhole,  ///< Within a fixed text: as the enclosing piece.
  };
  Kind kind = Kind::kGap;
  std::vector<Attempt> attempts = {};
  ExprId condition = ExprId::kAllStrings;  ///< On the rest of the enclosing piece.
};
using Levels = std::vector<Level>;

tl::unexpected<Error> piece_limit(std::string_view what, std::size_t limit) {
  return tl::unexpected(Error{ErrorCode::kLimitExceeded, "the pre-tokenizer's automaton has more than " +
                                                             std::to_string(limit) + " " + std::string(what)});
}

}  // namespace

class PieceAutomaton::Builder {
 public:
  Builder(std::span<const PieceStep> steps, const PieceOptions& options)
      : steps_(steps), options_(options), exprs_(kMaxPieceExpressions) {}

  Result<PieceAutomaton> build() {
    if (auto done = read_patterns(); !done) return tl::unexpected(std::move(done).error());
    if (auto done = make_atoms(); !done) return tl::unexpected(std::move(done).error());
    for (std::size_t s = 0; s < roots_.size(); ++s) {
      std::vector<Attempt>& start = starts_.emplace_back();
      std::vector<ExprId> begins;
      for (const Attempt& attempt : attempts_of(roots_[s])) {
        if (attempt.is_end) continue;  // an empty match does not count
        start.push_back(attempt);
        begins.push_back(language_of(attempt));
      }
      begins_.push_back(exprs_.alternation(begins));
    }
    if (is_too_deep_) return piece_limit("nested parts", kMaxAttemptDepth);
    if (auto done = explore(); !done) return tl::unexpected(std::move(done).error());
    if (is_too_deep_) return piece_limit("nested parts", kMaxAttemptDepth);
    if (exprs_.is_full()) return piece_limit("expressions", kMaxPieceExpressions);
    return finish();
  }

 private:
  Result<void> read_patterns() {
    for (const PieceStep& step : steps_) {
      auto root = step.fixed_texts.empty() ? patterns_.read(step.pattern) : patterns_.read_texts(step.fixed_texts);
      if (!root) return tl::unexpected(std::move(root).error());
      roots_.push_back(*root);
    }
    return {};
  }

  // Characters that are in the same classes are one atom.
  Result<void> make_atoms() {
    std::vector<regex::CodePointSet> classes(patterns_.classes().begin(), patterns_.classes().end());
    const std::size_t unwritable = classes.size();
    classes.push_back(options_.unwritable);
    struct Edge {
      char32_t at;
      std::uint32_t set;
      bool enters;
    };
    std::vector<Edge> edges;
    for (std::uint32_t i = 0; i < classes.size(); ++i) {
      for (const regex::CodePointRange& range : classes[i].ranges()) {
        edges.push_back({range.first, i, true});
        if (range.last < base::kMaxCodePoint) edges.push_back({range.last + 1, i, false});
      }
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
    std::map<std::vector<bool>, std::uint16_t> atoms;
    std::vector<bool> inside(classes.size(), false);
    std::vector<CharacterTable::Stretch> stretches;
    const auto atom_here = [&] {
      return atoms.emplace(inside, static_cast<std::uint16_t>(atoms.size())).first->second;
    };
    for (std::size_t i = 0; i < edges.size() || stretches.empty();) {
      const char32_t here = i < edges.size() && !stretches.empty() ? edges[i].at : 0;
      while (i < edges.size() && edges[i].at == here) {
        inside[edges[i].set] = edges[i].enters;
        ++i;
      }
      stretches.push_back({here, inside[unwritable] ? CharacterTable::kNoAtom : atom_here()});
    }
    self_.is_any_text_written_ = options_.unwritable.is_empty() && !options_.space_symbol;
    if (atoms.size() > kMaxAtoms) return piece_limit("classes of characters", kMaxAtoms);
    self_.atoms_ = atoms.size();
    atoms_of_class_.resize(unwritable);
    for (const auto& [signature, atom] : atoms) {
      for (std::size_t i = 0; i < unwritable; ++i) {
        if (signature[i]) atoms_of_class_[i].add(static_cast<std::uint8_t>(atom));
      }
    }
    if (options_.space_symbol) move_space(stretches);
    self_.characters_ = CharacterTable(stretches);
    return {};
  }

  // Gives spaces the atom of the symbol that replaces them, and removes the symbol: no text has it.
  void move_space(std::vector<CharacterTable::Stretch>& stretches) const {
    const auto set = [&](char32_t c, std::uint16_t atom) {
      auto after = std::upper_bound(stretches.begin(), stretches.end(), c,
                                    [](char32_t x, const auto& stretch) { return x < stretch.first; });
      const std::uint16_t before = std::prev(after)->atom;
      const bool ends_here = after != stretches.end() && after->first == c + 1;
      if (std::prev(after)->first == c) {
        std::prev(after)->atom = atom;
      } else {
        after = std::next(stretches.insert(after, {c, atom}));
      }
      if (!ends_here) stretches.insert(after, {c + 1, before});
    };
    const auto atom_of = [&](char32_t c) {
      return std::prev(std::upper_bound(stretches.begin(), stretches.end(), c,
                                        [](char32_t x, const auto& stretch) { return x < stretch.first; }))
          ->atom;
    };
    const std::uint16_t symbol = atom_of(*options_.space_symbol);
    set(U' ', symbol);
    set(*options_.space_symbol, CharacterTable::kNoAtom);
  }

  // --- Terms as languages and as attempts.

  ExprId class_expr(ClassId cls) { return exprs_.byte_set(atoms_of_class_[static_cast<std::size_t>(cls)]); }

  // Returns the texts of which a prefix matches `term` and the rest is in `tail`.
  ExprId language(TermId term, ExprId tail) {
    const auto key = std::pair{term, tail};
    if (const auto known = languages_.find(key); known != languages_.end()) return known->second;
    const Term t = patterns_.term(term);
    ExprId result = tail;
    switch (t.kind) {
      case Term::Kind::kEmpty: break;
      case Term::Kind::kClass: result = exprs_.concat(class_expr(t.cls), tail); break;
      case Term::Kind::kConcat: {  // a long chain, nested to the right
        std::vector<TermId> parts;
        TermId last = term;
        for (; patterns_.term(last).kind == Term::Kind::kConcat; last = patterns_.term(last).b) {
          parts.push_back(patterns_.term(last).a);
        }
        result = language(last, tail);
        while (!parts.empty()) {
          result = language(parts.back(), result);
          parts.pop_back();
        }
        break;
      }
      case Term::Kind::kAlternation: {
        const ExprId a = language(t.a, tail);
        result = exprs_.alternation(a, language(t.b, tail));
        break;
      }
      case Term::Kind::kLook: {
        const ExprId ahead = language(t.a, ExprId::kAllStrings);
        result = exprs_.intersection(tail, t.negative ? exprs_.complement(ahead) : ahead);
        break;
      }
      case Term::Kind::kRepeat:
        if (!t.has_look) {
          result = exprs_.concat(exprs_.repeat(language(t.a, ExprId::kEpsilon), t.min, t.max), tail);
        } else {  // bounded
          for (std::uint32_t i = t.min; i < t.max; ++i) result = exprs_.alternation(tail, language(t.a, result));
          for (std::uint32_t i = 0; i < t.min; ++i) result = language(t.a, result);
        }
        break;
    }
    languages_.emplace(key, result);
    return result;
  }

  // Returns the texts with a prefix that this attempt and its continuations match.
  ExprId language_of(const Attempt& attempt) {
    if (attempt.is_end) return attempt.condition;
    const ExprId rest = language(attempt.rest, ExprId::kAllStrings);
    return exprs_.intersection(attempt.condition, exprs_.concat(class_expr(attempt.atoms), rest));
  }

  // Returns the alternatives that a backtracking matcher tries for a term, in order.
  const std::vector<Attempt>& attempts_of(TermId term) {
    if (const auto known = attempts_.find(term); known != attempts_.end()) return known->second;
    const Term t = patterns_.term(term);
    std::vector<Attempt> result;
    // Terms are not deep, but each part of a sequence that may be empty is one more level here.
    if (depth_ == kMaxAttemptDepth) {
      is_too_deep_ = true;
      return attempts_.emplace(term, std::move(result)).first->second;
    }
    ++depth_;
    switch (t.kind) {
      case Term::Kind::kEmpty: result.push_back({.is_end = true}); break;
      case Term::Kind::kClass: result.push_back({.atoms = t.cls, .rest = TermId::kEmpty}); break;
      case Term::Kind::kAlternation: {
        result = attempts_of(t.a);
        const std::vector<Attempt>& second = attempts_of(t.b);
        result.insert(result.end(), second.begin(), second.end());
        break;
      }
      case Term::Kind::kLook: {
        const ExprId ahead = language(t.a, ExprId::kAllStrings);
        result.push_back({.is_end = true, .condition = t.negative ? exprs_.complement(ahead) : ahead});
        break;
      }
      case Term::Kind::kConcat: result = base::with_stack([&] { return attempts_of_concat(t.a, t.b); }); break;
      case Term::Kind::kRepeat: result = base::with_stack([&] { return attempts_of_repeat(t); }); break;
    }
    --depth_;
    return attempts_.emplace(term, std::move(result)).first->second;
  }

  std::vector<Attempt> attempts_of_concat(TermId a, TermId b) {
    std::vector<Attempt> result;
    const std::vector<Attempt> first = attempts_of(a);
    for (const Attempt& attempt : first) {
      if (!attempt.is_end) {
        result.push_back(attempt);
        result.back().rest = patterns_.concat(attempt.rest, b);
        continue;
      }
      for (const Attempt& next : attempts_of(b)) {
        result.push_back(next);
        result.back().condition = exprs_.intersection(next.condition, attempt.condition);
      }
    }
    return result;
  }

  // PatternReader refuses repeats whose body may be empty.
  std::vector<Attempt> attempts_of_repeat(const Term& t) {
    if (t.max == 0) return {{.is_end = true}};
    const std::uint32_t max = t.max == regex::kUnbounded ? t.max : t.max - 1;
    const TermId more = patterns_.repeat(t.a, t.min == 0 ? 0 : t.min - 1, max, t.lazy);
    std::vector<Attempt> result = attempts_of_concat(t.a, more);
    if (t.min > 0) return result;
    result.insert(t.lazy ? result.begin() : result.end(), Attempt{.is_end = true});
    return result;
  }

  // --- Hypotheses.

  // Appends all ways to begin pieces at the steps that `outer` does not have yet.
  void add_fresh(Levels outer, std::vector<std::uint32_t>& out) {
    while (outer.size() < steps_.size() && !outer.empty() && is_in_fixed(outer)) {
      outer.push_back({.kind = Level::Kind::kWhole});
    }
    const std::size_t s = outer.size();
    if (s == steps_.size()) {
      const std::uint32_t id = intern(outer);
      if (std::find(out.begin(), out.end(), id) == out.end()) out.push_back(id);
      return;
    }
    for (const Level::Kind kind : {Level::Kind::kMatch, Level::Kind::kGap}) {
      Levels next = outer;
      next.push_back({.kind = kind});
      if (kind == Level::Kind::kMatch) next.back().attempts = starts_[s];
      add_fresh(std::move(next), out);
    }
  }

  [[nodiscard]] bool is_in_fixed(const Levels& levels) const {
    for (std::size_t s = 0; s < levels.size(); ++s) {
      if (levels[s].kind == Level::Kind::kMatch && !steps_[s].fixed_texts.empty()) return true;
    }
    return false;
  }

  std::uint32_t intern(const Levels& levels) {
    words_.clear();
    for (const Level& level : levels) {
      words_.push_back(static_cast<std::uint32_t>(level.kind));
      words_.push_back(static_cast<std::uint32_t>(level.condition));
      words_.push_back(static_cast<std::uint32_t>(level.attempts.size()));
      for (const Attempt& attempt : level.attempts) {
        words_.push_back(attempt.is_end ? 1 : 0);
        words_.push_back(static_cast<std::uint32_t>(attempt.atoms));
        words_.push_back(static_cast<std::uint32_t>(attempt.rest));
        words_.push_back(static_cast<std::uint32_t>(attempt.condition));
      }
    }
    const auto [id, is_new] = ids_.intern(words_);
    if (is_new) hypotheses_.push_back(levels);
    return id;
  }

  // Steps one level by one atom. Returns false if no text is left.
  bool step(std::size_t s, const Level& level, std::uint8_t atom, Level& to) {
    to.kind = level.kind;
    if (level.kind == Level::Kind::kWhole) return true;
    ExprId condition = level.condition;
    if (level.kind == Level::Kind::kGap) condition = exprs_.difference(condition, begins_[s]);
    to.condition = exprs_.derivative(condition, atom);
    if (to.condition == ExprId::kNothing) return false;
    if (level.kind == Level::Kind::kGap) return true;
    ExprId none_before = ExprId::kAllStrings;  // the texts that no preferred end matches
    for (const Attempt& attempt : level.attempts) {
      if (attempt.is_end) {
        none_before = exprs_.difference(none_before, attempt.condition);
        if (none_before == ExprId::kNothing) break;
        continue;
      }
      if (!atoms_of_class_[static_cast<std::size_t>(attempt.atoms)].contains(atom)) continue;
      const ExprId left = exprs_.derivative(exprs_.intersection(attempt.condition, none_before), atom);
      if (left == ExprId::kNothing) continue;
      if (append_attempts(attempt.rest, left, to.attempts)) break;
    }
    return !to.attempts.empty();
  }

  // Appends the attempts of a term. Returns true if a matcher never tries an alternative after them.
  bool append_attempts(TermId term, ExprId condition, std::vector<Attempt>& out) {
    for (Attempt next : attempts_of(term)) {
      next.condition = exprs_.intersection(next.condition, condition);
      if (next.condition == ExprId::kNothing || std::find(out.begin(), out.end(), next) != out.end()) continue;
      out.push_back(next);
      if (next.is_end && next.condition == ExprId::kAllStrings) return true;
    }
    return false;
  }

  // Returns the conditions on the rest of the enclosing piece under which the level's piece ends here, one for each
  // alternative that ends.
  std::vector<ExprId> ends(std::size_t s, const Level& level) {
    if (level.kind == Level::Kind::kWhole) return {};
    if (level.kind == Level::Kind::kGap) return {exprs_.intersection(level.condition, begins_[s])};
    std::vector<ExprId> out;
    ExprId none_before = level.condition;
    for (const Attempt& attempt : level.attempts) {
      if (attempt.is_end) {
        const ExprId wins = exprs_.intersection(none_before, attempt.condition);
        if (wins != ExprId::kNothing) out.push_back(wins);
      }
      none_before = exprs_.difference(none_before, language_of(attempt));
      if (none_before == ExprId::kNothing) break;
    }
    return out;
  }

  // Returns true if the level's piece may end where the enclosing one ends.
  bool ends_with_enclosing(std::size_t s, const Level& level) {
    if (level.kind != Level::Kind::kMatch) return exprs_.nullable(level.condition);
    const std::vector<ExprId> ways = ends(s, level);
    return std::any_of(ways.begin(), ways.end(), [&](ExprId e) { return exprs_.nullable(e); });
  }

  bool accepts(const Levels& levels) {
    for (std::size_t s = 0; s < levels.size(); ++s) {
      if (!ends_with_enclosing(s, levels[s])) return false;
    }
    return true;
  }

  std::vector<std::uint32_t> cuts(const Levels& levels) {
    std::vector<std::uint32_t> out;
    for (std::size_t s = levels.size(); s-- > 0;) {
      for (const ExprId rest : ends(s, levels[s])) {
        if (rest == ExprId::kNothing) continue;
        for (const Level::Kind kind : {Level::Kind::kMatch, Level::Kind::kGap}) {
          if (kind == Level::Kind::kGap && levels[s].kind == Level::Kind::kGap) continue;
          Levels next(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(s));
          next.push_back({.kind = kind, .condition = rest});
          if (kind == Level::Kind::kMatch) next.back().attempts = starts_[s];
          add_fresh(std::move(next), out);
        }
      }
      if (!ends_with_enclosing(s, levels[s])) break;  // no enclosing piece may end here
    }
    return out;
  }

  // Facts about a hypothesis while exploring. Its cuts are those after some text of its piece.
  struct Explored {
    std::vector<std::uint32_t> next = {};  // by atom; kDead
    std::vector<std::uint32_t> cuts = {};
    bool accepts = false;
    bool is_good = false;      // leads to an accepted end after some text of the piece
    bool begins_well = false;  // the same at the beginning of a piece, after at least one character
  };

  Result<void> explore() {
    add_fresh({}, start_);
    for (std::size_t i = 0; i < hypotheses_.size(); ++i) {
      if (hypotheses_.size() > 4 * kMaxHypotheses) return piece_limit("hypotheses", kMaxHypotheses);
      const Levels levels = hypotheses_[i];
      Explored& seen = explored_.emplace_back();
      seen.accepts = accepts(levels);
      std::vector<std::uint32_t> cut = cuts(levels);
      std::vector<std::uint32_t> next(self_.atoms_, kDead);
      for (std::size_t atom = 0; atom < self_.atoms_; ++atom) {
        Levels to(levels.size());
        bool lives = true;
        for (std::size_t s = 0; s < levels.size() && lives; ++s) {
          lives = step(s, levels[s], static_cast<std::uint8_t>(atom), to[s]);
        }
        if (lives) next[atom] = intern(to);
      }
      explored_[i].next = std::move(next);
      explored_[i].cuts = std::move(cut);
      if (exprs_.is_full()) return piece_limit("expressions", kMaxPieceExpressions);
    }
    // Propagates backwards from accepted ends until nothing changes.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = explored_.size(); i-- > 0;) {
        Explored& h = explored_[i];
        const auto begins = [&](std::uint32_t c) { return explored_[c].begins_well; };
        const auto leads = [&](std::uint32_t n) { return n != kDead && explored_[n].is_good; };
        if (!h.begins_well && std::any_of(h.next.begin(), h.next.end(), leads)) h.begins_well = changed = true;
        if (!h.is_good && (h.accepts || h.begins_well || std::any_of(h.cuts.begin(), h.cuts.end(), begins))) {
          h.is_good = changed = true;
        }
      }
    }
    return {};
  }

  Result<PieceAutomaton> finish() {
    // Keeps the hypotheses that some text reaches.
    std::vector<std::uint32_t> number(explored_.size(), kDead);
    std::vector<std::uint32_t> kept;
    const auto keep = [&](std::uint32_t h) {
      if (number[h] == kDead) {
        number[h] = static_cast<std::uint32_t>(kept.size());
        kept.push_back(h);
      }
      return HypothesisId{number[h]};
    };
    for (const std::uint32_t h : start_) {
      if (explored_[h].begins_well) self_.start_.push_back(keep(h));
    }
    self_.cut_begin_.push_back(0);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const Explored& h = explored_[kept[i]];
      ByteSet live;
      for (std::size_t atom = 0; atom < self_.atoms_; ++atom) {
        const bool lives = h.next[atom] != kDead && explored_[h.next[atom]].is_good;
        self_.next_.push_back(lives ? static_cast<std::uint32_t>(keep(h.next[atom])) : kDead);
        if (lives) live.add(static_cast<std::uint8_t>(atom));
      }
      for (const std::uint32_t c : h.cuts) {
        if (explored_[c].begins_well) self_.cuts_.push_back(keep(c));
      }
      self_.cut_begin_.push_back(static_cast<std::uint32_t>(self_.cuts_.size()));
      self_.live_atoms_.push_back(live);
      self_.accepts_.push_back(h.accepts);
      self_.fixed_.push_back(is_in_fixed(hypotheses_[kept[i]]));
    }
    if (kept.size() > kMaxHypotheses) return piece_limit("hypotheses", kMaxHypotheses);
    if (!self_.make_rests()) return piece_limit("states of texts after a boundary", kMaxRests);
    return std::move(self_);
  }

  std::span<const PieceStep> steps_;
  const PieceOptions& options_;
  PatternReader patterns_;
  std::vector<TermId> roots_;
  std::vector<ByteSet> atoms_of_class_;
  ExprSet exprs_;
  std::map<std::pair<TermId, ExprId>, ExprId> languages_;
  std::map<TermId, std::vector<Attempt>> attempts_;
  std::size_t depth_ = 0;
  bool is_too_deep_ = false;
  std::vector<std::vector<Attempt>> starts_;  // by step: the ways to begin a match
  std::vector<ExprId> begins_;                // by step: the texts that begin with a match
  base::WordInterner ids_;
  std::vector<std::uint32_t> words_;
  std::deque<Levels> hypotheses_;
  std::deque<Explored> explored_;
  std::vector<std::uint32_t> start_;
  PieceAutomaton self_;
};

Result<PieceAutomaton> PieceAutomaton::build(std::span<const PieceStep> steps, const PieceOptions& options) {
  return Builder(steps, options).build();
}

// Makes the rests by the subset construction over hypotheses and their cuts, beginning after the cuts of each
// hypothesis. Returns false if kMaxRests is exceeded.
bool PieceAutomaton::make_rests() {
  base::WordInterner sets;
  std::vector<std::uint32_t> words;
  // A state is a set of hypotheses with all that follow their cuts, and whether the text may end.
  const auto intern = [&](bool accepts, std::vector<std::uint32_t>& members) {
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    words.assign(1, accepts ? 1 : 0);
    words.insert(words.end(), members.begin(), members.end());
    return sets.intern(words).first;
  };
  std::vector<std::uint32_t> members;
  std::vector<std::uint32_t> after(hypothesis_count(), kDead), around(hypothesis_count(), kDead);
  for (std::uint32_t h = 0; h < hypothesis_count(); ++h) {
    members.clear();
    for (const HypothesisId c : cuts(HypothesisId{h})) members.push_back(static_cast<std::uint32_t>(c));
    if (!members.empty()) after[h] = intern(false, members);
    members.push_back(h);
    around[h] = intern(false, members);
  }
  std::vector<std::uint32_t> next;
  for (std::uint32_t r = 0; r < sets.size(); ++r) {
    if (sets.size() > kMaxRests) return false;
    const std::vector<std::uint32_t> from(sets[r].begin() + 1, sets[r].end());
    for (std::size_t atom = 0; atom < atoms_; ++atom) {
      members.clear();
      bool accepts = false;
      for (const std::uint32_t h : from) {
        const std::uint32_t to = next_[h * atoms_ + atom];
        if (to == kDead) continue;
        members.push_back(to);
        accepts = accepts || accepts_[to];
        for (const HypothesisId c : cuts(HypothesisId{to})) members.push_back(static_cast<std::uint32_t>(c));
      }
      next.push_back(members.empty() ? kDead : intern(accepts, members));
    }
  }
  // A state is settled unless a text leads from it to one where the text may not end. Atoms without characters, if
  // there are any, do not count.
  const std::uint32_t count = sets.size();
  ByteSet real_atoms;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto step = characters_.step(CharacterId::kNone, static_cast<std::uint8_t>(byte));
    if (step.kind == CharacterTable::Step::Kind::kComplete) real_atoms.add(static_cast<std::uint8_t>(step.atom));
    if (step.kind == CharacterTable::Step::Kind::kInside) real_atoms |= characters_.atoms_after(step.character);
  }
  std::vector<bool> settled(count);
  for (std::uint32_t r = 0; r < count; ++r) settled[r] = is_any_text_written_ && sets[r][0] == 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t r = 0; r < count; ++r) {
      for (std::size_t atom = 0; settled[r] && atom < atoms_; ++atom) {
        const std::uint32_t to = next[r * atoms_ + atom];
        if (!real_atoms.contains(static_cast<std::uint8_t>(atom)) || (to != kDead && settled[to])) continue;
        settled[r] = false;
        changed = true;
      }
    }
  }
  // All settled states become one.
  std::vector<std::uint32_t> number(count, kDead);
  std::vector<std::uint32_t> kept;
  std::uint32_t the_settled = kDead;
  for (std::uint32_t r = 0; r < count; ++r) {
    if (settled[r] && the_settled != kDead) {
      number[r] = the_settled;
      continue;
    }
    number[r] = static_cast<std::uint32_t>(kept.size());
    if (settled[r]) the_settled = number[r];
    kept.push_back(r);
  }
  const auto in_characters = [&](std::uint32_t rest) {
    return RestId{rest * static_cast<std::uint32_t>(characters_.count())};
  };
  for (const std::uint32_t r : after) rest_after_.push_back(r == kDead ? RestId::kNone : in_characters(number[r]));
  for (const std::uint32_t r : around) rest_around_.push_back(in_characters(number[r]));
  for (const std::uint32_t r : kept) {
    rest_accepts_.push_back(sets[r][0] == 1);
    rest_settled_.push_back(settled[r]);
    ByteSet live, unsettled;
    for (std::size_t atom = 0; atom < atoms_; ++atom) {
      const std::uint32_t to = next[r * atoms_ + atom];
      rest_next_.push_back(to == kDead ? kDead : number[to]);
      if (to != kDead) live.add(static_cast<std::uint8_t>(atom));
      if (to == kDead || !settled[to]) unsettled.add(static_cast<std::uint8_t>(atom));
    }
    rest_live_.push_back(live);
    ByteSet& settling = rest_settling_.emplace_back();
    for (unsigned byte = 0; byte < 256; ++byte) {
      const auto step = characters_.step(CharacterId::kNone, static_cast<std::uint8_t>(byte));
      const bool settles = step.kind == CharacterTable::Step::Kind::kComplete
                               ? !unsettled.contains(static_cast<std::uint8_t>(step.atom))
                               : step.kind == CharacterTable::Step::Kind::kInside &&
                                     (unsettled & characters_.atoms_after(step.character)).is_empty();
      if (settles) settling.add(static_cast<std::uint8_t>(byte));
    }
  }
  return true;
}

RestId PieceAutomaton::step(RestId rest, std::uint8_t byte) const {
  const auto characters = static_cast<std::uint32_t>(characters_.count());
  const std::uint32_t state = static_cast<std::uint32_t>(rest) / characters;
  const CharacterTable::Step next = characters_.step(CharacterId(static_cast<std::uint32_t>(rest) % characters), byte);
  switch (next.kind) {
    case CharacterTable::Step::Kind::kInvalid: return RestId::kNone;
    case CharacterTable::Step::Kind::kInside:
      if ((rest_live_[state] & characters_.atoms_after(next.character)).is_empty()) return RestId::kNone;
      return RestId{state * characters + static_cast<std::uint32_t>(next.character)};
    case CharacterTable::Step::Kind::kComplete: break;
  }
  const std::uint32_t to = rest_next_[state * atoms_ + next.atom];
  return to == kDead ? RestId::kNone : RestId{to * characters};
}

bool PieceAutomaton::may_end(RestId rest) const {
  const auto characters = static_cast<std::uint32_t>(characters_.count());
  return static_cast<std::uint32_t>(rest) % characters == 0 &&
         rest_accepts_[static_cast<std::uint32_t>(rest) / characters];
}

bool PieceAutomaton::is_settled(RestId rest) const {
  const auto characters = static_cast<std::uint32_t>(characters_.count());
  return static_cast<std::uint32_t>(rest) % characters == 0 &&
         rest_settled_[static_cast<std::uint32_t>(rest) / characters];
}

const regex::ByteSet& PieceAutomaton::settling_bytes(RestId rest) const {
  const auto characters = static_cast<std::uint32_t>(characters_.count());
  if (static_cast<std::uint32_t>(rest) % characters != 0) return no_bytes_;
  return rest_settling_[static_cast<std::uint32_t>(rest) / characters];
}

// Returns the length of the longest path from a cut through states that are not settled; a cycle of them has no bound.
std::optional<std::size_t> PieceAutomaton::look_ahead() const {
  constexpr std::size_t kOpen = SIZE_MAX;
  std::vector<std::optional<std::size_t>> longest(rest_count());
  struct Frame {
    std::uint32_t rest;
    std::size_t atom;
  };
  std::size_t most = 0;
  for (const RestId start : rest_after_) {  // rest_around_ does not depend on boundaries
    if (start == RestId::kNone) continue;
    const std::uint32_t first = static_cast<std::uint32_t>(start) / static_cast<std::uint32_t>(characters_.count());
    std::vector<Frame> frames;
    const auto enter = [&](std::uint32_t rest) {
      longest[rest] = kOpen;
      frames.push_back({rest, 0});
    };
    if (!longest[first]) enter(first);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      if (frame.atom == atoms_) {
        std::size_t length = 0;
        for (std::size_t atom = 0; atom < atoms_; ++atom) {
          const std::uint32_t to = rest_next_[frame.rest * atoms_ + atom];
          if (to != kDead && !rest_settled_[to]) length = std::max(length, *longest[to]);
        }
        longest[frame.rest] = length + 1;
        frames.pop_back();
        continue;
      }
      const std::uint32_t to = rest_next_[frame.rest * atoms_ + frame.atom++];
      if (to == kDead || rest_settled_[to]) continue;
      if (longest[to] == kOpen) return std::nullopt;
      if (!longest[to]) enter(to);
    }
    if (!rest_settled_[first]) most = std::max(most, *longest[first]);
  }
  return most;
}

std::size_t PieceAutomaton::memory_bytes() const {
  return characters_.memory_bytes() +
         sizeof(std::uint32_t) * (next_.capacity() + rest_next_.capacity() + cut_begin_.capacity() + cuts_.capacity()) +
         sizeof(regex::ByteSet) * (live_atoms_.capacity() + rest_settling_.capacity() + rest_live_.capacity());
}

}  // namespace weir::canonical
