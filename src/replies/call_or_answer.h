// CallOrAnswer: whether a reply in the strict mode is calls or an answer, where both may begin with the same bytes.
//
// WHY    In some styles a call is a JSON object by itself, and an answer under a response format may be one, too. What it is
//        may show late, by another member or in another item of a list.
// HOW    One matcher reads along the tag of replies with calls, another along that of replies without. As soon as one of
//        them refuses, the reply is of the other kind. One that is of both kinds to its end is calls.
#ifndef WEIR_SRC_REPLIES_CALL_OR_ANSWER_H_
#define WEIR_SRC_REPLIES_CALL_OR_ANSWER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weir/matcher.h"

namespace weir::replies {

class CallOrAnswer {
 public:
  enum class Kind : std::uint8_t { kEither, kCalls, kAnswer };

  CallOrAnswer(GrammarMatcher calls, GrammarMatcher answer);
  void reset();
  /// Reads a piece of a reply that the matcher of the whole tag, calls or an answer, has accepted. Returns kOk, or
  /// kLimitExceeded; the state is then as before. Precondition: it is not decided.
  Step read(std::string_view bytes);
  [[nodiscard]] Kind kind() const { return kind_; }
  /// The number of bytes of the last piece up to and including the one that decided; all of them if it is not decided.
  [[nodiscard]] std::size_t decided_at() const { return decided_at_; }
  /// Returns what a reply that ends here is.
  [[nodiscard]] Kind kind_at_end() const;

 private:
  GrammarMatcher calls_;
  GrammarMatcher answer_;
  Kind kind_ = Kind::kEither;
  std::size_t decided_at_ = 0;
};

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_CALL_OR_ANSWER_H_
