#include "vocab/segmenters/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <string>

namespace weir::vocab {

namespace {

// PCRE2's \s has U+180E, which is no white space since Unicode 6.3, and its \w lacks marks and connectors. Both are
// rewritten to what tokenizers' own engines mean by them. Everything else is copied.
std::string translate(std::string_view regex) {
  constexpr std::string_view kWord = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200C}\\x{200D}";
  std::string out;
  out.reserve(regex.size() + 64);
  bool in_class = false;
  for (std::size_t i = 0; i < regex.size(); ++i) {
    const char c = regex[i];
    if (c == '\\' && i + 1 < regex.size()) {
      const char escaped = regex[++i];
      if (escaped == 's') {
        out.append("\\p{White_Space}");
      } else if (escaped == 'S') {
        out.append("\\P{White_Space}");
      } else if (escaped == 'w') {
        out.append(in_class ? "" : "[").append(kWord).append(in_class ? "" : "]");
      } else if (escaped == 'W' && !in_class) {
        out.append("[^").append(kWord).append("]");
      } else {
        out.push_back(c);
        out.push_back(escaped);
      }
      continue;
    }
    if (!in_class && c == '[') {
      in_class = true;
    } else if (in_class && c == ']') {
      in_class = false;
    }
    out.push_back(c);
  }
  return out;
}

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
  const std::string translated = translate(regex);
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* code = pcre2_compile(units(translated), translated.size(),
                                   PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, &error, &offset, nullptr);
  if (code == nullptr) {
    const std::size_t at = std::min<std::size_t>(offset, regex.size());
    return tl::unexpected(Error{ErrorCode::kUnsupported,
                                "pattern `" + std::string(regex.substr(0, 200)) + "`: " + pcre2_message(error),
                                {at, at}});
  }
  // Where there is no compiler for the machine, the interpreter does it, more slowly.
  static_cast<void>(pcre2_jit_compile(code, PCRE2_JIT_COMPLETE));
  return Pattern(std::shared_ptr<const void>(
      code, [](const void* p) { pcre2_code_free(static_cast<pcre2_code*>(const_cast<void*>(p))); }));
}

Pattern::Matcher::Matcher(const Pattern& pattern)
    : code_(pattern.code_),
      match_data_(pcre2_match_data_create(1, nullptr),
                  [](void* p) { pcre2_match_data_free(static_cast<pcre2_match_data*>(p)); }),
      context_(pcre2_match_context_create(nullptr),
               [](void* p) { pcre2_match_context_free(static_cast<pcre2_match_context*>(p)); }) {}

Result<Pattern::Match> Pattern::Matcher::find(std::string_view text, std::size_t from) {
  auto* data = static_cast<pcre2_match_data*>(match_data_.get());
  auto* context = static_cast<pcre2_match_context*>(context_.get());
  // Linear patterns need a few steps a byte; a run of a million blanks must not meet PCRE2's fixed limit of ten
  // million.
  const std::size_t steps = std::min<std::size_t>(64 * text.size() + 1'000'000, UINT32_MAX);
  pcre2_set_match_limit(context, static_cast<std::uint32_t>(steps));
  const auto* code = static_cast<const pcre2_code*>(code_.get());
  const std::uint32_t options = PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY;
  int found = pcre2_match(code, units(text), text.size(), from, options, data, context);
  if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
    found = pcre2_match(code, units(text), text.size(), from, options | PCRE2_NO_JIT, data, context);
  }
  if (found == PCRE2_ERROR_NOMATCH) return Match{};
  if (found < 0) {
    return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                                "the pre-tokenizer's pattern fails on this text: " + pcre2_message(found),
                                {from, text.size()}});
  }
  const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(data);
  return Match{ends[0], ends[1]};
}

}  // namespace weir::vocab
