/* Weir's C interface, complete: C11, and C++ programs that do not want a C++ interface.
 *
 * WHAT     The same objects and calls as in include/weir: a tokenizer, a grammar, a compiler that joins the two, a
 *          matcher for each output, a parser for each reply, and diagnostics about a text. This header says how C calls
 *          them. What a call means and costs is in the C++ header of the same name: weir_matcher_accept_token is
 *          GrammarMatcher::accept_token in weir/matcher.h.
 * STATUS   Every function that can fail returns a weir_status. On anything but WEIR_OK nothing has changed, and what
 *          `out` points to is set to null, empty or zero, unless the function says otherwise. WEIR_INVALID_ARGUMENT is
 *          returned for a NULL argument that is required, an index or a token id out of range, and an enumerator that
 *          does not exist. It is also returned for a size that cannot be: more bytes than PTRDIFF_MAX, a `struct_size`
 *          under sizeof(size_t) or over 4,096, a bitmask of another length than the call needs. Sizes are checked before
 *          anything is read or written. Functions that return something else than a status cannot fail; for a NULL handle
 *          they return 0, false or empty.
 * ERRORS   Functions that build something take `weir_error** error`, which may be NULL. On failure they store a
 *          weir_error there, which the caller frees with weir_error_free; on success they store NULL. Only for
 *          WEIR_OUT_OF_MEMORY there is no weir_error.
 * OWNERS   The caller owns a handle that a function stores through `out` and frees it with the `_free` function of its
 *          type; all of these accept NULL. Handles keep alive what they need: a matcher stays valid when its compiled
 *          grammar, compiler and tokenizer are freed, in any order. A `weir_text` or an array that a function returns
 *          belongs to the handle that was passed in and is valid until that handle is freed. A `weir_owned_text` or
 *          `weir_token_ids` belongs to the caller. Arguments are copied, or read only during the call.
 * OPTIONS  A struct of options begins with `struct_size`. Call its `_init` function, which fills in the defaults, then
 *          change fields; NULL in place of a struct means the defaults. So a program that was compiled with an older
 *          header works with a newer library. It works with an older library if it uses nothing that the library lacks.
 * THREADS  Matchers, batches and reply parsers: one thread at a time. All other handles: any number of threads at once,
 *          except for freeing.
 * TEXT     A pointer and a length, without a terminating zero. Grammars, patterns and schemas are UTF-8; outputs are
 *          any bytes.
 *
 *     weir_tokenizer_info* tokenizer = NULL;
 *     weir_compiler* compiler = NULL;
 *     weir_compiled_grammar* compiled = NULL;
 *     weir_matcher* matcher = NULL;
 *     weir_error* error = NULL;
 *     if (weir_tokenizer_info_from_file(weir_text_of("tokenizer.json"), NULL, &tokenizer, &error) != WEIR_OK ||
 *         weir_compiler_create(tokenizer, NULL, &compiler, &error) != WEIR_OK ||
 *         weir_compiler_compile_regex(compiler, weir_text_of("(yes|no)"), NULL, &compiled, &error) != WEIR_OK ||
 *         weir_matcher_create(compiled, NULL, &matcher) != WEIR_OK) {
 *       return fail(error);
 *     }
 *     size_t words = weir_bitmask_words(weir_tokenizer_info_vocab_size(tokenizer));
 *     uint32_t* bitmask = calloc(words, sizeof(uint32_t));
 *     while (!weir_matcher_is_terminated(matcher)) {
 *       if (weir_matcher_fill_next_token_bitmask(matcher, bitmask, words) != WEIR_OK) break;
 *       if (weir_matcher_accept_token(matcher, sample(bitmask)) != WEIR_OK) break;
 *     }
 */
#ifndef WEIR_C_H_
#define WEIR_C_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "weir/export.h"

#ifdef WEIR_EXPORT_C_ALONE
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status, text, errors ------------------------------------------------------------------------------------- */

/* The outcome of a call. */
typedef enum weir_status {
  WEIR_OK = 0,
  WEIR_INVALID_ARGUMENT = 1, /* An argument, an option or a file that cannot be used as asked. */
  WEIR_SYNTAX = 2,           /* Text that does not follow the syntax of its language. */
  WEIR_UNSUPPORTED = 3,      /* Well-formed, but outside what weir can express. */
  WEIR_UNSATISFIABLE = 4,    /* Well-formed, but no string satisfies it. */
  WEIR_LIMIT_EXCEEDED = 5,   /* A field of weir_limits was exceeded: weir_error_limit, weir_matcher_limit_message. */
  WEIR_INTERNAL = 6,         /* A defect in weir. */
  WEIR_OUT_OF_MEMORY = 7,
  WEIR_REFUSED = 8,    /* The token or the bytes do not continue a string of the language. */
  WEIR_TERMINATED = 9, /* A stop token was accepted before; only rollback and reset are possible. */
  WEIR_NOT_FOUND = 10  /* What was asked for does not exist. */
} weir_status;

/* Returns the status's name: "ok", "syntax", "refused", ... A constant. */
WEIR_API const char* weir_status_name(weir_status status);

/* Returns the library's version: "0.1.0". A constant. */
WEIR_API const char* weir_version(void);

/* Bytes that someone else owns. `data` may be NULL if `size` is 0. */
typedef struct weir_text {
  const char* data;
  size_t size;
} weir_text;

/* Returns the bytes of a zero-terminated string, which must live as long as the result is used. */
static inline weir_text weir_text_of(const char* zero_terminated) {
  weir_text text;
  text.data = zero_terminated;
  text.size = strlen(zero_terminated);
  return text;
}

/* Bytes that the caller owns. A zero byte follows the last one; `size` does not count it. */
typedef struct weir_owned_text {
  char* data;
  size_t size;
} weir_owned_text;

/* Frees the bytes and makes `text` empty. */
WEIR_API void weir_owned_text_free(weir_owned_text* text);

/* Token ids that the caller owns. */
typedef struct weir_token_ids {
  uint32_t* data;
  size_t size;
} weir_token_ids;

/* Frees the ids and makes `ids` empty. */
WEIR_API void weir_token_ids_free(weir_token_ids* ids);

/* Why something could not be built. */
typedef struct weir_error weir_error;

WEIR_API weir_status weir_error_status(const weir_error* error);
/* One sentence: "unknown rule `exprs`". */
WEIR_API weir_text weir_error_message(const weir_error* error);
/* A likely fix: "did you mean `expr`?". May be empty. */
WEIR_API weir_text weir_error_hint(const weir_error* error);
/* With WEIR_LIMIT_EXCEEDED the field of weir_limits; otherwise empty. */
WEIR_API weir_text weir_error_limit(const weir_error* error);
/* With a JSON Schema, the JSON Pointer (RFC 6901) of the value that the range lies in; "" is the whole schema. */
WEIR_API weir_text weir_error_pointer(const weir_error* error);
/* The range of bytes, [start, end), of the text that was being read, or of weir_error_text. */
WEIR_API size_t weir_error_start(const weir_error* error);
WEIR_API size_t weir_error_end(const weir_error* error);
/* The text of which the range, and those of the notes, are parts, if that is not the text that was being read: the tools
 * that a structural tag was made of. Otherwise empty. */
WEIR_API weir_text weir_error_text(const weir_error* error);
/* The options that the error is about or that its message and hint name, separated by spaces: "exact_splits". They are
 * names of fields of the structs of options (and `style`), and stand in backquotes there. May be empty. */
WEIR_API weir_text weir_error_options(const weir_error* error);
/* Prints the error as a compiler does, with the line and a caret. `text` is the text that was being read, `name` its
 * name; if there is a weir_error_text, that one is shown, as "<tools>". */
WEIR_API weir_status weir_error_render(const weir_error* error, weir_text text, weir_text name, weir_owned_text* out);
WEIR_API void weir_error_free(weir_error* error);

/* Something that is allowed but probably not meant. The texts belong to the handle that was passed in. The findings that
 * weir_grammar_diagnostics and weir_compiled_grammar_diagnostics give say more: a pointer, notes, and the text of which the
 * range is a part where that is not the grammar's. */
typedef struct weir_warning {
  weir_text message;
  weir_text hint;
  size_t start; /* The range of bytes, [start, end), of the grammar's text. */
  size_t end;
  weir_text code; /* "unused-rule": docs/diagnostics.md. */
} weir_warning;

/* Stores the line and column of byte `offset` of `text`, both from 1 on. Columns count code points.
 * WEIR_INVALID_ARGUMENT: the offset is greater than the text's size. */
WEIR_API weir_status weir_line_column(weir_text text, size_t offset, size_t* line, size_t* column);

/* ---- Diagnostics: weir/diagnostic.h ---------------------------------------------------------------------------- */

/* Findings about a text: errors and warnings. They own the texts of each finding. */
typedef struct weir_diagnostics weir_diagnostics;

typedef enum weir_severity { WEIR_SEVERITY_ERROR = 0, WEIR_SEVERITY_WARNING = 1 } weir_severity;

/* Returns "error" or "warning": a constant. */
WEIR_API const char* weir_severity_name(weir_severity severity);

/* One finding. Ranges are of bytes, [start, end), of the text. */
typedef struct weir_diagnostic {
  size_t struct_size;
  weir_text code; /* The name of an error's status, or "unused-rule" and the like for a warning: docs/diagnostics.md. */
  weir_text message;
  weir_text hint;    /* May be empty, like the two that follow. */
  weir_text limit;   /* The field of weir_limits that was exceeded. */
  weir_text pointer; /* With a JSON Schema, the JSON Pointer of the value that the range lies in. */
  size_t start;
  size_t end;
  size_t note_count;
  weir_text replacement; /* With `has_fix`, the text that replaces [fix_start, fix_end) to correct the text. */
  size_t fix_start;
  size_t fix_end;
  int32_t severity; /* A weir_severity. */
  bool has_fix;
  weir_text options; /* As weir_error_options. */
  /* The text of which the ranges are parts, if that is not the one that was read: as weir_error_text. */
  weir_text text;
} weir_diagnostic;

