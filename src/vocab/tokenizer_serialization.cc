// TokenizerInfo::serialize and deserialize.
//
// FORMAT A magic number with the format's version, a checksum of all that follows, then numbers of 32 or 64 bits in
//        little-endian order, and texts preceded by their lengths:
//          kind   1 a file: its bytes, its name, the bytes of its sidecar (see Origin), its options.
//                 2 a list: the tokens, special ids, stop ids, the leading-space rule, padding.
//        The checksum detects damage by a disk or a network. It does not protect against forgery, and need not: the
//        content is checked like that of a tokenizer file.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vocab/origin.h"
#include "vocab/vocabulary.h"
#include "weir/tokenizer_info.h"

namespace weir {

namespace {

constexpr std::string_view kMagic = "weirtok1";
enum class Kind : std::uint32_t { kFile = 1, kList = 2 };

// FNV-1a.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xCBF29CE484222325ULL;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
  return sum;
}

class Writer {
 public:
  void number(std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) out_.push_back(static_cast<char>(value >> (8 * i) & 0xFFU));
  }
  void text(std::string_view text) {
    number(text.size(), 8);
    out_ += text;
  }
  void ids(std::span<const std::uint32_t> ids) {
    number(ids.size(), 8);
    for (const std::uint32_t id : ids) number(id, 4);
  }
  [[nodiscard]] std::string sealed() const {
    Writer head;
    head.number(checksum(out_), 8);
    return std::string(kMagic) + head.out_ + out_;
  }

 private:
  std::string out_;
};

// Reads the format above. After a read past the end every result is empty or 0. has_failed() returns true after such a
// read, and if not all bytes were read.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number(unsigned bytes) {
    const std::string_view taken = take(bytes);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(taken[i])} << (8 * i);
    }
    return value;
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(number(4)); }
  std::string_view text() { return take(number(8)); }
  // Reads a count of things that take at least `bytes_each` bytes each; fails if there are not enough bytes for them.
  std::uint64_t count(std::uint64_t bytes_each) {
    const std::uint64_t found = number(8);
    if (found <= bytes_.size() / bytes_each) return found;
    has_failed_ = true;
    return 0;
  }
  std::vector<std::uint32_t> ids() {
    std::vector<std::uint32_t> out(count(4));
    for (std::uint32_t& id : out) id = word();
    return out;
  }
  [[nodiscard]] bool has_failed() const { return has_failed_ || !bytes_.empty(); }

 private:
  std::string_view take(std::uint64_t length) {
    if (length > bytes_.size()) {
      has_failed_ = true;
      return {};
    }
    const std::string_view taken = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return taken;
  }

  std::string_view bytes_;
  bool has_failed_ = false;
};

void write_file(const vocab::Origin& origin, Writer& out) {
  out.number(static_cast<std::uint64_t>(Kind::kFile), 4);
  out.text(origin.data);
  out.text(origin.name);
  out.text(origin.sidecar);
  out.ids(origin.options.stop_token_ids);
  out.number(origin.options.padded_vocab_size, 4);
}

// In a list only padding tokens are unused, and they are at the end; they are not written.
void write_list(const vocab::Vocabulary& vocabulary, Writer& out) {
  std::uint32_t count = vocabulary.size();
  while (count > 0 && vocabulary.token_kind(count - 1) == TokenKind::kUnused) --count;
  std::vector<std::uint32_t> special;
  out.number(static_cast<std::uint64_t>(Kind::kList), 4);
  out.number(count, 8);
  for (std::uint32_t id = 0; id < count; ++id) {
    const bool is_special = vocabulary.token_kind(id) == TokenKind::kSpecial;
    if (is_special) special.push_back(id);
    out.text(is_special ? vocabulary.token_name(id) : vocabulary.token_bytes(id));
  }
  out.ids(special);
  out.ids(vocabulary.stop_token_ids());
  out.number(vocabulary.drops_leading_space() ? 1 : 0, 4);
  out.number(vocabulary.size(), 4);
}

tl::unexpected<Error> invalid(std::string_view what) {
  return tl::unexpected(Error{ErrorCode::kInvalidArgument, "serialized tokenizer: " + std::string(what)});
}

Result<TokenizerInfo> read_file(Reader& in) {
  vocab::Origin origin;
  origin.data = in.text();
  origin.name = in.text();
  origin.sidecar = in.text();
  origin.options.stop_token_ids = in.ids();
  origin.options.padded_vocab_size = in.word();
  if (in.has_failed()) return invalid("a length does not fit");
  return vocab::make_tokenizer(std::move(origin));
}

Result<TokenizerInfo> read_list(Reader& in) {
  VocabSpec spec;
  spec.tokens.resize(in.count(8));
  for (std::string& token : spec.tokens) token = in.text();
  spec.special_token_ids = in.ids();
  spec.stop_token_ids = in.ids();
  spec.drops_leading_space = in.word() != 0;
  TokenizerOptions options;
  options.padded_vocab_size = in.word();
  if (in.has_failed()) return invalid("a length does not fit");
  return TokenizerInfo::from_vocab(std::move(spec), options);
}

}  // namespace

std::string TokenizerInfo::serialize() const {
  Writer out;
  if (vocabulary_->origin() != nullptr) {
    write_file(*vocabulary_->origin(), out);
  } else {
    write_list(*vocabulary_, out);
  }
  return out.sealed();
}

Result<TokenizerInfo> TokenizerInfo::deserialize(std::string_view data) {
  constexpr std::size_t kHead = kMagic.size() + 8;
  if (!data.starts_with(kMagic.substr(0, kMagic.size() - 1))) return invalid("the magic number is missing");
  if (data.size() < kHead) return invalid("it is cut short");
  if (!data.starts_with(kMagic)) return invalid("it is of another version of weir");
  if (Reader(data.substr(kMagic.size(), 8)).number(8) != checksum(data.substr(kHead))) {
    return invalid("the checksum is wrong: it was cut short or changed");
  }
  Reader in(data.substr(kHead));
  switch (static_cast<Kind>(in.word())) {
    case Kind::kFile: return read_file(in);
    case Kind::kList: return read_list(in);
  }
  return invalid("its kind is unknown");
}

}  // namespace weir
