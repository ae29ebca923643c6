#include "sarif.h"

#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace weir::cli {

namespace {

// Returns a path as a URI reference, in which characters that are not allowed are percent-encoded.
std::string uri_of(const std::string& path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return path.starts_with('/') ? "file://" + out : out;
}

Json region(SourceRange where, std::string_view text) {
  const LineColumn from = line_column(text, where.start), to = line_column(text, where.end);
  return {{"startLine", from.line}, {"startColumn", from.column}, {"endLine", to.line},
          {"endColumn", to.column}, {"byteOffset", where.start},  {"byteLength", where.end - where.start}};
}

Json location(const CheckedFile& file, SourceRange where) {
  return {
      {"physicalLocation", {{"artifactLocation", {{"uri", uri_of(file.name)}}}, {"region", region(where, file.text)}}}};
}

// Returns a place in the finding's own text, the tools that a structural tag was made of. That text is in no file.
Json location_in_tools(const Diagnostic& finding, SourceRange where) {
  const Json named = {{"fullyQualifiedName", finding.pointer}, {"kind", "value"}};
  return {{"physicalLocation", {{"artifactLocation", {{"uri", "tools"}}}, {"region", region(where, *finding.text)}}},
          {"logicalLocations", Json::array({named})}};
}

Json result(const CheckedFile& file, const Diagnostic& finding) {
  const auto place = [&](SourceRange where) {
    return finding.text != nullptr ? location_in_tools(finding, where) : location(file, where);
  };
  std::string message = finding.message;
  if (!finding.hint.empty()) message += "; " + finding.hint;
  Json out = {{"ruleId", finding.code},
              {"level", to_string(finding.severity)},
              {"message", {{"text", message}}},
              {"locations", Json::array({place(finding.where)})}};
  for (const ErrorNote& note : finding.notes) {
    Json related = note.where.end != note.where.start ? place(note.where) : Json::object();
    related["message"] = {{"text", note.location.empty() ? note.message : note.message + " (" + note.location + ")"}};
    out["relatedLocations"].push_back(std::move(related));
  }
  if (finding.fix) {
    const Json replacement = {{"deletedRegion", region(finding.fix->where, file.text)},
                              {"insertedContent", {{"text", finding.fix->replacement}}}};
    out["fixes"] = Json::array({{{"description", {{"text", finding.hint}}},
                                 {"artifactChanges", Json::array({{{"artifactLocation", {{"uri", uri_of(file.name)}}},
                                                                   {"replacements", Json::array({replacement})}}})}}});
  }
  return out;
}

Json invocation(std::span<const CheckFailure> failures) {
  Json out = {{"executionSuccessful", failures.empty()}};
  for (const CheckFailure& failure : failures) {
    Json notification = {{"level", "error"}, {"message", {{"text", failure.message}}}};
    if (!failure.name.empty()) {
      const Json place = {{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(failure.name)}}}}}};
      notification["locations"] = Json::array({place});
    }
    out["toolExecutionNotifications"].push_back(std::move(notification));
  }
  return out;
}

}  // namespace

Json sarif_log(std::span<const CheckedFile> files, std::span<const CheckFailure> failures) {
  std::map<std::string, Severity> codes;
  Json results = Json::array();
  for (const CheckedFile& file : files) {
    for (const Diagnostic& finding : file.findings) {
      codes.emplace(finding.code, finding.severity);
      results.push_back(result(file, finding));
    }
  }
  Json rules = Json::array();
  for (const auto& [code, severity] : codes) {
    rules.push_back({{"id", code}, {"defaultConfiguration", {{"level", to_string(severity)}}}});
  }
  Json driver = {{"name", "weir"}, {"version", WEIR_VERSION}, {"rules", std::move(rules)}};
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"invocations", Json::array({invocation(failures)})},
              {"columnKind", "unicodeCodePoints"},
              {"results", std::move(results)}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({std::move(run)})}};
}

}  // namespace weir::cli