/* Another place that belongs to a finding. */
typedef struct weir_note {
  weir_text message;
  weir_text location; /* In a JSON Schema: "#/a/minLength". */
  size_t start;       /* The range is empty if the place is in another document. */
  size_t end;
} weir_note;

WEIR_API size_t weir_diagnostics_count(const weir_diagnostics* diagnostics);
/* Fills in the fields that `out` has according to the `struct_size` that the caller has set. */
WEIR_API weir_status weir_diagnostics_at(const weir_diagnostics* diagnostics, size_t index, weir_diagnostic* out);
/* Stores note `note` of finding `index`. */
WEIR_API weir_status weir_diagnostics_note(const weir_diagnostics* diagnostics, size_t index, size_t note,
                                           weir_note* out);
WEIR_API void weir_diagnostics_free(weir_diagnostics* diagnostics);

/* weir::RenderOptions. */
typedef struct weir_render_options {
  size_t struct_size;
  /* Adds the escape sequences that colour a terminal. */
  bool colors;
} weir_render_options;

WEIR_API weir_status weir_render_options_init(weir_render_options* options, size_t struct_size);

/* Prints one finding as a compiler does, and below the caret the replacement of its fix. `options` may be NULL. */
WEIR_API weir_status weir_diagnostics_render(const weir_diagnostics* diagnostics, size_t index, weir_text text,
                                             weir_text name, const weir_render_options* options, weir_owned_text* out);

/* Stores the error as a list with one finding, so that its notes and its fix can be read. */
WEIR_API weir_status weir_error_diagnostics(const weir_error* error, weir_diagnostics** out);

/* ---- Bitmasks: weir/bitmask.h, weir/logits.h ------------------------------------------------------------------ */

/* Returns the number of words of a bitmask for `vocab_size` tokens: ceil(vocab_size / 32). */
static inline size_t weir_bitmask_words(size_t vocab_size) { return vocab_size / 32 + (vocab_size % 32 != 0); }

/* Returns true if the token's bit is set: bit token % 32 of word token / 32. */
static inline bool weir_bitmask_get(const uint32_t* bitmask, uint32_t token) {
  return ((bitmask[token / 32] >> (token % 32)) & 1U) != 0;
}

static inline void weir_bitmask_set(uint32_t* bitmask, uint32_t token) {
  bitmask[token / 32] |= UINT32_C(1) << (token % 32);
}

static inline void weir_bitmask_clear(uint32_t* bitmask, uint32_t token) {
  bitmask[token / 32] &= ~(UINT32_C(1) << (token % 32));
}

/* Returns the number of tokens in the mask. `bitmask` has `words` words. */
WEIR_API size_t weir_bitmask_count(const uint32_t* bitmask, size_t words);

/* weir/logits.h */
typedef enum weir_logit_type { WEIR_FLOAT32 = 0, WEIR_FLOAT16 = 1, WEIR_BFLOAT16 = 2 } weir_logit_type;

/* Returns the number of bytes of one logit. */
static inline size_t weir_logit_size(weir_logit_type type) { return type == WEIR_FLOAT32 ? 4 : 2; }

/* Sets the logits of all tokens that are not in the mask to minus infinity. `logits` points to `count` logits of type
 * `logit_type`, a weir_logit_type; `bitmask` has `words` words. Example:
 *     weir_apply_token_bitmask_inplace(logits, vocab_size, WEIR_FLOAT32, bitmask, words); */
WEIR_API weir_status weir_apply_token_bitmask_inplace(void* logits, size_t count, int32_t logit_type,
                                                      const uint32_t* bitmask, size_t words);

/* ---- Limits: weir/limits.h ------------------------------------------------------------------------------------ */

typedef struct weir_limits {
  size_t struct_size;
  /* Bytes of the text of a grammar, a schema or a pattern. */
  uint64_t text_bytes;
  /* Steps in finding out what a schema allows at one place: keywords, combinations of alternatives, candidates for
   * values. */
  uint64_t schema_steps;
  /* Steps of work that one call may take: one mask, one accepted token, one completion. */
  uint64_t call_work;
  /* Bytes of explored states, rows and masks that a compiled grammar keeps. */
  uint64_t state_memory;
  /* Bytes of compiled grammars that a GrammarCompiler remembers. */
  uint64_t cache_memory;
  /* Transitions of an automaton over tokens, and entries of a tokenizer's states; 8 bytes each; up to 40 while the
   * automaton is built. */
  uint64_t token_dfa_transitions;
  /* Levels of nesting in a grammar, a schema or a pattern. */
  uint32_t nesting;
  /* Symbols in the productions of a grammar, plus one for each production's end. */
  uint32_t grammar_symbols;
  /* The largest bound of a counted repeat, `{m,n}`, in a grammar or a pattern. */
  uint32_t repeat_count;
  /* Digits of one number in a JSON schema. */
  uint32_t number_digits;
  /* Hash-consed regular expressions that one grammar may create, residuals included; about 40 bytes each. */
  uint32_t regex_nodes;
  /* Expressions that one search for "does this match anything?" may visit. */
  uint32_t regex_fuel;
  /* Interned lexer states of one grammar; about 100 bytes and a table row each. */
  uint32_t lexer_states;
  /* Items (dotted rules with their continuations) of one Earley row, predictions included. */
  uint32_t row_items;
  /* Threads (row and lexer state) of one configuration, that is, readings of the text that are followed at once. */
  uint32_t configuration_threads;
  /* Threads that one search for a completion under conditions may visit (greedy terminals and look-ahead only). */
  uint32_t lookahead_threads;
  /* Bytes of a shortest completion, or of a jump-forward string. */
  uint32_t completion_bytes;
  /* Items for reading the captures of one output (GrammarMatcher::captures); about 60 bytes each, held from the
   * first call to captures on. */
  uint32_t capture_items;
  /* States of an automaton over tokens, and of the automaton over bytes that it is made of (token_dfa.h). */
  uint32_t token_dfa_states;
} weir_limits;

/* Fills in the defaults. `struct_size` is sizeof(weir_limits); for the other structs, the size of theirs. Example:
 *     weir_limits limits;
 *     weir_limits_init(&limits, sizeof limits);
 *     limits.repeat_count = 10000; */
WEIR_API weir_status weir_limits_init(weir_limits* limits, size_t struct_size);

/* ---- Tokenizers: weir/tokenizer_info.h ------------------------------------------------------------------------ */

typedef struct weir_tokenizer_info weir_tokenizer_info;

typedef enum weir_token_kind {
  /* Text: its bytes match terminals of a grammar. */
  WEIR_TOKEN_NORMAL = 0,
  /* Text of one byte, from a byte fallback (`<0x0A>`). */
  WEIR_TOKEN_BYTE = 1,
  /* A control token. */
  WEIR_TOKEN_SPECIAL = 2,
  /* Reserved or padding: never allowed. */
  WEIR_TOKEN_UNUSED = 3
} weir_token_kind;

typedef struct weir_tokenizer_options {
  size_t struct_size;
  /* Tokens that end the output; if there are none, the tokens that the file declares, and eos and end-of-turn tokens
   * that are recognised by their usual names. */
  const uint32_t* stop_token_ids;
  size_t stop_token_count;
  /* Size of the model's output layer if it is larger than the vocabulary; the tokens added are "unused". 0: as in
   * the file. */
  uint32_t padded_vocab_size;
} weir_tokenizer_options;

WEIR_API weir_status weir_tokenizer_options_init(weir_tokenizer_options* options, size_t struct_size);

/* How the tokens of a list are written. */
typedef enum weir_token_spelling {
  /* As their bytes. */
  WEIR_SPELLING_BYTES = 0,
  /* As SentencePiece does: `U+2581` is a space, `<0x0A>` a byte. */
  WEIR_SPELLING_BYTE_FALLBACK = 1,
  /* As GPT-2 does: a character for each byte. */
  WEIR_SPELLING_BYTE_LEVEL = 2
} weir_token_spelling;

/* A plain vocabulary, for callers that have the tokens and no file. */
typedef struct weir_vocab_spec {
  size_t struct_size;
  /* Token i; may be empty, repeated, or invalid UTF-8. */
  const weir_text* tokens;
  size_t token_count;
  /* Their strings in `tokens` are names, not text. */
  const uint32_t* special_token_ids;
  size_t special_token_count;
  /* May be special or normal. */
  const uint32_t* stop_token_ids;
  size_t stop_token_count;
  /* True if decoding drops a leading space of the first token (SentencePiece). */
  bool drops_leading_space;
  /* True if tokens with usual names of eos and end-of-turn tokens (`</s>`, `<|im_end|>`) are stop tokens, too. */
  bool stop_tokens_by_name;
  /* How `tokens` are written. */
  int32_t spelling; /* A weir_token_spelling. */
} weir_vocab_spec;

WEIR_API weir_status weir_vocab_spec_init(weir_vocab_spec* spec, size_t struct_size);

WEIR_API weir_status weir_tokenizer_info_builtin(weir_tokenizer_info** out, weir_error** error);
WEIR_API weir_status weir_tokenizer_info_from_file(weir_text path, const weir_tokenizer_options* options,
                                                   weir_tokenizer_info** out, weir_error** error);
/* Reads the bytes of a tokenizer file. `name` is used in messages only. */
WEIR_API weir_status weir_tokenizer_info_from_bytes(weir_text data, weir_text name,
                                                    const weir_tokenizer_options* options, weir_tokenizer_info** out,
                                                    weir_error** error);
