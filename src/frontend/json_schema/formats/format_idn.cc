// idn-hostname, idn-email: IDNA2008 (RFC 5890 to RFC 5893), as far as it is regular.
//
// The conditions on a label are automata over *symbols*. Each ASCII character is a symbol; other characters that no
// condition distinguishes share one. Each condition has a few states. Their product is minimised and extended from
// labels to names; this is done once a process. Lengths are counted separately (SectionAutomaton). The alternative, an
// expression over bytes, would be an intersection of some twenty languages, and masks would search it again for each
// number of remaining characters.
//
// Checked: the characters of a label and their contexts (RFC 5892); hyphens and leading marks (RFC 5891, section
// 4.2.3); the Bidi rule, for each label and for the name (RFC 5893, section 2). Not checked: normalization form C; the
// length of a label in Punycode, except by the number of its characters; what a label in Punycode decodes to.
#include <algorithm>
#include <map>
#include <utility>

#include "frontend/json_schema/formats/format_builder.h"
#include "frontend/json_schema/formats/idna_tables.h"
#include "frontend/search_bounds.h"
#include "regex/atoms/explicit_dfa.h"
#include "regex/atoms/section_automaton.h"
#include "regex/unicode/unicode.h"

namespace weir::frontend::json_schema {

namespace {

using regex::ByteSet;
using regex::CodePointRange;
using regex::CodePointSet;
using regex::ExplicitDfa;
using regex::ExprId;
using regex::SectionAutomaton;

/// A label in Punycode is xn--, at least one digit for each character, and two more for the first one. So 63 octets
/// hold at most 57 characters.
constexpr std::uint32_t kLongestWideLabel = 57;

/// Returns the union of the named Unicode properties. Names that do not exist are ignored; all callers use constants.
CodePointSet properties(std::initializer_list<std::string_view> names) {
  CodePointSet set;
  for (const std::string_view name : names) {
    if (const auto property = regex::unicode_property(name)) set = set | *property;
  }
  return set;
}

CodePointSet ranges(std::initializer_list<CodePointRange> list) {
  return CodePointSet(std::vector<CodePointRange>(list));
}

/// The exceptions of RFC 5892, section 2.6, by their values: PVALID; CONTEXTO, with the CONTEXTJ of section 2.8;
/// DISALLOWED.
CodePointSet always_valid() {
  return ranges({{0xDF, 0xDF}, {0x3C2, 0x3C2}, {0x6FD, 0x6FE}, {0xF0B, 0xF0B}, {0x3007, 0x3007}});
}
CodePointSet valid_in_context() {
  return ranges({{0xB7, 0xB7},
                 {0x375, 0x375},
                 {0x5F3, 0x5F4},
                 {0x660, 0x669},
                 {0x6F0, 0x6F9},
                 {0x200C, 0x200D},
                 {0x30FB, 0x30FB}});
}
CodePointSet never_valid() {
  return ranges({{0x640, 0x640}, {0x7FA, 0x7FA}, {0x302E, 0x302F}, {0x3031, 0x3035}, {0x303B, 0x303B}});
}

/// RFC 5892, section 3: the code points that are PVALID, CONTEXTJ or CONTEXTO.
CodePointSet label_characters() {
  const CodePointSet letter_digits = properties({"Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc"});
  // Unstable (section 2.2): characters that normalization and case folding change.
  const CodePointSet unstable = properties({"Changes_When_NFKC_Casefolded"});
  const CodePointSet ignorable = properties({"Default_Ignorable_Code_Point", "White_Space", "Noncharacter_Code_Point"});
  const CodePointSet ignorable_blocks = ranges({{0x20D0, 0x20FF}, {0x1D100, 0x1D1FF}, {0x1D200, 0x1D24F}});
  const CodePointSet old_hangul = ranges({{0x1100, 0x11FF}, {0xA960, 0xA97C}, {0xD7B0, 0xD7C6}, {0xD7CB, 0xD7FB}});
  const CodePointSet ldh = ranges({{'-', '-'}, {'0', '9'}, {'a', 'z'}});
  const CodePointSet derived = ldh | (letter_digits - unstable - ignorable - ignorable_blocks - old_hangul);
  return (derived - never_valid()) | always_valid() | valid_in_context();
}

CodePointSet table(IdnaTables::Ranges list) { return CodePointSet(list); }

/// The sets of characters that the conditions use.
struct Characters {
  CodePointSet label = label_characters();
  CodePointSet separators;
  CodePointSet marks = properties({"M"});
  CodePointSet right_to_left = table(idna_tables().right_to_left);
  CodePointSet arabic = table(idna_tables().arabic_number);
  CodePointSet european = table(idna_tables().european_number);
  CodePointSet non_spacing = table(idna_tables().non_spacing);
  CodePointSet neutral = european | table(idna_tables().neutral) | non_spacing;
  CodePointSet viramas = table(idna_tables().viramas);
  CodePointSet transparent = table(idna_tables().transparent);
  CodePointSet left_joining = table(idna_tables().left_joining);
  CodePointSet right_joining = table(idna_tables().right_joining);
  CodePointSet digits = CodePointSet::range(0x660, 0x669);
  CodePointSet extended_digits = CodePointSet::range(0x6F0, 0x6F9);
  CodePointSet japanese = properties({"Script=Hiragana", "Script=Katakana", "Script=Han"});
  CodePointSet greek = properties({"Script=Greek"});
  CodePointSet hebrew = properties({"Script=Hebrew"});
  CodePointSet non_joiner = CodePointSet::of(0x200C);
  CodePointSet joiner = CodePointSet::of(0x200D);
  CodePointSet middle_dot = CodePointSet::of(0xB7);
  CodePointSet keraia = CodePointSet::of(0x375);
  CodePointSet geresh = CodePointSet::of(0x5F3);
  CodePointSet gershayim = CodePointSet::of(0x5F4);
  CodePointSet katakana_dot = CodePointSet::of(0x30FB);

