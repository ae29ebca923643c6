#include "exhaustive/canonical_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "property/harness.h"

namespace weir::testing {

GrammarMatcher canonical_matcher(const CompiledGrammar& compiled, const TokenIds& context) {
  MatcherOptions options;
  options.tokenization = Tokenization::kCanonical;
  options.context = context;
  options.at_text_start = context.empty();
  Result<GrammarMatcher> matcher = GrammarMatcher::create(compiled, options);
  if (!matcher) {
    ADD_FAILURE() << "no canonical matcher: " << matcher.error().message;
    return GrammarMatcher(compiled, options);
  }
  return *std::move(matcher);
}

CompiledGrammar compiled_for_test(const TokenizerInfo& info, const Grammar& grammar, std::string_view name) {
  const GrammarCompiler compiler(info);
  Result<CompiledGrammar> compiled = compiler.compile(grammar);
  if (compiled) return *std::move(compiled);
  ADD_FAILURE() << name << ": " << compiled.error().message;
  return *compiler.compile_ebnf("root ::= \"a\"");
}

std::string shown_ids(const TokenizerInfo& info, const TokenIds& ids) {
  std::string out;
  for (const std::uint32_t id : ids) {
    if (!out.empty()) out += " | ";
    const std::string_view bytes = info.token_bytes(id);
    out += std::to_string(id) + " '" + shown(bytes.empty() ? info.token_name(id) : bytes) + "'";
  }
  return out.empty() ? "nothing" : out;
}

CanonicalCheck::CanonicalCheck(GrammarMatcher matcher, const oracle::SequenceTree& tree,
                               const CanonicalCheckOptions& options)
    : matcher_(std::move(matcher)),
      tree_(tree),
      options_(options),
      info_(matcher_.compiled_grammar().tokenizer_info()),
      random_(options.seed),
      bitmask_(bitmask_words(info_.vocab_size())),
      expected_(bitmask_.size()),
      again_(bitmask_.size()) {}

void CanonicalCheck::run() {
  const auto& nodes = tree_.nodes();
  if (options_.max_prefixes != 0 && nodes.size() > options_.max_prefixes) {
    // Chooses whole paths, because the walk reaches a prefix only through shorter ones.
    chosen_.assign(nodes.size(), false);
    std::vector<std::size_t> parents(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const auto& [token, child] : nodes[i].children) parents[child] = i;
    }
    chosen_[0] = true;
    for (std::uint64_t count = 1; count < options_.max_prefixes;) {
      for (std::size_t at = random_() % nodes.size(); !chosen_[at]; at = parents[at]) {
        chosen_[at] = true;
        ++count;
      }
    }
  }
  visit(0);
}

void CanonicalCheck::visit(std::size_t node) {
  if (failures_ >= 3 || text_.size() > options_.max_text) return;
  ++prefixes_;
  check_node(node);
  for (const auto& [token, child] : tree_.nodes()[node].children) {
    if (!chosen_.empty() && !chosen_[child]) continue;
    if (failures_ >= 3) return;
    if (const Step step = matcher_.accept_token(token); step != Step::kOk) {
      fail("token " + shown_ids(info_, {token}) + " is refused: " + std::string(to_string(step)) + " " +
           matcher_.limit_message());
      continue;
    }
    const std::size_t size = text_.size();
    text_ = matcher_.text();
    prefix_.push_back(token);
    visit(child);
    prefix_.pop_back();
    text_.resize(size);
    if (matcher_.rollback(1) != Step::kOk) return fail("no rollback");
  }
}

