// Replacements in weir.wasm for the parts that only weir-full.wasm has. Each function here is also defined in src/,
// where WEIR_REPLACEABLE lets the linker prefer the definition here. The linker then drops what only the other one
// uses.
#include <cstdlib>

#include "canonical/canonical_automaton.h"
#include "earley/row_table.h"
#include "engine/automaton/shared_automaton.h"
#include "engine/canonical/canonical_product.h"
#include "engine/mask/mask_builder.h"
#include "frontend/json_schema/rules/schema_check.h"
#include "frontend/json_schema/rules/schema_rules.h"
#include "frontend/json_schema/rules/yaml_guard.h"
#include "frontend/json_schema/values/number_language.h"
#include "frontend/kbnf/kbnf.h"
#include "frontend/languages/language.h"
#include "frontend/lark/lark.h"
#include "frontend/structural_tag/response_format.h"
#include "grammar/passes/columns.h"
#include "lint/schema_lint.h"
#include "regex/analysis/contents.h"
#include "vocab/origin.h"
#include "weir/error.h"

namespace weir {

// Only a guard of YAML asks.
bool base::ends_yaml_key(std::string_view /*token*/) { return false; }

namespace {

Error not_in_core(const char* what) {
  return {ErrorCode::kUnsupported,
          std::string("the loaded module is weir.wasm, which does not have ") + what,
          {},
          "import from \"weir/full\", which loads weir-full.wasm"};
}

}  // namespace

Result<TokenizerInfo> vocab::make_tokenizer(Origin /*origin*/) {
  return tl::unexpected(not_in_core("the readers of tokenizer files"));
}

std::optional<grammar::RuleId> frontend::read_kbnf(std::string_view /*text*/, std::string_view /*start*/,
                                                   Reading& reading) {
  return reading.fail(not_in_core("the reader of KBNF"));
}

std::optional<grammar::RuleId> frontend::read_lark(std::string_view /*text*/, const GrammarTextOptions& /*options*/,
                                                   Reading& reading) {
  return reading.fail(not_in_core("the reader of Lark"));
}

std::optional<grammar::RuleId> frontend::read_language(std::string_view /*tables*/,
                                                       const GrammarTextOptions& /*options*/, Reading& reading) {
  return reading.fail(not_in_core("the grammars by name"));
}

std::string frontend::hint_for_response_format(const base::JsonValue& /*format*/) { return {}; }

// Masks of arrays whose items must differ are the same without an answer, and take longer.
bool regex::has_many_contents(ExprSet& /*exprs*/, ExprId /*e*/) { return false; }

// Frames are made of blocks of lines alone.
void earley::RowTable::note_insides_after(RowId /*from*/, std::size_t /*exit*/, RowId /*row*/) {}
void earley::RowTable::note_insides_of_union(std::span<const RowId> /*rows*/, RowId /*united*/) {}
base::Limit engine::MaskBuilder::add_frames(StateId& /*state*/, const FrameExits::Crossing& /*of*/,
                                            TokenPosition /*position*/) {
  return base::Limit::kNone;
}
void engine::MaskBuilder::list_frame_exit(const FrameExits::Crossing& /*of*/, StateId /*state*/) {}
void engine::MaskBuilder::list_frame_exits_below(const vocab::TokenTrie& /*trie*/, std::size_t /*node*/,
                                                 StateId /*state*/, std::span<const std::uint32_t> /*except*/) {}

Result<void> grammar::make_columns(Draft& draft, const Limits& /*limits*/) {
  if (!draft.indentation) return {};
  return tl::unexpected(not_in_core("blocks of lines"));
}

namespace frontend::json_schema {

// Masks of numbers are the same, and may meet a limit.
regex::ExprId NumberLanguage::multiples_within(const Decimal& divisor, const Interval& bounds) {
  return exprs_.intersection(multiples_of(divisor).value_or(regex::ExprId::kOverflow),
                             interval(bounds.first, bounds.second).value_or(regex::ExprId::kOverflow));
}

// Only checks call these, and weir.wasm has no checks.
void warn_of_unsatisfiable_schemas(SchemaStore& /*store*/, const std::vector<SchemaPlace>& /*places*/,
                                   const JsonSchemaOptions& /*options*/, const Limits& /*limits*/,
                                   std::vector<Warning>& /*warnings*/) {}
void warn_of_ineffective_keywords(const SchemaStore& /*store*/, const std::vector<SchemaPlace>& /*places*/,
                                  std::vector<Warning>& /*warnings*/) {}
void check_unused_schemas(SchemaStore& /*store*/, const std::vector<SchemaPlace>& /*reachable*/,
                          regex::ExprSet& /*exprs*/, const JsonSchemaOptions& /*options*/, const Limits& /*limits*/,
                          std::vector<Warning>& /*warnings*/) {}

// No schema's values are written in YAML, so none of the functions after this one is called.
std::optional<Error> refuse_yaml(Placement /*placement*/) { return not_in_core("YAML as a notation of schemas"); }
std::unique_ptr<grammar::TextGuard> make_yaml_guard(const base::QuotingTokens& /*tokens*/) { std::abort(); }
base::CutText spelled_in_yaml(const base::CutText& /*text*/) { std::abort(); }
std::string_view YamlReader::deciding_text(std::string_view /*text*/) { std::abort(); }
regex::ExprId SchemaRules::yaml_scalars(const Shape& /*shape*/, std::uint32_t /*depth*/, std::string& /*name*/) {
  std::abort();
}
regex::ExprId SchemaRules::yaml_keys(regex::ExprId /*keys*/, std::uint32_t /*form*/) { std::abort(); }
void SchemaRules::make_block(const Rule& /*container*/, grammar::GrowingCfg& /*out*/) { std::abort(); }
void SchemaRules::make_pair(const Rule& /*object*/, grammar::GrowingCfg& /*out*/) { std::abort(); }
void SchemaRules::make_line(const Rule& /*made*/, std::optional<grammar::Symbol> /*key*/, SetId /*value*/,
                            const Rule& /*rest*/, grammar::GrowingCfg& /*out*/) {
  std::abort();
}

// Messages of limits name the limit only.
std::string SchemaRules::place(std::uint32_t /*handle*/) { return {}; }

}  // namespace frontend::json_schema

namespace canonical {

bool is_available() { return false; }

Result<const CanonicalAutomaton*> CanonicalAutomaton::of(const vocab::Vocabulary& /*vocabulary*/) {
  return tl::unexpected(not_in_core("canonical tokenization"));
}

// CanonicalAutomaton::of makes no automaton, so none of the functions that follow is called.
Result<CanonicalId> CanonicalAutomaton::start(std::span<const std::uint32_t> /*context*/) const { std::abort(); }

}  // namespace canonical

namespace engine {

std::string SharedAutomaton::place_of_work(base::Limit /*limit*/) { return {}; }
CanonicalProduct& CanonicalProduct::of(SharedAutomaton&, const canonical::CanonicalAutomaton&) { std::abort(); }
base::Limit CanonicalProduct::write_mask(StateId, CanonicalId, TokenPosition, std::span<std::uint32_t>) {
  std::abort();
}
base::Answer CanonicalProduct::is_viable(StateId, CanonicalId) { std::abort(); }
CanonicalProduct::CanonicalId CanonicalProduct::step(CanonicalId, std::uint32_t) const { std::abort(); }
CanonicalProduct::CanonicalId CanonicalProduct::accept(CanonicalId, std::uint32_t) { std::abort(); }
std::optional<std::vector<std::uint32_t>> CanonicalProduct::tokens_after(CanonicalId, std::string_view) {
  std::abort();
}
base::Limit CanonicalProduct::find_way(StateId, CanonicalId, TokenPosition, std::vector<std::uint32_t>&) {
  std::abort();
}
std::uint32_t CanonicalProduct::number_of(StateId, CanonicalId) { std::abort(); }
std::uint32_t CanonicalProduct::number_within(const PairWithin&) { std::abort(); }
base::Limit CanonicalProduct::write_mask_within(const PairWithin&, std::span<std::uint32_t>) { std::abort(); }
base::Answer CanonicalProduct::is_allowed_within(const PairWithin&, std::uint32_t, StateId, CanonicalId) {
  std::abort();
}
base::Answer CanonicalProduct::fits(const PairWithin&, std::optional<std::uint32_t>&) { std::abort(); }
std::optional<std::uint32_t> CanonicalProduct::next_on_way(StateId, CanonicalId, TokenPosition) { std::abort(); }

}  // namespace engine

}  // namespace weir