  [[nodiscard]] std::vector<const CodePointSet*> all() const {
    return {&label,       &separators,      &marks,    &right_to_left, &arabic,       &european,
            &non_spacing, &neutral,         &viramas,  &transparent,   &left_joining, &right_joining,
            &digits,      &extended_digits, &japanese, &greek,         &hebrew,       &non_joiner,
            &joiner,      &middle_dot,      &keraia,   &geresh,        &gershayim,    &katakana_dot};
  }
};

/// Maps the characters of names to symbols. Each ASCII character has its own; other characters share one if they are in
/// the same ones of `sets`.
class Symbols {
 public:
  explicit Symbols(const std::vector<const CodePointSet*>& sets, const CodePointSet& used) {
    for (char32_t c = 0; c < kAscii; ++c) classes_.push_back(CodePointSet::of(c) & used);
    std::vector<CodePointSet> wide{used - CodePointSet::range(0, kAscii - 1)};
    for (const CodePointSet* set : sets) {
      for (std::size_t i = 0, count = wide.size(); i < count; ++i) {
        const CodePointSet inside = wide[i] & *set;
        if (inside.is_empty() || inside == wide[i]) continue;
        wide[i] = wide[i] - inside;
        wide.push_back(inside);
      }
    }
    classes_.insert(classes_.end(), wide.begin(), wide.end());
  }

  [[nodiscard]] std::span<const CodePointSet> classes() const { return classes_; }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(classes_.size()); }
  /// Returns the symbols of a set. Precondition: it is a boolean combination of `sets` and ASCII characters.
  [[nodiscard]] ByteSet of(const CodePointSet& set) const {
    ByteSet symbols;
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      if (!classes_[i].is_empty() && set.contains(classes_[i].ranges().front().first)) {
        symbols.add(static_cast<std::uint8_t>(i));
      }
    }
    return symbols;
  }
  [[nodiscard]] ByteSet beyond_ascii() const { return ByteSet::range(kAscii, static_cast<std::uint8_t>(count() - 1)); }

 private:
  static constexpr char32_t kAscii = 0x80;
  std::vector<CodePointSet> classes_;
};

/// The conditions on a label, except its length, each as an automaton.
class IdnLabel {
 public:
  /// Bits with which a label is accepted. kPlain: a name without right-to-left labels may contain it. kBidi: a name
  /// with some may. kWide: it has characters beyond ASCII.
  static constexpr std::uint8_t kPlain = 1, kBidi = 2, kWide = 4;

  IdnLabel(const Characters& characters, const Symbols& symbols) : chars_(characters), symbols_(symbols) {
    add_well_formed();
    add_bidi_rule();
    add(ascii_, ascii_label(b_, regex::kUnbounded));
    add(left_to_right_, b_.many(one_of(chars_.label - chars_.right_to_left - chars_.arabic)));
    add(wide_, b_.containing(beyond_ascii()));
  }

