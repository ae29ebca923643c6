#include "canonical/canonical_automaton.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "base/interner.h"
#include "base/published_map.h"
#include "base/replaceable.h"
#include "base/segmented_array.h"
#include "base/threads.h"
#include "base/utf8.h"
#include "canonical/canonical_model.h"
#include "canonical/longest_match.h"
#include "canonical/merge_forest.h"
#include "canonical/nfc_automaton.h"
#include "canonical/piece_automaton.h"
#include "canonical/search_bounds.h"
#include "vocab/segmenters/prefix_trie.h"
#include "weir/bitmask.h"

namespace weir::canonical {

namespace {

using vocab::PrefixTrie;
using vocab::TrieNode;
using vocab::Vocabulary;

// Values of StateRecord::last that are no symbols.
constexpr std::uint32_t kAtTextStart = UINT32_MAX;       // nothing was read
constexpr std::uint32_t kAfterSpecial = UINT32_MAX - 1;  // nothing was read since a special token
constexpr std::uint32_t kUnmergeable = UINT32_MAX - 2;   // a character that merges with nothing

constexpr bool is_start(std::uint32_t last) { return last == kAtTextStart || last == kAfterSpecial; }

// PlaceRecord::spells: which prefix of an unmade token the piece spells. It is kSpellsNone, or 1 + a node of the trie
// of these tokens, or kIsWhole if the piece is one such token and ends here. For a tokenizer by longest match it is the
// number of a set of LongestMatch.
constexpr std::uint32_t kSpellsNone = 0;
constexpr std::uint32_t kIsWhole = UINT32_MAX;
static_assert(kSpellsNone == LongestMatch::kNoObligations);

// A character in progress that is written in byte tokens: its bytes, their number, and whether a piece began with it.
// Or, between characters: nothing was read except the space that the tokenizer adds before the text.
struct PendingBytes {
  static constexpr std::uint32_t kNone = 0;
  static constexpr std::uint32_t kOnlyPrefix = 1U << 30;
  static constexpr std::uint32_t kBegan = 1U << 31;

  static bool is_inside(std::uint32_t pending) { return (pending & 0x0300'0000U) != 0; }
  static bool began_piece(std::uint32_t pending) { return (pending & kBegan) != 0; }
  // Returns `pending` with one more byte. The bytes are the low ones.
  static std::uint32_t with(std::uint32_t pending, std::uint8_t byte, bool begins_piece) {
    const std::uint32_t count = (pending >> 24 & 3U) + 1;
    return (is_inside(pending) ? pending & kBegan
            : begins_piece     ? kBegan
                               : 0) |
           count << 24 | (pending & 0xFFFFU) << 8 | byte;
  }
  static std::string bytes(std::uint32_t pending) {
    std::string text;
    for (std::uint32_t i = pending >> 24 & 3U; i-- > 0;) text.push_back(static_cast<char>(pending >> (8 * i)));
    return text;
  }
};

// Where a token may be used.
enum class Use : std::uint8_t {
  kNone,   // never written
  kMade,   // anywhere in a piece
  kWhole,  // only as a whole piece: merges do not make it
  kFixed,  // as a fixed piece
  kByte,   // as a byte of a character that is no token
};

struct PlaceRecord {
  HypothesisId hypothesis = {};
  CharacterId character = CharacterId::kNone;
  std::uint32_t spells = kSpellsNone;
  std::uint32_t pending = PendingBytes::kNone;
  NfcState nfc = NfcState::kStart;  // of the text so far; kStart if the tokenizer does not normalize
  RestId after = RestId::kNone, around = RestId::kNone;
  bool may_end = false;
  bool may_leave = false;  // the tokens allow the piece to end here
  bool may_go_on = false;
};

// A text after a boundary, if the tokenizer normalizes to NFC.
struct NfcRest {
  RestId rest = RestId::kNone;  // of the pieces
  NfcState nfc = NfcState::kStart;
  regex::ByteSet settling;
};

struct PlaceSet {
  const PlaceId* places = nullptr;
  std::uint32_t size = 0;
};

struct StateRecord {
  std::uint32_t last = kAtTextStart;
  std::uint32_t set = 0;
};

// Values that are made once, and read without a lock after that.
template <typename T>
class Made {
 public:
  [[nodiscard]] const T* find(std::uint64_t key) const {
    const auto index = index_.find(key);
    return index ? values_[*index].get() : nullptr;
  }
  // Called by the writer alone, under its lock.
  const T& insert(std::uint64_t key, std::unique_ptr<T> value) {
    const std::uint32_t index = values_.append();
    values_[index] = std::move(value);
    index_.insert(key, index);
    return *values_[index];
  }
  [[nodiscard]] std::size_t memory_bytes() const { return index_.memory_bytes() + values_.memory_bytes(); }

 private:
  base::PublishedMap index_;
  base::SegmentedArray<std::unique_ptr<T>> values_;
};

}  // namespace

class CanonicalAutomaton::Impl {
 public:
  Impl(const Vocabulary& vocabulary, const CanonicalModel& model, PieceAutomaton pieces,
       std::optional<MergeForest> forest)
      : vocabulary_(vocabulary),
        prefix_(model.prefix),
        byte_tokens_(model.merges.byte_tokens),
        pieces_(std::move(pieces)),
        forest_(std::move(forest)) {
    if (model.normalizes_to_nfc) nfc_.emplace();
    if (model.pieces.space_symbol) base::append_utf8(space_symbol_, *model.pieces.space_symbol);
    if (model.takes_longest) {
      longest_.emplace(vocabulary.trie());
      use_longest_tokens();
    } else {
      classify_tokens(model);
    }
    if (nfc_) find_nfc_states();
    if (prefix_ != CanonicalModel::Prefix::kNone) {
      first_tokens_.assign(bitmask_words(vocabulary_.size()), 0);
      after_prefix_ = first_tokens_;
      for (std::uint32_t token = 0; token < vocabulary_.size(); ++token) {
        if (may_be_first(token)) bitmask_set(first_tokens_, token);
        if (may_follow_prefix(token)) bitmask_set(after_prefix_, token);
      }
    }
    std::vector<std::uint32_t> places;
    for (const HypothesisId h : pieces_.start()) {
      PlaceRecord place;
      place.hypothesis = h;
      place.spells = spells_at_start();
      places.push_back(static_cast<std::uint32_t>(place_id(place)));
    }
    if (places.empty()) uses_.assign(uses_.size(), Use::kNone);  // the tokens spell no text
    const std::uint32_t set = set_id(places);
    start_ = state_id(kAtTextStart, set);
    restart_ = prefix_ == CanonicalModel::Prefix::kNone ? start_ : state_id(kAfterSpecial, set);
  }

