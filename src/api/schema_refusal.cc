#include "api/schema_refusal.h"

#include <algorithm>
#include <span>
#include <utility>

#include "api/search_bounds.h"
#include "base/blanks.h"
#include "base/json/json_text.h"
#include "base/json/json_value.h"
#include "weir/compiler.h"
#include "weir/explain.h"
#include "weir/grammar.h"
#include "weir/matcher.h"

namespace weir {

namespace {

using frontend::json_schema::PlaceInText;
using frontend::json_schema::places_in_text;
using frontend::json_schema::SchemaOfPlace;
using Role = SchemaOfPlace::Assertion::Role;

struct Candidate {
  SchemaFinding::Refusal refusal;
  SourceRange key = {};
  Role role = Role::kOwn;
  bool is_out = false;
};

// Candidates with lower numbers are tried first.
int turn_of(const Candidate& one) { return one.role == Role::kRemaining ? 0 : one.role == Role::kBelow ? 2 : 1; }

// Of the keywords that refuse a text only those with the lowest number are named: a keyword of a subschema says more than
// the one that applies the subschema.
int rank_of(const Candidate& one) { return one.role == Role::kReference ? 2 : one.role == Role::kInPlace ? 1 : 0; }

class Trials {
 public:
  /// The text is refused at `offset`. If that is its end, it is refused because it ends there.
  Trials(const SchemaSource& source, const TokenizerInfo& tokenizer, std::string_view text, std::size_t offset)
      : source_(source),
        schema_(source.text),
        compiler_(tokenizer, source.limits),
        beginning_(text.substr(0, offset + 1)),
        ends_(offset == text.size()) {}

  /// Returns true if another schema refuses the text up to and including the refused byte, or its end, if that schema
  /// does not compile, or if the trials are exhausted.
  bool is_refused_by(const std::string& schema) {
    if (is_exhausted()) return true;
    ++trials_;
    bytes_ += schema.size();
    const Result<Grammar> grammar = Grammar::from_json_schema(schema, source_.options, source_.limits);
    if (!grammar) return true;
    const Result<CompiledGrammar> compiled = compiler_.compile(*grammar);
    if (!compiled) return true;
    GrammarMatcher matcher(*compiled);
    const Step step = matcher.accept_bytes(beginning_);
    if (step == Step::kLimitExceeded) trials_ = kMaxRefusalTrials;
    return step != Step::kOk || (ends_ && !matcher.is_completed());
  }

  /// Reads the `oneOf` about these values as `anyOf` from now on, unless the text is then no longer refused: because several
  /// branches hold. Otherwise the keywords in a branch are what refuses, and without those of two branches both would hold.
  void let_several_hold(std::span<const PlaceInText> places) {
    std::string relaxed = schema_;
    for (const PlaceInText& place : places) {
      for (const SchemaOfPlace& schema : place.schemas) {
        const auto find = [&](std::string_view keyword) {
          return std::ranges::find(schema.assertions, keyword, &SchemaOfPlace::Assertion::keyword);
        };
        if (find("oneOf") == schema.assertions.end() || find("anyOf") != schema.assertions.end()) continue;
        const SourceRange key = find("oneOf")->key;
        relaxed.replace(key.start, key.end - key.start, std::string(key.end - key.start - 7, ' ') + R"("anyOf")");
      }
    }
    if (relaxed != schema_ && is_refused_by(relaxed)) schema_ = std::move(relaxed);
  }

