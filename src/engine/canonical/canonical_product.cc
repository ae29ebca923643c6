// CanonicalProduct: masks. product_viability.cc has the rest: which pairs are viable.
#include "engine/canonical/canonical_product.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "base/replaceable.h"
#include "base/work.h"
#include "canonical/nfc_automaton.h"
#include "canonical/piece_automaton.h"
#include "engine/canonical/product_shared.h"
#include "engine/facts/vocabulary_store.h"
#include "engine/search_bounds.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Answer;
using base::Limit;
using canonical::CanonicalId;
using canonical::PlaceId;
using canonical::RestId;
using product::for_each_token;
using product::has_place;
using product::is_work_met;
using product::kEntryBytes;
using product::key_of;

namespace {

constexpr TextBound kNear{.bytes = kNearBytes, .characters = kNearCharacters};

// Steps `residual` by a text. Returns false if the terminal rejects it.
bool is_read(ResidualTable& table, std::uint32_t& residual, std::string_view text) {
  for (const char c : text) residual = table.step(residual, static_cast<std::uint8_t>(c));
  return residual != ResidualTable::kDead;
}

std::size_t count_live_bytes(ResidualTable& table, std::uint32_t residual) {
  std::size_t live = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    live += table.step(residual, static_cast<std::uint8_t>(byte)) != ResidualTable::kDead ? 1 : 0;
  }
  return live;
}

void sort_unique(std::vector<std::uint32_t>& tokens) {
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
}

bool meet(const regex::ByteSet& a, const regex::ByteSet& b) { return !(a & b).is_empty(); }

}  // namespace

// Finds the bytes after which a terminal has a *plain end*: a text of free characters (NfcAutomaton), possibly empty
// and of at most kMaxPlainEndBytes bytes, completes it. Then some text in NFC completes the terminal, whatever was read
// before.
class CanonicalProduct::PlainEnds {
 public:
  /// If `nfc` is null, every residual has a plain end.
  PlainEnds(ResidualTable& table, const canonical::NfcAutomaton* nfc) : table_(table), nfc_(nfc) {}

  [[nodiscard]] ResidualTable& table() { return table_; }

  /// Returns true if the terminal may read the byte, which is free, and then has a plain end.
  bool may_read(std::uint32_t residual, std::uint8_t byte) {
    const std::uint32_t next = table_.step(residual, byte);
    if (next == ResidualTable::kDead) return false;
    return nfc_ == nullptr || has_end(next, nfc_->step(canonical::NfcState::kStart, byte));
  }
  /// Returns the bytes of `live` for which may_read() is true.
  regex::ByteSet bytes(std::uint32_t residual, const regex::ByteSet& live) {
    if (nfc_ == nullptr) return live;
    const auto [known, is_new] = bytes_.try_emplace(residual);
    if (is_new) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        const auto b = static_cast<std::uint8_t>(byte);
        if (live.contains(b) && nfc_->free_bytes().contains(b) && may_read(residual, b)) known->second.add(b);
      }
    }
    return known->second;
  }
  [[nodiscard]] bool has_end_after(std::uint32_t residual, std::string_view text) {
    if (nfc_ == nullptr) return true;
    // The last byte of the text is free, so the texts after it do not depend on the bytes before it.
    return !text.empty() && has_end(residual, nfc_->step(canonical::NfcState::kStart, text.substr(text.size() - 1)));
  }

  using Place = std::tuple<std::uint32_t, PlaceId, std::size_t>;  // a residual, a place, bytes of the text before it
  std::map<Place, FoundText>& found() { return found_; }

 private:
  using NfcState = canonical::NfcState;

  // Depth first: most terminals have an end after few bytes, or a long literal before it.
  bool has_end(std::uint32_t residual, NfcState inside) {
    struct Visit {
      std::uint32_t residual;
      NfcState inside;  // kStart between characters, since free characters alone are read
      std::size_t depth;
    };
    if (canonical::NfcAutomaton::is_between(inside)) inside = NfcState::kStart;
    const std::pair<std::uint32_t, NfcState> first{residual, inside};
    if (const auto known = ends_.find(first); known != ends_.end()) return known->second;
    bool found = inside == NfcState::kStart && table_.can_end(residual);
    std::vector<Visit> open{{residual, inside, 0}};
    std::set<std::pair<std::uint32_t, NfcState>> seen{first};
    while (!open.empty() && !found && !table_.is_inexact()) {
      const Visit at = open.back();
      open.pop_back();
      if (at.depth == kMaxPlainEndBytes) continue;
      for (unsigned byte = 256; byte-- > 0 && !found;) {
        const auto b = static_cast<std::uint8_t>(byte);
        if (at.inside == NfcState::kStart && !nfc_->free_bytes().contains(b)) continue;
        const std::uint32_t next = table_.step(at.residual, b);
        if (next == ResidualTable::kDead) continue;
        NfcState state = nfc_->step(at.inside, b);
        if (state == NfcState::kRefused) continue;
        if (canonical::NfcAutomaton::is_between(state)) state = NfcState::kStart;
        if (!seen.emplace(next, state).second) continue;
        found = state == NfcState::kStart && table_.can_end(next);
        open.push_back({next, state, at.depth + 1});
      }
    }
    ends_.emplace(first, found);
    return found;
  }

  ResidualTable& table_;
  const canonical::NfcAutomaton* nfc_;
  std::map<std::uint32_t, regex::ByteSet> bytes_;
  std::map<std::pair<std::uint32_t, NfcState>, bool> ends_;
  std::map<Place, FoundText> found_;
};

WEIR_REPLACEABLE CanonicalProduct& CanonicalProduct::of(SharedAutomaton& automaton,
                                                        const canonical::CanonicalAutomaton& canonical) {
  return static_cast<CanonicalProduct&>(automaton.companion([&] {
    GroupsStore& store = automaton.program().tokenizer.vocabulary().extension<VocabularyStore>().groups;
    return std::make_unique<CanonicalProduct>(automaton, canonical, store);
  }));
}

