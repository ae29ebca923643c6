// Compares weir with Lark on small grammars with indentation (indentation.json, which record_indentation.py writes): all
// texts up to a length, and the mask after each of their beginnings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "shared_data.h"
#include "weir/weir.h"

namespace weir {
namespace {

class Walk {
 public:
  Walk(const nlohmann::json& recorded, const std::string& grammar, const GrammarTextOptions& options)
      : alphabet_(recorded["alphabet"].get<std::string>()), length_(recorded["length"]) {
    for (const std::string text : recorded["members"]) members_.insert(text);
    VocabSpec spec;
    spec.tokens.emplace_back("</s>");
    spec.special_token_ids = spec.stop_token_ids = {0};
    for (const char a : alphabet_) {
      spec.tokens.emplace_back(1, a);
      for (const char b : alphabet_) {
        spec.tokens.push_back({a, b});
        for (const char c : alphabet_) spec.tokens.push_back({a, b, c});
      }
    }
    tokens_ = spec.tokens;
    const GrammarCompiler compiler(TokenizerInfo::from_vocab(std::move(spec)).value());
    const Result<CompiledGrammar> compiled = compiler.compile_text(grammar, options);
    if (compiled) {
      matcher_.emplace(*compiled);
    } else {
      ADD_FAILURE() << render(compiled.error(), grammar, "grammar");
    }
  }

  void run() {
    if (!matcher_) return;
    visit();
    EXPECT_EQ(found_, members_);
  }

 private:
  void visit() {
    const bool is_member = matcher_->is_completed();
    if (is_member) found_.insert(text_);
    const auto completion = matcher_->shortest_completion();
    ASSERT_TRUE(completion) << text_ << matcher_->limit_message();
    const std::string whole = text_ + *completion;
    // A known text that completes the beginning says that it is viable, and Lark says the same of the text.
    const bool is_recorded = whole.size() <= length_ && whole.find_first_not_of(alphabet_) == std::string::npos;
    EXPECT_TRUE(!is_recorded || members_.contains(whole)) << text_ << "|" << *completion;
    check_mask(is_member);
    if (text_.size() == length_) return;
    for (const char letter : alphabet_) {
      if (matcher_->accept_bytes(std::string(1, letter)) != Step::kOk) continue;
      text_.push_back(letter);
      visit();
      text_.pop_back();
      ASSERT_EQ(matcher_->rollback(1), Step::kOk);
    }
  }

  void check_mask(bool is_member) {
    std::vector<std::uint32_t> mask(bitmask_words(tokens_.size()));
    ASSERT_EQ(matcher_->fill_next_token_bitmask(mask), Step::kOk) << matcher_->limit_message();
    EXPECT_EQ(bitmask_get(mask, 0), is_member) << text_;
    for (std::uint32_t t = 1; t < tokens_.size(); ++t) {
      const bool fits = matcher_->accept_bytes(tokens_[t]) == Step::kOk;
      if (fits) {
        ASSERT_EQ(matcher_->rollback(1), Step::kOk);
      }
      ASSERT_EQ(bitmask_get(mask, t), fits) << text_ << "|" << tokens_[t];
    }
  }

  std::string alphabet_;
  std::size_t length_;
  std::set<std::string> members_, found_;
  std::vector<std::string> tokens_;
  std::optional<GrammarMatcher> matcher_;
  std::string text_;
};

void run_as_recorded(const nlohmann::json& entry, bool exact_splits) {
  GrammarTextOptions options{.syntax = GrammarSyntax::kLark, .exact_splits = exact_splits};
  options.indenter = entry["indenter"].get<std::string>();
  Walk(entry, entry["grammar"], options).run();
}

nlohmann::json recorded() {
  std::ifstream file(tests::repository() + "/tests/conformance/lark/indentation.json");
  return nlohmann::json::parse(file)["cases"];
}

TEST(LarkIndentation, AcceptsTheTextsThatLarkAccepts) {
  const nlohmann::json cases = recorded();
  EXPECT_GT(cases.size(), 5U);
  for (const nlohmann::json& entry : cases) {
    SCOPED_TRACE(entry["name"].get<std::string>());
    run_as_recorded(entry, false);
  }
}

// Comments, and strings that end with their first match, depend on the competition of terminals.
TEST(LarkIndentation, AcceptsTheSameWithExactSplits) {
  const nlohmann::json cases = recorded();
  EXPECT_GT(cases.size(), 5U);
  for (const nlohmann::json& entry : cases) {
    const std::string name = entry["name"];
    SCOPED_TRACE(name);
    if (!name.starts_with("comments")) run_as_recorded(entry, true);
  }
}

// The same grammar in EBNF, whose line ends are the recorded ones in texts without tabs and carriage returns.
TEST(EbnfBlocks, AcceptTheTextsThatLarkAccepts) {
  const nlohmann::json cases = recorded();
  const auto entry = std::find_if(cases.begin(), cases.end(), [](const nlohmann::json& one) {
    return one["name"] == "blocks that may end without a line end";
  });
  ASSERT_NE(entry, cases.end());
  Walk(*entry, R"(root ::= tree+
                  tree ::= "b" @line_end @block(tree+) | "a" @line_end | "a")",
       {})
      .run();
}

}  // namespace
}  // namespace weir
