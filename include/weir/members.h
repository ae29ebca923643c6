// The members of the structs of options, limits and counters, by name, for programs that read or show them.
//
//     weir::for_each_member<weir::Limits>([&](const char* name, auto member, const char* comment) {
//       std::cout << name << " = " << limits.*member << "  // " << comment << "\n";
//     });
#ifndef WEIR_MEMBERS_H_
#define WEIR_MEMBERS_H_

// Written by tools/generate from the headers that declare them. Do not edit.
// clang-format off

#include <span>
#include <string_view>

#include "weir/batch.h"
#include "weir/compiler.h"
#include "weir/diagnostic.h"
#include "weir/grammar.h"
#include "weir/json_schema.h"
#include "weir/kbnf.h"
#include "weir/limits.h"
#include "weir/matcher.h"
#include "weir/reply_parser.h"
#include "weir/tokenizer_info.h"
#include "weir/tools.h"

namespace weir {

/// A word that stands for an enumerator in JSON and on command lines: "byte_fallback" for kByteFallback.
struct Word {
  std::string_view word;
  std::string_view comment;
};

template <typename Enum>
struct EnumInfo;
template <typename Struct>
struct StructInfo;

/// The words of an enumeration, in the order of its enumerators, which are numbered from 0.
template <typename Enum>
inline constexpr std::span<const Word> kWords = EnumInfo<Enum>::kWords;

/// Calls `visit(name, member, comment)` for each member of a struct: a pointer to the member, and the first sentence of
/// what its header says.
template <typename Struct, typename Visit>
void for_each_member(const Visit& visit) {
  StructInfo<Struct>::visit(visit);
}

template <>
struct EnumInfo<TokenKind> {
  static constexpr Word kWords[] = {
      {"normal", "Text: its bytes match terminals of a grammar."},
      {"byte", "Text of one byte, from a byte fallback (`<0x0A>`)."},
      {"special", "A control token."},
      {"unused", "Reserved or padding: never allowed."},
  };
};

template <>
struct EnumInfo<TokenSpelling> {
  static constexpr Word kWords[] = {
      {"bytes", "As their bytes."},
      {"byte_fallback", "As SentencePiece does: `▁` is a space, `<0x0A>` a byte."},
      {"byte_level", "As GPT-2 does: a character for each byte."},
  };
};

template <>
struct EnumInfo<GrammarSyntax> {
  static constexpr Word kWords[] = {
      {"ebnf", "weir's own."},
      {"gbnf", "llama.cpp's."},
      {"xgrammar", "XGrammar's EBNF."},
      {"kbnf", "kbnf's."},
      {"lark", "Lark with llguidance's extensions."},
  };
};

template <>
struct EnumInfo<RegexMatch> {
  static constexpr Word kWords[] = {
      {"full", "The whole output matches."},
      {"search", "Some part of the output matches, unless the pattern has anchors."},
  };
};

template <>
struct EnumInfo<RegexDialect> {
  static constexpr Word kWords[] = {
      {"weir", "Refuses constructs that mean different things in the other dialects."},
      {"ecma262", "As ECMA-262 with annex B reads it, for patterns written for JavaScript."},
      {"rust", "As Rust's regex crate reads it."},
      {"python", "As Python's `re` reads a `str`."},
      {"pcre", "As PCRE2 reads it with its option UTF."},
  };
};

template <>
struct EnumInfo<SubstringUnit> {
  static constexpr Word kWords[] = {
      {"character", "Code points."},
      {"word", "Runs of letters, digits and `_`; runs of blanks; runs of other characters."},
  };
};

template <>
struct EnumInfo<Tokenization> {
  static constexpr Word kWords[] = {
      {"any", "Every sequence of tokens whose bytes are in the language."},
      {"canonical", "The one sequence for each text that the tokenizer itself would write."},
  };
};

template <>
struct EnumInfo<ReplyEventKind> {
  static constexpr Word kWords[] = {
      {"reasoning_begins", "The opening tag of the reasoning."},
      {"reasoning", "`text` continues the reasoning."},
      {"reasoning_ends", "The closing tag of the reasoning."},
      {"text", "`text` continues the answer."},
      {"call_begins", "`name` is whole."},
      {"arguments", "`text` continues the arguments of the call, as JSON."},
      {"call_ends", "The arguments are complete JSON."},
      {"call_invalid", "The call is not valid: what was read of it, `text`, is content, as is the rest."},
      {"markup", "Bytes that say nothing by themselves."},
      {"object_begins", "An object."},
      {"array_begins", "An array."},
      {"string", "`text` continues a string, without escapes; the first has no text."},
      {"number", "A number, `text`, which can no longer grow."},
      {"boolean", "`text` is `true` or `false`."},
      {"null", "null."},
      {"string_ends", "The string is complete."},
      {"object_ends", "The object is complete."},
      {"array_ends", "The array is complete."},
      {"input", "`text`, which may be empty, continues the input of a call of a custom tool, as it is."},
      {"capture_begins", "A capture, `name`."},
      {"capture", "`text` continues the innermost capture that has not ended, `name`."},
      {"capture_ends", "The capture, `name`, is complete."},
  };
};

template <>
struct EnumInfo<JsonSchemaOptions::Draft> {
  static constexpr Word kWords[] = {
      {"4", "Draft 4."},
      {"6", "Draft 6."},
      {"7", "Draft 7."},
      {"2019-09", "Draft 2019-09."},
      {"2020-12", "Draft 2020-12."},
  };
};

template <>
struct EnumInfo<JsonSchemaOptions::Reading> {
  static constexpr Word kWords[] = {
      {"specification", "Nothing: `const` has no effect in draft 4, nor has `minLength` beside `$ref` up to draft 7."},
      {"practice", "Both count, as in most validators: keywords of later drafts, and siblings of `$ref`."},
  };
};

template <>
struct EnumInfo<JsonSchemaOptions::Formats> {
  static constexpr Word kWords[] = {
      {"assert", "`format` is asserted, as far as docs/json_schema_formats.md says."},
      {"annotate", "`format` has no effect, which is the default of the specification since 2019-09."},
  };
};

template <>
struct EnumInfo<JsonSchemaOptions::UnknownFormats> {
  static constexpr Word kWords[] = {
      {"warn", "An unknown format has no effect and gives a warning."},
      {"refuse", "An unknown format is an error."},
  };
};

template <>
struct EnumInfo<JsonSchemaOptions::UnknownKeywords> {
  static constexpr Word kWords[] = {
      {"ignore", "It has no effect, as the specification says."},
      {"refuse", "It is an error, unless its name begins with `x-`."},
  };
};

template <>
struct EnumInfo<JsonSchemaOptions::Notation> {
  static constexpr Word kWords[] = {
      {"json", "JSON."},
      {"yaml", "YAML 1.2, in texts that readers of YAML 1.1 read alike."},
  };
};

template <>
struct EnumInfo<JsonSchemaOptions::Whitespace> {
  static constexpr Word kWords[] = {
      {"bounded", "Up to `whitespace_limit` blanks (space, tab, line ends) wherever JSON allows them."},
      {"none", "None: `{\"a\":[1,2]}`."},
      {"compact", "One space after each comma and colon: `{\"a\": [1, 2]}`."},
      {"indented", "Each item and member on a line of its own, `indent` spaces per level, as pretty printers write."},
      {"unbounded", "Any number of blanks wherever JSON allows them."},
      {"pattern", "Text that `whitespace_pattern` matches, wherever JSON allows blanks."},
  };
};

template <>
struct EnumInfo<JsonSchemaOptions::Order> {
  static constexpr Word kWords[] = {
      {"any", "Members come in any order."},
      {"declared", "The members that `properties` lists come in its order, all others after them."},
  };
};

template <>
struct EnumInfo<JsonSchemaOptions::Escapes> {
  static constexpr Word kWords[] = {
      {"all", "All spellings of RFC 8259: raw, `\\n`, `\\u00e9` with digits in either case."},
      {"short", "Raw, and short escapes such as `\\n`."},
      {"required", "One spelling each: raw wherever that is allowed."},
  };
};

template <>
struct EnumInfo<JsonSchemaOptions::Integers> {
  static constexpr Word kWords[] = {
      {"any", "As other numbers: `12`, `12.00`, `1.2e1`."},
      {"plain", "In one way, with digits alone: `12`, and `0` for 0."},
  };
};

template <>
struct EnumInfo<JsonSchemaOptions::Numbers> {
  static constexpr Word kWords[] = {
      {"any", "Numbers of any size."},
      {"double", "In the range of a double: 0, and magnitudes from 2.2250738585072014e-308 to 1.7976931348623157e308."},
  };
};

template <>
struct EnumInfo<ToolOptions::Reasoning> {
  static constexpr Word kWords[] = {
      {"none", "The output has no reasoning."},
      {"whole", "The output begins with reasoning between the style's tags."},
      {"begun", "The prompt already ends with the tag that opens the reasoning."},
      {"auto", "The output begins with reasoning between the style's tags, or has none."},
  };
};

template <>
struct EnumInfo<ToolOptions::OnBadTool> {
  static constexpr Word kWords[] = {
      {"refuse", "An error."},
      {"loosen", "The tool takes any arguments."},
      {"drop", "The tool cannot be called."},
  };
};

template <>
struct EnumInfo<ReplyOptions::Mode> {
  static constexpr Word kWords[] = {
      {"tolerant", "Every text; what is no call of the style is text."},
      {"strict", "What the structural tag of the same tools allows; all else is an error."},
  };
};

template <>
struct StructInfo<Limits> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("text_bytes", &Limits::text_bytes, "Bytes of the text of a grammar, a schema or a pattern.");
    visit("nesting", &Limits::nesting, "Levels of nesting in a grammar, a schema or a pattern.");
    visit("grammar_symbols", &Limits::grammar_symbols, "Symbols in the productions of a grammar, plus one for each production's end.");
    visit("repeat_count", &Limits::repeat_count, "The largest bound of a counted repeat, `{m,n}`, in a grammar or a pattern.");
    visit("number_digits", &Limits::number_digits, "Digits of one number in a JSON schema.");
    visit("schema_steps", &Limits::schema_steps, "Steps in finding out what a schema allows at one place: keywords, combinations of alternatives, candidates for values.");
    visit("token_dfa_states", &Limits::token_dfa_states, "States of an automaton over tokens, and of the automaton over bytes that it is made of (token_dfa.h).");
    visit("token_dfa_transitions", &Limits::token_dfa_transitions, "Transitions of an automaton over tokens, and entries of a tokenizer's states; 8 bytes each; up to 40 while the automaton is built.");
    visit("call_work", &Limits::call_work, "Steps of work that one call may take: one mask, one accepted token, one completion.");
    visit("regex_nodes", &Limits::regex_nodes, "Hash-consed regular expressions that one grammar may create, residuals included; about 40 bytes each.");
    visit("regex_fuel", &Limits::regex_fuel, "Expressions that one search for \"does this match anything?\" may visit.");
    visit("lexer_states", &Limits::lexer_states, "Interned lexer states of one grammar; about 100 bytes and a table row each.");
    visit("row_items", &Limits::row_items, "Items (dotted rules with their continuations) of one Earley row, predictions included.");
    visit("configuration_threads", &Limits::configuration_threads, "Threads (row and lexer state) of one configuration, that is, readings of the text that are followed at once.");
    visit("lookahead_threads", &Limits::lookahead_threads, "Threads that one search for a completion under conditions may visit (greedy terminals and look-ahead only).");
    visit("capture_items", &Limits::capture_items, "Items for reading the captures of one output (GrammarMatcher::captures); about 60 bytes each, held from the first call to captures on.");
    visit("completion_bytes", &Limits::completion_bytes, "Bytes of a shortest completion, or of a jump-forward string.");
    visit("state_memory", &Limits::state_memory, "Bytes of explored states, rows and masks that a compiled grammar keeps.");
    visit("cache_memory", &Limits::cache_memory, "Bytes of compiled grammars that a GrammarCompiler remembers.");
  }
};