  /// Returns the result of is_refused_by for the schema without the candidates that are out and candidates
  /// [first, first + count); their keys are renamed so that they have no effect.
  bool is_refused_without(const std::vector<Candidate>& candidates, std::size_t first, std::size_t count) {
    std::vector<SourceRange> keys;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].is_out || (i >= first && i < first + count)) keys.push_back(candidates[i].key);
    }
    std::sort(keys.begin(), keys.end(), [](SourceRange a, SourceRange b) { return a.start > b.start; });
    std::string schema = schema_;
    std::size_t number = 0;
    for (const SourceRange key : keys) {
      schema.replace(key.start, key.end - key.start, "\"x-left-out-" + std::to_string(number++) + "\"");
    }
    return is_refused_by(schema);
  }

  /// Marks candidates as out as long as the schema without them still refuses the text. `additionalProperties` refuses
  /// all members once `properties` is removed, so keywords about the remaining members are tried first, and those that
  /// list members last.
  void reduce(std::vector<Candidate>& candidates) {
    std::ranges::stable_sort(candidates, {}, turn_of);
    for (std::size_t begin = 0, end = 0; begin < candidates.size(); begin = end) {
      while (end < candidates.size() && turn_of(candidates[end]) == turn_of(candidates[begin])) ++end;
      reduce(candidates, begin, end);
    }
  }

  /// Returns true if no more trials are allowed; the candidates that remain are then not reported as reasons.
  [[nodiscard]] bool is_exhausted() const { return trials_ >= kMaxRefusalTrials || bytes_ > kMaxRefusalBytes; }

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

  const SchemaSource& source_;
  std::string schema_;
  GrammarCompiler compiler_;
  std::string_view beginning_;
  bool ends_;
  std::size_t trials_ = 0;
  std::size_t bytes_ = 0;
};

// Returns the assertions about the value at which the text is refused, and of those about the values around it only the
// ones that restrict such a value itself (Role::kOwn). A value that has no items and members yet is not refused by
// assertions about these. Without a `properties` that also says what the values around are, those would be other values.
std::vector<Candidate> candidates_of(std::span<const PlaceInText> places) {
  std::vector<Candidate> out;
  const auto is_around = [&](const SchemaOfPlace::Assertion& below) {
    return std::ranges::any_of(places.subspan(1), [&](const PlaceInText& place) {
      return std::ranges::any_of(place.schemas, [&](const SchemaOfPlace& schema) {
        return std::ranges::any_of(schema.assertions, [&](const auto& one) { return one.key == below.key; });
      });
    });
  };
  for (std::size_t i = places.size(); i-- > 0;) {  // the outermost first, so that their keywords are removed first
    for (const SchemaOfPlace& schema : places[i].schemas) {
      for (const SchemaOfPlace::Assertion& one : schema.assertions) {
        const bool is_known = std::any_of(out.begin(), out.end(), [&](const Candidate& c) { return c.key == one.key; });
        if (is_known || (i > 0 && one.role != Role::kOwn)) continue;
        if (!places[i].is_open && (one.role == Role::kBelow || one.role == Role::kRemaining)) continue;
        if (one.role == Role::kBelow && is_around(one)) continue;
        out.push_back({{schema.location + "/" + one.keyword, one.value}, one.key, one.role});
      }
    }
  }
  return out;
}

// Returns those of the candidates without each of which alone the text is not refused.
std::vector<Candidate> each_alone(Trials& trials, const std::vector<Candidate>& candidates) {
  std::vector<Candidate> found;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!trials.is_refused_without(candidates, i, 1)) found.push_back(candidates[i]);
  }
  return found;
}

// Returns the keywords that refuse the text, none if the trials do not find them. The keywords about the innermost value come
// first: they say most, and few trials tell which of them it is.
std::vector<Candidate> refusing(Trials& trials, std::span<const PlaceInText> places) {
  const std::span<const PlaceInText> choices[] = {places.first(1), places};
  for (const std::span<const PlaceInText> some : choices) {
    std::vector<Candidate> candidates = candidates_of(some);
    if (trials.is_refused_without(candidates, 0, candidates.size())) continue;
    trials.reduce(candidates);
    if (trials.is_exhausted()) return {};
    std::erase_if(candidates, [](const Candidate& c) { return c.is_out; });
    return candidates;
  }
  // Without all these keywords, more branches of a `oneOf` may hold, so that the text is refused for another reason.
  for (const std::span<const PlaceInText> some : choices) {
    std::vector<Candidate> found = each_alone(trials, candidates_of(some));
    if (trials.is_exhausted()) return {};
    if (!found.empty()) return found;
  }
  return {};
}

std::vector<Candidate> of_lowest_rank(std::vector<Candidate> candidates) {
  const auto least = std::ranges::min_element(candidates, {}, rank_of);
  if (least == candidates.end()) return candidates;
  const int rank = rank_of(*least);
  std::erase_if(candidates, [&](const Candidate& c) { return rank_of(c) > rank; });
  return candidates;
}

