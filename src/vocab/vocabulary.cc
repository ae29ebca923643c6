#include "vocab/vocabulary.h"

#include <algorithm>

#include "base/utf8.h"
#include "vocab/segmenters/longest_match.h"
#include "vocab/token_spelling.h"
#include "weir/bitmask.h"

namespace weir::vocab {

namespace {

tl::unexpected<Error> invalid_vocabulary(std::string message) {
  return tl::unexpected(Error{ErrorCode::kInvalidArgument, std::move(message)});
}

bool is_text(TokenKind kind) { return kind == TokenKind::kNormal || kind == TokenKind::kByte; }

// Returns the name that the caller gave to token `id`, or else its bytes; for messages.
std::string display_name(const VocabularySource& source, std::size_t id) {
  const bool named = !source.token_names.empty() && !source.token_names[id].empty();
  return base::escape_for_display(named ? source.token_names[id] : source.token_bytes[id], 40);
}

// Each loop over all tokens is a function of its own, here and below. Engines for WebAssembly optimise whole functions,
// for nothing while a function's only call runs, so such functions should be small.
[[gnu::noinline]] void decode_tokens(const VocabSpec& spec, VocabularySource& source) {
  for (std::uint32_t id = 0; id < source.token_bytes.size(); ++id) {
    std::string& token = source.token_bytes[id];
    if (spec.stop_tokens_by_name && is_usual_stop_name(token)) source.stop_token_ids.push_back(id);
    if (source.token_kinds[id] == TokenKind::kNormal) decode_spelling(spec.spelling, token);
  }
}

}  // namespace

void Vocabulary::StringTable::reserve(std::size_t strings, std::size_t bytes) {
  begin_.reserve(strings + 1);
  block_.reserve(bytes);
}

void Vocabulary::StringTable::append(std::string_view text) {
  block_.append(text);
  begin_.push_back(static_cast<std::uint32_t>(block_.size()));
}

Result<std::shared_ptr<const Vocabulary>> Vocabulary::create(VocabularySource source, const TokenizerOptions& options) {
  const std::size_t count = source.token_bytes.size();
  if (source.token_kinds.size() != count || (!source.token_names.empty() && source.token_names.size() != count)) {
    return tl::unexpected(Error{ErrorCode::kInternal, "a reader gave tables of different lengths"});
  }
  if (count == 0) return invalid_vocabulary("the vocabulary has no tokens");
  const std::size_t padded = options.padded_vocab_size == 0 ? count : options.padded_vocab_size;
  if (padded < count) {
    Error error{ErrorCode::kInvalidArgument, "`padded_vocab_size` is " + std::to_string(padded) +
                                                 ", but the vocabulary has " + std::to_string(count) + " tokens"};
    error.options = "padded_vocab_size";
    return tl::unexpected(std::move(error));
  }
  if (padded > kMaxTokens) {
    return invalid_vocabulary("the vocabulary has " + std::to_string(padded) + " tokens; at most " +
                              std::to_string(kMaxTokens) + " are supported");
  }
  std::shared_ptr<Vocabulary> self(new Vocabulary());
  self->kind_ = std::move(source.kind);
  self->segmenter_ = std::move(source.segmenter);
  self->origin_ = std::move(source.origin);
  self->drop_first_space_ = source.first_token != VocabularySource::FirstToken::kUnchanged;
  self->first_token_rule_repeats_ = source.first_token == VocabularySource::FirstToken::kDropLeadingSpaceUntilText;
  self->has_first_rule_ = self->drop_first_space_ || !source.first_token_exceptions.empty();
  if (auto done = self->set_tokens(source, static_cast<std::uint32_t>(padded)); !done) {
    return tl::unexpected(std::move(done).error());
  }
  // Building the tries takes the most memory of all, so what is copied by now is freed first.
  std::vector<std::string>().swap(source.token_bytes);
  std::vector<std::string>().swap(source.token_names);
  const bool overridden = !options.stop_token_ids.empty();
  if (auto done = self->set_stop_tokens(overridden ? options.stop_token_ids : std::move(source.stop_token_ids));
      !done) {
    return tl::unexpected(std::move(done).error());
  }
  if (auto done = self->set_first_exceptions(std::move(source.first_token_exceptions)); !done) {
    return tl::unexpected(std::move(done).error());
  }
  self->index_special_tokens();
  self->trie_ = self->build_trie();
  self->summary_ = TrieSummary(self->trie_, bitmask_words(self->size()));
  self->list_quoting_tokens();
  return self;
}

[[gnu::noinline]] void Vocabulary::list_quoting_tokens() {
  std::vector<std::pair<std::string_view, std::uint32_t>> tokens;
  std::vector<std::pair<std::string_view, std::uint32_t>> with_colons;
  for (std::uint32_t id = 0; id < size(); ++id) {
    if (!is_trie_token(id)) continue;
    if (bytes_[id].find('"') != std::string_view::npos) tokens.emplace_back(bytes_[id], id);
    if (base::ends_yaml_key(bytes_[id])) with_colons.emplace_back(bytes_[id], id);
  }
  quoting_tokens_ = base::QuotingTokens(tokens, with_colons);
  quote_trie_ = TokenTrie(std::move(tokens));
}

Result<std::shared_ptr<const Vocabulary>> Vocabulary::create(VocabSpec spec, const TokenizerOptions& options) {
  VocabularySource source;
  source.kind = "token list";
  source.token_bytes = std::move(spec.tokens);
  source.token_kinds.assign(source.token_bytes.size(), TokenKind::kNormal);
  for (const std::uint32_t id : spec.special_token_ids) {
    if (id >= source.token_bytes.size()) {
      return invalid_vocabulary("special token " + std::to_string(id) + " is out of range: there are " +
                                std::to_string(source.token_bytes.size()) + " tokens");
    }
    source.token_kinds[id] = TokenKind::kSpecial;
    if (source.token_names.empty()) source.token_names.resize(source.token_bytes.size());
    source.token_names[id] = source.token_bytes[id];
  }
  source.stop_token_ids = std::move(spec.stop_token_ids);
  decode_tokens(spec, source);
  if (spec.drops_leading_space) source.first_token = VocabularySource::FirstToken::kDropLeadingSpace;
  return create(std::move(source), options);
}

[[gnu::noinline]] Result<void> Vocabulary::set_tokens(const VocabularySource& source, std::uint32_t padded_size) {
  std::size_t text_bytes = 0;
  std::size_t name_bytes = 0;
  for (std::size_t id = 0; id < source.token_bytes.size(); ++id) {
    if (!is_text(source.token_kinds[id])) continue;
    const std::size_t length = source.token_bytes[id].size();
    if (length > kMaxTokenBytes) {
      return invalid_vocabulary("token " + std::to_string(id) + " (`" + display_name(source, id) + "`) has " +
                                std::to_string(length) + " bytes; at most " + std::to_string(kMaxTokenBytes) +
                                " are supported");
    }
    text_bytes += length;
  }
  for (const std::string& name : source.token_names) name_bytes += name.size();
  if (text_bytes > kMaxVocabularyBytes) {
    return invalid_vocabulary("the vocabulary's tokens have " + std::to_string(text_bytes) +
                              " bytes together; at most " + std::to_string(kMaxVocabularyBytes) + " are supported");
  }
  if (name_bytes > UINT32_MAX) return invalid_vocabulary("the vocabulary's names have more than 4 GB");

  bytes_.reserve(padded_size, text_bytes);
  kinds_ = source.token_kinds;
  kinds_.resize(padded_size, TokenKind::kUnused);
  for (std::size_t id = 0; id < padded_size; ++id) {
    bytes_.append(is_text(kinds_[id]) ? std::string_view(source.token_bytes[id]) : std::string_view());
  }
  if (!source.token_names.empty()) {
    names_.reserve(padded_size, name_bytes);
    for (const std::string& name : source.token_names) names_.append(name);
    for (std::size_t id = source.token_names.size(); id < padded_size; ++id) names_.append({});
  }
  return {};
}

Result<void> Vocabulary::set_stop_tokens(std::vector<std::uint32_t> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (const std::uint32_t id : ids) {
    if (id >= size()) {
      return invalid_vocabulary("stop token " + std::to_string(id) + " is out of range: there are " +
                                std::to_string(size()) + " tokens");
    }
    // The caller knows a token that the file does not name, for example a gap in a tiktoken file.
    if (kinds_[id] != TokenKind::kUnused) continue;
    kinds_[id] = TokenKind::kSpecial;
    unused_unless_stop_.push_back(id);
  }
  stop_token_ids_ = std::move(ids);
  return {};
}

Result<void> Vocabulary::set_first_exceptions(std::vector<std::pair<std::uint32_t, std::string>> exceptions) {
  first_exceptions_ = std::move(exceptions);
  std::sort(first_exceptions_.begin(), first_exceptions_.end());
  std::size_t total = 0;
  for (const auto& [id, bytes] : first_exceptions_) {
    if (id >= size() || !is_text(kinds_[id])) {
      return tl::unexpected(Error{ErrorCode::kInternal, "a reader gave a first-token exception for no text token"});
    }
    if (bytes.size() > kMaxTokenBytes) {
      return invalid_vocabulary("token " + std::to_string(id) + " has " + std::to_string(bytes.size()) +
                                " bytes as the first token; at most " + std::to_string(kMaxTokenBytes) +
                                " are supported");
    }
    total += bytes.size();
  }
  if (total > kMaxVocabularyBytes) return invalid_vocabulary("the vocabulary's first-token bytes are too many");
  return {};
}

void Vocabulary::index_special_tokens() {
  for (std::uint32_t id = 0; id < size(); ++id) {
    if (kinds_[id] == TokenKind::kSpecial) special_by_name_.push_back(id);
  }
  std::stable_sort(special_by_name_.begin(), special_by_name_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return token_name(a) < token_name(b); });
}