WEIR_API weir_status weir_tokenizer_info_from_vocab(const weir_vocab_spec* spec, const weir_tokenizer_options* options,
                                                    weir_tokenizer_info** out, weir_error** error);
/* Stores another handle on the same tokenizer. Here and below, cloning does not copy the object. */
WEIR_API weir_status weir_tokenizer_info_clone(const weir_tokenizer_info* tokenizer, weir_tokenizer_info** out);
WEIR_API void weir_tokenizer_info_free(weir_tokenizer_info* tokenizer);

/* Stores the tokenizer's source as bytes, from which weir_tokenizer_info_deserialize makes the same tokenizer
 * elsewhere. */
WEIR_API weir_status weir_tokenizer_info_serialize(const weir_tokenizer_info* tokenizer, weir_owned_text* out);
WEIR_API weir_status weir_tokenizer_info_deserialize(weir_text data, weir_tokenizer_info** out, weir_error** error);

WEIR_API uint32_t weir_tokenizer_info_vocab_size(const weir_tokenizer_info* tokenizer);
WEIR_API weir_status weir_tokenizer_info_token_bytes(const weir_tokenizer_info* tokenizer, uint32_t id, weir_text* out);
WEIR_API weir_status weir_tokenizer_info_first_token_bytes(const weir_tokenizer_info* tokenizer, uint32_t id,
                                                           weir_text* out);
WEIR_API weir_status weir_tokenizer_info_token_kind(const weir_tokenizer_info* tokenizer, uint32_t id,
                                                    weir_token_kind* out);
WEIR_API weir_status weir_tokenizer_info_token_name(const weir_tokenizer_info* tokenizer, uint32_t id, weir_text* out);
/* Stores the id of the special token with this name; WEIR_NOT_FOUND if there is none. */
WEIR_API weir_status weir_tokenizer_info_find_special_token(const weir_tokenizer_info* tokenizer, weir_text name,
                                                            uint32_t* out);
/* Returns the number of stop tokens. Unless `ids` is NULL, `*ids` is set to point to them, ascending. */
WEIR_API size_t weir_tokenizer_info_stop_token_ids(const weir_tokenizer_info* tokenizer, const uint32_t** ids);
WEIR_API bool weir_tokenizer_info_drops_leading_space(const weir_tokenizer_info* tokenizer);
WEIR_API weir_text weir_tokenizer_info_kind(const weir_tokenizer_info* tokenizer);
WEIR_API weir_status weir_tokenizer_info_decode(const weir_tokenizer_info* tokenizer, const uint32_t* ids, size_t count,
                                                weir_owned_text* out);
WEIR_API weir_status weir_tokenizer_info_tokenize(const weir_tokenizer_info* tokenizer, weir_text text,
                                                  weir_token_ids* out, weir_error** error);
/* Returns WEIR_OK if matchers can follow the tokenizer with WEIR_TOKENIZATION_CANONICAL. Otherwise returns
 * WEIR_UNSUPPORTED, and the error's message names the part that cannot be followed. */
WEIR_API weir_status weir_tokenizer_info_canonical_support(const weir_tokenizer_info* tokenizer, weir_error** error);
/* Token healing: stores how many of the `count` tokens at the end of `context` further text could still change, and the
 * bytes that they stand for, which begin with a whole character. Leave those tokens out of the prompt, and let the output
 * begin with the bytes.
 * Errors: WEIR_UNSUPPORTED as above; WEIR_INVALID_ARGUMENT if a token is out of range or the tokenizer does not write
 * the context, and then the error's range begins at the index of the first token that cannot stand there. */
WEIR_API weir_status weir_tokenizer_info_heal(const weir_tokenizer_info* tokenizer, const uint32_t* context,
                                              size_t count, size_t* tokens, weir_owned_text* bytes, weir_error** error);

/* ---- Grammars: weir/grammar.h, weir/json_schema.h ------------------------------------------------------------- */

typedef struct weir_grammar weir_grammar;

typedef struct weir_ebnf_options {
  size_t struct_size;
  /* The start rule; any rule of the grammar may be named. */
  weir_text start;
} weir_ebnf_options;

WEIR_API weir_status weir_ebnf_options_init(weir_ebnf_options* options, size_t struct_size);

typedef enum weir_grammar_syntax {
  /* weir's own. */
  WEIR_SYNTAX_EBNF = 0,
  /* llama.cpp's. */
  WEIR_SYNTAX_GBNF = 1,
  /* XGrammar's EBNF. */
  WEIR_SYNTAX_XGRAMMAR = 2,
  /* kbnf's. */
  WEIR_SYNTAX_KBNF = 3,
  /* Lark with llguidance's extensions. */
  WEIR_SYNTAX_LARK = 4
} weir_grammar_syntax;

/* Returns the syntax's name: "ebnf", "gbnf", "xgrammar", "kbnf" or "lark"; "unknown" for any other number. A constant.
 * */
WEIR_API const char* weir_grammar_syntax_name(weir_grammar_syntax syntax);
/* Stores the syntax of this name; WEIR_NOT_FOUND if there is none. */
WEIR_API weir_status weir_grammar_syntax_named(weir_text name, weir_grammar_syntax* out);

/* A grammar that another grammar may refer to: as `@name` in Lark. */
typedef struct weir_named_grammar {
  /* Without the `@`. */
  weir_text name;
  /* The grammar. */
  weir_text text;
  /* Its language. There is no default: 0 is "ebnf". */
  int32_t syntax; /* A weir_grammar_syntax. */
} weir_named_grammar;

typedef enum weir_regex_match {
  /* The whole output matches. */
  WEIR_REGEX_FULL = 0,
  /* Some part of the output matches, unless the pattern has anchors. */
  WEIR_REGEX_SEARCH = 1
} weir_regex_match;
typedef enum weir_regex_dialect {
  /* Refuses constructs that mean different things in the other dialects. */
  WEIR_REGEX_WEIR = 0,
  /* As ECMA-262 with annex B reads it, for patterns written for JavaScript. */
  WEIR_REGEX_ECMA262 = 1,
  /* As Rust's regex crate reads it. */
  WEIR_REGEX_RUST = 2,
  /* As Python's `re` reads a `str`. */
  WEIR_REGEX_PYTHON = 3,
  /* As PCRE2 reads it with its option UTF. */
  WEIR_REGEX_PCRE = 4
} weir_regex_dialect;

typedef struct weir_regex_options {
  size_t struct_size;
  /* How the pattern is read. */
  int32_t dialect; /* A weir_regex_dialect. */
  /* Which part of the output it has to match. */
  int32_t match; /* A weir_regex_match. */
  /* Flag i. */
  bool ignore_case;
  /* Flag m: ^ and $ also match at line ends. */
  bool multi_line;
  /* Flag s: . also matches line ends. */
  bool dot_all;
  /* Flag x: blanks and # comments are ignored. */
  bool extended;
  /* `&` is intersection, `~` complement (only in weir's own dialect). */
  bool operators;
} weir_regex_options;

WEIR_API weir_status weir_regex_options_init(weir_regex_options* options, size_t struct_size);

typedef enum weir_schema_draft {
  /* Draft 4. */
  WEIR_DRAFT_4 = 0,
  /* Draft 6. */
  WEIR_DRAFT_6 = 1,
  /* Draft 7. */
  WEIR_DRAFT_7 = 2,
  /* Draft 2019-09. */
  WEIR_DRAFT_2019_09 = 3,
  /* Draft 2020-12. */
  WEIR_DRAFT_2020_12 = 4
} weir_schema_draft;
typedef enum weir_schema_formats {
  /* `format` is asserted, as far as docs/json_schema_formats.md says. */
  WEIR_FORMATS_ASSERT = 0,
  /* `format` has no effect, which is the default of the specification since 2019-09. */
  WEIR_FORMATS_ANNOTATE = 1
} weir_schema_formats;
typedef enum weir_schema_unknown_formats {
  /* An unknown format has no effect and gives a warning. */
  WEIR_UNKNOWN_FORMATS_WARN = 0,
  /* An unknown format is an error. */
  WEIR_UNKNOWN_FORMATS_REFUSE = 1
} weir_schema_unknown_formats;
typedef enum weir_schema_whitespace {
  /* Up to `whitespace_limit` blanks (space, tab, line ends) wherever JSON allows them. */
  WEIR_WHITESPACE_BOUNDED = 0,
  /* None: `{"a":[1,2]}`. */
  WEIR_WHITESPACE_NONE = 1,
  /* One space after each comma and colon: `{"a": [1, 2]}`. */
  WEIR_WHITESPACE_COMPACT = 2,
  /* Each item and member on a line of its own, `indent` spaces per level, as pretty printers write. */
  WEIR_WHITESPACE_INDENTED = 3,
  /* Any number of blanks wherever JSON allows them. */
  WEIR_WHITESPACE_UNBOUNDED = 4,
  /* Text that `whitespace_pattern` matches, wherever JSON allows blanks. */
  WEIR_WHITESPACE_PATTERN = 5
} weir_schema_whitespace;
typedef enum weir_schema_order {
  /* Members come in any order. */
  WEIR_ORDER_ANY = 0,
  /* The members that `properties` lists come in its order, all others after them. */
  WEIR_ORDER_DECLARED = 1
} weir_schema_order;
typedef enum weir_schema_escapes {
  /* All spellings of RFC 8259: raw, `\n`, `\u00e9` with digits in either case. */
  WEIR_ESCAPES_ALL = 0,
  /* Raw, and short escapes such as `\n`. */
  WEIR_ESCAPES_SHORT = 1,
  /* One spelling each: raw wherever that is allowed. */
  WEIR_ESCAPES_REQUIRED = 2
} weir_schema_escapes;