template <>
struct StructInfo<TokenizerOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("stop_token_ids", &TokenizerOptions::stop_token_ids, "Tokens that end the output; if there are none, the tokens that the file declares, and eos and end-of-turn tokens that are recognised by their usual names.");
    visit("padded_vocab_size", &TokenizerOptions::padded_vocab_size, "Size of the model's output layer if it is larger than the vocabulary; the tokens added are \"unused\". 0: as in the file.");
  }
};

template <>
struct StructInfo<VocabSpec> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("tokens", &VocabSpec::tokens, "Token i; may be empty, repeated, or invalid UTF-8.");
    visit("special_token_ids", &VocabSpec::special_token_ids, "Their strings in `tokens` are names, not text.");
    visit("stop_token_ids", &VocabSpec::stop_token_ids, "May be special or normal.");
    visit("drops_leading_space", &VocabSpec::drops_leading_space, "True if decoding drops a leading space of the first token (SentencePiece).");
    visit("stop_tokens_by_name", &VocabSpec::stop_tokens_by_name, "True if tokens with usual names of eos and end-of-turn tokens (`</s>`, `<|im_end|>`) are stop tokens, too.");
    visit("spelling", &VocabSpec::spelling, "How `tokens` are written.");
  }
};

template <>
struct StructInfo<EbnfOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("start", &EbnfOptions::start, "The start rule; any rule of the grammar may be named.");
  }
};