// Keeps the candidates that refuse a number, string or key whole. If they do not, replaces them by those that do.
void keep_those_of_part(Trials& of_part, std::span<const PlaceInText> places, std::vector<Candidate>& candidates) {
  of_part.let_several_hold(places);
  if (!of_part.is_refused_without({}, 0, 0)) return;
  std::vector<Candidate> all = candidates_of(places);
  if (of_part.is_refused_without(all, 0, all.size())) return;
  const auto is_found = [&](const Candidate& c) {
    return std::ranges::any_of(candidates, [&](const Candidate& found) { return found.key == c.key; });
  };
  // Without `properties` all members would be those that remain.
  for (Candidate& one : all) one.is_out = rank_of(one) == 0 && one.role != Role::kBelow && !is_found(one);
  const bool do_refuse = of_part.is_refused_without(all, 0, 0);
  if (!do_refuse) {
    for (Candidate& one : all) one.is_out = false;
  }
  of_part.reduce(all);
  if (of_part.is_exhausted()) return;
  std::erase_if(all, [](const Candidate& c) { return c.is_out; });
  candidates = of_lowest_rank(std::move(all));
}

// `of_part` are trials of the text up to the end of the number, string or key that is refused at one of its bytes, or null. No
// number from 10 to 14 begins with 5, for which both bounds are needed, but one of them refuses the number 5.
void find_refusal(Trials& trials, SchemaFinding& finding, Trials* of_part = nullptr) {
  trials.let_several_hold(finding.places);
  std::vector<Candidate> candidates = of_lowest_rank(refusing(trials, finding.places));
  if (candidates.empty()) return;
  if (of_part != nullptr && rank_of(candidates.front()) == 0) keep_those_of_part(*of_part, finding.places, candidates);
  // Beside another keyword of its schema about the value itself, `type` only keeps the text from going on in another way, as
  // 7 in "maximum": 5 could as 7e-1.
  const auto schema_of = [](const Candidate& c) { return c.refusal.location.substr(0, c.refusal.location.rfind('/')); };
  const auto is_type = [](const Candidate& c) { return c.refusal.location.ends_with("/type"); };
  std::vector<std::string> others;  // schemas with another keyword that refuses the text
  for (const Candidate& one : candidates) {
    if (one.role == Role::kOwn && !is_type(one)) others.push_back(schema_of(one));
  }
  std::erase_if(candidates, [&](const Candidate& c) {
    return is_type(c) && std::ranges::find(others, schema_of(c)) != others.end();
  });
  for (Candidate& one : candidates) finding.refused_by.push_back(std::move(one.refusal));
}

bool speaks_of(const PlaceInText& place, const SchemaFinding::Refusal& by) {
  return std::any_of(place.schemas.begin(), place.schemas.end(), [&](const SchemaOfPlace& schema) {
    return std::any_of(schema.assertions.begin(), schema.assertions.end(),
                       [&](const SchemaOfPlace::Assertion& one) { return one.value == by.where; });
  });
}

Result<std::vector<PlaceInText>> places(const SchemaSource& source, std::string_view read, char next) {
  return places_in_text(source.text, source.options, source.limits, read, next);
}

Diagnostic refused(std::string message) {
  Diagnostic found;
  found.code = "refused";
  found.message = std::move(message);
  return found;
}

// Returns the JSON Pointer of a location in the schema's own document; "" for other documents.
std::string pointer_of(const std::string& location) { return location.starts_with('#') ? location.substr(1) : ""; }

std::vector<ErrorNote> notes_about(const PlaceInText& place, const std::string& value) {
  std::vector<ErrorNote> notes;
  for (const SchemaOfPlace& schema : place.schemas) {
    const std::string types = schema.types.empty() ? "" : " (" + schema.types + ")";
    notes.push_back({"applies to " + value + types, schema.where, schema.location});
  }
  return notes;
}

// Returns the string that is written in the range, which includes the quotes; the closing one may be missing.
std::string decoded(std::string_view text, SourceRange where) {
  const std::string_view written = text.substr(where.start, where.end - where.start);
  const Result<base::JsonDocument> document = base::JsonDocument::parse(written, {});
  const bool is_string = document && document->root().is(base::JsonType::kString);
  return std::string(is_string ? document->root().string() : written.substr(1));
}