typedef enum weir_schema_integers {
  /* As other numbers: `12`, `12.00`, `1.2e1`. */
  WEIR_INTEGERS_ANY = 0,
  /* In one way, with digits alone: `12`, and `0` for 0. */
  WEIR_INTEGERS_PLAIN = 1
} weir_schema_integers;
typedef enum weir_schema_numbers {
  /* Numbers of any size. */
  WEIR_NUMBERS_ANY = 0,
  /* In the range of a double: 0, and magnitudes from 2.2250738585072014e-308 to 1.7976931348623157e308. */
  WEIR_NUMBERS_DOUBLE = 1
} weir_schema_numbers;

/* A document that `$ref` may refer to. */
typedef struct weir_schema_document {
  /* Absolute, without a fragment; or relative, for schemas without a base. */
  weir_text uri;
  /* JSON. */
  weir_text text;
} weir_schema_document;

typedef enum weir_schema_unknown_keywords {
  /* It has no effect, as the specification says. */
  WEIR_UNKNOWN_KEYWORDS_IGNORE = 0,
  /* It is an error, unless its name begins with `x-`. */
  WEIR_UNKNOWN_KEYWORDS_REFUSE = 1
} weir_schema_unknown_keywords;

typedef enum weir_schema_reading {
  /* Nothing: `const` has no effect in draft 4, nor has `minLength` beside `$ref` up to draft 7. */
  WEIR_READING_SPECIFICATION = 0,
  /* Both count, as in most validators: keywords of later drafts, and siblings of `$ref`. */
  WEIR_READING_PRACTICE = 1
} weir_schema_reading;

typedef enum weir_schema_notation {
  /* JSON. */
  WEIR_NOTATION_JSON = 0,
  /* YAML 1.2, in texts that readers of YAML 1.1 read alike. */
  WEIR_NOTATION_YAML = 1
} weir_schema_notation;

typedef struct weir_json_schema_options {
  size_t struct_size;
  /* The URI of the schema itself. */
  weir_text base_uri;
  /* Documents that references may refer to. */
  const weir_schema_document* documents;
  size_t document_count;
  /* With "pattern": a regular expression that matches nothing but blanks, in any number. */
  weir_text whitespace_pattern;
  /* The draft that applies to a schema without `$schema`. */
  int32_t default_draft; /* A weir_schema_draft. */
  /* Whether `format` constrains strings. */
  int32_t formats; /* A weir_schema_formats. */
  /* What happens to a `format` that weir does not know. */
  int32_t unknown_formats; /* A weir_schema_unknown_formats. */
  /* Which blanks (space, tab, line ends) a text may have between its parts. */
  int32_t whitespace; /* A weir_schema_whitespace. */
  /* The order of an object's members. */
  int32_t order; /* A weir_schema_order. */
  /* The spellings of a character that are allowed in a string. */
  int32_t escapes; /* A weir_schema_escapes. */
  /* With "bounded": the most blanks in one place. */
  uint32_t whitespace_limit;
  /* With "indented": the spaces of each level. */
  uint32_t indent;
  /* The most digits after the point in scientific notation, for numbers that the schema restricts: `1.25e3` has two. */
  uint32_t scientific_decimals;
  /* True if blanks are also allowed before the value. */
  bool leading_whitespace;
  /* True if blanks are also allowed after the value. */
  bool trailing_whitespace;
  /* True if a surrogate escape without its other half is allowed: `"\ud800"`. */
  bool lone_surrogates;
  /* True if numbers may be written with an exponent. */
  bool exponents;
  /* How a value is written where the schema allows only integers. */
  int32_t integers; /* A weir_schema_integers. */
  /* Which numbers are allowed. */
  int32_t numbers; /* A weir_schema_numbers. */
  /* The most digits that a number is written with, all counted; 0: any number. */
  uint32_t number_digits;
  /* What happens to a member of a schema that is a keyword of no draft, such as `minLenght`. */
  int32_t unknown_keywords; /* A weir_schema_unknown_keywords. */
  /* What counts of keywords that a schema's draft says nothing about. */
  int32_t reading; /* A weir_schema_reading. */
  /* The characters of strings: `ascii`, or a regular expression that matches one of them, such as `[ -~\n]`; empty:
   * any. */
  weir_text characters;
  /* The language in which values are written. */
  int32_t notation; /* A weir_schema_notation. */
} weir_json_schema_options;

WEIR_API weir_status weir_json_schema_options_init(weir_json_schema_options* options, size_t struct_size);
/* Initializes the options to those of a profile, "exact" or "serving"; each can be changed afterwards.
 * WEIR_INVALID_ARGUMENT: there is no profile of that name. Example:
 *     weir_json_schema_options options;
 *     if (weir_schema_profile(weir_text_of("serving"), &options, sizeof options) != WEIR_OK) return fail();
 *     options.whitespace = WEIR_WHITESPACE_COMPACT; */
WEIR_API weir_status weir_schema_profile(weir_text name, weir_json_schema_options* options, size_t struct_size);

/* Stores the text of a schema in strict mode: no other members and items than those that it lists.
 *
 *     weir_owned_text strict = {0};
 *     if (weir_strict_json_schema(weir_text_of("{\"properties\": {}}"), NULL, &strict, &error) != WEIR_OK) return fail();
 *     weir_owned_text_free(&strict); */
WEIR_API weir_status weir_strict_json_schema(weir_text schema, const weir_limits* limits, weir_owned_text* out,
                                             weir_error** error);

/* weir::GrammarTextOptions. */
typedef struct weir_text_options {
  size_t struct_size;
  /* The start rule; empty: `start` in KBNF and Lark, else `root`. */
  weir_text start;
  /* Lark: the grammars that `@name` may refer to. */
  const weir_named_grammar* grammars;
  size_t grammar_count;
  /* Lark: options of the schemas after `%json`. NULL: the defaults. */
  const weir_json_schema_options* json_schema;
  /* The language of the text. */
  int32_t syntax; /* A weir_grammar_syntax. */
  /* Lark: terminals may end wherever they match, not only at their longest match. */
  bool exact_splits;
  /* KBNF: keeps rules that derive no finite string, for streams without an end. */
  bool keep_endless;
  /* Lark: a JSON object, which is read in place of the one after `%indent`. */
  weir_text indenter;
  /* A language by its name, such as `sqlite`, in place of a grammar: docs/languages.md. */
  weir_text language;
} weir_text_options;

WEIR_API weir_status weir_text_options_init(weir_text_options* options, size_t struct_size);

/* weir::StructuralTagOptions. */
typedef struct weir_structural_tag_options {
  size_t struct_size;
  /* Options for the schemas in it, unless the tag itself sets them. NULL: the defaults. */
  const weir_json_schema_options* json_schema;
  /* Names of special tokens. */
  const weir_text* special_tokens;
  size_t special_token_count;
  /* The syntax of grammars in it that name none. */
  int32_t grammar_syntax; /* A weir_grammar_syntax. */
} weir_structural_tag_options;

WEIR_API weir_status weir_structural_tag_options_init(weir_structural_tag_options* options, size_t struct_size);
typedef enum weir_substring_unit {
  /* Code points. */
  WEIR_UNIT_CHARACTER = 0,
  /* Runs of letters, digits and `_`; runs of blanks; runs of other characters. */
  WEIR_UNIT_WORD = 1
} weir_substring_unit;

/* `options` and `limits` may be NULL, here and below. Example:
 *     weir_grammar* grammar = NULL;
 *     if (weir_grammar_from_ebnf(weir_text_of("root ::= [0-9]+"), NULL, NULL, &grammar, &error) != WEIR_OK) {
 *       return fail(error);
 *     } */
WEIR_API weir_status weir_grammar_from_ebnf(weir_text text, const weir_ebnf_options* options, const weir_limits* limits,
                                            weir_grammar** out, weir_error** error);
WEIR_API weir_status weir_grammar_from_text(weir_text text, const weir_text_options* options, const weir_limits* limits,
                                            weir_grammar** out, weir_error** error);
WEIR_API weir_status weir_grammar_from_regex(weir_text pattern, const weir_regex_options* options,
                                             const weir_limits* limits, weir_grammar** out, weir_error** error);
WEIR_API weir_status weir_grammar_from_json_schema(weir_text schema, const weir_json_schema_options* options,
                                                   const weir_limits* limits, weir_grammar** out, weir_error** error);
/* The language of the JSON texts of all values, or of all objects. */
WEIR_API weir_status weir_grammar_json(const weir_json_schema_options* options, const weir_limits* limits,
                                       weir_grammar** out, weir_error** error);
WEIR_API weir_status weir_grammar_json_object(const weir_json_schema_options* options, const weir_limits* limits,
                                              weir_grammar** out, weir_error** error);
WEIR_API weir_status weir_grammar_from_structural_tag(weir_text tag, const weir_structural_tag_options* options,
                                                      const weir_limits* limits, weir_grammar** out,
                                                      weir_error** error);
WEIR_API weir_status weir_grammar_from_response_format(weir_text format, const weir_structural_tag_options* options,
                                                       const weir_limits* limits, weir_grammar** out,
                                                       weir_error** error);
/* The language of `count` strings, byte for byte. */
WEIR_API weir_status weir_grammar_from_choice(const weir_text* strings, size_t count, const weir_limits* limits,
                                              weir_grammar** out, weir_error** error);
/* The language of the stretches of `text` that consist of whole units; `unit` is a weir_substring_unit. */
WEIR_API weir_status weir_grammar_from_substring(weir_text text, int32_t unit, const weir_limits* limits,
                                                 weir_grammar** out, weir_error** error);
/* concat: a text of each of the `count` parts, one after another. any_of: a text of one of them. The caller keeps the
 * parts. */
WEIR_API weir_status weir_grammar_concat(const weir_grammar* const* parts, size_t count, const weir_limits* limits,
                                         weir_grammar** out, weir_error** error);
