#include "engine/automaton/terminal_samples.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/work.h"
#include "engine/search_bounds.h"
#include "regex/analysis/members.h"
#include "regex/expr/search_bounds.h"

namespace weir::engine {

namespace {

using regex::ExprId;
using regex::ExprSet;

bool is_dead(ExprId e) { return e == ExprId::kNothing || e == ExprId::kOverflow; }

ExprId after(ExprSet& exprs, ExprId e, std::string_view text) {
  for (const char c : text) {
    if (is_dead(e)) break;
    e = exprs.derivative(e, static_cast<std::uint8_t>(c));
  }
  return e;
}

// Returns the likeliest byte of the set; none if all are control characters or not ASCII.
std::optional<char> likely_byte(const regex::ByteSet& bytes) {
  constexpr std::string_view kOrder =
      "eatinosrhldcumfpgwybvkxjqz1230456789TASIEORCNDLMPBUFGHVWKYJXQZ_\"-. /:,;+*'()[]{}<>=!?@#$%&|^~`\\";
  for (const char c : kOrder) {
    if (bytes.contains(static_cast<std::uint8_t>(c))) return c;
  }
  return std::nullopt;
}

// Appends a blank to a member that ends with a comma or colon, if the result is a member, too: most JSON is written so.
void add_blank(ExprSet& exprs, ExprId e, std::string& text) {
  if (text.empty() || (text.back() != ',' && text.back() != ':')) return;
  const ExprId rest = after(exprs, after(exprs, e, text), " ");
  if (!is_dead(rest) && exprs.nullable(rest)) text += ' ';
}

// Returns a word or a number if `e` accepts any word or any number here; otherwise an empty text.
std::string_view free_text(ExprSet& exprs, ExprId e) {
  constexpr std::pair<std::string_view, char> kTexts[] = {{"text", 'e'}, {"12", '5'}};
  for (const auto& [text, more] : kTexts) {
    const ExprId rest = after(exprs, e, text);
    if (!is_dead(rest) && exprs.derivative(rest, static_cast<std::uint8_t>(more)) == rest) return text;
  }
  return {};
}

// Returns a shortest member of `e`; none if it is longer than a sample may be, or takes more than a few visits.
std::optional<std::string> short_member(ExprSet& exprs, ExprId e) {
  const auto member = regex::cut_shortest_member(exprs, e, std::uint32_t{regex::kFewVisits}, kMaxSampleBytes);
  return member && member->is_whole() ? std::optional(member->text()) : std::nullopt;
}

// Returns a shortest member of `e`, with a word or a number inserted at the first position where any may be.
std::optional<std::string> typical_member(ExprSet& exprs, ExprId e) {
  std::optional<std::string> way = short_member(exprs, e);
  if (!way) return std::nullopt;
  ExprId at = e;
  for (std::size_t i = 0; i <= way->size(); ++i) {
    if (const std::string_view text = free_text(exprs, at); !text.empty()) {
      const std::optional<std::string> rest = short_member(exprs, after(exprs, at, text));
      if (!rest) break;
      way = way->substr(0, i) + std::string(text) + *rest;
      break;
    }
    if (i < way->size()) at = exprs.derivative(at, static_cast<std::uint8_t>((*way)[i]));
    if (is_dead(at)) break;
  }
  return way;
}

}  // namespace

std::vector<std::string> sample_members(ExprSet& exprs, ExprId e, std::size_t most) {
  std::vector<std::string> samples;
  std::unordered_set<std::uint32_t> covered;
  const auto add = [&](std::string text) {
    add_blank(exprs, e, text);
    ExprId at = e;
    for (const char c : text) {
      covered.insert(static_cast<std::uint32_t>(at));
      at = exprs.derivative(at, static_cast<std::uint8_t>(c));
    }
    covered.insert(static_cast<std::uint32_t>(at));
    samples.push_back(std::move(text));
  };
  std::optional<std::string> first = typical_member(exprs, e);
  if (!first || first->empty()) return samples;
  add(*std::move(first));
  // Breadth first over the residuals; each is represented by the first text that leads to it.
  struct Place {
    ExprId residual;
    std::string text;
  };
  std::deque<Place> places{{e, {}}};
  std::unordered_set<std::uint32_t> listed{static_cast<std::uint32_t>(e)};
  std::vector<ExprSet::Branch> branches;
  while (!places.empty() && samples.size() < most && !base::Work::is_met()) {
    const Place place = std::move(places.front());
    places.pop_front();
    if (!covered.contains(static_cast<std::uint32_t>(place.residual))) {
      const std::optional<std::string> rest = short_member(exprs, place.residual);
      if (rest && place.text.size() + rest->size() <= kMaxSampleBytes) add(place.text + *rest);
    }
    branches.clear();
    exprs.append_branches(place.residual, branches);
    for (const ExprSet::Branch& branch : branches) {
      const std::optional<char> byte = likely_byte(branch.bytes);
      if (is_dead(branch.to) || !byte || listed.size() >= kResidualsForOneSample * most) continue;
      if (listed.insert(static_cast<std::uint32_t>(branch.to)).second)
        places.push_back({branch.to, place.text + *byte});
    }
  }
  return samples;
}

}  // namespace weir::engine