template <>
struct StructInfo<NamedGrammar> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("name", &NamedGrammar::name, "Without the `@`.");
    visit("text", &NamedGrammar::text, "The grammar.");
    visit("syntax", &NamedGrammar::syntax, "Its language.");
  }
};

template <>
struct StructInfo<RegexOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("dialect", &RegexOptions::dialect, "How the pattern is read.");
    visit("match", &RegexOptions::match, "Which part of the output it has to match.");
    visit("ignore_case", &RegexOptions::ignore_case, "Flag i.");
    visit("multi_line", &RegexOptions::multi_line, "Flag m: ^ and $ also match at line ends.");
    visit("dot_all", &RegexOptions::dot_all, "Flag s: . also matches line ends.");
    visit("extended", &RegexOptions::extended, "Flag x: blanks and # comments are ignored.");
    visit("operators", &RegexOptions::operators, "`&` is intersection, `~` complement (only in weir's own dialect).");
  }
};

template <>
struct StructInfo<SchemaDocument> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("uri", &SchemaDocument::uri, "Absolute, without a fragment; or relative, for schemas without a base.");
    visit("text", &SchemaDocument::text, "JSON.");
  }
};

template <>
struct StructInfo<JsonSchemaOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("default_draft", &JsonSchemaOptions::default_draft, "The draft that applies to a schema without `$schema`.");
    visit("reading", &JsonSchemaOptions::reading, "What counts of keywords that a schema's draft says nothing about.");
    visit("base_uri", &JsonSchemaOptions::base_uri, "The URI of the schema itself.");
    visit("documents", &JsonSchemaOptions::documents, "Documents that references may refer to.");
    visit("formats", &JsonSchemaOptions::formats, "Whether `format` constrains strings.");
    visit("unknown_formats", &JsonSchemaOptions::unknown_formats, "What happens to a `format` that weir does not know.");
    visit("unknown_keywords", &JsonSchemaOptions::unknown_keywords, "What happens to a member of a schema that is a keyword of no draft, such as `minLenght`.");
    visit("notation", &JsonSchemaOptions::notation, "The language in which values are written.");
    visit("whitespace", &JsonSchemaOptions::whitespace, "Which blanks (space, tab, line ends) a text may have between its parts.");
    visit("whitespace_limit", &JsonSchemaOptions::whitespace_limit, "With \"bounded\": the most blanks in one place.");
    visit("indent", &JsonSchemaOptions::indent, "With \"indented\": the spaces of each level.");
    visit("whitespace_pattern", &JsonSchemaOptions::whitespace_pattern, "With \"pattern\": a regular expression that matches nothing but blanks, in any number.");
    visit("leading_whitespace", &JsonSchemaOptions::leading_whitespace, "True if blanks are also allowed before the value.");
    visit("trailing_whitespace", &JsonSchemaOptions::trailing_whitespace, "True if blanks are also allowed after the value.");
    visit("order", &JsonSchemaOptions::order, "The order of an object's members.");
    visit("escapes", &JsonSchemaOptions::escapes, "The spellings of a character that are allowed in a string.");
    visit("lone_surrogates", &JsonSchemaOptions::lone_surrogates, "True if a surrogate escape without its other half is allowed: `\"\\ud800\"`.");
    visit("characters", &JsonSchemaOptions::characters, "The characters of strings: `ascii`, or a regular expression that matches one of them, such as `[ -~\\n]`; empty: any.");
    visit("exponents", &JsonSchemaOptions::exponents, "True if numbers may be written with an exponent.");
    visit("scientific_decimals", &JsonSchemaOptions::scientific_decimals, "The most digits after the point in scientific notation, for numbers that the schema restricts: `1.25e3` has two.");
    visit("integers", &JsonSchemaOptions::integers, "How a value is written where the schema allows only integers.");
    visit("numbers", &JsonSchemaOptions::numbers, "Which numbers are allowed.");
    visit("number_digits", &JsonSchemaOptions::number_digits, "The most digits that a number is written with, all counted; 0: any number.");
  }
};