  [[nodiscard]] CanonicalId start() const { return start_; }
  [[nodiscard]] CanonicalId restart() const { return restart_; }
  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }
  [[nodiscard]] const PieceAutomaton& pieces() const { return pieces_; }
  [[nodiscard]] const MergeForest* forest() const { return forest_ ? &*forest_ : nullptr; }
  [[nodiscard]] const StateRecord& state(CanonicalId id) const { return states_[static_cast<std::uint32_t>(id)]; }
  [[nodiscard]] const PlaceRecord& place(PlaceId id) const { return places_[static_cast<std::uint32_t>(id)]; }
  [[nodiscard]] std::span<const PlaceId> set(std::uint32_t id) const {
    const PlaceSet& found = sets_[id];
    return {found.places, found.size};
  }
  [[nodiscard]] Use use_of(std::uint32_t token) const { return uses_[token]; }

  [[nodiscard]] bool may_end(const StateRecord& s) const {
    if (is_start(s.last)) return true;  // the empty text
    const auto places = set(s.set);
    return std::any_of(places.begin(), places.end(), [&](PlaceId p) { return place(p).may_end; });
  }

  [[nodiscard]] bool is_text_start(const StateRecord& s) const {
    const auto places = set(s.set);
    return is_start(s.last) || std::any_of(places.begin(), places.end(),
                                           [&](PlaceId p) { return place(p).pending == PendingBytes::kOnlyPrefix; });
  }

  static constexpr std::uint32_t kNoSet = UINT32_MAX;

  // Returns the set of places after a token, or kNoSet.
  std::uint32_t set_after(const StateRecord& from, std::uint32_t token) {
    const Use use = uses_[token];
    if (use == Use::kNone) return kNoSet;
    if (longest_) return set_after_longest(from, token);
    const bool inside = is_inside(from, token, use);
    const std::uint64_t starts = from.last == kAtTextStart ? 1 : from.last == kAfterSpecial ? 2 : 0;
    const std::uint64_t key =
        std::uint64_t{from.set} << 28 | std::uint64_t{token} << 4 | starts << 1 | (inside ? 1 : 0);
    if (const auto known = steps_.find(key)) return *known;
    std::vector<PlaceRecord> reached;
    for (const PlaceId p : set(from.set)) read_token(place(p), from.last, token, use, inside, reached);
    const MutexLock lock(mutex_);
    if (const auto known = steps_.find(key)) return *known;
    std::uint32_t to = kNoSet;
    if (!reached.empty()) {
      std::vector<std::uint32_t> ids;
      for (const PlaceRecord& p : reached) ids.push_back(static_cast<std::uint32_t>(place_id(p)));
      to = set_id(ids);
    }
    if (steps_.size() < kMaxRememberedSteps) steps_.insert(key, to);
    return to;
  }

  CanonicalId step(const StateRecord& from, std::uint32_t token) {
    const std::uint32_t to = set_after(from, token);
    if (to == kNoSet) return CanonicalId::kRefused;
    const std::uint32_t last = last_after(from, token);
    if (const auto known = state_ids_.find(state_key(last, to))) return CanonicalId{*known};
    const MutexLock lock(mutex_);
    return state_id(last, to);
  }

  void row(const StateRecord& from, std::span<std::uint32_t> out) {
    std::fill(out.begin(), out.end(), 0);
    const auto places = set(from.set);
    if (is_start(from.last)) {
      for (const PlaceId p : places) fresh_row(place(p).hypothesis).tokens.add_to(out);
    } else {
      bool any_inside = false;
      for (const PlaceId p : places) {
        const PlaceRecord& at = place(p);
        if (at.spells == kIsWhole || PendingBytes::is_inside(at.pending)) continue;
        inside_row(at).tokens.add_to(out);
        any_inside = true;
      }
      if (any_inside && longest_) {
        longest_->clear_longer(place(places.front()).spells, out);
      } else if (any_inside) {
        clear_forbidden(from.last, out);
      }
      for (const PlaceId p : places) {
        const PlaceRecord& at = place(p);
        if (at.may_leave) vocab::add_bits(after_row(at.hypothesis), out);
      }
    }
    filter_first(from, places, out);
    if (nfc_) filter_nfc(from, out);
    for (const std::uint32_t token : byte_tokens_) {
      if (uses_[token] == Use::kByte && set_after(from, token) != kNoSet) bitmask_set(out, token);
    }
  }

  void append_sources(const StateRecord& from, std::vector<RowMember>& sources, std::vector<std::uint32_t>& others) {
    const auto places = set(from.set);
    const bool at_prefix = from.last == kAtTextStart || std::any_of(places.begin(), places.end(), [&](PlaceId p) {
                             return place(p).pending == PendingBytes::kOnlyPrefix;
                           });
    if (longest_ || (at_prefix && prefix_ != CanonicalModel::Prefix::kNone)) {
      // Every token is one of the `others`. With a space before the text this happens once for each text.
      std::vector<std::uint32_t> tokens(bitmask_words(vocabulary_.size()));
      row(from, tokens);
      vocab::for_each_token(tokens, [&](std::uint32_t token) { others.push_back(token); });
      return;
    }
    const auto append = [&](const RowSource& source, bool same_piece) { sources.push_back({&source, same_piece}); };
    if (!is_inside_character(from)) others = dependent_tokens_;
    for (const PlaceId p : places) {
      const PlaceRecord& at = place(p);
      if (is_start(from.last)) {
        append(fresh_row(at.hypothesis), false);
        continue;
      }
      if (at.spells != kIsWhole && !PendingBytes::is_inside(at.pending)) {
        append(inside_row(at), true);
        append_spelling(at.spells, others);
      }
      if (!at.may_leave) continue;
      for (const HypothesisId h : pieces_.cuts(at.hypothesis)) append(fresh_row(h), false);
    }
    for (const std::uint32_t token : byte_tokens_) {
      if (uses_[token] == Use::kByte) others.push_back(token);
    }
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
  }

  [[nodiscard]] bool has_byte_tokens() const {
    return std::any_of(byte_tokens_.begin(), byte_tokens_.end(),
                       [&](std::uint32_t token) { return uses_[token] == Use::kByte; });
  }

  const RowSource* inside_source(const PlaceRecord& at) {
    if (longest_ || at.spells == kIsWhole || PendingBytes::is_inside(at.pending)) return nullptr;
    return &inside_row(at);
  }

  CanonicalId state_of(std::uint32_t token, PlaceId place) {
    const MutexLock lock(mutex_);
    std::vector<std::uint32_t> places{static_cast<std::uint32_t>(place)};
    return state_id(uses_[token] == Use::kMade ? token : kUnmergeable, set_id(places));
  }

  // --- Texts after a boundary.

  [[nodiscard]] const NfcAutomaton* nfc() const { return nfc_ ? &*nfc_ : nullptr; }

