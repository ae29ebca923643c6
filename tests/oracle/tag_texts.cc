#include "oracle/tag_texts.h"

#include <algorithm>
#include <cstdlib>
#include <regex>

namespace weir::oracle {

struct TagTexts::Json {
  enum class Type : std::uint8_t { kString, kNumber, kFlag, kList, kObject };
  Type type = Type::kObject;
  std::string string;
  int number = 0;  // of a flag: 0 or 1
  std::vector<Json> items;         // or the values of members
  std::vector<std::string> names;  // of members

  [[nodiscard]] const Json* find(std::string_view key) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == key) return &items[i];
    }
    return nullptr;
  }
  [[nodiscard]] const Json& at(std::string_view key) const {
    const Json* value = find(key);
    if (value == nullptr) std::abort();
    return *value;
  }
  [[nodiscard]] bool flag(std::string_view key, bool otherwise = false) const {
    const Json* value = find(key);
    return value != nullptr ? value->number != 0 : otherwise;
  }
  [[nodiscard]] std::vector<std::string> strings(std::string_view key) const {
    std::vector<std::string> out;
    const Json* list = find(key);
    if (list == nullptr) return out;
    if (list->type == Type::kString) return {list->string};
    for (const Json& item : list->items) out.push_back(item.string);
    return out;
  }
};

// Reads JSON whose strings have no escapes but `\"` and `\\`.
struct TagTexts::Reader {
  std::string_view text;
  std::size_t at = 0;

  char peek() {
    while (text[at] == ' ' || text[at] == '\n') ++at;
    return text[at];
  }
  std::string string() {
    std::string out;
    for (++at; text[at] != '"'; ++at) {
      if (text[at] == '\\') ++at;
      out += text[at];
    }
    ++at;
    return out;
  }
  Json value() {
    Json out;
    const char first = peek();
    if (first == '"') {
      out.type = Json::Type::kString;
      out.string = string();
    } else if (first == '[' || first == '{') {
      out.type = first == '[' ? Json::Type::kList : Json::Type::kObject;
      ++at;
      while (peek() != ']' && peek() != '}') {
        if (peek() == ',') ++at;
        if (first == '[') {
          out.items.push_back(value());
          continue;
        }
        peek();
        std::string key = string();
        peek();
        ++at;  // the colon
        out.names.push_back(std::move(key));
        out.items.push_back(value());
      }
      ++at;
    } else if (first == 't' || first == 'f') {
      out.type = Json::Type::kFlag;
      out.number = first == 't' ? 1 : 0;
      at += first == 't' ? 4 : 5;
    } else {
      out.type = Json::Type::kNumber;
      const std::size_t begin = at;
      while (at < text.size() && (text[at] == '-' || (text[at] >= '0' && text[at] <= '9'))) ++at;
      out.number = std::atoi(std::string(text.substr(begin, at - begin)).c_str());
    }
    return out;
  }
};

namespace {

// Calls `use` with each place of the set.
template <typename Use>
void for_each_place(std::uint32_t places, Use use) {
  for (std::size_t i = 0; i < 32; ++i) {
    if ((places >> i & 1) != 0) use(i);
  }
}

std::uint32_t only(std::size_t place) { return 1U << place; }

}  // namespace

TagTexts::TagTexts(std::string_view json) : root_(std::make_unique<Json>(Reader{json}.value())) {}
TagTexts::~TagTexts() = default;

bool TagTexts::contains(std::string_view text) {
  text_ = text;
  known_.clear();
  return (ends_of(root_->at("format"), {}, 0) & only(text_.size())) != 0;
}

// A string that holds an end does not count, because the end is complete first.
bool TagTexts::Text::is_kept_out(const std::string& string) const {
  return std::none_of(ends.begin(), ends.end(),
                      [&](const std::string& end) { return end != string && string.find(end) != std::string::npos; });
}

TagTexts::Places TagTexts::literal(std::string_view string, std::size_t from) const {
  const bool is_there = std::string_view(text_).substr(from).starts_with(string);
  return is_there ? only(from + string.size()) : 0;
}

TagTexts::Places TagTexts::whole_matches(const std::function<bool(const std::string&)>& is_match,
                                         std::size_t from) const {
  Places out = 0;
  for (std::size_t to = from; to <= text_.size(); ++to) {
    const std::string piece = text_.substr(from, to - from);
    if (piece.find(kToken) == std::string::npos && is_match(piece)) out |= only(to);
  }
  return out;
}

