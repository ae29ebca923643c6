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
#include "frontend/search_bounds.h"

namespace weir::frontend::json_schema {

namespace {

constexpr char kPartEnd = '\xFE';  // never occurs in UTF-8

// As the rules write numbers: an exponent has a sign, and a fraction before it.
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
    if (i + 1 < text.size() && (text[i] == 'e' || text[i] == 'E') && (text[i + 1] == '+' || text[i + 1] == '-')) {
      i += 2;
      if (!digits()) return false;
    }
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
    for (Known& known : reader.known_) {
      const bool is_better = known_ == nullptr || known_->state.position < known.state.position;
      if (is_better && !known.text.empty() && text.starts_with(known.text)) known_ = &known;
    }
    if (known_ != nullptr) {
      state_ = known_->state;
      seen_ = known_->text.size();
    } else if (text.starts_with("---\n")) {
      state_.position = 4;
    }
    has_to_keep_ = text.size() - state_.position > 2 * kKeptBefore;
    base::Work::charge(1 + (text.size() - state_.position) / base::Work::kTextBytes);
  }

  State& read() {
    while (!at_end()) {
      keep();
      switch (state_.expects) {
        case Expects::kValue: value(); break;
        case Expects::kKey: key(); break;
        case Expects::kScalar: scalar(); break;
        case Expects::kColon: stop(); break;
        case Expects::kEnd: after_value(); break;
      }
    }
    return state_;
  }

  State& run() {
    read();
    if (state_.expects == Expects::kScalar) end_scalar();
    if (state_.expects == Expects::kValue && !is_in_flow()) finish([] { return "null"; });
    return state_;
  }

  /// Reads a whole document. Returns its value.
  std::string document() {
    run();
    while (!state_.open.empty()) close();
    return std::move(document_);
  }

  /// Reads the beginning of one. If it ends with a key, or within one, returns the key's object with that key as the
  /// last one.
  const Container* object_at_key() {
    read();
    const bool is_after_key = state_.expects == Expects::kValue && !state_.open.empty() && state_.open.back().is_object;
    if (is_in_key()) {
      end_key(state_.position);
    } else if (!is_after_key) {
      return nullptr;
    }
    return &state_.open.back();
  }

  /// Reads the beginning of one. Returns the JSON text of what is open.
  std::string beginning() {
    read();
    if (is_in_key()) end_key(state_.position);
    if (state_.expects == Expects::kScalar) end_scalar();
    std::string json;
    for (const Container& container : state_.open) {
      if (json.size() > 1 && json.back() != ':' && !json.ends_with('[')) json += ',';
      json += container.json;
    }
    return state_.open.empty() ? std::move(document_) : json;
  }

 private:
  [[nodiscard]] bool at_end() const { return state_.position >= text_.size(); }
  [[nodiscard]] bool is_in_key() const {
    return state_.expects == Expects::kColon || (state_.expects == Expects::kScalar && state_.scalar.is_key);
  }
  // Returns the byte, or 0 at the text's end. All bytes are read by this function, so `seen_` says what the state
  // depends on.
  [[nodiscard]] char at(std::size_t i) {
    seen_ = std::max(seen_, i + 1);
    return i < text_.size() ? text_[i] : '\0';
  }
  [[nodiscard]] bool is_in_flow() const { return !state_.open.empty() && state_.open.back().is_flow; }
  void stop() { state_.position = text_.size(); }

  std::size_t skip_blanks(std::size_t i) {
    while (at(i) == ' ') ++i;
    return i;
  }
  std::size_t skip_gap(std::size_t i) {
    while (at(i) == ' ' || at(i) == '\n') ++i;
    return i;
  }
  [[nodiscard]] bool is_mark(std::size_t i, char mark) {
    return at(i) == mark && (at(i + 1) == ' ' || at(i + 1) == '\n' || i + 1 >= text_.size());
  }

  // --- Values ---

  // A value ends; `json()` is its text as JSON.
  template <typename Json>
  void finish(Json json) {
    state_.expects = Expects::kEnd;
    if (state_.open.empty() && reader_.reads_document_) document_ = json();
    if (state_.open.empty() || !reader_.reads_items_) return;
    Container& around = state_.open.back();
    if (around.is_object && !around.is_in_array) return;
    std::string text(json());
    if (around.is_in_array) {
      if (!around.is_object && around.json.size() > 1) around.json += ',';
      around.json += text;
    }
    if (!around.is_object) around.last = std::move(text);
  }