  [[nodiscard]] RestId step(RestId rest, std::uint8_t byte) {
    if (!nfc_) return pieces_.step(rest, byte);
    const NfcRest& from = nfc_rests_[static_cast<std::uint32_t>(rest)];
    const RestId to = pieces_.step(from.rest, byte);
    const NfcState nfc = to == RestId::kNone ? NfcState::kRefused : nfc_->step(from.nfc, byte);
    if (nfc == NfcState::kRefused) return RestId::kNone;
    if (const auto known = nfc_rest_ids_.find(nfc_rest_key(to, nfc))) return RestId{*known};
    const MutexLock lock(mutex_);
    return rest_id(to, nfc);
  }
  [[nodiscard]] bool may_end(RestId rest) const { return pieces_.may_end(rest_of_pieces(rest)); }
  [[nodiscard]] bool is_settled(RestId rest) const { return !nfc_ && pieces_.is_settled(rest); }
  [[nodiscard]] const regex::ByteSet& settling_bytes(RestId rest) const {
    return nfc_ ? nfc_rests_[static_cast<std::uint32_t>(rest)].settling : pieces_.settling_bytes(rest);
  }

  [[nodiscard]] regex::ByteSet keeping_bytes(const StateRecord& from) {
    if (longest_ || is_start(from.last)) return find_keeping_bytes(from);
    if (const regex::ByteSet* known = keeping_.find(from.last)) return *known;
    const regex::ByteSet found = find_keeping_bytes(from);
    const MutexLock lock(mutex_);
    if (keeping_.find(from.last) == nullptr) keeping_.insert(from.last, std::make_unique<regex::ByteSet>(found));
    return found;
  }

  [[nodiscard]] regex::ByteSet find_keeping_bytes(const StateRecord& from) const {
    regex::ByteSet merging;
    if (set(from.set).empty()) return ~merging;
    if (longest_) return ~longest_->longer_bytes(place(set(from.set).front()).spells);
    if (is_start(from.last) || from.last == kUnmergeable || !forest_) return ~merging;
    forest_->for_each_forbidden(SymbolId{from.last}, [&](std::uint32_t begin, std::uint32_t) {
      const std::uint32_t symbol = forest_->order()[begin];
      const std::string_view bytes = symbol < vocabulary_.size()
                                         ? vocabulary_.token_bytes(symbol)
                                         : forest_->further_characters()[symbol - vocabulary_.size()];
      merging.add(static_cast<std::uint8_t>(bytes.front()));
    });
    return ~merging;
  }

  [[nodiscard]] std::size_t unwritten_tokens() const {
    std::size_t count = 0;
    for (std::uint32_t token = 0; token < vocabulary_.size(); ++token) {
      const TokenKind kind = vocabulary_.token_kind(token);
      count += uses_[token] == Use::kNone && (kind == TokenKind::kNormal || kind == TokenKind::kByte) ? 1 : 0;
    }
    return count;
  }

  [[nodiscard]] std::size_t state_count() {
    const MutexLock lock(mutex_);
    return states_.size();
  }

  [[nodiscard]] std::size_t memory_bytes() {
    const MutexLock lock(mutex_);
    return uses_.size() + pieces_.memory_bytes() + (forest_ ? forest_->memory_bytes() : 0) + row_bytes_ +
           inside_rows_.memory_bytes() + fresh_rows_.memory_bytes() + after_rows_.memory_bytes() +
           keeping_.memory_bytes() + places_.memory_bytes() + sets_.memory_bytes() + states_.memory_bytes() +
           (nfc_ ? nfc_->memory_bytes() : 0) + nfc_rests_.memory_bytes() + nfc_rest_ids_.memory_bytes() +
           nfc_states_.capacity() * sizeof(NfcState) + state_ids_.memory_bytes() + steps_.memory_bytes() +
           place_ids_.memory_bytes() + set_ids_.memory_bytes() + (longest_ ? longest_->memory_bytes() : 0);
  }

 private:
  // --- Tokens.

  void classify_tokens(const CanonicalModel& model) {
    uses_.assign(vocabulary_.size(), Use::kNone);
    const auto is_given_back = [&](std::uint32_t id, std::string_view text) {
      const TokenKind kind = vocabulary_.token_kind(id);
      if ((kind != TokenKind::kNormal && kind != TokenKind::kByte) || vocabulary_.is_stop_token(id)) return false;
      const std::string_view bytes = vocabulary_.token_bytes(id);
      if (space_symbol_.empty()) return bytes == text;
      std::size_t at = 0;
      for (const char c : bytes) {
        const std::string_view expected = c == ' ' ? std::string_view(space_symbol_) : std::string_view(&c, 1);
        if (!text.substr(at).starts_with(expected)) return false;
        at += expected.size();
      }
      return at == text.size() && (bytes.find(space_symbol_) == std::string_view::npos);
    };
    std::vector<std::pair<std::string_view, std::uint32_t>> unmade;
    for (const vocab::MergeRecipe::Token& token : model.merges.tokens) {
      if (!token.is_written || !is_given_back(token.id, token.text)) continue;
      if (forest_->is_made(SymbolId{token.id})) {
        uses_[token.id] = Use::kMade;
      } else if (model.merges.takes_whole_pieces) {
        uses_[token.id] = Use::kWhole;
        unmade.emplace_back(vocabulary_.token_bytes(token.id), token.id);
      }
    }
    unmade_ = PrefixTrie(std::move(unmade));
    for (const CanonicalModel::Fixed& fixed : model.fixed) {
      if (is_given_back(fixed.id, fixed.text)) uses_[fixed.id] = Use::kFixed;
    }
    for (std::size_t byte = 0; byte < byte_tokens_.size(); ++byte) {
      const std::uint32_t id = byte_tokens_[byte];
      const char c = static_cast<char>(byte);
      if (uses_[id] == Use::kNone && !vocabulary_.is_stop_token(id) &&
          vocabulary_.token_bytes(id) == std::string_view(&c, 1)) {
        uses_[id] = Use::kByte;
      }
    }
  }

  [[nodiscard]] std::uint32_t spells_at_start() const {
    return unmade_.empty() ? kSpellsNone : static_cast<std::uint32_t>(PrefixTrie::NodeId::kRoot) + 1;
  }

  [[nodiscard]] std::uint32_t spells_after(std::uint32_t spells, std::string_view bytes) const {
    if (spells == kSpellsNone || spells == kIsWhole) return kSpellsNone;
    auto node = PrefixTrie::NodeId{spells - 1};
    for (const char c : bytes) {
      node = unmade_.step(node, static_cast<std::uint8_t>(c));
      if (node == PrefixTrie::NodeId::kNowhere) return kSpellsNone;
    }
    return static_cast<std::uint32_t>(node) + 1;
  }

  // Returns true if the piece so far is itself a token, so that several tokens must not write it.
  [[nodiscard]] bool is_whole_token(std::uint32_t spells) const {
    if (unmade_.empty() || spells == kSpellsNone || spells == kIsWhole || spells == spells_at_start()) return false;
    return unmade_.number_at(PrefixTrie::NodeId{spells - 1}) != PrefixTrie::kNone;
  }

