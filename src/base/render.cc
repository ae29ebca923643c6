// Formats errors, warnings and diagnostics as a compiler prints them: message, source line, caret, hint, notes.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/build_call.h"
#include "base/display_width.h"
#include "base/utf8.h"
#include "weir/diagnostic.h"

namespace weir {

namespace {

constexpr std::size_t kWindow = 120;  // bytes of a line that are shown before and after the position

// Escapes control and hidden characters.
std::string shown(std::string_view text) { return base::escape_for_display(text, SIZE_MAX); }

// Terminal escape sequences; all empty if the output has no colours.
struct Palette {
  std::string_view bold, error, warning, note, mark, reset;
};

constexpr Palette kColors = {"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[1;32m", "\033[0m"};

// The part of a source line that is shown.
struct Line {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool cut_left = false;
  bool cut_right = false;
};

Line line_around(std::string_view text, std::size_t at) {
  Line line;
  line.begin = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  line.begin = line.begin == std::string_view::npos ? 0 : line.begin + 1;
  line.end = std::min(text.find('\n', at), text.size());
  const auto inside_character = [&](std::size_t pos) {
    return pos < text.size() && (static_cast<unsigned char>(text[pos]) & 0xC0U) == 0x80U;
  };
  if (at - line.begin > kWindow) {
    line.begin = at - kWindow;
    line.cut_left = true;
    while (line.begin < at && inside_character(line.begin)) ++line.begin;
  }
  if (line.end - at > kWindow) {
    line.end = at + kWindow;
    line.cut_right = true;
    while (line.end > at && inside_character(line.end)) --line.end;
  }
  if (!line.cut_right && at + 1 < line.end && text[line.end - 1] == '\r') --line.end;
  return line;
}

class Renderer {
 public:
  Renderer(std::string_view text, std::string_view name, bool colors) : text_(text), name_(shown(name)) {
    if (colors) palette_ = kColors;
  }

  void message(std::string_view severity, std::string_view color, std::string_view message, SourceRange where,
               std::string_view hint, const std::optional<Fix>& fix) {
    const LineColumn at = line_column(text_, where.start);
    out_.append(palette_.bold).append(name_).append(":").append(std::to_string(at.line)).append(":");
    out_.append(std::to_string(at.column)).append(": ");
    label(severity, color, message);
    if (!text_.empty()) quote(where, fix);  // a list of strings has no text, and neither has an empty file
    if (!hint.empty()) out_.append("  hint: ").append(hint).append("\n");
  }

  void notes(std::span<const ErrorNote> notes, SourceRange place) {
    for (const ErrorNote& note : notes) {
      if (note.where == place) continue;
      if (note.where.end == note.where.start) {
        out_.append(palette_.bold).append(name_).append(": ");
        label("note", palette_.note, note.message);
      } else {
        message("note", palette_.note, note.message, note.where, "", {});
      }
    }
  }

  [[nodiscard]] std::string_view color_of(Severity severity) const {
    return severity == Severity::kError ? palette_.error : palette_.warning;
  }
  std::string take() { return std::move(out_); }

 private:
  void label(std::string_view severity, std::string_view color, std::string_view message) {
    out_.append(palette_.reset).append(color).append(severity).append(": ").append(palette_.reset);
    out_.append(palette_.bold).append(message).append(palette_.reset).append("\n");
  }

  // Appends the source line, the caret and, if the fix is on this line, its replacement text.
  void quote(SourceRange where, const std::optional<Fix>& fix) {
    const std::size_t at = std::min(where.start, text_.size());
    const Line line = line_around(text_, at);
    const auto columns = [&](std::size_t from, std::size_t to) {
      return base::display_width(shown(text_.substr(from, to - from)));
    };
    const std::size_t indent = line.cut_left ? 1 : 0;
    out_ += "  ";
    if (line.cut_left) out_ += "…";
    out_ += shown(text_.substr(line.begin, line.end - line.begin));
    if (line.cut_right) out_ += "…";
    out_ += "\n  ";
    out_.append(columns(line.begin, at) + indent, ' ');
    out_.append(palette_.mark).append("^");
    const std::size_t width = columns(at, std::clamp(where.end, at, std::max(at, line.end)));
    if (width > 1) out_.append(width - 1, '~');
    out_.append(palette_.reset).append("\n");
    if (!fix || fix->replacement.empty() || fix->where.start < line.begin || fix->where.start > line.end) return;
    out_ += "  ";
    out_.append(columns(line.begin, fix->where.start) + indent, ' ');
    out_.append(palette_.mark).append(shown(fix->replacement)).append(palette_.reset).append("\n");
  }

  std::string_view text_;
  std::string name_;
  Palette palette_;
  std::string out_;
};

}  // namespace

std::string_view to_string(Severity severity) noexcept { return severity == Severity::kError ? "error" : "warning"; }

Diagnostic to_diagnostic(Error error) {
  base::make_utf8(error);
  auto text = error.text.empty() ? nullptr : std::make_shared<const std::string>(std::move(error.text));
  return {Severity::kError,         std::string(to_string(error.code)),
          std::move(error.message), error.where,
          std::move(error.hint),    std::move(error.limit),
          std::move(error.pointer), std::move(error.notes),
          std::move(error.fix),     std::move(error.options),
          std::move(text)};
}

Diagnostic to_diagnostic(Warning warning) {
  base::make_utf8(warning);
  Diagnostic diagnostic{Severity::kWarning, std::move(warning.code), std::move(warning.message), warning.where};
  diagnostic.hint = std::move(warning.hint);
  diagnostic.notes = std::move(warning.notes);
  diagnostic.options = std::move(warning.options);
  diagnostic.pointer = std::move(warning.pointer);
  diagnostic.text = std::move(warning.text);
  return diagnostic;
}

std::string render(const Diagnostic& diagnostic, std::string_view text, std::string_view name,
                   const RenderOptions& options) {
  if (diagnostic.text != nullptr) {
    text = *diagnostic.text;
    name = diagnostic.options == "response_format" ? "<response_format>" : "<tools>";
  }
  Renderer renderer(text, name, options.colors);
  std::string message = diagnostic.message;
  const auto names_limit = [&](const std::string& words) { return words.find(diagnostic.limit) != std::string::npos; };
  if (!names_limit(message) && !names_limit(diagnostic.hint)) message += " (the limit `" + diagnostic.limit + "`)";
  renderer.message(to_string(diagnostic.severity), renderer.color_of(diagnostic.severity), message, diagnostic.where,
                   diagnostic.hint, diagnostic.fix);
  renderer.notes(diagnostic.notes, diagnostic.where);
  return renderer.take();
}

std::string render(const Error& error, std::string_view text, std::string_view name) {
  Diagnostic diagnostic = to_diagnostic(error);
  diagnostic.fix.reset();  // the hint already describes it
  return render(diagnostic, text, name);
}

std::string render(const Warning& warning, std::string_view text, std::string_view name) {
  return render(to_diagnostic(warning), text, name);
}

}  // namespace weir
