// Compares weir's verdict about every token of a vocabulary with the oracle of parts, along random walks through
// grammars with lazy and greedy terminals, grammars with bounds on tokens, and structural tags. verdicts.h says how more
// are compared than in CI.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "exhaustive/verdicts.h"
#include "oracle/parts.h"
#include "property/harness.h"

namespace weir::testing {
namespace {

constexpr unsigned kMostSteps = 12;  // tokens of a walk
// Of a search for tokens that end bounded parts; a search that meets its limit masks tokens too early.
constexpr std::uint32_t kNeverMet = 1'000'000'000;
// The last character stands for all others in oracle::print; no expression contains it.
constexpr std::string_view kUniverse = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;()<>=+*/_~";

oracle::RegexPtr random_part(std::minstd_rand& random, int size) {
  static constexpr std::array kWords = {"the", " a", "int", "()", "ing", "0.", "=", ": ", "end", "<", " "};
  static constexpr std::array kSets = {"abcdefghijklmnopqrstuvwxyz",
                                       "0123456789",
                                       " ",
                                       "aeiou",
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                                       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;()<>=+*/_",
                                       "+*/=<>"};
  switch (size <= 1 ? random() % 2 : 2 + random() % 6) {
    case 0: return oracle::literal(kWords[random() % kWords.size()]);
    case 1: return oracle::set_of(kSets[random() % kSets.size()]);
    case 2:
    case 3: return oracle::concat(random_part(random, size / 2), random_part(random, size - size / 2));
    case 4: return oracle::either(random_part(random, size / 2), random_part(random, size - size / 2));
    case 5: return oracle::repeat(random_part(random, size - 1), 1, oracle::kUnbounded);
    case 6: return oracle::repeat(random_part(random, size - 1), 0, 1 + static_cast<int>(random() % 3));
    default: return oracle::repeat(oracle::set_of(kSets[random() % kSets.size()]), 1, oracle::kUnbounded);
  }
}

struct PartCase {
  std::string text;
  oracle::PartGraph graph;
};

enum class Bounds : std::uint8_t { kNone, kSome };

// Returns a right-linear grammar of one to four rules, each of which begins with a part. Half of the parts have a mode;
// with bounds, two thirds have a bound, and the others are mostly without mode.
PartCase random_parts(std::minstd_rand& random, Bounds bounds) {
  PartCase made;
  const std::size_t count = 1 + random() % 4;
  std::string rules;
  for (std::size_t id = 0; id < count; ++id) {
    oracle::Part part;
    oracle::RegexPtr regex;
    do {
      regex = random_part(random, 1 + static_cast<int>(random() % 6));
      part.machine = oracle::machine_of(regex, kUniverse.substr(0, kUniverse.size() - 1));
      const bool has_mode = random() % (bounds == Bounds::kSome ? 6 : 2) == 0;
      part.mode = !has_mode ? oracle::Mode::kExact : random() % 2 == 0 ? oracle::Mode::kLazy : oracle::Mode::kGreedy;
      // weir has no greedy terminals that match the empty text.
    } while (part.mode == oracle::Mode::kGreedy && part.machine.accepting[0]);
    if (bounds == Bounds::kSome && random() % 3 != 0) part.max_tokens = 1 + random() % 4;
    for (std::size_t next = 0; next < count; ++next) {
      if (random() % 3 == 0) part.next.push_back(next);
    }
    part.is_last = part.next.empty() || random() % 3 == 0;

    std::string text = "(" + oracle::print(*regex, oracle::Syntax::kEbnf, oracle::Groups::kNeeded, kUniverse) + ")";
    if (part.mode != oracle::Mode::kExact) text = (part.mode == oracle::Mode::kLazy ? "@lazy" : "@greedy") + text;
    if (part.max_tokens) text = "@max_tokens(" + std::to_string(*part.max_tokens) + ": " + text + ")";
    rules += "p" + std::to_string(id) + " ::= " + text;
    for (std::size_t i = 0; i < part.next.size(); ++i) {
      rules += (i == 0 ? " (p" : " | p") + std::to_string(part.next[i]);
    }
    rules += part.next.empty() ? "\n" : part.is_last ? ")?\n" : ")\n";
    made.graph.parts.push_back(std::move(part));
  }
  made.text = "root ::= p0";
  made.graph.first = {0};
  if (count > 1 && random() % 2 == 0) {
    made.text += " | p1";
    made.graph.first.push_back(1);
  }
  made.text += "\n" + rules;
  return made;
}

// Returns true if the part alone has a text within its bound.
bool can_be_met(const oracle::Part& part, const oracle::SortedVocabulary& vocabulary) {
  oracle::PartGraph alone{.parts = {part}, .first = {0}};
  alone.parts[0].next.clear();
  alone.parts[0].is_last = true;
  oracle::PartAutomaton automaton(std::move(alone), vocabulary);
  return automaton.can_end(automaton.start());
}

void walk_parts(const VerdictRun& run, const Result<CompiledGrammar>& compiled, oracle::PartAutomaton& automaton,
                std::minstd_rand& random) {
  ++run.tally->walks;
  const oracle::Vocabulary& vocabulary = run.vocabulary.vocabulary();
  GrammarMatcher matcher(*compiled);
  oracle::PartAutomaton::State state = automaton.start();
  std::string text;
  for (unsigned step = 0; step < kMostSteps; ++step) {
    const std::vector<bool> expected = automaton.mask(state);
    const std::vector<bool> mask = mask_of(matcher);
    ASSERT_TRUE(mask == expected) << "after " << shown(text) << ": " << difference(mask, expected, vocabulary);
    ASSERT_EQ(matcher.is_completed(), automaton.is_member(state)) << "after " << shown(text);
    ++run.tally->masks;
    run.tally->verdicts += mask.size();
    std::vector<std::uint32_t> next = tokens_of(mask);
    run.tally->allowed += next.size();
    std::erase_if(next, [&](std::uint32_t token) { return vocabulary.is_stop(token); });
    if (next.empty()) return;
    // One token in two is short, because a long one often leaves a single way on.
    std::uint32_t token = next[random() % next.size()];
    for (int tries = random() % 2 == 0 ? 4 : 0; tries > 0; --tries) {
      const std::uint32_t other = next[random() % next.size()];
      if (vocabulary.tokens[other].size() < vocabulary.tokens[token].size()) token = other;
    }
    ASSERT_EQ(matcher.accept_token(token), Step::kOk);
    state = automaton.step(state, vocabulary.tokens[token]);
    text += vocabulary.tokens[token] + "|";
  }
}

void compare_parts(const VerdictRun& run, const PartCase& made, std::minstd_rand& random) {
  oracle::PartAutomaton automaton(made.graph, run.vocabulary);
  const Result<CompiledGrammar> compiled = run.compiler->compile_ebnf(made.text);
  if (compiled.has_value()) {
    ASSERT_TRUE(automaton.can_end(automaton.start()));
    walk_parts(run, compiled, automaton, random);
    return;
  }
  ++run.tally->unsatisfiable;
  ASSERT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable) << compiled.error().message;
  bool is_right = !automaton.can_end(automaton.start());
  for (const oracle::Part& part : made.graph.parts) is_right = is_right || !can_be_met(part, run.vocabulary);
  ASSERT_TRUE(is_right) << compiled.error().message;
}

Limits without_end_of_searches() {
  Limits limits;
  limits.lookahead_threads = kNeverMet;
  return limits;
}

TEST(PartVerdicts, LazyAndGreedyTerminals) {
  compare_verdicts(1'000'000, {}, [](const VerdictRun& run, std::uint64_t walk, std::minstd_rand& random) {
    const PartCase made = random_parts(random, Bounds::kNone);
    SCOPED_TRACE("walk " + std::to_string(walk) + ":\n" + made.text);
    compare_parts(run, made, random);
  });
}

TEST(PartVerdicts, BoundsOnTokens) {
  compare_verdicts(500'000, without_end_of_searches(),
                   [](const VerdictRun& run, std::uint64_t walk, std::minstd_rand& random) {
                     const PartCase made = random_parts(random, Bounds::kSome);
                     SCOPED_TRACE("walk " + std::to_string(walk) + ":\n" + made.text);
                     compare_parts(run, made, random);
                   });
}

// Strings for free text and tags. None has a prefix that is also its suffix, so the first occurrence of an end in a text
// without it, followed by it, is the last.
constexpr std::array kTriggers = {"<f", "<fun", "<tool>", "call:", "{"};
constexpr std::array kEnds = {"</f>", ">", "\n", "end.", "}}]"};

// A graph of parts while it is written. A piece is a list of parts: where it begins, where it may end, and whether it may
// be empty.
class TagWriter {
 public:
  TagWriter(std::minstd_rand& random, std::vector<std::string> never) : random_(random), never_(std::move(never)) {}

