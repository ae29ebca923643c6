#include "engine/costs/program.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/build_call.h"
#include "base/utf8.h"
#include "engine/search_bounds.h"
#include "grammar/growth.h"
#include "grammar/passes/pipeline.h"
#include "regex/expr/id_set.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

namespace {

// Finds literals of terminals that contain the name of a special token. A literal is text: it does not match the token.
// Parts that several terminals share are read once, if nothing was found in them.
class SpecialLiterals {
 public:
  SpecialLiterals(const regex::ExprSet& exprs, const vocab::Vocabulary& vocabulary)
      : exprs_(exprs), vocabulary_(vocabulary) {
    for (const std::uint32_t id : vocabulary.special_tokens()) {
      const std::string_view name = vocabulary.token_name(id);
      if (name.size() < 2) continue;  // `a` is hardly meant as a token
      longest_ = std::max(longest_, name.size());
      begins_[static_cast<std::uint8_t>(name.front())] = true;
      names_.push_back(name);
    }
    std::sort(names_.begin(), names_.end());
  }

  void warn(const grammar::Terminal& terminal, std::vector<Warning>& warnings) {
    found_.clear();
    if (!read(terminal.expr) || !found_.empty()) read_.clear();
    for (const std::string& name : found_) {
      warnings.push_back(
          {"`" + base::escape_for_display(name) + "` is a special token, and this literal is only its text",
           terminal.where, "other tokens spell the text; a grammar names the token itself as a token terminal",
           "special-token-text"});
    }
  }

 private:
  struct Open {
    regex::ExprId expr;
    std::string before;  // the end of the literal that leads to it, as far as a name may begin with it
  };

  // Returns true if all parts were read.
  bool read(regex::ExprId whole) {
    std::size_t left = kMaxSearchedParts;
    bool is_whole = true;
    std::vector<Open> open{{whole, {}}};
    for (; !open.empty() && left > 0; --left) {
      Open part = std::move(open.back());
      open.pop_back();
      for (regex::ExprId expr = part.expr; expr != regex::ExprId::kEpsilon; expr = exprs_.tail(expr)) {
        if (part.before.empty() && !is_to_read(expr)) break;
        const regex::ExprId head = exprs_.head(expr);
        if (exprs_.kind(head) == regex::ExprKind::kByteSet && exprs_.bytes(head).size() == 1) {
          part.before += static_cast<char>(exprs_.bytes(head).first());
          continue;
        }
        const bool is_plain =
            exprs_.kind(head) == regex::ExprKind::kAlternation || exprs_.kind(head) == regex::ExprKind::kRepeat;
        const std::string_view begun = begin_of_name(part.before);
        for (std::uint32_t i = 0; is_plain && i < exprs_.operand_count(head) && open.size() < kMaxSearchedParts; ++i) {
          open.push_back({exprs_.operand(head, i), std::string(begun)});
        }
        is_whole = is_whole && open.size() < kMaxSearchedParts;
        search(part.before);
        part.before.clear();
      }
      search(part.before);
    }
    return is_whole && open.empty();
  }

  // Returns false if what can come from this expression on was read before, with no literal in front of it.
  bool is_to_read(regex::ExprId expr) { return read_.insert(static_cast<std::uint32_t>(expr)); }

  // Returns the longest end of the literal with which a name begins.
  [[nodiscard]] std::string_view begin_of_name(std::string_view literal) const {
    for (std::size_t i = literal.size() - std::min(literal.size(), longest_); i < literal.size(); ++i) {
      const std::string_view end = literal.substr(i);
      const auto name = std::lower_bound(names_.begin(), names_.end(), end);
      if (name != names_.end() && name->starts_with(end)) return end;
    }
    return {};
  }

  void search(std::string_view literal) {
    for (std::size_t i = 0; i < literal.size(); ++i) {
      if (!begins_[static_cast<std::uint8_t>(literal[i])]) continue;
      for (std::size_t length = std::min(longest_, literal.size() - i); length > 1; --length) {
        const std::string_view name = literal.substr(i, length);
        if (!vocabulary_.find_special_token(name)) continue;
        if (std::find(found_.begin(), found_.end(), name) == found_.end()) found_.emplace_back(name);
        i += length - 1;
        break;
      }
    }
  }

