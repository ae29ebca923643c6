#include "api/schema_refusal.h"

#include <algorithm>
#include <span>
#include <utility>

#include "api/search_bounds.h"
#include "base/blanks.h"
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
  bool is_applicator = false;  // the keywords of its subschemas are candidates, too
  int turn = 0;                // candidates with lower numbers are tried first
  bool is_out = false;
};

class Trials {
 public:
  /// The text is refused at `offset`. If that is its end, it is refused because it ends there.
  Trials(const SchemaSource& source, const TokenizerInfo& tokenizer, std::string_view text, std::size_t offset)
      : source_(source),
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

  /// Returns the result of is_refused_by for the schema without the candidates that are out and candidates
  /// [first, first + count); their keys are renamed so that they have no effect.
  bool is_refused_without(const std::vector<Candidate>& candidates, std::size_t first, std::size_t count) {
    std::vector<SourceRange> keys;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].is_out || (i >= first && i < first + count)) keys.push_back(candidates[i].key);
    }
    std::sort(keys.begin(), keys.end(), [](SourceRange a, SourceRange b) { return a.start > b.start; });
    std::string schema(source_.text);
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
    std::ranges::stable_sort(candidates, {}, &Candidate::turn);
    for (std::size_t begin = 0, end = 0; begin < candidates.size(); begin = end) {
      while (end < candidates.size() && candidates[end].turn == candidates[begin].turn) ++end;
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
  GrammarCompiler compiler_;
  std::string_view beginning_;
  bool ends_;
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
  // Beside another keyword of its schema, `type` only keeps the text from going on in another way, as 7 in "maximum": 5 could as 7e-1.
  const auto schema_of = [](const SchemaFinding::Refusal& by) { return by.location.substr(0, by.location.rfind('/')); };
  const auto is_type = [](const SchemaFinding::Refusal& by) { return by.location.ends_with("/type"); };
  std::vector<std::string> others;  // schemas with another keyword that refuses the text
  for (const SchemaFinding::Refusal& by : finding.refused_by) {
    if (!is_type(by)) others.push_back(schema_of(by));
  }
  std::erase_if(finding.refused_by, [&](const SchemaFinding::Refusal& by) {
    return is_type(by) && std::ranges::find(others, schema_of(by)) != others.end();
  });
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
    if (!trials.is_refused_by("true")) find_refusal(trials, finding);
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
  if (!finding.is_no_json) find_refusal(trials, finding);
  if (around->size() == finding.places.size()) return finding;
  // A bracket after a number ends the number: it is refused either by keywords about the number or by keywords about
  // the value around it.
  const bool is_of_value = std::any_of(finding.refused_by.begin(), finding.refused_by.end(),
                                       [&](const auto& by) { return speaks_of(finding.places.front(), by); });
  if (is_of_value) return finding;
  finding.places = *std::move(around);
  if (!finding.is_no_json && finding.refused_by.empty()) find_refusal(trials, finding);
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