  PartCase write() {
    const std::string format = random_() % 3 != 0 ? triggered_tags() : sequence();
    for (const std::size_t part : piece_.last) graph_.parts[part].is_last = true;
    graph_.first = piece_.first;
    graph_.has_empty_text = piece_.is_nullable;
    return {R"({"type": "structural_tag", "format": )" + format + "}", std::move(graph_)};
  }

 private:
  struct Piece {
    std::vector<std::size_t> first = {}, last = {};
    bool is_nullable = false;
  };

  static Piece nothing() { return {.is_nullable = true}; }

  Piece part(oracle::Machine machine, oracle::Mode mode = oracle::Mode::kExact) {
    const bool is_nullable = !machine.accepting.empty() && machine.accepting[0] != 0;
    graph_.parts.push_back({.machine = std::move(machine), .mode = mode});
    const std::size_t id = graph_.parts.size() - 1;
    // An empty piece of a part is as good as no part.
    return {{id}, {id}, is_nullable};
  }

  Piece text(const std::string& text) {
    return text.empty() ? nothing() : part(oracle::machine_of(oracle::literal(text), text));
  }

  void connect(const std::vector<std::size_t>& from, const std::vector<std::size_t>& to) {
    for (const std::size_t part : from) {
      std::vector<std::size_t>& next = graph_.parts[part].next;
      next.insert(next.end(), to.begin(), to.end());
    }
  }

