#include "oracle/plain_tokenizer.h"

#include <algorithm>
#include <limits>

namespace weir::oracle {

namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

bool is_blank(const std::string& c) {
  return c == " " || c == "\t" || c == "\n" || c == "\r" || c == "\u00a0" || c == "\u3000";
}

}  // namespace

std::vector<std::string> plain_characters(std::string_view text) {
  std::vector<std::string> characters;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80 && !characters.empty()) {
      characters.back().push_back(c);
    } else {
      characters.emplace_back(1, c);
    }
  }
  return characters;
}

struct BacktrackingPattern::Node {
  enum class Kind : std::uint8_t { kClass, kSequence, kChoice, kRepeat, kAhead, kNotAhead, kEnd };
  Kind kind = Kind::kSequence;
  std::vector<std::unique_ptr<Node>> children = {};
  std::vector<std::string> members = {};                                // kClass
  std::vector<std::pair<std::string, std::string>> ranges = {};         // kClass
  bool negated = false, any = false, blank = false, not_blank = false;  // kClass
  std::size_t min = 1, max = 1;                                         // kRepeat
  bool lazy = false, possessive = false;

  [[nodiscard]] bool has(const std::string& c) const {
    if (any) return c != "\n";
    bool found = std::find(members.begin(), members.end(), c) != members.end();
    for (const auto& [first, last] : ranges) found = found || (c.size() == first.size() && first <= c && c <= last);
    found = found || (blank && is_blank(c)) || (not_blank && !is_blank(c));
    return found != negated;
  }
};

class BacktrackingPattern::Parser {
 public:
  explicit Parser(std::string_view pattern) : text_(plain_characters(pattern)) {}

  std::unique_ptr<Node> choice() {
    auto node = std::make_unique<Node>();
    node->kind = Node::Kind::kChoice;
    node->children.push_back(sequence());
    while (is("|")) {
      ++at_;
      node->children.push_back(sequence());
    }
    return node;
  }

 private:
  [[nodiscard]] bool is(std::string_view c) const { return at_ < text_.size() && text_[at_] == c; }
  bool take(std::string_view c) {
    if (!is(c)) return false;
    ++at_;
    return true;
  }

  std::unique_ptr<Node> sequence() {
    auto node = std::make_unique<Node>();
    while (at_ < text_.size() && !is("|") && !is(")")) node->children.push_back(repeated());
    return node;
  }

  std::unique_ptr<Node> repeated() {
    std::unique_ptr<Node> body = atom();
    std::size_t min = 0, max = kNoLimit;
    if (take("*")) {
    } else if (take("+")) {
      min = 1;
    } else if (take("?")) {
      max = 1;
    } else if (take("{")) {
      min = number();
      max = min;
      if (take(",")) max = is("}") ? kNoLimit : number();
      take("}");
    } else {
      return body;
    }
    auto node = std::make_unique<Node>();
    node->kind = Node::Kind::kRepeat;
    node->min = min;
    node->max = max;
    node->lazy = take("?");
    node->possessive = !node->lazy && take("+");
    node->children.push_back(std::move(body));
    return node;
  }

  std::size_t number() {
    std::size_t value = 0;
    while (at_ < text_.size() && text_[at_] >= "0" && text_[at_] <= "9") {
      value = 10 * value + static_cast<std::size_t>(text_[at_++][0] - '0');
    }
    return value;
  }

  std::unique_ptr<Node> atom() {
    auto node = std::make_unique<Node>();
    if (take("(")) {
      node->kind = Node::Kind::kSequence;
      if (take("?")) {
        if (take("=")) node->kind = Node::Kind::kAhead;
        if (take("!")) node->kind = Node::Kind::kNotAhead;
        take(":");
      }
      node->children.push_back(choice());
      take(")");
      return node;
    }
    if (take("$")) {
      node->kind = Node::Kind::kEnd;
      return node;
    }
    node->kind = Node::Kind::kClass;
    if (take(".")) {
      node->any = true;
    } else if (take("[")) {
      node->negated = take("^");
      while (!take("]")) {
        const std::string first = member(*node);
        if (first.empty()) continue;
        if (is("-") && at_ + 1 < text_.size() && text_[at_ + 1] != "]") {
          ++at_;
          node->ranges.emplace_back(first, member(*node));
        } else {
          node->members.push_back(first);
        }
      }
    } else {
      const std::string c = member(*node);
      if (!c.empty()) node->members.push_back(c);
    }
    return node;
  }

