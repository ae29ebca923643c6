#include "base/build_call.h"

#include <string>
#include <string_view>
#include <vector>

#include "base/limit.h"
#include "base/utf8.h"

namespace weir::base {

void make_utf8(std::string& text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
  for (std::size_t at; (at = find_invalid_utf8(text)) != std::string::npos;) {
    // Halves of surrogate pairs are stored as UTF-8 would write them.
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
  make_utf8(warning.message);
  make_utf8(warning.hint);
  make_notes_utf8(warning.notes);
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