CanonicalProduct::CanonicalProduct(SharedAutomaton& automaton, const canonical::CanonicalAutomaton& canonical,
                                   GroupsStore& store)
    : automaton_(automaton),
      canonical_(canonical),
      vocabulary_(automaton.program().tokenizer.vocabulary()),
      store_(store),
      fuel_(automaton.program().limits.lookahead_threads),
      whole_tokens_(bitmask_words(vocabulary_.size())),
      distance_(automaton, *this) {
  for (std::uint32_t token = 0; token < vocabulary_.size(); ++token) {
    const TokenKind kind = vocabulary_.token_kind(token);
    const bool is_text = (kind == TokenKind::kNormal || kind == TokenKind::kByte) && !vocabulary_.is_stop_token(token);
    if (!is_text) bitmask_set(whole_tokens_, token);
  }
  const TokenTerminals& terminals = automaton.program().token_terminals;
  TokenBits taken(whole_tokens_.size());
  for (std::size_t set = 0; set < terminals.size(); ++set) terminals.add_to(set, taken);
  for (std::size_t i = 0; i < taken.size(); ++i)
    takes_text_whole_ = takes_text_whole_ || (taken[i] & ~whole_tokens_[i]) != 0;
}

// Returns the greatest length of a proof that may be reused for other residuals: it also proves the token in a residual
// that no text of this length distinguishes. Under NFC a proof contains an end of the terminal.
TextBound CanonicalProduct::reusable_length() const {
  if (canonical_.nfc() == nullptr) return kNear;
  constexpr std::uint32_t kFar = kMaxInsideBytes + 1 + kMaxPlainEndBytes;
  return {.bytes = kFar, .characters = kFar};
}

WEIR_REPLACEABLE CanonicalId CanonicalProduct::step(CanonicalId c, std::uint32_t token) const {
  if (!is_whole(token)) return canonical_.step(c, token);
  return canonical_.may_end(c) ? canonical_.restart() : CanonicalId::kRefused;
}

WEIR_REPLACEABLE CanonicalId CanonicalProduct::accept(CanonicalId c, std::uint32_t token) {
  const std::uint64_t key = (std::uint64_t{static_cast<std::uint32_t>(c)} << 32) | token;
  if (const auto known = accepted_.find(key)) return CanonicalId{*known};
  const CanonicalId after = step(c, token);
  const MutexLock lock(mutex_);
  if (!accepted_.find(key)) accepted_.insert(key, static_cast<std::uint32_t>(after));
  return after;
}

WEIR_REPLACEABLE Limit CanonicalProduct::write_mask(StateId g, CanonicalId c, TokenPosition position,
                                                    std::span<std::uint32_t> bitmask) {
  const PairAt key{g, c, position};
  std::shared_ptr<const Mask> known;
  {
    const MutexLock lock(mutex_);
    if (const auto* const found = masks_.find(key)) known = *found;
  }
  if (known != nullptr) {
    known->write(bitmask);
    return Limit::kNone;
  }
  if (const Limit limit = compute_mask(g, c, position, bitmask); limit != Limit::kNone) return limit;
  const MutexLock lock(mutex_);
  Mask mask = bases_.mask_of(bitmask);
  // The map counts what masks differ by. Bases may be thousands of times as large, and live as long as a mask of them.
  if (bases_.memory_bytes() > kMaxCanonicalMaskBytes) masks_ = decltype(masks_)(kMaxCanonicalMaskBytes);
  const std::size_t bytes = kEntryBytes + sizeof(Mask) + mask.changed.size() * sizeof(Mask::Word);
  masks_.insert(key, std::make_shared<const Mask>(std::move(mask)), bytes);
  return Limit::kNone;
}

Limit CanonicalProduct::compute_mask(StateId g, CanonicalId c, TokenPosition position,
                                     std::span<std::uint32_t> bitmask) {
  const MaskResult mask = automaton_.mask(g, position);
  if (mask.limit != Limit::kNone) return mask.limit;
  mask.mask->write(bitmask);
  if (mask.mask->most == nullptr) {
    int count = 0;
    for (const Mask::Word& word : mask.mask->changed) count += std::popcount(word.bits);
    if (count <= kMaxTokensCheckedSingly) return check_tokens(g, c, position, *mask.mask, bitmask);
  }
  TokenBits row(bitmask.size());
  canonical_.row(c, row);
  const bool may_end = canonical_.may_end(c);
  for (std::size_t i = 0; i < row.size(); ++i) bitmask[i] &= may_end ? row[i] | whole_tokens_[i] : row[i];
  std::vector<canonical::CanonicalAutomaton::RowMember> members;
  std::vector<std::uint32_t> others;
  canonical_.append_sources(c, members, others);
  std::vector<Tokens> dead(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (const Limit limit = find_dead(g, position, *members[i].source, dead[i]); limit != Limit::kNone) return limit;
  }
  const auto is_alive = [&](std::uint32_t token) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto& [source, same_piece] = members[i];
      if (!source->contains(token) || std::binary_search(dead[i]->begin(), dead[i]->end(), token)) continue;
      if (!same_piece) return true;
      const auto places = canonical_.places_after(c, token);
      if (has_place(places, source->place_after(token))) return true;
    }
    return false;
  };
  for (const Tokens& tokens : dead) {
    for (const std::uint32_t token : *tokens) {
      if (!bitmask_get(bitmask, token) || std::binary_search(others.begin(), others.end(), token)) continue;
      if (!is_alive(token)) bitmask_clear(bitmask, token);
    }
  }
  for (const std::uint32_t token : others) {
    if (!bitmask_get(bitmask, token)) continue;
    if (const Limit limit = check_token(g, c, position, token, bitmask); limit != Limit::kNone) return limit;
  }
  return Limit::kNone;
}

