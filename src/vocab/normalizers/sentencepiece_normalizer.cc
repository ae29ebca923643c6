#include "vocab/normalizers/sentencepiece_normalizer.h"

#include <utility>

#include "vocab/segmenters/scored_pieces.h"

namespace weir::vocab {

namespace {

tl::unexpected<Error> invalid(std::string message, std::size_t offset) {
  return tl::unexpected(Error{ErrorCode::kInvalidArgument, std::move(message), {offset, offset}});
}

std::uint32_t read_u32(std::string_view bytes, std::size_t pos) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = (value << 8) | static_cast<std::uint8_t>(bytes[pos + i]);
  return value;
}

// A unit of the double array. In a leaf, bit 31 is set and bits 0-30 are the value of a key. In any other unit:
//   bits 0-7    the byte on the edge to this unit; label() includes bit 31, so that no byte equals the label of a leaf
//   bit 8       a key ends here, and the unit has a leaf
//   bits 10-30  the offset to the children, in steps of 256 units if bit 9 is set
bool has_leaf(std::uint32_t unit) { return ((unit >> 8) & 1U) != 0; }
std::uint32_t leaf_value(std::uint32_t unit) { return unit & 0x7FFFFFFFU; }
std::uint32_t label(std::uint32_t unit) { return unit & 0x800000FFU; }
std::uint32_t children_offset(std::uint32_t unit) { return (unit >> 10) << ((unit & 0x200U) >> 6); }

// The output of one call of normalize: the text written so far, and the offsets of its origins.
class Output {
 public:
  Output(const SentencePieceRules& rules, std::vector<std::size_t>* origins)
      : space_(rules.escape_whitespaces ? kSpaceSymbol : std::string_view(" ")), origins_(origins) {}

  void append(std::string_view bytes, std::size_t origin) {
    text_.append(bytes);
    if (origins_ != nullptr) origins_->resize(text_.size(), origin);
  }
  void append_space(std::size_t origin) { append(space_, origin); }

  void remove_trailing_spaces() {
    while (text_.ends_with(space_)) text_.resize(text_.size() - space_.size());
    if (origins_ != nullptr) origins_->resize(text_.size());
  }

  std::string finish(std::size_t end) {
    if (origins_ != nullptr) origins_->push_back(end);
    return std::move(text_);
  }

 private:
  std::string_view space_;
  std::vector<std::size_t>* origins_;
  std::string text_;
};

class CharsMapNormalizer final : public Normalizer {
 public:
  explicit CharsMapNormalizer(CharsMap map) : map_(std::move(map)) {}

  void normalize(std::string& text) const override {
    std::string out;
    out.reserve(text.size());
    for (std::size_t pos = 0; pos < text.size();) {
      const CharsMap::Match match = map_.longest_match(text, pos);
      if (match.length != 0) {
        out += match.replacement;
        pos += match.length;
        continue;
      }
      const std::size_t length = character_length(text, pos);
      out.append(text, pos, length);
      pos += length;
    }
    text = std::move(out);
  }

  [[nodiscard]] NormalizerRecipe recipe() const override {
    return {NormalizerRecipe::Kind::kOther, "Precompiled", {}, {}};
  }

 private:
  CharsMap map_;
};

}  // namespace

Result<CharsMap> CharsMap::from_blob(std::string_view blob) {
  CharsMap map;
  if (blob.empty()) return map;
  if (blob.size() < 4) return invalid("the table of replacements is truncated", blob.size());
  const std::size_t array_bytes = read_u32(blob, 0);
  if (array_bytes > blob.size() - 4) return invalid("the table of replacements is longer than its file says", 0);
  if (array_bytes == 0 || array_bytes % 4 != 0) return invalid("the table of replacements has a size of no table", 0);
  if (blob.back() != '\0') return invalid("the last replacement has no end", blob.size());
  map.units_.reserve(array_bytes / 4);
  for (std::size_t pos = 4; pos < 4 + array_bytes; pos += 4) map.units_.push_back(read_u32(blob, pos));
  map.replacements_ = blob.substr(4 + array_bytes);
  return map;
}

