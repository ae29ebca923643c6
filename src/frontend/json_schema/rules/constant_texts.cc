#include "frontend/json_schema/rules/constant_texts.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

#include "base/node_bytes.h"
#include "base/stack.h"
#include "base/work.h"
#include "frontend/json_schema/model/search_bounds.h"
#include "frontend/json_schema/rules/schema_rules.h"
#include "frontend/search_bounds.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

namespace {

constexpr std::uint32_t kUnwritable = UINT32_MAX;
/// About what a constant takes in a table of values.
constexpr std::size_t kCandidateBytes = 100;

/// Returns the text if `e` is a literal.
std::optional<std::string> literal_text(const regex::ExprSet& exprs, ExprId e) {
  std::string text;
  for (; e != ExprId::kEpsilon; e = exprs.tail(e)) {
    const ExprId first = exprs.head(e);
    if (exprs.kind(first) != regex::ExprKind::kByteSet || exprs.bytes(first).size() != 1) return std::nullopt;
    text += static_cast<char>(exprs.bytes(first).first());
  }
  return text;
}

}  // namespace

// --- The machine ---

regex::Atom::Properties ConstantTexts::LevelAtom::properties(const regex::ExprSet& /*exprs*/,
                                                             const regex::AtomState& state) const {
  return {.has_member = true, .has_text = true, .min_length = state.b};
}

ExprId ConstantTexts::LevelAtom::derivative(regex::ExprSet& exprs, const regex::AtomState& state,
                                            std::uint8_t byte) const {
  return exprs.derivative(texts_.made(state.a), byte);
}

std::span<const regex::ByteSet> ConstantTexts::LevelAtom::classes(const regex::AtomState& state) const {
  return texts_.algebra_.exprs().first_classes(texts_.made(state.a));
}

std::string ConstantTexts::LevelAtom::name(const regex::AtomState& state) const {
  return "constants " + std::to_string(state.a);
}

bool ConstantTexts::LevelAtom::append_branches(regex::ExprSet& exprs, const regex::AtomState& state,
                                               std::vector<regex::ExprSet::Branch>& branches) const {
  exprs.append_branches(texts_.made(state.a), branches);
  return true;
}

// --- Levels ---

std::optional<ExprId> ConstantTexts::texts(FormulaId f, std::uint32_t depth) {
  const std::optional<std::vector<ConstantId>> constants = algebra_.constants_of(f);
  if (!constants || constants->size() < kLongEnum) return std::nullopt;
  base::Work::charge(constants->size());
  least_lengths_.clear();  // so that the texts of all keys are made again, which a limit may have discarded
  std::vector<Candidate> candidates;
  for (const ConstantId id : *constants) {
    if (least_length(algebra_.constant(id)) == kUnwritable) return std::nullopt;
    candidates.push_back({id, ExprId::kEpsilon});
  }
  const bool is_object = algebra_.constant(constants->front()).is_object;
  const Place place{is_object, layout_.depth_of(depth), is_object ? names_read_.intern({}).first : 0};
  const ExprId all = level(place, candidates);
  algebra_.exprs().derivative(all, '"');  // makes the tables of all constants now
  return algebra_.exprs().concat(layout_.open(is_object ? '{' : '[', depth - 1).texts, all);
}

std::size_t ConstantTexts::memory_bytes() const {
  return levels_.memory_bytes() + names_read_.memory_bytes() + made_.capacity() * sizeof(ExprId) +
         base::node_bytes(least_lengths_) + candidate_count_ * kCandidateBytes;
}

// Returns the least length of the texts of a value: a lower bound, without blanks. kUnwritable if it has no text that is
// certain.
std::uint32_t ConstantTexts::least_length(SetId value) {
  if (const auto known = least_lengths_.find(value); known != least_lengths_.end()) return known->second;
  const regex::ExprSet& exprs = algebra_.exprs();
  const Shape& shape = algebra_.shape(value);
  std::uint32_t least = kUnwritable;
  if (shape.literals != 0) {
    least = 4;
  } else if (shape.numbers != ExprId::kNothing) {
    least = exprs.min_length(shape.numbers);
  } else if (shape.strings != ExprId::kNothing) {
    if (exprs.has_plain_text(shape.strings)) least = exprs.min_length(shape.strings) + 2;
  } else if (const std::optional<ConstantId> constant = constant_in(value)) {
    least = base::with_stack([&] { return least_length(algebra_.constant(*constant)); });
  }
  return least_lengths_[value] = least;
}