// Removes from `bitmask` the tokens of the mask that may not come.
Limit CanonicalProduct::check_tokens(StateId g, CanonicalId c, TokenPosition position, const Mask& mask,
                                     std::span<std::uint32_t> bitmask) {
  Limit limit = Limit::kNone;
  for_each_token(mask, [&](std::uint32_t token) {
    limit = check_token(g, c, position, token, bitmask);
    return limit == Limit::kNone;
  });
  return limit;
}

// Removes `token`, which the grammar allows, from `bitmask` if it may not come.
Limit CanonicalProduct::check_token(StateId g, CanonicalId c, TokenPosition position, std::uint32_t token,
                                    std::span<std::uint32_t> bitmask) {
  const CanonicalId after = step(c, token);
  bool is_viable = after != CanonicalId::kRefused;
  if (is_viable && !is_whole(token)) {
    StateId next{};
    if (const Limit limit = step_grammar(g, token, position, next); limit != Limit::kNone) return limit;
    is_viable = next != StateId::kDead;
    if (is_viable) {
      const Answer viable = this->is_viable(next, after);
      if (!viable.is_known()) return viable.limit();
      is_viable = viable.is_yes();
    }
  }
  if (!is_viable) bitmask_clear(bitmask, token);
  return Limit::kNone;
}

// Sets `dead` to the tokens of the source that the grammar allows in state `g` and after which the pair of the
// grammar's state and the token's place is not viable. Ascending.
Limit CanonicalProduct::find_dead(StateId g, TokenPosition position, const RowSource& source, Tokens& dead) {
  auto& known_dead = dead_[static_cast<std::size_t>(position)];
  const std::uint64_t key = key_of(g, source.number);
  {
    const MutexLock lock(mutex_);
    if (const auto known = known_dead.find(key); known != known_dead.end()) {
      dead = known->second;
      return Limit::kNone;
    }
  }
  const SharedAutomaton::TargetsResult targets = automaton_.targets(g, position);
  if (targets.limit != Limit::kNone) return targets.limit;
  std::vector<std::uint32_t> suspects;
  const std::vector<TokenTargets::Terminal>& terminals = targets.targets->terminals;
  std::vector<Undecided> undecided(terminals.size());
  for (std::size_t i = 0; i < terminals.size(); ++i) {
    if (canonical_.nfc() != nullptr) {
      const StateId end = automaton_.after_terminal(terminals[i]);
      if (is_limit(end)) return limit_of(end);
      const Answer ends = surely_ends_in_nfc(end, std::nullopt);
      if (!ends.is_known()) return ends.limit();
      if (ends.is_no()) {  // facts about the terminal do not say what follows it
        const MaskResult mask = automaton_.mask(g, position);
        if (mask.limit != Limit::kNone) return mask.limit;
        for_each_token(*mask.mask, [&](std::uint32_t token) {
          if (source.contains(token)) suspects.push_back(token);
          return true;
        });
        undecided.clear();
        break;
      }
    }
    if (const Limit limit = find_undecided(terminals[i], position, source, undecided[i]); limit != Limit::kNone) {
      return limit;
    }
  }
  std::vector<std::uint32_t> found = join_undecided(*targets.targets, position, undecided, suspects);
  for (const auto& [token, next] : targets.targets->listed) {
    if (!source.contains(token)) continue;
    const Answer viable = is_place_viable(next, source.place_after(token));
    if (!viable.is_known()) return viable.limit();
    if (viable.is_no()) suspects.push_back(token);
  }
  sort_unique(suspects);
  for (const std::uint32_t token : suspects) {
    if (is_work_met()) return Limit::kCallWork;
    StateId next{};
    if (const Limit limit = step_grammar(g, token, position, next); limit != Limit::kNone) return limit;
    Answer viable = false;
    if (next != StateId::kDead) viable = is_viable(next, canonical_.state_of(token, source.place_after(token)));
    if (!viable.is_known()) return viable.limit();
    if (viable.is_no()) found.push_back(token);
  }
  std::sort(found.begin(), found.end());
  found.shrink_to_fit();
  dead = std::make_shared<const std::vector<std::uint32_t>>(std::move(found));
  const MutexLock lock(mutex_);
  if (known_dead.emplace(key, dead).second) memory_bytes_ += kEntryBytes + dead->size() * sizeof(std::uint32_t);
  return Limit::kNone;
}

// Appends to `suspects` the tokens that are undecided in a terminal and not known to be viable in another one. Returns
// the tokens that are dead in each terminal that may read them, and lead nowhere else.
std::vector<std::uint32_t> CanonicalProduct::join_undecided(const TokenTargets& targets, TokenPosition position,
                                                            std::vector<Undecided>& undecided,
                                                            std::vector<std::uint32_t>& suspects) {
  struct Candidate {
    std::uint32_t token;
    bool is_dead;    // as far as known
    bool is_viable;  // by one terminal
  };
  std::vector<Candidate> all;
  for (Undecided& of_terminal : undecided) {
    sort_unique(of_terminal.open);
    sort_unique(of_terminal.dead);
    for (const std::uint32_t token : of_terminal.open) all.push_back({token, false, false});
    for (const std::uint32_t token : of_terminal.dead) all.push_back({token, true, false});
  }
  if (all.empty()) return {};
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.token != b.token ? a.token < b.token : a.is_dead < b.is_dead;
  });
  const auto same = [](const Candidate& a, const Candidate& b) { return a.token == b.token; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  const TokenView view(vocabulary_, position);
  const auto is_listed = [](const std::vector<std::uint32_t>& tokens, std::uint32_t token) {
    return std::binary_search(tokens.begin(), tokens.end(), token);
  };
  for (std::size_t i = 0; i < undecided.size() && undecided.size() > 1; ++i) {
    const auto& [open, dead, ready] = undecided[i];
    const auto is_undecided = [&](std::uint32_t token) { return is_listed(open, token) || is_listed(dead, token); };
    if (ready != nullptr) {
      for (Candidate& candidate : all) {
        if (is_listed(*ready, candidate.token) && !is_undecided(candidate.token)) candidate.is_viable = true;
      }
      continue;
    }
    automaton_.with_residuals(targets.terminals[i], view.trie.max_depth(), position,
                              [&](ResidualTable& table, const FactsStore::Key&) {
                                for (Candidate& candidate : all) {
                                  if (is_undecided(candidate.token)) continue;
                                  std::uint32_t residual = table.root();
                                  const bool is_ready = is_read(table, residual, view.bytes_of(candidate.token));
                                  if (table.is_inexact()) {
                                    candidate.is_dead = false;
                                  } else {
                                    candidate.is_viable = candidate.is_viable || is_ready;
                                  }
                                }
                              });
  }
  std::vector<std::uint32_t> found;
  for (const Candidate& candidate : all) {
    if (candidate.is_viable) continue;
    const auto listed = std::lower_bound(targets.listed.begin(), targets.listed.end(), candidate.token,
                                         [](const auto& entry, std::uint32_t token) { return entry.first < token; });
    const bool leads_elsewhere = listed != targets.listed.end() && listed->first == candidate.token;
    (candidate.is_dead && !leads_elsewhere ? found : suspects).push_back(candidate.token);
  }
  return found;
}

