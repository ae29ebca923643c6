// weir.GrammarMatcher
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "array_view.h"
#include "bindings.h"
#include "errors.h"
#include "grammar.h"
#include "matcher.h"
#include "options.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace weir::python {

namespace {

// The outcome of a step; if it exceeded a limit, `limit` describes the limit.
struct Outcome {
  Step step = Step::kOk;
  std::string limit = {};

  Outcome(Step taken, const GrammarMatcher& matcher) : step(taken) {
    if (step == Step::kLimitExceeded) limit = matcher.limit_message();
  }
};

[[noreturn]] void raise_terminated() {
  raise("TerminatedError", "the matcher has accepted a stop token; only rollback and reset are possible");
}

// Returns true if the step is kOk, false if it is kRefused; raises an exception otherwise.
bool was_accepted(const Outcome& outcome) {
  if (outcome.step == Step::kOk) return true;
  if (outcome.step == Step::kRefused) return false;
  if (outcome.step == Step::kTerminated) raise_terminated();
  if (outcome.step == Step::kBadArgument) {  // tokens and sizes were checked before
    throw nb::value_error("with tokenization='canonical' the output consists of tokens: use accept_text");
  }
  raise_limit(outcome.limit);
}

// A result; if a limit cut it short, `limit` describes the limit.
template <typename T>
struct Answer {
  T value;
  std::string limit;
};

// Raises an exception if a limit was met, except beside a completion: a limit on the way to it may only have hidden a
// shorter one.
template <typename Ask>
auto answer(Matcher& self, const Ask& ask) {
  auto found = self.released([&](GrammarMatcher& matcher) {
    auto value = ask(matcher);
    std::string limit = matcher.is_terminated() ? std::string() : matcher.limit_message();
    return Answer<decltype(value)>{std::move(value), std::move(limit)};
  });
  bool has_answer = false;
  if constexpr (requires { found.value.has_value(); }) has_answer = found.value.has_value();
  if (!has_answer && !found.limit.empty()) raise_limit(found.limit);
  return std::move(found.value);
}

void fill(Matcher& self, nb::handle bitmask, std::int64_t index) {
  const ArrayView view(bitmask, "bitmask", true);
  check_bitmask_type(view);
  check_bitmask_words(view, self.vocab_size());
  const std::size_t words = view.columns();
  if (index < 0 || static_cast<std::size_t>(index) >= view.rows()) {
    throw nb::index_error(
        ("row " + std::to_string(index) + " is out of range: `bitmask` has " + std::to_string(view.rows()) + " rows")
            .c_str());
  }
  std::uint32_t* row = view.words(static_cast<std::size_t>(index));
  was_accepted(self.released([&](GrammarMatcher& matcher) {
    return Outcome(self.timed([&] { return matcher.fill_next_token_bitmask({row, words}); }), matcher);
  }));
}

bool accept_token(Matcher& self, std::int64_t token_id) {
  const std::uint32_t token = checked_token(token_id, self.vocab_size());
  return was_accepted(self.locked([&](GrammarMatcher& matcher) {
    const Step step = self.timed([&] { return matcher.accept_token(token); });
    if (step == Step::kOk && self.times()) ++self.times()->tokens;
    return Outcome(step, matcher);
  }));
}

bool accept_string(Matcher& self, const nb::object& text) {
  const std::string_view bytes = text_or_bytes(text, "text");
  return was_accepted(
      self.released([&](GrammarMatcher& matcher) { return Outcome(matcher.accept_bytes(bytes), matcher); }));
}

void rollback(Matcher& self, std::int64_t steps) {
  if (steps < 0) throw nb::value_error("`steps` must not be negative");
  const Step step =
      self.locked([&](GrammarMatcher& matcher) { return matcher.rollback(static_cast<std::size_t>(steps)); });
  if (step == Step::kOk) return;
  throw nb::value_error((std::to_string(steps) + " steps are more than the matcher has accepted").c_str());
}

bool accept_text(Matcher& self, const nb::object& text) {
  const std::string_view bytes = text_or_bytes(text, "text");
  const auto [outcome, untokenized] = self.released([&](GrammarMatcher& matcher) {
    const Outcome taken(matcher.accept_text(bytes), matcher);
    std::optional<Error> error;
    if (taken.step == Step::kBadArgument) {
      const auto ids = matcher.compiled_grammar().tokenizer_info().tokenize(bytes);
      if (!ids) error = ids.error();
    }
    return std::pair(taken, error);
  });
  if (untokenized) raise_tokenizer_error(*untokenized);
  return was_accepted(outcome);
}

// Raises TokenizerError where the tokenizer is refused, GrammarError where the grammar is, ValueError for the context
// and the stop tokens.
GrammarMatcher make_matcher(const CompiledGrammar& compiled, const MatcherOptions& options) {
  const TokenizerInfo& info = compiled.tokenizer_info();
  auto [made, support] = [&] {
    const nb::gil_scoped_release released;
    auto matcher = GrammarMatcher::create(compiled, options);
    auto supported = matcher ? Result<void>() : info.canonical_support();
    return std::pair(std::move(matcher), std::move(supported));
  }();
  if (made) return *std::move(made);
  if (const auto alone = GrammarMatcher::create(compiled, {.stop_token_ids = options.stop_token_ids}); !alone) {
    if (alone.error().code != ErrorCode::kInvalidArgument) raise_grammar_error(alone.error());
    throw nb::value_error(alone.error().message.c_str());
  }
  if (options.tokenization == Tokenization::kCanonical && !support) raise_tokenizer_error(support.error());
  const Error& error = made.error();
  if (error.code != ErrorCode::kInvalidArgument) raise_grammar_error(error);
  throw nb::value_error(("`context`, index " + std::to_string(error.where.start) + ": " + error.message).c_str());
}

std::unique_ptr<Matcher> fork(Matcher& self) {
  auto [matcher, times] =
      self.locked([&](const GrammarMatcher& original) { return std::pair(original.fork(), self.times()); });
  return std::make_unique<Matcher>(std::move(matcher), self.compiled(), times);
}

nb::object completion_parts(Matcher& self) {
  const auto parts = answer(self, [](GrammarMatcher& matcher) { return matcher.shortest_completion_parts(); });
  if (!parts) return nb::none();
  nb::list out;
  for (const CompletionPart& part : *parts) {
    if (part.token) {
      out.append(*part.token);
    } else {
      out.append(to_bytes(part.text));
    }
  }
  return out;
}

// A capture, and the text of the output, which all captures share: copies of nested ones would be quadratic.
struct NamedText {
  Capture capture;
  std::shared_ptr<const std::string> output;