// Free text from `from`: it may end where none of its strings has begun.
TagTexts::Places TagTexts::free_text(const Text& text, std::size_t from) const {
  Places out = 0;
  const auto begins = [&](const Strings& strings, std::size_t at) {
    return std::any_of(strings.begin(), strings.end(),
                       [&](const std::string& string) { return text.is_kept_out(string) && literal(string, at) != 0; });
  };
  for (std::size_t to = from;; ++to) {
    out |= only(to);
    if (to == text_.size() || text_[to] == kToken || begins(text.ends, to) || begins(text.excluded, to)) return out;
  }
}

// Of places where a constant or a pattern may end, those that no end of the tag crosses from within it.
TagTexts::Places TagTexts::uncrossed(Places places, const Strings& tag_ends, std::size_t from) const {
  const Text text{tag_ends, {}};
  for_each_place(places, [&](std::size_t to) {
    for (const std::string& end : tag_ends) {
      for (std::size_t at = from; at < to && text.is_kept_out(end); ++at) {
        if (at + end.size() > to && literal(end, at) != 0) places &= ~only(to);
      }
    }
  });
  return places;
}

TagTexts::Places TagTexts::ends_of(const Json& format, const Strings& tag_ends, std::size_t from) {
  const auto key = std::pair(&format, std::pair(from, tag_ends));
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const Places found = compute(format, tag_ends, from);
  known_[key] = found;
  return found;
}

TagTexts::Places TagTexts::ends_from(const Json& format, const Strings& tag_ends, Places from) {
  Places out = 0;
  for_each_place(from, [&](std::size_t place) { out |= ends_of(format, tag_ends, place); });
  return out;
}

TagTexts::Places TagTexts::compute(const Json& format, const Strings& tag_ends, std::size_t from) {
  const std::string& type = format.find("type") != nullptr ? format.at("type").string : "tag";
  if (type == "const_string") return uncrossed(literal(format.at("value").string, from), tag_ends, from);
  if (type == "token") return literal(std::string(1, kToken), from);
  if (type == "any_text") {
    Places all = free_text({tag_ends, format.strings("excludes")}, from);
    if (const Json* most = format.find("max_chars")) {
      for_each_place(all, [&](std::size_t to) {
        if (to > from + static_cast<std::size_t>(most->number)) all &= ~only(to);
      });
    }
    return all;
  }
  if (type == "regex") {
    const std::regex pattern(format.at("pattern").string);
    const Places all = whole_matches([&](const std::string& piece) { return std::regex_match(piece, pattern); }, from);
    return uncrossed(all, tag_ends, from);
  }
  if (type == "grammar") {  // `root ::= "" | "X" root "Y"`: as many X as Y
    const std::string& grammar = format.at("grammar").string;
    const std::string x(1, grammar[grammar.find("root \"") - 3]), y(1, grammar[grammar.find("root \"") + 6]);
    return whole_matches(
        [&](const std::string& piece) {
          std::string nested;
          while (nested.size() < piece.size()) nested = x + nested + y;
          return nested == piece;
        },
        from);
  }
  if (type == "json_schema") {  // integers without a sign
    const std::regex pattern("[1-9][0-9]*|0");
    return whole_matches([&](const std::string& piece) { return std::regex_match(piece, pattern); }, from);
  }
  if (type == "sequence") {
    Places at = only(from);
    for (const Json& element : format.at("elements").items) at = ends_from(element, tag_ends, at);
    return at;
  }
  if (type == "or") {
    Places out = 0;
    for (const Json& element : format.at("elements").items) out |= ends_of(element, tag_ends, from);
    return out;
  }
  if (type == "optional") return repeated(format.at("content"), tag_ends, from, 0, 1);
  if (type == "star") return repeated(format.at("content"), tag_ends, from, 0, -1);
  if (type == "plus") return repeated(format.at("content"), tag_ends, from, 1, -1);
  if (type == "repeat") {
    return repeated(format.at("content"), tag_ends, from, format.at("min").number, format.at("max").number);
  }
  if (type == "tag") return tag(format, tag_ends, from);
  if (type == "triggered_tags") return triggered(format, tag_ends, from);
  if (type == "dispatch") return dispatch(format, tag_ends, from);
  if (type == "tags_with_separator") return separated(format, tag_ends, from);
  std::abort();
}

TagTexts::Places TagTexts::repeated(const Json& content, const Strings& tag_ends, std::size_t from, int min, int max) {
  Places out = min == 0 ? only(from) : 0;
  Places at = only(from);
  const int most = max < 0 ? min + 32 : max;  // more rounds than the text has bytes end nowhere else
  for (int round = 1; round <= most && at != 0; ++round) {
    at = ends_from(content, tag_ends, at);
    if (round >= min) out |= at;
  }
  return out;
}

