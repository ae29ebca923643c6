#include "oracle/regex.h"

#include <algorithm>
#include <set>
#include <utility>

namespace weir::oracle {
namespace {

RegexPtr make(Regex regex, std::string key) {
  regex.key = std::move(key);
  return std::make_shared<const Regex>(std::move(regex));
}

std::string key_of_set(const ByteSet& set) {
  std::string key = "[";
  for (std::size_t first = 0; first < 256; ++first) {
    if (!set[first]) continue;
    std::size_t last = first;
    while (last + 1 < 256 && set[last + 1]) ++last;
    key += std::to_string(first) + "-" + std::to_string(last) + ",";
    first = last;
  }
  return key + "]";
}

}  // namespace

ByteSet bytes_of(std::string_view bytes) {
  ByteSet set;
  for (const char c : bytes) set.set(static_cast<unsigned char>(c));
  return set;
}

RegexPtr nothing() { return make({.kind = RegexKind::kNothing}, "0"); }
RegexPtr empty() { return make({.kind = RegexKind::kEmpty}, "1"); }
RegexPtr set_of(const ByteSet& set) { return make({.kind = RegexKind::kSet, .set = set}, key_of_set(set)); }
RegexPtr set_of(std::string_view bytes) { return set_of(bytes_of(bytes)); }

RegexPtr literal(std::string_view bytes) {
  if (bytes.empty()) return empty();
  RegexPtr result = set_of(bytes.substr(0, 1));
  for (std::size_t i = 1; i < bytes.size(); ++i) result = concat(result, set_of(bytes.substr(i, 1)));
  return result;
}

RegexPtr concat(RegexPtr left, RegexPtr right) {
  std::string key = "(" + left->key + "." + right->key + ")";
  return make({.kind = RegexKind::kConcat, .left = std::move(left), .right = std::move(right)}, std::move(key));
}

RegexPtr either(RegexPtr left, RegexPtr right) {
  std::string key = "(" + left->key + "|" + right->key + ")";
  return make({.kind = RegexKind::kOr, .left = std::move(left), .right = std::move(right)}, std::move(key));
}

RegexPtr both(RegexPtr left, RegexPtr right) {
  std::string key = "(" + left->key + "&" + right->key + ")";
  return make({.kind = RegexKind::kAnd, .left = std::move(left), .right = std::move(right)}, std::move(key));
}

RegexPtr complement(RegexPtr child) {
  std::string key = "~" + child->key;
  return make({.kind = RegexKind::kNot, .left = std::move(child)}, std::move(key));
}

RegexPtr repeat(RegexPtr child, int min, int max) {
  std::string key = child->key + "{" + std::to_string(min) + "," + std::to_string(max) + "}";
  return make({.kind = RegexKind::kRepeat, .left = std::move(child), .min = min, .max = max}, std::move(key));
}

int size_of(const Regex& regex) {
  return 1 + (regex.left ? size_of(*regex.left) : 0) + (regex.right ? size_of(*regex.right) : 0);
}

// ---------------------------------------------------------------------------------------------------------- spans

namespace {

// A relation on text positions: bit (i, j) for i <= j.
struct Spans {
  explicit Spans(std::size_t text_size) : n(text_size + 1), bits(n * n, 0) {}
  [[nodiscard]] char& at(std::size_t i, std::size_t j) { return bits[i * n + j]; }
  [[nodiscard]] char at(std::size_t i, std::size_t j) const { return bits[i * n + j]; }
  std::size_t n;
  std::vector<char> bits;
};

Spans product(const Spans& left, const Spans& right) {
  Spans result(left.n - 1);
  for (std::size_t i = 0; i < left.n; ++i) {
    for (std::size_t k = i; k < left.n; ++k) {
      if (!left.at(i, k)) continue;
      for (std::size_t j = k; j < left.n; ++j) {
        if (right.at(k, j)) result.at(i, j) = 1;
      }
    }
  }
  return result;
}

Spans identity(std::size_t text_size) {
  Spans result(text_size);
  for (std::size_t i = 0; i <= text_size; ++i) result.at(i, i) = 1;
  return result;
}

bool add(Spans& into, const Spans& more) {
  bool changed = false;
  for (std::size_t i = 0; i < into.bits.size(); ++i) {
    if (more.bits[i] && !into.bits[i]) into.bits[i] = 1, changed = true;
  }
  return changed;
}

Spans spans_of(const Regex& regex, std::string_view text);

// Returns the union of child^k for min <= k <= max. Without a bound, powers are added until nothing changes; the union
// does then not change with further factors either.
Spans spans_of_repeat(const Regex& regex, std::string_view text) {
  const Spans child = spans_of(*regex.left, text);
  Spans power = identity(text.size());
  for (int k = 0; k < regex.min; ++k) power = product(power, child);
  Spans result = power;
  for (int k = regex.min; regex.max == kUnbounded || k < regex.max; ++k) {
    power = product(power, child);
    const bool changed = add(result, power);
    if (regex.max == kUnbounded && !changed) break;
  }
  return result;
}

Spans spans_of(const Regex& regex, std::string_view text) {
  Spans result(text.size());
  switch (regex.kind) {
    case RegexKind::kNothing: return result;
    case RegexKind::kEmpty: return identity(text.size());
    case RegexKind::kSet:
      for (std::size_t i = 0; i < text.size(); ++i)
        result.at(i, i + 1) = regex.set[static_cast<unsigned char>(text[i])];
      return result;
    case RegexKind::kConcat: return product(spans_of(*regex.left, text), spans_of(*regex.right, text));
    case RegexKind::kOr:
      result = spans_of(*regex.left, text);
      add(result, spans_of(*regex.right, text));
      return result;
    case RegexKind::kAnd: {
      const Spans left = spans_of(*regex.left, text);
      const Spans right = spans_of(*regex.right, text);
      for (std::size_t i = 0; i < result.bits.size(); ++i) result.bits[i] = left.bits[i] && right.bits[i];
      return result;
    }
    case RegexKind::kNot: {
      const Spans child = spans_of(*regex.left, text);
      for (std::size_t i = 0; i < result.n; ++i) {
        for (std::size_t j = i; j < result.n; ++j) result.at(i, j) = !child.at(i, j);
      }
      return result;
    }
    case RegexKind::kRepeat: return spans_of_repeat(regex, text);
  }
  return result;
}

}  // namespace

bool matches(const Regex& regex, std::string_view text) { return spans_of(regex, text).at(0, text.size()) != 0; }

std::vector<char> match_spans(const Regex& regex, std::string_view text) { return spans_of(regex, text).bits; }

// ---------------------------------------------------------------------------------------------------- derivatives

namespace {

// Makes similar expressions equal: flattens `or` and `and`, sorts their operands and removes duplicates.
void collect(const RegexPtr& regex, RegexKind kind, std::map<std::string, RegexPtr>& operands) {
  if (regex->kind == kind) {
    collect(regex->left, kind, operands);
    collect(regex->right, kind, operands);
  } else {
    operands.emplace(regex->key, regex);
  }
}

RegexPtr fold(const std::map<std::string, RegexPtr>& operands, RegexKind kind) {
  RegexPtr result;
  for (const auto& [key, operand] : operands) {
    result = !result ? operand : kind == RegexKind::kOr ? either(result, operand) : both(result, operand);
  }
  return result;
}

RegexPtr similar_either(const RegexPtr& left, const RegexPtr& right) {
  if (left->kind == RegexKind::kNothing) return right;
  if (right->kind == RegexKind::kNothing) return left;
  std::map<std::string, RegexPtr> operands;
  collect(left, RegexKind::kOr, operands);
  collect(right, RegexKind::kOr, operands);
  return fold(operands, RegexKind::kOr);
}

RegexPtr similar_both(const RegexPtr& left, const RegexPtr& right) {
  if (left->kind == RegexKind::kNothing) return left;
  if (right->kind == RegexKind::kNothing) return right;
  std::map<std::string, RegexPtr> operands;
  collect(left, RegexKind::kAnd, operands);
  collect(right, RegexKind::kAnd, operands);
  return fold(operands, RegexKind::kAnd);
}

RegexPtr similar_concat(const RegexPtr& left, const RegexPtr& right) {
  if (left->kind == RegexKind::kNothing || right->kind == RegexKind::kEmpty) return left;
  if (right->kind == RegexKind::kNothing || left->kind == RegexKind::kEmpty) return right;
  return concat(left, right);
}

bool nullable(const Regex& regex) {
  switch (regex.kind) {
    case RegexKind::kNothing:
    case RegexKind::kSet: return false;
    case RegexKind::kEmpty: return true;
    case RegexKind::kConcat:
    case RegexKind::kAnd: return nullable(*regex.left) && nullable(*regex.right);
    case RegexKind::kOr: return nullable(*regex.left) || nullable(*regex.right);
    case RegexKind::kNot: return !nullable(*regex.left);
    case RegexKind::kRepeat: return regex.min == 0 || nullable(*regex.left);
  }
  return false;
}

RegexPtr derivative(const RegexPtr& regex, unsigned char byte) {
  switch (regex->kind) {
    case RegexKind::kNothing:
    case RegexKind::kEmpty: return nothing();
    case RegexKind::kSet: return regex->set[byte] ? empty() : nothing();
    case RegexKind::kConcat: {
      const RegexPtr first = similar_concat(derivative(regex->left, byte), regex->right);
      return nullable(*regex->left) ? similar_either(first, derivative(regex->right, byte)) : first;
    }
    case RegexKind::kOr: return similar_either(derivative(regex->left, byte), derivative(regex->right, byte));
    case RegexKind::kAnd: return similar_both(derivative(regex->left, byte), derivative(regex->right, byte));
    case RegexKind::kNot: return complement(derivative(regex->left, byte));
    case RegexKind::kRepeat: {
      // r{m,n} = r r{m-1,n-1}. If r is nullable, the factors after the first non-empty one suffice, because r^k then
      // contains r^(k-1).
      if (regex->max == 0) return nothing();
      const int max = regex->max == kUnbounded ? kUnbounded : regex->max - 1;
      const RegexPtr rest = max == 0 ? empty() : repeat(regex->left, std::max(regex->min - 1, 0), max);
      return similar_concat(derivative(regex->left, byte), rest);
    }
  }
  return nothing();
}

}  // namespace

Dfa::Dfa(const RegexPtr& regex, std::string_view alphabet) {
  std::map<std::string, State> states{{regex->key, 0}};
  std::vector<RegexPtr> expressions{regex};
  std::vector<std::vector<State>> previous(1);
  for (State state = 0; state < expressions.size(); ++state) {
    accepting_.push_back(nullable(*expressions[state]));
    next_.emplace_back();
    for (const char byte : alphabet) {
      const RegexPtr target = derivative(expressions[state], static_cast<unsigned char>(byte));
      const auto [it, is_new] = states.try_emplace(target->key, expressions.size());
      if (is_new) {
        expressions.push_back(target);
        previous.emplace_back();
      }
      next_[state][byte] = it->second;
      previous[it->second].push_back(state);
    }
  }
  live_ = accepting_;
  std::vector<State> work;
  for (State state = 0; state < live_.size(); ++state) {
    if (live_[state]) work.push_back(state);
  }
  while (!work.empty()) {
    const State state = work.back();
    work.pop_back();
    for (const State source : previous[state]) {
      if (!live_[source]) live_[source] = 1, work.push_back(source);
    }
  }
}

Dfa::State Dfa::run(std::string_view text) const {
  State state = start();
  for (const char byte : text) state = step(state, byte);
  return state;
}

// -------------------------------------------------------------------------------------------- printing, enumerating

namespace {

// The binding strength of an expression: an operand that binds less tightly than its position requires needs a group.
enum Level { kOrLevel, kAndLevel, kConcatLevel, kNotLevel, kRepeatLevel, kAtomLevel };

class Printer {
 public:
  Printer(Syntax syntax, Groups groups, std::string_view universe)
      : ebnf_(syntax == Syntax::kEbnf), all_groups_(groups == Groups::kAll), universe_(universe) {}

