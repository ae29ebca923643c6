// Faults that are known: known.toml. The suite fails at a fault that is not known, and at a known one that is gone.
#ifndef WEIR_TESTS_GROWTH_KNOWN_H_
#define WEIR_TESTS_GROWTH_KNOWN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "growth/cases.h"
#include "growth/judge.h"

namespace weir::growth {

class Known {
 public:
  /// Reads tests/growth/known.toml.
  Known();

  /// Returns true if a fault is known at this size or a smaller one.
  [[nodiscard]] bool contains(const Fault& fault) const;
  /// Returns the smallest size of a case at which a fault of time is known, or UINT64_MAX.
  [[nodiscard]] std::uint64_t first_slow(const Case& one, const std::string& limits) const;
  /// Returns the known faults of a case, at one of `sizes`, that are not in `found`.
  [[nodiscard]] std::vector<std::string> gone(const Case& one, const std::string& limits,
                                              const std::vector<std::uint64_t>& sizes,
                                              const std::vector<Fault>& found) const;
  /// Writes known.toml again, without the keys in `gone`, and with `added` in a group that still has to say why.
  void rewrite(const std::vector<std::string>& gone, const std::vector<Fault>& added) const;
  /// Returns the causes that the file names.
  [[nodiscard]] std::vector<std::string> causes() const;
  [[nodiscard]] std::size_t size() const { return sizes_.size(); }

 private:
  struct Group {
    std::string why;
    std::vector<std::string> lines;
  };
  std::vector<Group> groups_;
  std::map<std::string, std::uint64_t> sizes_;  // by Fault::key
};

}  // namespace weir::growth

#endif  // WEIR_TESTS_GROWTH_KNOWN_H_
