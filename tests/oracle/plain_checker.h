// PlainChecker: a hand-written recogniser of one language's viable prefixes, byte by byte. It shares nothing with weir,
// not even the other oracles' general methods, and knows exactly one language; so it can say where a plain parser of
// that language would stop.
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

  /// Appends a byte, if some string of the language begins with all bytes so far and this one. Otherwise false,
  /// unchanged.
  virtual bool push(std::uint8_t byte) = 0;

  /// Whether the bytes so far are a string of the language.
  [[nodiscard]] virtual bool complete() const = 0;

  [[nodiscard]] virtual std::unique_ptr<PlainChecker> clone() const = 0;

  /// Appends bytes up to the first that is refused; how many that were.
  std::size_t push_all(std::string_view bytes) {
    std::size_t count = 0;
    while (count < bytes.size() && push(static_cast<std::uint8_t>(bytes[count]))) ++count;
    return count;
  }
};

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_PLAIN_CHECKER_H_