template <>
struct StructInfo<GrammarTextOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("syntax", &GrammarTextOptions::syntax, "The language of the text.");
    visit("start", &GrammarTextOptions::start, "The start rule; empty: `start` in KBNF and Lark, else `root`.");
    visit("exact_splits", &GrammarTextOptions::exact_splits, "Lark: terminals may end wherever they match, not only at their longest match.");
    visit("keep_endless", &GrammarTextOptions::keep_endless, "KBNF: keeps rules that derive no finite string, for streams without an end.");
    visit("grammars", &GrammarTextOptions::grammars, "Lark: the grammars that `@name` may refer to.");
    visit("json_schema", &GrammarTextOptions::json_schema, "Lark: options of the schemas after `%json`.");
    visit("indenter", &GrammarTextOptions::indenter, "Lark: a JSON object, which is read in place of the one after `%indent`.");
    visit("language", &GrammarTextOptions::language, "A language by its name, such as `sqlite`, in place of a grammar: docs/languages.md.");
  }
};

template <>
struct StructInfo<StructuralTagOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("json_schema", &StructuralTagOptions::json_schema, "Options for the schemas in it, unless the tag itself sets them.");
    visit("grammar_syntax", &StructuralTagOptions::grammar_syntax, "The syntax of grammars in it that name none.");
    visit("special_tokens", &StructuralTagOptions::special_tokens, "Names of special tokens.");
  }
};