// Finds the ready tokens of the terminal that are in the source and that are not shown to be viable by the bytes that
// may come next, by the state of the terminal alone, or by a search inside the terminal.
Limit CanonicalProduct::find_undecided(const TokenTargets::Terminal& terminal, TokenPosition position,
                                       const RowSource& source, Undecided& found) {
  const TerminalKey key{terminal.residual, terminal.terminal, source.number, position};
  InTerminal known;
  bool is_known = false;
  {
    const MutexLock lock(mutex_);
    if (const InTerminal* const entry = in_terminals_.find(key)) {
      known = *entry;
      is_known = true;
    }
  }
  if (!is_known) {
    if (const Limit limit = find_unproven(terminal, position, source, known); limit != Limit::kNone) return limit;
    const std::size_t bytes =
        kEntryBytes + sizeof(InTerminal) + (known.unproven == nullptr ? 0 : known.unproven->memory_bytes());
    const MutexLock lock(mutex_);
    in_terminals_.insert(key, known, bytes);
  }
  found.ready = known.ready;
  if (known.unproven == nullptr) return Limit::kNone;
  found.dead.insert(found.dead.end(), known.unproven->dead.begin(), known.unproven->dead.end());
  return add_unproven(terminal, known.is_own, position, *known.unproven, found.open);
}

// Finds what the vocabulary's store knows of the terminal's residual, or adds it there.
Limit CanonicalProduct::find_unproven(const TokenTargets::Terminal& terminal, TokenPosition position,
                                      const RowSource& source, InTerminal& found) {
  const std::vector<std::uint32_t>* const few = automaton_.few_ready_tokens(terminal, position);
  found.ready = few;
  const auto is_in_source = [&](std::uint32_t token) { return source.contains(token); };
  if (few != nullptr && std::none_of(few->begin(), few->end(), is_in_source)) return Limit::kNone;
  const TokenView view(vocabulary_, position);
  // A token, a text after it, and the byte that completes the proof; under NFC also an end of the terminal.
  const std::uint32_t bytes =
      view.trie.max_depth() + kMaxInsideBytes + 1 + (canonical_.nfc() == nullptr ? 0 : kMaxPlainEndBytes);
  std::optional<regex::ExprId> base;
  automaton_.with_residuals(terminal, bytes, position, [&](ResidualTable& table, const FactsStore::Key& key) {
    found.is_own = table.expr(table.root()) == terminal.residual;
    found.unproven = store_.find_unproven(key, source.number);
    if (found.unproven != nullptr) return;
    const std::shared_ptr<const ReadyGroups> groups = store_.find(key);
    if (groups == nullptr || groups->are_beside_base) {
      base = few != nullptr ? find_base_after_byte(table) : find_base_of_groups(table, view, kNear);
    }
    if (base.has_value()) return;
    if (groups == nullptr && few != nullptr) {
      if (auto computed = compute_ready_groups(table, view, *few)) store_.insert(key, *std::move(computed));
    }
    found.unproven = find_unproven(table, key, view, source);
  });
  if (base.has_value()) {
    const TokenTargets::Terminal of_base{terminal.row, terminal.terminal, *base};
    std::shared_ptr<const GroupsStore::Unproven> in_base;
    automaton_.with_residuals(of_base, bytes, position, [&](ResidualTable& table, const FactsStore::Key& key) {
      in_base = store_.find_unproven(key, source.number);
      if (in_base == nullptr) in_base = find_unproven(table, key, view, source);
    });
    if (in_base == nullptr) return base::Work::met_or(Limit::kRegexFuel);
    automaton_.with_residuals(terminal, bytes, position, [&](ResidualTable& table, const FactsStore::Key& key) {
      found.unproven = find_unproven_beside(table, key, *base, *in_base, view, source);
    });
  }
  return found.unproven == nullptr ? base::Work::met_or(Limit::kRegexFuel) : Limit::kNone;
}