  // Returns true if the token may follow the last one within a piece.
  [[nodiscard]] bool is_inside(const StateRecord& from, std::uint32_t token, Use use) const {
    if (is_start(from.last)) return false;
    if (use == Use::kMade) return is_compatible(from.last, token);
    if (use != Use::kByte) return false;
    // For a byte this depends on the character that it completes.
    const std::uint32_t symbol = symbol_completed(from, token);
    return symbol == kUnmergeable || is_compatible(from.last, symbol);
  }

  [[nodiscard]] bool is_compatible(std::uint32_t last, std::uint32_t next) const {
    return last == kUnmergeable || forest_->is_compatible(SymbolId{last}, SymbolId{next});
  }

  // Returns the character that a byte token completes, if that character takes part in merges; else kUnmergeable.
  [[nodiscard]] std::uint32_t symbol_completed(const StateRecord& from, std::uint32_t token) const {
    std::string text = PendingBytes::bytes(place(set(from.set).front()).pending);
    text += vocabulary_.token_bytes(token);
    if (base::decode_utf8(text, 0).length != text.size()) return kUnmergeable;
    const SymbolId symbol = forest_->unit(as_seen(text));
    return symbol == SymbolId::kNone ? kUnmergeable : static_cast<std::uint32_t>(symbol);
  }

  [[nodiscard]] std::uint32_t last_after(const StateRecord& from, std::uint32_t token) const {
    if (uses_[token] == Use::kMade) return token;
    if (uses_[token] != Use::kByte) return kUnmergeable;  // a piece of its own
    std::string text = PendingBytes::bytes(place(set(from.set).front()).pending);
    text += vocabulary_.token_bytes(token);
    if (base::decode_utf8(text, 0).length == text.size()) return symbol_completed(from, token);
    // Inside the character, the last symbol is the one before the character.
    return is_start(from.last) ? kUnmergeable : from.last;
  }

  // Returns the character as units are looked up: a space is replaced by its symbol.
  [[nodiscard]] std::string as_seen(const std::string& text) const {
    return text == " " && !space_symbol_.empty() ? space_symbol_ : text;
  }

  // --- Longest match.

  // Tokens with equal bytes: only the first one is used.
  void use_longest_tokens() {
    uses_.assign(vocabulary_.size(), Use::kNone);
    const vocab::TokenTrie& trie = vocabulary_.trie();
    for (const TrieNode& node : trie.nodes()) {
      if (node.tokens != 0) uses_[trie.tokens_at(node).front()] = Use::kMade;
    }
  }

  std::uint32_t set_after_longest(const StateRecord& from, std::uint32_t token) {
    const std::uint64_t key = std::uint64_t{from.set} << 28 | std::uint64_t{token} << 4;
    if (const auto known = steps_.find(key)) return *known;
    PlaceRecord to = place(set(from.set).front());
    const std::string_view bytes = vocabulary_.token_bytes(token);
    std::vector<std::uint32_t> after;
    const bool may_come = run(to, bytes) && longest_->append_after(to.spells, bytes, after);
    const MutexLock lock(mutex_);
    if (const auto known = steps_.find(key)) return *known;
    std::uint32_t result = kNoSet;
    if (may_come) {
      to.spells = longest_->id_of(std::move(after));
      std::vector<std::uint32_t> ids = {static_cast<std::uint32_t>(place_id(to))};
      result = set_id(ids);
    }
    if (steps_.size() < kMaxRememberedSteps) steps_.insert(key, result);
    return result;
  }

  // --- Reading a token.

  // Appends the places after `token` from one place.
  void read_token(const PlaceRecord& from, std::uint32_t last, std::uint32_t token, Use use, bool inside,
                  std::vector<PlaceRecord>& out) const {
    const std::string_view bytes = vocabulary_.token_bytes(token);
    if (last == kAtTextStart && !may_be_first(token)) return;
    if (from.pending == PendingBytes::kOnlyPrefix && !may_follow_prefix(token)) return;
    if (PendingBytes::is_inside(from.pending)) {
      if (use == Use::kByte && (inside || PendingBytes::began_piece(from.pending))) add_byte(from, token, false, out);
      return;
    }
    const auto begin = [&](HypothesisId h) {
      PlaceRecord fresh;
      fresh.hypothesis = h;
      fresh.spells = spells_at_start();
      fresh.nfc = from.nfc;
      if (use == Use::kByte) {
        if (!pieces_.is_fixed(h)) add_byte(fresh, token, true, out);
      } else if (read_bytes(fresh, bytes, use)) {
        out.push_back(fresh);
      }
    };
    const std::size_t before = out.size();
    if (is_start(last)) {
      begin(from.hypothesis);
    } else {
      if (inside && from.spells != kIsWhole) {
        PlaceRecord to = from;
        to.pending = PendingBytes::kNone;
        if (use == Use::kByte) {
          add_byte(to, token, false, out);
        } else {
          read_inside(to, bytes, out);
        }
      }
      if (from.may_leave) {
        for (const HypothesisId h : pieces_.cuts(from.hypothesis)) begin(h);
      }
    }
    if (last == kAtTextStart && prefix_ != CanonicalModel::Prefix::kNone && bytes.size() == 1) {
      for (std::size_t i = before; i < out.size(); ++i) out[i].pending = PendingBytes::kOnlyPrefix;
    }
  }

  // Returns true if the token may be the first one. Its first byte is the space that the tokenizer adds before the
  // text.
  [[nodiscard]] bool may_be_first(std::uint32_t token) const {
    if (prefix_ == CanonicalModel::Prefix::kNone) return true;
    const std::string_view bytes = vocabulary_.token_bytes(token);
    if (!bytes.starts_with(' ') || vocabulary_.first_token_bytes(token) != bytes.substr(1)) return false;
    return prefix_ == CanonicalModel::Prefix::kSpace || !bytes.substr(1).starts_with(' ');
  }

  // Returns true if the token may follow a first token that is only this space.
  [[nodiscard]] bool may_follow_prefix(std::uint32_t token) const {
    return prefix_ != CanonicalModel::Prefix::kSpaceUnlessThere || !vocabulary_.token_bytes(token).starts_with(' ');
  }

  void read_inside(PlaceRecord place, std::string_view bytes, std::vector<PlaceRecord>& out) const {
    if (pieces_.is_fixed(place.hypothesis) || !run(place, bytes)) return;
    place.spells = spells_after(place.spells, bytes);
    out.push_back(place);
  }

  // Reads a token at the beginning of a piece. Returns false if it cannot be there.
  [[nodiscard]] bool read_bytes(PlaceRecord& fresh, std::string_view bytes, Use use) const {
    const bool is_fixed = pieces_.is_fixed(fresh.hypothesis);
    if (is_fixed != (use == Use::kFixed) || !run(fresh, bytes)) return false;
    return ends_well(fresh, bytes, use);
  }