  void open(bool is_object, bool is_flow, std::size_t column = 0) {
    const bool is_item = !state_.open.empty() && (state_.open.back().is_in_array || !state_.open.back().is_object);
    state_.open.push_back({.is_object = is_object,
                           .is_flow = is_flow,
                           .is_in_array = is_item || reader_.reads_document_,
                           .column = static_cast<std::uint32_t>(column)});
    state_.open.back().json = is_object ? "{" : "[";
  }

  void close() {
    const Container container = std::move(state_.open.back());
    state_.open.pop_back();
    finish([&] { return container.json + (container.is_object ? '}' : ']'); });
  }

  void value() {
    if (is_in_flow()) return flow_value(skip_gap(state_.position));
    const std::size_t begin = skip_blanks(state_.position);
    if (begin >= text_.size()) return stop();
    if (at(begin) == '\n') return value_on_next_line(begin);
    if (at(begin) == '[' || at(begin) == '{') return flow_value(begin);
    if (at(begin) == '|' || at(begin) == '>') return begin_lines(begin);
    const bool may_be_block = state_.open.empty() || !state_.open.back().is_object;
    if (may_be_block && is_mark(begin, '-')) {
      open(false, false, column_of(begin));
      state_.position = begin + 1;
      return;
    }
    begin_scalar(begin, {.may_be_key = may_be_block, .column = may_be_block ? column_of(begin) : 0});
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
      return finish([] { return "null"; });
    }
    if (!is_item) return begin_scalar(begin, {.may_be_key = true, .column = column});
    open(false, false, column);
    state_.position = begin + 1;
    state_.expects = Expects::kValue;
  }

  void flow_value(std::size_t begin) {
    if (begin >= text_.size()) return stop();
    const char c = at(begin);
    if (c != '[' && c != '{') return begin_scalar(begin, {.may_be_key = is_in_flow() && !state_.open.back().is_object});
    open(c == '{', true);
    state_.position = skip_gap(begin + 1);
    if (at(state_.position) == (c == '{' ? '}' : ']')) {
      ++state_.position;
      return close();
    }
    state_.expects = c == '{' ? Expects::kKey : Expects::kValue;
  }

  void after_value() {
    if (state_.open.empty()) return stop();
    if (state_.open.back().is_pair) return close();
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
  }

  void key() {
    const std::size_t begin = is_in_flow() ? skip_gap(state_.position) : state_.position;
    if (begin >= text_.size()) return stop();
    begin_scalar(begin, {.is_key = true});
  }

  void end_key(std::size_t end) {
    if (!state_.scalar.is_key) {
      const bool is_pair = is_in_flow();
      open(true, is_pair, state_.scalar.column);
      state_.open.back().is_pair = is_pair;
    }
    const std::string key = std::move(state_.scalar.text);
    Container& object = state_.open.back();
    if (reader_.reads_items_ && object.is_in_array) {
      if (object.json.size() > 1) object.json += ',';
      object.json += base::json_string(key) + ':';
    }
    if (reader_.reads_document_) {
      object.places.push_back({state_.scalar.begin, end - 1});
      object.keys_at_places.push_back(key);
    }
    const std::string others = std::move(object.keys);
    KeyReader::merge_keys(others, {&key, 1}, object.keys);
    state_.position = end;
    state_.expects = Expects::kValue;
  }

  // --- Scalars: a call reads a character, or several that are read together, from the position on ---

  [[nodiscard]] std::size_t column_of(std::size_t i) const {
    const std::size_t line_end = i == 0 ? std::string_view::npos : text_.rfind('\n', i - 1);
    return line_end == std::string_view::npos ? i : i - line_end - 1;
  }

  void begin_scalar(std::size_t begin, Scalar scalar) {
    state_.expects = Expects::kScalar;
    state_.scalar = std::move(scalar);
    state_.scalar.begin = begin;
    state_.position = begin;
    if (at(begin) != '"' && at(begin) != '\'') return;
    state_.scalar.quote = at(begin);
    ++state_.position;
  }

  void begin_lines(std::size_t begin) {
    Scalar read{.quote = at(begin++)};
    const std::size_t around = state_.open.empty() ? 0 : state_.open.back().column;
    if (at(begin) >= '1' && at(begin) <= '9') read.column = around + static_cast<std::size_t>(at(begin++) - '0');
    if (at(begin) == '-' || at(begin) == '+') read.chomping = at(begin++);
    state_.expects = Expects::kScalar;
    state_.scalar = std::move(read);
    state_.position = begin;
  }

  void scalar() {
    if (state_.scalar.quote == '|' || state_.scalar.quote == '>') {
      on_lines();
    } else if (state_.scalar.quote != '\0') {
      quoted();
    } else if (is_in_flow() && !state_.scalar.is_key) {
      plain_in_flow();
    } else {
      plain_on_line();
    }
  }

  // The scalar ends at the position.
  void end_scalar() {
    Scalar& read = state_.scalar;
    if (read.quote == '|' || read.quote == '>') {
      const bool has_line_end = !at_end() || !reader_.ends_in_line_;
      if (read.chomping != '-' && has_line_end && read.has_lines) read.text += '\n';
      return finish([&] { return base::json_string(read.text); });
    }
    if (read.is_key || read.may_be_key) {
      if (is_mark(state_.position, ':')) return end_key(state_.position + 1);
    }
    if (read.is_key) {
      state_.expects = Expects::kColon;
      return stop();
    }
    finish([&] { return read.quote == '\0' ? json_of_plain(read.text) : base::json_string(read.text); });
  }

  void on_lines() {
    Scalar& read = state_.scalar;
    std::size_t& i = state_.position;
    if (read.is_in_line && at(i) != '\n') {
      read.text += at(i++);
      return;
    }
    std::size_t line_end = i;
    while (at(line_end + 1) == '\n') ++line_end;
    const std::size_t count = line_end - i + 1;
    const std::size_t begin = skip_blanks(line_end + 1);
    const std::size_t around = state_.open.empty() ? 0 : state_.open.back().column;
    const std::size_t column = begin - line_end - 1;
    if (read.column == 0 && begin < text_.size() && column > around) read.column = column;
    if (begin >= text_.size() || read.column == 0 || column < read.column) {
      // The last line end is not read here, and not in the text yet if that ends here. The first one is the header's, if
      // no line has begun: then the string has line ends alone.
      const bool goes_on = line_end + 1 < text_.size();
      const std::size_t of_header = read.has_lines ? 0 : 1;
      read.has_lines = read.has_lines || !goes_on || count > of_header;
      const std::size_t not_read = of_header + (goes_on ? 1 : 0);
      if (count > not_read) read.text.append(count - not_read, '\n');
      i = goes_on ? line_end : text_.size();
      return end_scalar();
    }
    if (!read.has_lines) {
      read.text.append(count - 1, '\n');
    } else if (read.quote == '>') {
      add_breaks(count, read.text);
    } else {
      read.text.append(count, '\n');
    }
    read.has_lines = read.is_in_line = true;
    i = line_end + 1 + read.column;
  }

  void plain_on_line() {
    std::size_t& i = state_.position;
    std::string& text = state_.scalar.text;
    if (is_mark(i, ':')) return end_scalar();
    if (at(i) != '\n') {
      text += at(i++);
      return;
    }
    if (state_.scalar.is_key) return end_scalar();
    const std::size_t around = state_.open.empty() ? 0 : state_.open.back().column;
    std::size_t line_end = i;
    while (at(line_end + 1) == '\n') ++line_end;
    const std::size_t begin = skip_blanks(line_end + 1);
    if (begin >= text_.size() || begin - line_end - 1 <= around) return end_scalar();
    state_.scalar.may_be_key = false;  // a key is on one line
    drop_blank(text);
    add_breaks(line_end - i + 1, text);
    i = begin;
  }

  void plain_in_flow() {
    static constexpr std::string_view kEnds = ",[]{}";
    std::size_t& i = state_.position;
    std::string& text = state_.scalar.text;
    const bool is_break = at(i) == '\n';
    const std::size_t next = is_break ? skip_gap(i) : i;
    if (state_.scalar.may_be_key && is_mark(i, ':')) return end_scalar();
    if (is_break) state_.scalar.may_be_key = false;
    const bool is_end = next >= text_.size() || kEnds.find(at(next)) != std::string_view::npos;
    if (!is_break && !is_end) {
      text += at(i++);
    } else if (is_break && !is_end) {
      drop_blank(text);
      add_breaks(static_cast<std::size_t>(std::ranges::count(text_.substr(i, next - i), '\n')), text);
      i = next;
    } else {
      while (text.ends_with(' ')) text.pop_back();
      end_scalar();
    }
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
  std::size_t skip_breaks(std::size_t& i) {
    std::size_t count = 0;
    for (; at(i) == '\n'; ++count) i = skip_blanks(i + 1);
    return count;
  }

  void quoted() {
    Scalar& read = state_.scalar;
    std::size_t& i = state_.position;
    const char c = at(i);
    if (c == '\n') {
      if (std::exchange(read.is_after_blank, false)) drop_blank(read.text);
      add_breaks(skip_breaks(i), read.text);
    } else if (c == read.quote) {
      ++i;
      if (read.quote == '"' || at(i) != '\'') return end_scalar();
      read.text += at(i++);
    } else if (c == '\\' && read.quote == '"') {
      escape(++i, read.text);
      read.is_after_blank = false;
    } else {
      read.is_after_blank = c == ' ';
      read.text += at(i++);
    }
  }

  void escape(std::size_t& i, std::string& text) {
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

  // Keeps the state for later texts, once, near the end of the text.
  void keep() {
    if (!has_to_keep_ || text_.size() - state_.position > kKeptBefore || seen_ > text_.size()) return;
    has_to_keep_ = false;
    Known& kept = known_ != nullptr ? *known_ : reader_.known_[reader_.next_known_++ % reader_.known_.size()];
    kept.text = text_.substr(0, std::max(seen_, state_.position));
    kept.state = state_;
  }

  YamlReader& reader_;
  std::string_view text_;
  Known* known_ = nullptr;  // whose state this reading began with
  State state_;
  std::size_t seen_ = 0;  // the end of the bytes that were read, and more than the text's size if its end was seen
  bool has_to_keep_ = false;
  std::string document_;  // as JSON, when it has ended
};

void YamlReader::read_items() {
  if (reads_items_) return;
  reads_items_ = true;
  known_ = {};
}

WEIR_REPLACEABLE std::string_view YamlReader::deciding_text(std::string_view text) {
  Reading reading(*this, text);
  State& state = reading.run();
  found_.clear();
  // From the innermost container outwards, each closed as the last value of the one around it.
  std::string inner;
  for (std::size_t i = state.open.size(); i-- > 0;) {
    Container& container = state.open[i];
    if (!inner.empty()) {
      if (container.is_in_array) {
        if (!container.is_object && container.json.size() > 1) container.json += ',';
        container.json += inner;
      }
      if (!container.is_object) container.last = std::move(inner);
    }
    found_ += container.is_flow ? 'f' : container.is_object ? 'm' : 's';
    found_ += std::to_string(container.column) + ':';
    found_ += container.is_object ? container.keys : container.last;
    found_ += kPartEnd;
    if (container.is_flow) break;  // the rules for what is around brackets do not come next
    inner.clear();
    if (reads_items_ && container.is_in_array) inner = container.json + (container.is_object ? '}' : ']');
  }
  base::Work::charge(found_.size() / base::Work::kTextBytes);
  return found_;
}

std::string YamlReader::json_of(std::string_view document) {
  if (document.ends_with("\n...\n")) document.remove_suffix(4);
  YamlReader reader;
  reader.ends_in_line_ = !document.ends_with('\n');
  if (!reader.ends_in_line_) document.remove_suffix(1);
  reader.reads_items_ = reader.reads_document_ = true;
  return Reading(reader, document).document();
}

std::string YamlReader::open_json_of(std::string_view beginning) {
  YamlReader reader;
  reader.reads_items_ = reader.reads_document_ = true;
  return Reading(reader, beginning).beginning();
}

std::string YamlReader::decoded_key(std::string_view written) {
  YamlReader reader;
  const std::string text = std::string(written) + written.front() + ':';
  Reading reading(reader, text);
  const Container* const object = reading.object_at_key();
  return object == nullptr ? std::string() : object->keys.substr(0, object->keys.size() - 1);
}

std::optional<SourceRange> YamlReader::earlier_key(std::string_view beginning) {
  YamlReader reader;
  reader.reads_items_ = reader.reads_document_ = true;
  Reading reading(reader, beginning);
  const Container* const object = reading.object_at_key();
  if (object == nullptr) return std::nullopt;
  const auto same = std::ranges::find(object->keys_at_places, object->keys_at_places.back());
  const auto i = static_cast<std::size_t>(same - object->keys_at_places.begin());
  if (i + 1 == object->places.size()) return std::nullopt;
  return object->places[i];
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
