// weir.Limits, and the classes of counts: EngineStats, CacheStats, StateStats, WarmUpReport.
#include <string>

#include "bindings.h"
#include "recipe.h"

namespace nb = nanobind;

namespace weir::python {

namespace {

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
    for_each_limit([&](const char* field_name, auto field) {
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
  for_each_limit([&](const char* name, auto) { signature += ", " + std::string(name) + ": int = ..."; });
  limits.def(
      "__init__", [](Limits* self, const nb::kwargs& given) { new (self) Limits(limits_of(given)); },
      nb::sig((signature + ") -> None").c_str()));
  for_each_limit([&](const char* name, auto field) { limits.def_ro(name, field); });
  limits.def(
      "__reduce__",
      [](const Limits& self) {
        nb::dict fields;
        for_each_limit([&](const char* name, auto field) { fields[name] = self.*field; });
        return reduced("load_limits", fields);
      },
      nb::sig(kReduceSignature));
  def_immutable_copy(limits);

  nb::class_<EngineStats>(module, "EngineStats",
                          "Counts of what has been explored of a grammar so far, and the memory in use.")
      .def_ro("states", &EngineStats::states)
      .def_ro("transitions", &EngineStats::transitions)
      .def_ro("rows", &EngineStats::rows)
      .def_ro("row_items", &EngineStats::row_items)
      .def_ro("continuations", &EngineStats::continuations)
      .def_ro("lexer_states", &EngineStats::lexer_states)
      .def_ro("regex_nodes", &EngineStats::regex_nodes)
      .def_ro("masks", &EngineStats::masks)
      .def_ro("trie_nodes", &EngineStats::trie_nodes)
      .def_ro("cache_flushes", &EngineStats::cache_flushes)
      .def_ro("memory_bytes", &EngineStats::memory_bytes);

  nb::class_<WarmUpReport>(module, "WarmUpReport", R"(What CompiledGrammar.warm_up has done.

work: steps that this call took.
masks: masks that were computed.
is_complete: True if nothing was left to explore that warm-up would look for.)")
      .def_ro("work", &WarmUpReport::work)
      .def_ro("masks", &WarmUpReport::masks)
      .def_ro("is_complete", &WarmUpReport::is_complete)
      .def("__repr__", [](const WarmUpReport& self) {
        return nb::str("<weir.WarmUpReport: work={}, masks={}, is_complete={}>")
            .format(self.work, self.masks, self.is_complete);
      });

  nb::class_<CacheStats>(module, "CacheStats", "Counts of a compiler's cache of grammars.")
      .def_ro("hits", &CacheStats::hits)
      .def_ro("misses", &CacheStats::misses)
      .def_ro("evictions", &CacheStats::evictions)
      .def_ro("entries", &CacheStats::entries)
      .def_ro("memory_bytes", &CacheStats::memory_bytes);

  nb::class_<StateStats>(module, "StateStats", "Counts about the current state of a matcher.")
      .def_ro("state", &StateStats::state)
      .def_ro("threads", &StateStats::threads)
      .def_ro("terminals_in_progress", &StateStats::terminals_in_progress)
      .def_ro("byte_classes", &StateStats::byte_classes)
      .def_ro("known_transitions", &StateStats::known_transitions)
      .def_ro("mask_known", &StateStats::mask_known);
}

}  // namespace weir::python