  // Sets the rest of the place after a token at the beginning of a piece. Returns false if the token must be the whole
  // piece and the piece cannot end here.
  [[nodiscard]] bool ends_well(PlaceRecord& place, std::string_view bytes, Use use) const {
    if (use == Use::kMade) {
      place.spells = spells_after(spells_at_start(), bytes);
      return true;
    }
    place.spells = kIsWhole;
    return place.character == CharacterId::kNone &&
           (pieces_.may_end(place.hypothesis) || !pieces_.cuts(place.hypothesis).empty());
  }

  [[nodiscard]] bool run(PlaceRecord& place, std::string_view bytes) const {
    PieceAutomaton::Position position{place.hypothesis, place.character};
    for (const char c : bytes) {
      if (!pieces_.step(position, static_cast<std::uint8_t>(c))) return false;
    }
    if (nfc_ && (place.nfc = nfc_->step(place.nfc, bytes)) == NfcState::kRefused) return false;
    place.hypothesis = position.hypothesis;
    place.character = position.character;
    return true;
  }

  // Reads one byte of a character that is no token.
  void add_byte(PlaceRecord place, std::uint32_t token, bool begins_piece, std::vector<PlaceRecord>& out) const {
    if (pieces_.is_fixed(place.hypothesis)) return;
    const auto byte = static_cast<std::uint8_t>(vocabulary_.token_bytes(token).front());
    const std::string text = PendingBytes::bytes(place.pending) + static_cast<char>(byte);
    const std::size_t length = base::decode_utf8(text, 0).length;
    const bool is_complete = length == text.size();
    if (is_complete) {
      const SymbolId symbol = forest_->unit(as_seen(text));
      if (symbol != SymbolId::kNone && static_cast<std::uint32_t>(symbol) < vocabulary_.size()) return;  // a token
    } else if (!begins_character(text)) {
      return;
    }
    if (!run(place, std::string_view(text).substr(text.size() - 1))) return;
    place.spells = spells_after(place.spells, std::string_view(text).substr(text.size() - 1));
    place.pending = is_complete ? PendingBytes::kNone : PendingBytes::with(place.pending, byte, begins_piece);
    out.push_back(place);
  }

  // Returns true if these are the first bytes of a character, and not all of it. Whether such a character exists that
  // is no token is not tested.
  [[nodiscard]] bool begins_character(std::string_view text) const {
    const auto lead = static_cast<std::uint8_t>(text[0]);
    const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    return text.size() < length;
  }

  // --- Rows.

  // Calls `take(token, position)` with each token that can be read from a position, and the position after it.
  template <typename Take>
  void walk(PieceAutomaton::Position from, Take take) const {
    const auto step = [this](PieceAutomaton::Position& at, std::uint8_t byte) { return pieces_.step(at, byte); };
    vocabulary_.trie().for_each_read(from, step, take);
  }

  // Tokens, grouped by the place after them.
  class Reached {
   public:
    void add(std::uint32_t token, const PlaceRecord& to) {
      if (last_ == nullptr || !is_same(last_->first, to)) {
        const std::array<std::uint32_t, 4> key = {static_cast<std::uint32_t>(to.hypothesis),
                                                  static_cast<std::uint32_t>(to.character), to.spells,
                                                  static_cast<std::uint32_t>(to.nfc)};
        const auto [found, is_new] = index_.try_emplace(key, groups_.size());
        if (is_new) groups_.emplace_back(to, std::vector<std::uint32_t>());
        last_ = &groups_[found->second];
      }
      last_->second.push_back(token);
    }
    [[nodiscard]] auto& groups() { return groups_; }

   private:
    static bool is_same(const PlaceRecord& a, const PlaceRecord& b) {
      return a.hypothesis == b.hypothesis && a.character == b.character && a.spells == b.spells && a.nfc == b.nfc;
    }
    std::deque<std::pair<PlaceRecord, std::vector<std::uint32_t>>> groups_;
    std::map<std::array<std::uint32_t, 4>, std::size_t> index_;
    std::pair<PlaceRecord, std::vector<std::uint32_t>>* last_ = nullptr;
  };

  // Requires the lock.
  std::unique_ptr<RowSource> make_row(Reached reached) {
    auto row = std::make_unique<RowSource>();
    const std::size_t words = bitmask_words(vocabulary_.size());
    std::vector<std::uint32_t> all;
    for (auto& [to, tokens] : reached.groups()) {
      all.insert(all.end(), tokens.begin(), tokens.end());
      row->parts.push_back({place_id(to), vocab::TokenSet(std::move(tokens), words)});
      row_bytes_ += row->parts.back().tokens.memory_bytes() + sizeof(RowSource::Part);
    }
    row->number = row_count_++;
    row->tokens = vocab::TokenSet(std::move(all), words);
    row->part_numbers.resize(row->tokens.is_list() ? row->tokens.list().size() : vocabulary_.size());
    for (std::size_t i = 0; i < row->parts.size(); ++i) {
      row->parts[i].tokens.for_each([&](std::uint32_t token) {
        row->part_numbers[row->tokens.index_of(token)] = static_cast<std::uint16_t>(i + 1);
      });
    }
    row_bytes_ += row->tokens.memory_bytes() + 2 * row->part_numbers.size() + sizeof(*row);
    return row;
  }

  // Returns the tokens that may continue a piece, whatever the last token is.
  const RowSource& inside_row(const PlaceRecord& from) {
    // Under NFC, the tokens that complete a character depend on the text with which it would compose.
    const bool is_inside_character = nfc_ && from.character != CharacterId::kNone;
    const std::uint64_t key = (is_inside_character ? std::uint64_t{static_cast<std::uint32_t>(from.nfc)} << 32 : 0) |
                              std::uint64_t{static_cast<std::uint32_t>(from.hypothesis)} << 16 |
                              static_cast<std::uint64_t>(from.character);
    if (const RowSource* known = inside_rows_.find(key)) return *known;
    Reached reached;
    if (!pieces_.is_fixed(from.hypothesis)) {
      walk({from.hypothesis, from.character}, [&](std::uint32_t token, PieceAutomaton::Position at) {
        if (uses_[token] != Use::kMade) return;
        PlaceRecord to;
        to.hypothesis = at.hypothesis;
        to.character = at.character;
        if (nfc_) {
          to.nfc = is_inside_character ? nfc_->step(from.nfc, vocabulary_.token_bytes(token)) : nfc_states_[token];
          if (to.nfc == NfcState::kRefused) return;
        }
        reached.add(token, to);
      });
    }
    const MutexLock lock(mutex_);
    if (const RowSource* known = inside_rows_.find(key)) return *known;
    return inside_rows_.insert(key, make_row(std::move(reached)));
  }