void CanonicalCheck::check_node(std::size_t at) {
  const oracle::SequenceTree::Node& node = tree_.nodes()[at];
  std::ranges::fill(expected_, 0U);
  const auto expect = [this](std::uint32_t token) { expected_[token / 32] |= 1U << (token % 32); };
  for (const auto& [token, child] : node.children) expect(token);
  if (node.member) {
    for (const std::uint32_t stop : info_.stop_token_ids()) expect(stop);
  }
  std::ranges::fill(bitmask_, 0xA5A5A5A5U);
  if (const Step step = matcher_.fill_next_token_bitmask(bitmask_); step != Step::kOk) {
    return fail("no mask: " + std::string(to_string(step)) + " " + matcher_.limit_message());
  }
  if (bitmask_ != expected_) {
    TokenIds extra, missing;
    for (std::uint32_t token = 0; token < info_.vocab_size(); ++token) {
      const bool is = bitmask_get(bitmask_, token), should = bitmask_get(expected_, token);
      if (is && !should && extra.size() < 8) extra.push_back(token);
      if (!is && should && missing.size() < 8) missing.push_back(token);
    }
    return fail("wrongly allowed: " + shown_ids(info_, extra) + "; wrongly refused: " + shown_ids(info_, missing));
  }
  if (matcher_.is_completed() != node.member) return fail(node.member ? "not complete" : "complete");
  std::string text;
  if (options_.at_text_start) {
    text = info_.decode(prefix_);
  } else {
    for (const std::uint32_t token : prefix_) text += info_.token_bytes(token);
  }
  if (matcher_.text() != text) return fail("text() differs from what the tokens decode to");
  if (const std::optional<std::uint64_t> id = matcher_.next_token_mask_id()) {
    const auto [known, is_new] = masks_by_id_.try_emplace(*id, bitmask_);
    if (!is_new && known->second != bitmask_) return fail("one mask id for two masks");
    if (masks_by_id_.size() > 2000) masks_by_id_.clear();
  }
  check_tokens(node);
  if (options_.completions_every != 0 && prefixes_ % options_.completions_every == 0) check_completion(at);
  if (prefixes_ % 16 == 0) {
    GrammarMatcher fork = matcher_.fork();
    if (fork.fill_next_token_bitmask(again_) != Step::kOk || again_ != bitmask_) fail("a fork has another mask");
  }
}

void CanonicalCheck::check_tokens(const oracle::SequenceTree::Node& node) {
  TokenIds tried;
  if (options_.every_token) {
    for (std::uint32_t token = 0; token < info_.vocab_size(); ++token) tried.push_back(token);
  } else {
    for (const auto& [token, child] : node.children) {
      if (tried.size() < 4) tried.push_back(token);
    }
    for (int i = 0; i < 4; ++i) tried.push_back(static_cast<std::uint32_t>(random_() % info_.vocab_size()));
    for (const std::uint32_t stop : info_.stop_token_ids()) tried.push_back(stop);
  }
  const auto stops = info_.stop_token_ids();
  for (const std::uint32_t token : tried) {
    const bool allowed = bitmask_get(bitmask_, token);
    if (matcher_.is_token_allowed(token) != allowed)
      return fail("is_token_allowed and the mask disagree on " + shown_ids(info_, {token}));
    const Step step = matcher_.accept_token(token);
    if ((step == Step::kOk) != allowed) {
      fail("accept_token and the mask disagree on " + shown_ids(info_, {token}) + ": " + std::string(to_string(step)));
      if (step == Step::kOk && matcher_.rollback(1) != Step::kOk) fail("no rollback");
      return;
    }
    const bool ends = std::ranges::find(stops, token) != stops.end();
    if (matcher_.is_terminated() != (allowed && ends)) return fail("is_terminated is wrong");
    if (allowed && matcher_.rollback(1) != Step::kOk) return fail("no rollback");
    if (prefixes_ % 8 == 0 && matcher_.explain(token).allowed != allowed)
      return fail("explain and the mask disagree on " + shown_ids(info_, {token}));
  }
  if (matcher_.fill_next_token_bitmask(again_) != Step::kOk || again_ != bitmask_)
    return fail("the mask differs after rollback");
}

