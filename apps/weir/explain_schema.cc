#include "explain_schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "commands.h"
#include "weir/compiler.h"
#include "weir/grammar.h"
#include "weir/matcher.h"

namespace weir::cli {

namespace {

using frontend::json_schema::PlaceInText;
using frontend::json_schema::places_in_text;
using frontend::json_schema::SchemaOfPlace;
using Role = SchemaOfPlace::Assertion::Role;

constexpr std::size_t kMaxTrials = 200;
constexpr std::size_t kMaxBytes = 1'000'000;  // in all schemas that are tried
constexpr std::size_t kLongestValue = 32;
constexpr std::size_t kMaxListed = 8;  // schemas that are listed for one value

struct Candidate {
  SchemaFinding::Refusal refusal;
  SourceRange key = {};
  bool is_applicator = false;  // the keywords of its subschemas are candidates, too
  int turn = 0;                // candidates with lower numbers are tried first
  bool is_out = false;
};

class Trials {
 public:
  Trials(const GrammarSource& source, const TokenizerInfo& tokenizer, std::string_view text, std::size_t offset)
      : source_(source), compiler_(tokenizer, source.limits), beginning_(text.substr(0, offset + 1)) {}

  /// Returns true if another schema refuses the text up to and including the refused byte, if that schema does not
  /// compile, or if the trials are exhausted.
  bool is_refused_by(const std::string& schema) {
    if (is_exhausted()) return true;
    ++trials_;
    bytes_ += schema.size();
    const Result<Grammar> grammar = Grammar::from_json_schema(schema, *source_.schema, source_.limits);
    if (!grammar) return true;
    const Result<CompiledGrammar> compiled = compiler_.compile(*grammar);
    return !compiled || GrammarMatcher(*compiled).accept_bytes(beginning_) != Step::kOk;
  }

  /// Returns the result of is_refused_by for the schema without the candidates that are out and candidates
  /// [first, first + count); their keys are renamed so that they have no effect.
  bool is_refused_without(const std::vector<Candidate>& candidates, std::size_t first, std::size_t count) {
    std::vector<SourceRange> keys;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].is_out || (i >= first && i < first + count)) keys.push_back(candidates[i].key);
    }
    std::sort(keys.begin(), keys.end(), [](SourceRange a, SourceRange b) { return a.start > b.start; });
    std::string schema = source_.text;
    std::size_t number = 0;
    for (const SourceRange key : keys) {
      schema.replace(key.start, key.end - key.start, fmt::format("\"x-left-out-{}\"", number++));
    }
    return is_refused_by(schema);
  }

  /// Marks candidates as out while the text is still refused. `additionalProperties` refuses all members once
  /// `properties` is removed, so keywords about the remaining members are tried first, and those that list members
  /// last.
  void reduce(std::vector<Candidate>& candidates) {
    std::ranges::stable_sort(candidates, {}, &Candidate::turn);
    for (std::size_t begin = 0, end = 0; begin < candidates.size(); begin = end) {
      while (end < candidates.size() && candidates[end].turn == candidates[begin].turn) ++end;
      reduce(candidates, begin, end);
    }
  }

  /// Returns true if no more trials are allowed; the candidates that remain are then not reported as reasons.
  [[nodiscard]] bool is_exhausted() const { return trials_ >= kMaxTrials || bytes_ > kMaxBytes; }

 private:
  void reduce(std::vector<Candidate>& candidates, std::size_t begin, std::size_t end) {
    for (std::size_t size = std::max<std::size_t>((end - begin) / 2, 1); size > 0; size /= 2) {
      for (std::size_t i = begin; i < end; i += size) {
        const std::size_t count = std::min(size, end - i);
        if (!is_refused_without(candidates, i, count) || is_exhausted()) continue;
        for (std::size_t j = i; j < i + count; ++j) candidates[j].is_out = true;
      }
    }
  }

  const GrammarSource& source_;
  GrammarCompiler compiler_;
  std::string_view beginning_;
  std::size_t trials_ = 0;
  std::size_t bytes_ = 0;
};

int turn_of(Role role) { return role == Role::kRemaining ? 0 : role == Role::kBelow ? 2 : 1; }

// Returns the assertions about the value at which the text is refused, and of those about the values around it only the
// ones that restrict such a value itself (Role::kOwn).
std::vector<Candidate> candidates_of(std::span<const PlaceInText> places) {
  std::vector<Candidate> out;
  for (std::size_t i = places.size(); i-- > 0;) {  // the outermost first, so that their keywords are removed first
    for (const SchemaOfPlace& schema : places[i].schemas) {
      for (const SchemaOfPlace::Assertion& one : schema.assertions) {
        const bool is_known = std::any_of(out.begin(), out.end(), [&](const Candidate& c) { return c.key == one.key; });
        if (is_known || (i > 0 && one.role != Role::kOwn)) continue;
        out.push_back(
            {{schema.location + "/" + one.keyword, one.value}, one.key, one.role == Role::kInPlace, turn_of(one.role)});
      }
    }
  }
  return out;
}