  static void append(std::vector<std::size_t>& to, const std::vector<std::size_t>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  Piece then(const Piece& a, const Piece& b) {
    connect(a.last, b.first);
    Piece result{a.first, b.last, a.is_nullable && b.is_nullable};
    if (a.is_nullable) append(result.first, b.first);
    if (b.is_nullable) append(result.last, a.last);
    return result;
  }

  static Piece either(const Piece& a, const Piece& b) {
    Piece result = a;
    append(result.first, b.first);
    append(result.last, b.last);
    result.is_nullable = a.is_nullable || b.is_nullable;
    return result;
  }

  Piece repeated(const Piece& a, bool may_be_empty) {
    connect(a.last, a.first);
    return {a.first, a.last, a.is_nullable || may_be_empty};
  }

  template <std::size_t N>
  std::string any_of(const std::array<const char*, N>& strings) {
    return strings[random_() % N];
  }

  static std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += c == '\n' ? std::string("\\n") : std::string(1, c);
    return result + "\"";
  }

  // A regular expression or a constant; its piece is in piece_.
  std::string content() {
    switch (random_() % 4) {
      case 0: {
        const std::string value = random_() % 4 == 0 ? "" : "the 12 items";
        piece_ = text(value);
        return R"({"type": "const_string", "value": )" + quoted(value) + "}";
      }
      case 1: {
        static constexpr std::array kPatterns = {"[0-9]+", "[a-z ]{0,5}", "(on|off)(, (on|off))*"};
        const std::size_t which = random_() % kPatterns.size();
        const oracle::RegexPtr on = oracle::either(oracle::literal("on"), oracle::literal("off"));
        const std::array regexes = {
            oracle::repeat(oracle::set_of("0123456789"), 1, oracle::kUnbounded),
            oracle::repeat(oracle::set_of("abcdefghijklmnopqrstuvwxyz "), 0, 5),
            oracle::concat(on, oracle::repeat(oracle::concat(oracle::literal(", "), on), 0, oracle::kUnbounded))};
        piece_ = part(oracle::machine_of(regexes[which], kUniverse));
        return R"({"type": "regex", "pattern": )" + quoted(kPatterns[which]) + "}";
      }
      default: return sequence();
    }
  }

