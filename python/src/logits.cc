// Masks logits in the CPU's memory.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <vector>

#include "array_view.h"
#include "bindings.h"
#include "weir/logits.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace weir::python {

namespace {

LogitType logit_type(const ArrayView& logits) {
  switch (logits.type()) {
    case ElementType::kFloat32: return LogitType::kFloat32;
    case ElementType::kFloat16: return LogitType::kFloat16;
    case ElementType::kBFloat16: return LogitType::kBFloat16;
    case ElementType::kInt32:
    case ElementType::kOther: break;
  }
  const std::string found = logits.type() == ElementType::kInt32 ? "int32" : logits.type_name();
  throw nb::type_error(("`logits` has elements of type " + found + "; float32, float16 or bfloat16 is needed").c_str());
}

void check_shapes(const ArrayView& logits, const ArrayView& bitmask, bool has_indices) {
  if (!has_indices && logits.rows() != bitmask.rows()) {
    throw nb::value_error(
        ("`logits` has " + std::to_string(logits.rows()) + " rows, `bitmask` " + std::to_string(bitmask.rows()))
            .c_str());
  }
  const std::size_t words = bitmask_words(logits.columns());
  if (words < bitmask.columns()) {
    throw nb::value_error(("`bitmask` has " + std::to_string(bitmask.columns()) + " words a row, of 32 tokens each; " +
                           "the " + std::to_string(logits.columns()) + " columns of `logits` need " +
                           std::to_string(words))
                              .c_str());
  }
}

std::size_t checked_row(std::int64_t row, const ArrayView& logits, const ArrayView& bitmask) {
  const std::size_t rows = std::min(logits.rows(), bitmask.rows());
  if (row >= 0 && static_cast<std::size_t>(row) < rows) return static_cast<std::size_t>(row);
  throw nb::index_error(("`indices` has row " + std::to_string(row) + "; there are " + std::to_string(rows)).c_str());
}

void apply(nb::handle logits, nb::handle bitmask, const std::optional<std::vector<std::int64_t>>& indices) {
  const ArrayView scores(logits, "logits", true);
  const ArrayView mask(bitmask, "bitmask", false);
  const LogitType type = logit_type(scores);
  check_bitmask_type(mask);
  check_shapes(scores, mask, indices.has_value());
  std::vector<std::size_t> rows;
  if (indices) {
    for (const std::int64_t row : *indices) rows.push_back(checked_row(row, scores, mask));
  }
  const std::size_t count = indices ? rows.size() : scores.rows();
  const nb::gil_scoped_release released;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = indices ? rows[i] : i;
    apply_token_bitmask_inplace(scores.row(row), scores.columns(), type, {mask.words(row), mask.columns()});
  }
}

}  // namespace

void bind_logits(nb::module_& module) {
  module.def("apply_token_bitmask_inplace", &apply, "logits"_a.none(), "bitmask"_a.none(), "indices"_a = nb::none(),
             nb::sig("def apply_token_bitmask_inplace(logits: typing.Any, bitmask: typing.Any, indices: "
                     "collections.abc.Sequence[int] | None = None) -> None"),
             "Does what weir.apply_token_bitmask_inplace does, for arrays in the CPU's memory.");
}

}  // namespace weir::python
