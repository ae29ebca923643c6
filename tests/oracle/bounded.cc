#include "oracle/bounded.h"

namespace weir::oracle {
namespace {

// The spans that each rule derives.
class Spans {
 public:
  Spans(const BoundedCfg& grammar, const std::string& text, const std::vector<std::size_t>& token_of)
      : grammar_(grammar),
        text_(text),
        token_of_(token_of),
        size_(text.size() + 1),
        derived_(grammar.cfg.names.size() * size_ * size_, false) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Production& production : grammar_.cfg.productions) {
        for (std::size_t begin = 0; begin < size_; ++begin) changed = extend(production, begin) || changed;
      }
    }
  }

  [[nodiscard]] bool derived(std::size_t rule, std::size_t begin, std::size_t end) const {
    return derived_[(rule * size_ + begin) * size_ + end];
  }

 private:
  bool extend(const Production& production, std::size_t begin) {
    std::vector<bool> at(size_, false);
    at[begin] = true;
    for (const Symbol& symbol : production.symbols) {
      std::vector<bool> next(size_, false);
      for (std::size_t from = begin; from < size_; ++from) {
        if (!at[from]) continue;
        for (std::size_t to = from; to < size_; ++to) {
          const bool is_byte =
              !symbol.is_rule && to == from + 1 && symbol.bytes[static_cast<unsigned char>(text_[from])];
          if (is_byte || (symbol.is_rule && derived(symbol.rule, from, to))) next[to] = true;
        }
      }
      at = std::move(next);
    }
    bool changed = false;
    for (std::size_t end = begin; end < size_; ++end) {
      if (!at[end] || !within_bound(production.rule, begin, end) || derived(production.rule, begin, end)) continue;
      derived_[(production.rule * size_ + begin) * size_ + end] = true;
      changed = true;
    }
    return changed;
  }

  [[nodiscard]] bool within_bound(std::size_t rule, std::size_t begin, std::size_t end) const {
    const std::optional<std::size_t>& bound = grammar_.bounds[rule];
    return !bound || begin == end || token_of_[end - 1] - token_of_[begin] + 1 <= *bound;
  }

  const BoundedCfg& grammar_;
  const std::string& text_;
  const std::vector<std::size_t>& token_of_;  // by byte
  std::size_t size_;
  std::vector<bool> derived_;
};

}  // namespace

bool BoundedLanguage::derives(std::size_t rule, const Tokens& tokens) const {
  std::string text;
  std::vector<std::size_t> token_of;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    text += vocabulary_[tokens[i]];
    token_of.resize(text.size(), i);
  }
  return Spans(grammar_, text, token_of).derived(rule, 0, text.size());
}

std::set<Tokens> BoundedLanguage::members(std::size_t most) const {
  std::set<Tokens> result;
  std::vector<Tokens> all{{}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Tokens tokens = all[i];
    if (is_member(tokens)) result.insert(tokens);
    for (std::uint32_t t = 0; t < vocabulary_.size() && tokens.size() < most; ++t) {
      all.push_back(tokens);
      all.back().push_back(t);
    }
  }
  return result;
}

bool BoundedLanguage::has_text(std::size_t rule, std::size_t most) const {
  std::vector<Tokens> all{{}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Tokens tokens = all[i];
    if (derives(rule, tokens)) return true;
    for (std::uint32_t t = 0; t < vocabulary_.size() && tokens.size() < most; ++t) {
      all.push_back(tokens);
      all.back().push_back(t);
    }
  }
  return false;
}

}  // namespace weir::oracle
