#include "replies/tag_values.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/json/json_text.h"
#include "replies/json_scanner.h"
#include "replies/search_bounds.h"

namespace weir::replies {

using base::JsonType;

namespace {

constexpr std::string_view kNamespace = "]<]minimax[>[";
constexpr std::string_view kItem = "item";  // the name of the tags of a list's items

class TagReader {
 public:
  TagReader(std::string_view text, ToolSchemas& schemas) : text_(text), schemas_(schemas) {}

  std::string typed() {
    std::string out;
    return typed_members("", true, out, 0) && at_ == text_.size() ? out : std::string();
  }
  std::string named(SchemaPlace place, Rest rest) {
    std::string out;
    return named_members(place, std::move(rest), out, 0) && at_ == text_.size() ? out : std::string();
  }

 private:
  void skip() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool take(std::string_view wanted) {
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }
  // Reads up to `end`, and `end`.
  bool take_until(std::string_view end, std::string_view& inside) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) return false;
    inside = text_.substr(at_, found - at_);
    at_ = found + end.size();
    return true;
  }

  // The members of an object, or the items of a list, up to `end`.
  bool typed_members(std::string_view end, bool is_object, std::string& out, std::uint32_t depth) {
    if (depth > kMaxTagDepth) return false;
    out += is_object ? '{' : '[';
    for (bool is_first = true;; is_first = false) {
      skip();
      if (end.empty() ? at_ == text_.size() : take(end)) break;
      if (!is_first) out += ", ";
      if (!take("<cofl:value ")) return false;
      std::string_view name;
      if (is_object) {
        if (!take("name=\"") || !take_until("\"", name) || !take(" ")) return false;
        out += base::json_string(decoded_attribute(name)) + ": ";
      }
      std::string_view kind;
      if (!take("type=\"") || !take_until("\">", kind) || !typed_value(kind, out, depth)) return false;
    }
    out += is_object ? '}' : ']';
    return true;
  }

  bool typed_value(std::string_view kind, std::string& out, std::uint32_t depth) {
    constexpr std::string_view kEnd = "</cofl:value>";
    if (kind == "dict" || kind == "list") return typed_members(kEnd, kind == "dict", out, depth + 1);
    std::string_view inside;
    if (!take_until(kEnd, inside)) return false;
    if (kind != "raw" && !is_json(inside)) return false;
    out += kind == "raw" ? base::json_string(inside) : std::string(inside);
    return true;
  }

  // Returns the rest of the text without blanks.
  [[nodiscard]] std::string_view rest() const {
    std::size_t at = at_;
    while (at < text_.size() && is_blank(text_[at])) ++at;
    return text_.substr(at);
  }
  // Returns true if a tag begins or ends here: then no text is the value.
  [[nodiscard]] bool is_at_mark() const { return rest().starts_with(kNamespace); }
  // Returns true if a tag begins here, but not the end of one.
  [[nodiscard]] bool is_at_tag() const {
    if (!is_at_mark()) return false;
    const std::string_view tag = rest().substr(kNamespace.size());
    return tag.starts_with('<') && !tag.starts_with("</");
  }

  // Returns true if the tag that begins here is that of an item. Precondition: is_at_tag().
  [[nodiscard]] bool is_at_item() const {
    const std::string_view name = rest().substr(kNamespace.size() + 1);
    return name.starts_with(kItem) && name.substr(kItem.size()).starts_with('>');
  }

  bool named_members(SchemaPlace place, Rest rest, std::string& out, std::uint32_t depth) {
    if (depth > kMaxTagDepth) return false;
    std::vector<std::pair<std::string_view, std::vector<std::string>>> members;
    std::map<std::string_view, std::size_t> by_key;
    while (is_at_tag()) {
      skip();
      at_ += kNamespace.size() + 1;
      std::string_view key;
      if (!take_until(">", key)) return false;
      std::string value;
      const SchemaPlace member = schemas_.member(place, key);
      if (!named_value(member, next_value(rest, key, schemas_.member_types(place, key), is_at_mark()), key, value,
                       depth))
        return false;
      rest.take(key, value);
      const auto [known, is_new] = by_key.emplace(key, members.size());
      if (is_new) members.push_back({key, {}});
      members[known->second].second.push_back(std::move(value));
    }
    skip();
    out += '{';
    for (const auto& [key, values] : members) {
      if (out.back() != '{') out += ", ";
      out += base::json_string(key) + ": ";
      if (values.size() == 1) {
        out += values.front();
        continue;
      }
      out += '[';  // a key that comes several times is a list
      for (std::size_t i = 0; i < values.size(); ++i) out += (i > 0 ? ", " : "") + values[i];
      out += ']';
    }
    out += '}';
    return true;
  }

  bool named_items(SchemaPlace place, Rest rest, std::string& out, std::uint32_t depth) {
    if (depth > kMaxTagDepth) return false;
    out += '[';
    while (is_at_tag()) {
      skip();
      at_ += kNamespace.size() + 1;
      std::string_view key;
      if (!take_until(">", key)) return false;
      if (out.back() != '[') out += ", ";
      const SchemaPlace item = ToolSchemas::item(place);
      std::string value;
      if (!named_value(item, next_value(rest, {}, schemas_.types(item), is_at_mark()), key, value, depth)) return false;
      rest.take({}, value);
      out += value;
    }
    skip();
    out += ']';
    return true;
  }

  // A value and the end of its tag.
  bool named_value(SchemaPlace place, const Allowed& allowed, std::string_view key, std::string& out,
                   std::uint32_t depth) {
    const std::string end = std::string(kNamespace) + "</" + std::string(key) + ">";
    if (is_at_tag()) {
      const bool is_list = (allowed.types & type_bit(JsonType::kArray)) != 0 &&
                           (!allowed.has(JsonType::kObject) || (is_at_item() && !schemas_.lists(place, kItem)));
      Rest rest(allowed.sets, is_list ? Rest::Of::kList : Rest::Of::kObject, allowed.set);
      return (is_list ? named_items(place, std::move(rest), out, depth + 1)
                      : named_members(place, std::move(rest), out, depth + 1)) &&
             take(end);
    }
    std::string_view inside;
    if (!take_until(kNamespace, inside)) return false;
    at_ -= kNamespace.size();
    if (!take(end)) return false;
    out += trimmed(inside).empty() ? empty_value(inside, allowed) : value_as_json(inside, allowed);
    return true;
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
};

}  // namespace

std::string tags_as_json(Form::Arguments form, std::string_view text, ToolSchemas& schemas, SchemaPlace place,
                         const Rest& rest) {
  TagReader reader(text, schemas);
  return form == Form::Arguments::kTypedTags ? reader.typed() : reader.named(place, rest);
}

}  // namespace weir::replies
