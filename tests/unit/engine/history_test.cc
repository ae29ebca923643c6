// History: after any steps and rollbacks, each point and each step's text are those of a list of snapshots.
#include "engine/matcher/history.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "unit/engine/engine_testing.h"

namespace weir::engine {
namespace {

using engine_testing::byte_vocabulary;

struct Snapshot {
  std::uint32_t state = 0;
  std::uint32_t tokens = 0;
  bool accepts = false;
  std::string text = {};  // of the output so far
};

void expect_snapshots(const History& history, const TextState& text, const std::vector<Snapshot>& expected) {
  ASSERT_EQ(history.size() + 1, expected.size());
  for (std::size_t steps = 0; steps < expected.size(); ++steps) {
    const History::Point& point = history.after(steps);
    EXPECT_EQ(raw(point.state), expected[steps].state);
    EXPECT_EQ(point.tokens, expected[steps].tokens);
    EXPECT_EQ(point.accepts, expected[steps].accepts);
    if (steps == 0) continue;
    EXPECT_EQ(expected[steps - 1].text + std::string(history.text_of(steps - 1)), expected[steps].text);
  }
  EXPECT_EQ(history.text(), expected.back().text);
  EXPECT_EQ(text.text(), expected.back().text);
}

TEST(History, IsAListOfSnapshotsUnderRandomStepsAndRollbacks) {
  const TokenizerInfo tokenizer = byte_vocabulary({"one", "two"});
  const std::uint32_t stop = tokenizer.stop_token_ids()[0];
  std::minstd_rand random(1);
  TextState text(true, nullptr);
  History history(StopTokens(tokenizer.vocabulary()), TokenPosition::kInside,
                  {.state = StateId{100}, .canonical = {}, .accepts = true}, History::Marks::kStored);
  std::vector<Snapshot> expected{{.state = 100, .accepts = true}};
  for (std::uint32_t round = 0; round < 2000; ++round) {
    Snapshot next = expected.back();
    next.state = 101 + round;
    next.accepts = random() % 2 == 0;
    const History::Point point{.state = StateId{next.state}, .canonical = {}, .accepts = next.accepts};
    const auto kind = history.is_terminated() ? 3 : random() % 4;
    if (kind == 0) {
      const auto token = static_cast<std::uint32_t>(random() % stop);
      const std::size_t before = text.position();
      text.add(tokenizer.token_bytes(token));
      history.add_token(token, History::Output::kGoesOn, point, before);
      next.text += tokenizer.token_bytes(token);
      ++next.tokens;
    } else if (kind == 1) {
      const std::string bytes(random() % 3, 'x');
      history.add_bytes(bytes, point, text.position());
      text.add(bytes);
      next.text += bytes;
    } else if (kind == 2 && random() % 4 == 0) {
      history.add_plain_stop_token(stop, text.position());
      next = expected.back();
      EXPECT_TRUE(history.is_terminated());
      EXPECT_TRUE(history.is_plain_stop_token(history.size() - 1));
    } else {
      const std::size_t steps = random() % (std::min<std::size_t>(history.size(), 5) + 1);
      history.rollback(steps, text);
      expected.resize(expected.size() - steps);
      if (steps != 0) {
        EXPECT_FALSE(history.is_terminated());
      }
      expect_snapshots(history, text, expected);
      continue;
    }
    expected.push_back(std::move(next));
    expect_snapshots(history, text, expected);
  }
}

TEST(History, AStopTokenThatTheGrammarExpectsIsAToken) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  const std::uint32_t stop = tokenizer.stop_token_ids()[0];
  TextState text(false, nullptr);
  History history(StopTokens(tokenizer.vocabulary()), TokenPosition::kInside, {}, History::Marks::kNone);
  history.add_token(stop, History::Output::kEnds, {.state = StateId{100}}, text.position());
  EXPECT_TRUE(history.is_terminated());
  EXPECT_FALSE(history.is_plain_stop_token(0));
  EXPECT_EQ(history.here().tokens, 1);
  EXPECT_EQ(history.text_of(0), "");
  history.rollback(1, text);
  EXPECT_FALSE(history.is_terminated());
  EXPECT_EQ(history.size(), 0);
}

TEST(History, TheFirstTextIsAfterTokensAndBytesThatAddNone) {
  const TokenizerInfo tokenizer = byte_vocabulary({" a"}, true);
  const std::uint32_t word = engine_testing::token(tokenizer, " a");
  const std::uint32_t special = engine_testing::token(tokenizer, "<tool>");
  TextState text(false, nullptr);
  History history(StopTokens(tokenizer.vocabulary()), TokenPosition::kFirst, {}, History::Marks::kNone);
  history.add_token(special, History::Output::kGoesOn, {}, 0);
  history.add_bytes("", {}, 0);
  EXPECT_EQ(history.position(), TokenPosition::kFirst);
  history.add_token(word, History::Output::kGoesOn, {}, 0);
  history.add_token(word, History::Output::kGoesOn, {}, 0);
  EXPECT_EQ(history.position(), TokenPosition::kInside);
  EXPECT_EQ(history.position_after(2), TokenPosition::kFirst);
  EXPECT_EQ(history.text_of(2), "a");
  EXPECT_EQ(history.text_of(3), " a");
  EXPECT_EQ(history.text(), "a a");
  history.rollback(2, text);
  history.add_bytes("b", {}, 0);
  EXPECT_EQ(history.position(), TokenPosition::kInside);
}

TEST(History, MovesToTheStatesOfAnotherAutomaton) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  History history(StopTokens(tokenizer.vocabulary()), TokenPosition::kInside, {.state = StateId{100}},
                  History::Marks::kNone);
  history.add_token('a', History::Output::kGoesOn, {.state = StateId{101}}, 0);
  history.add_bytes("b", {.state = StateId{102}, .canonical = {}, .accepts = true}, 0);
  const std::vector<StateId> states{StateId{201}, StateId{202}};
  history.move_to({.state = StateId{200}}, states);
  EXPECT_EQ(raw(history.after(0).state), 200);
  EXPECT_EQ(raw(history.after(1).state), 201);
  EXPECT_EQ(raw(history.here().state), 202);
  EXPECT_TRUE(history.here().accepts);
  EXPECT_EQ(history.after(1).tokens, 1);
  EXPECT_EQ(history.text(), "ab");
}

}  // namespace
}  // namespace weir::engine