  // One of the formats that put others together, of contents and tags.
  std::string sequence() {
    if (depth_ >= 2) {
      piece_ = text("x");
      return R"({"type": "const_string", "value": "x"})";
    }
    ++depth_;
    std::string result;
    switch (random_() % 5) {
      case 0:
      case 1: {
        const bool is_sequence = random_() % 3 != 0;
        Piece whole;
        for (std::size_t count = 2 + random_() % 2, i = 0; i < count; ++i) {
          result += (i == 0 ? "" : ", ") + (random_() % 2 == 0 ? tag(any_of(kTriggers)) : content());
          whole = i == 0 ? piece_ : is_sequence ? then(whole, piece_) : either(whole, piece_);
        }
        piece_ = whole;
        result =
            std::string(R"({"type": ")") + (is_sequence ? "sequence" : "or") + R"(", "elements": [)" + result + "]}";
        break;
      }
      case 2:
        result = R"({"type": "optional", "content": )" + content() + "}";
        piece_.is_nullable = true;
        break;
      case 3: {
        const bool may_be_empty = random_() % 2 == 0;
        result = std::string(R"({"type": ")") + (may_be_empty ? "star" : "plus") + R"(", "content": )" + tag("<") + "}";
        piece_ = repeated(piece_, may_be_empty);
        break;
      }
      default: {
        const bool at_least_one = random_() % 2 == 0;
        const bool stop_after_first = random_() % 3 == 0;
        result = R"({"type": "tags_with_separator", "separator": ", ", "tags": [)" + tag("<a") + ", ";
        const Piece first = piece_;
        result += tag("<b") + "]" + flags(at_least_one, stop_after_first) + "}";
        const Piece one = either(first, piece_);
        if (stop_after_first) {
          piece_ = one;
        } else {
          const Piece separator = text(", ");
          connect(one.last, separator.first);
          connect(separator.last, one.first);
          piece_ = one;
        }
        piece_.is_nullable = piece_.is_nullable || !at_least_one;
      }
    }
    --depth_;
    return result;
  }

  static std::string flags(bool at_least_one, bool stop_after_first) {
    return std::string(at_least_one ? R"(, "at_least_one": true)" : "") +
           (stop_after_first ? R"(, "stop_after_first": true)" : "");
  }

  // A tag whose `begin` starts with `trigger`; in piece_ what follows the first `skipped` bytes of it.
  std::string tag(const std::string& trigger, std::size_t skipped = 0) {
    static constexpr std::array kRests = {"=a>", "", " b:", "x("};
    const std::string begin = trigger + any_of(kRests);
    const std::string end = any_of(kEnds);
    std::string inside;
    if (random_() % 3 == 0) {
      inside = R"({"type": "any_text"})";
      std::vector<std::string> strings = never_;
      strings.push_back(end);
      piece_ = part(oracle::text_until(strings, strings.size() - 1), oracle::Mode::kLazy);
    } else {
      inside = content();
      piece_ = then(piece_, text(end));
    }
    piece_ = then(text(begin.substr(skipped)), piece_);
    return R"({"type": "tag", "begin": )" + quoted(begin) + R"(, "content": )" + inside + R"(, "end": )" + quoted(end) +
           "}";
  }

  // Free text up to each trigger, then one of its tags, and so on.
  std::string triggered_tags() {
    const bool at_least_one = random_() % 3 == 0;
    const bool stop_after_first = random_() % 3 == 0;
    std::vector<std::string> triggers;
    while (triggers.size() < 1 + random_() % 2) {
      const std::string trigger = any_of(kTriggers);
      if (std::ranges::none_of(triggers, [&](const std::string& other) {
            return other.starts_with(trigger) || trigger.starts_with(other);
          })) {
        triggers.push_back(trigger);
      }
    }
    std::vector<std::string> strings = triggers;
    strings.insert(strings.end(), never_.begin(), never_.end());
    Piece found, first_tags;
    std::string tags, names;
    for (std::size_t trigger = 0; trigger < triggers.size(); ++trigger) {
      names += (trigger == 0 ? "" : ", ") + quoted(triggers[trigger]);
      const Piece before = part(oracle::text_until(strings, trigger), oracle::Mode::kLazy);
      const Piece whole_trigger = text(triggers[trigger]);
      for (std::size_t count = 1 + random_() % 2; count > 0; --count) {
        ++depth_;
        tags += (tags.empty() ? "" : ", ") + tag(triggers[trigger], triggers[trigger].size());
        --depth_;
        const Piece rest = piece_;
        found = either(found, then(before, rest));
        if (at_least_one) first_tags = either(first_tags, then(whole_trigger, rest));
      }
    }
    const Piece after = part(oracle::text_without(strings));
    if (!stop_after_first) {
      connect(found.last, found.first);
      connect(found.last, after.first);
    }
    Piece whole = at_least_one ? first_tags : found;
    if (!stop_after_first) append(whole.last, after.last);
    if (!at_least_one) {
      append(whole.first, after.first);
      if (stop_after_first) append(whole.last, after.last);
      whole.is_nullable = true;
    }
    piece_ = whole;
    return R"({"type": "triggered_tags", "triggers": [)" + names + R"(], "tags": [)" + tags + "]" +
           flags(at_least_one, stop_after_first) + "}";
  }

  std::minstd_rand& random_;
  std::vector<std::string> never_;  // no free text contains them
  oracle::PartGraph graph_;
  Piece piece_;  // of the format that was written last
  int depth_ = 0;
};

TEST(PartVerdicts, StructuralTags) {
  compare_verdicts(1'000'000, {}, [](const VerdictRun& run, std::uint64_t walk, std::minstd_rand& random) {
    const PartCase made = TagWriter(random, run.special_tokens).write();
    SCOPED_TRACE("walk " + std::to_string(walk) + ":\n" + made.text);
    const Result<CompiledGrammar> compiled = run.compiler->compile_structural_tag(made.text);
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    oracle::PartAutomaton automaton(made.graph, run.vocabulary);
    walk_parts(run, compiled, automaton, random);
  });
}

}  // namespace
}  // namespace weir::testing