  // One character, or none after `\s` and `\S`, which go into the class.
  std::string member(Node& node) {
    const std::string c = text_[at_++];
    if (c != "\\") return c;
    const std::string escaped = text_[at_++];
    if (escaped == "n") return "\n";
    if (escaped == "r") return "\r";
    if (escaped == "s") {
      node.blank = true;
      return "";
    }
    if (escaped == "S") {
      node.not_blank = true;
      return "";
    }
    return escaped;
  }

  std::vector<std::string> text_;
  std::size_t at_ = 0;
};

BacktrackingPattern::BacktrackingPattern(std::string_view pattern) : root_(Parser(pattern).choice()) {}
BacktrackingPattern::~BacktrackingPattern() = default;
BacktrackingPattern::BacktrackingPattern(BacktrackingPattern&&) noexcept = default;

bool BacktrackingPattern::match(const Node& node, const std::vector<std::string>& text, std::size_t at,
                                const Continuation& then) {
  switch (node.kind) {
    case Node::Kind::kClass: return at < text.size() && node.has(text[at]) && then(at + 1);
    case Node::Kind::kChoice:
      return std::any_of(node.children.begin(), node.children.end(),
                         [&](const auto& child) { return match(*child, text, at, then); });
    case Node::Kind::kSequence: {
      const std::function<bool(std::size_t, std::size_t)> from = [&](std::size_t i, std::size_t pos) {
        if (i == node.children.size()) return then(pos);
        return match(*node.children[i], text, pos, [&](std::size_t next) { return from(i + 1, next); });
      };
      return from(0, at);
    }
    case Node::Kind::kRepeat: {
      if (!node.possessive) return match_repeat(node, text, at, 0, then);
      std::optional<std::size_t> first;
      match_repeat(node, text, at, 0, [&](std::size_t end) {
        first = end;
        return true;
      });
      return first && then(*first);
    }
    case Node::Kind::kAhead: return match(*node.children[0], text, at, [](std::size_t) { return true; }) && then(at);
    case Node::Kind::kNotAhead:
      return !match(*node.children[0], text, at, [](std::size_t) { return true; }) && then(at);
    case Node::Kind::kEnd: return at == text.size() && then(at);
  }
  return false;
}

bool BacktrackingPattern::match_repeat(const Node& node, const std::vector<std::string>& text, std::size_t at,
                                       std::size_t count, const Continuation& then) {
  const auto once_more = [&] {
    return count < node.max && match(*node.children[0], text, at, [&](std::size_t next) {
             return next != at && match_repeat(node, text, next, count + 1, then);
           });
  };
  const auto stop = [&] { return count >= node.min && then(at); };
  return node.lazy ? stop() || once_more() : once_more() || stop();
}

std::vector<std::string> BacktrackingPattern::split(const std::string& text) const {
  const std::vector<std::string> characters = plain_characters(text);
  std::vector<std::string> pieces;
  std::string gap;
  for (std::size_t at = 0; at < characters.size();) {
    std::optional<std::size_t> end;
    match(*root_, characters, at, [&](std::size_t pos) {
      if (pos == at) return false;
      end = pos;
      return true;
    });
    if (!end) {
      gap += characters[at++];
      continue;
    }
    if (!gap.empty()) pieces.push_back(std::exchange(gap, {}));
    pieces.emplace_back();
    for (; at < *end; ++at) pieces.back() += characters[at];
  }
  if (!gap.empty()) pieces.push_back(gap);
  return pieces;
}

