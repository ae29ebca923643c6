#include "vocab/segmenters/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.h"

namespace weir::vocab {

namespace {

// Oniguruma's \w: alphabetic characters, marks, decimal digits, connectors, and Latin-1's superscripts and fractions.
constexpr std::string_view kWordClass = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\xB2\\xB3\\xB9\\xBC-\\xBE";

// Translates a pattern from the syntax of tokenizer files to PCRE2's. Three things in use differ:
// - PCRE2's \s contains U+180E, which is not white space since Unicode 6.3.
// - PCRE2's \w lacks marks and connectors.
// - In a class, `[` opens an inner class and `&&` intersects; PCRE2 would silently read them as characters.
//   `[a&&[^b]]` becomes `(?:(?![b])[a])`; other inner classes are refused.
// Everything else is copied.
class Translator {
 public:
  explicit Translator(std::string_view regex) : regex_(regex) {}

  /// Returns the translated pattern. Errors: kUnsupported for an inner class that is not part of an intersection.
  Result<std::string> translate() {
    while (at_ < regex_.size()) {
      if (regex_[at_] == '\\') {
        copy_escape(out_, /*in_class=*/false);
      } else if (regex_[at_] == '[') {
        if (!translate_class()) {
          return tl::unexpected(Error{ErrorCode::kUnsupported,
                                      "pattern `" + std::string(regex_.substr(0, 200)) + "`: a class within a class",
                                      {at_, at_}});
        }
      } else {
        out_.push_back(regex_[at_++]);
      }
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool looking_at(std::string_view text) const { return regex_.substr(at_).starts_with(text); }

  void copy_escape(std::string& out, bool in_class) {
    const char escaped = at_ + 1 < regex_.size() ? regex_[at_ + 1] : '\0';
    if (escaped == 's') {
      out.append("\\p{White_Space}");
    } else if (escaped == 'S') {
      out.append("\\P{White_Space}");
    } else if (escaped == 'w') {
      out.append(in_class ? "" : "[").append(kWordClass).append(in_class ? "" : "]");
    } else if (escaped == 'W' && !in_class) {
      out.append("[^").append(kWordClass).append("]");
    } else {
      out.append(regex_.substr(at_, 2));
    }
    at_ = std::min(at_ + 2, regex_.size());
  }

  // Translates a class from its `[` to its `]`; returns false if it has an inner class that PCRE2 cannot express.
  bool translate_class() {
    std::string items;
    std::string conditions;
    if (!copy_items(items)) return false;
    while (looking_at("&&")) {
      at_ += 2;
      const bool negated = looking_at("[^");
      std::string inner;
      if (!looking_at("[") || !copy_items(inner) || !looking_at("]")) return false;
      ++at_;
      conditions.append(negated ? "(?!" : "(?=").append(negated ? "[" + inner.substr(2) : inner).append("])");
    }
    // If the class has no end, PCRE2 will report that.
    const bool ended = looking_at("]");
    if (ended) ++at_;
    if (conditions.empty()) {
      out_.append(items).append(ended ? "]" : "");
    } else {
      out_.append("(?:").append(conditions).append(items).append("])");
    }
    return ended || at_ == regex_.size();
  }

  // Copies the items of a class from its `[` up to the `]` or `&&` that ends them.
  bool copy_items(std::string& items) {
    items.push_back(regex_[at_++]);
    if (looking_at("^")) items.push_back(regex_[at_++]);
    if (looking_at("]")) items.push_back(regex_[at_++]);
    while (at_ < regex_.size() && regex_[at_] != ']' && !looking_at("&&")) {
      if (regex_[at_] == '\\') {
        copy_escape(items, /*in_class=*/true);
      } else if (looking_at("[:")) {
        const std::size_t end = std::min(regex_.find(":]", at_), regex_.size() - 2) + 2;
        items.append(regex_.substr(at_, end - at_));
        at_ = end;
      } else if (regex_[at_] == '[') {
        return false;
      } else {
        items.push_back(regex_[at_++]);
      }
    }
    return true;
  }

  std::string_view regex_;
  std::size_t at_ = 0;
  std::string out_;
};

std::string pcre2_message(int code) {
  std::array<PCRE2_UCHAR, 256> buffer{};
  pcre2_get_error_message(code, buffer.data(), buffer.size());
  std::string message;
  for (const PCRE2_UCHAR c : buffer) {
    if (c == 0) break;
    message.push_back(static_cast<char>(c));
  }
  return message;
}

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

}  // namespace

Result<Pattern> Pattern::compile(std::string_view regex) {
  auto translated = Translator(regex).translate();
  if (!translated) return tl::unexpected(std::move(translated).error());
  return compile_translated(*std::move(translated), regex);
}

Result<Pattern> Pattern::compile_translated(std::string text, std::string_view regex) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* code =
      pcre2_compile(units(text), text.size(), PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY,
                    &error, &offset, nullptr);
  if (code == nullptr) {
    const std::size_t at = std::min<std::size_t>(offset, regex.size());
    return tl::unexpected(Error{ErrorCode::kUnsupported,
                                "pattern `" + std::string(regex.substr(0, 200)) + "`: " + pcre2_message(error),
                                {at, at}});
  }
  // If PCRE2 has no compiler for this machine, its slower interpreter runs the pattern.
  static_cast<void>(pcre2_jit_compile(code, PCRE2_JIT_COMPLETE));
  return Pattern(std::move(text), std::shared_ptr<const void>(code, [](const void* p) {
                   pcre2_code_free(static_cast<pcre2_code*>(const_cast<void*>(p)));
                 }));
}

Pattern::Matcher::Matcher(const Pattern& pattern)
    : code_(pattern.code_),
      match_data_(pcre2_match_data_create(1, nullptr),
                  [](void* p) { pcre2_match_data_free(static_cast<pcre2_match_data*>(p)); }),
      context_(pcre2_match_context_create(nullptr),
               [](void* p) { pcre2_match_context_free(static_cast<pcre2_match_context*>(p)); }) {}

// Hard partial matching fails as soon as the matcher inspects the end of the text, so a match that it finds does not
// depend on what follows.
Result<Pattern::Match> Pattern::Matcher::find_settled(std::string_view text, std::size_t from) {
  return find(text, from, PCRE2_PARTIAL_HARD);
}

Result<Pattern::Match> Pattern::Matcher::find(std::string_view text, std::size_t from, std::uint32_t more_options) {
  auto* data = static_cast<pcre2_match_data*>(match_data_.get());
  auto* context = static_cast<pcre2_match_context*>(context_.get());
  // Linear patterns need a few steps for each byte. The limit grows with the text, because a run of a million spaces
  // must not exceed PCRE2's fixed limit of ten million steps.
  const std::size_t steps = std::min<std::size_t>(64 * text.size() + 1'000'000, UINT32_MAX);
  pcre2_set_match_limit(context, static_cast<std::uint32_t>(steps));
  const auto* code = static_cast<const pcre2_code*>(code_.get());
  const std::uint32_t options = PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY | more_options;
  int found = pcre2_match(code, units(text), text.size(), from, options, data, context);
  if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
    found = pcre2_match(code, units(text), text.size(), from, options | PCRE2_NO_JIT, data, context);
  }
  if (found == PCRE2_ERROR_NOMATCH || found == PCRE2_ERROR_PARTIAL) return Match{};
  if (found < 0) {
    return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                                "the pre-tokenizer's pattern fails on this text: " + pcre2_message(found),
                                {from, text.size()}});
  }
  const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(data);
  return Match{ends[0], ends[1]};
}

// Runs of them are found in a text of all.
Result<std::vector<bool>> match_characters(std::string_view expression, std::span<const char32_t> characters) {
  auto pattern = Pattern::compile_translated("(?:" + std::string(expression) + ")+", expression);
  if (!pattern) return tl::unexpected(std::move(pattern).error());
  std::string text;
  std::vector<std::size_t> ends;
  for (const char32_t c : characters) {
    base::append_utf8(text, c);
    ends.push_back(text.size());
  }
  std::vector<bool> matched(characters.size(), false);
  Pattern::Matcher matcher(*pattern);
  for (std::size_t at = 0, i = 0; at < text.size();) {
    const auto match = matcher.find(text, at);
    if (!match) return tl::unexpected(match.error());
    if (!match->found()) break;
    while (ends[i] <= match->begin) ++i;
    for (; i < ends.size() && ends[i] <= match->end; ++i) matched[i] = true;
    at = match->end;
  }
  return matched;
}

}  // namespace weir::vocab