  ExplicitDfa make() const {
    const auto accepted = [&](regex::ProductState states, std::size_t i) { return parts_[i].accepts[states[i]] != 0; };
    const auto alive = [&](regex::ProductState states, std::size_t i) { return states[i] != ExplicitDfa::kDead; };
    const auto judge = [&](regex::ProductState states, const auto& holds) {
      const auto is = [&](std::size_t i) { return holds(states, i); };
      const bool is_ascii = is(ascii_);
      const bool is_wide = std::ranges::all_of(well_formed_, is);
      std::uint8_t verdict = 0;
      if (is_ascii || (is_wide && is(left_to_right_))) verdict |= kPlain;
      if ((is_ascii || is_wide) && std::ranges::any_of(bidi_, is)) verdict |= kBidi;
      return verdict;
    };
    return regex::minimal(regex::side_by_side(
        parts_,
        [&](regex::ProductState states) {
          const std::uint8_t verdict = judge(states, accepted);
          return static_cast<std::uint8_t>(verdict != 0 && accepted(states, wide_) ? verdict | kWide : verdict);
        },
        [&](regex::ProductState states) { return judge(states, alive) == 0; }));
  }

 private:
  void add(std::size_t& index, ExprId condition) {
    index = parts_.size();
    parts_.push_back(regex::minimal(regex::explicit_dfa_of(b_.exprs(), condition, symbols_.count())));
  }
  void add(std::vector<std::size_t>& list, ExprId condition) { add(list.emplace_back(), condition); }
  ExprId one_of(const CodePointSet& set) { return b_.exprs().byte_set(symbols_.of(set)); }
  ExprId beyond_ascii() { return b_.exprs().byte_set(symbols_.beyond_ascii()); }

  void add_well_formed() {
    const ExprId any = b_.exprs().byte_set(ByteSet::all());
    const ExprId hyphen = b_.text("-");
    const ExprId first = b_.any({hyphen, one_of(chars_.marks & chars_.label)});
    add(well_formed_, b_.both(b_.some(one_of(chars_.label)), b_.containing(beyond_ascii())));
    add(well_formed_, b_.no(b_.any({b_.all({first, ExprId::kAllStrings}), b_.all({ExprId::kAllStrings, hyphen})})));
    add(well_formed_, b_.no(b_.all({any, any, b_.text("--"), ExprId::kAllStrings})));
    add_contexts();
  }

  /// The contextual rules of RFC 5892, appendix A, by their numbers.
  void add_contexts() {
    // 1: a non-joiner must follow a virama, or be between letters that would join.
    const ExprId transparent = b_.many(one_of(chars_.transparent));
    const ExprId joins = b_.all({ExprId::kAllStrings, one_of(chars_.left_joining), transparent});
    const ExprId joined = b_.all({transparent, one_of(chars_.right_joining), ExprId::kAllStrings});
    const ExprId after_virama = b_.all({ExprId::kAllStrings, one_of(chars_.viramas)});
    const ExprId non_joiner = one_of(chars_.non_joiner);
    add(well_formed_, b_.no(b_.all({b_.no(b_.any({after_virama, joins})), non_joiner, ExprId::kAllStrings})));
    add(well_formed_, b_.no(b_.all({b_.no(after_virama), non_joiner, b_.no(joined)})));
    add_after(chars_.joiner, chars_.viramas);                                      // 2
    add_after(chars_.middle_dot, CodePointSet::of('l'));                           // 3
    add_before(chars_.middle_dot, CodePointSet::of('l'));                          // 3
    add_before(chars_.keraia, chars_.greek);                                       // 4
    add_after(chars_.geresh, chars_.hebrew);                                       // 5
    add_after(chars_.gershayim, chars_.hebrew);                                    // 6
    add(well_formed_, b_.no(b_.except(b_.containing(one_of(chars_.katakana_dot)),  // 7
                                      b_.containing(one_of(chars_.japanese)))));
    add(well_formed_, b_.no(b_.both(b_.containing(one_of(chars_.digits)),  // 8, 9
                                    b_.containing(one_of(chars_.extended_digits)))));
  }
  void add_after(const CodePointSet& character, const CodePointSet& before) {
    const ExprId after = b_.all({ExprId::kAllStrings, one_of(before)});
    add(well_formed_, b_.no(b_.all({b_.no(after), one_of(character), ExprId::kAllStrings})));
  }
  void add_before(const CodePointSet& character, const CodePointSet& after) {
    const ExprId before = b_.all({one_of(after), ExprId::kAllStrings});
    add(well_formed_, b_.no(b_.all({ExprId::kAllStrings, one_of(character), b_.no(before)})));
  }

