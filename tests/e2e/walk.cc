#include "e2e/walk.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"

namespace weir::e2e {

Walker::Walker(CompiledGrammar compiled, std::unique_ptr<oracle::PlainChecker> checker, const WalkOptions& options)
    : matcher_(std::move(compiled)), checker_(std::move(checker)), options_(options), random_(options.seed) {
  const TokenizerInfo& info = matcher_.compiled_grammar().tokenizer_info();
  bitmask_.resize(bitmask_words(info.vocab_size()));
  for (std::uint32_t id = 0; id < info.vocab_size(); ++id) {
    const std::string_view bytes = info.token_bytes(id);
    if (bytes.empty()) continue;
    by_bytes_.emplace(bytes, id);
    longest_token_ = std::max(longest_token_, bytes.size());
  }
}

void Walker::walk(std::string_view name, std::string_view text) {
  const std::unique_ptr<oracle::PlainChecker> plain = checker_->clone();
  if (plain->push_all(text) != text.size() || !plain->complete()) {
    fail(name, 0, "the plain parser does not accept the document");
    return;
  }
  ++report_.documents;
  report_.bytes += text.size();
  check_text(name, text);
  for (std::uint32_t i = 0; i < options_.corruptions; ++i) {
    const std::string corrupted = corrupt(text);
    ++report_.corrupted;
    const bool viable = checker_->clone()->push_all(corrupted) == corrupted.size();
    ++(viable ? report_.still_viable : report_.refused);
    check_text(std::string(name) + ", corruption " + std::to_string(i + 1), corrupted);
  }
}

// Walks one text, real or corrupted, by bytes and by tokens. Compares where it is refused, and what is expected there.
void Walker::check_text(std::string_view name, std::string_view text) {
  const std::unique_ptr<oracle::PlainChecker> plain = checker_->clone();
  const std::size_t viable = plain->push_all(text);
  const bool complete = viable == text.size() && plain->complete();
  matcher_.reset();
  const std::size_t found = matcher_.longest_viable_prefix(text);
  if (found != viable) {
    fail(name, found, "refused here, and by the plain parser at byte " + std::to_string(viable));
    return;
  }
  if (matcher_.accept_bytes(text.substr(0, viable)) != Step::kOk) {
    fail(name, viable, "a viable prefix is refused");
    return;
  }
  check_next_bytes(name, viable, *plain);
  check_tokens(name, text, viable, complete);
}

void Walker::check_tokens(std::string_view name, std::string_view text, std::size_t viable, bool complete) {
  const TokenizerInfo& info = matcher_.compiled_grammar().tokenizer_info();
  const std::unique_ptr<oracle::PlainChecker> plain = checker_->clone();
  const auto full_mask_bound =
      static_cast<std::size_t>(options_.full_masks * 1e10 / std::max(info.vocab_size(), 10'000U));
  std::size_t offset = 0;
  matcher_.reset();
  for (const std::uint32_t token : tokenize(text)) {
    if (matcher_.fill_next_token_bitmask(bitmask_) != Step::kOk) return fail(name, offset, "no mask");
    ++report_.masks;
    if (below(1'000'000) < full_mask_bound) check_full_mask(name, offset, *plain);
    const std::size_t size = info.token_bytes(token).size();
    const bool expected = offset + size <= viable;
    if (bitmask_get(bitmask_, token) != expected)
      return fail(name, offset, expected ? "token masked" : "token allowed");
    const Step step = matcher_.accept_token(token);
    if ((step == Step::kOk) != expected) return fail(name, offset, "accept_token and the mask disagree");
    if (!expected) return;
    plain->push_all(text.substr(offset, size));
    offset += size;
    ++report_.tokens;
  }
  if (matcher_.fill_next_token_bitmask(bitmask_) != Step::kOk) return fail(name, offset, "no mask at the end");
  for (const std::uint32_t stop : info.stop_token_ids()) {
    if (bitmask_get(bitmask_, stop) != complete) return fail(name, offset, complete ? "may not end" : "may end");
  }
  if (matcher_.is_completed() != complete) fail(name, offset, "is_completed is wrong");
}

void Walker::check_full_mask(std::string_view name, std::size_t offset, const oracle::PlainChecker& plain) {
  const TokenizerInfo& info = matcher_.compiled_grammar().tokenizer_info();
  const auto stops = info.stop_token_ids();
  ++report_.full_masks;
  for (std::uint32_t id = 0; id < info.vocab_size(); ++id) {
    const std::string_view bytes = info.token_bytes(id);
    bool expected = !bytes.empty() && plain.clone()->push_all(bytes) == bytes.size();
    if (std::find(stops.begin(), stops.end(), id) != stops.end()) expected = plain.complete();
    ++report_.tokens_checked;
    if (bitmask_get(bitmask_, id) == expected) continue;
    return fail(name, offset,
                "token " + std::to_string(id) + " `" + base::escape_for_display(bytes) + "` is " +
                    (expected ? "masked" : "allowed") + " in the full mask");
  }
}

void Walker::check_next_bytes(std::string_view name, std::size_t offset, const oracle::PlainChecker& plain) {
  std::vector<std::uint8_t> expected;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (plain.clone()->push(static_cast<std::uint8_t>(byte))) expected.push_back(static_cast<std::uint8_t>(byte));
  }
  const Expectation found = matcher_.expected();
  if (found.bytes != expected) fail(name, offset, "the bytes that may come next differ");
  if (found.end != plain.complete()) fail(name, offset, "whether it may end here differs");
}

// Corrupts a text: replaces, removes or inserts a byte, removes or doubles a part, or cuts off the end. Most new bytes
// are taken from the text, because a misplaced quote or bracket is a harder case than a wrong letter.
std::string Walker::corrupt(std::string_view text) {
  std::string out(text);
  if (out.empty()) return out;
  const std::size_t at = below(out.size());
  const char byte = below(4) != 0 ? text[below(text.size())] : static_cast<char>(below(256));
  const std::size_t length = std::min(1 + below(8), out.size() - at);
  switch (below(6)) {
    case 0: out[at] = byte; break;
    case 1: out.erase(at, 1); break;
    case 2: out.insert(at, 1, byte); break;
    case 3: out.erase(at, length); break;
    case 4: out.insert(at, out.substr(at, length)); break;
    default: out.resize(at); break;
  }
  return out;
}

// Returns the tokenizer's tokens. If they do not decode to the text, as for corrupted characters, returns those of the
// longest match.
std::vector<std::uint32_t> Walker::tokenize(std::string_view text) const {
  const TokenizerInfo& info = matcher_.compiled_grammar().tokenizer_info();
  if (Result<std::vector<std::uint32_t>> ids = info.tokenize(text); ids && info.decode(*ids) == text) return *ids;
  std::vector<std::uint32_t> ids;
  while (!text.empty()) {
    std::size_t length = std::min(longest_token_, text.size());
    while (length > 1 && !by_bytes_.contains(text.substr(0, length))) --length;
    const auto token = by_bytes_.find(text.substr(0, length));
    if (token == by_bytes_.end()) return ids;
    ids.push_back(token->second);
    text.remove_prefix(length);
  }
  return ids;
}

void Walker::fail(std::string_view name, std::size_t offset, std::string_view what) {
  ++report_.failure_count;
  if (report_.failures.size() >= 10) return;
  std::string line(name);
  line.append(", byte ").append(std::to_string(offset)).append(": ").append(what);
  report_.failures.push_back(std::move(line));
}

}  // namespace weir::e2e
