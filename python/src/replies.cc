// weir.ReplyParser and weir.ReplyEvent.
#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.h"
#include "errors.h"
#include "matcher.h"
#include "weir/reply_parser.h"

namespace weir::python {

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// Calls a function of weir/_schemas.py.
template <typename... Arguments>
nb::object in_python(const char* function, Arguments&&... arguments) {
  return nb::module_::import_("weir._schemas").attr(function)(std::forward<Arguments>(arguments)...);
}

// A piece of a reply: text, bytes, or ids of tokens. A buffer of bytes (memoryview, an array of uint8) is bytes; one of
// integers of 4 or 8 bytes is ids.
struct Piece {
  explicit Piece(nb::handle piece) {
    if (nb::isinstance<nb::str>(piece)) {
      bytes = utf8(nb::borrow<nb::str>(piece));
    } else if (PyObject_CheckBuffer(piece.ptr()) != 0) {
      if (PyObject_GetBuffer(piece.ptr(), &view, PyBUF_FORMAT | PyBUF_ND) != 0) {
        PyErr_Clear();
        refuse("a buffer that is not contiguous");
      }
      read_buffer();
    } else {
      has_ids = true;
      if (!nb::try_cast(nb::borrow(piece), ids)) {
        refuse(what_is(piece));
      }
    }
  }
  ~Piece() {
    if (view.obj != nullptr) PyBuffer_Release(&view);
  }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

  std::string_view bytes = {};
  std::vector<std::int64_t> ids = {};
  bool has_ids = false;
  Py_buffer view = {};

 private:
  void read_buffer() {
    std::string_view format = view.format != nullptr ? view.format : "B";
    if (format.starts_with('@') || format.starts_with('=') || format.starts_with('<')) format.remove_prefix(1);
    const auto count = static_cast<std::size_t>(view.len) / static_cast<std::size_t>(view.itemsize);
    const bool is_whole = format.size() == 1 && std::string_view("bBcilqILQ").find(format[0]) != std::string_view::npos;
    if (view.ndim > 1 || !is_whole) refuse("a buffer of another shape or type");
    if (view.itemsize == 1) {
      bytes = {static_cast<const char*>(view.buf), count};
      return;
    }
    has_ids = true;
    const bool is_signed = format[0] >= 'a';
    for (std::size_t i = 0; i < count; ++i) {
      const char* const at = static_cast<const char*>(view.buf) + i * static_cast<std::size_t>(view.itemsize);
      std::int64_t wide = 0;
      std::int32_t narrow = 0;
      if (view.itemsize == 8) std::memcpy(&wide, at, sizeof wide);
      if (view.itemsize == 4) std::memcpy(&narrow, at, sizeof narrow);
      ids.push_back(view.itemsize == 8 ? wide : is_signed ? narrow : static_cast<std::uint32_t>(narrow));
    }
  }
  // Says which item of a sequence is no id; of another object, what it is.
  static std::string what_is(nb::handle piece) {
    if (!nb::isinstance<nb::list>(piece) && !nb::isinstance<nb::tuple>(piece)) return kind_of(piece);
    std::size_t index = 0;
    for (const nb::handle item : nb::borrow(piece)) {
      std::int64_t id = 0;
      if (!nb::try_cast(nb::borrow(item), id)) {
        return kind_of(piece) + " whose item " + std::to_string(index) + " is " +
               (nb::isinstance<nb::int_>(item) ? "beyond all ids" : "of type " + kind_of(item));
      }
      ++index;
    }
    return kind_of(piece);
  }
  [[noreturn]] void refuse(const std::string& what) {
    if (view.obj != nullptr) PyBuffer_Release(&view);
    throw nb::type_error(
        ("`piece` must be text, bytes or ids of tokens (of 4 or 8 bytes in a buffer), not " + what).c_str());
  }
};

// A parser is for one thread at a time. Python code may violate that and must not crash. Calls are short, so Python's
// lock is kept; the mutex is for Pythons without one.
class Replies {
 public:
  Replies(ReplyParser parser, std::optional<TokenizerInfo> tokenizer)
      : parser_(std::move(parser)), tokenizer_(std::move(tokenizer)) {}

