#include "replies/tag_values.h"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "base/json/json_text.h"
#include "frontend/structural_tag/arguments.h"
#include "replies/json_scanner.h"
#include "replies/search_bounds.h"

namespace weir::replies {

using base::JsonType;
using frontend::structural_tag::kItemTag;
using frontend::structural_tag::kNamedTagMark;
using frontend::structural_tag::kTypedTagEnd;

namespace {

// Reads what is within one another without functions that call themselves: a model decides how deep it is.
class TagReader {
 public:
  TagReader(std::string_view text, ToolSchemas& schemas) : text_(text), schemas_(schemas) {}

  // The arguments as Cohere writes them; empty if they are not of the form.
  std::string typed() {
    std::string out = "{";
    std::string open = "{";  // brackets
    bool is_first = true;    // of what is in the last of these
    while (!open.empty()) {
      skip();
      if (open.size() == 1 ? at_ == text_.size() : take(kTypedTagEnd)) {
        out += open.back() == '{' ? '}' : ']';
        open.pop_back();
        is_first = false;
        continue;
      }
      if (!std::exchange(is_first, false)) out += ", ";
      if (!take("<cofl:value ")) return {};
      if (open.back() == '{') {
        std::string_view name;
        if (!take("name=\"") || !take_until("\"", name) || !take(" ")) return {};
        out += base::json_string(decoded_attribute(name)) + ": ";
      }
      std::string_view kind;
      std::string_view inside;
      if (!take("type=\"") || !take_until("\">", kind)) return {};
      if (kind == "dict" || kind == "list") {
        open += kind == "dict" ? '{' : '[';
        out += open.back();
        is_first = true;
        continue;
      }
      if (!take_until(kTypedTagEnd, inside) || (kind != "raw" && !is_json(inside))) return {};
      out += kind == "raw" ? base::json_string(inside) : std::string(inside);
    }
    return out;
  }

  // The arguments as MiniMax-M3 writes them; empty if they are not of the form.
  std::string named(RootedSchema place, Rest rest) {
    std::vector<Open> open;
    open.push_back({.place = place, .rest = std::move(rest)});
    while (true) {
      Open& last = open.back();
      if (!is_at_tag()) {
        skip();
        const Chain whole = joined(last);
        if (open.size() == 1) return at_ == text_.size() ? text_of(whole) : std::string();
        const std::string_view key = last.key;
        open.pop_back();
        if (!take_end(key)) return {};
        add(open.back(), key, whole);
        continue;
      }
      skip();
      at_ += kNamedTagMark.size() + 1;
      std::string_view key;
      if (!take_until(">", key)) return {};
      const RootedSchema within = last.is_list ? ToolSchemas::item(last.place) : schemas_.member(last.place, key);
      const Types types = last.is_list ? schemas_.types(within) : schemas_.member_types(last.place, key);
      const Allowed allowed = next_value(last.rest, last.is_list ? std::string_view() : key, types, is_at_mark());
      if (is_at_tag()) {
        Rest inner(allowed.sets, Rest::Of::kObject, allowed.set);
        const bool may_be_object = allowed.has(JsonType::kObject) && (!is_at_item() || inner.allows(kItemTag));
        const bool says_list = (allowed.types & type_bit(JsonType::kArray)) != 0;
        const bool is_list = allowed.has(JsonType::kArray) &&
                             (!may_be_object || (says_list && is_at_item() && !schemas_.lists(within, kItemTag)));
        if (is_list) inner = Rest(allowed.sets, Rest::Of::kList, allowed.set);
        open.push_back({.key = key, .is_list = is_list, .place = within, .rest = std::move(inner)});
        continue;
      }
      std::string_view inside;
      if (!take_until(kNamedTagMark, inside)) return {};
      at_ -= kNamedTagMark.size();
      if (!take_end(key)) return {};
      add(last, key, chain(trimmed(inside).empty() ? empty_value(inside, allowed) : value_as_json(inside, allowed)));
    }
  }

 private:
  // Texts that follow one another. Values are put together of such, because copies of deep ones would be quadratic.
  struct Chain {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t size = 0;  // bytes
  };
  struct Piece {
    std::string text;
    std::size_t next = 0;  // 0: none
  };
  // An object or a list that has begun.
  struct Open {
    std::string_view key = {};  // of the tag that it is in
    bool is_list = false;
    RootedSchema place = {};
    Rest rest = {};
    std::vector<std::pair<std::string_view, std::vector<Chain>>> members = {};  // of a list one, with all items
    std::map<std::string_view, std::size_t> by_key = {};
  };