// Content and end; `cut` bytes of the begin have been read.
TagTexts::Places TagTexts::tag(const Json& tag, const Strings& tag_ends, std::size_t from) {
  const Json& begin = tag.at("begin");
  const Places begun = literal(begin.type == Json::Type::kObject ? std::string(1, kToken) : begin.string, from);
  Strings ends = tag.strings("end");
  Strings inner;
  bool may_be_empty = false;
  for (const std::string& end : ends) {
    may_be_empty = may_be_empty || end.empty();
    if (!end.empty()) inner.push_back(end);
  }
  if (tag.at("end").type == Json::Type::kObject) ends = {std::string(1, kToken)};
  if (may_be_empty) inner.insert(inner.end(), tag_ends.begin(), tag_ends.end());
  Places out = 0;
  for_each_place(ends_from(tag.at("content"), inner, begun), [&](std::size_t place) {
    for (const std::string& end : ends) out |= literal(end, place);
  });
  return out;
}

TagTexts::Places TagTexts::text_and_calls(const Text& text, const Strings& triggers, const Strings& never, bool stop,
                                          std::size_t from,
                                          const std::function<Places(std::size_t, std::size_t)>& then) {
  Places out = 0, begun = 0, open = only(from);
  while (open != 0) {
    Places next = 0;
    begun |= open;
    for_each_place(open, [&](std::size_t begin) {
      const Places texts = free_text(text, begin);
      out |= texts;
      for_each_place(texts, [&](std::size_t at) {
        for (std::size_t t = 0; t < triggers.size(); ++t) {
          if (literal(triggers[t], at) == 0) continue;
          // The text with the trigger: no trigger is complete before this one, and nothing that must never be is in it.
          const std::string piece = text_.substr(begin, at + triggers[t].size() - begin);
          const auto ends_first = [&](const std::string& other) {
            const std::size_t found = piece.find(other);
            return found != std::string::npos && found + other.size() < piece.size();
          };
          const auto is_in = [&](const std::string& string) { return piece.find(string) != std::string::npos; };
          if (std::any_of(triggers.begin(), triggers.end(), ends_first)) continue;
          if (std::any_of(never.begin(), never.end(), is_in)) continue;
          next |= then(t, at);
        }
      });
    });
    if (stop) return out | next;
    open = next & ~begun;
  }
  return out;
}

TagTexts::Places TagTexts::triggered(const Json& format, const Strings& tag_ends, std::size_t from) {
  const Strings triggers = format.strings("triggers");
  const std::vector<Json>& tags = format.at("tags").items;
  const bool stop = format.flag("stop_after_first");
  Text text{tag_ends, format.strings("excludes")};
  Strings never = text.excluded;
  never.insert(never.end(), tag_ends.begin(), tag_ends.end());
  text.ends.insert(text.ends.end(), triggers.begin(), triggers.end());
  Places starts = only(from);
  if (format.flag("at_least_one")) {
    starts = 0;
    for (const Json& one : tags) starts |= tag(one, tag_ends, from);
    if (stop) return starts;
  }
  Places out = 0;
  for_each_place(starts, [&](std::size_t start) {
    out |= text_and_calls(text, triggers, never, stop, start, [&](std::size_t trigger, std::size_t at) {
      Places ends = 0;
      for (const Json& one : tags) {
        if (one.at("begin").string.starts_with(triggers[trigger])) ends |= tag(one, tag_ends, at);
      }
      return ends;
    });
  });
  return out;
}

TagTexts::Places TagTexts::dispatch(const Json& format, const Strings& tag_ends, std::size_t from) {
  const std::vector<Json>& rules = format.at("rules").items;
  Text text{{}, format.strings("excludes")};
  for (const Json& rule : rules) text.ends.push_back(rule.items[0].string);
  return text_and_calls(text, text.ends, text.excluded, !format.flag("loop", true), from,
                        [&](std::size_t trigger, std::size_t at) {
                          return ends_of(rules[trigger].items[1], tag_ends, at + text.ends[trigger].size());
                        });
}

TagTexts::Places TagTexts::separated(const Json& format, const Strings& tag_ends, std::size_t from) {
  const auto one_from = [&](Places places) {
    Places out = 0;
    for_each_place(places, [&](std::size_t place) {
      for (const Json& one : format.at("tags").items) out |= tag(one, tag_ends, place);
    });
    return out;
  };
  Places out = format.flag("at_least_one") ? 0 : only(from);
  for (Places at = one_from(only(from)), begun = 0; (at & ~begun) != 0;) {
    out |= at;
    if (format.flag("stop_after_first")) break;
    begun |= at;
    Places after = 0;
    for_each_place(at, [&](std::size_t place) { after |= literal(format.at("separator").string, place); });
    at = one_from(after);
  }
  return out;
}

}  // namespace weir::oracle
