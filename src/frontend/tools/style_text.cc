#include "frontend/tools/style_text.h"

#include <algorithm>

#include "base/blanks.h"

namespace weir::frontend::tools {

bool is_blank(const TextPart& part) {
  return part.kind == TextPart::Kind::kBlank || (part.kind == TextPart::Kind::kOr && base::trimmed(part.text).empty());
}

std::vector<TextPart> parts_of(std::string_view text) {
  std::vector<TextPart> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    TextPart part;
    std::size_t size = std::min({rest.find(kBlank), rest.find(kOr), rest.size()});
    if (size > 0) {
      part.text = rest.substr(0, size);
    } else if (rest.starts_with(kBlank)) {
      part.kind = TextPart::Kind::kBlank;
      size = kBlank.size();
    } else {
      const std::size_t middle = rest.find(kOr, kOr.size());
      const std::size_t end = rest.find(kOr, middle + kOr.size());
      part = {TextPart::Kind::kOr, rest.substr(kOr.size(), middle - kOr.size()),
              rest.substr(middle + kOr.size(), end - middle - kOr.size())};
      size = end + kOr.size();
    }
    part.written = rest.substr(0, size);
    parts.push_back(part);
    at += size;
  }
  return parts;
}

std::string_view first_text(std::string_view text) {
  const std::vector<TextPart> parts = parts_of(text);
  return parts.empty() || parts.front().kind != TextPart::Kind::kText ? std::string_view() : parts.front().text;
}

std::string_view last_text(std::string_view text) {
  const std::vector<TextPart> parts = parts_of(text);
  return parts.empty() || parts.back().kind != TextPart::Kind::kText ? std::string_view() : parts.back().text;
}

std::vector<std::string> texts_of(std::string_view text) {
  std::vector<std::string> texts(1);
  for (const TextPart& part : parts_of(text)) {
    if (is_blank(part)) {
      texts.emplace_back();
    } else {
      texts.back() += part.text;
    }
  }
  for (std::string& one : texts) one = std::string(base::trimmed(one));
  std::erase(texts, "");
  return texts;
}

}  // namespace weir::frontend::tools
