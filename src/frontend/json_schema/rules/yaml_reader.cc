#include "frontend/json_schema/rules/yaml_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/escape.h"
#include "base/json/json_text.h"
#include "base/replaceable.h"
#include "base/utf8.h"
#include "base/work.h"
#include "frontend/json_schema/rules/look_back.h"
#include "frontend/json_schema/values/yaml_place.h"

namespace weir::frontend::json_schema {

namespace {

constexpr std::size_t kKeptBefore = 400;  // the state is kept at a line that is at most this far from the end
constexpr char kPartEnd = '\xFE';         // never occurs in UTF-8

bool is_number(std::string_view text) {
  std::size_t i = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i > begin;
  };
  if (!digits()) return false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (!digits()) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == text.size();
}

std::string json_of_plain(const std::string& text) {
  if (text.empty() || text == "~" || text == "null") return "null";
  return text == "true" || text == "false" || is_number(text) ? text : base::json_string(text);
}

}  // namespace

class YamlReader::Reading {
 public:
  Reading(YamlReader& reader, std::string_view text) : reader_(reader), text_(text) {
    const bool is_known = !reader.known_text_.empty() && text.starts_with(reader.known_text_);
    if (is_known) state_ = reader.known_;
    if (!is_known && text.starts_with("---\n")) state_.position = 4;
    base::Work::charge(1 + (text.size() - state_.position) / base::Work::kTextBytes);
  }

  State& run() {
    while (!at_end()) {
      switch (state_.expects) {
        case Expects::kValue: value(); break;
        case Expects::kKey: key(); break;
        case Expects::kEnd: after_value(); break;
      }
    }
    if (state_.expects == Expects::kValue && !is_in_flow()) finish("null");
    return state_;
  }

 private:
  [[nodiscard]] bool at_end() const { return state_.position >= text_.size(); }
  [[nodiscard]] char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  [[nodiscard]] bool is_in_flow() const { return !state_.open.empty() && state_.open.back().is_flow; }
  void stop() { state_.position = text_.size(); }

  std::size_t skip_blanks(std::size_t i) const {
    while (at(i) == ' ') ++i;
    return i;
  }
  std::size_t skip_gap(std::size_t i) const {
    while (at(i) == ' ' || at(i) == '\n') ++i;
    return i;
  }
  [[nodiscard]] bool is_mark(std::size_t i, char mark) const {
    return at(i) == mark && (i + 1 >= text_.size() || at(i + 1) == ' ' || at(i + 1) == '\n');
  }

  // --- Values ---

  void finish(const std::string& json) {
    state_.expects = Expects::kEnd;
    if (state_.open.empty() || !reader_.reads_items_) return;
    Container& around = state_.open.back();
    if (!around.is_object) {
      if (around.json.size() > 1) around.json += ',';
      around.last = json;
    }
    around.json += json;
  }

  void open(bool is_object, bool is_flow, std::size_t column) {
    state_.open.push_back({is_object, is_flow, static_cast<std::uint32_t>(column)});
    state_.open.back().json = is_object ? "{" : "[";
  }

  void close() {
    const Container container = std::move(state_.open.back());
    state_.open.pop_back();
    finish(container.json + (container.is_object ? '}' : ']'));
  }

  void value() {
    if (is_in_flow()) return flow_value(skip_gap(state_.position));
    const std::size_t begin = skip_blanks(state_.position);
    if (begin >= text_.size()) return stop();
    if (at(begin) == '\n') return value_on_next_line(begin);
    if (at(begin) == '[' || at(begin) == '{') return flow_value(begin);
    const bool may_be_block = state_.open.empty() || !state_.open.back().is_object;
    const std::size_t column = column_of(begin);
    if (may_be_block && is_mark(begin, '-')) {
      open(false, false, column);
      state_.position = begin + 1;
      return;
    }
    scalar_or_key(begin, column, may_be_block);
  }

  void scalar_or_key(std::size_t begin, std::size_t column, bool may_be_key) {
    const bool is_quoted = at(begin) == '"' || at(begin) == '\'';
    std::size_t end = begin;
    std::string text = is_quoted ? quoted(end) : plain_on_line(end);
    if (may_be_key && is_mark(end, ':')) {
      open(true, false, column);
      return add_key(std::move(text), end + 1);
    }
    if (!is_quoted) continue_plain(text, end);
    state_.position = end;
    finish(is_quoted ? base::json_string(text) : json_of_plain(text));
  }

  void value_on_next_line(std::size_t line_end) {
    const std::size_t begin = skip_blanks(line_end + 1);
    const std::size_t column = begin - line_end - 1;
    if (begin >= text_.size()) return stop();
    const bool is_item = is_mark(begin, '-');
    const bool is_root = state_.open.empty();
    const bool is_within = is_root || column > state_.open.back().column ||
                           (column == state_.open.back().column && state_.open.back().is_object && is_item);
    if (!is_within) {
      state_.position = line_end;
      return finish("null");
    }
    if (!is_item) return scalar_or_key(begin, column, true);
    open(false, false, column);
    state_.position = begin + 1;
    state_.expects = Expects::kValue;
  }

