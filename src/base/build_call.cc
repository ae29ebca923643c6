#include "base/build_call.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/limit.h"
#include "base/utf8.h"

namespace weir::base {

void make_utf8(std::string& text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
  for (std::size_t at; (at = find_invalid_utf8(text)) != std::string::npos;) {
    // Lone surrogates are stored in UTF-8's three-byte form.
    const bool is_half =
        byte(at) == 0xED && byte(at + 1) >= 0xA0 && byte(at + 1) <= 0xBF && (byte(at + 2) & 0xC0U) == 0x80;
    const unsigned code = is_half ? 0xD000U | ((byte(at + 1) & 0x3FU) << 6) | (byte(at + 2) & 0x3FU) : byte(at);
    std::string words = is_half ? "\\u" : "\\x";
    for (int shift = is_half ? 12 : 4; shift >= 0; shift -= 4) words += kHex[(code >> shift) & 15U];
    text.replace(at, is_half ? 3 : 1, words);
  }
}

namespace {

void make_notes_utf8(std::vector<ErrorNote>& notes) {
  for (ErrorNote& note : notes) {
    make_utf8(note.message);
    make_utf8(note.location);
  }
}

}  // namespace

void make_utf8(Error& error) {
  for (std::string* text : {&error.message, &error.hint, &error.pointer}) make_utf8(*text);
  make_notes_utf8(error.notes);
}

void make_utf8(Warning& warning) {
  for (std::string* text : {&warning.message, &warning.hint, &warning.pointer}) make_utf8(*text);
  make_notes_utf8(warning.notes);
}

namespace {

constexpr std::size_t kMostOfKind = 3;
constexpr std::size_t kMostOfCode = 100;
constexpr std::string_view kMoreOfKind = " more like it)";
constexpr std::string_view kMoreOfCode = " more warnings of this kind)";

// Returns the code and the message of a warning without the pointers in it, which say where and not what.
std::string kind_of(const Warning& warning) {
  std::string kind = warning.code + ' ' + warning.message;
  for (std::size_t at = kind.find("`#"); at != std::string::npos; at = kind.find("`#", at + 1)) {
    kind.erase(at + 1, kind.find('`', at + 1) - at - 1);
  }
  return kind;
}

struct Seen {
  std::size_t count = 0;
  std::size_t last = 0;  // index of the last warning kept
};

std::string code_of(const Warning& warning) { return warning.code; }

void add_number(std::size_t more, std::string_view others, Warning& warning) {
  (warning.message += " (and " + std::to_string(more)) += others;
}

// Keeps the first `most` warnings of each group.
void keep_first(std::vector<Warning>& warnings, std::size_t most, std::string_view others,
                std::string (*group)(const Warning&)) {
  if (warnings.size() <= most) return;
  std::unordered_map<std::string, Seen> groups;
  std::size_t kept = 0;
  for (Warning& warning : warnings) {
    Seen& seen = groups[group(warning)];
    if (++seen.count > most) continue;
    seen.last = kept;
    if (&warnings[kept] != &warning) warnings[kept] = std::move(warning);
    ++kept;
  }
  warnings.resize(kept);
  for (const auto& [name, seen] : groups) {
    if (seen.count > most) add_number(seen.count - most, others, warnings[seen.last]);
  }
}

}  // namespace

void shorten(std::vector<Warning>& warnings) {
  keep_first(warnings, kMostOfKind, kMoreOfKind, kind_of);
  keep_first(warnings, kMostOfCode, kMoreOfCode, code_of);
}

void add_new(std::vector<Warning> more, std::vector<Warning>& warnings) {
  std::unordered_map<std::string, Seen> codes;
  const auto name = [](const Warning& warning) { return std::to_string(warning.where.start) + ' ' + warning.message; };
  std::unordered_set<std::string> known;
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    Seen& seen = codes[warnings[i].code];
    ++seen.count;
    seen.last = i;
    known.insert(name(warnings[i]));
  }
  std::erase_if(more, [&](const Warning& warning) { return known.contains(name(warning)); });
  keep_first(more, kMostOfKind, kMoreOfKind, kind_of);
  for (Warning& warning : more) {
    Seen& seen = codes[warning.code];
    if (++seen.count > kMostOfCode) continue;
    seen.last = warnings.size();
    warnings.push_back(std::move(warning));
  }
  for (const auto& [code, seen] : codes) {
    if (seen.count <= kMostOfCode) continue;
    // If an earlier call left some out, the last warning says how many, and `more` has the same ones again.
    Warning& last = warnings[seen.last];
    if (!last.message.ends_with(kMoreOfCode)) add_number(seen.count - kMostOfCode, kMoreOfCode, last);
  }
}

void blame_call_work(Error& error) {
  if (!Work::is_met()) return;
  const std::string limit = field_name(Limit::kCallWork);
  const bool is_certain = error.code != ErrorCode::kUnsatisfiable && error.code != ErrorCode::kLimitExceeded;
  if (is_certain || error.limit == limit) return;
  error.notes.clear();
  error.fix.reset();
  error.code = ErrorCode::kLimitExceeded;
  error.limit = limit;
  error.message =
      "reading and compiling takes more steps than the limit `" + limit + "` allows, " + std::to_string(Work::most());
  error.hint = "raise Limits::" + limit + ", or simplify the grammar";
}

}  // namespace weir::base
