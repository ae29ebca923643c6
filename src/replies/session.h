// Session: what a ReplyParser owns.
//
// WHAT   Reads one reply, from pieces that it is given or from a matcher that has accepted them. There is one kind for the
//        styles of tools (style_session.cc), whose replies a Reader reads, and one for grammars (grammar_session.cc),
//        whose outputs the captures of the engine divide.
#ifndef WEIR_SRC_REPLIES_SESSION_H_
#define WEIR_SRC_REPLIES_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/error.h"
#include "weir/reply_parser.h"

namespace weir::replies {

using Events = std::vector<ReplyEvent>;

class Session {
 public:
  virtual ~Session() = default;

  // The functions of ReplyParser.
  Result<Events> feed(std::string_view bytes);
  Result<Events> feed_tokens(std::span<const std::uint32_t> tokens, const TokenizerInfo& tokenizer);
  Result<Events> follow(GrammarMatcher& matcher, ReplyParser::Follow how);
  Result<Events> finish();
  Result<Events> cut();
  void reset();
  [[nodiscard]] virtual std::string snapshot() const = 0;
  [[nodiscard]] std::size_t size() const { return size_; }

 protected:
  using Follow = ReplyParser::Follow;

  explicit Session(std::size_t most) : most_(most) {}

  // Each is all or nothing: on an error the session is as before.
  virtual Result<Events> read(std::string_view bytes) = 0;
  virtual Result<Events> read_tokens(std::span<const std::uint32_t> tokens, const TokenizerInfo& tokenizer) = 0;
  // `from` is the number of steps of the matcher that were read before.
  virtual Result<Events> read_matcher(GrammarMatcher& matcher, std::size_t from, Follow how) = 0;
  virtual Result<Events> read_end() = 0;
  // Returns the events that the end of the reply makes, complete or not. Precondition: has_ended_.
  virtual Events events_at_end() = 0;
  virtual void begin() = 0;

  [[nodiscard]] Error invalid(std::string message) const;
  [[nodiscard]] Error limit_met(std::string message, std::string_view limit) const;
  // Says of a piece of tokens that the bytes of their text from `start` on are refused.
  static void set_place(Error& error, std::string text, std::size_t start) {
    error.where = {start, text.size()};
    error.text = std::move(text);
  }
  [[nodiscard]] Result<void> check_room(std::size_t bytes) const;
  [[nodiscard]] Error incomplete() const { return invalid("the reply is not complete"); }
  // Returns the error for bytes at which the matcher of the `what`, a tag or a grammar, returned `step`. `reason` says why
  // a matcher does not accept a byte.
  [[nodiscard]] Error refusal(const GrammarMatcher& matcher, Step step, std::string_view bytes, std::string_view what,
                              std::string (*reason)(GrammarMatcher&, unsigned char)) const;

  std::size_t size_ = 0;  // bytes of the reply
  bool has_ended_ = false;

 private:
  [[nodiscard]] Result<void> check_feed() const;

  std::size_t most_;
  bool is_fed_ = false;          // the reply is fed; special tokens alone have no bytes
  bool follows_ = false;         // the reply comes from a matcher
  std::size_t steps_ = 0;        // of the matcher that have been read
  std::uint64_t rollbacks_ = 0;  // of the matcher before
};

/// A session for the style of tools. Errors: those of ReplyParser::create.
Result<std::unique_ptr<Session>> style_session(std::string_view style, std::string_view tools,
                                               const ReplyOptions& options, const Limits& limits);
/// A session for a grammar. Errors: those of ReplyParser::for_grammar.
Result<std::unique_ptr<Session>> grammar_session(const CompiledGrammar& compiled);

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_SESSION_H_