  [[nodiscard]] nb::bytes text() const {
    return nb::bytes(output->data() + capture.begin, capture.end - capture.begin);
  }
};

std::vector<NamedText> captures(Matcher& self) {
  auto [found, text] =
      answer(self, [](GrammarMatcher& matcher) { return std::pair(matcher.captures(), matcher.text()); });
  const auto output = std::make_shared<const std::string>(std::move(text));
  std::vector<NamedText> out;
  for (Capture& capture : found) out.push_back({std::move(capture), output});
  return out;
}

void bind_capture(nb::module_& module) {
  nb::class_<NamedText>(module, "Capture", "A part of the output that the grammar names.")
      .def_prop_ro("name", [](const NamedText& self) { return self.capture.name; })
      .def_prop_ro(
          "start", [](const NamedText& self) { return self.capture.begin; },
          "The offset in GrammarMatcher.text() at which the part begins, in bytes.")
      .def_prop_ro(
          "end", [](const NamedText& self) { return self.capture.end; }, "The offset after its last byte.")
      .def_prop_ro("text", &NamedText::text)
      .def_prop_ro(
          "complete", [](const NamedText& self) { return self.capture.complete; },
          "False if the part has begun but not ended.")
      .def("__repr__", [](const NamedText& self) {
        // Captures may lie within one another, and a list of them shows each: their texts together have no bound.
        constexpr std::size_t kShown = 100;
        const std::size_t size = self.capture.end - self.capture.begin;
        const nb::bytes shown(self.output->data() + self.capture.begin, std::min(size, kShown));
        const std::string rest = size > kShown ? "... of " + std::to_string(size) + " bytes" : "";
        return nb::str("Capture({!r}, {!r}{}{})")
            .format(self.capture.name, shown, rest, self.capture.complete ? "" : ", complete=False");
      });
}

nb::bytes byte_list(const Expectation& expectation) {
  return nb::bytes(expectation.bytes.data(), expectation.bytes.size());
}

void bind_reasons(nb::module_& module) {
  nb::class_<Expectation>(module, "Expectation", "A description of what may come next, for people.")
      .def_ro("terminals", &Expectation::terminals, "Names of the terminals in progress or expected.")
      .def_prop_ro("bytes", &byte_list, "The bytes that may come next, ascending.")
      .def_ro("end", &Expectation::end, "True if the output may end here or has ended.")
      .def("__repr__", [](const Expectation& self) {
        std::string out = "<weir.Expectation: terminals [";
        for (std::size_t i = 0; i < self.terminals.size(); ++i) out += (i == 0 ? "" : ", ") + self.terminals[i];
        return out + "], bytes " + nb::repr(byte_list(self)).c_str() + (self.end ? ", or the end>" : ">");
      });
  nb::class_<Times>(module, "MatcherTimings", "The wall time that an output has taken, in seconds.")
      .def_ro("grammar_init_s", &Times::init, "Time to compile the grammar and to make the matcher.")
      .def_prop_ro("grammar_per_token_s", &Times::per_token,
                   "Time in fill_next_token_bitmask and accept_token, per accepted token; batch calls are not counted.")
      .def_ro("tokens", &Times::tokens, "Number of accepted tokens, including those that were rolled back.");
  nb::class_<TokenExplanation>(module, "TokenExplanation", "Why a token is allowed or not.")
      .def_ro("allowed", &TokenExplanation::allowed)
      .def_ro("bytes_matched", &TokenExplanation::bytes_matched,
              "Number of the token's bytes that are allowed to follow the output.")
      .def_ro("reason", &TokenExplanation::reason, "The reason as a sentence; empty if the token is allowed.")
      .def_ro("expected", &TokenExplanation::expected, "What is expected in place of the refused byte.")
      .def("__str__", [](const TokenExplanation& self) { return self.allowed ? std::string("allowed") : self.reason; });
}

std::vector<bool> fill_draft_tree(Matcher& self, const std::vector<std::int64_t>& token_ids,
                                  const std::vector<std::int32_t>& parents, nb::handle bitmask) {
  const ArrayView view(bitmask, "bitmask", true);
  check_bitmask_type(view);
  check_bitmask_words(view, self.vocab_size());
  const std::size_t count = token_ids.size();
  if (parents.size() != count || view.rows() != count) {
    throw nb::value_error(("there are " + std::to_string(count) + " tokens, " + std::to_string(parents.size()) +
                           " parents and " + std::to_string(view.rows()) + " rows")
                              .c_str());
  }
  std::vector<std::uint32_t> tokens;
  for (std::size_t i = 0; i < count; ++i) {
    tokens.push_back(checked_token(token_ids[i], self.vocab_size()));
    if (parents[i] < -1 || parents[i] >= static_cast<std::int32_t>(i)) {
      throw nb::value_error(("`parents` has " + std::to_string(parents[i]) + " at " + std::to_string(i) +
                             "; a parent is a node before, or -1")
                                .c_str());
    }
  }
  std::vector<Step> steps(count, Step::kOk);
  if (count == 0) return {};
  const std::string limit = self.released([&](GrammarMatcher& matcher) {
    static_cast<void>(
        matcher.fill_draft_tree_bitmasks(tokens, parents, {view.words(0), count * view.columns()}, steps));
    return matcher.limit_message();
  });
  std::vector<bool> accepted;
  for (std::size_t i = 0; i < count; ++i) {
    if (steps[i] == Step::kLimitExceeded) {
      raise_limit("node " + std::to_string(i) + " of the tree: " + limit);
    }
    accepted.push_back(steps[i] == Step::kOk);
  }
  return accepted;
}

void bind_looking(nb::class_<Matcher>& matcher) {
  matcher
      .def_prop_ro(
          "step_count",
          [](Matcher& self) { return self.locked([](const GrammarMatcher& m) { return m.step_count(); }); },
          "Number of steps accepted so far, including a stop token.")
      .def_prop_ro(
          "stop_token_ids",
          [](Matcher& self) {
            return self.locked([](const GrammarMatcher& m) {
              return std::vector<std::uint32_t>(m.stop_token_ids().begin(), m.stop_token_ids().end());
            });
          },
          "The tokens that end the output, ascending.")
      .def_prop_ro("compiled_grammar", &Matcher::compiled, nb::sig("def compiled_grammar(self) -> CompiledGrammar"))
      .def(
          "is_terminated",
          [](Matcher& self) { return self.locked([](const GrammarMatcher& m) { return m.is_terminated(); }); },
          "Returns True if a stop token was accepted.")
      .def(
          "is_completed",
          [](Matcher& self) { return self.locked([](const GrammarMatcher& m) { return m.is_completed(); }); },
          "Returns True if the output so far is a complete text of the grammar, so that it may end here.")
      .def(
          "is_token_allowed",
          [](Matcher& self, std::int64_t token_id) {
            const std::uint32_t token = checked_token(token_id, self.vocab_size());
            return answer(self, [&](GrammarMatcher& m) { return m.is_token_allowed(token); });
          },
          "token_id"_a,
          "Returns True if accept_token would; does not compute a mask.\n\nRaises IndexError: no such token. "
          "LimitExceededError.")
      .def(
          "longest_viable_prefix",
          [](Matcher& self, const nb::object& text) {
            const std::string_view bytes = text_or_bytes(text, "text");
            return answer(self, [&](GrammarMatcher& m) { return m.longest_viable_prefix(bytes); });
          },
          "text"_a, nb::sig("def longest_viable_prefix(self, text: str | bytes) -> int"),
          "Returns how many of the text's first bytes (of its UTF-8, if it is a str) may come next. Does not change "
          "the matcher."
          "\n\nRaises LimitExceededError.")
      .def(
          "find_jump_forward_string",
          [](Matcher& self) {
            return to_bytes(self.released([](GrammarMatcher& m) { return m.find_jump_forward_string(); }));
          },
          "Returns the longest bytes with which every continuation begins; empty if there is a choice. They may end "
          "inside a character. If a limit is met, they are cut short.\n\nCost: a few lookups for each byte.")
      .def(
          "forced_tokens",
          [](Matcher& self) { return self.released([](GrammarMatcher& m) { return m.forced_tokens(); }); },
          "Returns the ids of the tokens into which the tokenizer cuts the forced bytes (find_jump_forward_string), "
          "without those that further text could change. If a limit is met, they are cut short.")
      .def(
          "shortest_completion",
          [](Matcher& self) -> std::optional<nb::bytes> {
            const auto text = answer(self, [](GrammarMatcher& m) { return m.shortest_completion(); });
            if (!text) return std::nullopt;
            return to_bytes(*text);
          },
          "Returns a shortest text that completes the output. With a JSON schema, objects and arrays that have not "
          "begun are short, but not always shortest. None if every completion needs a token terminal.\n\nRaises "
          "LimitExceededError.")
      .def("shortest_completion_parts", &completion_parts,
           nb::sig("def shortest_completion_parts(self) -> list[bytes | int] | None"),
           "Returns a completion that may contain token terminals: texts as bytes, tokens as ids. Otherwise as "
           "shortest_completion.")
      .def(
          "text", [](Matcher& self) { return to_bytes(self.locked([](const GrammarMatcher& m) { return m.text(); })); },
          "Returns the output so far. Special tokens add nothing to it.")
      .def_prop_ro(
          "temperature", [](Matcher& self) { return self.released([](GrammarMatcher& m) { return m.temperature(); }); },
          "The temperature that the grammar requests for the next byte, for the sampler: the highest one of all rules "
          "that the byte may belong to. None if there is none.")
      .def(
          "captures", &captures, nb::sig("def captures(self) -> list[Capture]"),
          R"(Returns the captures of the output so far in the order of their starts, an outer one before the inner ones.

If the output may end here, it is parsed as complete; otherwise as a prefix, whose last captures may be incomplete.
Raises LimitExceededError.
Cost: the first call parses the output, further calls parse what was added since.)")
      .def(
          "expected", [](Matcher& self) { return self.released([](GrammarMatcher& m) { return m.expected(); }); },
          "Returns a description of what may come next, for people.")
      .def(
          "explain",
          [](Matcher& self, std::int64_t token_id) {
            const std::uint32_t token = checked_token(token_id, self.vocab_size());
            return self.released([&](GrammarMatcher& m) { return m.explain(token); });
          },
          "token_id"_a, "Returns why the token is allowed or not.\n\nRaises IndexError: no such token.")
      .def(
          "state_stats", [](Matcher& self) { return self.released([](GrammarMatcher& m) { return m.state_stats(); }); },
          "Returns counts about the current state, for inspection.")
      .def(
          "state_id", [](Matcher& self) { return self.released([](GrammarMatcher& m) { return m.state_id(); }); },
          "Returns the id of the current state. Equal states have equal ids until states are dropped "
          "(Limits.state_memory).");
}

}  // namespace

