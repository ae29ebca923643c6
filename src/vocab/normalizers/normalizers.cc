#include "vocab/normalizers/normalizers.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "vocab/byte_level.h"
#include "vocab/segmenters/pattern.h"

namespace weir::vocab {

namespace {

// A function that implements Normalizer::settled().
using Settled = std::size_t (*)(std::string_view);

std::size_t nothing(std::string_view) { return 0; }

std::size_t whole_text(std::string_view text) { return text.size(); }

std::size_t leading_ascii(std::string_view text) {
  const auto* end = std::find_if(text.data(), text.data() + text.size(), [](char c) { return (c & 0x80) != 0; });
  return static_cast<std::size_t>(end - text.data());
}

// Returns the length of the leading ASCII characters without the last one, which may combine with a mark that follows.
// For Unicode normalization forms.
std::size_t leading_ascii_but_one(std::string_view text) {
  const std::size_t size = leading_ascii(text);
  return size == 0 ? 0 : size - 1;
}

// A normalizer that calls a function, which changes the text in place.
template <typename Function>
class FunctionNormalizer final : public Normalizer {
 public:
  FunctionNormalizer(Function function, Settled how_much, NormalizerRecipe recipe)
      : function_(std::move(function)), settled_(how_much), recipe_(std::move(recipe)) {}
  void normalize(std::string& text) const override { function_(text); }
  [[nodiscard]] std::size_t settled(std::string_view text) const override { return settled_(text); }
  [[nodiscard]] NormalizerRecipe recipe() const override { return recipe_; }