  /// The Bidi rule of RFC 5893, section 2, for right-to-left and left-to-right labels.
  void add_bidi_rule() {
    const ExprId marks = b_.many(one_of(chars_.non_spacing & chars_.label));
    const CodePointSet left = chars_.label - chars_.right_to_left - chars_.arabic - chars_.neutral;
    const auto one = [&](const CodePointSet& set) { return one_of(set & chars_.label); };
    const auto rule = [&](const CodePointSet& first, const CodePointSet& inner, const CodePointSet& last) {
      const ExprId end = b_.all({one(last), marks});
      const ExprId longer = b_.all({one(first), b_.many(one(inner)), end});
      return b_.any({b_.all({one(first & last), marks}), longer});
    };
    const CodePointSet ends = chars_.right_to_left | chars_.european | chars_.arabic;
    const ExprId mixed = b_.both(b_.containing(one(chars_.european)), b_.containing(one(chars_.arabic)));
    const CodePointSet inner = chars_.right_to_left | chars_.arabic | chars_.neutral;
    add(bidi_, b_.except(rule(chars_.right_to_left, inner, ends), mixed));
    add(bidi_, rule(left, left | chars_.neutral, left | chars_.european));
    // ASCII labels apart: only they may have upper-case letters. All their letters have Bidi_Class L.
    add(bidi_, b_.all({b_.one_of("A-Za-z"), b_.many(b_.one_of("A-Za-z0-9-"))}));
  }

  const Characters& chars_;
  const Symbols& symbols_;
  regex::ExprSet exprs_{kMaxNameNodes};
  FormatBuilder b_{exprs_};
  std::vector<ExplicitDfa> parts_;
  std::vector<std::size_t> well_formed_, bidi_;  // in parts_
  std::size_t ascii_ = 0, left_to_right_ = 0, wide_ = 0;
};

/// Extends an automaton of labels to names: labels with separators between them. If one label of a name is
/// right-to-left, all must obey the Bidi rule (RFC 5893), so the states track whether the labels so far were kPlain and
/// kBidi.
ExplicitDfa names_of(const ExplicitDfa& label, const ByteSet& separators) {
  constexpr std::uint8_t kBoth = IdnLabel::kPlain | IdnLabel::kBidi;
  struct Place {
    ExplicitDfa::State state;
    std::uint8_t kinds;  // kPlain and kBidi: those that all earlier labels have
    bool begins;
    auto operator<=>(const Place&) const = default;
  };
  ExplicitDfa made{label.symbols};
  std::vector<Place> places{{ExplicitDfa::kDead, 0, false}, {ExplicitDfa::kStart, kBoth, true}};
  std::map<Place, ExplicitDfa::State> numbers{{places[0], 0}, {places[1], 1}};
  const auto kinds_at = [&](const Place& place) {
    return static_cast<std::uint8_t>(label.accepts[place.state] & place.kinds);
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Place from = places[i];
    const std::uint8_t kinds = kinds_at(from);
    const std::uint8_t ending = kinds == 0 ? 0 : (label.accepts[from.state] & IdnLabel::kWide) != 0 ? 2 : 1;
    made.add(from.begins ? SectionAutomaton::kBegins : ending);
    for (std::uint32_t symbol = 0; symbol < label.symbols; ++symbol) {
      const bool separates = separators.contains(static_cast<std::uint8_t>(symbol));
      Place to = separates ? Place{ExplicitDfa::kStart, kinds, true}
                           : Place{label.step(from.state, symbol), from.kinds, false};
      if (to.state == ExplicitDfa::kDead || to.kinds == 0) to = places[0];
      const auto [it, is_new] = numbers.try_emplace(to, static_cast<ExplicitDfa::State>(places.size()));
      if (is_new) places.push_back(to);
      made.next[i * label.symbols + symbol] = it->second;
    }
  }
  return regex::minimal(made);
}

SectionAutomaton make_names(const CodePointSet& separators, std::uint32_t octets) {
  Characters characters;
  characters.separators = separators;
  const CodePointSet ascii = CodePointSet::range(0, 0x7F);
  const Symbols symbols(characters.all(), characters.label | separators | ascii);
  const ExplicitDfa label = IdnLabel(characters, symbols).make();
  return {names_of(label, symbols.of(separators)),
          symbols.classes(),
          {{kLongestLabel, kLongestWideLabel}, kLongestName, octets}};
}

}  // namespace

/// RFC 5890, section 2.3.2.3, with the separators of RFC 3490, section 3.1, which JSON Schema's tests require: . 。．｡
ExprId idn_hostname_format(FormatBuilder& b) {
  static const SectionAutomaton kNames = make_names(
      ranges({{'.', '.'}, {0x3002, 0x3002}, {0xFF0E, 0xFF0E}, {0xFF61, 0xFF61}}), regex::SectionPlace::kUncounted);
  return regex::section_texts(b.exprs(), kNames);
}

/// RFC 6531, section 3.3: UTF8-non-ascii in atoms and quoted strings, U-labels in domains.
ExprId idn_email_format(FormatBuilder& b) {
  static const SectionAutomaton kNames = make_names(CodePointSet::of('.'), kLongestDomain);
  return email_from(b, b.one_of(CodePointSet::range(0x80, 0x10FFFF)), regex::section_texts(b.exprs(), kNames));
}

}  // namespace weir::frontend::json_schema
