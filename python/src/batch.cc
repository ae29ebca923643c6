// weir.BatchGrammarMatcher
#include "weir/batch.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "array_view.h"
#include "bindings.h"
#include "errors.h"
#include "matcher.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace weir::python {

namespace {

// A BatchMatcher, whose threads work on one call at a time.
struct Batch {
  explicit Batch(const BatchOptions& options) : matcher(options) {}
  BatchMatcher matcher;
  std::mutex mutex;
};

// Returns the matchers of a call; null for a row without one. Raises ValueError if a matcher occurs twice.
std::vector<Matcher*> rows_of(const std::vector<std::optional<Matcher*>>& given) {
  std::vector<Matcher*> rows;
  for (const auto& row : given) rows.push_back(row.value_or(nullptr));
  std::vector<Matcher*> sorted = rows;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] != nullptr && sorted[i] == sorted[i - 1]) throw nb::value_error("a matcher is in `matchers` twice");
  }
  return rows;
}

// Calls `body` with the C++ matchers, without Python's lock, while their mutexes are locked. The mutexes are locked in
// the order of their addresses, so that two calls cannot deadlock.
template <typename Body>
void with_all(Batch& self, const std::vector<Matcher*>& rows, const Body& body) {
  const nb::gil_scoped_release released;
  const std::lock_guard turn(self.mutex);
  std::vector<Matcher*> sorted = rows;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::unique_lock<std::mutex>> turns;
  std::vector<GrammarMatcher*> matchers;
  for (Matcher* matcher : sorted) {
    if (matcher != nullptr) turns.emplace_back(matcher->mutex());
  }
  matchers.reserve(rows.size());
  for (Matcher* matcher : rows) matchers.push_back(matcher != nullptr ? &matcher->matcher() : nullptr);
  body(matchers);
}

// Raises an exception for the first row whose step is neither kOk nor kRefused; otherwise returns for each row whether
// its step is kOk.
std::vector<bool> outcomes(const std::vector<Matcher*>& rows, const std::vector<Step>& steps) {
  std::vector<bool> out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string where = "row " + std::to_string(i) + ": ";
    if (steps[i] == Step::kTerminated) raise("TerminatedError", where + "the matcher has accepted a stop token");
    if (steps[i] == Step::kLimitExceeded) {
      raise_limit(where + rows[i]->locked([](const GrammarMatcher& matcher) { return matcher.limit_message(); }));
    }
    out.push_back(steps[i] == Step::kOk);
  }
  return out;
}

void fill(Batch& self, const std::vector<std::optional<Matcher*>>& matchers, nb::handle bitmask) {
  const std::vector<Matcher*> rows = rows_of(matchers);
  const ArrayView view(bitmask, "bitmask", true);
  check_bitmask_type(view);
  if (view.rows() != rows.size()) {
    throw nb::value_error(
        ("`bitmask` has " + std::to_string(view.rows()) + " rows for " + std::to_string(rows.size()) + " matchers")
            .c_str());
  }
  for (const Matcher* row : rows) {
    if (row != nullptr) check_bitmask_words(view, row->vocab_size());
  }
  std::vector<Step> steps(rows.size(), Step::kOk);
  if (rows.empty()) return;
  with_all(self, rows, [&](const std::vector<GrammarMatcher*>& all) {
    static_cast<void>(self.matcher.fill_next_token_bitmasks(all, {view.words(0), view.rows() * view.columns()}, steps));
  });
  outcomes(rows, steps);
}

nb::object next_bitmasks(nb::handle_t<Batch> self, const std::vector<std::optional<Matcher*>>& matchers) {
  const std::vector<Matcher*> rows = rows_of(matchers);
  const Matcher* first = nullptr;
  for (const Matcher* row : rows) {
    if (first == nullptr) first = row;
    if (row != nullptr && row->vocab_size() != first->vocab_size()) {
      throw nb::value_error("the matchers of a batch have vocabularies of different sizes");
    }
  }
  std::vector<Step> steps(rows.size(), Step::kOk);
  std::span<const std::uint32_t> bitmasks;
  Batch& batch = nb::cast<Batch&>(self);
  with_all(batch, rows, [&](const std::vector<GrammarMatcher*>& all) {
    static_cast<void>(batch.matcher.next_token_bitmasks(all, steps, bitmasks));
  });
  outcomes(rows, steps);
  // The array keeps the batch alive, and with it the memory.
  const std::size_t columns = rows.empty() ? 0 : bitmasks.size() / rows.size();
  return nb::cast(
      nb::ndarray<nb::numpy, const std::int32_t, nb::ndim<2>>(bitmasks.data(), {rows.size(), columns}, self));
}

