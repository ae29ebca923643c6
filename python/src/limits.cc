// weir.Limits, and the classes of counts: EngineStats, CacheStats, StateStats, WarmUpReport.
#include <string>

#include "bindings.h"
#include "recipe.h"

namespace nb = nanobind;

namespace weir::python {

namespace {

// Makes each member of a struct of counts a field of its class.
template <typename Counts>
void def_counts(nb::class_<Counts>& counts) {
  for_each_member<Counts>([&](const char* name, auto member, const char*) { counts.def_ro(name, member); });
}

// Sets one field of Limits; `name` is its name in C++ and in Python.
template <typename T>
void set_field(T Limits::*field, Limits& limits, nb::handle value, std::string_view name) {
  T number = 0;
  if (!nb::try_cast(value, number)) {
    throw nb::value_error(
        ("the limit `" + std::string(name) + "` must be a count that is not negative and fits").c_str());
  }
  limits.*field = number;
}

Limits limits_of(const nb::kwargs& given) {
  Limits limits;
  for (const auto [key, value] : given) {
    const std::string_view name = utf8(nb::borrow<nb::str>(key));
    bool is_known = false;
    for_each_member<Limits>([&](const char* field_name, auto field, const char*) {
      if (name != field_name) return;
      is_known = true;
      set_field(field, limits, value, name);
    });
    if (!is_known) throw nb::type_error(("Limits has no field `" + std::string(name) + "`").c_str());
  }
  return limits;
}

}  // namespace

void bind_limits(nb::module_& module) {
  auto limits = nb::class_<Limits>(module, "Limits", R"(The limits of weir. A limit is a count, never a time.

Exceeding a limit raises an exception that names it (GrammarError.limit, LimitExceededError). Exceeding `state_memory`
or `cache_memory` is not an error: explored states, or compiled grammars, are dropped and made again when needed.
include/weir/limits.h says what each limit counts.

Limits(nesting=100, state_memory=1 << 30) has the defaults for all others.)");
  std::string signature = "def __init__(self, *";
  for_each_member<Limits>(
      [&](const char* name, auto, const char*) { signature += ", " + std::string(name) + ": int = ..."; });
  limits.def(
      "__init__", [](Limits* self, const nb::kwargs& given) { new (self) Limits(limits_of(given)); },
      nb::sig((signature + ") -> None").c_str()));
  for_each_member<Limits>([&](const char* name, auto field, const char*) { limits.def_ro(name, field); });
  limits.def(
      "__reduce__",
      [](const Limits& self) {
        nb::dict fields;
        for_each_member<Limits>([&](const char* name, auto field, const char*) { fields[name] = self.*field; });
        return reduced("load_limits", fields);
      },
      nb::sig(kReduceSignature));
  def_immutable_copy(limits);

  auto engine_stats = nb::class_<EngineStats>(
      module, "EngineStats", "Counts of what has been explored of a grammar so far, and the memory in use.");
  def_counts(engine_stats);

  auto report = nb::class_<WarmUpReport>(module, "WarmUpReport", R"(What CompiledGrammar.warm_up has done.

work: steps that this call took.
masks: masks that were computed.
is_complete: True if nothing was left to explore that warm-up would look for.)");
  def_counts(report);
  report.def("__repr__", [](const WarmUpReport& self) {
    return nb::str("<weir.WarmUpReport: work={}, masks={}, is_complete={}>")
        .format(self.work, self.masks, self.is_complete);
  });

  auto cache_stats = nb::class_<CacheStats>(module, "CacheStats", "Counts of a compiler's cache of grammars.");
  def_counts(cache_stats);

  auto state_stats = nb::class_<StateStats>(module, "StateStats", "Counts about the current state of a matcher.");
  def_counts(state_stats);
}

}  // namespace weir::python