template <>
struct StructInfo<ToolOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("tool_choice", &ToolOptions::tool_choice, "JSON as in OpenAI's API: \"none\", \"auto\", \"required\", an object that names one function, or an `allowed_tools` object.");
    visit("parallel_tool_calls", &ToolOptions::parallel_tool_calls, "True if several calls are allowed, where the style has a way to write them.");
    visit("reasoning", &ToolOptions::reasoning, "Whether the output begins with reasoning.");
    visit("max_reasoning_tokens", &ToolOptions::max_reasoning_tokens, "The most tokens of reasoning; 0: any number.");
    visit("reasoning_closing", &ToolOptions::reasoning_closing, "A text that may stand between reasoning and the tag that ends it, beyond the bound on tokens.");
    visit("response_format", &ToolOptions::response_format, "JSON as in OpenAI's API: what an answer without calls is.");
    visit("on_bad_tool", &ToolOptions::on_bad_tool, "What becomes of a tool with a schema that is refused.");
  }
};

template <>
struct StructInfo<ReplyOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("tools", &ReplyOptions::tools, "What the reply may be.");
    visit("mode", &ReplyOptions::mode, "Which replies are read.");
    visit("values", &ReplyOptions::values, "True if events also say which values arguments, and answers in JSON, consist of.");
  }
};

