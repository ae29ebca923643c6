#include "regex/atoms/json_string.h"

#include <algorithm>
#include <array>

#include "regex/atoms/atom.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

namespace {

/// `a` of its states is the expression of the contents, `b` the state of the decoder.
class JsonStringAtom final : public Atom {
 public:
  /// What comes at the closing quote.
  enum class Quote : std::uint8_t {
    kEnds,  ///< The end.
    kThen,  ///< What the contents have after kQuoteByte.
    kNone,  ///< There is none: the text ends between characters.
  };
  constexpr explicit JsonStringAtom(Quote quote) : Atom(Form::kDecoder), quote_(quote) {}

  [[nodiscard]] Properties properties(const ExprSet& exprs, const AtomState& state) const override;
  ExprId derivative(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const override;
  [[nodiscard]] std::span<const ByteSet> classes(const AtomState& state) const override {
    return json_classes(JsonState(state.b));
  }
  void refine_classes(ByteClasses& classes) const override {
    for (const ByteSet& set : json_all_classes()) classes.refine(set);
  }
  [[nodiscard]] std::string name(const AtomState& state) const override {
    return std::string("json") + json_state_name(JsonState(state.b));
  }
  /// Transient, because mostly one byte of a residual is queried. Never if the contents begin with a string: that would
  /// recurse. Not as a head if the text may end, because what follows then may begin.
  [[nodiscard]] Transient transient(const ExprSet& exprs, const AtomState& state) const override {
    const ExprId first = exprs.head(ExprId{state.a});
    const bool is_nested =
        exprs.kind(first) == ExprKind::kAtom &&
        (exprs.is_decoder(first) || exprs.atom_of(first).transient(exprs, exprs.state_of(first)) == Transient::kNever);
    return is_nested ? Transient::kNever : quote_ == Quote::kNone ? Transient::kAlone : Transient::kAlsoAsHead;
  }
  bool append_branches(ExprSet& exprs, const AtomState& state, std::vector<ExprSet::Branch>& branches) const override;
  ExprId with_operand(ExprSet& exprs, const AtomState& state, ExprId operand) const override;
  [[nodiscard]] bool feeds_text(const AtomState& state) const override { return json_is_raw(JsonState(state.b)); }
  [[nodiscard]] ByteSet next_ascii(const AtomState& state) const override {
    return quote_ == Quote::kThen ? ByteSet() : json_next_ascii(JsonState(state.b));
  }
  [[nodiscard]] bool is_json_string() const override { return quote_ != Quote::kNone; }
  [[nodiscard]] bool decodes_utf8(const AtomState& state) const override {
    return !json_has_lone_surrogates(JsonState(state.b));
  }
  [[nodiscard]] std::optional<Spelling> spelling(const AtomState& state) const override {
    constexpr ByteSet kNeedsNoEscape = ByteSet::range(0x20, 0x7F) & ~(ByteSet::of('"') | ByteSet::of('\\'));
    const bool may_end = quote_ == Quote::kEnds && json_is_between_characters(JsonState(state.b));
    return may_end ? std::optional(Spelling{kNeedsNoEscape, '"'}) : std::nullopt;
  }

 private:
  ExprId move(ExprSet& exprs, AtomState state, JsonState next, ExprId operand) const {
    state.b = static_cast<std::uint32_t>(next);
    return with_operand(exprs, state, operand);
  }

  Quote quote_;
};

constexpr JsonStringAtom kJsonString(JsonStringAtom::Quote::kEnds);
constexpr JsonStringAtom kJsonStringThen(JsonStringAtom::Quote::kThen);
constexpr JsonStringAtom kJsonStringContent(JsonStringAtom::Quote::kNone);

// Returns the contents of a string after its first quote.
ExprId after_quote(ExprSet& exprs, const JsonStringAtom& atom, ExprId contents, const JsonStringOptions& options) {
  const auto start = static_cast<std::uint32_t>(json_initial_state(options));
  return atom.with_operand(exprs, {0, start, 0, exprs.register_atom(atom)}, contents);
}

/// Returns true if `e` is known to have a non-empty member that is well-formed UTF-8.
bool has_long_text(const ExprSet& exprs, ExprId e) {
  if (exprs.kind(e) == ExprKind::kAlternation) {
    for (const ExprId part : exprs.operands(e)) {
      if (has_long_text(exprs, part)) return true;  // recursion depth 1: no operand is an alternation
    }
    return false;
  }
  if (!exprs.has_plain_text(e)) return false;
  if (exprs.min_length(e) > 0) return true;
  const ExprId body = exprs.counted(exprs.head(e)).body;
  return exprs.min_length(body) > 0 && exprs.has_plain_text(body) && exprs.has_plain_text(exprs.tail(e));
}

/// Returns true if each state of `e` is known to have a member, and `e` to have a member that begins with one of these
/// bytes.
bool begins_with(const ExprSet& exprs, ExprId e, const ByteSet& bytes) {
  if (exprs.kind(e) == ExprKind::kAlternation) {
    const std::uint32_t most = std::min(exprs.operand_count(e), kMaxTextOperands);
    for (std::uint32_t i = 0; i < most; ++i) {
      if (begins_with(exprs, exprs.operand(e, i), bytes)) return true;  // recursion depth 1
    }
    return false;
  }
  const ExprId first = exprs.head(e);
  if (exprs.kind(first) == ExprKind::kByteSet) return !(exprs.bytes(first) & bytes).is_empty();
  if (exprs.kind(first) != ExprKind::kAtom) return false;
  const std::optional<ByteSet> known = exprs.atom_of(first).first_bytes(exprs.state_of(first));
  return known.has_value() && !(*known & bytes).is_empty();
}

/// Returns true if `e` is known to have a member that is well-formed UTF-8 and begins with one of these ASCII
/// characters.
bool has_text_from(const ExprSet& exprs, ExprId e, const ByteSet& ascii) {
  if (!exprs.has_plain_text(e)) return false;
  if (exprs.kind(e) == ExprKind::kAlternation) {
    for (const ExprId part : exprs.operands(e)) {
      if (has_text_from(exprs, part, ascii)) return true;
    }
    return false;
  }
  const ExprId first = exprs.counted(exprs.head(e)).body;
  return (exprs.kind(first) == ExprKind::kByteSet && !(exprs.bytes(first) & ascii).is_empty()) ||
         begins_with(exprs, e, ascii);
}

/// Returns true if a JSON string from `state` on is known to have a member, where the contents `e` go on after kQuoteByte
/// (json_string_then).
bool json_has_member_that_goes_on(const ExprSet& exprs, ExprId e, JsonState state) {
  if (exprs.emptiness_if_known(e) != Emptiness::kNonEmpty) return false;
  if (json_is_raw(state)) return true;
  if (json_begins_any_escape(state)) {
    return begins_with(exprs, e, ~ByteSet::of(static_cast<std::uint8_t>(kQuoteByte)));
  }
  const std::optional<AsciiRange> range = json_ascii_escapes(state);
  return range.has_value() && begins_with(exprs, e, ByteSet::range(range->first, range->last));
}

/// Returns true if `e` is known to have a member that completes the raw character at `state` and then continues with valid
/// text. Looks at some operands of each alternation.
bool has_rest_of_character(const ExprSet& exprs, ExprId e, JsonState state) {
  if (json_is_between_characters(state)) return exprs.has_plain_text(e);
  if (exprs.kind(e) == ExprKind::kAlternation) {
    const std::uint32_t most = std::min(exprs.operand_count(e), kMaxTextOperands);
    for (std::uint32_t i = 0; i < most; ++i) {
      if (has_rest_of_character(exprs, exprs.operand(e, i), state))
        return true;  // two calls for each of three bytes at most
    }
    return false;
  }
  if (exprs.kind(exprs.head(e)) != ExprKind::kByteSet) return false;
  const ByteSet next = exprs.bytes(exprs.head(e)) & json_raw_sets(state).front();
  return !next.is_empty() && has_rest_of_character(exprs, exprs.tail(e), json_moves(state, next.first()).moves[0].next);
}

/// Returns true if the JSON string tail with contents `e` in `state` is known to have a member, from the structure of
/// `e` alone.
bool json_has_plain_member(const ExprSet& exprs, ExprId e, JsonState state) {
  if (exprs.is_cofinite(e)) return true;  // every state can be continued, by any number of characters
  // Under all options each character has a spelling, so between characters a text as contents is enough. Within an
  // escape the contents must begin with a character that the escape can become.
  if (json_is_between_characters(state)) return exprs.has_plain_text(e);
  if (json_begins_any_escape(state)) return has_long_text(exprs, e);
  if (const std::optional<AsciiRange> range = json_ascii_escapes(state)) {
    return has_text_from(exprs, e, ByteSet::range(range->first, range->last));
  }
  if (!json_is_raw(state)) return false;
  // Within a raw character, an atom that has read its beginning accepts only continuations of it.
  if (exprs.kind(e) == ExprKind::kAtom && !exprs.is_decoder(e))
    return exprs.emptiness_if_known(e) == Emptiness::kNonEmpty;
  return has_rest_of_character(exprs, e, state);
}

Atom::Properties JsonStringAtom::properties(const ExprSet& exprs, const AtomState& state) const {
  const ExprId content{state.a};
  // A byte of contents takes 1 to 6 bytes of text, and the part of an escape that has been read is at most one byte of
  // contents.
  const std::uint32_t min = exprs.min_length(content), max = exprs.max_length(content);
  if (quote_ == Quote::kThen) {
    return {.has_member = json_has_member_that_goes_on(exprs, content, JsonState(state.b)), .min_length = min};
  }
  const bool may_end = quote_ == Quote::kNone && json_is_between_characters(JsonState(state.b));
  const std::uint32_t least = quote_ == Quote::kNone ? std::max(min, may_end ? 0U : 1U) : min;
  const std::uint32_t quotes = quote_ == Quote::kNone || min == kUnbounded ? 0 : 1;
  return {.is_nullable = may_end && exprs.nullable(content),
          .has_member = json_has_plain_member(exprs, content, JsonState(state.b)),
          .min_length = least + quotes,
          .max_length = max < (kUnbounded - 12) / 6 ? max * 6 + 12 : kUnbounded};
}

/// Precondition: `operand` has no assertions.
ExprId JsonStringAtom::with_operand(ExprSet& exprs, const AtomState& state, ExprId operand) const {
  if (operand == ExprId::kNothing || operand == ExprId::kOverflow) return operand;
  const std::optional<JsonState> decoder = json_state_for(exprs, JsonState(state.b), operand);
  if (!decoder) return ExprId::kNothing;
  return exprs.atom({static_cast<std::uint32_t>(operand), static_cast<std::uint32_t>(*decoder), 0, state.atom});
}

ExprId JsonStringAtom::derivative(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const {
  const ExprId content{state.a};
  const JsonMoves moves = json_moves(JsonState(state.b), byte);
  std::array<ExprId, 2> parts{ExprId::kNothing, ExprId::kNothing};
  for (std::size_t i = 0; i < moves.count; ++i) {
    const JsonMove& step = moves.moves[i];
    const ExprId operand = step.feeds ? exprs.derivative(content, step.fed) : content;
    if (step.closes) {
      const bool is_over = quote_ == Quote::kEnds && exprs.nullable(operand);
      parts[i] = quote_ == Quote::kThen ? exprs.derivative(operand, static_cast<std::uint8_t>(kQuoteByte))
                 : is_over              ? ExprId::kEpsilon
                                        : ExprId::kNothing;
    } else {
      parts[i] = move(exprs, state, step.next, operand);
    }
  }
  return exprs.alternation(parts[0], parts[1]);
}

/// Computed from the branches of the contents, which are few. Appends nothing if the contents begin with a JSON string
/// or the classes of the state overlap.
bool JsonStringAtom::append_branches(ExprSet& exprs, const AtomState& state,
                                     std::vector<ExprSet::Branch>& branches) const {
  const JsonState decoder{state.b};
  const ExprId content{state.a};
  if (exprs.is_decoder(exprs.head(content))) return false;  // a string within a string would need recursion
  const std::size_t begin = branches.size();
  const auto append = [&](const ByteSet& bytes, ExprId to) {
    if (to != ExprId::kNothing) branches.push_back({bytes, to});
  };
  if (!json_is_raw(decoder)) {
    ByteSet seen;
    for (const ByteSet& set : json_classes(decoder)) {
      if (!(set & seen).is_empty()) {  // possible under some options
        branches.resize(begin);
        return false;
      }
      seen |= set;
      append(set, derivative(exprs, state, set.first()));
    }
    return true;
  }
  exprs.append_branches(content, branches);
  const std::vector<ExprSet::Branch> fed(branches.begin() + static_cast<std::ptrdiff_t>(begin), branches.end());
  branches.resize(begin);
  for (const ExprSet::Branch& branch : fed) {
    for (const ByteSet& set : json_raw_sets(decoder)) {
      const ByteSet bytes = branch.bytes & set;
      if (bytes.is_empty()) continue;
      append(bytes, move(exprs, state, json_moves(decoder, bytes.first()).moves[0].next, branch.to));
    }
  }
  if (json_is_between_characters(decoder)) {
    append(ByteSet::of('\\'), derivative(exprs, state, '\\'));
    append(ByteSet::of('"'), derivative(exprs, state, '"'));
  }
  return true;
}

}  // namespace

std::optional<JsonState> json_state_for(ExprSet& exprs, JsonState decoder, ExprId operand) {
  if (operand == ExprId::kEpsilon && json_begins_any_escape(decoder)) return std::nullopt;
  if (const std::optional<ByteSet> fed = json_fed_next(decoder)) {
    bool dead = true;
    for (ByteSet left = *fed; dead && !left.is_empty(); left &= ~ByteSet::of(left.first())) {
      dead = exprs.derivative(operand, left.first()) == ExprId::kNothing;
    }
    if (dead) return std::nullopt;
  }
  if (const std::optional<JsonPending> block = json_pending(decoder)) {
    const auto follower = [&](unsigned pending, unsigned i) {
      return exprs.derivative(operand, static_cast<std::uint8_t>(block->first + pending * block->width + i));
    };
    bool dead = true;
    for (unsigned i = 0; i < block->width && dead; ++i) dead = follower(block->pending, i) == ExprId::kNothing;
    if (dead) return std::nullopt;
    // Uses the smallest of all pending bits that the operand does not distinguish.
    for (unsigned p = block->least; p < block->pending; ++p) {
      unsigned i = 0;
      while (i < block->width && follower(p, i) == follower(block->pending, i)) ++i;
      if (i < block->width) continue;
      decoder = json_with_pending(decoder, static_cast<std::uint8_t>(p));
      break;
    }
  }
  return decoder;
}

ExprId json_string_tail(ExprSet& exprs, ExprId decoded, const JsonStringOptions& options) {
  return after_quote(exprs, kJsonString, decoded, options);
}

ExprId json_string_then(ExprSet& exprs, ExprId contents, const JsonStringOptions& options) {
  return after_quote(exprs, kJsonStringThen, contents, options);
}

ExprId json_up_to_quote(ExprSet& exprs) {
  const ExprId quote = exprs.literal({&kQuoteByte, 1});
  return exprs.concat(ExprId::kAllStrings, exprs.concat(quote, ExprId::kAllStrings));
}

bool is_json_content(const ExprSet& exprs, ExprId e) {
  return exprs.kind(e) == ExprKind::kAtom && &exprs.atom_of(e) == &kJsonStringContent;
}

ExprId json_contents_of(const ExprSet& exprs, ExprId e) { return ExprId{exprs.state_of(e).a}; }

bool have_one_spelling(const ExprSet& exprs, ExprId a, ExprId b) {
  return is_json_content(exprs, a) && is_json_content(exprs, b) && exprs.state_of(a).b == exprs.state_of(b).b;
}

ExprId json_string_then(ExprSet& exprs, ExprId contents, ExprId like) {
  return kJsonStringThen.with_operand(exprs, {0, exprs.state_of(like).b, 0, exprs.register_atom(kJsonStringThen)},
                                      contents);
}

ExprId json_string_content(ExprSet& exprs, ExprId decoded, const JsonStringOptions& options) {
  return after_quote(exprs, kJsonStringContent, decoded, options);
}

ExprId json_string(ExprSet& exprs, ExprId decoded, const JsonStringOptions& options) {
  return exprs.concat(exprs.literal("\""), json_string_tail(exprs, decoded, options));
}

}  // namespace weir::regex