WEIR_API weir_status weir_grammar_any_of(const weir_grammar* const* parts, size_t count, const weir_limits* limits,
                                         weir_grammar** out, weir_error** error);
/* The language of the runs of neighbouring chunks, and the empty string. */
WEIR_API weir_status weir_grammar_from_substring_chunks(const weir_text* chunks, size_t count,
                                                        const weir_limits* limits, weir_grammar** out,
                                                        weir_error** error);
WEIR_API weir_status weir_grammar_clone(const weir_grammar* grammar, weir_grammar** out);
WEIR_API void weir_grammar_free(weir_grammar* grammar);

WEIR_API size_t weir_grammar_warning_count(const weir_grammar* grammar);
WEIR_API weir_status weir_grammar_warning(const weir_grammar* grammar, size_t index, weir_warning* out);
/* Stores the warnings together with their notes. */
WEIR_API weir_status weir_grammar_diagnostics(const weir_grammar* grammar, weir_diagnostics** out);

/* weir/convert.h: stores the grammar's text in the language `to`, a weir_grammar_syntax. */
WEIR_API weir_status weir_convert_grammar(const weir_grammar* grammar, int32_t to, weir_owned_text* out,
                                          weir_error** error);
/* Stores the grammar as one regular expression. */
WEIR_API weir_status weir_convert_to_regex(const weir_grammar* grammar, weir_owned_text* out, weir_error** error);

/* ---- Checks: weir/check.h ------------------------------------------------------------------------------------- */

/* Lists every error and every warning about a text in one run. What is wrong with the text is in `*out`, which is an
 * empty list if nothing is; the status and `error` are about the other arguments. `options` and `limits` may be NULL.
 * */
WEIR_API weir_status weir_check_grammar(weir_text text, const weir_text_options* options, const weir_limits* limits,
                                        weir_diagnostics** out, weir_error** error);
WEIR_API weir_status weir_check_regex(weir_text pattern, const weir_regex_options* options, const weir_limits* limits,
                                      weir_diagnostics** out, weir_error** error);
WEIR_API weir_status weir_check_schema(weir_text schema, const weir_json_schema_options* options,
                                       const weir_limits* limits, weir_diagnostics** out, weir_error** error);
WEIR_API weir_status weir_check_structural_tag(weir_text tag, const weir_structural_tag_options* options,
                                               const weir_limits* limits, weir_diagnostics** out, weir_error** error);
WEIR_API weir_status weir_check_response_format(weir_text format, const weir_structural_tag_options* options,
                                                const weir_limits* limits, weir_diagnostics** out, weir_error** error);

/* weir/explain.h: lists the keywords of a schema that refuse a text at its first refused byte; the list is empty if the
 * text, or a continuation of it, is in the schema's language. `options` and `limits` may be NULL. Example:
 *     weir_explain_refusal(weir_text_of("{\"minLength\": 3}"), weir_text_of("\"ab\""), NULL, NULL, &found, &error); */
WEIR_API weir_status weir_explain_refusal(weir_text schema, weir_text text, const weir_json_schema_options* options,
                                          const weir_limits* limits, weir_diagnostics** out, weir_error** error);

/* ---- Tools as structural tags: weir/tools.h ------------------------------------------------------------------- */

typedef enum weir_tool_reasoning {
  /* The output has no reasoning. */
  WEIR_REASONING_NONE = 0,
  /* The output begins with reasoning between the style's tags. */
  WEIR_REASONING_WHOLE = 1,
  /* The prompt already ends with the tag that opens the reasoning. */
  WEIR_REASONING_BEGUN = 2,
  /* The output begins with reasoning between the style's tags, or has none. */
  WEIR_REASONING_AUTO = 3
} weir_tool_reasoning;

/* weir::ToolOptions. */
typedef enum weir_tool_on_bad_tool {
  /* An error. */
  WEIR_ON_BAD_TOOL_REFUSE = 0,
  /* The tool takes any arguments. */
  WEIR_ON_BAD_TOOL_LOOSEN = 1,
  /* The tool cannot be called. */
  WEIR_ON_BAD_TOOL_DROP = 2
} weir_tool_on_bad_tool;

typedef struct weir_tool_options {
  size_t struct_size;
  /* JSON as in OpenAI's API: "none", "auto", "required", an object that names one function, or an `allowed_tools`
   * object. */
  weir_text tool_choice;
  /* Whether the output begins with reasoning. */
  int32_t reasoning; /* A weir_tool_reasoning. */
  /* True if several calls are allowed, where the style has a way to write them. */
  bool parallel_tool_calls;
  /* The most tokens of reasoning; 0: any number. */
  uint32_t max_reasoning_tokens;
  /* A text that may stand between reasoning and the tag that ends it, beyond the bound on tokens. */
  weir_text reasoning_closing;
  /* JSON as in OpenAI's API: what an answer without calls is. */
  weir_text response_format;
  /* What becomes of a tool with a schema that is refused. */
  int32_t on_bad_tool; /* A weir_tool_on_bad_tool. */
} weir_tool_options;

WEIR_API weir_status weir_tool_options_init(weir_tool_options* options, size_t struct_size);

/* Stores the structural tag, as JSON, for the tools of a request. The style is a name, or the JSON text of a response template. */
WEIR_API weir_status weir_structural_tag_for_tools(weir_text style, weir_text tools, const weir_tool_options* options,
                                                   const weir_limits* limits, weir_owned_text* out, weir_error** error);
/* The names of the languages by number, sorted (docs/languages.md). The count is 0 if memory is exhausted. The grammar of a
 * language is weir_grammar_from_text with the option `language`. */
WEIR_API size_t weir_language_count(void);
WEIR_API weir_status weir_language_name(size_t index, weir_text* out);
/* The styles by number, in the order of docs/tools.md. The count is 0 if memory is exhausted. */
WEIR_API size_t weir_tool_style_count(void);
WEIR_API weir_status weir_tool_style(size_t index, weir_text* out);

/* ---- Reading replies: weir/reply_parser.h --------------------------------------------------------------------- */

/* Reads what a model wrote, in any pieces. Each call that reads a piece replaces the events of the one before. */
typedef struct weir_reply_parser weir_reply_parser;

typedef enum weir_reply_mode {
  /* Every text; what is no call of the style is text. */
  WEIR_MODE_TOLERANT = 0,
  /* What the structural tag of the same tools allows; all else is an error. */
  WEIR_MODE_STRICT = 1
} weir_reply_mode;

typedef struct weir_reply_options {
  size_t struct_size;
  /* What the reply may be. NULL: the defaults. */
  const weir_tool_options* tools;
  /* Which replies are read. */
  int32_t mode; /* A weir_reply_mode. */
  /* True if events also say which values arguments, and answers in JSON, consist of. */
  bool values;
} weir_reply_options;

WEIR_API weir_status weir_reply_options_init(weir_reply_options* options, size_t struct_size);

/* What a part of a reply is. */
typedef enum weir_reply_event_kind {
  /* The opening tag of the reasoning. */
  WEIR_REPLY_REASONING_BEGINS = 0,
  /* `text` continues the reasoning. */
  WEIR_REPLY_REASONING = 1,
  /* The closing tag of the reasoning. */
  WEIR_REPLY_REASONING_ENDS = 2,
  /* `text` continues the answer. */
  WEIR_REPLY_TEXT = 3,
  /* `name` is whole. */
  WEIR_REPLY_CALL_BEGINS = 4,
  /* `text` continues the arguments of the call, as JSON. */
  WEIR_REPLY_ARGUMENTS = 5,
  /* The arguments are complete JSON. */
  WEIR_REPLY_CALL_ENDS = 6,
  /* The call is not valid: what was read of it, `text`, is content, as is the rest. */
  WEIR_REPLY_CALL_INVALID = 7,
  /* Bytes that say nothing by themselves. */
  WEIR_REPLY_MARKUP = 8,
  /* An object. */
  WEIR_REPLY_OBJECT_BEGINS = 9,
  /* An array. */
  WEIR_REPLY_ARRAY_BEGINS = 10,
  /* `text` continues a string, without escapes; the first has no text. */
  WEIR_REPLY_STRING = 11,
  /* A number, `text`, which can no longer grow. */
  WEIR_REPLY_NUMBER = 12,
  /* `text` is `true` or `false`. */
  WEIR_REPLY_BOOLEAN = 13,
  /* null. */
  WEIR_REPLY_NULL = 14,
  /* The string is complete. */
  WEIR_REPLY_STRING_ENDS = 15,
  /* The object is complete. */
  WEIR_REPLY_OBJECT_ENDS = 16,
  /* The array is complete. */
  WEIR_REPLY_ARRAY_ENDS = 17,
  /* `text`, which may be empty, continues the input of a call of a custom tool, as it is. */
  WEIR_REPLY_INPUT = 18,
  /* A capture, `name`. */
  WEIR_REPLY_CAPTURE_BEGINS = 19,
  /* `text` continues the innermost capture that has not ended, `name`. */
  WEIR_REPLY_CAPTURE = 20,
  /* The capture, `name`, is complete. */
  WEIR_REPLY_CAPTURE_ENDS = 21
} weir_reply_event_kind;

/* Returns the kind's name: "reasoning", "call_begins", ... A constant. */
WEIR_API const char* weir_reply_event_kind_name(weir_reply_event_kind kind);

/* The bytes [start, end) of the reply and what they are. Texts are UTF-8; those that the kind does not have are empty. */
typedef struct weir_reply_event {
  size_t struct_size;
  weir_text text;
  weir_text name;
  weir_text id;
  weir_text reason;
  size_t start;
  size_t end;
  uint32_t call; /* The number of the call, from 0, if the event is of a call. */
  int32_t kind;  /* A weir_reply_event_kind. */
  /* For a value: the name of the member, or the index of the item. A string that continues has none of more than 1,024
   * bytes. */
  weir_text key;
  uint32_t depth; /* For a value: the number of objects and arrays around it. */
} weir_reply_event;