std::uint32_t ConstantTexts::least_length(const Constant& constant) {
  std::uint64_t least = 2 + std::max<std::size_t>(constant.parts.size(), 1) - 1;  // brackets and commas
  for (const auto& [name, value] : constant.parts) {
    const std::uint32_t part = least_length(value);
    if (part == kUnwritable) return kUnwritable;
    if (constant.is_object) {
      if (!algebra_.exprs().has_plain_text(algebra_.literal(name))) return kUnwritable;
      static_cast<void>(key_texts_(name));      // it is there when a level needs it
      least += algebra_.name(name).size() + 3;  // quotes and colon
    }
    least += part;
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(least, regex::kUnbounded - 1));
}

// Returns the least length of what a text has after what is read of a constant. A lower bound.
std::uint64_t ConstantTexts::least_rest(const Place& place, const Candidate& candidate) {
  const Constant& constant = algebra_.constant(candidate.constant);
  std::uint64_t least = std::uint64_t{1} + algebra_.exprs().min_length(candidate.after);
  const auto read = place.is_object ? names_read_[place.read] : std::span<const std::uint32_t>();
  const std::size_t count = place.is_object ? read.size() : place.read;
  for (std::size_t i = place.is_object ? 0 : count; i < constant.parts.size(); ++i) {
    const auto& [name, value] = constant.parts[i];
    if (place.is_object && std::ranges::binary_search(read, Algebra::raw(name))) continue;
    least += 1 + least_length(value) + (place.is_object ? algebra_.name(name).size() + 3 : 0);
  }
  return count == 0 && !constant.parts.empty() ? least - 1 : least;  // no comma before the first
}

ExprId ConstantTexts::level(const Place& place, std::span<const Candidate> candidates) {
  std::vector<std::uint32_t> words{(place.is_object ? 1U : 0U) | (place.is_inside ? 2U : 0U), place.depth, place.read};
  std::uint64_t least = regex::kUnbounded - 1;
  for (const Candidate& one : candidates) {
    words.insert(words.end(), {Algebra::raw(one.constant), static_cast<std::uint32_t>(one.after)});
    least = std::min(least, least_rest(place, one));
  }
  if (place.is_inside && count_read(place) != 0) --least;  // the comma
  base::Work::charge(candidates.size());
  const auto [id, is_new] = levels_.intern(words);
  if (is_new) made_.push_back(ExprId::kNothing);
  return algebra_.exprs().atom({id, static_cast<std::uint32_t>(least), 0, algebra_.exprs().register_atom(level_atom_)});
}

// Memoised, unless a limit was met.
ExprId ConstantTexts::made(std::uint32_t level) {
  if (made_[level] != ExprId::kNothing) return made_[level];
  const auto words = levels_[level];
  const Place place{(words[0] & 1U) != 0, words[1], words[2], (words[0] & 2U) != 0};
  std::vector<Candidate> candidates;
  for (std::size_t i = 3; i < words.size(); i += 2) candidates.push_back({ConstantId{words[i]}, ExprId{words[i + 1]}});
  base::Work::charge(candidates.size());
  const ExprId e = place.is_inside ? make_inside(place, candidates) : make(place, candidates);
  if (!base::Work::is_met()) made_[level] = e;
  return e;
}

std::size_t ConstantTexts::count_read(const Place& place) const {
  return place.is_object ? names_read_[place.read].size() : place.read;
}