  std::vector<ReplyEvent> feed(nb::handle piece, bool final) {
    const Piece read(piece);
    std::vector<std::uint32_t> tokens;
    if (read.has_ids && !tokenizer_) {
      throw nb::value_error("token ids need `tokenizer_info`: ReplyParser(..., tokenizer_info=...)");
    }
    for (const std::int64_t token : read.ids) tokens.push_back(checked_token(token, tokenizer_->vocab_size()));
    const std::lock_guard turn(mutex_);
    const std::size_t before = parser_.size();
    Result<std::vector<ReplyEvent>> events =
        read.has_ids ? parser_.feed_tokens(tokens, *tokenizer_) : parser_.feed(read.bytes);
    if (!events && !read.has_ids) {  // its place is one in the piece
      Error error = std::move(events.error());
      for (std::size_t* at : {&error.where.start, &error.where.end}) *at -= std::min(*at, before);
      raise_in_piece(std::move(error), read.bytes);
    }
    keep(take(std::move(events)));
    if (final) {
      keep(take(parser_.finish()));
      is_finished_ = true;
    }
    return std::exchange(events_, {});
  }
  // The matcher is locked first: waiting for it releases Python's lock, which nobody may do who holds the mutex.
  std::vector<ReplyEvent> follow(Matcher& matcher, bool final) {
    return matcher.locked([&](GrammarMatcher& of) {
      const std::lock_guard turn(mutex_);
      const auto how = final ? ReplyParser::Follow::kEnds : ReplyParser::Follow::kGoesOn;
      std::vector<ReplyEvent> events = take(parser_.follow(of, how));
      is_finished_ |= final || of.is_terminated();
      return events;
    });
  }
  std::vector<ReplyEvent> cut() {
    const std::lock_guard turn(mutex_);
    keep(take(parser_.cut()));
    is_finished_ = true;
    return std::exchange(events_, {});
  }
  std::string finish() {
    const std::lock_guard turn(mutex_);
    if (!is_finished_) take(parser_.finish());
    is_finished_ = true;
    return parser_.snapshot();
  }
  std::string snapshot() {
    const std::lock_guard turn(mutex_);
    return parser_.snapshot();
  }
  void reset() {
    const std::lock_guard turn(mutex_);
    parser_.reset();
    events_.clear();
    is_finished_ = false;
  }