  const regex::ExprSet& exprs_;
  const vocab::Vocabulary& vocabulary_;
  std::array<bool, 256> begins_{};
  std::size_t longest_ = 0;
  std::vector<std::string_view> names_;  // sorted
  std::vector<std::string> found_;
  regex::IdSet read_;  // with no literal in front: of this terminal, and of others in which nothing was found
};

}  // namespace

bool Program::has_conditions() const {
  const auto is_condition = [](regex::ExprId follow) { return follow != regex::ExprId::kAllStrings; };
  return std::any_of(token_follows.begin(), token_follows.end(), is_condition) ||
         std::any_of(terminals.begin(), terminals.end(), [&](const lexer::TerminalSpec& t) {
           return base::ends_under_conditions(t.mode) || is_condition(t.follow);
         });
}

bool Program::is_separable() const {
  const auto is_other = [this](regex::ExprId follow) {
    return follow != regex::ExprId::kAllStrings && std::ranges::find(cfg.separable, follow) == cfg.separable.end();
  };
  return !cfg.separable.empty() && std::none_of(token_follows.begin(), token_follows.end(), is_other) &&
         std::none_of(cfg.rules.begin(), cfg.rules.end(),
                      [](const grammar::CfgRule& rule) { return rule.max_tokens != grammar::kNoTokenLimit; }) &&
         std::none_of(terminals.begin(), terminals.end(), [&](const lexer::TerminalSpec& terminal) {
           return base::ends_under_conditions(terminal.mode) || is_other(terminal.follow);
         });
}

std::unique_ptr<grammar::TextGuard> Program::make_guard() const {
  if (cfg.sources.size() != 1) return nullptr;
  return cfg.sources[0].source->guard(tokenizer.vocabulary().quoting_tokens());
}

Result<std::shared_ptr<const Program>> make_program(const Grammar& grammar, const TokenizerInfo& tokenizer,
                                                    const Limits& limits, const PlaceWarnings& place) {
  std::vector<Warning> warnings = grammar.warnings();
  std::vector<Warning> from_passes;
  Result<grammar::Cfg> cfg = grammar::run_passes(grammar.ir(), limits, &from_passes);
  if (!cfg) return tl::unexpected(std::move(cfg).error());
  if (place) place(from_passes);
  base::add_new(std::move(from_passes), warnings);  // reading the grammar ran some of the passes already
  if (const grammar::Grammar& ir = grammar.ir(); !ir.terminals.empty()) {
    SpecialLiterals literals(ir.exprs, tokenizer.vocabulary());
    std::vector<Warning> of_literals;
    for (const grammar::Terminal& terminal : ir.terminals) literals.warn(terminal, of_literals);
    if (place) place(of_literals);
    std::ranges::move(of_literals, std::back_inserter(warnings));
  }
  std::vector<lexer::TerminalSpec> terminals;
  for (const grammar::Terminal& terminal : cfg->terminals) {
    terminals.push_back({terminal.expr, terminal.mode, terminal.follow});
  }
  TokenTerminals token_terminals;
  std::vector<regex::ExprId> token_follows;
  for (const grammar::TokenSet& set : cfg->token_sets) {
    if (auto added = token_terminals.add(set, tokenizer.vocabulary()); !added) {
      return tl::unexpected(std::move(added).error());
    }
    token_follows.push_back(set.follow);
  }
  const bool follows_text = std::any_of(cfg->sources.begin(), cfg->sources.end(),
                                        [](const auto& lazy) { return lazy.source->follows_text(); });
  const auto has_one = [](const auto& part) { return part.temperature != grammar::kNoTemperature; };
  const bool has_temperatures = std::any_of(cfg->terminals.begin(), cfg->terminals.end(), has_one) ||
                                std::any_of(cfg->token_sets.begin(), cfg->token_sets.end(), has_one) ||
                                std::any_of(cfg->sources.begin(), cfg->sources.end(), has_one);
  CaptureCycles capture_cycles = find_capture_cycles(*cfg);
  return std::make_shared<const Program>(Program{
      *std::move(cfg), std::move(terminals), std::move(token_terminals), std::move(token_follows), tokenizer, limits,
      std::move(warnings), follows_text, has_temperatures, std::move(capture_cycles), grammar.source()});
}

}  // namespace weir::engine