  // Returns the tokens that may begin a piece.
  const RowSource& fresh_row(HypothesisId h) {
    const auto key = static_cast<std::uint64_t>(h);
    if (const RowSource* known = fresh_rows_.find(key)) return *known;
    Reached reached;
    const bool is_fixed = pieces_.is_fixed(h);
    walk({h}, [&](std::uint32_t token, PieceAutomaton::Position at) {
      const Use use = uses_[token];
      if (use == Use::kNone || use == Use::kByte || is_fixed != (use == Use::kFixed)) return;
      PlaceRecord to;
      to.hypothesis = at.hypothesis;
      to.character = at.character;
      if (nfc_) to.nfc = nfc_states_[token];
      if (ends_well(to, vocabulary_.token_bytes(token), use)) reached.add(token, to);
    });
    const MutexLock lock(mutex_);
    if (const RowSource* known = fresh_rows_.find(key)) return *known;
    return fresh_rows_.insert(key, make_row(std::move(reached)));
  }

  // Returns all tokens that may come after a cut that follows a hypothesis.
  const vocab::TokenBits& after_row(HypothesisId h) {
    const auto key = static_cast<std::uint64_t>(h);
    if (const vocab::TokenBits* known = after_rows_.find(key)) return *known;
    auto row = std::make_unique<vocab::TokenBits>(bitmask_words(vocabulary_.size()));
    for (const HypothesisId c : pieces_.cuts(h)) fresh_row(c).tokens.add_to(*row);
    const MutexLock lock(mutex_);
    if (const vocab::TokenBits* known = after_rows_.find(key)) return *known;
    row_bytes_ += 4 * row->size() + sizeof(*row);
    return after_rows_.insert(key, std::move(row));
  }

  // Clears the tokens that may not follow `last`. For the few symbols with very many intervals, such as a blank, the
  // allowed tokens are remembered as a bitmask.
  void clear_forbidden(std::uint32_t last, std::span<std::uint32_t> out) {
    if (last == kUnmergeable) return;
    if (const auto* known = allowed_.find(last)) {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] &= (*known)[i];
      return;
    }
    const std::span<const std::uint32_t> order = forest_->order();
    std::size_t count = 0;
    forest_->for_each_forbidden(SymbolId{last}, [&](std::uint32_t begin, std::uint32_t end) {
      ++count;
      for (std::uint32_t i = begin; i < end; ++i) {
        if (order[i] < vocabulary_.size()) bitmask_clear(out, order[i]);
      }
    });
    if (count < kMinRememberedIntervals) return;
    auto allowed = std::make_unique<std::vector<std::uint32_t>>(out.size(), ~std::uint32_t{0});
    forest_->for_each_forbidden(SymbolId{last}, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) {
        if (order[i] < vocabulary_.size()) bitmask_clear(*allowed, order[i]);
      }
    });
    const MutexLock lock(mutex_);
    if (allowed_.find(last) != nullptr) return;
    row_bytes_ += 4 * allowed->size();
    allowed_.insert(last, std::move(allowed));
  }

  // Clears the tokens that may not be the first one, or not follow a first token that is only the added space.
  void filter_first(const StateRecord& from, std::span<const PlaceId> places, std::span<std::uint32_t> out) const {
    if (prefix_ == CanonicalModel::Prefix::kNone || places.empty()) return;
    const bool is_first = from.last == kAtTextStart;
    if (!is_first && place(places.front()).pending != PendingBytes::kOnlyPrefix) return;
    const std::vector<std::uint32_t>& tokens = is_first ? first_tokens_ : after_prefix_;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] &= tokens[i];
  }

  // Appends the tokens after which the piece still spells a prefix of an unmade token.
  void append_spelling(std::uint32_t spells, std::vector<std::uint32_t>& tokens) const {
    if (spells == kSpellsNone || spells == kIsWhole) return;
    const auto step = [this](PrefixTrie::NodeId& at, std::uint8_t byte) {
      at = unmade_.step(at, byte);
      return at != PrefixTrie::NodeId::kNowhere;
    };
    vocabulary_.trie().for_each_read(PrefixTrie::NodeId{spells - 1}, step,
                                     [&](std::uint32_t token, PrefixTrie::NodeId) { tokens.push_back(token); });
  }

  // --- NFC.

  [[nodiscard]] RestId rest_of_pieces(RestId rest) const {
    return nfc_ ? nfc_rests_[static_cast<std::uint32_t>(rest)].rest : rest;
  }

  // Returns the state of NFC, which is the same at all places. There are none if the tokens spell no text.
  [[nodiscard]] NfcState nfc_state(const StateRecord& from) const {
    const std::span<const PlaceId> places = set(from.set);
    return places.empty() ? NfcState::kStart : place(places.front()).nfc;
  }

  // Returns true inside a character of several bytes.
  [[nodiscard]] bool is_inside_character(const StateRecord& from) const {
    return nfc_ && !NfcAutomaton::is_between(nfc_state(from));
  }

  // Sets the state after each token that begins with a character. If the token has a free character, this state does
  // not depend on the text before it. The tokens without a free character are listed.
  void find_nfc_states() {
    nfc_states_.assign(vocabulary_.size(), NfcState::kRefused);
    for (std::uint32_t token = 0; token < vocabulary_.size(); ++token) {
      if (uses_[token] == Use::kNone) continue;
      const std::string_view bytes = vocabulary_.token_bytes(token);
      if ((static_cast<std::uint8_t>(bytes.front()) & 0xC0U) == 0x80) continue;  // begins inside a character
      nfc_states_[token] = nfc_->step(NfcState::kStart, bytes);
      if (nfc_states_[token] == NfcState::kRefused) {
        uses_[token] = Use::kNone;  // no text in NFC has it
      } else if (!nfc_->free_bytes().contains(static_cast<std::uint8_t>(bytes.front()))) {
        constrained_tokens_.push_back(token);
        if (!nfc_->has_free_character(bytes)) dependent_tokens_.push_back(token);
      }
    }
  }

  // Clears the tokens with which no text in NFC continues.
  void filter_nfc(const StateRecord& from, std::span<std::uint32_t> out) {
    if (is_inside_character(from)) return;  // inside_row() has only tokens in NFC there
    const NfcState state = nfc_state(from);
    const auto key = static_cast<std::uint64_t>(state);
    const std::vector<std::uint32_t>* refused = nfc_refused_.find(key);
    if (refused == nullptr) {
      auto found = std::make_unique<std::vector<std::uint32_t>>();
      for (const std::uint32_t token : constrained_tokens_) {
        if (nfc_->step(state, vocabulary_.token_bytes(token)) == NfcState::kRefused) found->push_back(token);
      }
      const MutexLock lock(mutex_);
      refused = nfc_refused_.find(key);
      if (refused == nullptr) {
        row_bytes_ += 4 * found->size();
        refused = &nfc_refused_.insert(key, std::move(found));
      }
    }
    for (const std::uint32_t token : *refused) bitmask_clear(out, token);
  }

  // --- Ids. These functions require the lock.

  PlaceId place_id(const PlaceRecord& p) {
    const std::array<std::uint32_t, 5> words = {static_cast<std::uint32_t>(p.hypothesis),
                                                static_cast<std::uint32_t>(p.character), p.spells, p.pending,
                                                static_cast<std::uint32_t>(p.nfc)};
    const auto [id, is_new] = place_ids_.intern(words);
    if (!is_new) return PlaceId{id};
    PlaceRecord& record = places_[places_.append()];
    record = p;
    const bool between = p.character == CharacterId::kNone && !PendingBytes::is_inside(p.pending);
    record.may_leave = between && !is_whole_token(p.spells);
    record.may_end = record.may_leave && p.pending != PendingBytes::kOnlyPrefix && pieces_.may_end(p.hypothesis);
    const bool leaves_open = p.pending == PendingBytes::kOnlyPrefix &&
                             prefix_ == CanonicalModel::Prefix::kSpaceUnlessThere;  // what may follow is no rest's
    record.after = record.may_leave && !leaves_open ? rest_id(pieces_.rest_after(p.hypothesis), p.nfc) : RestId::kNone;
    record.may_go_on = p.spells != kIsWhole && pieces_.may_go_on(p.hypothesis);
    record.around = between && (p.spells == kSpellsNone || longest_) && !leaves_open && !pieces_.is_fixed(p.hypothesis)
                        ? rest_id(pieces_.rest_around(p.hypothesis), p.nfc)
                        : RestId::kNone;
    return PlaceId{id};
  }

  static std::uint64_t nfc_rest_key(RestId rest, NfcState nfc) {
    return std::uint64_t{static_cast<std::uint32_t>(nfc)} << 32 | static_cast<std::uint32_t>(rest);
  }

  RestId rest_id(RestId rest, NfcState nfc) {
    if (!nfc_ || rest == RestId::kNone) return rest;
    const std::uint64_t key = nfc_rest_key(rest, nfc);
    if (const auto known = nfc_rest_ids_.find(key)) return RestId{*known};
    const std::uint32_t id = nfc_rests_.append();
    nfc_rests_[id] = {rest, nfc, pieces_.settling_bytes(rest) & nfc_->free_bytes()};
    nfc_rest_ids_.insert(key, id);
    return RestId{id};
  }

  std::uint32_t set_id(std::vector<std::uint32_t>& places) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    const auto [id, is_new] = set_ids_.intern(places);
    if (!is_new) return id;
    std::vector<PlaceId>& stored = set_storage_.emplace_back();
    for (const std::uint32_t p : places) stored.push_back(PlaceId{p});
    sets_[sets_.append()] = {stored.data(), static_cast<std::uint32_t>(stored.size())};
    return id;
  }

  static std::uint64_t state_key(std::uint32_t last, std::uint32_t set) { return std::uint64_t{last} << 32 | set; }

  CanonicalId state_id(std::uint32_t last, std::uint32_t set) {
    if (const auto known = state_ids_.find(state_key(last, set))) return CanonicalId{*known};
    const std::uint32_t id = states_.append();
    states_[id] = {last, set};
    state_ids_.insert(state_key(last, set), id);
    return CanonicalId{id};
  }

  const Vocabulary& vocabulary_;
  CanonicalModel::Prefix prefix_;
  std::vector<std::uint32_t> byte_tokens_;
  std::string space_symbol_;  // replaces a space where units are looked up; empty if none does
  PieceAutomaton pieces_;
  std::optional<MergeForest> forest_;
  std::vector<Use> uses_;
  PrefixTrie unmade_;
  std::optional<NfcAutomaton> nfc_;                         // if the tokenizer normalizes to NFC; then also:
  std::vector<NfcState> nfc_states_;                        // by token: the state after it at the beginning of a text
  std::vector<std::uint32_t> constrained_tokens_;           // those that may not follow every text in NFC
  std::vector<std::uint32_t> dependent_tokens_;             // of these: the state after them depends on the text before
  std::vector<std::uint32_t> first_tokens_, after_prefix_;  // bitmasks, if a space is added before texts
  CanonicalId start_ = {}, restart_ = {};

  Mutex mutex_;                          // held to add to the members that follow
  std::optional<LongestMatch> longest_;  // if the tokenizer takes the longest token; then `spells` is a set's number
  base::WordInterner place_ids_, set_ids_;
  base::SegmentedArray<PlaceRecord> places_;
  base::SegmentedArray<PlaceSet> sets_;
  std::deque<std::vector<PlaceId>> set_storage_;
  base::SegmentedArray<StateRecord> states_;
  base::PublishedMap state_ids_, steps_;
  Made<RowSource> inside_rows_, fresh_rows_;
  Made<vocab::TokenBits> after_rows_;
  Made<std::vector<std::uint32_t>> allowed_;      // successors, by symbol
  Made<regex::ByteSet> keeping_;                  // keeping_bytes, by symbol
  Made<std::vector<std::uint32_t>> nfc_refused_;  // of constrained_tokens_, by NfcState
  base::SegmentedArray<NfcRest> nfc_rests_;       // by RestId
  base::PublishedMap nfc_rest_ids_;
  std::size_t row_bytes_ = 0;
  std::uint32_t row_count_ = 0;
};

