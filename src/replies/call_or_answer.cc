#include "replies/call_or_answer.h"

#include <algorithm>
#include <utility>

#include "engine/matcher/cursor.h"

namespace weir::replies {

CallOrAnswer::CallOrAnswer(GrammarMatcher calls, GrammarMatcher answer)
    : calls_(std::move(calls)), answer_(std::move(answer)) {}

void CallOrAnswer::reset() {
  calls_.reset();
  answer_.reset();
  kind_ = Kind::kEither;
  decided_at_ = 0;
}

Step CallOrAnswer::read(std::string_view bytes) {
  const Step calls = calls_.accept_bytes(bytes);
  if (calls == Step::kLimitExceeded) return calls;
  const Step answer = answer_.accept_bytes(bytes);
  if (answer == Step::kLimitExceeded) {
    if (calls == Step::kOk) static_cast<void>(calls_.rollback(1));  // the step of this piece
    return answer;
  }
  decided_at_ = bytes.size();
  if (calls == Step::kOk && answer == Step::kOk) {
    calls_.cursor().keep_last();  // no step is taken back after this one
    answer_.cursor().keep_last();
    return Step::kOk;
  }
  const std::size_t of_calls = calls == Step::kOk ? bytes.size() : calls_.longest_viable_prefix(bytes);
  const std::size_t of_answer = answer == Step::kOk ? bytes.size() : answer_.longest_viable_prefix(bytes);
  kind_ = of_calls > of_answer ? Kind::kCalls : Kind::kAnswer;
  decided_at_ = std::min(bytes.size(), std::min(of_calls, of_answer) + 1);
  return Step::kOk;
}

CallOrAnswer::Kind CallOrAnswer::kind_at_end() const {
  if (kind_ != Kind::kEither) return kind_;
  return calls_.is_completed() ? Kind::kCalls : Kind::kAnswer;
}

}  // namespace weir::replies
