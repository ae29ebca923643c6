// Reader: reads a reply byte by byte, along the form of its style.
//
// WHAT   A machine with a state for each part of a reply: text or reasoning, a section of calls, a call's name, its
//        arguments in the style's notation, its end. Bytes go in, events come out (weir/reply_parser.h).
// HOW    What may be a tag is held (`held_`) until it is one or is not. The bytes of a call are kept (`unit_`) until it
//        ends, because they become text if it turns out to be none: before its name is known without a trace, later by an
//        event. Bytes that are looked at again are at most those of one tag, so reading is linear.
// WHICH  docs/replies.md has the rules for texts that are no calls.
// INVARIANTS  The state depends on the bytes read, not on how they were cut. Ranges of events are adjacent.
#ifndef WEIR_SRC_REPLIES_READER_H_
#define WEIR_SRC_REPLIES_READER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "replies/bracket_reader.h"
#include "replies/form.h"
#include "replies/json_scanner.h"
#include "replies/python_reader.h"
#include "replies/search_bounds.h"
#include "replies/tool_schemas.h"
#include "weir/reply_parser.h"

namespace weir::replies {

/// Returns the text with U+FFFD in the place of each beginning of a character that does not go on, and of each other byte
/// that is no UTF-8, as decoders do (Unicode, section 3.9, U+FFFD substitution of maximal subparts).
std::string mended(std::string_view text);

/// Returns the length of the beginning of a character with which the text ends, but for its last bytes.
std::size_t open_tail(std::string_view text);

class Reader {
 public:
  /// What the reply may be: reasoning that has begun, or may begin; with `is_strict`, nothing but what the tag says.
  struct Start {
    bool in_reasoning = false;
    bool may_think = true;
    bool is_strict = false;
    bool may_call = true;          ///< Calls are allowed. Without `is_strict` they are read all the same.
    bool has_json_answer = false;  ///< The answer is a JSON text. Only with `is_strict`.
    bool waits = false;            ///< What begins a call is not read before decide() says whether it is one.
  };
  /// `form` and `schemas` must outlive the reader.
  Reader(const Form& form, ToolSchemas& schemas, Start start);

  void feed(std::string_view bytes, std::vector<ReplyEvent>& out);
  /// Says whether the reply has calls, with Start::waits. Precondition: it was not said before.
  void decide(bool has_calls, std::vector<ReplyEvent>& out);
  void finish(std::vector<ReplyEvent>& out);
  [[nodiscard]] std::string snapshot() const;

 private:
  enum class State : std::uint8_t {
    kText,     // an answer or reasoning
    kSection,  // where a call may begin: in a section, or right after a call
    kOpen,     // the texts before a name
    kNameTag,  // the attributes of a tag with the name
    kName,
    kAfterName,
    kObject,     // a JSON object with the name and the arguments
    kJson,       // arguments as JSON
    kArguments,  // between arguments
    kKeyTag,
    kKey,
    kToValue,
    kValue,
    kNested,   // arguments in a notation of their own
    kEnd,      // the texts after a call
    kHeader,   // the header of a message
    kForeign,  // a message to a tool that is no function
    kSender,   // between messages, where the name of a function may stand before a call's message
    kNote,     // the rest of a note's end
    kWaiting,  // after what begins a call, until decide()
  };
  enum class Mark : std::uint8_t {
    kThinkBegin,
    kThinkLabel,
    kThinkLabelEnd,
    kThinkEnd,
    kAnswerTag,
    kStop,
    kIgnored,
    kNoteBegin,
    kNoteEnd,
    kSection,
    kList,  // a section that begins with a bracket alone
    kOpen,
    kBare,
    kMessageBegin,
    kMessageEnd,
    kHeader,  // harmony
  };
  struct Marker {
    std::string text;
    Mark mark;
    std::size_t taken;  // what follows these bytes is read again
  };
  // The part of an object with a name and arguments that comes next.
  enum class Member : std::uint8_t { kFirstKey, kKey, kInKey, kColon, kValue, kAfter };
  enum class Role : std::uint8_t { kName, kArguments, kId, kOther };
  struct Call {
    std::string name;
    std::string id;
    std::string arguments;
    bool is_complete = false;
    bool is_valid = true;
  };
  enum class Found : std::uint8_t { kNone, kPrefix, kWhole };

  // Returns true if a name, a key or a tag is longer than what is held back. What a tag allows is read, however long it is.
  [[nodiscard]] bool is_too_long(std::string_view text, std::size_t most = kMaxName) const {
    return !start_.is_strict && text.size() > most;
  }

  void step(char c);
  void again(std::string_view bytes);
  void read_again();
  void end_only_begun();

  // Text and reasoning (reader.cc).
  void add_markers();
  [[nodiscard]] bool is_active(Mark mark) const;
  [[nodiscard]] Found find_marker(std::size_t& index) const;
  void text_step(char c);
  void plain(std::string_view bytes);
  void flush_blanks();
  void drop_blanks();
  void on_marker(const Marker& marker);
  void leave_to_text();
  void section_step(char c);
  void note_step(char c);