 private:
  // Raises the error at its place in the piece, whose bytes that are no UTF-8 are shown as U+FFFD.
  [[noreturn]] static void raise_in_piece(Error error, std::string_view piece) {
    const auto shown = [](std::string_view bytes) {
      PyObject* const text = PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace");
      if (text == nullptr) throw nb::python_error();
      return nb::cast<std::string>(nb::steal<nb::str>(text));
    };
    const std::size_t start = std::min(error.where.start, piece.size());
    std::string text = shown(piece.substr(0, start));
    const std::size_t length = std::clamp(error.where.end, start, piece.size()) - start;
    error.where.start = text.size();
    text += shown(piece.substr(start, length));
    error.where.end = text.size();
    raise_grammar_error(std::move(error), text, "<piece>");
  }
  // Adds to the events of this call. Those of a piece that was read stay until the next call if ending the reply fails.
  void keep(std::vector<ReplyEvent> more) {
    events_.insert(events_.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  static std::vector<ReplyEvent> take(Result<std::vector<ReplyEvent>> result) {
    if (!result) raise_grammar_error(std::move(result.error()));
    return std::move(*result);
  }

  std::mutex mutex_;
  ReplyParser parser_;
  std::optional<TokenizerInfo> tokenizer_;
  bool is_finished_ = false;
  std::vector<ReplyEvent> events_ = {};
};

void begin(Replies* self, nb::handle style, nb::handle tools, const std::string& mode, bool in_reasoning,
           nb::handle tool_choice, std::optional<bool> parallel_tool_calls, nb::handle reasoning,
           nb::handle max_reasoning_tokens, nb::handle reasoning_closing, nb::handle response_format,
           const std::string& on_bad_tool, bool values, const std::optional<TokenizerInfo>& tokenizer,
           const std::optional<Limits>& limits) {
  if (mode != "tolerant" && mode != "strict") {
    const nb::str message = nb::str("`mode` must be \"tolerant\" or \"strict\", not {!r:.40}").format(mode);
    throw nb::value_error(message.c_str());
  }
  const nb::object words = nb::module_::import_("weir.tools")
                               .attr("_reply_words")(tool_choice, in_reasoning, reasoning, max_reasoning_tokens,
                                                     reasoning_closing, response_format);
  using Words = std::tuple<std::string, std::string, std::uint32_t, std::string, std::string>;
  const auto [choice, begins, most, closing, format] = nb::cast<Words>(words);
  const nb::str text(tools.is_none() ? nb::object(nb::str("null")) : in_python("to_json_text", tools, "tools"));
  const std::string_view view = utf8(text);
  ReplyOptions options{
      .tools = to_tool_options(choice, parallel_tool_calls.value_or(true), begins, most, closing, format, on_bad_tool)};
  options.mode = mode == "strict" ? ReplyOptions::Mode::kStrict : ReplyOptions::Mode::kTolerant;
  options.values = values;
  const nb::str name(nb::module_::import_("weir.tools").attr("_style_text")(style));
  Result<ReplyParser> parser = ReplyParser::create(utf8(name), view, options, to_limits(limits));
  if (!parser) raise_tool_error(std::move(parser.error()), view);
  new (self) Replies(std::move(*parser), tokenizer);
}

}  // namespace

void bind_replies(nb::module_& module) {
  nb::class_<ReplyEvent>(module, "ReplyEvent",
                         R"(What a part of a reply is. The ranges of all events are the whole reply, without gaps.

kind: "reasoning_begins", "reasoning", "reasoning_ends", "text", "call_begins", "arguments", "input", "call_ends",
    "call_invalid" or "markup", which says nothing by itself. With `values`, too: "object_begins", "array_begins", "string",
    "number", "boolean", "null", "string_ends", "object_ends", "array_ends". With a grammar: "capture_begins", "capture",
    "capture_ends".
start, end: the bytes of the reply that the event accounts for.
call: the number of the call, from 0, if the event is of a call.
text: continues the reasoning, the text, the arguments of the call, which are JSON, or the capture. In "call_invalid": what
    was read of it, as it was written. In "string": continues a string, without escapes; in "number" and "boolean": the value.
key, depth: in events of a value: the name of the member or the index of the item, "" at the top, and the number of objects
    and arrays around it.
name, id: in "call_begins": the whole name, and the id that the model wrote, where the form has one. In events of a capture:
    its name.
reason: in "call_invalid": why the call is none.)")
      .def_prop_ro(
          "kind", [](const ReplyEvent& self) { return to_str(to_string(self.kind)); }, nb::sig("def kind(self) -> str"))
      .def_ro("start", &ReplyEvent::start)
      .def_ro("end", &ReplyEvent::end)
      .def_ro("call", &ReplyEvent::call)
      .def_ro("text", &ReplyEvent::text)
      .def_ro("name", &ReplyEvent::name)
      .def_ro("id", &ReplyEvent::id)
      .def_ro("reason", &ReplyEvent::reason)
      .def_ro("key", &ReplyEvent::key)
      .def_ro("depth", &ReplyEvent::depth)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("__repr__", [](const ReplyEvent& self) { return "ReplyEvent(" + to_json(self) + ")"; });

  nb::class_<Replies>(
      module, "ReplyParser",
      R"(Reads what a model wrote - reasoning, text, calls of tools - in pieces of any size, and gives events.

Joined events are the same for all cuts. docs/replies.md has the rules.

    parser = weir.ReplyParser("hermes", tools)
    for chunk in chunks:
        for event in parser.feed(chunk):
            show(event.kind, event.text)
    message = parser.finish()   # {"reasoning": ..., "content": ..., "tool_calls": [{"name", "arguments"}]}

style: one of weir.tools.styles(), or a response template, as for weir.tools.structural_tag.
tools: a list of tools as in OpenAI's API, or its JSON text. None: there are no tools.
mode: "tolerant" reads every text: what is no call of the style is text, and nothing is lost. "strict" reads what the
    structural tag of the same arguments allows; anything else raises GrammarError.
in_reasoning: True: the prompt ended with the opening tag of the reasoning.
tool_choice, parallel_tool_calls: as for weir.tools.structural_tag.
reasoning: True: the reply may begin with reasoning, as with "whole"; or a word, as for weir.tools.structural_tag. The mode
    "tolerant" reads it in any case.
max_reasoning_tokens, reasoning_closing, response_format, on_bad_tool: as for weir.tools.structural_tag.
values: True: events also say which values arguments, and answers in JSON, consist of.
tokenizer_info: what the ids that are fed mean; text needs none.
limits: counts that bound its work. None: Limits().
Raises GrammarError: as weir.tools.structural_tag. ValueError: there is no such mode.
Cost: linear in the reply. One thread at a time.)")
      .def("__init__", &begin, "style"_a, "tools"_a = nb::none(), nb::kw_only(), "mode"_a = "tolerant",
           "in_reasoning"_a = false, "tool_choice"_a.none() = "auto", "parallel_tool_calls"_a = true,
           "reasoning"_a.none() = false, "max_reasoning_tokens"_a = nb::none(), "reasoning_closing"_a = nb::none(),
           "response_format"_a = nb::none(), "on_bad_tool"_a = "refuse", "values"_a = false,
           "tokenizer_info"_a = nb::none(), "limits"_a = nb::none(),
           nb::sig(
               "def __init__(self, style: str | dict[str, typing.Any], tools: str | list[dict[str, typing.Any]] | None "
               "= None, *, mode: str = "
               "'tolerant', in_reasoning: bool = False, tool_choice: str | dict[str, typing.Any] | None = 'auto', "
               "parallel_tool_calls: bool | None = True, reasoning: bool | str | None = False, max_reasoning_tokens: "
               "int | "
               "None = None, reasoning_closing: str | None = None, response_format: str | dict[str, typing.Any] | None "
               "= "
               "None, on_bad_tool: str = 'refuse', values: bool = False, tokenizer_info: TokenizerInfo | None = None, "
               "limits: Limits | None = "
               "None) -> None"))
      .def_static(
          "for_grammar",
          [](nb::handle compiled) {
            const CompiledGrammar& grammar = compiled_grammar_of(compiled);
            Result<ReplyParser> parser = ReplyParser::for_grammar(grammar);
            if (!parser) raise_grammar_error(std::move(parser.error()));
            return std::make_unique<Replies>(std::move(*parser), grammar.tokenizer_info());
          },
          "compiled_grammar"_a, nb::sig("def for_grammar(compiled_grammar: CompiledGrammar) -> ReplyParser"),
          R"(Returns a parser of the texts of a grammar: of a schema, or of a structural tag or another grammar with captures.

A schema gives "text", and the events of its values. Other grammars give "capture_begins", "capture" and "capture_ends", and
"text" for what is in no capture. An event comes when every reading of the text so far agrees on it. Special tokens add
nothing. finish() returns {"content": str or None, "captures": [{"name", "start", "end", "text"}]}.

    compiled = compiler.compile_grammar('root ::= @capture(name: [a-z]+) "=" @capture(value: [0-9]+)')
    parser = weir.ReplyParser.for_grammar(compiled)

Raises GrammarError: the grammar has no captures and is no schema.)")
      .def(
          "follow", &Replies::follow, "matcher"_a, nb::kw_only(), "final"_a = false,
          nb::sig("def follow(self, matcher: GrammarMatcher, *, final: bool = False) -> list[ReplyEvent]"),
          R"(Reads what the matcher has accepted since the last call, so that tokens are accepted once. Returns the new events.

If the parser is of a grammar, the matcher is one of the same compiled grammar. A parser of a style takes the matcher's word
for what is allowed. Call it after drafted tokens were verified: steps that have been read cannot be taken back.

final: True: the reply has ended; so it has when the matcher has accepted a stop token.
Raises GrammarError: as feed; the matcher is of another grammar, or was taken back to before what has been read; the parser
    was fed this reply. The parser is then as before.)")
      .def(
          "feed", &Replies::feed, "piece"_a, nb::kw_only(), "final"_a = false,
          nb::sig("def feed(self, piece: str | bytes | bytearray | memoryview | collections.abc.Sequence[int], *, "
                  "final: bool = "
                  "False) -> "
                  "list[ReplyEvent]"),
          R"(Reads a piece: text, bytes, which may end within a character, or token ids. A buffer of bytes is bytes, one of integers of
4 or 8 bytes is ids. Returns the events that are certain.

final: True: the reply ends with the piece, and what was held back comes, too.
Raises GrammarError: the reply has ended, or is too long; in the mode "strict": the piece is not what the tag allows. The
    parser is then as before; `start` and `end` are places in the piece, if it is text. With `final`: the reply is not
    complete. The piece has then been read, and its events come with those of the next call, such as cut(). ValueError: ids without `tokenizer_info`. TypeError: anything else. IndexError: an id beyond the vocabulary.)")
      .def(
          "finish", [](Replies& self) { return in_python("from_json_text", self.finish()); },
          nb::sig("def finish(self) -> dict[str, typing.Any]"),
          R"(Ends the reply, unless feed() did, and returns it: {"reasoning": str or None, "content": str or None,
"tool_calls": [{"name", "arguments"}]}, with "id" where the form has one. A whole number of more digits than int() reads is a
decimal.Decimal.

Events that were held back are not returned: feed("", final=True) ends a reply and returns them.
Raises GrammarError: in the mode "strict" or for a grammar: the reply is not complete, and cut() ends it.)")
      .def("cut", &Replies::cut, nb::sig("def cut(self) -> list[ReplyEvent]"),
           R"(Ends a reply that was cut, by a bound on its tokens, say. Returns the events that were held back.

In the mode "strict" and for a grammar, too, it does not ask whether the reply is complete: a call in progress is not valid, and
other bytes of which nothing is certain are text, or belong to the innermost capture that has begun. Also after follow().

Raises GrammarError: the reply had ended before.)")
      .def(
          "snapshot", [](Replies& self) { return in_python("from_json_text", self.snapshot()); },
          nb::sig("def snapshot(self) -> dict[str, typing.Any]"),
          R"(Returns the reply so far, in the form of finish(). A call in progress has `partial_arguments`, a str, in the place of
`arguments`.)")
      .def("reset", &Replies::reset, "Begins another reply.");
}

}  // namespace weir::python
