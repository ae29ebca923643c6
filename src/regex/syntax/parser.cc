#include "regex/syntax/parser.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "regex/syntax/first_match.h"
#include "regex/syntax/parser_class.h"
#include "regex/syntax/parser_group.h"
#include "regex/syntax/parser_nodes.h"
#include "regex/syntax/parser_quantifier.h"
#include "regex/syntax/scanner.h"

namespace weir::regex {

namespace {

using Kind = Node::Kind;

constexpr std::size_t kNowhere = SIZE_MAX;

class Parser : private TreeBuilder {
 public:
  Parser(std::string_view pattern, const SyntaxOptions& options, const Limits& limits)
      : scanner_(pattern), dialect_(options.dialect), operators_(options.operators), limits_(limits) {
    flags_ = {.ignore_case = options.ignore_case,
              .multi_line = options.multi_line,
              .dot_all = options.dot_all,
              .extended = options.extended,
              .unicode = rules_of(options.dialect).unicode,
              .rules = &rules_of(options.dialect)};
    scanner_.follow(options.dialect);
    frames_.emplace_back();
  }

  Result<SyntaxTree> run();

 private:
  /// A group that is open, or the whole pattern.
  struct Frame {
    GroupKind kind = GroupKind::kPlain;
    std::size_t open = 0;
    Flags outer_flags = {};
    std::vector<NodeId> branches = {};  ///< Branches that ended with a `|`.
    std::vector<NodeId> operands = {};  ///< Operands of the current branch that ended with an `&`.
    std::vector<NodeId> terms = {};     ///< Terms of the current operand.
    std::size_t ampersand = kNowhere;   ///< Position of the last `&`.
    std::size_t complement = kNowhere;  ///< The `~` that applies to the next term; two in a row cancel.
    std::size_t tilde = kNowhere;       ///< Position of the last `~` before the next term.
  };

  Result<void> step();
  Result<void> take_trivia();

  // Structure.
  Result<void> open_group();
  Result<void> close_group();
  Result<void> end_operand();
  Result<void> end_branch();
  Result<NodeId> end_frame();
  void take_tilde();
  [[nodiscard]] Result<void> refuse_dangling_tilde() const;

  // Terms.
  Result<void> take_character();
  Result<void> take_escape();
  Result<void> take_class();
  Result<void> take_assertion(Kind kind, std::size_t bytes);
  Result<void> refuse_bracket();
  Result<void> finish_term(NodeId atom, std::size_t start);

  // Nodes.
  NodeId add_variants(char32_t code_point, SourceRange where);
  NodeId add_character(char32_t code_point, SourceRange where);
  void flush_run();
  Result<NodeId> without_return(NodeId node, SourceRange where) {
    return rewrite_first_match(tree_, node, lazy_, where, limits_);
  }
  [[nodiscard]] bool has_variants(char32_t c) const {
    if (!flags_.ignore_case) return false;
    if (flags_.has_ascii_cases()) return c < 0x80 && is_letter(static_cast<char>(c));
    return has_case_variants(c, flags_.rules->cases);
  }