  // Calls (reader_calls.cc).
  void begin_unit(std::string_view first);
  void begin_call(std::size_t opened);
  bool may_end_empty_call();
  void open_step(char c);
  void begin_object();
  [[nodiscard]] bool takes_object() const;
  [[nodiscard]] bool takes_list() const;
  void name_tag_step(char c);
  [[nodiscard]] std::string_view name_so_far() const;
  [[nodiscard]] bool add_to_known_name(char c);
  void name_step(char c);
  void after_name_step(char c);
  [[nodiscard]] bool may_end_after_name() const;
  bool set_name(std::string_view written);
  [[nodiscard]] std::string key_of(std::string_view written);
  void announce();
  [[nodiscard]] bool may_be_prose() const;
  void begin_arguments();
  void object_step(char c);
  void object_key(char c);
  void object_value(char c);
  void end_member();
  void end_object();
  void json_step(char c);
  void end_step(char c);
  void begin_end();
  void end_call();
  void fail(std::size_t keep, std::string_view reason = {});
  void add_arguments(std::string_view json);
  [[nodiscard]] std::string_view attribute_of(std::string_view text, std::string_view key) const;
  [[nodiscard]] std::string_view attribute(std::string_view key) const { return attribute_of(word_, key); }

  // Arguments between tags (reader_arguments.cc).
  void arguments_step(char c);
  void key_tag_step(char c);
  void key_step(char c);
  void to_value_step(char c);
  void begin_value();
  void value_step(char c);
  void raw_step(char c);
  [[nodiscard]] Found find_value_end() const;
  [[nodiscard]] Found find_missing_end();
  [[nodiscard]] Found find_next_key();
  [[nodiscard]] Found find_call_end();
  void value_text(std::string_view bytes);
  void end_value(bool has_end = true);
  [[nodiscard]] Found find_end_in_brackets();
  void end_brackets();
  void nested_step(char c);
  void python_step(char c);
  void end_arguments();
  [[nodiscard]] std::vector<std::string_view> after_value() const;

  // Messages (reader_messages.cc).
  void header_step(char c);
  void end_header(bool has_message);
  void reply_ends_in_header();
  void foreign_step(char c);
  void sender_step(char c);

  // Events.
  void put(ReplyEventKind kind, std::string_view bytes, std::size_t end);
  void emit(ReplyEventKind kind, std::size_t end, ReplyEvent event = {});
  void flush(bool is_end);

  template <typename Texts>
  static Found match(std::string_view held, const Texts& texts, std::size_t& index);

  const Form& form_;
  ToolSchemas& schemas_;
  Start start_;
  std::vector<ReplyEvent>* out_ = nullptr;
  std::vector<Marker> markers_;
  std::array<bool, 256> begins_marker_{};

  State state_ = State::kText;
  bool in_reasoning_ = false;
  bool had_markup_ = false;  // a tag has been read
  bool after_text_ = false;  // text precedes, without a tag between
  bool is_empty_ = true;     // this reasoning has no text yet
  bool in_section_ = false;
  bool in_list_ = false;  // the section is a list of JSON objects, which the form has not
  std::string held_;      // what may be a tag
  JsonScanner answer_;    // the answer so far, if it is JSON
  bool in_json_ = false;  // it has begun and not ended: what looks like a tag is a part of it
  std::string blanks_;    // white space before `held_` that is text only if text follows
  std::string between_;   // white space between tags, after the last text of the answer
  std::string again_;     // bytes to be read again
  std::size_t again_at_ = 0;
  std::size_t at_ = 0;        // bytes read, but for those
  std::size_t reported_ = 0;  // the end of the last event
  // A delta that is still to be reported. What remains of it after a feed is the beginning of a character.
  std::string delta_;
  std::size_t delta_end_ = 0;
  ReplyEventKind delta_kind_ = ReplyEventKind::kText;

  // The call that is being read.
  bool in_unit_ = false;
  bool is_broken_ = false;  // a call before was none, and its end may come
  std::string unit_;        // its bytes, from its first tag or `sender_` on
  std::string sender_;      // before its first tag: the name of the function, or text
  bool is_announced_ = false;
  std::size_t named_at_ = 0;  // the end of the name, if the call is announced later
  bool is_bare_ = false;      // no tag precedes it
  std::size_t part_ = 0;      // index in Form::open, after_name or end
  std::string word_;          // a name, a key, attributes
  char quote_ = 0;
  std::string name_;
  std::string id_;
  bool has_name_ = false;
  std::string early_;           // arguments that precede the name
  bool has_arguments_ = false;  // all of them
  JsonScanner scanner_;
  Member member_ = Member::kFirstKey;
  Role role_ = Role::kOther;
  std::size_t keys_ = 0;         // of arguments between tags
  std::set<std::string> given_;  // the keys themselves
  RootedSchema schema_;
  std::string key_;
  Rest rest_;  // of the arguments, after those that have been read
  Allowed allowed_;
  bool is_streamed_ = false;  // the value is a string and given as it comes
  bool at_value_start_ = false;
  bool line_held_ = false;       // a line end that belongs to the value only if more follows
  bool may_have_ended_ = false;  // in `held_`, the call has ended, although the value has not
  bool may_unwrap_ = false;      // the value may be all arguments
  bool in_raw_ = false;          // no tag ends the value
  std::string value_;
  // In `held_`: where the text after an end tag and blanks begins, or that after brackets; 0: not yet.
  std::size_t follow_at_ = 0;
  BracketReader brackets_;
  PythonReader python_;

  std::string header_;
  bool is_foreign_ = false;  // the message is to a tool that is no function of the request

  std::string reasoning_;
  std::string content_;
  bool has_content_ = false;
  std::vector<Call> calls_;
};

template <typename Texts>
Reader::Found Reader::match(std::string_view held, const Texts& texts, std::size_t& index) {
  Found found = Found::kNone;
  std::size_t i = 0;
  for (const auto& text : texts) {
    if (!text.empty() && std::string_view(text).starts_with(held)) {
      if (text.size() == held.size()) {
        index = i;
        return Found::kWhole;
      }
      found = Found::kPrefix;
    }
    ++i;
  }
  return found;
}

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_READER_H_