namespace {

// Data that a vocabulary keeps: the automaton of its patterns after the first call of canonical_support(), the rest
// after the first use.
struct CanonicalExtension : vocab::VocabularyExtension {
  static constexpr Slot kSlot = Slot::kCanonical;
  Mutex mutex;
  bool is_read = false;
  bool merges_may_refuse = false;  // MergeForest may refuse the merges; only making one shows it
  std::optional<Error> refusal;
  CanonicalModel model;
  std::optional<PieceAutomaton> pieces;
  std::unique_ptr<CanonicalAutomaton> automaton;
};

// Requires the extension's lock.
void read_model(const Vocabulary& vocabulary, CanonicalExtension& kept) {
  if (std::exchange(kept.is_read, true)) return;
  auto model = read_canonical_model(vocabulary);
  if (!model) {
    kept.refusal = std::move(model).error();
    return;
  }
  auto pieces = PieceAutomaton::build(model->steps, model->pieces);
  if (!pieces) {
    Error error = std::move(pieces).error();
    error.code = ErrorCode::kUnsupported;
    error.message = "no canonical mode for this tokenizer: " + error.message;
    kept.refusal = std::move(error);
    return;
  }
  const auto& tokens = model->merges.tokens;
  kept.merges_may_refuse = std::any_of(tokens.begin(), tokens.end(), [](const auto& t) { return !t.is_written; }) ||
                           (!model->merges.byte_tokens.empty() && !model->merges.pairs.empty());
  kept.model = *std::move(model);
  kept.pieces = *std::move(pieces);
}

}  // namespace

Result<void> canonical_support(const Vocabulary& vocabulary) {
  auto& kept = vocabulary.extension<CanonicalExtension>();
  {
    const MutexLock lock(kept.mutex);
    read_model(vocabulary, kept);
    if (kept.refusal) return tl::unexpected(*kept.refusal);
    if (kept.automaton != nullptr || !kept.merges_may_refuse) return {};
  }
  return CanonicalAutomaton::of(vocabulary).map([](const CanonicalAutomaton*) {});
}