// Compares forced bytes, forced tokens and the shortest completion with the tree, which must have all sequences.
void CanonicalCheck::check_completion(std::size_t at) {
  const std::string forced = matcher_.find_jump_forward_string();
  if (!forced_of(at).starts_with(forced))
    return fail("forced are `" + shown(forced) + "`, but all texts go on with `" + shown(forced_of(at)) + "` only");
  GrammarMatcher fork = matcher_.fork();
  std::size_t node = at;
  for (const std::uint32_t token : matcher_.forced_tokens()) {
    const oracle::SequenceTree::Node& here = tree_.nodes()[node];
    if (here.member || here.children.size() != 1 || !here.children.contains(token))
      return fail("forced_tokens has " + shown_ids(info_, {token}) + ", which is not forced");
    node = here.children.at(token);
    if (fork.accept_token(token) != Step::kOk) return fail("a forced token is refused");
  }
  const std::optional<std::vector<CompletionPart>> parts = matcher_.shortest_completion_parts();
  if (!parts) return fail("no completion: " + matcher_.limit_message());
  // A completion is right if a member of the tree continues the prefix with its bytes and the special tokens it names.
  std::vector<std::size_t> found = {at};
  for (const CompletionPart& part : *parts) {
    std::vector<std::size_t> next;
    std::vector<std::pair<std::size_t, std::size_t>> open;  // (node, bytes of the part before it)
    for (const std::size_t from : found) {
      if (part.token) {
        const auto child = tree_.nodes()[from].children.find(*part.token);
        if (child != tree_.nodes()[from].children.end()) next.push_back(child->second);
      } else {
        open.emplace_back(from, 0);
      }
    }
    while (!open.empty()) {
      const auto [from, done] = open.back();
      open.pop_back();
      if (done == part.text.size()) {
        next.push_back(from);
        continue;
      }
      for (const auto& [token, child] : tree_.nodes()[from].children) {
        if (info_.token_kind(token) == TokenKind::kSpecial) continue;
        // The first token of a text may lose its leading space.
        const std::string_view bytes = bytes_after(from, token);
        if ((from == 0 || !bytes.empty()) && part.text.compare(done, bytes.size(), bytes) == 0)
          open.emplace_back(child, done + bytes.size());
      }
    }
    found = std::move(next);
  }
  if (std::ranges::any_of(found, [this](std::size_t end) { return tree_.nodes()[end].member; })) return;
  std::string shown_parts;
  for (const CompletionPart& part : *parts) {
    shown_parts += part.token ? "<" + std::to_string(*part.token) + ">" : shown(part.text);
  }
  fail("`" + shown_parts + "` is no completion");
}

std::string_view CanonicalCheck::bytes_after(std::size_t node, std::uint32_t token) const {
  return node == 0 && options_.at_text_start ? info_.first_token_bytes(token) : info_.token_bytes(token);
}

std::string CanonicalCheck::forced_of(std::size_t node) const {
  std::string forced;
  while (!tree_.nodes()[node].member && tree_.nodes()[node].children.size() == 1) {
    const auto& [token, child] = *tree_.nodes()[node].children.begin();
    forced += bytes_after(node, token);
    node = child;
  }
  if (tree_.nodes()[node].member) return forced;
  // The children may have a common prefix, which may continue into what follows a shorter token.
  std::optional<std::string> common;
  for (const auto& [token, child] : tree_.nodes()[node].children) {
    const std::string_view bytes = bytes_after(node, token);
    const std::string continuation = std::string(bytes) + forced_of(child);
    if (!common) {
      common = continuation;
    } else {
      common->resize(static_cast<std::size_t>(std::ranges::mismatch(*common, continuation).in1 - common->begin()));
    }
  }
  return forced + common.value_or("");
}

void CanonicalCheck::fail(std::string_view what) {
  ++failures_;
  ADD_FAILURE() << "after " << shown_ids(info_, prefix_) << ": " << what;
}

}  // namespace weir::testing