// Appends the tokens that are not proven by the texts that may follow the terminal, or by its state. `is_own` is true
// if the groups are those of the terminal's residual.
Limit CanonicalProduct::add_unproven(const TokenTargets::Terminal& terminal, bool is_own, TokenPosition position,
                                     const GroupsStore::Unproven& unproven, std::vector<std::uint32_t>& tokens) {
  tokens.insert(tokens.end(), unproven.tokens.begin(), unproven.tokens.end());
  const TokenView view(vocabulary_, position);
  std::optional<StateId> end;
  std::map<Ending, bool> known_endings;
  for (const GroupsStore::Unproven::Bulk& bulk : unproven.bulks) {
    bool is_viable = false;
    for (std::size_t i = 0; i < bulk.endings.size() && !is_viable; ++i) {
      if (!end.has_value()) end = automaton_.after_terminal(terminal);
      if (is_limit(*end)) return limit_of(*end);
      const auto [known, is_new] = known_endings.try_emplace(bulk.endings[i]);
      if (is_new) {
        const Answer follows = may_follow(*end, bulk.endings[i]);
        if (!follows.is_known()) return follows.limit();
        known->second = follows.is_yes();
      }
      is_viable = known->second;
    }
    if (!is_viable && is_own && bulk.is_one_group) {
      const StateId state = automaton_.inside_terminal(terminal, view.bytes_of(bulk.representative));
      if (is_limit(state)) return limit_of(state);
      const Answer viable = is_place_viable(state, bulk.place);
      if (!viable.is_known()) return viable.limit();
      is_viable = viable.is_yes();
    }
    if (!is_viable) tokens.insert(tokens.end(), bulk.tokens.begin(), bulk.tokens.end());
  }
  return Limit::kNone;
}

// Returns whether a text of the grammar may follow the ending of a terminal, after which the state is `g`.
Answer CanonicalProduct::may_follow(StateId g, const Ending& ending) {
  if (ending.may_text_end) {
    if (const Answer ends = may_text_end(g); !ends.is_no()) return ends;
  }
  return ending.rest == RestId::kNone ? false : search_text(g, ending.rest);
}

// Finds the unproven tokens of the table's root without a base. Returns null if the table is inexact.
std::shared_ptr<const GroupsStore::Unproven> CanonicalProduct::find_unproven(ResidualTable& table,
                                                                             const FactsStore::Key& key,
                                                                             const TokenView& tokens,
                                                                             const RowSource& source) {
  std::shared_ptr<const ReadyGroups> groups = store_.find(key);
  if (groups == nullptr || groups->are_beside_base) {
    auto computed = compute_ready_groups(table, tokens);
    if (!computed.has_value()) return nullptr;
    groups = store_.insert(key, *std::move(computed));
  }
  GroupsStore::Unproven found;
  append_unproven(table, *groups, tokens, source, found);
  return table.is_inexact() ? nullptr : store_.insert_unproven(key, source.number, std::move(found));
}

// Does the same from the unproven tokens of the base of the table's root.
std::shared_ptr<const GroupsStore::Unproven> CanonicalProduct::find_unproven_beside(
    ResidualTable& table, const FactsStore::Key& key, regex::ExprId base, const GroupsStore::Unproven& in_base,
    const TokenView& tokens, const RowSource& source) {
  const std::uint32_t base_root = table.add(base);
  std::shared_ptr<const ReadyGroups> groups = store_.find(key);
  if (groups == nullptr) {
    auto computed = compute_groups_beside(table, base_root, reusable_length(), tokens);
    if (!computed.has_value()) return find_unproven(table, key, tokens, source);
    groups = store_.insert(key, *std::move(computed));
  }
  GroupsStore::Unproven found;
  append_unproven(table, *groups, tokens, source, found);
  // If both residuals after a token are equal, its result in the base is used even if the proof is beyond the reach.
  // The other tokens are checked again.
  std::vector<ListedToken> others;
  const auto is_same = [&](std::uint32_t token) {
    if (std::any_of(groups->groups.begin(), groups->groups.end(),
                    [&](const ReadyGroup& group) { return group.tokens.contains(token); })) {
      return false;
    }
    const std::string_view text = tokens.bytes_of(token);
    std::uint32_t residual = table.root();
    std::uint32_t of_base = base_root;
    if (!is_read(table, residual, text)) return false;
    if (is_read(table, of_base, text) && residual == of_base) return true;
    others.push_back({token, residual});
    return false;
  };
  for (const GroupsStore::Unproven::Bulk& bulk : in_base.bulks) {
    std::vector<std::uint32_t> same;
    std::copy_if(bulk.tokens.begin(), bulk.tokens.end(), std::back_inserter(same), is_same);
    if (same.empty()) continue;
    const std::uint32_t representative = same.front();
    found.bulks.push_back({bulk.endings, representative, bulk.is_one_group, bulk.place, std::move(same)});
  }
  std::copy_if(in_base.tokens.begin(), in_base.tokens.end(), std::back_inserter(found.tokens), is_same);
  std::copy_if(in_base.dead.begin(), in_base.dead.end(), std::back_inserter(found.dead), is_same);
  std::copy_if(in_base.far.begin(), in_base.far.end(), std::back_inserter(found.far), is_same);
  append_unproven(table, make_groups(table, others, tokens), tokens, source, found);
  return table.is_inexact() ? nullptr : store_.insert_unproven(key, source.number, std::move(found));
}