CharsMap::Match CharsMap::longest_match(std::string_view text, std::size_t pos) const noexcept {
  Match best;
  if (units_.empty()) return best;
  std::size_t at = children_offset(units_[0]);
  for (std::size_t i = pos; i < text.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    at ^= byte;
    // The edge to a leaf has the byte zero, so no key contains a zero byte.
    if (byte == 0 || at >= units_.size() || label(units_[at]) != byte) break;
    const std::uint32_t unit = units_[at];
    at ^= children_offset(unit);
    if (!has_leaf(unit)) continue;
    if (at >= units_.size()) break;
    const std::uint32_t begin = leaf_value(units_[at]);
    if (begin >= replacements_.size()) break;
    // from_blob has checked that the replacements end with a zero byte.
    best = {i + 1 - pos, std::string_view(replacements_.data() + begin)};
  }
  return best;
}

Result<NormalizerPtr> make_charsmap_normalizer(std::string_view blob) {
  Result<CharsMap> map = CharsMap::from_blob(blob);
  if (!map) return tl::unexpected(std::move(map).error());
  return std::make_shared<const CharsMapNormalizer>(*std::move(map));
}

SentencePieceNormalizer::Step SentencePieceNormalizer::step_at(std::string_view text, std::size_t pos) const {
  const PrefixTrie::Match fixed = protected_texts_.longest_match(text, pos);
  if (fixed.length != 0) return {fixed.length, text.substr(pos, fixed.length)};
  const CharsMap::Match mapped = charsmap_.longest_match(text, pos);
  if (mapped.length != 0) return {mapped.length, mapped.replacement};
  const std::size_t length = character_length(text, pos);
  return {length, text.substr(pos, length)};
}

std::vector<NormalizerRecipe> SentencePieceNormalizer::recipe() const {
  using Kind = NormalizerRecipe::Kind;
  std::vector<NormalizerRecipe> steps;
  if (!charsmap_.empty()) steps.push_back({Kind::kOther, "a table of replacements", {}, {}});
  if (rules_.remove_extra_whitespaces) steps.push_back({Kind::kOther, "`remove_extra_whitespaces`", {}, {}});
  if (rules_.add_dummy_prefix && rules_.treat_whitespace_as_suffix) {
    steps.push_back({Kind::kOther, "`treat_whitespace_as_suffix`", {}, {}});
  } else if (rules_.add_dummy_prefix) {
    steps.push_back({Kind::kPrepend, "`add_dummy_prefix`", {}, " "});
  }
  if (rules_.escape_whitespaces)
    steps.push_back({Kind::kReplace, "`escape_whitespaces`", " ", std::string(kSpaceSymbol)});
  return steps;
}

std::string SentencePieceNormalizer::normalize(std::string_view text, std::vector<std::size_t>* origins) const {
  if (origins != nullptr) origins->clear();
  Output out(rules_, origins);
  std::size_t pos = 0;
  if (rules_.remove_extra_whitespaces) {
    while (pos < text.size()) {
      const Step step = step_at(text, pos);
      if (step.replacement != " ") break;
      pos += step.length;
    }
  }
  // A text of spaces only becomes empty; no dummy space is added.
  if (pos == text.size()) return out.finish(pos);
  if (rules_.add_dummy_prefix && !rules_.treat_whitespace_as_suffix) out.append_space(pos);

  bool after_space = rules_.remove_extra_whitespaces;
  while (pos < text.size()) {
    const Step step = step_at(text, pos);
    std::string_view rest = step.replacement;
    while (after_space && rest.starts_with(' ')) rest.remove_prefix(1);
    if (!rest.empty()) after_space = rules_.remove_extra_whitespaces && rest.ends_with(' ');
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i] == ' ') {
        out.append_space(pos);
      } else {
        out.append(rest.substr(i, 1), pos);
      }
    }
    pos += step.length;
  }
  if (rules_.remove_extra_whitespaces) out.remove_trailing_spaces();
  if (rules_.add_dummy_prefix && rules_.treat_whitespace_as_suffix) out.append_space(pos);
  return out.finish(pos);
}

}  // namespace weir::vocab