// Returns the range of the string that begins at `start`, with its quotes.
SourceRange string_at(std::string_view text, std::size_t start) {
  std::size_t end = start + 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return {start, std::min(end + 1, text.size())};
}

struct EarlierKey {
  SourceRange where;
  bool is_after_comma = false;  // the byte at which the text is refused is the comma before the later key
};

// If byte `offset` is in a key that repeats an earlier key of its object, or is the comma before one, returns the earlier
// key. The text before that byte is a prefix of a JSON text.
std::optional<EarlierKey> find_earlier_key(std::string_view text, std::size_t offset) {
  std::vector<std::vector<SourceRange>> keys;  // of each array and object that is open
  char before = '\0';                          // the last byte that is no blank
  std::vector<char> brackets;
  std::size_t last = offset;
  if (text[offset] == ',') last = std::min(text.find_first_not_of(base::kBlanks, offset + 1), text.size() - 1);
  for (std::size_t at = 0; at <= last; ++at) {
    const char c = text[at];
    if (c == '"') {
      const SourceRange where = string_at(text, at);
      const bool is_key = !brackets.empty() && brackets.back() == '{' && (before == '{' || before == ',');
      if (where.end > last) {
        if (!is_key) return std::nullopt;
        const std::string key = decoded(text, where);
        const auto same =
            std::ranges::find_if(keys.back(), [&](SourceRange earlier) { return decoded(text, earlier) == key; });
        if (same == keys.back().end()) return std::nullopt;
        return EarlierKey{*same, where.start > offset};
      }
      if (is_key) keys.back().push_back(where);
      at = where.end - 1;
    } else if (c == '{' || c == '[') {
      brackets.push_back(c);
      keys.emplace_back();
    } else if ((c == '}' || c == ']') && !brackets.empty()) {
      brackets.pop_back();
      keys.pop_back();
    }
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') before = c;
  }
  return std::nullopt;
}

std::vector<Diagnostic> to_diagnostics(const SchemaFinding& finding, std::string_view text, std::size_t offset,
                                       bool is_yaml) {
  const std::string at = "byte " + std::to_string(offset);
  if (finding.is_no_json) {
    const std::string what = offset < text.size() ? "" : "the end of ";
    const std::string notation = is_yaml ? "YAML" : "JSON";
    return {refused("the text is no " + notation + " as the options write it, whatever the schema says: " + what + at)};
  }
  if (finding.earlier_key) {
    const SourceRange key = *finding.earlier_key;
    return {refused("the key " + std::string(text.substr(key.start, key.end - key.start)) + " at " + at +
                    " is in the object already, at byte " + std::to_string(key.start))};
  }
  const PlaceInText& place = finding.places.front();
  const std::string value = place.pointer.empty() ? "the whole text" : "`" + place.pointer + "`";
  std::vector<Diagnostic> out;
  for (const SchemaFinding::Refusal& by : finding.refused_by) {
    const std::string keyword = by.location.substr(by.location.rfind('/') + 1);
    out.push_back(refused("`" + keyword + "` refuses " + value));
    out.back().where = by.where;
    out.back().pointer = pointer_of(by.location);
  }
  if (out.empty()) out.push_back(refused("the schema refuses " + value + " at " + at));
  out.front().notes = notes_about(place, value);
  return out;
}