  [[nodiscard]] std::string print(const Regex& regex, Level place) const {
    const auto [text, level] = print_bare(regex);
    if (level >= place && (!all_groups_ || level == kAtomLevel)) return text;
    return (ebnf_ ? "(" : "(?:") + text + ")";
  }

 private:
  [[nodiscard]] std::pair<std::string, Level> print_bare(const Regex& regex) const {
    switch (regex.kind) {
      case RegexKind::kNothing: return {ebnf_ ? "(\"a\" & \"b\")" : "(?:a&b)", kAtomLevel};
      case RegexKind::kEmpty: return {ebnf_ ? "\"\"" : "(?:)", kAtomLevel};
      case RegexKind::kSet: return {print_set(regex.set), kAtomLevel};
      case RegexKind::kConcat:
        return {print(*regex.left, kConcatLevel) + (ebnf_ ? " " : "") + print(*regex.right, kConcatLevel),
                kConcatLevel};
      case RegexKind::kOr: return {print(*regex.left, kOrLevel) + "|" + print(*regex.right, kOrLevel), kOrLevel};
      case RegexKind::kAnd: return {print(*regex.left, kAndLevel) + "&" + print(*regex.right, kAndLevel), kAndLevel};
      case RegexKind::kNot: return {"~" + print(*regex.left, kNotLevel), kNotLevel};
      case RegexKind::kRepeat: return {print(*regex.left, kAtomLevel) + repeat_suffix(regex), kRepeatLevel};
    }
    return {"", kAtomLevel};
  }