/* `options` and `limits` may be NULL. Example:
 *     weir_reply_parser* parser = NULL;
 *     if (weir_reply_parser_create(weir_text_of("hermes"), tools, NULL, NULL, &parser, &error) != WEIR_OK) return fail(error);
 *     while (next(&piece) && weir_reply_parser_feed(parser, piece, &error) == WEIR_OK) {
 *       for (size_t i = 0; i < weir_reply_parser_event_count(parser); ++i) {
 *         weir_reply_event event;
 *         event.struct_size = sizeof event;
 *         weir_reply_parser_event(parser, i, &event);
 *         show(&event);
 *       }
 *     } */
WEIR_API weir_status weir_reply_parser_create(weir_text style, weir_text tools, const weir_reply_options* options,
                                              const weir_limits* limits, weir_reply_parser** out, weir_error** error);
WEIR_API void weir_reply_parser_free(weir_reply_parser* parser);
/* Read a piece, or the end. A call that fails leaves no events; the reply so far is as before. The range of an error is
 * of the reply. */
WEIR_API weir_status weir_reply_parser_feed(weir_reply_parser* parser, weir_text bytes, weir_error** error);
WEIR_API weir_status weir_reply_parser_feed_tokens(weir_reply_parser* parser, const uint32_t* tokens, size_t count,
                                                   const weir_tokenizer_info* tokenizer, weir_error** error);
WEIR_API weir_status weir_reply_parser_finish(weir_reply_parser* parser, weir_error** error);
/* The events of the last of these calls. */
WEIR_API size_t weir_reply_parser_event_count(const weir_reply_parser* parser);
/* Fills in the fields that `out` has according to the `struct_size` that the caller has set. The texts are valid until
 * the next call that reads, resets or frees. */
WEIR_API weir_status weir_reply_parser_event(const weir_reply_parser* parser, size_t index, weir_reply_event* out);
/* Stores the event as JSON, on one line. */
WEIR_API weir_status weir_reply_parser_event_json(const weir_reply_parser* parser, size_t index, weir_owned_text* out);
/* Stores the reply so far as JSON. */
WEIR_API weir_status weir_reply_parser_snapshot(const weir_reply_parser* parser, weir_owned_text* out);
/* Returns the number of bytes that were fed. */
WEIR_API size_t weir_reply_parser_size(const weir_reply_parser* parser);
/* Begins another reply. */
WEIR_API weir_status weir_reply_parser_reset(weir_reply_parser* parser);

/* ---- Compiling: weir/compiler.h ------------------------------------------------------------------------------- */

typedef struct weir_compiler weir_compiler;
typedef struct weir_compiled_grammar weir_compiled_grammar;

/* `limits` may be NULL. */
WEIR_API weir_status weir_compiler_create(const weir_tokenizer_info* tokenizer, const weir_limits* limits,
                                          weir_compiler** out, weir_error** error);
WEIR_API void weir_compiler_free(weir_compiler* compiler);
WEIR_API weir_status weir_compiler_tokenizer_info(const weir_compiler* compiler, weir_tokenizer_info** out);
/* Stores the limits that apply to everything compiled here, as weir_compiled_grammar_stats fills its struct. */
WEIR_API weir_status weir_compiler_limits(const weir_compiler* compiler, weir_limits* out);

WEIR_API weir_status weir_compiler_compile(const weir_compiler* compiler, const weir_grammar* grammar,
                                           weir_compiled_grammar** out, weir_error** error);
/* Reads and compiles in one call, under the compiler's limits. `options` may be NULL, here and below. Example:
 *     weir_text schema = weir_text_of("{\"type\": \"integer\"}");
 *     if (weir_compiler_compile_json_schema(compiler, schema, NULL, &compiled, &error) != WEIR_OK) {
 *       return fail(error);
 *     } */
WEIR_API weir_status weir_compiler_compile_ebnf(const weir_compiler* compiler, weir_text text,
                                                const weir_ebnf_options* options, weir_compiled_grammar** out,
                                                weir_error** error);
WEIR_API weir_status weir_compiler_compile_text(const weir_compiler* compiler, weir_text text,
                                                const weir_text_options* options, weir_compiled_grammar** out,
                                                weir_error** error);
WEIR_API weir_status weir_compiler_compile_choice(const weir_compiler* compiler, const weir_text* strings, size_t count,
                                                  weir_compiled_grammar** out, weir_error** error);
WEIR_API weir_status weir_compiler_compile_substring(const weir_compiler* compiler, weir_text text, int32_t unit,
                                                     weir_compiled_grammar** out, weir_error** error);
WEIR_API weir_status weir_compiler_compile_substring_chunks(const weir_compiler* compiler, const weir_text* chunks,
                                                            size_t count, weir_compiled_grammar** out,
                                                            weir_error** error);
WEIR_API weir_status weir_compiler_compile_regex(const weir_compiler* compiler, weir_text pattern,
                                                 const weir_regex_options* options, weir_compiled_grammar** out,
                                                 weir_error** error);
WEIR_API weir_status weir_compiler_compile_json_schema(const weir_compiler* compiler, weir_text schema,
                                                       const weir_json_schema_options* options,
                                                       weir_compiled_grammar** out, weir_error** error);
WEIR_API weir_status weir_compiler_compile_json(const weir_compiler* compiler, const weir_json_schema_options* options,
                                                weir_compiled_grammar** out, weir_error** error);
WEIR_API weir_status weir_compiler_compile_json_object(const weir_compiler* compiler,
                                                       const weir_json_schema_options* options,
                                                       weir_compiled_grammar** out, weir_error** error);
WEIR_API weir_status weir_compiler_compile_structural_tag(const weir_compiler* compiler, weir_text tag,
                                                          const weir_structural_tag_options* options,
                                                          weir_compiled_grammar** out, weir_error** error);
WEIR_API weir_status weir_compiler_compile_response_format(const weir_compiler* compiler, weir_text format,
                                                           const weir_structural_tag_options* options,
                                                           weir_compiled_grammar** out, weir_error** error);

typedef struct weir_cache_stats {
  size_t struct_size;
  /* Calls that found their grammar. */
  uint64_t hits;
  /* Calls that compiled. */
  uint64_t misses;
  /* Grammars dropped to stay within Limits::cache_memory. */
  uint64_t evictions;
  /* Grammars held now. */
  uint64_t entries;
  /* Bytes of their texts and of everything explored for them. */
  uint64_t memory_bytes;
} weir_cache_stats;

/* Fills in `out` as weir_compiled_grammar_stats does. */
WEIR_API weir_status weir_compiler_cache_stats(const weir_compiler* compiler, weir_cache_stats* out);
WEIR_API weir_status weir_compiler_clear_cache(const weir_compiler* compiler);

typedef struct weir_engine_stats {
  size_t struct_size;
  /* Configurations interned. */
  uint64_t states;
  /* Byte transitions computed (not looked up). */
  uint64_t transitions;
  /* Earley rows interned. */
  uint64_t rows;
  /* Items in them. */
  uint64_t row_items;
  /* Continuations interned. */
  uint64_t continuations;
  /* Lexer states interned. */
  uint64_t lexer_states;
  /* Hash-consed expressions. */
  uint64_t regex_nodes;
  /* Masks computed. */
  uint64_t masks;
  /* Trie nodes visited for them. */
  uint64_t trie_nodes;
  /* Times that state_memory was reached and everything explored was dropped. */
  uint64_t cache_flushes;
  /* Bytes that everything explored takes now. */
  uint64_t memory_bytes;
  /* Residuals whose facts were computed; those known from another grammar do not count. */
  uint64_t facts;
} weir_engine_stats;

WEIR_API weir_status weir_compiled_grammar_clone(const weir_compiled_grammar* compiled, weir_compiled_grammar** out);
WEIR_API void weir_compiled_grammar_free(weir_compiled_grammar* compiled);
WEIR_API weir_status weir_compiled_grammar_tokenizer_info(const weir_compiled_grammar* compiled,
                                                          weir_tokenizer_info** out);
WEIR_API size_t weir_compiled_grammar_warning_count(const weir_compiled_grammar* compiled);
WEIR_API weir_status weir_compiled_grammar_warning(const weir_compiled_grammar* compiled, size_t index,
                                                   weir_warning* out);
/* Stores the warnings together with their notes. */
WEIR_API weir_status weir_compiled_grammar_diagnostics(const weir_compiled_grammar* compiled, weir_diagnostics** out);
/* Fills in the counts that `out` has according to the `struct_size` that the caller has set. Example:
 *     weir_engine_stats stats = {sizeof stats};
 *     weir_compiled_grammar_stats(compiled, &stats); */
WEIR_API weir_status weir_compiled_grammar_stats(const weir_compiled_grammar* compiled, weir_engine_stats* out);

typedef struct weir_warm_up_options {
  size_t struct_size;
  /* Steps of work, as Limits::call_work counts them: 0.03 to 0.1 us each. */
  uint64_t work;
} weir_warm_up_options;

WEIR_API weir_status weir_warm_up_options_init(weir_warm_up_options* options, size_t struct_size);

typedef struct weir_warm_up_report {
  size_t struct_size;
  /* Steps that this call took. */
  uint64_t work;
  /* Masks that were computed. */
  uint64_t masks;
  /* True if everything that warm-up explores is explored. */
  bool is_complete;
} weir_warm_up_report;

/* Explores the states that outputs are likely to meet, so that their masks are known when a matcher asks for them: some
 * milliseconds of work, in which other threads may use the grammar and its matchers. `options` and `out` may be NULL;
 * `out` is filled in as weir_compiled_grammar_stats does. Example, in a thread that runs while the model reads its
 * prompt, with a handle of its own (weir_compiled_grammar_clone):
 *     weir_compiled_grammar_warm_up(clone, NULL, NULL);
 *     weir_compiled_grammar_free(clone); */