// Explains a text of YAML by the JSON text of what it says, which is refused for the same reasons. The text is read up
// to the line end after byte `offset`, or as a document that ends there if no byte is refused.
Result<SchemaFinding> explain_yaml(const SchemaSource& schema, const TokenizerInfo& tokenizer, std::string_view text,
                                   std::size_t offset) {
  using namespace frontend::json_schema;
  const GrammarCompiler compiler(tokenizer, schema.limits);
  const auto compile = [&](std::string_view source, const JsonSchemaOptions& options) {
    return Grammar::from_json_schema(source, options, schema.limits).and_then([&](const Grammar& grammar) {
      return compiler.compile(grammar);
    });
  };
  const Result<CompiledGrammar> any = compile("true", schema.options);
  if (!any) return tl::unexpected(any.error());
  JsonSchemaOptions as_json = schema.options;
  as_json.notation = JsonSchemaOptions::Notation::kJson;
  const SchemaSource in_json{schema.text, as_json, schema.limits};
  const auto found_in = [&](std::string_view json) -> Result<SchemaFinding> {
    Result<std::vector<PlaceInText>> inside = places(in_json, json, '\0');
    if (!inside) return tl::unexpected(std::move(inside.error()));
    return SchemaFinding{*std::move(inside), {}};
  };
  const std::string_view lines = text.substr(0, text.find('\n', offset + 1));
  const std::string_view read = lines.substr(0, GrammarMatcher(*any).longest_viable_prefix(lines));
  if (read.size() <= offset && offset < text.size()) {
    Result<SchemaFinding> found = found_in(open_json_of_yaml(read));
    if (!found) return found;
    found->earlier_key = earlier_key_in_yaml(read);
    found->is_no_json = !found->earlier_key;
    return found;
  }
  GrammarMatcher matcher(*any);
  const bool is_document = offset == text.size() && matcher.accept_bytes(text) == Step::kOk && matcher.is_completed();
  const std::string json = is_document ? json_of_yaml(text) : open_json_of_yaml(read);
  const Result<CompiledGrammar> compiled = compile(schema.text, as_json);
  if (!compiled) return tl::unexpected(compiled.error());
  const std::size_t refused = GrammarMatcher(*compiled).longest_viable_prefix(json);
  if (refused == json.size()) return found_in(json);
  return explain_by_schema(in_json, tokenizer, json, refused);
}

// Returns true if the text ends in the digits of a number. Precondition: it is a prefix of a JSON text.
bool ends_in_number(std::string_view text) {
  auto place = base::JsonPlace::kOutside;
  for (const char byte : text) place = base::place_after(place, byte);
  return place == base::JsonPlace::kOutside && !text.empty() && text.back() >= '0' && text.back() <= '9';
}

// Returns the text up to the end of the number, string or key that byte `offset` is in, or of the key after the comma there,
// and a blank unless that is the whole text. Empty if there is none, or if the text may end before it does.
std::string up_to_end_of_part(std::string_view text, std::size_t offset, bool is_whole_text) {
  auto place = base::JsonPlace::kOutside;
  std::size_t at = 0;
  for (; at < offset; ++at) place = base::place_after(place, text[at]);
  if (place == base::JsonPlace::kOutside && text[at] == ',') at = text.find_first_not_of(base::kBlanks, at + 1);
  if (at == std::string_view::npos) return {};
  if (place == base::JsonPlace::kOutside && text[at] != '"') {
    const std::size_t end = std::min(text.find_first_not_of("+-.0123456789eE", at), text.size());
    if (end == at || at != offset || (end == text.size() && !is_whole_text)) return {};
    return std::string(text.substr(0, end)) + (is_whole_text ? "" : " ");
  }
  do {
    place = base::place_after(place, text[at++]);
  } while (place != base::JsonPlace::kOutside && at < text.size());
  if (place != base::JsonPlace::kOutside) return {};
  return std::string(text.substr(0, at)) + (is_whole_text ? "" : " ");
}

// Returns options with which a blank may follow each number within an array or object.
JsonSchemaOptions with_blanks(JsonSchemaOptions options) {
  const JsonSchemaOptions defaults;
  options.whitespace = JsonSchemaOptions::Whitespace::kUnbounded;
  options.whitespace_limit = defaults.whitespace_limit;
  options.indent = defaults.indent;
  options.whitespace_pattern.clear();
  return options;
}

// Explains a text that ends in a number within an array or object. 9 could go on as 9e-1, so what is explained is the number
// with a blank after it. Nothing if the number may end there.
Result<SchemaFinding> explain_last_number(const SchemaSource& schema, const TokenizerInfo& tokenizer,
                                          std::string_view text) {
  const JsonSchemaOptions spaced = with_blanks(schema.options);
  const SchemaSource source{schema.text, spaced, schema.limits};
  const std::string ended = std::string(text) + ' ';
  Trials trials(source, tokenizer, ended, text.size());
  if (trials.is_refused_by("true") || !trials.is_refused_by(std::string(schema.text))) return SchemaFinding{};
  return explain_by_schema(source, tokenizer, ended, text.size());
}

}  // namespace