void bind_matcher(nb::module_& module) {
  bind_reasons(module);
  bind_capture(module);
  auto matcher = nb::class_<Matcher>(module, "GrammarMatcher",
                                     R"(The state of one output, which a decoding loop advances token by token.

compiled_grammar: the grammar that the output must match.
at_text_start: False for an output that continues a text, where the tokenizer's leading-space rule does not apply.
measure_time: measures the times that timings() returns, which costs about 50 ns a call.
tokenization: "any" allows every sequence of tokens whose bytes are in the language; "canonical" allows the one sequence
    for each text that the tokenizer itself writes (docs/canonical.md).
context: with "canonical", the ids of the tokens before the output, at least those since the last special token. What
    may come depends on them: after `t` the tokenizer does not write `h` as a token of its own. With a context the
    output continues it, whatever at_text_start says; that is all that a context changes with "any".
stop_token_ids: the tokens that end this output, in place of the tokenizer's. The matcher behaves as with a tokenizer
    that was made with them: a stop token of the tokenizer that is not listed is text again, or a special token; a
    listed token that is text ends the output and is no text. Masks stay shared with all matchers of the grammar.
    None: the tokenizer's.
max_tokens: the most tokens of the output, a stop token at its end not counted. From where the shortest way to the end
    takes all tokens that are left, masks allow only what ends in time; before, nothing changes. None: no such bound.
Raises ValueError: a word that is none of the two; a context that the tokenizer would not write, with the index of its
    first token that cannot stand there; `stop_token_ids` that is empty or lists a token twice. IndexError: a token in
    `context` or `stop_token_ids` that the vocabulary lacks. With "canonical" also TokenizerError: the tokenizer cannot
    be followed; GrammarError: the tokenizer writes none of the grammar's texts after the context, or none within the
    bounds of rules on tokens; a stop token is text. With own stop tokens also GrammarError: they leave a token terminal
    without tokens, or change which tokens are text and the grammar has rules bounded in tokens. With `max_tokens` also
    GrammarError: no text of the grammar has so few tokens; it cannot be had with rules bounded in tokens, greedy
    terminals, look-aheads, or stop tokens that change which tokens are text.

    matcher = weir.GrammarMatcher(compiled, tokenization="canonical", context=prompt_ids)

For one thread at a time; calls from several threads wait for each other. Python's lock (GIL) is released while a mask
is filled.)");
  matcher.def(
      "__init__",
      [](Matcher* self, const nb::object& compiled, bool measure_time, const nb::kwargs& options) {
        const auto start = std::chrono::steady_clock::now();
        const CompiledGrammar& grammar = compiled_grammar_of(compiled);
        GrammarMatcher matcher = make_matcher(grammar, matcher_options(options, grammar.tokenizer_info().vocab_size()));
        std::optional<Times> times;
        if (measure_time) {
          const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
          times.emplace().init = compile_seconds_of(compiled) + taken.count();
        }
        new (self) Matcher(std::move(matcher), compiled, times);
      },
      "compiled_grammar"_a, nb::kw_only(), "measure_time"_a = false, "options"_a,
      nb::sig(("def __init__(self, compiled_grammar: CompiledGrammar, " + signature<MatcherOptions>() +
               ", measure_time: bool = False) -> None")
                  .c_str()));
  matcher.def("__repr__", [](Matcher& self) {
    return self.locked([](const GrammarMatcher& m) {
      const std::size_t steps = m.step_count();
      const char* state = m.is_terminated() ? ", terminated" : m.is_completed() ? ", completed" : "";
      return "<weir.GrammarMatcher: after " + std::to_string(steps) + (steps == 1 ? " step" : " steps") + state + ">";
    });
  });
  matcher.def(
      "timings",
      [](Matcher& self) {
        const auto times = self.locked([&](const GrammarMatcher&) { return self.times(); });
        if (!times) throw nb::value_error("the matcher was made without `measure_time`");
        return *times;
      },
      "Returns the times that this output has taken so far.\n\nRaises ValueError: the matcher was made without "
      "`measure_time`.");
  matcher
      .def("fill_next_token_bitmask", &fill, "bitmask"_a.none(), "index"_a = 0,
           nb::sig("def fill_next_token_bitmask(self, bitmask: typing.Any, index: int = 0) -> None"),
           R"(Writes the set of tokens that may come next into row `index` of the bitmask.

bitmask: int32, shape (batch, ceil(vocab_size / 32)) or (ceil(vocab_size / 32),), C-contiguous, writable, in the CPU's
    memory: a numpy array, a torch tensor, anything with the buffer protocol or DLPack. Token t is bit t % 32 of word
    t // 32; 1 means allowed; bits from vocab_size on are 0.
index: the row; 0 for a bitmask of one dimension.
Raises TypeError: not such an array. ValueError: wrong shape or layout, or read-only. IndexError: no such row.
    TerminatedError: a stop token was accepted. LimitExceededError. In the last two cases the row is all zero.
Cost: a copy if the state's mask is known. Python's lock is released.)")
      .def("fill_draft_tree_bitmasks", &fill_draft_tree, "token_ids"_a, "parents"_a, "bitmask"_a.none(),
           nb::sig("def fill_draft_tree_bitmasks(self, token_ids: collections.abc.Sequence[int], parents: "
                   "collections.abc.Sequence[int], bitmask: typing.Any) -> list[bool]"),
           R"(Writes the mask after each node of a tree of drafted tokens. Does not change the matcher.

token_ids: the token of each node.
parents: the parent of each node, which has a smaller index; -1 for a node that follows the matcher's output directly.
bitmask: int32, shape (len(token_ids), ceil(vocab_size / 32)), otherwise as for fill_next_token_bitmask. Row i is the
    mask after node i; it is all zero if node i was not accepted or is a stop token.
Returns for each node True if it and all its ancestors were accepted.
Raises ValueError: a parent that is not a node before. Otherwise as fill_next_token_bitmask.
Cost: an accept_token and a fill_next_token_bitmask for each node. Python's lock is released.)")
      .def(
          "next_token_mask_id",
          [](Matcher& self) { return answer(self, [](GrammarMatcher& m) { return m.next_token_mask_id(); }); },
          "Returns an id of the mask that fill_next_token_bitmask would write, for callers that store masks on a "
          "device: for matchers of\none CompiledGrammar, equal ids mean equal masks. None if the mask depends on the "
          "text and not only on the state, and after a\nstop token.\n\nRaises LimitExceededError.")
      .def("accept_token", &accept_token, "token_id"_a,
           R"(Appends a token and returns True; returns False, without a change, if the token may not come next.

A stop token ends the output.
Raises IndexError: no such token. TerminatedError: the output has ended. LimitExceededError.)")
      .def("accept_string", &accept_string, "text"_a, nb::sig("def accept_string(self, text: str | bytes) -> bool"),
           "Appends a text as one step, which rollback(1) undoes; returns False, without a change, if the text may not "
           "come next."
           "\n\nRaises as accept_token; ValueError: with tokenization=\"canonical\", because the bytes have no tokens.")
      .def("accept_text", &accept_text, "text"_a, nb::sig("def accept_text(self, text: str | bytes) -> bool"),
           R"(Appends the tokens that the tokenizer gives for the text, one step each, all or none.

The tokens are those of the text alone. With tokenization="canonical" they are those that the tokenizer writes for the
text after the context and the output so far. True if they were accepted; False, and no change, if not.
Raises as accept_token; TokenizerError: the tokenizer has no tokens for the text.

    matcher.accept_text('{"answer": ')  # the beginning is given)")
      .def("rollback", &rollback, "steps"_a = 1,
           "Undoes the last `steps` steps, including stop tokens.\n\nRaises ValueError: there are fewer steps, or "
           "`steps` is "
           "negative.")
      .def(
          "reset",
          [](Matcher& self) {
            self.locked([](GrammarMatcher& m) {
              m.reset();
              return true;
            });
          },
          "Returns to the initial state.")
      .def("fork", &fork, "Returns a new matcher with the same output and state.\n\nCost: a copy of the history.")
      .def("__copy__", &fork);
  bind_looking(matcher);
}

}  // namespace weir::python