std::string_view Vocabulary::first_token_bytes(std::uint32_t id) const noexcept {
  if (!first_exceptions_.empty()) {
    const auto it = std::lower_bound(first_exceptions_.begin(), first_exceptions_.end(), id,
                                     [](const auto& entry, std::uint32_t key) { return entry.first < key; });
    if (it != first_exceptions_.end() && it->first == id) return it->second;
  }
  std::string_view bytes = bytes_[id];
  if (drop_first_space_ && bytes.starts_with(' ')) bytes.remove_prefix(1);
  return bytes;
}

std::string_view Vocabulary::token_name(std::uint32_t id) const noexcept {
  if (names_.empty()) return bytes_[id];
  const std::string_view name = names_[id];
  return name.empty() ? bytes_[id] : name;
}

bool Vocabulary::is_stop_token(std::uint32_t id) const noexcept {
  return std::binary_search(stop_token_ids_.begin(), stop_token_ids_.end(), id);
}

bool Vocabulary::is_unused_unless_stop(std::uint32_t id) const noexcept {
  return std::binary_search(unused_unless_stop_.begin(), unused_unless_stop_.end(), id);
}

std::optional<std::uint32_t> Vocabulary::find_special_token(std::string_view name) const noexcept {
  if (name.empty()) return std::nullopt;
  const auto it = std::lower_bound(special_by_name_.begin(), special_by_name_.end(), name,
                                   [&](std::uint32_t id, std::string_view key) { return token_name(id) < key; });
  if (it == special_by_name_.end() || token_name(*it) != name) return std::nullopt;
  return *it;
}