// Adds the unproven tokens of the groups to `out`.
void CanonicalProduct::append_unproven(ResidualTable& table, const ReadyGroups& groups, const TokenView& tokens,
                                       const RowSource& source, GroupsStore::Unproven& out) {
  const TextBound within = reusable_length();
  const auto settling = [&](PlaceId place) {
    const RestId rest = canonical_.rest_after(place);
    return rest == RestId::kNone ? regex::ByteSet() : canonical_.settling_bytes(rest);
  };
  PlainEnds ends(table, canonical_.nfc());
  const auto live = [&](const ReadyGroup& group) {
    if (canonical_.nfc() == nullptr) return group.live;
    std::uint32_t residual = table.root();
    is_read(table, residual, tokens.bytes_of(group.representative));
    return ends.bytes(residual, group.live);
  };
  std::map<Endings, std::vector<std::uint32_t>> ending;  // tokens of small groups
  const auto decide = [&](const ReadyGroup& group, PlaceId place, std::vector<std::uint32_t> open) {
    if (table.is_inexact()) return;
    std::uint32_t residual = table.root();
    is_read(table, residual, tokens.bytes_of(group.representative));
    Endings endings;
    std::string text;
    bool is_complete = true;
    if (finds_text(ends, residual, place, endings, text, is_complete)) {
      if (!within.covers(text)) out.far.insert(out.far.end(), open.begin(), open.end());
      return;
    }
    if (open.size() > kMaxTokensDecidedSingly && canonical_.may_cut(place)) {
      out.bulks.push_back({std::move(endings), group.representative, true, place, std::move(open)});
      return;
    }
    for (const std::uint32_t token : open) {
      Endings of_token = endings;
      bool is_near = false;
      // Without cuts no byte settles one: the search with the grammar has to decide in any case.
      const bool may_find = of_token.empty() && canonical_.pieces().has_cuts();
      const Inside found = may_find ? look_inside(ends, token, tokens, place, of_token, is_near) : Inside::kOpen;
      if (found == Inside::kViable) {
        if (!is_near) out.far.push_back(token);
        continue;
      }
      if (!of_token.empty()) {
        ending[of_token].push_back(token);
      } else {
        (found == Inside::kDead ? out.dead : out.tokens).push_back(token);
      }
    }
  };
  std::vector<regex::ByteSet> settles;  // by part
  for (const RowSource::Part& part : source.parts) settles.push_back(settling(part.to));
  for (const ReadyGroup& group : groups.groups) {
    const regex::ByteSet live_bytes = live(group);
    std::map<std::size_t, std::vector<std::uint32_t>> open;  // by part
    if (group.tokens.is_list()) {
      group.tokens.for_each([&](std::uint32_t token) {
        const std::size_t part = source.part_of(token);
        if (part < settles.size() && !meet(live_bytes, settles[part])) open[part].push_back(token);
      });
    } else {
      for (std::size_t i = 0; i < settles.size(); ++i) {
        if (meet(live_bytes, settles[i])) continue;
        source.parts[i].tokens.for_each_common(group.tokens, [&](std::uint32_t token) { open[i].push_back(token); });
      }
    }
    for (auto& [part, listed] : open) decide(group, source.parts[part].to, std::move(listed));
  }
  for (auto& [endings, listed] : ending) {
    const std::uint32_t representative = listed.front();
    out.bulks.push_back({endings, representative, false, {}, std::move(listed)});
  }
}

// Returns what a search inside the terminal finds out about `token`, which stays inside the terminal and leads to
// `place`. kViable: after the token and at most a few more tokens of the same piece, the terminal may read a byte that
// settles a boundary. kDead: after the token the terminal can neither end nor continue as the tokenizer writes it.
// kOpen: neither is known; then `endings` has the ways in which such tokens, or a text after a boundary, may end the
// terminal.
CanonicalProduct::Inside CanonicalProduct::look_inside(PlainEnds& ends, std::uint32_t token, const TokenView& tokens,
                                                       PlaceId place, Endings& endings, bool& is_near) {
  ResidualTable& table = ends.table();
  const std::string_view bytes = tokens.bytes_of(token);
  // True as long as all continuations are searched and none ends the terminal.
  bool is_complete = !canonical_.has_byte_tokens() && canonical_.nfc() == nullptr;
  std::uint32_t residual = table.root();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    residual = table.step(residual, static_cast<std::uint8_t>(bytes[i]));
    if (i + 1 < bytes.size() && table.can_end(residual)) is_complete = false;
  }
  if (residual == ResidualTable::kDead || table.is_inexact()) return Inside::kOpen;
  if (has_proof(ends, residual, token, place, is_near)) return table.is_inexact() ? Inside::kOpen : Inside::kViable;
  struct Visit {
    CanonicalId c;
    std::uint32_t residual;
    std::vector<std::uint32_t> way;  // since the token
    std::string text;                // of these tokens
  };
  bool is_viable = false;
  std::vector<Visit> open;
  const auto look_at = [&](const Visit& at) {
    for (const PlaceId here : canonical_.places(at.c)) {
      std::string text = at.text;
      if (!finds_text(ends, at.residual, here, endings, text, is_complete)) continue;
      is_near = reusable_length().covers(text);
      store_.insert_proof(place, token, {at.way, here, std::move(text)});
      is_viable = true;
      return false;
    }
    return endings.empty();
  };
  std::size_t tried = 0;
  std::set<std::pair<CanonicalId, std::uint32_t>> seen;
  open.push_back({canonical_.state_of(token, place), residual, {}, {}});
  bool goes_on = look_at(open.back());
  while (goes_on && !open.empty() && !table.is_inexact()) {
    const Visit at = std::move(open.back());  // depth first: a character that has begun may need several tokens
    open.pop_back();
    const std::span<const PlaceId> places = canonical_.places(at.c);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const PlaceId here = places[i];
      if (!canonical_.may_go_on(here)) continue;
      const RowSource* source = canonical_.inside_source(here);
      is_complete = is_complete && source != nullptr;
      if (source == nullptr) continue;
      const auto use = [&](std::uint32_t next, std::uint32_t after) {
        base::Work::charge(1);
        goes_on = ++tried < kMaxInsideTokens;
        const CanonicalId c = canonical_.step(at.c, next);
        if (c == CanonicalId::kRefused || !seen.emplace(c, after).second) return goes_on;
        Visit visit{c, after, at.way, at.text + std::string(vocabulary_.token_bytes(next))};
        visit.way.push_back(next);
        goes_on = look_at(visit) && goes_on;
        if (goes_on) open.push_back(std::move(visit));
        return goes_on;
      };
      const auto may_follow = [&](std::uint32_t next) {
        return source->contains(next) && canonical_.step(at.c, next) != CanonicalId::kRefused;
      };
      const auto may_begin = [&](std::uint8_t byte, std::span<const std::uint32_t> all) {
        return store_.may_begin(at.c, i, byte, [&] { return std::any_of(all.begin(), all.end(), may_follow); });
      };
      const std::size_t max_bytes = kMaxInsideBytes - at.text.size();
      if (count_live_bytes(table, at.residual) > kMaxBytesTriedInOrder) {
        for_common_continuations(table, at.residual, *source, max_bytes, use);
      }
      if (!goes_on) break;
      if (!for_each_continuation(table, at.residual, *source, max_bytes, use, may_follow, may_begin)) {
        is_complete = false;
      }
      if (!goes_on) break;
    }
  }
  if (table.is_inexact()) return Inside::kOpen;
  if (is_viable) return Inside::kViable;
  return goes_on && is_complete ? Inside::kDead : Inside::kOpen;
}