WEIR_API weir_status weir_compiled_grammar_warm_up(const weir_compiled_grammar* compiled,
                                                   const weir_warm_up_options* options, weir_warm_up_report* out);
/* Ends the calls of weir_compiled_grammar_warm_up for this grammar that are running now in other threads, whoever has
 * made them. Each returns within some tenths of a millisecond; this function does not wait for them. What they have
 * explored is kept. */
WEIR_API weir_status weir_compiled_grammar_stop_warm_up(const weir_compiled_grammar* compiled);

/* ---- Matchers: weir/matcher.h --------------------------------------------------------------------------------- */

typedef struct weir_matcher weir_matcher;

/* weir::Tokenization: which token sequences an output may consist of. */
typedef enum weir_tokenization {
  /* Every sequence of tokens whose bytes are in the language. */
  WEIR_TOKENIZATION_ANY = 0,
  /* The one sequence for each text that the tokenizer itself would write. */
  WEIR_TOKENIZATION_CANONICAL = 1
} weir_tokenization;

typedef struct weir_matcher_options {
  size_t struct_size;
  /* True if the output is at the beginning of a text, so that the tokenizer's leading-space rule (if it has one)
   * applies to the first token. */
  bool at_text_start;
  /* With "canonical": the tokens before the output, at least since the beginning of the text or the last special
   * token. */
  const uint32_t* context;
  size_t context_count;
  /* Which token sequences the output may consist of. */
  int32_t tokenization; /* A weir_tokenization. */
  /* Tokens that end this output, in place of TokenizerInfo::stop_token_ids; without a value, those. An empty list is
   * no value. */
  const uint32_t* stop_token_ids;
  size_t stop_token_count;
  /* The most tokens that the output may have, a stop token at its end not counted. 0: any number. */
  uint32_t max_tokens;
} weir_matcher_options;

WEIR_API weir_status weir_matcher_options_init(weir_matcher_options* options, size_t struct_size);

/* `options` may be NULL. WEIR_UNSUPPORTED: canonical tokenization, and the tokenizer or the grammar does not have it.
 * WEIR_INVALID_ARGUMENT also for a context that the tokenizer would not write, and for stop tokens that are out of range
 * or listed twice. WEIR_UNSATISFIABLE: the tokenizer writes no text of the grammar after the context, or none within the
 * bounds of rules; the stop tokens leave a token terminal without tokens; or no text has as few as max_tokens tokens. */
WEIR_API weir_status weir_matcher_create(const weir_compiled_grammar* compiled, const weir_matcher_options* options,
                                         weir_matcher** out);
/* The same, with the error: its message names what is refused. If the context or a stop token is refused,
 * weir_error_start is the index of the first such token. Example:
 *     weir_matcher_options options;
 *     weir_matcher_options_init(&options, sizeof options);
 *     options.tokenization = WEIR_TOKENIZATION_CANONICAL;
 *     if (weir_matcher_create_with_error(compiled, &options, &matcher, &error) != WEIR_OK) return fail(error); */
WEIR_API weir_status weir_matcher_create_with_error(const weir_compiled_grammar* compiled,
                                                    const weir_matcher_options* options, weir_matcher** out,
                                                    weir_error** error);
/* Stores a second matcher at the same place. */
WEIR_API weir_status weir_matcher_fork(const weir_matcher* matcher, weir_matcher** out);
WEIR_API void weir_matcher_free(weir_matcher* matcher);
WEIR_API weir_status weir_matcher_compiled_grammar(const weir_matcher* matcher, weir_compiled_grammar** out);

/* Writes the set of tokens that may come next. `bitmask` has `words` words; WEIR_INVALID_ARGUMENT unless `words` is
 * weir_bitmask_words(vocab_size), and then nothing is written. On all other failures the mask is all zero. */
WEIR_API weir_status weir_matcher_fill_next_token_bitmask(weir_matcher* matcher, uint32_t* bitmask, size_t words);
/* Stores the mask's id; WEIR_NOT_FOUND if the mask has none. */
WEIR_API weir_status weir_matcher_next_token_mask_id(weir_matcher* matcher, uint64_t* out);
/* There are `count` tokens, parents and steps. `bitmasks` has `words` words in all: `count` rows, one after another. On
 * all but WEIR_OK nothing is written; otherwise `steps` receives what accepting each node's token returned. */
WEIR_API weir_status weir_matcher_fill_draft_tree_bitmasks(weir_matcher* matcher, const uint32_t* tokens,
                                                           const int32_t* parents, size_t count, uint32_t* bitmasks,
                                                           size_t words, weir_status* steps);
WEIR_API weir_status weir_matcher_is_token_allowed(weir_matcher* matcher, uint32_t token, bool* out);
WEIR_API weir_status weir_matcher_accept_token(weir_matcher* matcher, uint32_t token);
/* WEIR_INVALID_ARGUMENT with canonical tokenization: bytes have no tokens; see weir_matcher_accept_text. */
WEIR_API weir_status weir_matcher_accept_bytes(weir_matcher* matcher, weir_text bytes);
/* Accepts the tokens that the tokenizer gives for `text`, one step each, all or none; the empty text is no step.
 * WEIR_INVALID_ARGUMENT also if it cannot tokenize the text. */
WEIR_API weir_status weir_matcher_accept_text(weir_matcher* matcher, weir_text text);
/* With WEIR_LIMIT_EXCEEDED, `*out` is a length that is known to be viable. */
WEIR_API weir_status weir_matcher_longest_viable_prefix(weir_matcher* matcher, weir_text bytes, size_t* out);
WEIR_API weir_status weir_matcher_rollback(weir_matcher* matcher, size_t steps);
WEIR_API weir_status weir_matcher_reset(weir_matcher* matcher);
WEIR_API size_t weir_matcher_step_count(const weir_matcher* matcher);
/* Returns the number of tokens that end the output. Unless `ids` is NULL, `*ids` is set to point to them, ascending; they
 * are valid until the matcher is freed. */
WEIR_API size_t weir_matcher_stop_token_ids(const weir_matcher* matcher, const uint32_t** ids);
WEIR_API bool weir_matcher_is_terminated(const weir_matcher* matcher);
WEIR_API bool weir_matcher_is_completed(const weir_matcher* matcher);
/* With WEIR_LIMIT_EXCEEDED, here and below, `*out` is what was found before the limit was met. */
WEIR_API weir_status weir_matcher_find_jump_forward_string(weir_matcher* matcher, weir_owned_text* out);
WEIR_API weir_status weir_matcher_forced_tokens(weir_matcher* matcher, weir_token_ids* out);
/* WEIR_NOT_FOUND if there is no completion. */
WEIR_API weir_status weir_matcher_shortest_completion(weir_matcher* matcher, weir_owned_text* out);
WEIR_API uint32_t weir_matcher_state_id(weir_matcher* matcher);
/* Stores which limit the last call met, and what to do; empty if it met none. */
WEIR_API weir_status weir_matcher_limit_message(const weir_matcher* matcher, weir_owned_text* out);

typedef struct weir_state_stats {
  size_t struct_size;
  /* GrammarMatcher::state_id. */
  uint32_t state;
  /* Readings of the text that are followed at once. */
  uint32_t threads;
  /* Terminals begun or expected, with their residuals, over all threads. */
  uint32_t terminals_in_progress;
  /* Classes of bytes that the grammar distinguishes. */
  uint32_t byte_classes;
  /* Byte classes whose transition from this state has been explored. */
  uint32_t known_transitions;
  /* True if the next mask is only a copy. */
  bool mask_known;
} weir_state_stats;

/* Fills in `out` as weir_compiled_grammar_stats does. */
WEIR_API weir_status weir_matcher_state_stats(weir_matcher* matcher, weir_state_stats* out);

/* One call for a batch of matchers: weir/batch.h. One thread at a time. */
typedef struct weir_batch weir_batch;

/* Uses `threads` threads for each call, at most 256, the caller's thread included. 0 means one thread per processor.
 * */
WEIR_API weir_status weir_batch_create(uint32_t threads, weir_batch** out);
/* weir::BatchOptions. */
typedef struct weir_batch_options {
  size_t struct_size;
  /* The number of threads that work on a call, the caller's thread included. 0 means one thread per processor. */
  uint32_t threads;
  /* After accept_tokens, `threads` additional threads compute the masks of the rows' new states in advance, and
   * write those of next_token_bitmasks. */
  bool prefetch;
} weir_batch_options;

WEIR_API weir_status weir_batch_options_init(weir_batch_options* options, size_t struct_size);
/* `options` may be NULL. Example:
 *     weir_batch_options options;
 *     weir_batch_options_init(&options, sizeof options);
 *     options.prefetch = true;
 *     if (weir_batch_create_with_options(&options, &batch) != WEIR_OK) return 1; */
WEIR_API weir_status weir_batch_create_with_options(const weir_batch_options* options, weir_batch** out);
WEIR_API void weir_batch_free(weir_batch* batch);
/* There are `count` matchers and steps, no matcher twice; NULL is a row without a grammar. `bitmasks` has `words` words
 * in all: `count` rows of the length that each matcher needs, one after another. On all but WEIR_OK nothing is written;
 * otherwise `steps` receives what the single calls returned. */
WEIR_API weir_status weir_batch_fill_next_token_bitmasks(weir_batch* batch, weir_matcher* const* matchers, size_t count,
                                                         uint32_t* bitmasks, size_t words, weir_status* steps);