 private:
  Function function_;
  Settled settled_;
  NormalizerRecipe recipe_;
};

using RecipeKind = NormalizerRecipe::Kind;

template <typename Function>
NormalizerPtr make(NormalizerRecipe recipe, Function function, Settled settled = nothing) {
  return std::make_shared<FunctionNormalizer<Function>>(std::move(function), settled, std::move(recipe));
}

NormalizerRecipe other(std::string name) { return {RecipeKind::kOther, std::move(name), {}, {}}; }

// Makes a normalizer that rewrites characters one by one: `function(c, out)` appends the replacement of `c`.
template <typename Function>
NormalizerPtr make_by_character(std::string name, Function function) {
  return make(
      other(std::move(name)),
      [function = std::move(function)](std::string& text) {
        std::string out;
        out.reserve(text.size());
        for (std::size_t pos = 0; pos < text.size();) {
          const base::Decoded d = base::decode_utf8(text, pos);
          if (d.length == 0) {
            out.push_back(text[pos++]);
          } else {
            function(d.code_point, out);
            pos += d.length;
          }
        }
        text = std::move(out);
      },
      leading_ascii);
}

bool is_cjk_ideograph(char32_t c) {
  // The ranges of BERT's tokenizer as the Hugging Face library has them, with its U+2B920 in place of U+2B820.
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

}  // namespace

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t at = text.find(from);
  if (at == std::string::npos) return;
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;
  for (; at != std::string::npos; at = text.find(from, copied)) {
    out.append(text, copied, at - copied).append(to);
    copied = at + from.size();
  }
  text = out.append(text, copied);
}

NormalizerPtr make_unicode_form(NormalizationForm form) {
  NormalizerRecipe recipe = other("a Unicode normalization form");
  if (form == NormalizationForm::kNfc) recipe = {RecipeKind::kNfc, "NFC", {}, {}};
  return make(
      std::move(recipe), [form](std::string& text) { text = normalize_unicode(text, form); }, leading_ascii_but_one);
}

NormalizerPtr make_lowercase() {
  return make(
      other("Lowercase"), [](std::string& text) { text = lowercase_unicode(text); }, leading_ascii);
}

NormalizerPtr make_strip_accents() {
  return make_by_character("StripAccents", [](char32_t c, std::string& out) {
    if (!is_mark(c)) base::append_utf8(out, c);
  });
}

NormalizerPtr make_prepend(std::string prefix) {
  NormalizerRecipe recipe{RecipeKind::kPrepend, "Prepend", {}, prefix};
  return make(std::move(recipe), [prefix = std::move(prefix)](std::string& text) {
    if (!text.empty()) text.insert(0, prefix);
  });
}

NormalizerPtr make_replace(std::string from, std::string to) {
  NormalizerRecipe recipe{RecipeKind::kReplace, "Replace", from, to};
  return make(std::move(recipe), [from = std::move(from), to = std::move(to)](std::string& text) {
    if (!from.empty()) replace_all(text, from, to);
  });
}

Result<NormalizerPtr> make_replace_pattern(std::string_view regex, std::string to) {
  auto pattern = Pattern::compile(regex);
  if (!pattern) return tl::unexpected(std::move(pattern).error());
  return make(other("Replace of a pattern"), [pattern = *std::move(pattern), to = std::move(to)](std::string& text) {
    Pattern::Matcher matcher(pattern);
    std::string out;
    const auto copy_valid = [&](std::string_view run) {
      std::size_t copied = 0;
      for (;;) {
        const auto match = matcher.find(run, copied);
        if (!match || !match->found()) break;  // no match, or one was given up: the rest of the run is kept
        out.append(run.substr(copied, match->begin - copied)).append(to);
        copied = match->end;
      }
      out.append(run.substr(copied));
    };
    const std::string_view view = text;
    for (std::size_t begin = 0; begin < view.size();) {
      const std::size_t bad = base::find_invalid_utf8(view.substr(begin));
      const std::size_t end = bad == std::string_view::npos ? view.size() : begin + bad;
      copy_valid(view.substr(begin, end - begin));
      if (end < view.size()) out.push_back(view[end]);
      begin = end + 1;
    }
    text = std::move(out);
  });
}

NormalizerPtr make_strip(bool left, bool right) {
  return make(other("Strip"), [left, right](std::string& text) {
    std::size_t begin = 0;
    std::size_t end = 0;  // the end of the last character that is not white space
    bool at_start = left;
    for (std::size_t pos = 0; pos < text.size();) {
      const base::Decoded d = base::decode_utf8(text, pos);
      const bool blank = d.length != 0 && is_white_space(d.code_point);
      pos += d.length == 0 ? 1 : d.length;
      if (!blank) {
        at_start = false;
        end = pos;
      } else if (at_start) {
        begin = pos;
      }
    }
    if (!right || end < begin) end = right ? begin : text.size();
    text = text.substr(begin, end - begin);
  });
}

NormalizerPtr make_nmt() {
  return make_by_character("Nmt", [](char32_t c, std::string& out) {
    const bool dropped =
        (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F;
    const bool blank = c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 ||
                       (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF ||
                       c == 0xFFFD;
    if (!dropped) base::append_utf8(out, blank ? U' ' : c);
  });
}

NormalizerPtr make_byte_level() {
  return make(
      other("ByteLevel"), [](std::string& text) { text = encode_byte_level(text); }, whole_text);
}

NormalizerPtr make_bert(const BertOptions& options) {
  return make(
      other("BertNormalizer"),
      [options](std::string& text) {
        if (options.clean_text || options.handle_chinese_chars) {
          make_by_character("BertNormalizer", [&](char32_t c, std::string& out) {
            if (options.clean_text) {
              const bool kept_control = c == '\t' || c == '\n' || c == '\r';
              if (c == 0 || c == 0xFFFD || (!kept_control && is_control_or_format(c))) return;
              if (is_white_space(c)) c = ' ';
            }
            const bool apart = options.handle_chinese_chars && is_cjk_ideograph(c);
            if (apart) out.push_back(' ');
            base::append_utf8(out, c);
            if (apart) out.push_back(' ');
          })->normalize(text);
        }
        if (options.strip_accents) {
          text = normalize_unicode(text, NormalizationForm::kNfd);
          make_by_character("BertNormalizer", [](char32_t c, std::string& out) {
            if (!is_nonspacing_mark(c)) base::append_utf8(out, c);
          })->normalize(text);
        }
        if (options.lowercase) text = lowercase_unicode(text);
      },
      leading_ascii);
}

}  // namespace weir::vocab
