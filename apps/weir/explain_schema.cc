#include "explain_schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "commands.h"

namespace weir::cli {

namespace {

using frontend::json_schema::PlaceInText;
using frontend::json_schema::SchemaOfPlace;

constexpr std::size_t kLongestValue = 32;
constexpr std::size_t kMaxListed = 8;  // schemas that are listed for one value

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
  Result<SchemaFinding> finding =
      weir::explain_by_schema({source.text, *source.schema, source.limits}, tokenizer, text, offset);
  if (!finding) throw grammar_error(finding.error(), source);
  return *std::move(finding);
}

std::string describe(const SchemaFinding& finding, const GrammarSource& source) {
  std::string out;
  for (std::size_t i = 0; i < finding.places.size(); ++i) {
    const PlaceInText& place = finding.places[i];
    if (i == 1) out += "  within, from the inside out:\n";
    if (i == 0) out += fmt::format("  at {}, of which the schema says:\n", in_words(place.pointer));
    out += lines_of(place, source);
    if (i != 0) continue;
    if (finding.earlier_key) {
      out += fmt::format("  refused because the object has this key already, at byte {}\n", finding.earlier_key->start);
    }
    if (finding.is_no_json) {
      const bool is_yaml = source.schema->notation == JsonSchemaOptions::Notation::kYaml;
      out += fmt::format("  refused whatever the schema says, by {} and the options\n", is_yaml ? "YAML" : "JSON");
    }
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
  if (finding.earlier_key) {
    out["repeated_key"] = {{"start", finding.earlier_key->start}, {"end", finding.earlier_key->end}};
  }
  for (const SchemaFinding::Refusal& by : finding.refused_by) {
    out["refused_by"].push_back(place_json(by.location, by.where, source));
  }
  return out;
}

}  // namespace weir::cli