/* Stores in `bitmasks` a pointer to the same masks in memory of the batch, and in `words` how many words they are: `count`
 * rows of equal length, one after another; all bits are set in the row of a NULL. If all matchers are NULL, `bitmasks` is
 * NULL. What is there is valid until the batch's next call of any kind; the memory stays until weir_batch_free. Takes less
 * time than weir_batch_fill_next_token_bitmasks: only what differs from the last call's masks is written. Example:
 *     const uint32_t* bitmasks;
 *     size_t words;
 *     if (weir_batch_next_token_bitmasks(batch, matchers, count, steps, &bitmasks, &words) != WEIR_OK) return 1;
 *     send_to_device(bitmasks, words); */
WEIR_API weir_status weir_batch_next_token_bitmasks(weir_batch* batch, weir_matcher* const* matchers, size_t count,
                                                    weir_status* steps, const uint32_t** bitmasks, size_t* words);
/* Accepts one token for each matcher, in the same way. */
WEIR_API weir_status weir_batch_accept_tokens(weir_batch* batch, weir_matcher* const* matchers, const uint32_t* tokens,
                                              size_t count, weir_status* steps);

/* A shortest completion, in texts and tokens. */
typedef struct weir_completion weir_completion;

typedef struct weir_completion_part {
  weir_text text; /* Empty if the part is a token. */
  bool is_token;
  uint32_t token; /* 0 if the part is text. */
} weir_completion_part;

/* WEIR_NOT_FOUND if there is no completion. */
WEIR_API weir_status weir_matcher_shortest_completion_parts(weir_matcher* matcher, weir_completion** out);
WEIR_API size_t weir_completion_part_count(const weir_completion* completion);
WEIR_API weir_status weir_completion_part_at(const weir_completion* completion, size_t index,
                                             weir_completion_part* out);
WEIR_API void weir_completion_free(weir_completion* completion);

/* Stores the text of the output so far; special tokens add nothing to it. */
WEIR_API weir_status weir_matcher_text(const weir_matcher* matcher, weir_owned_text* out);

/* The captures of the output so far, outer ones before inner ones. */
typedef struct weir_captures weir_captures;

typedef struct weir_capture {
  weir_text name;
  size_t begin, end; /* A range of bytes of the text. */
  bool complete;     /* False if the capture has begun but not ended; then `end` is the end of the text. */
} weir_capture;

WEIR_API weir_status weir_matcher_captures(weir_matcher* matcher, weir_captures** out);
WEIR_API size_t weir_captures_count(const weir_captures* captures);
WEIR_API weir_status weir_captures_at(const weir_captures* captures, size_t index, weir_capture* out);
WEIR_API void weir_captures_free(weir_captures* captures);

/* Stores the temperature that the grammar asks for here: the highest of those that apply to the next byte. It is a
 * request to the sampler. WEIR_NOT_FOUND if there is none. */
WEIR_API weir_status weir_matcher_temperature(weir_matcher* matcher, float* out);

/* What may come next, in a form for people. */
typedef struct weir_expectation weir_expectation;

WEIR_API weir_status weir_matcher_expected(weir_matcher* matcher, weir_expectation** out);
WEIR_API size_t weir_expectation_terminal_count(const weir_expectation* expectation);
WEIR_API weir_status weir_expectation_terminal(const weir_expectation* expectation, size_t index, weir_text* out);
/* Returns the bytes that may come next, ascending. */
WEIR_API weir_text weir_expectation_bytes(const weir_expectation* expectation);
/* Returns true if the output may end here or has ended. */
WEIR_API bool weir_expectation_end(const weir_expectation* expectation);
WEIR_API void weir_expectation_free(weir_expectation* expectation);

/* Why a token is allowed or not. */
typedef struct weir_explanation weir_explanation;

/* A token that the vocabulary lacks is explained, too: it is not allowed. */
WEIR_API weir_status weir_matcher_explain(weir_matcher* matcher, uint32_t token, weir_explanation** out);
WEIR_API bool weir_explanation_allowed(const weir_explanation* explanation);
WEIR_API size_t weir_explanation_bytes_matched(const weir_explanation* explanation);
WEIR_API weir_text weir_explanation_reason(const weir_explanation* explanation);
/* The result belongs to the explanation: do not free it. */
WEIR_API const weir_expectation* weir_explanation_expected(const weir_explanation* explanation);
WEIR_API void weir_explanation_free(weir_explanation* explanation);

/* ---- Reading replies beside a matcher: weir/reply_parser.h ----------------------------------------------------- */

/* A parser of the texts of a grammar: of the values of a schema, or of the captures of a structural tag or another grammar.
 * WEIR_INVALID_ARGUMENT: it has no captures and is no schema. */
WEIR_API weir_status weir_reply_parser_for_grammar(const weir_compiled_grammar* grammar, weir_reply_parser** out,
                                                   weir_error** error);
/* Reads what the matcher has accepted since the last call, so that tokens are accepted once. The reply has ended if `ends` is
 * true, or if the matcher has accepted a stop token. After drafted tokens were verified: steps that have been read cannot be
 * taken back. If the parser is of a grammar, the matcher is one of the same compiled grammar. Example:
 *     if (weir_matcher_accept_token(matcher, token) == WEIR_OK) weir_reply_parser_follow(parser, matcher, false, &error); */
WEIR_API weir_status weir_reply_parser_follow(weir_reply_parser* parser, weir_matcher* matcher, bool ends,
                                              weir_error** error);
/* Ends a reply that was cut, by a bound on its tokens, say: as weir_reply_parser_finish, but the reply need not be complete.
 * Also after weir_reply_parser_follow. WEIR_INVALID_ARGUMENT: the reply had ended before. */
WEIR_API weir_status weir_reply_parser_cut(weir_reply_parser* parser, weir_error** error);

/* ---- The engine with kbnf's calls: weir/kbnf.h ---------------------------------------------------------------- */

typedef struct weir_kbnf_engine weir_kbnf_engine;

/* weir::KbnfResult. */
typedef enum weir_kbnf_result {
  WEIR_KBNF_ONGOING = 0,
  WEIR_KBNF_FINISHED = 1,
  WEIR_KBNF_REJECTED = 2,
  WEIR_KBNF_UNKNOWN_TOKEN = 3,
  WEIR_KBNF_AFTER_END = 4,
  WEIR_KBNF_INVALID_LENGTH = 5,
  WEIR_KBNF_LIMIT_EXCEEDED = 6
} weir_kbnf_result;

/* Returns the result's name: "ongoing", "finished", ... A constant. */
WEIR_API const char* weir_kbnf_result_name(weir_kbnf_result result);

/* weir::KbnfOptions. */
typedef struct weir_kbnf_options {
  size_t struct_size;
  /* The start rule. */
  weir_text start;
  /* True if rules that derive no finite string are kept, as kbnf does. */
  bool keep_endless;
} weir_kbnf_options;

WEIR_API weir_status weir_kbnf_options_init(weir_kbnf_options* options, size_t struct_size);

/* `options` and `limits` may be NULL. */
WEIR_API weir_status weir_kbnf_engine_create(const weir_tokenizer_info* tokenizer, weir_text grammar,
                                             const weir_kbnf_options* options, const weir_limits* limits,
                                             weir_kbnf_engine** out, weir_error** error);
/* Makes an engine for a compiled grammar. */
WEIR_API weir_status weir_kbnf_engine_of(const weir_compiled_grammar* compiled, weir_kbnf_engine** out);
WEIR_API void weir_kbnf_engine_free(weir_kbnf_engine* engine);
/* The outcome of the call is stored in `*out`; the status is WEIR_OK unless a pointer is NULL. So it is in the calls
 * that follow. */
WEIR_API weir_status weir_kbnf_engine_try_accept_new_token(weir_kbnf_engine* engine, uint32_t token,
                                                           weir_kbnf_result* out);
WEIR_API weir_status weir_kbnf_engine_try_accept_new_bytes(weir_kbnf_engine* engine, weir_text bytes,
                                                           weir_kbnf_result* out);
WEIR_API weir_status weir_kbnf_engine_compute_allowed_token_ids(weir_kbnf_engine* engine, weir_kbnf_result* out);
/* The tokens of the last computation, here and below. Before the first one and after a reset no token is allowed. */
WEIR_API weir_status weir_kbnf_engine_allowed_token_ids(const weir_kbnf_engine* engine, weir_token_ids* out);
WEIR_API weir_status weir_kbnf_engine_disallowed_token_ids(const weir_kbnf_engine* engine, weir_token_ids* out);
WEIR_API bool weir_kbnf_engine_check_if_token_is_allowed(const weir_kbnf_engine* engine, uint32_t token);
/* Returns the number of words of the mask. Unless `words` is NULL, `*words` is set to point to them; they are valid
 * until the next computation. */
WEIR_API size_t weir_kbnf_engine_allowed_token_bitmask(const weir_kbnf_engine* engine, const uint32_t** words);
/* `count` is the number of logits, which are float32. */
WEIR_API weir_status weir_kbnf_engine_mask_logits(const weir_kbnf_engine* engine, float* logits, size_t count,
                                                  weir_kbnf_result* out);
WEIR_API weir_status weir_kbnf_engine_update_logits(weir_kbnf_engine* engine, uint32_t token, float* logits,
                                                    size_t count, weir_kbnf_result* out);
WEIR_API bool weir_kbnf_engine_is_finished(const weir_kbnf_engine* engine);
WEIR_API weir_status weir_kbnf_engine_reset(weir_kbnf_engine* engine);
/* Stores a matcher at the engine's place, for calls that an engine does not have: text, captures, the message of a
 * limit. */
WEIR_API weir_status weir_kbnf_engine_matcher(const weir_kbnf_engine* engine, weir_matcher** out);

#ifdef __cplusplus
}
#endif
#ifdef WEIR_EXPORT_C_ALONE
#pragma GCC visibility pop
#endif

#endif /* WEIR_C_H_ */
