// TextState: what a matcher reads of its output's text, besides the automaton's state.
//
// WHAT   If the grammar has rules that follow the text, or a guard (grammar/text_guard.h), a state alone does not determine
//        what may come. Then the text is stored for the rules, and the guard reads it; during a walk, the walk's text,
//        too. For all other grammars there is nothing to read.
// INVARIANTS  What the rules and the guard have read is equally long, except while a Replay lives: the guard does not read
//        a text again.
// THREADS One thread at a time.
#ifndef WEIR_SRC_ENGINE_AUTOMATON_TEXT_STATE_H_
#define WEIR_SRC_ENGINE_AUTOMATON_TEXT_STATE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/text_guard.h"

namespace weir::engine {

class TextState {
 public:
  /// `follows_text`: some rules of the grammar depend on the text before them. The guard may be null.
  TextState(bool follows_text, std::unique_ptr<grammar::TextGuard> guard)
      : follows_text_(follows_text), guard_(std::move(guard)) {}
  TextState(const TextState& other)
      : follows_text_(other.follows_text_),
        is_replaying_(other.is_replaying_),
        text_(other.text_),
        guard_(other.guard_ == nullptr ? nullptr : other.guard_->clone()) {}
  TextState(TextState&&) = default;
  TextState& operator=(const TextState& other) { return *this = TextState(other); }
  TextState& operator=(TextState&&) = default;
  ~TextState() = default;

  /// Returns true if what may come can depend on the text.
  [[nodiscard]] bool matters() const { return follows_text_ || guard_ != nullptr; }
  /// Returns the text, if some rules follow it.
  [[nodiscard]] const std::string& text() const { return text_; }

  /// Reads a byte. Returns false, and reads nothing, if the guard refuses it.
  bool read(char byte) {
    if (guard_ != nullptr && !is_replaying_ && !guard_->read(byte)) return false;
    if (follows_text_) text_.push_back(byte);
    return true;
  }
  /// Reads text that has been accepted.
  void add(std::string_view text) {
    if (follows_text_) text_ += text;
    if (guard_ == nullptr || is_replaying_) return;
    for (const char c : text) (void)guard_->read(c);
  }

  /// Returns false if the guard refuses the end of the text here.
  [[nodiscard]] bool may_end() const { return guard_ == nullptr || guard_->may_end(); }

  /// Appends to `refused` those of the allowed tokens that the guard refuses.
  void list_refused(const grammar::AllowedTokens& allowed, std::vector<std::uint32_t>& refused) {
    if (guard_ != nullptr) guard_->list_refused(allowed, refused);
  }

  /// Returns the number of bytes read, to return to; 0 if the text does not matter.
  [[nodiscard]] std::size_t position() const {
    return guard_ == nullptr || is_replaying_ ? text_.size() : guard_->position();
  }
  /// Precondition: position <= position().
  void rewind(std::size_t position) {
    if (follows_text_) text_.resize(position);
    if (guard_ != nullptr && !is_replaying_) guard_->rewind(position);
  }

  /// A walk along a text: its destructor removes the text that was read since.
  class Walk {
   public:
    explicit Walk(TextState& text) : text_(text), start_(text.position()) {}
    ~Walk() {
      if (!is_kept_) text_.rewind(start_);
    }
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;
    /// Keeps the text that was read. Returns the position at which the walk began.
    std::size_t keep() {
      is_kept_ = true;
      return start_;
    }

   private:
    TextState& text_;
    std::size_t start_;
    bool is_kept_ = false;
  };

  /// While one lives, the last `bytes` bytes of the text are taken off, to be read again. The guard does not read them: it
  /// accepted them before.
  class Replay {
   public:
    Replay(TextState& text, std::size_t bytes)
        : text_(text), saved_(text.text_), was_replaying_(std::exchange(text.is_replaying_, true)) {
      if (text.follows_text_) text.text_.resize(text.text_.size() - bytes);
    }
    ~Replay() {
      text_.text_ = std::move(saved_);
      text_.is_replaying_ = was_replaying_;
    }
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

   private:
    TextState& text_;
    std::string saved_;
    bool was_replaying_;
  };
  [[nodiscard]] bool is_replaying() const { return is_replaying_; }

 private:
  bool follows_text_;
  bool is_replaying_ = false;
  std::string text_;
  std::unique_ptr<grammar::TextGuard> guard_;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_AUTOMATON_TEXT_STATE_H_