  void flow_value(std::size_t begin) {
    if (begin >= text_.size()) return stop();
    const char c = at(begin);
    if (c == '[' || c == '{') {
      open(c == '{', true, 0);
      state_.position = skip_gap(begin + 1);
      if (at(state_.position) == (c == '{' ? '}' : ']')) {
        ++state_.position;
        return close();
      }
      state_.expects = c == '{' ? Expects::kKey : Expects::kValue;
      return;
    }
    std::size_t end = begin;
    const bool is_quoted = c == '"' || c == '\'';
    const std::string text = is_quoted ? quoted(end) : plain_in_flow(end);
    state_.position = end;
    finish(is_quoted ? base::json_string(text) : json_of_plain(text));
  }

  void after_value() {
    if (state_.open.empty()) return stop();
    if (is_in_flow()) {
      const std::size_t mark = skip_gap(state_.position);
      if (mark >= text_.size()) return stop();
      state_.position = mark + 1;
      if (at(mark) != ',') return close();
      state_.position = skip_gap(mark + 1);
      state_.expects = state_.open.back().is_object ? Expects::kKey : Expects::kValue;
      return;
    }
    if (at(state_.position) != '\n') return stop();
    const std::size_t begin = skip_blanks(state_.position + 1);
    const std::size_t column = begin - state_.position - 1;
    if (begin >= text_.size()) return stop();
    const bool is_item = is_mark(begin, '-');
    while (!state_.open.empty()) {
      const Container& last = state_.open.back();
      if (last.column < column || (last.column == column && last.is_object != is_item)) break;
      close();
    }
    if (state_.open.empty() || state_.open.back().column != column) return stop();
    state_.position = is_item ? begin + 1 : begin;
    state_.expects = is_item ? Expects::kValue : Expects::kKey;
    keep(begin);
  }

  // --- Keys ---

  void key() {
    std::size_t end = is_in_flow() ? skip_gap(state_.position) : state_.position;
    if (end >= text_.size()) return stop();
    const bool is_quoted = at(end) == '"' || at(end) == '\'';
    std::string text = is_quoted ? quoted(end) : plain_on_line(end);
    if (at(end) != ':') return stop();
    add_key(std::move(text), end + 1);
  }

  void add_key(std::string key, std::size_t end) {
    Container& object = state_.open.back();
    if (reader_.reads_items_) {
      if (object.json.size() > 1) object.json += ',';
      object.json += base::json_string(key) + ':';
    }
    object.keys.insert(std::ranges::lower_bound(object.keys, key), std::move(key));
    state_.position = end;
    state_.expects = Expects::kValue;
  }

  // --- Scalars: each returns the text from `i` on and sets `i` to its end ---

  [[nodiscard]] std::size_t column_of(std::size_t i) const {
    const std::size_t line_end = i == 0 ? std::string_view::npos : text_.rfind('\n', i - 1);
    return line_end == std::string_view::npos ? i : i - line_end - 1;
  }

  // Up to the line's end, or a colon that ends a key.
  std::string plain_on_line(std::size_t& i) const {
    const std::size_t begin = i;
    while (i < text_.size() && at(i) != '\n' && !is_mark(i, ':')) ++i;
    return std::string(text_.substr(begin, i - begin));
  }

  void continue_plain(std::string& text, std::size_t& i) const {
    const std::size_t around = state_.open.empty() ? 0 : state_.open.back().column;
    while (at(i) == '\n') {
      std::size_t line_end = i;
      while (at(line_end + 1) == '\n') ++line_end;
      const std::size_t begin = skip_blanks(line_end + 1);
      if (begin >= text_.size() || begin - line_end - 1 <= around) return;
      drop_blank(text);
      add_breaks(line_end - i + 1, text);
      i = begin;
      while (i < text_.size() && at(i) != '\n') text += text_[i++];
    }
  }

  std::string plain_in_flow(std::size_t& i) const {
    static constexpr std::string_view kEnds = ",[]{}";
    std::string text;
    while (i < text_.size() && kEnds.find(at(i)) == std::string_view::npos) {
      if (at(i) != '\n') {
        text += text_[i++];
        continue;
      }
      const std::size_t next = skip_gap(i);
      if (next >= text_.size() || kEnds.find(at(next)) != std::string_view::npos) return text;
      drop_blank(text);
      add_breaks(static_cast<std::size_t>(std::ranges::count(text_.substr(i, next - i), '\n')), text);
      i = next;
    }
    while (text.ends_with(' ')) text.pop_back();
    return text;
  }

