// weir.Limits, and the counts that tell what exploring costs.
#include "bindings.h"
#include "recipe.h"

namespace nb = nanobind;

namespace weir::python {

namespace {

// One field of Limits, by its name in C++ and Python.
template <typename T>
void set_field(T Limits::*field, Limits& limits, nb::handle value, std::string_view name) {
  T number = 0;
  if (!nb::try_cast(value, number)) {
    throw nb::value_error(
        ("the limit `" + std::string(name) + "` must be a count that is not negative and fits").c_str());
  }
  limits.*field = number;
}

template <typename Visit>
void for_each_field(const Visit& visit) {
  visit("text_bytes", &Limits::text_bytes);
  visit("nesting", &Limits::nesting);
  visit("grammar_symbols", &Limits::grammar_symbols);
  visit("repeat_count", &Limits::repeat_count);
  visit("number_digits", &Limits::number_digits);
  visit("schema_steps", &Limits::schema_steps);
  visit("regex_nodes", &Limits::regex_nodes);
  visit("regex_fuel", &Limits::regex_fuel);
  visit("lexer_states", &Limits::lexer_states);
  visit("row_items", &Limits::row_items);
  visit("configuration_threads", &Limits::configuration_threads);
  visit("lookahead_threads", &Limits::lookahead_threads);
  visit("completion_bytes", &Limits::completion_bytes);
  visit("capture_items", &Limits::capture_items);
  visit("state_memory", &Limits::state_memory);
  visit("cache_memory", &Limits::cache_memory);
  visit("token_dfa_states", &Limits::token_dfa_states);
  visit("token_dfa_transitions", &Limits::token_dfa_transitions);
}

Limits limits_of(const nb::kwargs& given) {
  Limits limits;
  for (const auto [key, value] : given) {
    const std::string_view name = utf8(nb::borrow<nb::str>(key));
    bool is_known = false;
    for_each_field([&](const char* field_name, auto field) {
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
  auto limits = nb::class_<Limits>(module, "Limits", R"(Every budget of weir. A limit is a count, never a clock.

Exceeding a limit raises an exception that names it (GrammarError.limit, LimitExceededError); `state_memory` and
`cache_memory` are no errors: what was explored, or compiled, is dropped and made again. include/weir/limits.h says what
each one counts.

Limits(nesting=100, state_memory=1 << 30) has the defaults for all others.)");
  limits.def(
      "__init__", [](Limits* self, const nb::kwargs& given) { new (self) Limits(limits_of(given)); },
      nb::sig("def __init__(self, *, text_bytes: int = ..., nesting: int = ..., grammar_symbols: int = ..., "
              "repeat_count: int = ..., number_digits: int = ..., schema_steps: int = ..., regex_nodes: int = ..., "
              "regex_fuel: int = ..., lexer_states: int = ..., row_items: int = ..., "
              "configuration_threads: int = ..., lookahead_threads: int = ..., completion_bytes: int = ..., "
              "capture_items: int = ..., state_memory: int = ..., cache_memory: int = ..., "
              "token_dfa_states: int = ..., token_dfa_transitions: int = ...) -> None"));
  for_each_field([&](const char* name, auto field) { limits.def_ro(name, field); });
  limits.def(
      "__reduce__",
      [](const Limits& self) {
        nb::dict fields;
        for_each_field([&](const char* name, auto field) { fields[name] = self.*field; });
        return reduced("load_limits", fields);
      },
      nb::sig(kReduceSignature));
  def_immutable_copy(limits);

  nb::class_<EngineStats>(module, "EngineStats", "What exploring a grammar has cost so far: counts, and bytes held.")
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

  nb::class_<CacheStats>(module, "CacheStats", "What a compiler's cache of grammars holds and has done.")
      .def_ro("hits", &CacheStats::hits)
      .def_ro("misses", &CacheStats::misses)
      .def_ro("evictions", &CacheStats::evictions)
      .def_ro("entries", &CacheStats::entries)
      .def_ro("memory_bytes", &CacheStats::memory_bytes);

  nb::class_<StateStats>(module, "StateStats", "Counts about the state that a matcher stands in.")
      .def_ro("state", &StateStats::state)
      .def_ro("threads", &StateStats::threads)
      .def_ro("terminals_in_progress", &StateStats::terminals_in_progress)
      .def_ro("byte_classes", &StateStats::byte_classes)
      .def_ro("known_transitions", &StateStats::known_transitions)
      .def_ro("mask_known", &StateStats::mask_known);
}

}  // namespace weir::python
