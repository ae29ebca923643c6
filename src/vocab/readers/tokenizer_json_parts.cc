#include "vocab/readers/tokenizer_json_parts.h"

#include <optional>
#include <string>
#include <utility>

#include "vocab/normalizers/normalizers.h"
#include "vocab/normalizers/sentencepiece_normalizer.h"
#include "vocab/readers/base64.h"

namespace weir::vocab {

namespace {

std::string type_of(const Json& part) {
  const auto type = json_string(part, "type");
  return std::string(type.value_or(""));
}

// --- Normalizers. ---

Result<NormalizerPtr> read_replace(const Json& part) {
  const Json& pattern = json_member(part, "pattern");
  const auto content = json_string(part, "content");
  if (content) {
    if (const auto text = json_string(pattern, "String"))
      return make_replace(std::string(*text), std::string(*content));
    if (const auto regex = json_string(pattern, "Regex"))
      return make_replace_pattern(std::string(*regex), std::string(*content));
  }
  return unsupported("normalizer `Replace` without its `pattern` or `content`");
}

Result<NormalizerPtr> read_precompiled(const Json& part) {
  const auto base64 = json_string(part, "precompiled_charsmap");
  std::string blob;
  if (!base64 || !decode_base64(*base64, blob)) {
    return unsupported("normalizer `Precompiled` without a `precompiled_charsmap` in base64");
  }
  return make_charsmap_normalizer(blob);
}

NormalizerPtr read_bert(const Json& part) {
  BertOptions options;
  options.clean_text = json_bool(part, "clean_text").value_or(true);
  options.handle_chinese_chars = json_bool(part, "handle_chinese_chars").value_or(true);
  options.lowercase = json_bool(part, "lowercase").value_or(true);
  // The default is to strip accents if the text is lowercased.
  options.strip_accents = json_bool(part, "strip_accents").value_or(options.lowercase);
  return make_bert(options);
}

Result<NormalizerPtr> read_one_normalizer(const Json& part) {
  const std::string type = type_of(part);
  if (type == "NFC") return make_unicode_form(NormalizationForm::kNfc);
  if (type == "NFD") return make_unicode_form(NormalizationForm::kNfd);
  if (type == "NFKC") return make_unicode_form(NormalizationForm::kNfkc);
  if (type == "NFKD") return make_unicode_form(NormalizationForm::kNfkd);
  if (type == "Lowercase") return make_lowercase();
  if (type == "StripAccents") return make_strip_accents();
  if (type == "Nmt") return make_nmt();
  if (type == "ByteLevel") return make_byte_level();
  if (type == "BertNormalizer") return read_bert(part);
  if (type == "Replace") return read_replace(part);
  if (type == "Precompiled") return read_precompiled(part);
  if (type == "Strip") {
    return make_strip(json_bool(part, "strip_left").value_or(true), json_bool(part, "strip_right").value_or(true));
  }
  if (type == "Prepend") {
    const auto text = json_string(part, "prepend");
    return make_prepend(std::string(text.value_or("")));
  }
  return unsupported("normalizer `" + type + "`");
}

// The recursion is bounded by kMaxJsonDepth.
Result<void> add_normalizers(const Json& part, std::vector<NormalizerPtr>& out) {
  if (type_of(part) == "Sequence") {
    for (const Json& inner : json_items(json_member(part, "normalizers"))) {
      if (auto done = add_normalizers(inner, out); !done) return done;
    }
    return {};
  }
  auto one = read_one_normalizer(part);
  if (!one) return tl::unexpected(std::move(one).error());
  out.push_back(*std::move(one));
  return {};
}

// --- Pre-tokenizers. ---

std::optional<SplitBehavior> behavior_of(const Json& part) {
  const auto name = json_string(part, "behavior");
  if (!name || *name == "Isolated") return SplitBehavior::kIsolated;
  if (*name == "Removed") return SplitBehavior::kRemoved;
  if (*name == "MergedWithPrevious") return SplitBehavior::kMergedWithPrevious;
  if (*name == "MergedWithNext") return SplitBehavior::kMergedWithNext;
  if (*name == "Contiguous") return SplitBehavior::kContiguous;
  return std::nullopt;
}

class PreTokenizerReader {
 public:
  explicit PreTokenizerReader(PreTokenizerParts& parts) : parts_(parts) {}

