// PlainChecker: a hand-written recogniser of the viable prefixes of one language, byte by byte. It shares no code and
// no method with weir or the other oracles, so it independently determines where a text leaves the language.
#ifndef WEIR_TESTS_ORACLE_PLAIN_CHECKER_H_
#define WEIR_TESTS_ORACLE_PLAIN_CHECKER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace weir::oracle {

class PlainChecker {
 public:
  virtual ~PlainChecker() = default;

  /// Appends a byte and returns true if some string of the language begins with all bytes so far and this one;
  /// otherwise returns false and changes nothing.
  virtual bool push(std::uint8_t byte) = 0;

  /// Returns true if the bytes so far are a string of the language.
  [[nodiscard]] virtual bool complete() const = 0;

  [[nodiscard]] virtual std::unique_ptr<PlainChecker> clone() const = 0;

  /// Appends bytes up to the first that is refused, and returns their number.
  std::size_t push_all(std::string_view bytes) {
    std::size_t count = 0;
    while (count < bytes.size() && push(static_cast<std::uint8_t>(bytes[count]))) ++count;
    return count;
  }
};

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_PLAIN_CHECKER_H_
