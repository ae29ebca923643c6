#include "regex/syntax/parser_class.h"

#include <algorithm>
#include <utility>

namespace weir::regex {

namespace {

constexpr std::size_t kUsualMembers = 8;  // of a class: room for so many is allocated at once

/// Returns true for characters that are members of classes in all dialects, wherever they stand.
bool is_plain(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '/' || c == '@'; }

}  // namespace

std::optional<CodePointSet> ClassParser::take_plain() {
  if (flags_.ignore_case || flags_.extended || flags_.is_bytes()) return std::nullopt;
  const bool negated = scanner_.is('^', 1);
  std::vector<CodePointRange> members;
  members.reserve(kUsualMembers);
  std::size_t at = negated ? 2 : 1;
  for (; is_plain(scanner_.byte(at)); ++at) {
    const auto first = static_cast<unsigned char>(scanner_.byte(at));
    const bool is_range = scanner_.is('-', at + 1) && is_plain(scanner_.byte(at + 2));
    if (is_range) at += 2;
    const auto last = static_cast<unsigned char>(scanner_.byte(at));
    if (first > last) return std::nullopt;
    members.push_back({first, last});
  }
  if (members.empty() || !scanner_.is(']', at)) return std::nullopt;
  scanner_.advance(at + 1);
  CodePointSet set(std::move(members));
  return negated ? ~set : std::move(set);
}

Result<CodePointSet> ClassParser::parse() {
  if (auto plain = take_plain()) return *std::move(plain);
  const std::size_t start = scanner_.pos();
  // Read literally, `[:alpha:]` is a class of five characters, which is never intended.
  if (const std::size_t size = posix_size(); size != 0 && posix_class(posix_name(size))) {
    scanner_.advance(size);
    const std::string text = scanner_.text_since(start);
    return syntax_error(scanner_.since(start), join({"the POSIX class `", text, "` stands outside of brackets"}),
                        join({"write `[", text, "]`"}));
  }
  if (auto opened = open(); !opened) return tl::unexpected(opened.error());
  while (true) {
    skip_blanks();
    skip_quotes();
    if (scanner_.at_end()) {
      const std::size_t bracket = frames_.back().open;
      return syntax_error({bracket, bracket + 1}, "the character class is not closed",
                          "add `]`, or write `\\[` for the bracket itself");
    }
    if (scanner_.is(']') && !quoting_) {
      auto set = close();
      if (!set) return set;
      if (frames_.empty()) {
        const auto ranges = set->ranges();
        if (!ranges.empty() && ranges.front().first >= 0xD800 && ranges.back().last <= 0xDFFF) {
          return syntax_error(scanner_.since(start), "the class has only surrogates, which never occur in text",
                              "write the characters themselves, `[\\u{10000}-\\u{10FFFF}]`, say");
        }
        return set;
      }
      add(*set);
    } else if (!quoting_ && at_nested_class()) {
      if (auto opened = open(); !opened) return tl::unexpected(opened.error());
    } else if (!quoting_ && at_operation()) {
      if (auto taken = take_operation(); !taken) return tl::unexpected(taken.error());
    } else {
      if (auto taken = take_member(); !taken) return tl::unexpected(taken.error());
    }
  }
}

Result<void> ClassParser::open() {
  if (frames_.size() > nesting_) {
    return limit_error({scanner_.pos(), scanner_.pos() + 1}, "the classes are nested too deeply", "nesting");
  }
  Frame frame;
  frame.members.reserve(kUsualMembers);
  frame.open = scanner_.pos();
  scanner_.advance(1);
  for (;;) {
    if (scanner_.rules().quoting && (scanner_.take("\\E") || scanner_.take("\\Q\\E"))) continue;
    if (frame.negated || !scanner_.take('^')) break;
    frame.negated = true;
  }
  frames_.push_back(std::move(frame));
  if (!scanner_.is(']')) return {};
  if (!scanner_.rules().leading_bracket_is_member) {
    ambiguous_ = true;
    return {};
  }
  return take_member();
}

/// Skips blanks and comments, if flag x ignores them in classes.
void ClassParser::skip_blanks() {
  if (!flags_.extended || !scanner_.rules().blanks_in_classes_extended) return;
  while (!scanner_.at_end()) {
    const base::Decoded c = base::decode_utf8(scanner_.rest(), 0);
    if (c.code_point == '#') {
      scanner_.advance(std::min(scanner_.rest().find('\n'), scanner_.rest().size()));
    } else if (is_pattern_white_space(c.code_point)) {
      scanner_.advance(c.length);
    } else {
      return;
    }
  }
}

/// Reads `\Q` and `\E`; between them all characters are members.
void ClassParser::skip_quotes() {
  if (!scanner_.rules().quoting) return;
  for (;;) {
    if (scanner_.take("\\E")) {
      quoting_ = false;
    } else if (!quoting_ && scanner_.take("\\Q")) {
      quoting_ = true;
    } else {
      return;
    }
  }
}

Result<CodePointSet> ClassParser::close() {
  if (auto ended = end_operand(); !ended) return tl::unexpected(ended.error());
  scanner_.advance(1);
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  if (frame.negated && flags_.is_bytes()) return refuse_bytes(scanner_.since(frame.open));
  return frame.negated ? ~frame.left : std::move(frame.left);
}

Result<void> ClassParser::take_operation() {
  if (auto ended = end_operand(); !ended) return ended;
  Frame& frame = frames_.back();
  frame.operation = scanner_.is('&')   ? Operation::kIntersection
                    : scanner_.is('-') ? Operation::kDifference
                                       : Operation::kSymmetricDifference;
  frame.operation_at = scanner_.pos();
  scanner_.advance(2);
  return {};
}

/// Ends the current operand: applies the operator before it to `left` and the operand.
Result<void> ClassParser::end_operand() {
  Frame& frame = frames_.back();
  const bool empty_class = scanner_.is(']') && frame.operation == Operation::kNone;
  if (!frame.has_members && !empty_class) {
    const std::size_t at = frame.operation == Operation::kNone ? scanner_.pos() : frame.operation_at;
    return syntax_error({at, at + 2}, "a set operation has nothing on one side",
                        "for the characters themselves escape them: `\\&`, `\\-`, `\\~`");
  }
  CodePointSet right = flags_.fold(CodePointSet(std::exchange(frame.members, {})));
  if (!frame.sets.is_empty()) right = right | flags_.fold_named(std::exchange(frame.sets, {}));
  switch (frame.operation) {
    case Operation::kNone: frame.left = std::move(right); break;
    case Operation::kIntersection: frame.left = frame.left & right; break;
    case Operation::kDifference: frame.left = frame.left - right; break;
    case Operation::kSymmetricDifference: frame.left = frame.left ^ right; break;
  }
  frame.has_members = false;
  return {};
}

Result<void> ClassParser::take_member() {
  const Result<Atom> first = take_atom();
  if (!first) return tl::unexpected(first.error());
  // A `-` at the end of the class or before an operator is a member.
  skip_blanks();
  skip_quotes();
  if (quoting_ || !scanner_.is('-') || scanner_.is(']', 1) || at_operation()) {
    add(*first);
    return {};
  }
  const std::size_t hyphen = scanner_.pos();
  scanner_.advance(1);
  skip_blanks();
  skip_quotes();
  if (scanner_.at_end()) return {};  // parse() reports that the class is not closed
  if (!quoting_ && at_nested_class()) {
    return syntax_error({hyphen, hyphen + 1}, "a range cannot end with a class", "for the hyphen itself write `\\-`");
  }
  const Result<Atom> last = take_atom();
  if (!last) return tl::unexpected(last.error());
  if (!first->code_point || !last->code_point) {
    // `[\w-.]`: a set cannot be an end of a range, so the hyphen is a character.
    add(*first);
    add(CodePointRange{'-', '-'});
    add(*last);
    return {};
  }
  if (*first->code_point > *last->code_point) {
    return syntax_error(scanner_.since(first->start), "the range is out of order",
                        "put the smaller character first, or write `\\-` for the hyphen itself");
  }
  add(CodePointRange{*first->code_point, *last->code_point});
  return {};
}

Result<ClassParser::Atom> ClassParser::take_atom() {
  Atom atom;
  atom.start = scanner_.pos();
  if (!quoting_ && scanner_.is('\\')) {
    auto escape = scanner_.take_escape(Scanner::Place::kInClass, flags_);
    if (!escape) return tl::unexpected(escape.error());
    if (escape->kind == Escape::Kind::kSet) {
      atom.set = std::move(escape->set);
    } else {
      atom.code_point = escape->code_point;
    }
    return atom;
  }
  if (const std::size_t size = quoting_ ? 0 : posix_size(); size != 0) {
    auto set = take_posix(size);
    if (!set) return tl::unexpected(set.error());
    atom.set = *std::move(set);
    return atom;
  }
  if (scanner_.is('[')) ambiguous_ = true;
  const auto code_point = scanner_.take_code_point();
  if (!code_point) return tl::unexpected(code_point.error());
  atom.code_point = *code_point;
  return atom;
}

/// Returns the number of bytes of the `[:alpha:]` or `[:^alpha:]` at this position; 0 if there is none.
std::size_t ClassParser::posix_size() const {
  if (!scanner_.rules().posix_classes || !scanner_.is("[:")) return 0;
  const std::size_t name = scanner_.is('^', 2) ? 3 : 2;
  std::size_t end = name;
  while (is_letter(scanner_.byte(end))) ++end;
  return end > name && scanner_.is(':', end) && scanner_.is(']', end + 1) ? end + 2 : 0;
}

std::string_view ClassParser::posix_name(std::size_t size) const {
  const std::size_t name = scanner_.is('^', 2) ? 3 : 2;
  return scanner_.rest().substr(name, size - name - 2);
}

Result<CodePointSet> ClassParser::take_posix(std::size_t size) {
  const std::size_t start = scanner_.pos();
  const bool negated = scanner_.is('^', 2);
  const auto set = posix_class(posix_name(size));
  scanner_.advance(size);
  if (!set) {
    return syntax_error(
        scanner_.since(start), join({"unknown POSIX class `", scanner_.text_since(start), "`"}),
        "the names are alnum, alpha, ascii, blank, cntrl, digit, graph, lower, print, punct, space, upper, "
        "word and xdigit");
  }
  // Flag i applies to POSIX classes in every dialect; these classes have ASCII characters only.
  const CodePointSet folded = flags_.rules->cases_of_sets ? flags_.fold(*set)
                              : flags_.ignore_case        ? ascii_case_closure(*set)
                                                          : *set;
  return negated ? ~folded : folded;
}

void ClassParser::add(CodePointRange range) {
  frames_.back().members.push_back(range);
  frames_.back().has_members = true;
}

void ClassParser::add(const Atom& atom) {
  if (atom.code_point) return add(CodePointRange{*atom.code_point, *atom.code_point});
  add(atom.set);
}

void ClassParser::add(const CodePointSet& set) {
  // Large sets are joined at once, so that a long list of overlapping sets does not need memory for each of them.
  constexpr std::size_t kSmall = 4;
  Frame& frame = frames_.back();
  if (set.ranges().size() <= kSmall && flags_.rules->cases_of_sets) {
    frame.members.insert(frame.members.end(), set.ranges().begin(), set.ranges().end());
  } else {
    frame.sets = frame.sets | set;
  }
  frame.has_members = true;
}

}  // namespace weir::regex