template <>
struct StructInfo<CacheStats> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("hits", &CacheStats::hits, "Calls that found their grammar.");
    visit("misses", &CacheStats::misses, "Calls that compiled.");
    visit("evictions", &CacheStats::evictions, "Grammars dropped to stay within Limits::cache_memory.");
    visit("entries", &CacheStats::entries, "Grammars held now.");
    visit("memory_bytes", &CacheStats::memory_bytes, "Bytes of their texts and of everything explored for them.");
  }
};

template <>
struct StructInfo<EngineStats> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("states", &EngineStats::states, "Configurations interned.");
    visit("transitions", &EngineStats::transitions, "Byte transitions computed (not looked up).");
    visit("rows", &EngineStats::rows, "Earley rows interned.");
    visit("row_items", &EngineStats::row_items, "Items in them.");
    visit("continuations", &EngineStats::continuations, "Continuations interned.");
    visit("lexer_states", &EngineStats::lexer_states, "Lexer states interned.");
    visit("regex_nodes", &EngineStats::regex_nodes, "Hash-consed expressions.");
    visit("masks", &EngineStats::masks, "Masks computed.");
    visit("trie_nodes", &EngineStats::trie_nodes, "Trie nodes visited for them.");
    visit("facts", &EngineStats::facts, "Residuals whose facts were computed; those known from another grammar do not count.");
    visit("cache_flushes", &EngineStats::cache_flushes, "Times that state_memory was reached and everything explored was dropped.");
    visit("memory_bytes", &EngineStats::memory_bytes, "Bytes that everything explored takes now.");
  }
};

template <>
struct StructInfo<WarmUpOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("work", &WarmUpOptions::work, "Steps of work, as Limits::call_work counts them: 0.03 to 0.1 µs each.");
  }
};

template <>
struct StructInfo<WarmUpReport> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("work", &WarmUpReport::work, "Steps that this call took.");
    visit("masks", &WarmUpReport::masks, "Masks that were computed.");
    visit("is_complete", &WarmUpReport::is_complete, "True if everything that warm-up explores is explored.");
  }
};

template <>
struct StructInfo<MatcherOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("at_text_start", &MatcherOptions::at_text_start, "True if the output is at the beginning of a text, so that the tokenizer's leading-space rule (if it has one) applies to the first token.");
    visit("tokenization", &MatcherOptions::tokenization, "Which token sequences the output may consist of.");
    visit("context", &MatcherOptions::context, "With \"canonical\": the tokens before the output, at least since the beginning of the text or the last special token.");
    visit("stop_token_ids", &MatcherOptions::stop_token_ids, "Tokens that end this output, in place of TokenizerInfo::stop_token_ids; without a value, those.");
    visit("max_tokens", &MatcherOptions::max_tokens, "The most tokens that the output may have, a stop token at its end not counted.");
  }
};

template <>
struct StructInfo<StateStats> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("state", &StateStats::state, "GrammarMatcher::state_id.");
    visit("threads", &StateStats::threads, "Readings of the text that are followed at once.");
    visit("terminals_in_progress", &StateStats::terminals_in_progress, "Terminals begun or expected, with their residuals, over all threads.");
    visit("byte_classes", &StateStats::byte_classes, "Classes of bytes that the grammar distinguishes.");
    visit("known_transitions", &StateStats::known_transitions, "Byte classes whose transition from this state has been explored.");
    visit("mask_known", &StateStats::mask_known, "True if the next mask is only a copy.");
  }
};

template <>
struct StructInfo<BatchOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("threads", &BatchOptions::threads, "The number of threads that work on a call, the caller's thread included. 0 means one thread per processor.");
    visit("prefetch", &BatchOptions::prefetch, "After accept_tokens, `threads` additional threads compute the masks of the rows' new states in advance, and write those of next_token_bitmasks.");
  }
};

template <>
struct StructInfo<KbnfOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("start", &KbnfOptions::start, "The start rule.");
    visit("keep_endless", &KbnfOptions::keep_endless, "True if rules that derive no finite string are kept, as kbnf does.");
  }
};

template <>
struct StructInfo<RenderOptions> {
  template <typename Visit>
  static void visit(const Visit& visit) {
    visit("colors", &RenderOptions::colors, "Adds the escape sequences that colour a terminal.");
  }
};

}  // namespace weir

#endif  // WEIR_MEMBERS_H_