// Returns true if a proof of another token in this place also proves `token`, after which the terminal's residual is
// `residual`.
bool CanonicalProduct::has_proof(PlainEnds& ends, std::uint32_t residual, std::uint32_t token, PlaceId place,
                                 bool& is_near) {
  const GroupsStore::Proofs proofs = store_.proofs(place, token);
  for (std::size_t i = 0; proofs.list != nullptr && i < proofs.list->size(); ++i) {
    const GroupsStore::Proof& proof = (*proofs.list)[i];
    const GroupsStore::Fit fit = proofs.fit(i);
    std::uint32_t at = residual;
    if (fit == GroupsStore::Fit::kNo || !is_read(ends.table(), at, proof.text)) continue;
    if (!ends.has_end_after(at, proof.text)) continue;
    is_near = reusable_length().covers(proof.text);
    if (fit == GroupsStore::Fit::kYes) return true;
    CanonicalId c = canonical_.state_of(token, place);
    for (const std::uint32_t next : proof.tokens) {
      if (c != CanonicalId::kRefused) c = canonical_.step(c, next);
    }
    const bool fits = c != CanonicalId::kRefused && has_place(canonical_.places(c), proof.end);
    store_.set_fit(place, token, i, fits);
    if (fits) return true;
  }
  return false;
}

// Calls `use(token, residual)` with tokens of low numbers of a source that the terminal may read from a residual, until
// it returns false. Tokens of low numbers are the frequent ones, and merge before others.
template <typename Use>
void CanonicalProduct::for_common_continuations(ResidualTable& table, std::uint32_t from, const RowSource& source,
                                                std::size_t max_bytes, Use use) const {
  std::size_t unscanned = kMaxCommonScanned;
  std::size_t unused = kMaxCommonTried;
  const auto look_at = [&](std::uint32_t token) {
    const std::string_view bytes = vocabulary_.token_bytes(token);
    std::uint32_t at = from;
    if (--unscanned == 0) return false;
    if (bytes.size() > max_bytes || !is_read(table, at, bytes)) return true;
    return use(token, at) && --unused > 0;
  };
  source.tokens.for_each(look_at);
}

// Calls `use(token, residual)` with the tokens of a source that the terminal may read from a residual, until it returns
// false. Returns false if these are not all tokens for which `may_follow` is true and of which the terminal may read
// all or, where it may end, a part: tokens of more than `max_bytes` bytes, or too many. `may_begin(byte, tokens)` is
// true if `may_follow` is true for some of the tokens that begin with the byte.
template <typename Use, typename MayFollow, typename MayBegin>
bool CanonicalProduct::for_each_continuation(ResidualTable& table, std::uint32_t from, const RowSource& source,
                                             std::size_t max_bytes, Use use, MayFollow may_follow,
                                             MayBegin may_begin) const {
  if (count_live_bytes(table, from) > kMaxListedFirstBytes) return false;
  const vocab::TokenTrie& trie = vocabulary_.trie();
  const auto nodes = trie.nodes();
  std::vector<std::uint32_t> path(max_bytes + 2, from);
  std::size_t left = kMaxListedContinuations;
  bool is_complete = true;
  // Looks at a node to which `next` leads. Returns false if the nodes below it need no look.
  const auto look_at = [&](std::size_t i, std::uint32_t next) {
    const vocab::TrieNode node = nodes[i];
    const bool is_far = node.depth > max_bytes;
    const auto here = is_far ? std::span<const std::uint32_t>() : trie.tokens_at(node);
    for (const std::uint32_t token : here) {
      if (source.contains(token) && (left-- == 0 || !use(token, next))) return is_complete = false;
    }
    if (is_far || table.can_end(next)) {
      const auto below = trie.tokens_below(i).subspan(here.size());
      if (below.size() > kMaxListedContinuations || std::any_of(below.begin(), below.end(), may_follow))
        return is_complete = false;
    }
    path[node.depth] = next;
    return !is_far;
  };
  for (unsigned first = 0; first < 256 && is_complete; ++first) {
    const std::uint32_t next = table.step(from, static_cast<std::uint8_t>(first));
    if (next == ResidualTable::kDead) continue;
    const auto range = trie.nodes_from(static_cast<std::uint8_t>(first));
    if (range.size() == 0) continue;
    const std::span<const std::uint32_t> all = trie.tokens_below(range.begin);
    if (all.size() <= kMaxTokensOfFirstByte && !may_begin(static_cast<std::uint8_t>(first), all)) continue;
    if (!look_at(range.begin, next)) continue;
    trie.for_each_second(static_cast<std::uint8_t>(first), range, [&](std::uint8_t second, const auto& below) {
      const std::uint32_t after = is_complete ? table.step(next, second) : ResidualTable::kDead;
      if (after == ResidualTable::kDead || !look_at(below.begin, after)) return;
      trie.scan({below.begin + 1, below.end}, std::span(path),
                [&](std::size_t i, const vocab::TrieNode& node, std::uint32_t before, std::uint32_t& to) {
                  if (!is_complete) return vocab::Scan::kStop;
                  to = table.step(before, static_cast<std::uint8_t>(node.byte));
                  return to != ResidualTable::kDead && look_at(i, to) ? vocab::Scan::kInto : vocab::Scan::kPast;
                });
    });
  }
  return is_complete;
}