bool Vocabulary::is_trie_token(std::uint32_t id) const noexcept { return is_text(kinds_[id]) && !is_stop_token(id); }

[[gnu::noinline]] TokenTrie Vocabulary::build_trie() const {
  std::vector<std::pair<std::string_view, std::uint32_t>> tokens;
  tokens.reserve(size());
  for (std::uint32_t id = 0; id < size(); ++id) {
    if (is_trie_token(id) && !bytes_[id].empty()) tokens.emplace_back(bytes_[id], id);
  }
  return TokenTrie(tokens);
}

const Vocabulary::First& Vocabulary::first() const noexcept {
  std::call_once(first_once_, [this] {
    std::vector<std::pair<std::string_view, std::uint32_t>> tokens;
    if (has_first_rule_) tokens.reserve(size());
    for (std::uint32_t id = 0; id < size(); ++id) {
      if (!is_trie_token(id) || bytes_[id].empty()) continue;
      const std::string_view bytes = first_token_bytes(id);
      if (bytes.empty()) {
        first_.empty_tokens.push_back(id);
      } else if (has_first_rule_) {
        tokens.emplace_back(bytes, id);
      }
    }
    first_.trie = TokenTrie(tokens);
    first_.summary = TrieSummary(first_.trie, bitmask_words(size()));
  });
  return first_;
}

const TokenTrie& Vocabulary::first_trie() const noexcept { return has_first_rule_ ? first().trie : trie_; }

const TrieSummary& Vocabulary::first_summary() const noexcept { return has_first_rule_ ? first().summary : summary_; }

std::span<const std::uint32_t> Vocabulary::first_empty_tokens() const noexcept { return first().empty_tokens; }

std::vector<std::uint32_t> Vocabulary::settled_tokens(std::string_view text) const {
  return segmenter_ != nullptr ? segmenter_->settled_tokens(text) : settled_longest_match(*this, text);
}

}  // namespace weir::vocab