  // A blank before a line end.
  static void drop_blank(std::string& text) {
    if (text.ends_with(' ')) text.pop_back();
  }

  static void add_breaks(std::size_t count, std::string& text) {
    if (count == 1) {
      text += ' ';
    } else {
      text.append(count - 1, '\n');
    }
  }

  // Skips line ends and the blanks of the next line. Returns how many line ends.
  std::size_t skip_breaks(std::size_t& i) const {
    std::size_t count = 0;
    for (; at(i) == '\n'; ++count) i = skip_blanks(i + 1);
    return count;
  }

  std::string quoted(std::size_t& i) const {
    const char quote = text_[i++];
    std::string text;
    bool after_raw_blank = false;
    while (i < text_.size()) {
      const char c = text_[i];
      if (c == '\n') {
        if (std::exchange(after_raw_blank, false)) drop_blank(text);
        add_breaks(skip_breaks(i), text);
      } else if (c == quote) {
        ++i;
        if (quote == '"' || at(i) != '\'') return text;
        text += text_[i++];
      } else if (c == '\\' && quote == '"') {
        escape(++i, text);
        after_raw_blank = false;
      } else {
        after_raw_blank = c == ' ';
        text += text_[i++];
      }
    }
    return text;
  }

  void escape(std::size_t& i, std::string& text) const {
    constexpr std::string_view kLetters = "0abtnvfre \"/\\";
    constexpr std::string_view kMeanings{"\0\a\b\t\n\v\f\r\x1B \"/\\", 13};
    const char c = at(i);
    if (c == '\n') {
      skip_breaks(i);
      return;
    }
    ++i;
    if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos) {
      text += kMeanings[letter];
      return;
    }
    char32_t code_point = c == 'N' ? 0x85 : 0xA0;
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits > 0) code_point = 0;
    for (std::size_t k = 0; k < digits; ++k, ++i) {
      code_point = code_point << 4U | (static_cast<unsigned>(base::hex_digit(at(i))) & 0xFU);
    }
    base::append_utf8(text, std::min(code_point, base::kMaxCodePoint));
  }

  // --- ---

  // Keeps the state at a line for later texts; `begin` is its first byte after the blanks.
  void keep(std::size_t begin) {
    if (is_kept_ || text_.size() - begin > kKeptBefore) return;
    is_kept_ = true;
    if (reader_.known_text_.size() == begin + 1 && text_.starts_with(reader_.known_text_)) return;
    // Whether a mark is one depends on the byte after it, so that is read again.
    if (begin + 2 > text_.size()) return;
    reader_.known_text_ = text_.substr(0, begin + 2);
    reader_.known_ = state_;
  }

  YamlReader& reader_;
  std::string_view text_;
  State state_;
  bool is_kept_ = false;
};

void YamlReader::read_items() {
  if (reads_items_) return;
  reads_items_ = true;
  known_text_.clear();
}

WEIR_REPLACEABLE std::string_view YamlReader::deciding_text(std::string_view text) {
  Reading reading(*this, text);
  State& state = reading.run();
  found_.clear();
  // From the innermost container outwards, each closed as the last value of the one around it.
  std::string inner;
  for (std::size_t i = state.open.size(); i-- > 0;) {
    Container& container = state.open[i];
    if (!inner.empty() && reads_items_) {
      if (!container.is_object) {
        if (container.json.size() > 1) container.json += ',';
        container.last = inner;
      }
      container.json += inner;
    }
    found_ += container.is_flow ? 'f' : container.is_object ? 'm' : 's';
    found_ += std::to_string(container.column) + ':';
    if (container.is_object) {
      for (const std::string& key : container.keys) found_ += key + KeyReader::kKeyEnd;
    } else {
      found_ += container.last;
    }
    found_ += kPartEnd;
    if (container.is_flow) break;  // the rules for what is around brackets do not come next
    if (reads_items_) inner = container.json + (container.is_object ? '}' : ']');
  }
  return found_;
}

std::string_view YamlReader::part_at(std::string_view deciding_text, std::uint32_t depth) {
  const YamlPlace place = YamlPlace::of(depth);
  const bool is_flow = place.kind == YamlPlace::Kind::kFlow;
  const std::string begin =
      (is_flow ? "f0" : (place.kind == YamlPlace::Kind::kMapping ? "m" : "s") + std::to_string(place.column)) + ":";
  while (!deciding_text.empty()) {
    const std::size_t end = std::min(deciding_text.find(kPartEnd), deciding_text.size());
    if (deciding_text.starts_with(begin)) return deciding_text.substr(begin.size(), end - begin.size());
    deciding_text.remove_prefix(std::min(end + 1, deciding_text.size()));
  }
  return {};
}

}  // namespace weir::frontend::json_schema
