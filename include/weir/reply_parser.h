// ReplyParser: reads what a model wrote - reasoning, text, calls of tools - while it is being written.
//
// WHAT   It is created with the arguments of structural_tag_for_tools (weir/tools.h), or from a compiled grammar: a schema,
//        or a grammar or structural tag with captures. It is fed the reply, or follows the matcher that constrains it, and
//        gives events; however the reply is cut into pieces, adjacent text events joined give the same result. Arguments
//        are JSON text, whatever form the model writes.
// WHICH  Mode::kStrict reads what the tag allows, all else is an error. Mode::kTolerant reads every text: what is no
//        call of the style is text, and nothing is lost (docs/replies.md has the rules). A grammar reads its language.
// COST   Linear in the reply; with captures, in about linear time if the grammar is not ambiguous.
// THREADS One thread at a time.
#ifndef WEIR_REPLY_PARSER_H_
#define WEIR_REPLY_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/compiler.h"
#include "weir/error.h"
#include "weir/export.h"
#include "weir/limits.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"
#include "weir/tools.h"

namespace weir {

namespace replies {
class Session;
}

/// What a part of a reply is.
enum class ReplyEventKind : std::uint8_t {
  kReasoningBegins,  ///< The opening tag of the reasoning.
  kReasoning,        ///< `text` continues the reasoning.
  kReasoningEnds,    ///< The closing tag of the reasoning.
  kText,             ///< `text` continues the answer.
  kCallBegins,       ///< `name` is whole; `id` is what the model wrote, where the form has one.
  kArguments,        ///< `text` continues the arguments of the call, as JSON.
  kCallEnds,         ///< The arguments are complete JSON.
  kCallInvalid,  ///< The call is not valid: what was read of it, `text`, is content, as is the rest; `reason` says why.
  kMarkup,       ///< Bytes that say nothing by themselves.
  // With ReplyOptions::values, of a value in the arguments of a call or in an answer in JSON. These events are of no
  // bytes: their range is empty. `key` is the name of the member or the index of the item, "" at the top, and `depth`
  // the number of objects and arrays around the value. A string that continues has no key of more than 1,024 bytes.
  kObjectBegins,  ///< An object.
  kArrayBegins,   ///< An array.
  kString,        ///< `text` continues a string, without escapes; the first has no text.
  kNumber,        ///< A number, `text`, which can no longer grow.
  kBoolean,       ///< `text` is `true` or `false`.
  kNull,          ///< null.
  kStringEnds,    ///< The string is complete.
  kObjectEnds,    ///< The object is complete.
  kArrayEnds,     ///< The array is complete.
  kInput,         ///< `text`, which may be empty, continues the input of a call of a custom tool, as it is.
  // Where a grammar has captures. A capture may contain others. The first and the last have no bytes.
  kCaptureBegins,  ///< A capture, `name`.
  kCapture,        ///< `text` continues the innermost capture that has not ended, `name`.
  kCaptureEnds,    ///< The capture, `name`, is complete.
};

/// Returns "reasoning_begins", "reasoning", "reasoning_ends", "text", "call_begins", "arguments", "call_ends",
/// "call_invalid", "markup", "object_begins", "array_begins", "string", "number", "boolean", "null", "string_ends",
/// "object_ends", "array_ends", "input", "capture_begins", "capture", "capture_ends".
WEIR_API std::string_view to_string(ReplyEventKind kind) noexcept;

struct ReplyEvent {
  ReplyEventKind kind = ReplyEventKind::kText;
  /// The bytes of the reply that the event accounts for. The ranges of all events are the whole reply, without gaps.
  std::size_t start = 0;
  std::size_t end = 0;
  /// The number of the call, from 0, if the event is of a call. An invalid call without a name has no number of its own:
  /// the next call gets the same number.
  std::uint32_t call = 0;
  std::string text = {};  ///< Whole characters; a byte that is no UTF-8 is U+FFFD.
  std::string name = {};
  std::string id = {};
  std::string reason = {};
  std::string key = {};
  std::uint32_t depth = 0;
  friend bool operator==(const ReplyEvent&, const ReplyEvent&) = default;
};

/// How a reply is read.
struct ReplyOptions {
  /// What the reply may be. `tools.reasoning` of kBegun says that the prompt has begun the reasoning; the tolerant mode
  /// reads reasoning whether or not it is said here.
  ToolOptions tools = {};

  /// Which replies are read.
  enum class Mode : std::uint8_t {
    kTolerant,  ///< Every text; what is no call of the style is text.
    kStrict,    ///< What the structural tag of the same tools allows; all else is an error.
  };
  Mode mode = Mode::kTolerant;

  bool values = false;  ///< True if events also say which values arguments, and answers in JSON, consist of.

