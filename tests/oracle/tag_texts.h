// TagTexts: the texts of a structural tag, by the definition in docs/structural_tags.md, read from the tag's JSON.
//
// HOW    Each format gets the set of places where it can end if it begins at a place of the whole text; sets of sets by
//        brute force. Free text is any piece of the text in which none of its strings begins, wherever that string
//        would end. A constant or a pattern is one in which no end of its tag begins that is complete after it.
//        It knows ASCII texts of at most 31 bytes; formats without a style or bounds; special tokens as single bytes.
#ifndef WEIR_TESTS_ORACLE_TAG_TEXTS_H_
#define WEIR_TESTS_ORACLE_TAG_TEXTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::oracle {

class TagTexts {
 public:
  /// The byte that stands for a special token in texts.
  static constexpr char kToken = '@';

  /// Reads `{"format": ...}`. Precondition: the tag is valid, and all its tokens are one special token.
  explicit TagTexts(std::string_view json);
  ~TagTexts();

  /// Returns true if `text` is one of the tag's texts.
  [[nodiscard]] bool contains(std::string_view text);

 private:
  struct Json;
  struct Reader;
  using Strings = std::vector<std::string>;
  using Places = std::uint32_t;  // a bit for each place in the text

  // What a free text knows of strings: those at which something else begins, and those that it does not hold.
  struct Text {
    Strings ends;
    Strings excluded;
    [[nodiscard]] bool is_kept_out(const std::string& string) const;
  };

  Places ends_of(const Json& format, const Strings& tag_ends, std::size_t from);
  Places ends_from(const Json& format, const Strings& tag_ends, Places from);
  Places compute(const Json& format, const Strings& tag_ends, std::size_t from);
  Places tag(const Json& tag, const Strings& tag_ends, std::size_t from);
  Places free_text(const Text& text, std::size_t from) const;
  [[nodiscard]] Places uncrossed(Places places, const Strings& tag_ends, std::size_t from) const;
  Places triggered(const Json& format, const Strings& tag_ends, std::size_t from);
  Places dispatch(const Json& format, const Strings& tag_ends, std::size_t from);
  Places separated(const Json& format, const Strings& tag_ends, std::size_t from);
  Places repeated(const Json& content, const Strings& tag_ends, std::size_t from, int min, int max);
  // Free text, and after each trigger what `then` says; `stop`: nothing after that. The text and the trigger that ends
  // it contain none of `never`.
  Places text_and_calls(const Text& text, const Strings& triggers, const Strings& never, bool stop, std::size_t from,
                        const std::function<Places(std::size_t trigger, std::size_t from)>& then);
  [[nodiscard]] Places literal(std::string_view string, std::size_t from) const;
  [[nodiscard]] Places whole_matches(const std::function<bool(const std::string&)>& is_match, std::size_t from) const;

  std::unique_ptr<Json> root_;
  std::string text_;
  std::map<std::pair<const Json*, std::pair<std::size_t, Strings>>, Places> known_;
};

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_TAG_TEXTS_H_