  // The recursion is bounded by kMaxJsonDepth.
  Result<void> add(const Json& part) {
    const std::string type = type_of(part);
    if (type == "Sequence") {
      for (const Json& inner : json_items(json_member(part, "pretokenizers"))) {
        if (auto done = add(inner); !done) return done;
      }
      return {};
    }
    if (parts_.ends_with_byte_level) {  // it is not the last step, so the next one sees its output
      parts_.steps.push_back(make_byte_level_step());
      parts_.ends_with_byte_level = false;
    }
    if (type == "ByteLevel") return add_byte_level(part);
    if (type == "Split") return add_split_part(part);
    if (type == "Metaspace") return add_metaspace(part);
    if (type == "Whitespace") return add_split({std::string(kWhitespacePattern), SplitBehavior::kRemoved, true});
    if (type == "WhitespaceSplit") return add_split({"\\s", SplitBehavior::kRemoved});
    if (type == "BertPreTokenizer") {
      if (auto done = add_split({"\\s", SplitBehavior::kRemoved}); !done) return done;
      return add_split({std::string(kPunctuationPattern)});
    }
    if (type == "Punctuation") return add_punctuation(part);
    if (type == "Digits") {
      const bool individual = json_bool(part, "individual_digits").value_or(false);
      return add_split({"\\p{N}", individual ? SplitBehavior::kIsolated : SplitBehavior::kContiguous});
    }
    if (type == "CharDelimiterSplit") {
      const auto delimiter = json_string(part, "delimiter");
      if (delimiter) return add_split({quote_pattern(*delimiter), SplitBehavior::kRemoved});
    }
    return unsupported("pre-tokenizer `" + type + "`");
  }

 private:
  Result<void> add_split(const SplitPattern& pattern) {
    auto step = make_split_step(pattern);
    if (!step) return tl::unexpected(std::move(step).error());
    parts_.steps.push_back(*std::move(step));
    return {};
  }

  Result<void> add_byte_level(const Json& part) {
    if (json_bool(part, "add_prefix_space").value_or(true)) parts_.steps.push_back(make_prefix_space_step());
    parts_.ends_with_byte_level = true;
    if (!json_bool(part, "use_regex").value_or(true)) return {};
    return add_split({std::string(kGpt2Pattern)});
  }

  Result<void> add_split_part(const Json& part) {
    const Json& pattern = json_member(part, "pattern");
    const auto text = json_string(pattern, "String");
    const auto regex = json_string(pattern, "Regex");
    const auto behavior = behavior_of(part);
    if ((!text && !regex) || !behavior) {
      return unsupported("pre-tokenizer `Split` without its `pattern`, or with an unknown `behavior`");
    }
    return add_split(
        {text ? quote_pattern(*text) : std::string(*regex), *behavior, json_bool(part, "invert").value_or(false)});
  }

  Result<void> add_metaspace(const Json& part) {
    using Prepend = MetaspaceOptions::Prepend;
    MetaspaceOptions options;
    if (const auto symbol = json_string(part, "replacement")) options.symbol = *symbol;
    const auto scheme = json_string(part, "prepend_scheme");
    if (scheme) {
      options.prepend = *scheme == "never" ? Prepend::kNever : *scheme == "first" ? Prepend::kFirst : Prepend::kAlways;
    } else if (!json_bool(part, "add_prefix_space").value_or(true)) {
      options.prepend = Prepend::kNever;
    }
    const std::string pattern = quote_pattern(options.symbol);
    parts_.steps.push_back(make_metaspace_step(std::move(options)));
    if (!json_bool(part, "split").value_or(true)) return {};
    return add_split({pattern, SplitBehavior::kMergedWithNext});
  }

  Result<void> add_punctuation(const Json& part) {
    const auto behavior = behavior_of(part);
    if (!behavior) return unsupported("pre-tokenizer `Punctuation` with an unknown `behavior`");
    return add_split({std::string(kPunctuationPattern), *behavior});
  }

  PreTokenizerParts& parts_;
};

}  // namespace

tl::unexpected<Error> unsupported(std::string message) {
  return tl::unexpected(Error{ErrorCode::kUnsupported, std::move(message)});
}

Result<std::vector<NormalizerPtr>> read_normalizers(const Json& normalizer) {
  std::vector<NormalizerPtr> normalizers;
  if (normalizer.is(JsonType::kNull)) return normalizers;
  if (auto done = add_normalizers(normalizer, normalizers); !done) return tl::unexpected(std::move(done).error());
  return normalizers;
}

Result<PreTokenizerParts> read_pre_tokenizer(const Json& pre_tokenizer) {
  PreTokenizerParts parts;
  if (pre_tokenizer.is(JsonType::kNull)) return parts;
  if (auto done = PreTokenizerReader(parts).add(pre_tokenizer); !done) return tl::unexpected(std::move(done).error());
  return parts;
}

}  // namespace weir::vocab
