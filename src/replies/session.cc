#include "replies/session.h"

#include <string>
#include <utility>

#include "engine/matcher/cursor.h"
#include "weir/matcher.h"

namespace weir::replies {

Error Session::invalid(std::string message) const {
  return {ErrorCode::kInvalidArgument, std::move(message), {size_, size_}};
}

Error Session::limit_met(std::string message, std::string_view limit) const {
  Error error{ErrorCode::kLimitExceeded, std::move(message), {size_, size_}};
  if (limit.empty()) return error;
  error.hint = "raise Limits::" + std::string(limit);
  error.limit = limit;
  return error;
}

Result<void> Session::check_room(std::size_t bytes) const {
  if (bytes <= most_ - size_) return {};
  return tl::unexpected(limit_met("the reply is longer than the limit", "text_bytes"));
}

Error Session::refusal(const GrammarMatcher& matcher, Step step, std::string_view bytes, std::string_view what,
                       std::string (*reason)(GrammarMatcher&, unsigned char)) const {
  if (step == Step::kTerminated) return invalid("the reply has ended with a stop token");
  if (step == Step::kLimitExceeded) return limit_met(matcher.limit_message(), {});
  GrammarMatcher there = matcher.fork();
  const std::size_t good = there.longest_viable_prefix(bytes);
  Error error = invalid("the reply does not follow its " + std::string(what));
  if (good < bytes.size() && there.accept_bytes(bytes.substr(0, good)) == Step::kOk) {
    error.message += reason(there, static_cast<unsigned char>(bytes[good]));
  }
  error.where = {size_ + good, size_ + bytes.size()};
  return error;
}

Result<void> Session::check_feed() const {
  if (has_ended_) return tl::unexpected(invalid("the reply has ended"));
  if (follows_)
    return tl::unexpected(invalid("the parser follows a matcher, which alone says what comes and when the reply ends"));
  return {};
}

Result<Events> Session::feed(std::string_view bytes) {
  Result<Events> events =
      check_feed().and_then([&] { return check_room(bytes.size()); }).and_then([&] { return read(bytes); });
  is_fed_ = is_fed_ || (events && !bytes.empty());
  return events;
}

Result<Events> Session::feed_tokens(std::span<const std::uint32_t> tokens, const TokenizerInfo& tokenizer) {
  Result<Events> events = check_feed().and_then([&]() -> Result<Events> {
    for (const std::uint32_t token : tokens) {
      if (token >= tokenizer.vocab_size()) return tl::unexpected(invalid("there is no token " + std::to_string(token)));
    }
    return read_tokens(tokens, tokenizer);
  });
  is_fed_ = is_fed_ || (events && !tokens.empty());
  return events;
}

Result<Events> Session::follow(GrammarMatcher& matcher, Follow how) {
  const engine::History& history = matcher.cursor().history();
  if (has_ended_) {
    if (follows_ && history.size() == steps_ && history.rollbacks() == rollbacks_) return Events();
    return tl::unexpected(invalid("the reply has ended"));
  }
  if (is_fed_ && !follows_) {
    return tl::unexpected(invalid("the parser was fed this reply, so it cannot follow a matcher"));
  }
  const std::size_t least = history.least_since(rollbacks_);
  if (least < steps_) {
    return tl::unexpected(invalid("the matcher was taken back to step " + std::to_string(least) +
                                  ", but the parser has read " + std::to_string(steps_) + " steps"));
  }
  if (matcher.is_terminated()) how = Follow::kEnds;
  Result<Events> events = read_matcher(matcher, steps_, how);
  if (!events) return events;
  follows_ = true;
  steps_ = history.size();
  rollbacks_ = history.rollbacks();
  return events;
}

Result<Events> Session::finish() {
  return check_feed().and_then([&] { return read_end(); });
}

Result<Events> Session::cut() {
  if (has_ended_) return tl::unexpected(invalid("the reply has ended"));
  has_ended_ = true;
  return events_at_end();
}

void Session::reset() {
  size_ = 0;
  has_ended_ = false;
  is_fed_ = false;
  follows_ = false;
  steps_ = 0;
  rollbacks_ = 0;
  begin();
}

}  // namespace weir::replies
