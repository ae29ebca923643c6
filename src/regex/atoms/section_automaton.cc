#include "regex/atoms/section_automaton.h"

#include <algorithm>
#include <queue>
#include <string>
#include <tuple>
#include <utility>

namespace weir::regex {

namespace {

constexpr std::uint32_t kUncounted = SectionPlace::kUncounted;

bool has_left(std::uint32_t left, std::uint32_t needed) { return left == kUncounted || needed <= left; }
std::uint32_t less(std::uint32_t left, std::uint32_t by) { return left == kUncounted ? left : left - by; }

}  // namespace

SectionAutomaton::SectionAutomaton(ExplicitDfa automaton, std::span<const CodePointSet> classes, const Limits& limits)
    : Atom(Form::kPlain), automaton_(std::move(automaton)), limits_(limits) {
  // Merges classes that no state distinguishes, and drops classes that lead nowhere from every state.
  std::vector<CodePointSet> merged(classes.size());
  const std::vector<std::uint32_t> alike = equivalent_symbols({&automaton_, 1});
  for (std::uint32_t cls = 0; cls < classes.size(); ++cls) {
    bool leads = false;
    for (std::size_t state = 0; state < automaton_.size() && !leads; ++state) {
      leads = automaton_.step(static_cast<ExplicitDfa::State>(state), cls) != ExplicitDfa::kDead;
    }
    if (leads) merged[alike[cls]] = merged[alike[cls]] | classes[cls];
  }
  build_trie(merged);
  measure(merged);
}

// --- The trie ---

void SectionAutomaton::build_trie(std::span<const CodePointSet> classes) {
  struct Length {
    char32_t first, last;
    std::uint8_t lead;          // lead byte of `first`
    std::uint32_t more, width;  // bytes after the lead byte, code points for each lead byte
  };
  constexpr std::array kLengths = {Length{0x80, 0x7FF, 0xC2, 1, 0x40}, Length{0x800, 0xD7FF, 0xE0, 2, 0x1000},
                                   Length{0xE000, 0xFFFF, 0xEE, 2, 0x1000},
                                   Length{0x10000, 0x10FFFF, 0xF0, 3, 0x40000}};
  const auto pieces_in = [&](char32_t first, char32_t last) {
    std::vector<Piece> pieces;
    for (std::size_t cls = 0; cls < classes.size(); ++cls) {
      const CodePointSet inside = classes[cls] & CodePointSet::range(first, last);
      for (const CodePointRange& range : inside.ranges()) {
        pieces.push_back({range.first, range.last, static_cast<std::uint16_t>(cls)});
      }
    }
    std::ranges::sort(pieces, {}, &Piece::first);
    return pieces;
  };
  tries_.resize(1);
  Trie root{std::vector<std::uint16_t>(256, kNowhere)};
  for (const Piece& piece : pieces_in(0, 0x7F)) {
    for (char32_t c = piece.first; c <= piece.last; ++c) root.next[c] = kClass | piece.cls;
  }
  for (const Length& length : kLengths) {
    const std::vector<Piece> pieces = pieces_in(length.first, length.last);
    std::uint32_t lead = length.lead;
    for (char32_t c = length.first & ~char32_t{length.width - 1}; c <= length.last; c += length.width) {
      root.next[lead++] = build_part(pieces, c, length.more);
    }
  }
  root.bytes = 0;
  tries_[0] = std::move(root);
  for (Trie& part : tries_) {
    const std::size_t base = &part == tries_.data() ? 0 : 0x80;
    std::vector<std::uint16_t> targets;
    for (std::size_t i = 0; i < part.next.size(); ++i) {
      if (part.next[i] == kNowhere) continue;
      const auto known = std::ranges::find(targets, part.next[i]);
      if (known == targets.end()) part.sets.emplace_back();
      part.sets[static_cast<std::size_t>(known - targets.begin())].add(static_cast<std::uint8_t>(base + i));
      if (known == targets.end()) targets.push_back(part.next[i]);
    }
  }
}

/// Builds the trie node for the last `bytes` bytes of the characters from `first` on. `pieces` are ascending.
std::uint16_t SectionAutomaton::build_part(std::span<const Piece> pieces, char32_t first, std::uint32_t bytes) {
  const char32_t width = char32_t{1} << (6 * bytes);
  const auto begin = std::ranges::lower_bound(pieces, first, {}, &Piece::last);
  const auto end = std::ranges::lower_bound(pieces, first + width, {}, &Piece::first);
  if (begin >= end) return kNowhere;
  Trie part{std::vector<std::uint16_t>(64, kNowhere)};
  part.bytes = bytes;
  if (bytes == 1) {
    for (auto piece = begin; piece != end; ++piece) {
      const char32_t last = std::min<char32_t>(piece->last, first + width - 1);
      for (char32_t c = std::max(piece->first, first); c <= last; ++c) part.next[c - first] = kClass | piece->cls;
      part.classes.add(static_cast<std::uint8_t>(piece->cls));
    }
  } else {
    for (char32_t i = 0; i < 64; ++i) {
      part.next[i] = build_part({begin, end}, first + i * (width / 64), bytes - 1);
      if (part.next[i] != kNowhere) part.classes |= tries_[part.next[i]].classes;
    }
  }
  return find_or_add(std::move(part));
}

std::uint16_t SectionAutomaton::find_or_add(Trie part) {
  const auto is_same = [&](const Trie& other) { return other.bytes == part.bytes && other.next == part.next; };
  const auto known = std::find_if(tries_.begin() + 1, tries_.end(), is_same);
  const auto at = static_cast<std::uint16_t>(known - tries_.begin());
  if (known == tries_.end()) tries_.push_back(std::move(part));
  return at;
}

// --- Distances to the end of a section ---

/// Computes distances_ with Dijkstra's algorithm, backward from the ends: paths that are minimal by (characters,
/// octets) and by (octets, characters).
void SectionAutomaton::measure(std::span<const CodePointSet> classes) {
  std::vector<std::uint32_t> octets;
  for (const CodePointSet& set : classes) {
    const char32_t least = set.is_empty() ? 0 : set.ranges().front().first;
    octets.push_back(least < 0x80 ? 1 : least < 0x800 ? 2 : least < 0x10000 ? 3 : 4);
  }
  struct Edge {
    ExplicitDfa::State from;
    std::uint32_t octets;
  };
  std::vector<std::vector<Edge>> into(automaton_.size());
  for (std::size_t from = ExplicitDfa::kStart; from < automaton_.size(); ++from) {
    for (std::size_t cls = 0; cls < classes.size(); ++cls) {
      const ExplicitDfa::State to = automaton_.step(static_cast<ExplicitDfa::State>(from), cls);
      const bool stays = to != ExplicitDfa::kDead && (automaton_.accepts[to] & kBegins) == 0;
      if (stays && !classes[cls].is_empty()) into[to].push_back({static_cast<ExplicitDfa::State>(from), octets[cls]});
    }
  }
  distances_.resize(automaton_.size());
  for (std::size_t ending = 0; ending < kEndings; ++ending) {
    for (const bool by_octets : {false, true}) {
      const auto way = [&](std::size_t state) -> Way& {
        Distance& distance = distances_[state][ending];
        return by_octets ? distance.by_octets : distance.by_characters;
      };
      using Open = std::tuple<std::uint32_t, std::uint32_t, std::size_t>;  // primary length, secondary length, state
      std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
      const auto reach = [&](std::size_t state, Way by) {
        const auto order = [&](const Way& w) {
          return by_octets ? std::pair(w.octets, w.characters) : std::pair(w.characters, w.octets);
        };
        if (order(by) >= order(way(state))) return;
        way(state) = by;
        open.emplace(order(by).first, order(by).second, state);
      };
      for (std::size_t state = 0; state < automaton_.size(); ++state) {
        if ((automaton_.accepts[state] & kEnding) == ending + 1) reach(state, {0, 0});
      }
      for (; !open.empty();) {
        const std::size_t to = std::get<2>(open.top());
        open.pop();
        for (const Edge& edge : into[to]) reach(edge.from, {way(to).characters + 1, way(to).octets + edge.octets});
      }
    }
  }
  constexpr std::uint32_t kLongestCharacter = 4;
  for (const auto& distance : distances_) {
    for (const Distance& to : distance) {
      if (to.by_octets.characters == kFar) continue;
      farthest_.characters = std::max(farthest_.characters, to.by_octets.characters + 1);
      farthest_.octets = std::max(farthest_.octets, to.by_characters.octets + kLongestCharacter);
    }
  }
}

// --- Places ---

SectionPlace SectionAutomaton::start() const { return {ExplicitDfa::kStart, 0, 0, limits_.characters, limits_.octets}; }

bool SectionAutomaton::may_end(const SectionPlace& place) const {
  const std::uint8_t ending = automaton_.accepts[place.state] & kEnding;
  if (place.inside != 0 || ending == 0) return false;
  return place.section == kUncounted || place.section <= limits_.section[ending - 1U];
}

/// Returns the place after a character of class `cls`, whose octets have been counted already; nullopt if the character
/// is not allowed.
std::optional<SectionPlace> SectionAutomaton::after(const SectionPlace& place, std::size_t cls) const {
  SectionPlace next = place;
  next.inside = 0;
  next.state = automaton_.step(static_cast<ExplicitDfa::State>(place.state), cls);
  if (next.state == ExplicitDfa::kDead || !has_left(place.characters, 1)) return std::nullopt;
  next.characters = less(place.characters, 1);
  if (place.section == kUncounted) return next;
  if ((automaton_.accepts[next.state] & kBegins) == 0) {
    ++next.section;
    return next;
  }
  SectionPlace ended = place;
  ended.inside = 0;
  if (!may_end(ended)) return std::nullopt;
  next.section = 0;
  return next;
}

SectionAutomaton::Reach SectionAutomaton::reach_between(const SectionPlace& place) const {
  Reach best = Reach::kNever;
  for (std::size_t ending = 0; ending < kEndings; ++ending) {
    const Distance& to = distances_[place.state][ending];
    const auto fits = [&](std::uint32_t characters, std::uint32_t octets) {
      const bool fits_section = place.section == kUncounted || place.section + characters <= limits_.section[ending];
      return fits_section && has_left(place.characters, characters) && has_left(place.octets, octets);
    };
    const std::uint32_t characters = to.by_characters.characters;
    if (characters == kFar || !fits(characters, to.by_octets.octets)) continue;
    if (fits(characters, to.by_characters.octets) || fits(to.by_octets.characters, to.by_octets.octets)) {
      return Reach::kSurely;
    }
    best = Reach::kUnknown;
  }
  return best;
}

SectionAutomaton::Reach SectionAutomaton::reach(const SectionPlace& place) const {
  if (place.inside == 0) return reach_between(place);
  const Trie& part = tries_[place.inside];
  if (!has_left(place.octets, part.bytes)) return Reach::kNever;
  SectionPlace from = place;
  from.octets = less(place.octets, part.bytes);
  Reach best = Reach::kNever;
  for (ByteSet left = part.classes; !left.is_empty() && best != Reach::kSurely; left &= ~ByteSet::of(left.first())) {
    if (const auto next = after(from, left.first())) best = std::max(best, reach_between(*next));
  }
  return best;
}

std::optional<SectionPlace> SectionAutomaton::step(const SectionPlace& place, std::uint8_t byte) const {
  const Trie& part = tries_[place.inside];
  const bool continues = place.inside != 0;
  if ((continues && (byte & 0xC0) != 0x80) || !has_left(place.octets, 1)) return std::nullopt;
  const std::uint16_t to = part.next[continues ? byte & 0x3F : byte];
  if (to == kNowhere) return std::nullopt;
  SectionPlace next = place;
  next.octets = less(place.octets, 1);
  if ((to & kClass) == 0) {
    next.inside = to;
  } else {
    const auto ended = after(next, to & ~kClass);
    if (!ended) return std::nullopt;
    next = *ended;
  }
  if (reach(next) == Reach::kNever) return std::nullopt;
  return next;
}

// `a`: state (bits 0-15) and trie node (16-31). `b`: section count (0-11) and characters (12-23). `c`: octets (0-11).
AtomState SectionAutomaton::pack(const SectionPlace& place, std::uint32_t atom) {
  return {place.inside << 16 | place.state, place.characters << 12 | place.section, place.octets, atom};
}

SectionPlace SectionAutomaton::unpack(const AtomState& state) {
  return {state.a & 0xFFFF, state.a >> 16, state.b & kUncounted, state.b >> 12, state.c};
}

Atom::Properties SectionAutomaton::properties(const ExprSet& /*exprs*/, const AtomState& state) const {
  constexpr std::uint32_t kLongestCharacter = 4;
  const SectionPlace place = unpack(state);
  Properties known{.is_nullable = may_end(place), .has_member = reach(place) == Reach::kSurely};
  known.has_text = known.has_member && place.inside == 0;
  if (place.inside != 0) {
    known.min_length = tries_[place.inside].bytes;
  } else {
    known.min_length = kFar;
    for (const Distance& to : distances_[place.state]) {
      known.min_length = std::min(known.min_length, to.by_octets.octets);
    }
  }
  if (place.octets != kUncounted) {
    known.max_length = place.octets;
  } else if (place.characters != kUncounted) {
    known.max_length = place.characters * kLongestCharacter;
  }
  return known;
}

ExprId SectionAutomaton::derivative(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const {
  const std::optional<SectionPlace> next = step(unpack(state), byte);
  return next ? exprs.atom(pack(*next, state.atom)) : ExprId::kNothing;
}

ByteSet SectionAutomaton::alphabet() const {
  ByteSet bytes;
  for (const Trie& trie : tries_) {
    for (const ByteSet& set : trie.sets) bytes |= set;
  }
  return bytes;
}

std::span<const ByteSet> SectionAutomaton::classes(const AtomState& state) const {
  return tries_[unpack(state).inside].sets;
}

bool SectionAutomaton::append_branches(ExprSet& exprs, const AtomState& state,
                                       std::vector<ExprSet::Branch>& branches) const {
  for (const ByteSet& set : classes(state)) {
    const ExprId to = derivative(exprs, state, set.first());
    if (to != ExprId::kNothing) branches.push_back({set, to});
  }
  return true;
}

std::string SectionAutomaton::name(const AtomState& state) const {
  return "sections(" + std::to_string(unpack(state).state) + ")";
}

// Returns the number of bytes before a count can matter. As long as the count leaves enough for the largest distance to
// an end, including a character in progress, every state of the automaton that reaches an end still does.
std::uint32_t SectionAutomaton::before_limit(std::uint32_t left, std::uint32_t farthest) {
  return left == kUncounted ? kUnbounded : left - std::min(left, farthest);
}

std::optional<std::uint32_t> SectionAutomaton::bytes_before_limits(const AtomState& state) const {
  const SectionPlace place = unpack(state);
  std::uint32_t section = kUncounted;
  if (place.section != kUncounted) {
    const std::uint32_t limit = *std::ranges::min_element(limits_.section);
    section = limit - std::min(limit, place.section);
  }
  return std::min({before_limit(section, farthest_.characters), before_limit(place.characters, farthest_.characters),
                   before_limit(place.octets, farthest_.octets)});
}

/// Keeps the count of the section.
AtomState SectionAutomaton::without_distant_counts(const AtomState& state, std::uint32_t bytes) const {
  SectionPlace place = unpack(state);
  if (before_limit(place.characters, farthest_.characters) >= bytes) place.characters = kUncounted;
  if (before_limit(place.octets, farthest_.octets) >= bytes) place.octets = kUncounted;
  return pack(place, state.atom);
}

AtomState SectionAutomaton::without_counts(const AtomState& state) const {
  const SectionPlace place = unpack(state);
  return pack({place.state, place.inside, kUncounted, kUncounted, kUncounted}, state.atom);
}

ExprId section_texts(ExprSet& exprs, const SectionAutomaton& automaton) {
  return exprs.atom(SectionAutomaton::pack(automaton.start(), exprs.register_atom(automaton)));
}

}  // namespace weir::regex