  [[nodiscard]] std::string print_set(const ByteSet& set) const {
    std::string inside;
    std::string outside;
    for (const char c : universe_) (set[static_cast<unsigned char>(c)] ? inside : outside) += c;
    if (outside.empty()) return ".";
    if (set[static_cast<unsigned char>(universe_.back())]) return "[^" + outside + "]";
    if (inside.size() > 1) return "[" + inside + "]";
    return ebnf_ ? "\"" + inside + "\"" : inside;
  }

  static std::string repeat_suffix(const Regex& regex) {
    if (regex.max == kUnbounded && regex.min == 0) return "*";
    if (regex.max == kUnbounded && regex.min == 1) return "+";
    if (regex.min == 0 && regex.max == 1) return "?";
    if (regex.max == kUnbounded) return "{" + std::to_string(regex.min) + ",}";
    if (regex.min == regex.max) return "{" + std::to_string(regex.min) + "}";
    return "{" + std::to_string(regex.min) + "," + std::to_string(regex.max) + "}";
  }

  bool ebnf_;
  bool all_groups_;
  std::string_view universe_;
};

}  // namespace

std::string print(const Regex& regex, Syntax syntax, Groups groups, std::string_view universe) {
  return Printer(syntax, groups, universe).print(regex, kOrLevel);
}

std::vector<RegexPtr> all_regexes(int size, const std::vector<RegexPtr>& leaves) {
  if (size <= 1) return leaves;
  std::vector<RegexPtr> result;
  for (const RegexPtr& child : all_regexes(size - 1, leaves)) {
    result.push_back(complement(child));
    result.push_back(repeat(child, 0, kUnbounded));
    result.push_back(repeat(child, 0, 1));
    result.push_back(repeat(child, 2, 2));
  }
  for (int left_size = 1; left_size < size - 1; ++left_size) {
    const std::vector<RegexPtr> rights = all_regexes(size - 1 - left_size, leaves);
    for (const RegexPtr& left : all_regexes(left_size, leaves)) {
      for (const RegexPtr& right : rights) {
        result.push_back(concat(left, right));
        result.push_back(either(left, right));
        result.push_back(both(left, right));
      }
    }
  }
  return result;
}

RegexPtr random_regex(std::minstd_rand& random, int size, const std::vector<RegexPtr>& leaves) {
  if (size <= 1) return leaves[random() % leaves.size()];
  const auto choice = random() % 10;
  if (choice < 4 || size == 2) {
    const RegexPtr child = random_regex(random, size - 1, leaves);
    const int min = static_cast<int>(random() % 3);
    switch (choice % 4) {
      case 0: return complement(child);
      case 1: return repeat(child, min, kUnbounded);
      case 2: return repeat(child, min, min + static_cast<int>(random() % 3));
      default: return repeat(child, 0, 1);
    }
  }
  const int left_size = 1 + static_cast<int>(random() % static_cast<unsigned>(size - 2));
  const RegexPtr left = random_regex(random, left_size, leaves);
  const RegexPtr right = random_regex(random, size - 1 - left_size, leaves);
  if (choice < 7) return concat(left, right);
  return choice == 7 ? both(left, right) : either(left, right);
}

std::vector<std::string> all_strings(std::string_view alphabet, std::size_t length) {
  std::vector<std::string> result{""};
  for (std::size_t begin = 0, n = 1; n <= length; ++n) {
    const std::size_t end = result.size();
    for (; begin < end; ++begin) {
      for (const char c : alphabet) result.push_back(result[begin] + c);
    }
  }
  return result;
}

}  // namespace weir::oracle