  Chain chain(std::string text) {
    const std::size_t size = text.size();
    pieces_.push_back({std::move(text)});
    return {pieces_.size() - 1, pieces_.size() - 1, size};
  }
  void append(Chain& to, Chain more) {
    pieces_[to.last].next = more.first;
    to.last = more.last;
    to.size += more.size;
  }
  [[nodiscard]] std::string text_of(Chain whole) const {
    std::string out;
    out.reserve(whole.size);
    for (std::size_t at = whole.first;; at = pieces_[at].next) {
      out += pieces_[at].text;
      if (at == whole.last) return out;
    }
  }

  // Adds a member to an object, or an item to a list.
  void add(Open& to, std::string_view key, Chain value) {
    if (to.is_list) key = {};
    if (to.rest.sets() != nullptr) to.rest.take(key, value.size > kMaxCheckedText ? std::string() : text_of(value));
    const auto [known, is_new] = to.by_key.emplace(key, to.members.size());
    if (is_new) to.members.push_back({key, {}});
    to.members[known->second].second.push_back(value);
  }

  Chain joined(const Open& of) {
    Chain whole = chain(of.is_list ? "[" : "{");
    bool is_first = true;
    for (const auto& [key, values] : of.members) {
      const bool is_many = !of.is_list && values.size() > 1;  // a key that comes several times is a list
      if (!of.is_list) {
        append(whole,
               chain((std::exchange(is_first, false) ? "" : ", ") + base::json_string(key) + (is_many ? ": [" : ": ")));
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) append(whole, chain(", "));
        append(whole, values[i]);
      }
      if (is_many) append(whole, chain("]"));
    }
    append(whole, chain(of.is_list ? "]" : "}"));
    return whole;
  }

  void skip() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool take(std::string_view wanted) {
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }
  // Reads the end of the tag with the key.
  bool take_end(std::string_view key) { return take(kNamedTagMark) && take("</") && take(key) && take(">"); }
  // Reads up to `end`, and `end`.
  bool take_until(std::string_view end, std::string_view& inside) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) return false;
    inside = text_.substr(at_, found - at_);
    at_ = found + end.size();
    return true;
  }

  // Returns the rest of the text without blanks.
  [[nodiscard]] std::string_view rest() const {
    std::size_t at = at_;
    while (at < text_.size() && is_blank(text_[at])) ++at;
    return text_.substr(at);
  }
  // Returns true if a tag begins or ends here: then no text is the value.
  [[nodiscard]] bool is_at_mark() const { return rest().starts_with(kNamedTagMark); }
  // Returns true if a tag begins here, but not the end of one.
  [[nodiscard]] bool is_at_tag() const {
    if (!is_at_mark()) return false;
    const std::string_view tag = rest().substr(kNamedTagMark.size());
    return tag.starts_with('<') && !tag.starts_with("</");
  }

  // Returns true if the tag that begins here is that of an item. Precondition: is_at_tag().
  [[nodiscard]] bool is_at_item() const {
    const std::string_view name = rest().substr(kNamedTagMark.size() + 1);
    return name.starts_with(kItemTag) && name.substr(kItemTag.size()).starts_with('>');
  }

  // Blanks, or nothing, are the first of these that is allowed: a string, an empty list, an empty object.
  static std::string empty_value(std::string_view blanks, const Allowed& allowed) {
    const std::string text = base::json_string(blanks);
    const std::pair<JsonType, std::string_view> ways[] = {
        {JsonType::kString, text}, {JsonType::kArray, "[]"}, {JsonType::kObject, "{}"}};
    for (const auto& [type, json] : ways) {
      if (allowed.has(type) && allowed.allows(json)) return std::string(json);
    }
    return text;
  }

  std::string_view text_;
  ToolSchemas& schemas_;
  std::size_t at_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace

std::string tags_as_json(Form::Arguments form, std::string_view text, ToolSchemas& schemas, RootedSchema place,
                         const Rest& rest) {
  TagReader reader(text, schemas);
  return form == Form::Arguments::kTypedTags ? reader.typed() : reader.named(place, rest);
}

}  // namespace weir::replies