  Scanner scanner_;
  Flags flags_;
  const Dialect dialect_;
  const bool operators_;
  const Limits& limits_;
  std::vector<Frame> frames_ = {};
  std::string run_ = {};  ///< Consecutive plain characters, not yet added as a literal to the last frame's terms.
  SourceRange run_where_ = {};
  bool quoting_ = false;                  ///< True after `\Q`, up to `\E`.
  std::unordered_set<NodeId> lazy_ = {};  ///< Lazy repeats.
  bool ambiguous_class_ = false;          ///< True if ClassParser::is_ambiguous() was true for an earlier class.
  std::unordered_map<char32_t, ClassId> variants_ = {};  ///< Case variants by character.
};

Result<SyntaxTree> Parser::run() {
  if (operators_ && dialect_ != Dialect::kWeir) {
    Error error{ErrorCode::kInvalidArgument, "the option `operators` is for weir's own dialect", {}};
    error.options = "operators";
    return tl::unexpected(std::move(error));
  }
  while (true) {
    if (auto skipped = take_trivia(); !skipped) return tl::unexpected(skipped.error());
    if (scanner_.rules().quoting && scanner_.take("\\Q")) quoting_ = true;
    if (scanner_.at_end()) break;
    if (auto stepped = step(); !stepped) return tl::unexpected(stepped.error());
    // Nodes and ranges become about as many expressions, so the limit is checked here before the tree fills the memory.
    if (std::max(tree_.nodes.size(), class_ranges_) > limits_.regex_nodes) {
      return limit_error({scanner_.pos(), scanner_.size()}, "the regular expression is too large", "regex_nodes");
    }
  }
  if (frames_.size() > 1) {
    const std::size_t open = frames_.back().open;
    return syntax_error({open, open + 1}, "the group is not closed",
                        "add `)`, or write `\\(` for the parenthesis itself");
  }
  const auto root = end_frame();
  if (!root) return tl::unexpected(root.error());
  tree_.root = *root;
  return std::move(tree_);
}

Result<void> Parser::step() {
  if (quoting_) return take_character();
  switch (scanner_.byte()) {
    case '(': return open_group();
    case ')': return close_group();
    case '|': return end_branch();
    case '&':
      if (operators_) return end_operand();
      break;
    case '~':
      if (!operators_) break;
      take_tilde();
      return {};
    case '[': return take_class();
    case ']': return refuse_bracket();
    case '\\': return take_escape();
    case '.': {
      const std::size_t start = scanner_.pos();
      scanner_.advance(1);
      if (flags_.is_bytes()) return refuse_bytes(scanner_.since(start));
      flush_run();
      return finish_term(add_class(flags_.dot_all ? CodePointSet::all() : ~flags_.line_ends(), scanner_.since(start)),
                         start);
    }
    case '^': return take_assertion(flags_.multi_line ? Kind::kLineStart : Kind::kTextStart, 1);
    case '$':
      if (flags_.multi_line) return take_assertion(Kind::kLineEnd, 1);
      return take_assertion(flags_.rules->dollar_before_last_line_feed ? Kind::kFinalLineEnd : Kind::kTextEnd, 1);
    case '*':
    case '+':
    case '?':
    case '{': {
      const std::size_t start = scanner_.pos();
      const auto quantifier = take_quantifier(scanner_, limits_);
      if (!quantifier) return tl::unexpected(quantifier.error());
      if (!*quantifier) break;
      return syntax_error(scanner_.since(start), join({"`", scanner_.text_since(start), "` has nothing to repeat"}),
                          "for the characters themselves write a backslash before the first");
    }
    default: break;
  }
  return take_character();
}

/// Skips comments and, with flag x, blanks.
Result<void> Parser::take_trivia() {
  while (!quoting_ && !scanner_.at_end()) {
    if (scanner_.rules().quoting && (scanner_.take("\\Q\\E") || scanner_.take("\\E"))) continue;
    if (scanner_.is("(?#")) {
      const std::size_t start = scanner_.pos();
      const std::size_t end = scanner_.rest().find(')');
      if (end == std::string_view::npos) {
        return syntax_error({start, start + 3}, "the comment is not closed", "add `)`");
      }
      scanner_.advance(end + 1);
    } else if (flags_.extended && scanner_.is('#')) {
      scanner_.advance(std::min(scanner_.rest().find('\n'), scanner_.rest().size()));
    } else if (flags_.extended) {
      const std::size_t start = scanner_.pos();
      const auto code_point = scanner_.take_code_point();
      if (!code_point) return tl::unexpected(code_point.error());
      if (!is_pattern_white_space(*code_point) || (flags_.rules->ascii_blanks && *code_point >= 0x80)) {
        scanner_.set_pos(start);
        break;
      }
    } else {
      break;
    }
  }
  return {};
}

// --- Structure ---

Result<void> Parser::open_group() {
  const std::size_t start = scanner_.pos();
  auto head = take_group_head(scanner_, flags_);
  if (!head) return tl::unexpected(head.error());
  if (head->kind == GroupKind::kFlags) {
    flags_ = head->flags;
    return refuse_dangling_tilde();
  }
  if (frames_.size() > limits_.nesting) {
    return limit_error({start, start + 1}, "the groups are nested too deeply", "nesting");
  }
  flush_run();
  Frame frame;
  frame.kind = head->kind;
  frame.open = start;
  frame.outer_flags = flags_;
  flags_ = head->flags;
  frames_.push_back(std::move(frame));
  return {};
}

Result<void> Parser::close_group() {
  if (frames_.size() == 1) {
    return syntax_error({scanner_.pos(), scanner_.pos() + 1}, "no group is open here",
                        "remove the `)`, or write `\\)` for the parenthesis itself");
  }
  const auto body = end_frame();
  if (!body) return tl::unexpected(body.error());
  scanner_.advance(1);
  const GroupKind kind = frames_.back().kind;
  const std::size_t start = frames_.back().open;
  flags_ = frames_.back().outer_flags;
  frames_.pop_back();
  NodeId node = *body;
  if (kind == GroupKind::kLookAhead) node = add_parent(Kind::kLookAhead, {{node}}, scanner_.since(start));
  if (kind == GroupKind::kNotLookAhead) node = add_parent(Kind::kNotLookAhead, {{node}}, scanner_.since(start));
  if (kind == GroupKind::kLookBehind) node = add_parent(Kind::kLookBehind, {{node}}, scanner_.since(start));
  if (kind == GroupKind::kNotLookBehind) node = add_parent(Kind::kNotLookBehind, {{node}}, scanner_.since(start));
  if (kind == GroupKind::kAtomic) {
    const Result<NodeId> kept = without_return(node, scanner_.since(start));
    if (!kept) return tl::unexpected(kept.error());
    node = *kept;
  }
  return finish_term(node, start);
}

/// Returns the error if a `~` precedes the current position, where no term follows.
Result<void> Parser::refuse_dangling_tilde() const {
  const std::size_t tilde = frames_.back().tilde;
  if (tilde == kNowhere) return {};
  return syntax_error({tilde, tilde + 1}, "`~` has nothing to complement", "for the character itself write `\\~`");
}

/// Ends an operand. Precondition: at `&`.
Result<void> Parser::end_operand() {
  flush_run();
  Frame& frame = frames_.back();
  const std::size_t at = scanner_.pos();
  if (auto refused = refuse_dangling_tilde(); !refused) return refused;
  if (frame.terms.empty()) {
    return syntax_error({at, at + 1}, "`&` has nothing on one side",
                        "for the character itself write `\\&`, for the empty text `()`");
  }
  const std::vector<NodeId> terms = std::exchange(frame.terms, {});
  frame.operands.push_back(add_parent(Kind::kConcat, terms, {}));
  frame.ampersand = at;
  scanner_.advance(1);
  return {};
}

/// Ends a branch. Precondition: at `|`, at the `)` of the group, or at the end of the pattern.
Result<void> Parser::end_branch() {
  flush_run();
  Frame& frame = frames_.back();
  const std::size_t at = scanner_.pos();
  if (auto refused = refuse_dangling_tilde(); !refused) return refused;
  if (!frame.operands.empty() && frame.terms.empty()) {
    return syntax_error({frame.ampersand, frame.ampersand + 1}, "`&` has nothing on one side",
                        "for the character itself write `\\&`, for the empty text `()`");
  }
  std::vector<NodeId> operands = std::exchange(frame.operands, {});
  const std::vector<NodeId> terms = std::exchange(frame.terms, {});
  operands.push_back(add_parent(Kind::kConcat, terms, {at, at}));
  frame.branches.push_back(add_parent(Kind::kIntersection, operands, {}));
  if (scanner_.is('|')) scanner_.advance(1);
  return {};
}

/// Returns the node for the text of the last frame.
Result<NodeId> Parser::end_frame() {
  if (auto ended = end_branch(); !ended) return tl::unexpected(ended.error());
  const std::vector<NodeId> branches = std::exchange(frames_.back().branches, {});
  return add_parent(Kind::kAlternation, branches, {});
}

void Parser::take_tilde() {
  flush_run();
  Frame& frame = frames_.back();
  // Two complements cancel, because the language of every node consists of valid texts.
  if (frame.complement == kNowhere) {
    frame.complement = scanner_.pos();
  } else {
    frame.complement = kNowhere;
  }
  frame.tilde = scanner_.pos();
  scanner_.advance(1);
}

// --- Terms ---

Result<void> Parser::take_character() {
  const std::size_t start = scanner_.pos();
  const auto code_point = scanner_.take_code_point();
  if (!code_point) return tl::unexpected(code_point.error());
  const SourceRange where = scanner_.since(start);
  if (quoting_ && scanner_.take("\\E")) quoting_ = false;
  if (auto skipped = take_trivia(); !skipped) return skipped;
  if (has_variants(*code_point) || (!quoting_ && at_quantifier(scanner_)) || frames_.back().tilde != kNowhere) {
    flush_run();
    return finish_term(add_character(*code_point, where), start);
  }
  if (run_.empty()) run_where_.start = start;
  run_where_.end = where.end;
  base::append_utf8(run_, *code_point);
  return {};
}

Result<void> Parser::take_escape() {
  const std::size_t start = scanner_.pos();
  auto escape = scanner_.take_escape(Scanner::Place::kOutside, flags_);
  if (!escape) return tl::unexpected(escape.error());
  const std::size_t bytes = scanner_.pos() - start;
  const auto assertion = [&](Kind kind) {
    scanner_.set_pos(start);
    return take_assertion(kind, bytes);
  };
  switch (escape->kind) {
    case Escape::Kind::kTextStart: return assertion(Kind::kTextStart);
    case Escape::Kind::kTextEnd: return assertion(Kind::kTextEnd);
    case Escape::Kind::kFinalLineEnd: return assertion(Kind::kFinalLineEnd);
    case Escape::Kind::kWordBoundary: return assertion(Kind::kWordBoundary);
    case Escape::Kind::kNotWordBoundary: return assertion(Kind::kNotWordBoundary);
    case Escape::Kind::kLineBreak: flush_run(); return finish_term(add_line_break(scanner_.since(start)), start);
    case Escape::Kind::kCodePoint:
      flush_run();
      return finish_term(add_character(escape->code_point, scanner_.since(start)), start);
    case Escape::Kind::kSet: break;
  }
  flush_run();
  return finish_term(add_class(std::move(escape->set), scanner_.since(start)), start);
}

Result<void> Parser::take_class() {
  const std::size_t start = scanner_.pos();
  ClassParser parser(scanner_, flags_, operators_, limits_.nesting);
  auto set = parser.parse();
  if (!set) return tl::unexpected(set.error());
  ambiguous_class_ = ambiguous_class_ || parser.is_ambiguous();
  flush_run();
  return finish_term(add_class(*std::move(set), scanner_.since(start)), start);
}

Result<void> Parser::take_assertion(Kind kind, std::size_t bytes) {
  const std::size_t start = scanner_.pos();
  scanner_.advance(bytes);
  flush_run();
  if (kind == Kind::kWordBoundary || kind == Kind::kNotWordBoundary) {
    const SourceRange where = scanner_.since(start);
    NodeId node = add_class(flags_.fold_named(word_characters(flags_.meaning())), where, kind);
    if (kind == Kind::kNotWordBoundary && flags_.rules->not_boundary_needs_text) {
      const NodeId begin = add({.kind = Kind::kTextStart, .where = where});
      const NodeId end = add({.kind = Kind::kTextEnd, .where = where});
      const NodeId both = add_parent(Kind::kConcat, {{begin, end}}, where);
      node = add_parent(Kind::kConcat, {{add_parent(Kind::kNotLookAhead, {{both}}, where), node}}, where);
    }
    return finish_term(node, start);
  }
  if (kind == Kind::kLineStart && !flags_.rules->line_after_last_line_feed) {
    return finish_term(add_inner_line_start(scanner_.since(start)), start);
  }
  if (kind == Kind::kLineStart || kind == Kind::kLineEnd) {
    return finish_term(add_class(flags_.line_ends(), scanner_.since(start), kind), start);
  }
  return finish_term(add({.kind = kind, .where = scanner_.since(start)}), start);
}

/// A `]` outside of a class is a character, unless an earlier class may have been meant to end here.
Result<void> Parser::refuse_bracket() {
  if (!ambiguous_class_ || scanner_.rules().brackets_are_characters) return take_character();
  Error error{ErrorCode::kSyntax,
              "`]` stands after a class that has ended before",
              {scanner_.pos(), scanner_.pos() + 1},
              "write `\\]` for the bracket itself; `[]` is the empty class"};
  if (!operators_) {
    error.hint = "inside a class write `\\[` and `\\]` for brackets; classes in classes need the option `operators`";
    error.options = "operators";
  }
  return tl::unexpected(std::move(error));
}

/// Parses the quantifiers after `atom`, applies the `~` before it, and adds the result as a term.
Result<void> Parser::finish_term(NodeId atom, std::size_t start) {
  if (auto skipped = take_trivia(); !skipped) return skipped;
  const auto quantifier =
      quoting_ ? Result<std::optional<Quantifier>>(std::nullopt) : take_quantifier(scanner_, limits_);
  if (!quantifier) return tl::unexpected(quantifier.error());
  NodeId term = atom;
  for (auto next = *quantifier; next;) {
    const NodeId body = term;
    term = add_repeat(body, next->min, next->max, scanner_.since(start));
    if (next->question != flags_.ungreedy) {
      lazy_.insert(term);
      tree_.nodes[static_cast<std::size_t>(term)].lazy = true;
    }
    if (next->possessive) {
      const Result<NodeId> kept = without_return(term, scanner_.since(start));
      if (!kept) return tl::unexpected(kept.error());
      term = *kept;
    }
    if (auto skipped = take_trivia(); !skipped) return skipped;
    const std::size_t second = scanner_.pos();
    const auto more = take_quantifier(scanner_, limits_);
    if (!more) return tl::unexpected(more.error());
    next = *more;
    if (next && !scanner_.rules().stacked_quantifiers) {
      return syntax_error(scanner_.since(second), "a quantifier cannot stand after another",
                          join({"put the repeated part into a group: `(?:...)", scanner_.text_since(second), "`"}));
    }
  }
  Frame& frame = frames_.back();
  if (frame.complement != kNowhere) {
    term = add_parent(Kind::kComplement, {{term}}, {frame.complement, tree_[term].where.end});
  }
  frame.complement = kNowhere;
  frame.tilde = kNowhere;
  frame.terms.push_back(term);
  return {};
}

// --- Nodes ---

/// Adds the class of a character and its case variants.
NodeId Parser::add_variants(char32_t code_point, SourceRange where) {
  if (flags_.has_ascii_cases()) return add_class(flags_.fold(CodePointSet::of(code_point)), where);
  const auto known = variants_.find(code_point);
  if (known != variants_.end()) return add({.kind = Kind::kClass, .cls = known->second, .where = where});
  const NodeId node = add_class(flags_.fold(CodePointSet::of(code_point)), where);
  variants_.emplace(code_point, tree_[node].cls);
  return node;
}

NodeId Parser::add_character(char32_t code_point, SourceRange where) {
  if (has_variants(code_point)) return add_variants(code_point, where);
  std::string bytes;
  base::append_utf8(bytes, code_point);
  return add_literal(bytes, where);
}

void Parser::flush_run() {
  if (run_.empty()) return;
  frames_.back().terms.push_back(add_literal(run_, run_where_));
  run_.clear();
}

}  // namespace

Result<SyntaxTree> parse_pattern(std::string_view pattern, const SyntaxOptions& options, const Limits& limits) {
  // Offsets in a SyntaxTree have 32 bits.
  if (pattern.size() > limits.text_bytes || pattern.size() >= UINT32_MAX) {
    return limit_error({std::min(pattern.size(), limits.text_bytes), pattern.size()}, "the pattern is too long",
                       "text_bytes");
  }
  const std::size_t invalid = base::find_invalid_utf8(pattern);
  if (invalid != std::string_view::npos) {
    return syntax_error({invalid, invalid + 1}, "the pattern is not valid UTF-8",
                        "for a character write `\\x` and two hexadecimal digits");
  }
  return Parser(pattern, options, limits).run();
}

}  // namespace weir::regex