Result<SchemaFinding> explain_by_schema(const SchemaSource& schema, const TokenizerInfo& tokenizer,
                                        std::string_view text, std::size_t offset) {
  if (schema.options.notation == JsonSchemaOptions::Notation::kYaml)
    return explain_yaml(schema, tokenizer, text, offset);
  SchemaFinding finding;
  const std::string_view read = text.substr(0, offset);
  const char next = offset < text.size() ? text[offset] : '\0';
  Result<std::vector<PlaceInText>> inside = places(schema, read, '\0');
  if (!inside) return tl::unexpected(std::move(inside.error()));
  finding.places = *std::move(inside);
  Trials trials(schema, tokenizer, text, offset);
  if (offset == text.size()) {
    // The text may go on. If it is a value already, the keywords that refuse this value are named, as `maximum` is for a
    // number that could get an exponent.
    if (!trials.is_refused_by("true")) {
      find_refusal(trials, finding);
    } else if (ends_in_number(text)) {
      Result<SchemaFinding> of_number = explain_last_number(schema, tokenizer, text);
      if (!of_number || !of_number->refused_by.empty()) return of_number;
    }
    return finding;
  }
  Result<std::vector<PlaceInText>> around = places(schema, read, next);
  if (!around) return tl::unexpected(std::move(around.error()));
  if (const auto earlier = find_earlier_key(text, offset)) {
    // A comma is refused because of the key after it only if the object may end there.
    const std::string ended = std::string(read) + '}';
    if (!earlier->is_after_comma || !Trials(schema, tokenizer, ended, offset).is_refused_by(std::string(schema.text))) {
      finding.earlier_key = earlier->where;
      if (earlier->is_after_comma) finding.places = *std::move(around);
      return finding;
    }
  }
  finding.is_no_json = trials.is_refused_by("true");
  const PlaceInText& innermost = finding.places.front();
  const bool is_whole_text = innermost.pointer.empty() && !innermost.is_open;
  const std::string part = up_to_end_of_part(text, offset, is_whole_text);
  const JsonSchemaOptions spaced = with_blanks(schema.options);
  const SchemaSource source{schema.text, spaced, schema.limits};
  std::optional<Trials> of_part;
  if (!part.empty()) of_part.emplace(source, tokenizer, part, part.size() - (is_whole_text ? 0 : 1));
  if (!finding.is_no_json) find_refusal(trials, finding, of_part ? &*of_part : nullptr);
  if (around->size() == finding.places.size()) return finding;
  // A bracket after a number ends the number: it is refused either by keywords about the number or by keywords about
  // the value around it.
  const bool is_of_value = std::any_of(finding.refused_by.begin(), finding.refused_by.end(),
                                       [&](const auto& by) { return speaks_of(finding.places.front(), by); });
  if (is_of_value) return finding;
  finding.places = *std::move(around);
  if (!finding.is_no_json && finding.refused_by.empty()) find_refusal(trials, finding, of_part ? &*of_part : nullptr);
  return finding;
}

std::vector<Diagnostic> explain_refusal(std::string_view schema, std::string_view text,
                                        const JsonSchemaOptions& options, const Limits& limits) {
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  Result<CompiledGrammar> compiled =
      Grammar::from_json_schema(schema, options, limits).and_then([&](const Grammar& grammar) {
        return GrammarCompiler(tokenizer, limits).compile(grammar);
      });
  if (!compiled) return {to_diagnostic(std::move(compiled.error()))};
  GrammarMatcher matcher(*compiled);
  const std::size_t offset = matcher.longest_viable_prefix(text);
  const bool is_yaml = options.notation == JsonSchemaOptions::Notation::kYaml;
  if (offset == text.size() && (matcher.accept_bytes(text) != Step::kOk || matcher.is_completed())) return {};
  if (std::string message = matcher.limit_message(); !message.empty()) {
    return {to_diagnostic(Error{ErrorCode::kLimitExceeded, std::move(message)})};
  }
  Result<SchemaFinding> finding = explain_by_schema({schema, options, limits}, tokenizer, text, offset);
  if (!finding) return {to_diagnostic(std::move(finding.error()))};
  if (offset == text.size() && finding->refused_by.empty()) return {};
  return to_diagnostics(*finding, text, offset, is_yaml);
}

}  // namespace weir