void find_refusal(Trials& trials, SchemaFinding& finding) {
  std::vector<Candidate> candidates = candidates_of(finding.places);
  if (trials.is_refused_without(candidates, 0, candidates.size())) {
    // Without all these keywords, several branches of a `oneOf` may hold, so that the text is refused for another
    // reason. So only the keywords about the innermost value are tried.
    candidates = candidates_of(std::span(finding.places).first(1));
    if (trials.is_refused_without(candidates, 0, candidates.size())) return;
  }
  trials.reduce(candidates);
  if (trials.is_exhausted()) return;
  std::erase_if(candidates, [](const Candidate& c) { return c.is_out; });
  const bool has_reason =
      std::any_of(candidates.begin(), candidates.end(), [](const Candidate& c) { return !c.is_applicator; });
  for (Candidate& one : candidates) {
    if (!has_reason || !one.is_applicator) finding.refused_by.push_back(std::move(one.refusal));
  }
}

bool speaks_of(const PlaceInText& place, const SchemaFinding::Refusal& by) {
  return std::any_of(place.schemas.begin(), place.schemas.end(), [&](const SchemaOfPlace& schema) {
    return std::any_of(schema.assertions.begin(), schema.assertions.end(),
                       [&](const SchemaOfPlace::Assertion& one) { return one.value == by.where; });
  });
}

std::vector<PlaceInText> places(const GrammarSource& source, std::string_view read, char next) {
  auto found = places_in_text(source.text, *source.schema, source.limits, read, next);
  if (!found) throw grammar_error(found.error(), source);
  return *std::move(found);
}

std::string line_of(SourceRange where, const std::string& what, const GrammarSource& source) {
  if (where.end == where.start) return fmt::format("    {}\n", what);
  const LineColumn at = line_column(source.text, where.start);
  return fmt::format("    {}:{}:{}: {}\n", escape(source.name), at.line, at.column, what);
}

std::string lines_of(const PlaceInText& place, const GrammarSource& source) {
  std::string lines;
  for (std::size_t i = 0; i < std::min(place.schemas.size(), kMaxListed); ++i) {
    const SchemaOfPlace& schema = place.schemas[i];
    const std::string types = schema.types.empty() ? "" : fmt::format(" ({})", schema.types);
    lines += line_of(schema.where, escape(schema.location, schema.location.size()) + types, source);
  }
  if (place.schemas.size() > kMaxListed) lines += fmt::format("    and {} more\n", place.schemas.size() - kMaxListed);
  if (place.schemas.empty()) lines += "    nothing\n";
  return lines;
}

std::string in_words(const std::string& pointer) {
  return pointer.empty() ? "the whole text" : "`" + escape(pointer, pointer.size()) + "`";
}

Json place_json(const std::string& location, SourceRange where, const GrammarSource& source) {
  Json out = {{"location", location}};
  if (where.end == where.start) return out;
  const LineColumn at = line_column(source.text, where.start);
  out.update({{"start", where.start}, {"end", where.end}, {"line", at.line}, {"column", at.column}});
  return out;
}

}  // namespace

SchemaFinding explain_by_schema(const GrammarSource& source, const TokenizerInfo& tokenizer, std::string_view text,
                                std::size_t offset) {
  SchemaFinding finding;
  const std::string_view read = text.substr(0, offset);
  const char next = offset < text.size() ? text[offset] : '\0';
  finding.places = places(source, read, '\0');
  if (offset == text.size()) return finding;
  Trials trials(source, tokenizer, text, offset);
  finding.is_no_json = trials.is_refused_by("true");
  std::vector<PlaceInText> around = places(source, read, next);
  if (!finding.is_no_json) find_refusal(trials, finding);
  if (around.size() == finding.places.size()) return finding;
  // A bracket after a number ends the number: it is refused either by keywords about the number or by keywords about
  // the value around it.
  const bool is_of_value = std::any_of(finding.refused_by.begin(), finding.refused_by.end(),
                                       [&](const auto& by) { return speaks_of(finding.places.front(), by); });
  if (is_of_value) return finding;
  finding.places = std::move(around);
  if (!finding.is_no_json && finding.refused_by.empty()) find_refusal(trials, finding);
  return finding;
}

std::string describe(const SchemaFinding& finding, const GrammarSource& source) {
  std::string out;
  for (std::size_t i = 0; i < finding.places.size(); ++i) {
    const PlaceInText& place = finding.places[i];
    if (i == 1) out += "  within, from the inside out:\n";
    if (i == 0) out += fmt::format("  at {}, of which the schema says:\n", in_words(place.pointer));
    out += lines_of(place, source);
    if (i != 0) continue;
    if (finding.is_no_json) out += "  refused whatever the schema says, by JSON and the options\n";
    if (!finding.refused_by.empty()) out += "  refused by:\n";
    for (const SchemaFinding::Refusal& by : finding.refused_by) {
      const std::string value = source.text.substr(by.where.start, by.where.end - by.where.start);
      const bool is_short = value.size() <= kLongestValue && value.find('\n') == std::string::npos;
      out += line_of(by.where, escape(by.location, by.location.size()) + (is_short ? " (" + escape(value) + ")" : ""),
                     source);
    }
  }
  return out;
}

Json schema_finding_json(const SchemaFinding& finding, const GrammarSource& source) {
  Json out = {{"places", Json::array()}, {"refused_by", Json::array()}};
  for (const PlaceInText& place : finding.places) {
    Json schemas = Json::array();
    for (const SchemaOfPlace& schema : place.schemas) {
      schemas.push_back(place_json(schema.location, schema.where, source));
    }
    out["places"].push_back({{"pointer", place.pointer}, {"schemas", std::move(schemas)}});
  }
  for (const SchemaFinding::Refusal& by : finding.refused_by) {
    out["refused_by"].push_back(place_json(by.location, by.where, source));
  }
  return out;
}

}  // namespace weir::cli
