#include "weir/matcher.h"

#include <utility>

#include "engine/matcher/cursor.h"
#include "engine/matcher/matcher_options.h"

namespace weir {

std::string_view to_string(Step step) noexcept {
  switch (step) {
    case Step::kOk: return "ok";
    case Step::kRefused: return "refused";
    case Step::kTerminated: return "terminated";
    case Step::kLimitExceeded: return "limit_exceeded";
    case Step::kBadArgument: return "bad_argument";
  }
  return "unknown";
}

struct GrammarMatcher::Impl {
  CompiledGrammar compiled;
  engine::Cursor cursor;
};

GrammarMatcher::GrammarMatcher(CompiledGrammar compiled, const MatcherOptions& options)
    : impl_(new Impl{compiled, engine::Cursor(compiled.impl(), options)}) {}
Result<GrammarMatcher> GrammarMatcher::create(CompiledGrammar compiled, const MatcherOptions& options) {
  if (auto checked = engine::check_matcher_options(*compiled.impl(), options); !checked) {
    return tl::unexpected(std::move(checked.error()));
  }
  return GrammarMatcher(std::move(compiled), options);
}
GrammarMatcher::GrammarMatcher(const GrammarMatcher& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
GrammarMatcher& GrammarMatcher::operator=(const GrammarMatcher& other) {
  if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
  return *this;
}
GrammarMatcher::GrammarMatcher(GrammarMatcher&&) noexcept = default;
GrammarMatcher& GrammarMatcher::operator=(GrammarMatcher&&) noexcept = default;
GrammarMatcher::~GrammarMatcher() = default;

Step GrammarMatcher::fill_next_token_bitmask(std::span<std::uint32_t> bitmask) noexcept {
  return impl_->cursor.fill_next_token_bitmask(bitmask);
}
std::optional<std::uint64_t> GrammarMatcher::next_token_mask_id() noexcept { return impl_->cursor.mask_id(); }
Step GrammarMatcher::fill_draft_tree_bitmasks(std::span<const std::uint32_t> tokens,
                                              std::span<const std::int32_t> parents, std::span<std::uint32_t> bitmasks,
                                              std::span<Step> steps) noexcept {
  return impl_->cursor.fill_draft_tree_bitmasks(tokens, parents, bitmasks, steps);
}
bool GrammarMatcher::is_token_allowed(std::uint32_t token) noexcept { return impl_->cursor.is_token_allowed(token); }
Step GrammarMatcher::accept_token(std::uint32_t token) noexcept { return impl_->cursor.accept_token(token); }
Step GrammarMatcher::accept_text(std::string_view text) { return impl_->cursor.accept_text(text); }
Step GrammarMatcher::accept_bytes(std::string_view bytes) noexcept { return impl_->cursor.accept_bytes(bytes); }
std::size_t GrammarMatcher::longest_viable_prefix(std::string_view bytes) noexcept {
  return impl_->cursor.longest_viable_prefix(bytes);
}
Step GrammarMatcher::rollback(std::size_t steps) noexcept { return impl_->cursor.rollback(steps); }
void GrammarMatcher::reset() noexcept { impl_->cursor.reset(); }
std::size_t GrammarMatcher::step_count() const noexcept { return impl_->cursor.step_count(); }
bool GrammarMatcher::is_terminated() const noexcept { return impl_->cursor.is_terminated(); }
bool GrammarMatcher::is_completed() const noexcept { return impl_->cursor.is_completed(); }
std::string GrammarMatcher::find_jump_forward_string() noexcept { return impl_->cursor.forced_bytes(); }
std::vector<std::uint32_t> GrammarMatcher::forced_tokens() noexcept { return impl_->cursor.forced_tokens(); }
std::optional<std::string> GrammarMatcher::shortest_completion() noexcept {
  return impl_->cursor.shortest_completion();
}
std::optional<std::vector<CompletionPart>> GrammarMatcher::shortest_completion_parts() noexcept {
  return impl_->cursor.shortest_completion_parts();
}
std::string GrammarMatcher::text() const { return impl_->cursor.text(); }
std::vector<Capture> GrammarMatcher::captures() noexcept { return impl_->cursor.captures(); }
std::optional<float> GrammarMatcher::temperature() noexcept { return impl_->cursor.temperature(); }
Expectation GrammarMatcher::expected() noexcept { return impl_->cursor.expected(); }
TokenExplanation GrammarMatcher::explain(std::uint32_t token) noexcept { return impl_->cursor.explain(token); }
StateStats GrammarMatcher::state_stats() noexcept { return impl_->cursor.state_stats(); }
std::uint32_t GrammarMatcher::state_id() noexcept { return static_cast<std::uint32_t>(impl_->cursor.state_id()); }
std::string GrammarMatcher::limit_message() const { return impl_->cursor.limit_message(); }
std::span<const std::uint32_t> GrammarMatcher::stop_token_ids() const noexcept {
  return impl_->cursor.stop_token_ids();
}
const CompiledGrammar& GrammarMatcher::compiled_grammar() const noexcept { return impl_->compiled; }
engine::Cursor& GrammarMatcher::cursor() noexcept { return impl_->cursor; }

}  // namespace weir