// What comes next is a level of its own, because many texts end in one value, and few tokens go on after it.
ExprId ConstantTexts::make(const Place& place, std::span<const Candidate> candidates) {
  regex::ExprSet& exprs = algebra_.exprs();
  const std::size_t count = count_read(place);
  std::vector<ExprId> after_end;
  std::vector<Candidate> others;
  for (const Candidate& one : candidates) {
    if (algebra_.constant(one.constant).parts.size() == count) {
      after_end.push_back(one.after);
    } else {
      others.push_back(one);
    }
  }
  std::vector<ExprId> ways;
  if (!others.empty()) {
    const Layout::Piece before = count == 0 ? layout_.before_first(place.depth) : layout_.comma(place.depth);
    Place inside = place;
    inside.is_inside = true;
    ways.push_back(exprs.concat(before.texts, level(inside, others)));
  }
  if (!after_end.empty()) {
    const char bracket = place.is_object ? '}' : ']';
    const ExprId close = count == 0 ? exprs.literal({&bracket, 1}) : layout_.close(bracket, place.depth).texts;
    ways.push_back(exprs.concat(close, exprs.alternation(after_end)));
  }
  return exprs.alternation(ways);
}

ExprId ConstantTexts::make_inside(const Place& place, std::span<const Candidate> candidates) {
  regex::ExprSet& exprs = algebra_.exprs();
  std::vector<Next> next;
  if (!place.is_object) {
    for (const Candidate& one : candidates) {
      next.push_back({algebra_.constant(one.constant).parts[place.read].second, one});
    }
    return values({false, place.depth, place.read + 1}, std::move(next));
  }
  const std::vector<std::uint32_t> read(names_read_[place.read].begin(), names_read_[place.read].end());
  std::map<NameId, std::vector<Next>> by_name;
  for (const Candidate& one : candidates) {
    for (const auto& [name, value] : algebra_.constant(one.constant).parts) {
      if (!std::ranges::binary_search(read, Algebra::raw(name))) by_name[name].push_back({value, one});
    }
  }
  std::vector<ExprId> ways;
  for (auto& [name, there] : by_name) {
    std::vector<std::uint32_t> names = read;
    names.insert(std::ranges::lower_bound(names, Algebra::raw(name)), Algebra::raw(name));
    const Place after{true, place.depth, names_read_.intern(names).first};
    ways.push_back(exprs.concat(key_texts_(name), values(after, std::move(there))));
  }
  return exprs.alternation(ways);
}

// --- Values ---

std::optional<ConstantId> ConstantTexts::constant_in(SetId value) {
  const Shape& shape = algebra_.shape(value);
  return algebra_.constant_of(shape.arrays != FormulaId::kFalse ? shape.arrays : shape.objects);
}

/// The different values that come next. Makes the level that follows each.
class ConstantTexts::Values final : public regex::AfterWords {
 public:
  Values(ConstantTexts& texts, const Place& place, std::vector<Next> next)
      : texts_(texts), place_(place), next_(std::move(next)) {
    std::ranges::stable_sort(next_, {}, [](const Next& one) { return Algebra::raw(one.value); });
    for (std::uint32_t i = 0; i < next_.size(); ++i) {
      if (i == 0 || next_[i].value != next_[i - 1].value) first_.push_back(i);
    }
    first_.push_back(static_cast<std::uint32_t>(next_.size()));
  }

  [[nodiscard]] std::size_t size() const { return first_.size() - 1; }
  [[nodiscard]] SetId value(std::size_t i) const { return next_[first_[i]].value; }
  [[nodiscard]] std::uint32_t least_after(std::size_t i) const {
    std::uint64_t least = regex::kUnbounded - 1;
    for (const Next& one : of(i)) least = std::min(least, texts_.least_rest(place_, one.of));
    return static_cast<std::uint32_t>(least);
  }
  ExprId level_after(std::size_t i) {
    std::vector<Candidate> candidates;
    for (const Next& one : of(i)) candidates.push_back(one.of);
    return texts_.level(place_, candidates);
  }