// Looks for a text after a boundary at `place` that the terminal may read from a residual and whose last byte settles
// the boundary, and appends it to `text`. If there is none, appends to `endings` how the terminal may end, and sets
// `is_complete` to false if it may end in any way or if not all texts were tried.
//
// Memoised: the tokens of a terminal lead to few residuals and places.
bool CanonicalProduct::finds_text(PlainEnds& ends, std::uint32_t residual, PlaceId place, Endings& endings,
                                  std::string& text, bool& is_complete) const {
  const auto [known, is_new] = ends.found().try_emplace({residual, place, text.size()});
  FoundText& found = known->second;
  if (is_new) search_text(ends, residual, place, text.size(), found);
  is_complete &= found.is_complete;
  for (const Ending& ending : found.endings) add_ending(ending, endings);
  if (found.text) text += *found.text;
  return found.text.has_value();
}

void CanonicalProduct::add_ending(const Ending& ending, Endings& endings) {
  if (endings.size() == kMaxEndings || std::find(endings.begin(), endings.end(), ending) != endings.end()) return;
  endings.push_back(ending);
}

void CanonicalProduct::search_text(PlainEnds& ends, std::uint32_t residual, PlaceId place, std::size_t bytes_before,
                                   FoundText& found) const {
  ResidualTable& table = ends.table();
  const auto end_here = [&](const Ending& ending) {
    found.is_complete = false;
    if (ending.rest != RestId::kNone || ending.may_text_end) add_ending(ending, found.endings);
  };
  const RestId first = canonical_.rest_after(place);
  if (table.can_end(residual)) end_here({first, canonical_.may_end(place)});
  if (first == RestId::kNone) return;
  struct Visit {
    std::uint32_t residual;
    RestId rest;
    std::string text;
  };
  std::deque<Visit> open;
  std::set<std::pair<std::uint32_t, RestId>> seen{{residual, first}};
  open.push_back({residual, first, {}});
  while (!open.empty() && seen.size() <= kMaxInsideVisits && !table.is_inexact()) {
    base::Work::charge(base::Work::kVisit);
    const Visit at = std::move(open.front());
    open.pop_front();
    const regex::ByteSet& settling = canonical_.settling_bytes(at.rest);
    for (unsigned byte = 0; byte < 256; ++byte) {
      const auto b = static_cast<std::uint8_t>(byte);
      if (!settling.contains(b) || !ends.may_read(at.residual, b)) continue;
      found.text = at.text + static_cast<char>(b);
      return;
    }
    if (bytes_before + at.text.size() >= kMaxInsideBytes) {
      found.is_complete = false;
      continue;
    }
    for (unsigned byte = 0; byte < 256; ++byte) {
      const auto b = static_cast<std::uint8_t>(byte);
      const std::uint32_t next = table.step(at.residual, b);
      if (next == ResidualTable::kDead) continue;
      const RestId after = canonical_.step(at.rest, b);
      if (after == RestId::kNone || !seen.emplace(next, after).second) continue;
      if (table.can_end(next)) end_here({after, canonical_.may_end(after)});
      open.push_back({next, after, at.text + static_cast<char>(b)});
    }
  }
  if (!open.empty()) found.is_complete = false;
}

WEIR_REPLACEABLE std::uint32_t CanonicalProduct::number_of(StateId g, CanonicalId c) {
  const MutexLock lock(mutex_);
  const auto [entry, is_new] = numbers_.try_emplace(key_of(g, static_cast<std::uint32_t>(c)), next_number());
  if (is_new) memory_bytes_ += kEntryBytes;
  return entry->second;
}

WEIR_REPLACEABLE std::uint32_t CanonicalProduct::number_within(const PairWithin& at) {
  const std::uint32_t whole = number_of(at.g, at.c);
  if (distance_.is_whole_mask(at)) return whole;
  const MutexLock lock(mutex_);
  const auto [entry, is_new] = numbers_within_.try_emplace((std::uint64_t{whole} << 32) | at.left, next_number());
  if (is_new) memory_bytes_ += kEntryBytes;
  return entry->second;
}

WEIR_REPLACEABLE Limit CanonicalProduct::write_mask_within(const PairWithin& at, std::span<std::uint32_t> bitmask) {
  if (const Limit limit = write_mask(at.g, at.c, at.position, bitmask); limit != Limit::kNone) return limit;
  return distance_.restrict_mask(at, bitmask);
}

WEIR_REPLACEABLE Answer CanonicalProduct::is_allowed_within(const PairWithin& at, std::uint32_t token, StateId next,
                                                            CanonicalId after) {
  // With bounds of rules is_viable() may say yes to a token that the mask lacks: it searches texts, not tokens.
  if (!automaton_.has_bounds() && distance_.is_whole_mask(at)) {
    if (const Answer viable = is_viable(next, after); !viable.is_yes()) return viable;
  } else {
    TokenBits bitmask(whole_tokens_.size());
    if (const Limit limit = write_mask_within(at, bitmask); limit != Limit::kNone) return limit;
    if (!bitmask_get(bitmask, token)) return false;
  }
  const Limit limit = distance_.keep_way(at, token, next);
  return limit == Limit::kNone ? Answer(true) : limit;
}

WEIR_REPLACEABLE Answer CanonicalProduct::fits(const PairWithin& at, std::optional<std::uint32_t>& known) {
  return distance_.fits(at, known);
}

WEIR_REPLACEABLE std::optional<std::uint32_t> CanonicalProduct::next_on_way(StateId g, CanonicalId c,
                                                                            TokenPosition position) {
  return distance_.next_on_way(g, c, position);
}

}  // namespace weir::engine