  friend bool operator==(const ReplyOptions&, const ReplyOptions&) = default;
};

class WEIR_API ReplyParser {
 public:
  /// Errors   Those of structural_tag_for_tools, and with Mode::kStrict of compiling its tag.
  /// Example
  ///     auto parser = weir::ReplyParser::create("hermes", tools);
  ///     if (!parser) return fail(parser.error());
  ///     const auto events = parser->feed("<tool_call>\n{\"name\": \"ti");
  ///     for (const weir::ReplyEvent& event : *events) show(event);
  static Result<ReplyParser> create(std::string_view style, std::string_view tools, const ReplyOptions& options = {},
                                    const Limits& limits = {});
  /// A parser of the texts of a grammar. For a schema, or a response format of JSON, it gives kText and the events of
  /// values. For a structural tag or another grammar it gives the captures, and kText for what is in none. An event comes
  /// when every reading of the reply so far agrees on it; a whole reply has the captures of GrammarMatcher::captures.
  /// Token ids are of the grammar's tokenizer. Special tokens add nothing to the text.
  /// Errors   kInvalidArgument: the grammar has no captures and is no schema.
  /// Example
  ///     auto compiled = compiler.compile_ebnf(R"(root ::= @capture(name: [a-z]+) "=" @capture(value: [0-9]+))");
  ///     auto parser = weir::ReplyParser::for_grammar(*compiled);
  static Result<ReplyParser> for_grammar(const CompiledGrammar& compiled);
  ReplyParser(ReplyParser&&) noexcept;
  ReplyParser& operator=(ReplyParser&&) noexcept;
  ~ReplyParser();

  /// Reads a piece of the reply; it may end within a character. Returns the events that have become certain.
  /// Errors   kInvalidArgument: the reply has ended, or follow() has read some of it; with Mode::kStrict, or for a grammar,
  ///          the piece does not continue a reply: Error::where is the range of the reply from the byte that is refused.
  ///          kLimitExceeded: the reply is longer than Limits::text_bytes, or a limit of exploring or of captures was met.
  ///          The parser is then as before.
  Result<std::vector<ReplyEvent>> feed(std::string_view bytes);
  /// Reads tokens: text, or special tokens, which stand for their names. A stop token adds nothing.
  /// Errors   As feed, and kInvalidArgument for a token id beyond the vocabulary. Error::where is a range of the tokens'
  ///          text, which is Error::text.
  Result<std::vector<ReplyEvent>> feed_tokens(std::span<const std::uint32_t> tokens, const TokenizerInfo& tokenizer);
  /// Whether more may follow what a matcher has accepted.
  enum class Follow : std::uint8_t { kGoesOn, kEnds };
  /// Reads what a matcher has accepted since the last call: tokens are accepted once, for the mask and for the events. If
  /// the parser is of a grammar, the matcher is one of the same CompiledGrammar. A parser of a style takes the matcher's
  /// word for what is allowed. The reply ends with kEnds, or if the matcher has accepted a stop token.
  /// A matcher may take steps back that have not been read: call this after drafted tokens were verified. After the end
  /// there are no events, as long as the matcher stays as it is.
  /// Errors   As feed and finish, and kInvalidArgument: a matcher of another grammar; the matcher was taken back to before
  ///          what has been read; the parser was fed this reply. The parser is then as before.
  /// Example
  ///     if (matcher.accept_token(token) != weir::Step::kOk) return;
  ///     const auto events = parser->follow(matcher);
  Result<std::vector<ReplyEvent>> follow(GrammarMatcher& matcher, Follow how = Follow::kGoesOn);
  /// The reply has ended. Returns the events that were held back; a call that is not complete is not valid.
  /// Errors   kInvalidArgument: it had ended before, or follow() has read some of it, which is then to end it; with
  ///          Mode::kStrict or for a grammar, the reply is not complete, and the parser is as before: more may follow, or
  ///          cut() ends it.
  Result<std::vector<ReplyEvent>> finish();
  /// The reply was cut, by a bound on its tokens, say. Returns the events that were held back, and does not ask whether the
  /// reply is complete: a call in progress is not valid, and other bytes of which nothing is certain are text, or belong to
  /// the innermost capture that has begun and not ended. What has begun does not end. Also after follow().
  /// Errors   kInvalidArgument: the reply had ended before.
  Result<std::vector<ReplyEvent>> cut();

  /// Begins another reply.
  void reset() noexcept;

  /// Returns the reply so far as JSON: {"reasoning": string or null, "content": string or null, "tool_calls": [{"id",
  /// "name", "arguments"}]}. A call in progress has `partial_arguments`, a string, in the place of `arguments`. For a
  /// grammar: {"content": what is in no capture, or null, "captures": [{"name", "start", "end", "text"}]}; one that has
  /// not ended has `complete`, false. If captures within one another have more than 16 MiB, and four times the reply, of
  /// text together, the text of those that are too much is null.
  [[nodiscard]] std::string snapshot() const;
  /// The number of bytes that were fed.
  [[nodiscard]] std::size_t size() const noexcept;

 private:
  explicit ReplyParser(std::unique_ptr<replies::Session> session) noexcept;
  std::unique_ptr<replies::Session> session_;
};

/// Returns the event as JSON, on one line.
WEIR_API std::string to_json(const ReplyEvent& event);

}  // namespace weir

#endif  // WEIR_REPLY_PARSER_H_