  /// Adds a word for value `i`, with `between` before the level that follows.
  void add_word(std::string text, std::size_t i, ExprId between, bool is_number) {
    words_[is_number ? 1 : 0].push_back(static_cast<std::uint32_t>(ids_.size()));
    ids_.push_back({std::move(text), static_cast<std::uint32_t>(i), between});
  }
  ExprId after(regex::ExprSet& exprs, std::uint32_t id) override {
    return exprs.concat(ids_[id].between, level_after(ids_[id].value));
  }
  /// Returns the words that were added, each with what follows it.
  static ExprId union_of_words(const std::shared_ptr<Values>& values, bool are_numbers) {
    regex::ExprSet& exprs = values->texts_.algebra_.exprs();
    const std::vector<std::uint32_t>& ids = values->words_[are_numbers ? 1 : 0];
    if (ids.size() >= kMinTableWords) {
      std::vector<regex::Word> words;
      for (const std::uint32_t id : ids) {
        const Added& one = values->ids_[id];
        words.push_back({one.text, id, values->least_after(one.value)});
      }
      if (const std::optional<ExprId> table = regex::word_table(exprs, std::move(words), values)) return *table;
    }
    std::vector<ExprId> ways;
    for (const std::uint32_t id : ids) {
      ways.push_back(exprs.concat(exprs.literal(values->ids_[id].text), values->after(exprs, id)));
    }
    return exprs.alternation(ways);
  }

 private:
  struct Added {
    std::string text;
    std::uint32_t value;
    ExprId between;
  };
  [[nodiscard]] std::span<const Next> of(std::size_t i) const {
    return std::span(next_).subspan(first_[i], first_[i + 1] - first_[i]);
  }

  ConstantTexts& texts_;
  Place place_;
  std::vector<Next> next_;            // by value
  std::vector<std::uint32_t> first_;  // by value, and the end
  std::vector<Added> ids_;
  std::array<std::vector<std::uint32_t>, 2> words_;  // strings, numbers: ids
};

// Returns the texts of values, each followed by the level at `place` of the constants that have it.
ExprId ConstantTexts::values(const Place& place, std::vector<Next> next) {
  regex::ExprSet& exprs = algebra_.exprs();
  base::Work::charge(next.size());
  candidate_count_ += next.size();
  const auto all = std::make_shared<Values>(*this, place, std::move(next));
  std::vector<ExprId> ways;
  std::array<std::vector<Candidate>, 2> within;  // arrays, objects
  bool has_strings = false;
  bool has_numbers = false;
  for (std::size_t i = 0; i < all->size(); ++i) {
    const Shape shape = algebra_.shape(all->value(i));
    if (const std::optional<ConstantId> constant = constant_in(all->value(i))) {
      within[algebra_.constant(*constant).is_object ? 1 : 0].push_back({*constant, all->level_after(i)});
    } else if (const auto text = literal_text(exprs, shape.strings); text && shape.strings != ExprId::kNothing) {
      all->add_word(*text + regex::kQuoteByte, i, ExprId::kEpsilon, false);
      has_strings = true;
    } else if (const auto words = algebra_.numbers().words(shape.numbers)) {
      for (const NumberLanguage::Texts& one : *words) all->add_word(one.digits, i, one.after, true);
      has_numbers = true;
    } else {
      std::string name;
      ways.push_back(exprs.concat(scalar_texts(algebra_, shape, name), all->level_after(i)));
    }
  }
  if (has_strings) {
    const ExprId contents = Values::union_of_words(all, false);
    const ExprId rest = regex::json_string_then(exprs, contents, algebra_.string_options());
    ways.push_back(exprs.concat(exprs.literal("\""), rest));
  }
  if (has_numbers) ways.push_back(Values::union_of_words(all, true));
  for (const bool is_object : {false, true}) {
    const std::vector<Candidate>& candidates = within[is_object ? 1 : 0];
    if (candidates.empty()) continue;
    const Place inside{is_object, layout_.depth_of(place.depth + 1), is_object ? names_read_.intern({}).first : 0};
    ways.push_back(exprs.concat(layout_.open(is_object ? '{' : '[', place.depth).texts, level(inside, candidates)));
  }
  return exprs.alternation(ways);
}

}  // namespace weir::frontend::json_schema