std::vector<bool> accept(Batch& self, const std::vector<std::optional<Matcher*>>& matchers,
                         const std::vector<std::int64_t>& token_ids) {
  const std::vector<Matcher*> rows = rows_of(matchers);
  if (rows.size() != token_ids.size()) {
    throw nb::value_error(
        ("there are " + std::to_string(token_ids.size()) + " tokens for " + std::to_string(rows.size()) + " matchers")
            .c_str());
  }
  std::vector<std::uint32_t> tokens(rows.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] != nullptr) tokens[i] = checked_token(token_ids[i], rows[i]->vocab_size());
  }
  std::vector<Step> steps(rows.size(), Step::kOk);
  with_all(self, rows, [&](const std::vector<GrammarMatcher*>& all) {
    static_cast<void>(self.matcher.accept_tokens(all, tokens, steps));
  });
  return outcomes(rows, steps);
}

}  // namespace

void bind_batch(nb::module_& module) {
  nb::class_<Batch>(module, "BatchGrammarMatcher",
                    R"(Fills masks and accepts tokens for a batch of matchers with one call, on several threads.

threads: the number of threads that work on a call, including the caller's; 0: the number of the machine's processors.
    Waking a thread takes 15 µs or more, so small batches of known states stay on the caller's.
prefetch: True: after accept_tokens, as many more threads make the masks of the matchers' new states while the model
    computes. No result changes by it. Matchers with `max_tokens` and grammars with bounds on tokens are left out.)")
      .def(
          "__init__",
          [](Batch* self, std::int64_t threads, bool prefetch) {
            if (threads < 0 || threads > 4096) throw nb::value_error("`threads` must be a count from 0 to 4096");
            new (self) Batch({.threads = static_cast<unsigned>(threads), .prefetch = prefetch});
          },
          "threads"_a = 0, nb::kw_only(), "prefetch"_a = false)
      .def("fill_next_token_bitmasks", &fill, "matchers"_a, "bitmask"_a.none(),
           nb::sig("def fill_next_token_bitmasks(self, matchers: collections.abc.Sequence[GrammarMatcher | None], "
                   "bitmask: typing.Any) -> None"),
           R"(Calls GrammarMatcher.fill_next_token_bitmask for each row.

matchers: one for each row; None for a row without a grammar, which is not changed.
bitmask: int32, shape (len(matchers), ceil(vocab_size / 32)), otherwise as there.
Raises ValueError: a matcher occurs twice. Otherwise as there; TerminatedError and LimitExceededError name the first
    such row, which is all zero. The other rows are filled nevertheless.)")
      .def(
          "next_token_bitmasks", &next_bitmasks, "matchers"_a,
          nb::sig("def next_token_bitmasks(self, matchers: collections.abc.Sequence[GrammarMatcher | None]) -> "
                  "numpy.typing.NDArray[numpy.int32]"),
          R"(Returns the same masks in memory of the batch: int32, shape (len(matchers), ceil(vocab_size / 32)), read-only.

Only what differs from the last call's masks is written, and with `prefetch` mostly before this call. What is in the array
is valid until the batch's next call of any kind.
matchers: one for each row; None for a row without a grammar, in which all bits are set. If all are None, there are no
    columns.
Raises ValueError: vocabularies of different sizes; otherwise as fill_next_token_bitmasks.)")
      .def("accept_tokens", &accept, "matchers"_a, "token_ids"_a,
           nb::sig("def accept_tokens(self, matchers: collections.abc.Sequence[GrammarMatcher | None], token_ids: "
                   "collections.abc.Sequence[int]) -> list[bool]"),
           R"(Calls GrammarMatcher.accept_token for each row; returns the results, True for a row without a grammar.

Raises as there. TerminatedError and LimitExceededError name the first such row; the other rows are processed
    nevertheless.)");
}

}  // namespace weir::python
