#include "weir/error.h"

#include <algorithm>

#include "base/utf8.h"

namespace weir {

namespace {

// Code points of `text`; a malformed byte counts as one.
std::size_t display_length(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t pos = 0; pos < text.size(); ++count) {
    pos += std::max<std::size_t>(1, base::decode_utf8(text, pos).length);
  }
  return count;
}

// The line of `text` around [start, end), at most kWindow bytes to each side, and where the range lies in it.
std::string render_line(std::string_view text, SourceRange where) {
  constexpr std::size_t kWindow = 120;
  const std::size_t at = std::min(where.start, text.size());
  std::size_t begin = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  std::size_t end = text.find('\n', at);
  if (end == std::string_view::npos) end = text.size();
  bool cut_left = false;
  if (at - begin > kWindow) {
    begin = at - kWindow;
    cut_left = true;
    while (begin < at && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) ++begin;
  }
  bool cut_right = false;
  if (end - at > kWindow) {
    end = at + kWindow;
    cut_right = true;
    while (end > at && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  }
  std::string out = "  ";
  if (cut_left) out += "…";
  out += base::escape_for_display(text.substr(begin, end - begin), SIZE_MAX);
  if (cut_right) out += "…";
  const std::size_t mark_end = std::clamp(where.end, at, end);
  const std::string before = base::escape_for_display(text.substr(begin, at - begin), SIZE_MAX);
  const std::string marked = base::escape_for_display(text.substr(at, mark_end - at), SIZE_MAX);
  out += "\n  ";
  out.append(display_length(before) + (cut_left ? 1 : 0), ' ');
  out += '^';
  const std::size_t width = display_length(marked);
  if (width > 1) out.append(width - 1, '~');
  out += '\n';
  return out;
}

std::string render_message(std::string_view severity, std::string_view message, SourceRange where,
                           std::string_view hint, std::string_view text, std::string_view name) {
  const LineColumn at = line_column(text, where.start);
  std::string out;
  out.append(name).append(":").append(std::to_string(at.line)).append(":").append(std::to_string(at.column));
  out.append(": ").append(severity).append(": ").append(message).append("\n");
  out += render_line(text, where);
  if (!hint.empty()) out.append("  hint: ").append(hint).append("\n");
  return out;
}

}  // namespace

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kInvalidArgument: return "invalid_argument";
    case ErrorCode::kSyntax: return "syntax";
    case ErrorCode::kUnsupported: return "unsupported";
    case ErrorCode::kUnsatisfiable: return "unsatisfiable";
    case ErrorCode::kLimitExceeded: return "limit_exceeded";
    case ErrorCode::kInternal: return "internal";
  }
  return "internal";
}

LineColumn line_column(std::string_view text, std::size_t offset) noexcept {
  offset = std::min(offset, text.size());
  LineColumn at;
  for (std::size_t pos = 0; pos < offset;) {
    if (text[pos] == '\n') {
      ++at.line;
      at.column = 1;
      ++pos;
    } else {
      ++at.column;
      pos += std::max<std::size_t>(1, base::decode_utf8(text, pos).length);
    }
  }
  return at;
}

std::string render(const Error& error, std::string_view text, std::string_view name) {
  std::string out = render_message("error", error.message, error.where, error.hint, text, name);
  for (const ErrorNote& note : error.notes) {
    if (note.where == error.where) continue;
    if (note.where.end == note.where.start) {
      out.append(name).append(": note: ").append(note.message).append("\n");
    } else {
      out += render_message("note", note.message, note.where, "", text, name);
    }
  }
  return out;
}

std::string render(const Warning& warning, std::string_view text, std::string_view name) {
  return render_message("warning", warning.message, warning.where, warning.hint, text, name);
}

}  // namespace weir