#ifdef __wasm__
WEIR_REPLACEABLE bool is_available() { return true; }
#endif

WEIR_REPLACEABLE Result<const CanonicalAutomaton*> CanonicalAutomaton::of(const Vocabulary& vocabulary) {
  auto& kept = vocabulary.extension<CanonicalExtension>();
  const MutexLock lock(kept.mutex);
  read_model(vocabulary, kept);
  if (kept.refusal) return tl::unexpected(*kept.refusal);
  if (kept.automaton == nullptr) {
    std::optional<MergeForest> forest;
    std::vector<std::uint32_t> in_order;
    if (!kept.model.takes_longest && kept.model.merges.unit == vocab::MergeRecipe::Unit::kByte) {
      const vocab::TokenTrie& trie = vocabulary.trie();
      in_order.reserve(vocabulary.size());
      for (const TrieNode& node : trie.nodes()) {
        if (node.tokens == 0) continue;
        const auto here = trie.tokens_at(node);
        in_order.insert(in_order.end(), here.begin(), here.end());
      }
    }
    if (!kept.model.takes_longest) {
      auto built = MergeForest::build(kept.model.merges, vocabulary.size(), in_order);
      if (!built) {
        Error error = std::move(built).error();
        error.message = "no canonical mode for this tokenizer: " + error.message;
        kept.refusal = error;
        return tl::unexpected(std::move(error));
      }
      forest = *std::move(built);
    }
    auto impl = std::make_unique<Impl>(vocabulary, kept.model, *std::move(kept.pieces), std::move(forest));
    kept.automaton = std::make_unique<CanonicalAutomaton>(std::move(impl));
    kept.model = {};
    kept.pieces.reset();
  }
  return kept.automaton.get();
}

CanonicalAutomaton::CanonicalAutomaton(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CanonicalAutomaton::~CanonicalAutomaton() = default;

CanonicalId CanonicalAutomaton::start() const { return impl_->start(); }
CanonicalId CanonicalAutomaton::restart() const { return impl_->restart(); }

std::size_t CanonicalAutomaton::text_begin(std::span<const std::uint32_t> context) const {
  for (std::size_t i = context.size(); i > 0; --i) {
    const TokenKind kind = vocabulary().token_kind(context[i - 1]);
    const bool is_text = kind == TokenKind::kNormal || kind == TokenKind::kByte;
    if (!is_text || vocabulary().is_stop_token(context[i - 1])) return i;
  }
  return 0;
}

WEIR_REPLACEABLE Result<CanonicalId> CanonicalAutomaton::start(std::span<const std::uint32_t> context) const {
  const auto refused = [](std::size_t index, std::string what) {
    return tl::unexpected(Error{ErrorCode::kInvalidArgument, std::move(what), {index, index + 1}});
  };
  for (std::size_t i = 0; i < context.size(); ++i) {
    if (context[i] < vocabulary().size()) continue;
    return refused(i, "token " + std::to_string(context[i]) + " of the context is out of range");
  }
  const std::size_t begin = text_begin(context);
  CanonicalId state = begin == 0 ? start() : restart();
  for (std::size_t i = begin; i < context.size(); ++i) {
    state = step(state, context[i]);
    if (state == CanonicalId::kRefused) {
      return refused(i, "the context is not what the tokenizer writes: token " + std::to_string(context[i]) + ", `" +
                            base::escape_for_display(vocabulary().token_bytes(context[i])) + "`, may not stand there");
    }
  }
  return state;
}

CanonicalId CanonicalAutomaton::step(CanonicalId state, std::uint32_t token) const {
  return impl_->step(impl_->state(state), token);
}

CanonicalId CanonicalAutomaton::state_of(std::uint32_t token, PlaceId place) const {
  return impl_->state_of(token, place);
}

std::span<const PlaceId> CanonicalAutomaton::places_after(CanonicalId state, std::uint32_t token) const {
  const std::uint32_t set = impl_->set_after(impl_->state(state), token);
  return set == Impl::kNoSet ? std::span<const PlaceId>() : impl_->set(set);
}

void CanonicalAutomaton::row(CanonicalId state, std::span<std::uint32_t> bitmask) const {
  impl_->row(impl_->state(state), bitmask);
}

bool CanonicalAutomaton::may_end(CanonicalId state) const { return impl_->may_end(impl_->state(state)); }

std::uint32_t CanonicalAutomaton::last_symbol(CanonicalId state) const { return impl_->state(state).last; }

bool CanonicalAutomaton::is_text_start(CanonicalId state) const { return impl_->is_text_start(impl_->state(state)); }

std::span<const PlaceId> CanonicalAutomaton::places(CanonicalId state) const {
  return impl_->set(impl_->state(state).set);
}

bool CanonicalAutomaton::may_end(PlaceId place) const { return impl_->place(place).may_end; }
RestId CanonicalAutomaton::rest_after(PlaceId place) const { return impl_->place(place).after; }
RestId CanonicalAutomaton::rest_around(PlaceId place) const { return impl_->place(place).around; }
bool CanonicalAutomaton::may_go_on(PlaceId place) const { return impl_->place(place).may_go_on; }

RestId CanonicalAutomaton::step(RestId rest, std::uint8_t byte) const { return impl_->step(rest, byte); }
bool CanonicalAutomaton::may_end(RestId rest) const { return impl_->may_end(rest); }
bool CanonicalAutomaton::is_settled(RestId rest) const { return impl_->is_settled(rest); }
const regex::ByteSet& CanonicalAutomaton::settling_bytes(RestId rest) const { return impl_->settling_bytes(rest); }

void CanonicalAutomaton::append_sources(CanonicalId state, std::vector<RowMember>& sources,
                                        std::vector<std::uint32_t>& others) const {
  impl_->append_sources(impl_->state(state), sources, others);
}

const CanonicalAutomaton::RowSource* CanonicalAutomaton::inside_source(PlaceId place) const {
  return impl_->inside_source(impl_->place(place));
}

bool CanonicalAutomaton::has_byte_tokens() const { return impl_->has_byte_tokens(); }
const NfcAutomaton* CanonicalAutomaton::nfc() const { return impl_->nfc(); }

regex::ByteSet CanonicalAutomaton::keeping_bytes(CanonicalId state) const {
  return impl_->keeping_bytes(impl_->state(state));
}

const Vocabulary& CanonicalAutomaton::vocabulary() const { return impl_->vocabulary(); }
const PieceAutomaton& CanonicalAutomaton::pieces() const { return impl_->pieces(); }
const MergeForest* CanonicalAutomaton::forest() const { return impl_->forest(); }
std::size_t CanonicalAutomaton::unwritten_tokens() const { return impl_->unwritten_tokens(); }
std::size_t CanonicalAutomaton::state_count() const { return impl_->state_count(); }
std::size_t CanonicalAutomaton::memory_bytes() const { return impl_->memory_bytes(); }

}  // namespace weir::canonical