std::optional<std::uint32_t> PlainTokenizer::find(const std::string& text) const {
  for (std::uint32_t id = 0; id < tokens.size(); ++id) {
    if (!text.empty() && tokens[id] == text) return id;
  }
  return std::nullopt;
}

bool PlainTokenizer::append_piece(const std::string& piece, std::vector<std::uint32_t>& out) const {
  if (takes_whole_pieces) {
    if (const auto id = find(piece)) {
      out.push_back(*id);
      return true;
    }
  }
  if (takes_longest) {
    for (std::size_t at = 0; at < piece.size();) {
      std::optional<std::uint32_t> longest;
      for (std::uint32_t id = 0; id < tokens.size(); ++id) {
        const bool fits = !tokens[id].empty() && piece.compare(at, tokens[id].size(), tokens[id]) == 0;
        if (fits && (!longest || tokens[id].size() > tokens[*longest].size())) longest = id;
      }
      if (!longest) return false;
      out.push_back(*longest);
      at += tokens[*longest].size();
    }
    return true;
  }
  std::vector<std::string> symbols;
  if (of_characters) {
    symbols = plain_characters(piece);
  } else {
    for (const char c : piece) symbols.emplace_back(1, c);
  }
  const auto rank_of = [&](const std::string& left, const std::string& right) -> std::optional<std::size_t> {
    if (merges_any) {
      const auto id = find(left + right);
      return id ? std::optional(ranks[*id]) : std::nullopt;
    }
    const auto merge = std::find(merges.begin(), merges.end(), std::pair(left, right));
    if (merge == merges.end() || !find(left) || !find(right)) return std::nullopt;
    return static_cast<std::size_t>(merge - merges.begin());
  };
  while (true) {
    std::optional<std::size_t> best;
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto rank = rank_of(symbols[i], symbols[i + 1]);
      if (rank && (!best || *rank < *best)) {
        best = rank;
        at = i;
      }
    }
    if (!best) break;
    symbols[at] += symbols[at + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  for (const std::string& symbol : symbols) {
    if (const auto id = find(symbol)) {
      out.push_back(*id);
    } else if (!byte_tokens.empty()) {
      for (const char c : symbol) out.push_back(byte_tokens[static_cast<unsigned char>(c)]);
    } else {
      return false;
    }
  }
  return true;
}

std::optional<std::vector<std::uint32_t>> PlainTokenizer::tokenize(const std::string& text) const {
  std::string seen;
  for (const char c : text) {
    if (c == ' ' && !space_symbol.empty()) {
      seen += space_symbol;
    } else {
      seen.push_back(c);
    }
  }
  if (!seen.empty()) seen = prefix + seen;
  std::vector<std::pair<std::string, std::optional<std::uint32_t>>> sections = {{"", std::nullopt}};
  for (std::size_t at = 0; at < seen.size();) {
    std::optional<std::size_t> longest;
    for (std::size_t i = 0; i < added.size(); ++i) {
      const bool fits = seen.compare(at, added[i].first.size(), added[i].first) == 0;
      if (fits && (!longest || added[i].first.size() > added[*longest].first.size())) longest = i;
    }
    if (!longest) {
      sections.back().first.push_back(seen[at++]);
      continue;
    }
    sections.emplace_back("", added[*longest].second);
    sections.emplace_back("", std::nullopt);
    at += added[*longest].first.size();
  }
  std::vector<std::uint32_t> ids;
  for (const auto& [section, id] : sections) {
    if (id) {
      ids.push_back(*id);
      continue;
    }
    std::vector<std::string> pieces;
    if (!section.empty()) pieces.push_back(section);
    for (const std::string& pattern : patterns) {
      const BacktrackingPattern compiled(pattern);
      std::vector<std::string> finer;
      for (const std::string& piece : pieces) {
        for (std::string& part : compiled.split(piece)) finer.push_back(std::move(part));
      }
      pieces = std::move(finer);
    }
    for (const std::string& piece : pieces) {
      if (!append_piece(piece, ids)) return std::nullopt;
    }
  }
  return ids;
}

}  // namespace weir::oracle
