// Written by tools/generate from include/weir_c.h. Do not edit.
use core::ffi::{c_char, c_void};
use core::marker::{PhantomData, PhantomPinned};

pub type weir_status = i32;
pub const WEIR_OK: weir_status = 0;
pub const WEIR_INVALID_ARGUMENT: weir_status = 1;
pub const WEIR_SYNTAX: weir_status = 2;
pub const WEIR_UNSUPPORTED: weir_status = 3;
pub const WEIR_UNSATISFIABLE: weir_status = 4;
pub const WEIR_LIMIT_EXCEEDED: weir_status = 5;
pub const WEIR_INTERNAL: weir_status = 6;
pub const WEIR_OUT_OF_MEMORY: weir_status = 7;
pub const WEIR_REFUSED: weir_status = 8;
pub const WEIR_TERMINATED: weir_status = 9;
pub const WEIR_NOT_FOUND: weir_status = 10;

pub type weir_severity = i32;
pub const WEIR_SEVERITY_ERROR: weir_severity = 0;
pub const WEIR_SEVERITY_WARNING: weir_severity = 1;

pub type weir_logit_type = i32;
pub const WEIR_FLOAT32: weir_logit_type = 0;
pub const WEIR_FLOAT16: weir_logit_type = 1;
pub const WEIR_BFLOAT16: weir_logit_type = 2;

pub type weir_token_kind = i32;
pub const WEIR_TOKEN_NORMAL: weir_token_kind = 0;
pub const WEIR_TOKEN_BYTE: weir_token_kind = 1;
pub const WEIR_TOKEN_SPECIAL: weir_token_kind = 2;
pub const WEIR_TOKEN_UNUSED: weir_token_kind = 3;

pub type weir_token_spelling = i32;
pub const WEIR_SPELLING_BYTES: weir_token_spelling = 0;
pub const WEIR_SPELLING_BYTE_FALLBACK: weir_token_spelling = 1;
pub const WEIR_SPELLING_BYTE_LEVEL: weir_token_spelling = 2;

pub type weir_grammar_syntax = i32;
pub const WEIR_SYNTAX_EBNF: weir_grammar_syntax = 0;
pub const WEIR_SYNTAX_GBNF: weir_grammar_syntax = 1;
pub const WEIR_SYNTAX_XGRAMMAR: weir_grammar_syntax = 2;
pub const WEIR_SYNTAX_KBNF: weir_grammar_syntax = 3;
pub const WEIR_SYNTAX_LARK: weir_grammar_syntax = 4;

pub type weir_regex_match = i32;
pub const WEIR_REGEX_FULL: weir_regex_match = 0;
pub const WEIR_REGEX_SEARCH: weir_regex_match = 1;

pub type weir_regex_dialect = i32;
pub const WEIR_REGEX_WEIR: weir_regex_dialect = 0;
pub const WEIR_REGEX_ECMA262: weir_regex_dialect = 1;
pub const WEIR_REGEX_RUST: weir_regex_dialect = 2;
pub const WEIR_REGEX_PYTHON: weir_regex_dialect = 3;
pub const WEIR_REGEX_PCRE: weir_regex_dialect = 4;

pub type weir_schema_draft = i32;
pub const WEIR_DRAFT_4: weir_schema_draft = 0;
pub const WEIR_DRAFT_6: weir_schema_draft = 1;
pub const WEIR_DRAFT_7: weir_schema_draft = 2;
pub const WEIR_DRAFT_2019_09: weir_schema_draft = 3;
pub const WEIR_DRAFT_2020_12: weir_schema_draft = 4;

pub type weir_schema_formats = i32;
pub const WEIR_FORMATS_ASSERT: weir_schema_formats = 0;
pub const WEIR_FORMATS_ANNOTATE: weir_schema_formats = 1;

pub type weir_schema_unknown_formats = i32;
pub const WEIR_UNKNOWN_FORMATS_WARN: weir_schema_unknown_formats = 0;
pub const WEIR_UNKNOWN_FORMATS_REFUSE: weir_schema_unknown_formats = 1;

pub type weir_schema_whitespace = i32;
pub const WEIR_WHITESPACE_BOUNDED: weir_schema_whitespace = 0;
pub const WEIR_WHITESPACE_NONE: weir_schema_whitespace = 1;
pub const WEIR_WHITESPACE_COMPACT: weir_schema_whitespace = 2;
pub const WEIR_WHITESPACE_INDENTED: weir_schema_whitespace = 3;
pub const WEIR_WHITESPACE_UNBOUNDED: weir_schema_whitespace = 4;
pub const WEIR_WHITESPACE_PATTERN: weir_schema_whitespace = 5;

pub type weir_schema_order = i32;
pub const WEIR_ORDER_ANY: weir_schema_order = 0;
pub const WEIR_ORDER_DECLARED: weir_schema_order = 1;

pub type weir_schema_escapes = i32;
pub const WEIR_ESCAPES_ALL: weir_schema_escapes = 0;
pub const WEIR_ESCAPES_SHORT: weir_schema_escapes = 1;
pub const WEIR_ESCAPES_REQUIRED: weir_schema_escapes = 2;

pub type weir_schema_integers = i32;
pub const WEIR_INTEGERS_ANY: weir_schema_integers = 0;
pub const WEIR_INTEGERS_PLAIN: weir_schema_integers = 1;

pub type weir_schema_numbers = i32;
pub const WEIR_NUMBERS_ANY: weir_schema_numbers = 0;
pub const WEIR_NUMBERS_DOUBLE: weir_schema_numbers = 1;

pub type weir_schema_unknown_keywords = i32;
pub const WEIR_UNKNOWN_KEYWORDS_IGNORE: weir_schema_unknown_keywords = 0;
pub const WEIR_UNKNOWN_KEYWORDS_REFUSE: weir_schema_unknown_keywords = 1;

pub type weir_schema_reading = i32;
pub const WEIR_READING_SPECIFICATION: weir_schema_reading = 0;
pub const WEIR_READING_PRACTICE: weir_schema_reading = 1;

pub type weir_schema_notation = i32;
pub const WEIR_NOTATION_JSON: weir_schema_notation = 0;
pub const WEIR_NOTATION_YAML: weir_schema_notation = 1;

pub type weir_substring_unit = i32;
pub const WEIR_UNIT_CHARACTER: weir_substring_unit = 0;
pub const WEIR_UNIT_WORD: weir_substring_unit = 1;

pub type weir_tool_reasoning = i32;
pub const WEIR_REASONING_NONE: weir_tool_reasoning = 0;
pub const WEIR_REASONING_WHOLE: weir_tool_reasoning = 1;
pub const WEIR_REASONING_BEGUN: weir_tool_reasoning = 2;
pub const WEIR_REASONING_AUTO: weir_tool_reasoning = 3;

pub type weir_tool_on_bad_tool = i32;
pub const WEIR_ON_BAD_TOOL_REFUSE: weir_tool_on_bad_tool = 0;
pub const WEIR_ON_BAD_TOOL_LOOSEN: weir_tool_on_bad_tool = 1;
pub const WEIR_ON_BAD_TOOL_DROP: weir_tool_on_bad_tool = 2;

pub type weir_reply_mode = i32;
pub const WEIR_MODE_TOLERANT: weir_reply_mode = 0;
pub const WEIR_MODE_STRICT: weir_reply_mode = 1;

pub type weir_reply_event_kind = i32;
pub const WEIR_REPLY_REASONING_BEGINS: weir_reply_event_kind = 0;
pub const WEIR_REPLY_REASONING: weir_reply_event_kind = 1;
pub const WEIR_REPLY_REASONING_ENDS: weir_reply_event_kind = 2;
pub const WEIR_REPLY_TEXT: weir_reply_event_kind = 3;
pub const WEIR_REPLY_CALL_BEGINS: weir_reply_event_kind = 4;
pub const WEIR_REPLY_ARGUMENTS: weir_reply_event_kind = 5;
pub const WEIR_REPLY_CALL_ENDS: weir_reply_event_kind = 6;
pub const WEIR_REPLY_CALL_INVALID: weir_reply_event_kind = 7;
pub const WEIR_REPLY_MARKUP: weir_reply_event_kind = 8;
pub const WEIR_REPLY_OBJECT_BEGINS: weir_reply_event_kind = 9;
pub const WEIR_REPLY_ARRAY_BEGINS: weir_reply_event_kind = 10;
pub const WEIR_REPLY_STRING: weir_reply_event_kind = 11;
pub const WEIR_REPLY_NUMBER: weir_reply_event_kind = 12;
pub const WEIR_REPLY_BOOLEAN: weir_reply_event_kind = 13;
pub const WEIR_REPLY_NULL: weir_reply_event_kind = 14;
pub const WEIR_REPLY_STRING_ENDS: weir_reply_event_kind = 15;
pub const WEIR_REPLY_OBJECT_ENDS: weir_reply_event_kind = 16;
pub const WEIR_REPLY_ARRAY_ENDS: weir_reply_event_kind = 17;
pub const WEIR_REPLY_INPUT: weir_reply_event_kind = 18;
pub const WEIR_REPLY_CAPTURE_BEGINS: weir_reply_event_kind = 19;
pub const WEIR_REPLY_CAPTURE: weir_reply_event_kind = 20;
pub const WEIR_REPLY_CAPTURE_ENDS: weir_reply_event_kind = 21;

pub type weir_tokenization = i32;
pub const WEIR_TOKENIZATION_ANY: weir_tokenization = 0;
pub const WEIR_TOKENIZATION_CANONICAL: weir_tokenization = 1;

pub type weir_kbnf_result = i32;
pub const WEIR_KBNF_ONGOING: weir_kbnf_result = 0;
pub const WEIR_KBNF_FINISHED: weir_kbnf_result = 1;
pub const WEIR_KBNF_REJECTED: weir_kbnf_result = 2;
pub const WEIR_KBNF_UNKNOWN_TOKEN: weir_kbnf_result = 3;
pub const WEIR_KBNF_AFTER_END: weir_kbnf_result = 4;
pub const WEIR_KBNF_INVALID_LENGTH: weir_kbnf_result = 5;
pub const WEIR_KBNF_LIMIT_EXCEEDED: weir_kbnf_result = 6;

#[repr(C)]
pub struct weir_error {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_diagnostics {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_tokenizer_info {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_grammar {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_reply_parser {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_compiler {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_compiled_grammar {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_matcher {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_batch {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_completion {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_captures {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_expectation {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_explanation {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct weir_kbnf_engine {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_text {
    pub data: *const c_char,
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_owned_text {
    pub data: *mut c_char,
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_token_ids {
    pub data: *mut u32,
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_warning {
    pub message: weir_text,
    pub hint: weir_text,
    pub start: usize,
    pub end: usize,
    pub code: weir_text,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_diagnostic {
    pub struct_size: usize,
    pub code: weir_text,
    pub message: weir_text,
    pub hint: weir_text,
    pub limit: weir_text,
    pub pointer: weir_text,
    pub start: usize,
    pub end: usize,
    pub note_count: usize,
    pub replacement: weir_text,
    pub fix_start: usize,
    pub fix_end: usize,
    pub severity: i32,
    pub has_fix: bool,
    pub options: weir_text,
    pub text: weir_text,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_note {
    pub message: weir_text,
    pub location: weir_text,
    pub start: usize,
    pub end: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_render_options {
    pub struct_size: usize,
    pub colors: bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_limits {
    pub struct_size: usize,
    pub text_bytes: u64,
    pub schema_steps: u64,
    pub call_work: u64,
    pub state_memory: u64,
    pub cache_memory: u64,
    pub token_dfa_transitions: u64,
    pub nesting: u32,
    pub grammar_symbols: u32,
    pub repeat_count: u32,
    pub number_digits: u32,
    pub regex_nodes: u32,
    pub regex_fuel: u32,
    pub lexer_states: u32,
    pub row_items: u32,
    pub configuration_threads: u32,
    pub lookahead_threads: u32,
    pub completion_bytes: u32,
    pub capture_items: u32,
    pub token_dfa_states: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_tokenizer_options {
    pub struct_size: usize,
    pub stop_token_ids: *const u32,
    pub stop_token_count: usize,
    pub padded_vocab_size: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_vocab_spec {
    pub struct_size: usize,
    pub tokens: *const weir_text,
    pub token_count: usize,
    pub special_token_ids: *const u32,
    pub special_token_count: usize,
    pub stop_token_ids: *const u32,
    pub stop_token_count: usize,
    pub drops_leading_space: bool,
    pub stop_tokens_by_name: bool,
    pub spelling: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_ebnf_options {
    pub struct_size: usize,
    pub start: weir_text,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_named_grammar {
    pub name: weir_text,
    pub text: weir_text,
    pub syntax: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_regex_options {
    pub struct_size: usize,
    pub dialect: i32,
    pub r#match: i32,
    pub ignore_case: bool,
    pub multi_line: bool,
    pub dot_all: bool,
    pub extended: bool,
    pub operators: bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_schema_document {
    pub uri: weir_text,
    pub text: weir_text,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_json_schema_options {
    pub struct_size: usize,
    pub base_uri: weir_text,
    pub documents: *const weir_schema_document,
    pub document_count: usize,
    pub whitespace_pattern: weir_text,
    pub default_draft: i32,
    pub formats: i32,
    pub unknown_formats: i32,
    pub whitespace: i32,
    pub order: i32,
    pub escapes: i32,
    pub whitespace_limit: u32,
    pub indent: u32,
    pub scientific_decimals: u32,
    pub leading_whitespace: bool,
    pub trailing_whitespace: bool,
    pub lone_surrogates: bool,
    pub exponents: bool,
    pub integers: i32,
    pub numbers: i32,
    pub number_digits: u32,
    pub unknown_keywords: i32,
    pub reading: i32,
    pub characters: weir_text,
    pub notation: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_text_options {
    pub struct_size: usize,
    pub start: weir_text,
    pub grammars: *const weir_named_grammar,
    pub grammar_count: usize,
    pub json_schema: *const weir_json_schema_options,
    pub syntax: i32,
    pub exact_splits: bool,
    pub keep_endless: bool,
    pub indenter: weir_text,
    pub language: weir_text,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_structural_tag_options {
    pub struct_size: usize,
    pub json_schema: *const weir_json_schema_options,
    pub special_tokens: *const weir_text,
    pub special_token_count: usize,
    pub grammar_syntax: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_tool_options {
    pub struct_size: usize,
    pub tool_choice: weir_text,
    pub reasoning: i32,
    pub parallel_tool_calls: bool,
    pub max_reasoning_tokens: u32,
    pub reasoning_closing: weir_text,
    pub response_format: weir_text,
    pub on_bad_tool: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_reply_options {
    pub struct_size: usize,
    pub tools: *const weir_tool_options,
    pub mode: i32,
    pub values: bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_reply_event {
    pub struct_size: usize,
    pub text: weir_text,
    pub name: weir_text,
    pub id: weir_text,
    pub reason: weir_text,
    pub start: usize,
    pub end: usize,
    pub call: u32,
    pub kind: i32,
    pub key: weir_text,
    pub depth: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_cache_stats {
    pub struct_size: usize,
    pub hits: u64,
    pub misses: u64,
    pub evictions: u64,
    pub entries: u64,
    pub memory_bytes: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_engine_stats {
    pub struct_size: usize,
    pub states: u64,
    pub transitions: u64,
    pub rows: u64,
    pub row_items: u64,
    pub continuations: u64,
    pub lexer_states: u64,
    pub regex_nodes: u64,
    pub masks: u64,
    pub trie_nodes: u64,
    pub cache_flushes: u64,
    pub memory_bytes: u64,
    pub facts: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_warm_up_options {
    pub struct_size: usize,
    pub work: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_warm_up_report {
    pub struct_size: usize,
    pub work: u64,
    pub masks: u64,
    pub is_complete: bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_matcher_options {
    pub struct_size: usize,
    pub at_text_start: bool,
    pub context: *const u32,
    pub context_count: usize,
    pub tokenization: i32,
    pub stop_token_ids: *const u32,
    pub stop_token_count: usize,
    pub max_tokens: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_state_stats {
    pub struct_size: usize,
    pub state: u32,
    pub threads: u32,
    pub terminals_in_progress: u32,
    pub byte_classes: u32,
    pub known_transitions: u32,
    pub mask_known: bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_batch_options {
    pub struct_size: usize,
    pub threads: u32,
    pub prefetch: bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_completion_part {
    pub text: weir_text,
    pub is_token: bool,
    pub token: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_capture {
    pub name: weir_text,
    pub begin: usize,
    pub end: usize,
    pub complete: bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct weir_kbnf_options {
    pub struct_size: usize,
    pub start: weir_text,
    pub keep_endless: bool,
}

extern "C" {
    pub fn weir_status_name(status: weir_status) -> *const c_char;
    pub fn weir_version() -> *const c_char;
    pub fn weir_owned_text_free(text: *mut weir_owned_text);
    pub fn weir_token_ids_free(ids: *mut weir_token_ids);
    pub fn weir_error_status(error: *const weir_error) -> weir_status;
    pub fn weir_error_message(error: *const weir_error) -> weir_text;
    pub fn weir_error_hint(error: *const weir_error) -> weir_text;
    pub fn weir_error_limit(error: *const weir_error) -> weir_text;
    pub fn weir_error_pointer(error: *const weir_error) -> weir_text;
    pub fn weir_error_start(error: *const weir_error) -> usize;
    pub fn weir_error_end(error: *const weir_error) -> usize;
    pub fn weir_error_text(error: *const weir_error) -> weir_text;
    pub fn weir_error_options(error: *const weir_error) -> weir_text;
    pub fn weir_error_render(error: *const weir_error, text: weir_text, name: weir_text, out: *mut weir_owned_text) -> weir_status;
    pub fn weir_error_free(error: *mut weir_error);
    pub fn weir_line_column(text: weir_text, offset: usize, line: *mut usize, column: *mut usize) -> weir_status;
    pub fn weir_severity_name(severity: weir_severity) -> *const c_char;
    pub fn weir_diagnostics_count(diagnostics: *const weir_diagnostics) -> usize;
    pub fn weir_diagnostics_at(diagnostics: *const weir_diagnostics, index: usize, out: *mut weir_diagnostic) -> weir_status;
    pub fn weir_diagnostics_note(diagnostics: *const weir_diagnostics, index: usize, note: usize, out: *mut weir_note) -> weir_status;
    pub fn weir_diagnostics_free(diagnostics: *mut weir_diagnostics);
    pub fn weir_render_options_init(options: *mut weir_render_options, struct_size: usize) -> weir_status;
    pub fn weir_diagnostics_render(diagnostics: *const weir_diagnostics, index: usize, text: weir_text, name: weir_text, options: *const weir_render_options, out: *mut weir_owned_text) -> weir_status;
    pub fn weir_error_diagnostics(error: *const weir_error, out: *mut *mut weir_diagnostics) -> weir_status;
    pub fn weir_bitmask_count(bitmask: *const u32, words: usize) -> usize;
    pub fn weir_apply_token_bitmask_inplace(logits: *mut c_void, count: usize, logit_type: i32, bitmask: *const u32, words: usize) -> weir_status;
    pub fn weir_limits_init(limits: *mut weir_limits, struct_size: usize) -> weir_status;
    pub fn weir_tokenizer_options_init(options: *mut weir_tokenizer_options, struct_size: usize) -> weir_status;
    pub fn weir_vocab_spec_init(spec: *mut weir_vocab_spec, struct_size: usize) -> weir_status;
    pub fn weir_tokenizer_info_builtin(out: *mut *mut weir_tokenizer_info, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_tokenizer_info_from_file(path: weir_text, options: *const weir_tokenizer_options, out: *mut *mut weir_tokenizer_info, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_tokenizer_info_from_bytes(data: weir_text, name: weir_text, options: *const weir_tokenizer_options, out: *mut *mut weir_tokenizer_info, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_tokenizer_info_from_vocab(spec: *const weir_vocab_spec, options: *const weir_tokenizer_options, out: *mut *mut weir_tokenizer_info, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_tokenizer_info_clone(tokenizer: *const weir_tokenizer_info, out: *mut *mut weir_tokenizer_info) -> weir_status;
    pub fn weir_tokenizer_info_free(tokenizer: *mut weir_tokenizer_info);
    pub fn weir_tokenizer_info_serialize(tokenizer: *const weir_tokenizer_info, out: *mut weir_owned_text) -> weir_status;
    pub fn weir_tokenizer_info_deserialize(data: weir_text, out: *mut *mut weir_tokenizer_info, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_tokenizer_info_vocab_size(tokenizer: *const weir_tokenizer_info) -> u32;
    pub fn weir_tokenizer_info_token_bytes(tokenizer: *const weir_tokenizer_info, id: u32, out: *mut weir_text) -> weir_status;
    pub fn weir_tokenizer_info_first_token_bytes(tokenizer: *const weir_tokenizer_info, id: u32, out: *mut weir_text) -> weir_status;
    pub fn weir_tokenizer_info_token_kind(tokenizer: *const weir_tokenizer_info, id: u32, out: *mut weir_token_kind) -> weir_status;
    pub fn weir_tokenizer_info_token_name(tokenizer: *const weir_tokenizer_info, id: u32, out: *mut weir_text) -> weir_status;
    pub fn weir_tokenizer_info_find_special_token(tokenizer: *const weir_tokenizer_info, name: weir_text, out: *mut u32) -> weir_status;
    pub fn weir_tokenizer_info_stop_token_ids(tokenizer: *const weir_tokenizer_info, ids: *mut *const u32) -> usize;
    pub fn weir_tokenizer_info_drops_leading_space(tokenizer: *const weir_tokenizer_info) -> bool;
    pub fn weir_tokenizer_info_kind(tokenizer: *const weir_tokenizer_info) -> weir_text;
    pub fn weir_tokenizer_info_decode(tokenizer: *const weir_tokenizer_info, ids: *const u32, count: usize, out: *mut weir_owned_text) -> weir_status;
    pub fn weir_tokenizer_info_tokenize(tokenizer: *const weir_tokenizer_info, text: weir_text, out: *mut weir_token_ids, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_tokenizer_info_canonical_support(tokenizer: *const weir_tokenizer_info, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_tokenizer_info_heal(tokenizer: *const weir_tokenizer_info, context: *const u32, count: usize, tokens: *mut usize, bytes: *mut weir_owned_text, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_ebnf_options_init(options: *mut weir_ebnf_options, struct_size: usize) -> weir_status;
    pub fn weir_grammar_syntax_name(syntax: weir_grammar_syntax) -> *const c_char;
    pub fn weir_grammar_syntax_named(name: weir_text, out: *mut weir_grammar_syntax) -> weir_status;
    pub fn weir_regex_options_init(options: *mut weir_regex_options, struct_size: usize) -> weir_status;
    pub fn weir_json_schema_options_init(options: *mut weir_json_schema_options, struct_size: usize) -> weir_status;
    pub fn weir_schema_profile(name: weir_text, options: *mut weir_json_schema_options, struct_size: usize) -> weir_status;
    pub fn weir_strict_json_schema(schema: weir_text, limits: *const weir_limits, out: *mut weir_owned_text, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_text_options_init(options: *mut weir_text_options, struct_size: usize) -> weir_status;
    pub fn weir_structural_tag_options_init(options: *mut weir_structural_tag_options, struct_size: usize) -> weir_status;
    pub fn weir_grammar_from_ebnf(text: weir_text, options: *const weir_ebnf_options, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_from_text(text: weir_text, options: *const weir_text_options, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_from_regex(pattern: weir_text, options: *const weir_regex_options, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_from_json_schema(schema: weir_text, options: *const weir_json_schema_options, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_json(options: *const weir_json_schema_options, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_json_object(options: *const weir_json_schema_options, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_from_structural_tag(tag: weir_text, options: *const weir_structural_tag_options, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_from_response_format(format: weir_text, options: *const weir_structural_tag_options, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_from_choice(strings: *const weir_text, count: usize, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_from_substring(text: weir_text, unit: i32, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_concat(parts: *const *const weir_grammar, count: usize, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_any_of(parts: *const *const weir_grammar, count: usize, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_from_substring_chunks(chunks: *const weir_text, count: usize, limits: *const weir_limits, out: *mut *mut weir_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_grammar_clone(grammar: *const weir_grammar, out: *mut *mut weir_grammar) -> weir_status;
    pub fn weir_grammar_free(grammar: *mut weir_grammar);
    pub fn weir_grammar_warning_count(grammar: *const weir_grammar) -> usize;
    pub fn weir_grammar_warning(grammar: *const weir_grammar, index: usize, out: *mut weir_warning) -> weir_status;
    pub fn weir_grammar_diagnostics(grammar: *const weir_grammar, out: *mut *mut weir_diagnostics) -> weir_status;
    pub fn weir_convert_grammar(grammar: *const weir_grammar, to: i32, out: *mut weir_owned_text, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_convert_to_regex(grammar: *const weir_grammar, out: *mut weir_owned_text, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_check_grammar(text: weir_text, options: *const weir_text_options, limits: *const weir_limits, out: *mut *mut weir_diagnostics, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_check_regex(pattern: weir_text, options: *const weir_regex_options, limits: *const weir_limits, out: *mut *mut weir_diagnostics, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_check_schema(schema: weir_text, options: *const weir_json_schema_options, limits: *const weir_limits, out: *mut *mut weir_diagnostics, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_check_structural_tag(tag: weir_text, options: *const weir_structural_tag_options, limits: *const weir_limits, out: *mut *mut weir_diagnostics, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_check_response_format(format: weir_text, options: *const weir_structural_tag_options, limits: *const weir_limits, out: *mut *mut weir_diagnostics, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_explain_refusal(schema: weir_text, text: weir_text, options: *const weir_json_schema_options, limits: *const weir_limits, out: *mut *mut weir_diagnostics, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_tool_options_init(options: *mut weir_tool_options, struct_size: usize) -> weir_status;
    pub fn weir_structural_tag_for_tools(style: weir_text, tools: weir_text, options: *const weir_tool_options, limits: *const weir_limits, out: *mut weir_owned_text, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_language_count() -> usize;
    pub fn weir_language_name(index: usize, out: *mut weir_text) -> weir_status;
    pub fn weir_tool_style_count() -> usize;
    pub fn weir_tool_style(index: usize, out: *mut weir_text) -> weir_status;
    pub fn weir_reply_options_init(options: *mut weir_reply_options, struct_size: usize) -> weir_status;
    pub fn weir_reply_event_kind_name(kind: weir_reply_event_kind) -> *const c_char;
    pub fn weir_reply_parser_create(style: weir_text, tools: weir_text, options: *const weir_reply_options, limits: *const weir_limits, out: *mut *mut weir_reply_parser, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_reply_parser_free(parser: *mut weir_reply_parser);
    pub fn weir_reply_parser_feed(parser: *mut weir_reply_parser, bytes: weir_text, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_reply_parser_feed_tokens(parser: *mut weir_reply_parser, tokens: *const u32, count: usize, tokenizer: *const weir_tokenizer_info, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_reply_parser_finish(parser: *mut weir_reply_parser, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_reply_parser_event_count(parser: *const weir_reply_parser) -> usize;
    pub fn weir_reply_parser_event(parser: *const weir_reply_parser, index: usize, out: *mut weir_reply_event) -> weir_status;
    pub fn weir_reply_parser_event_json(parser: *const weir_reply_parser, index: usize, out: *mut weir_owned_text) -> weir_status;
    pub fn weir_reply_parser_snapshot(parser: *const weir_reply_parser, out: *mut weir_owned_text) -> weir_status;
    pub fn weir_reply_parser_size(parser: *const weir_reply_parser) -> usize;
    pub fn weir_reply_parser_reset(parser: *mut weir_reply_parser) -> weir_status;
    pub fn weir_compiler_create(tokenizer: *const weir_tokenizer_info, limits: *const weir_limits, out: *mut *mut weir_compiler, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_free(compiler: *mut weir_compiler);
    pub fn weir_compiler_tokenizer_info(compiler: *const weir_compiler, out: *mut *mut weir_tokenizer_info) -> weir_status;
    pub fn weir_compiler_limits(compiler: *const weir_compiler, out: *mut weir_limits) -> weir_status;
    pub fn weir_compiler_compile(compiler: *const weir_compiler, grammar: *const weir_grammar, out: *mut *mut weir_compiled_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_compile_ebnf(compiler: *const weir_compiler, text: weir_text, options: *const weir_ebnf_options, out: *mut *mut weir_compiled_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_compile_text(compiler: *const weir_compiler, text: weir_text, options: *const weir_text_options, out: *mut *mut weir_compiled_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_compile_choice(compiler: *const weir_compiler, strings: *const weir_text, count: usize, out: *mut *mut weir_compiled_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_compile_substring(compiler: *const weir_compiler, text: weir_text, unit: i32, out: *mut *mut weir_compiled_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_compile_substring_chunks(compiler: *const weir_compiler, chunks: *const weir_text, count: usize, out: *mut *mut weir_compiled_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_compile_regex(compiler: *const weir_compiler, pattern: weir_text, options: *const weir_regex_options, out: *mut *mut weir_compiled_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_compile_json_schema(compiler: *const weir_compiler, schema: weir_text, options: *const weir_json_schema_options, out: *mut *mut weir_compiled_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_compile_json(compiler: *const weir_compiler, options: *const weir_json_schema_options, out: *mut *mut weir_compiled_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_compile_json_object(compiler: *const weir_compiler, options: *const weir_json_schema_options, out: *mut *mut weir_compiled_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_compile_structural_tag(compiler: *const weir_compiler, tag: weir_text, options: *const weir_structural_tag_options, out: *mut *mut weir_compiled_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_compile_response_format(compiler: *const weir_compiler, format: weir_text, options: *const weir_structural_tag_options, out: *mut *mut weir_compiled_grammar, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_compiler_cache_stats(compiler: *const weir_compiler, out: *mut weir_cache_stats) -> weir_status;
    pub fn weir_compiler_clear_cache(compiler: *const weir_compiler) -> weir_status;
    pub fn weir_compiled_grammar_clone(compiled: *const weir_compiled_grammar, out: *mut *mut weir_compiled_grammar) -> weir_status;
    pub fn weir_compiled_grammar_free(compiled: *mut weir_compiled_grammar);
    pub fn weir_compiled_grammar_tokenizer_info(compiled: *const weir_compiled_grammar, out: *mut *mut weir_tokenizer_info) -> weir_status;
    pub fn weir_compiled_grammar_warning_count(compiled: *const weir_compiled_grammar) -> usize;
    pub fn weir_compiled_grammar_warning(compiled: *const weir_compiled_grammar, index: usize, out: *mut weir_warning) -> weir_status;
    pub fn weir_compiled_grammar_diagnostics(compiled: *const weir_compiled_grammar, out: *mut *mut weir_diagnostics) -> weir_status;
    pub fn weir_compiled_grammar_stats(compiled: *const weir_compiled_grammar, out: *mut weir_engine_stats) -> weir_status;
    pub fn weir_warm_up_options_init(options: *mut weir_warm_up_options, struct_size: usize) -> weir_status;
    pub fn weir_compiled_grammar_warm_up(compiled: *const weir_compiled_grammar, options: *const weir_warm_up_options, out: *mut weir_warm_up_report) -> weir_status;
    pub fn weir_compiled_grammar_stop_warm_up(compiled: *const weir_compiled_grammar) -> weir_status;
    pub fn weir_matcher_options_init(options: *mut weir_matcher_options, struct_size: usize) -> weir_status;
    pub fn weir_matcher_create(compiled: *const weir_compiled_grammar, options: *const weir_matcher_options, out: *mut *mut weir_matcher) -> weir_status;
    pub fn weir_matcher_create_with_error(compiled: *const weir_compiled_grammar, options: *const weir_matcher_options, out: *mut *mut weir_matcher, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_matcher_fork(matcher: *const weir_matcher, out: *mut *mut weir_matcher) -> weir_status;
    pub fn weir_matcher_free(matcher: *mut weir_matcher);
    pub fn weir_matcher_compiled_grammar(matcher: *const weir_matcher, out: *mut *mut weir_compiled_grammar) -> weir_status;
    pub fn weir_matcher_fill_next_token_bitmask(matcher: *mut weir_matcher, bitmask: *mut u32, words: usize) -> weir_status;
    pub fn weir_matcher_next_token_mask_id(matcher: *mut weir_matcher, out: *mut u64) -> weir_status;
    pub fn weir_matcher_fill_draft_tree_bitmasks(matcher: *mut weir_matcher, tokens: *const u32, parents: *const i32, count: usize, bitmasks: *mut u32, words: usize, steps: *mut weir_status) -> weir_status;
    pub fn weir_matcher_is_token_allowed(matcher: *mut weir_matcher, token: u32, out: *mut bool) -> weir_status;
    pub fn weir_matcher_accept_token(matcher: *mut weir_matcher, token: u32) -> weir_status;
    pub fn weir_matcher_accept_bytes(matcher: *mut weir_matcher, bytes: weir_text) -> weir_status;
    pub fn weir_matcher_accept_text(matcher: *mut weir_matcher, text: weir_text) -> weir_status;
    pub fn weir_matcher_longest_viable_prefix(matcher: *mut weir_matcher, bytes: weir_text, out: *mut usize) -> weir_status;
    pub fn weir_matcher_rollback(matcher: *mut weir_matcher, steps: usize) -> weir_status;
    pub fn weir_matcher_reset(matcher: *mut weir_matcher) -> weir_status;
    pub fn weir_matcher_step_count(matcher: *const weir_matcher) -> usize;
    pub fn weir_matcher_stop_token_ids(matcher: *const weir_matcher, ids: *mut *const u32) -> usize;
    pub fn weir_matcher_is_terminated(matcher: *const weir_matcher) -> bool;
    pub fn weir_matcher_is_completed(matcher: *const weir_matcher) -> bool;
    pub fn weir_matcher_find_jump_forward_string(matcher: *mut weir_matcher, out: *mut weir_owned_text) -> weir_status;
    pub fn weir_matcher_forced_tokens(matcher: *mut weir_matcher, out: *mut weir_token_ids) -> weir_status;
    pub fn weir_matcher_shortest_completion(matcher: *mut weir_matcher, out: *mut weir_owned_text) -> weir_status;
    pub fn weir_matcher_state_id(matcher: *mut weir_matcher) -> u32;
    pub fn weir_matcher_limit_message(matcher: *const weir_matcher, out: *mut weir_owned_text) -> weir_status;
    pub fn weir_matcher_state_stats(matcher: *mut weir_matcher, out: *mut weir_state_stats) -> weir_status;
    pub fn weir_batch_create(threads: u32, out: *mut *mut weir_batch) -> weir_status;
    pub fn weir_batch_options_init(options: *mut weir_batch_options, struct_size: usize) -> weir_status;
    pub fn weir_batch_create_with_options(options: *const weir_batch_options, out: *mut *mut weir_batch) -> weir_status;
    pub fn weir_batch_free(batch: *mut weir_batch);
    pub fn weir_batch_fill_next_token_bitmasks(batch: *mut weir_batch, matchers: *const *mut weir_matcher, count: usize, bitmasks: *mut u32, words: usize, steps: *mut weir_status) -> weir_status;
    pub fn weir_batch_next_token_bitmasks(batch: *mut weir_batch, matchers: *const *mut weir_matcher, count: usize, steps: *mut weir_status, bitmasks: *mut *const u32, words: *mut usize) -> weir_status;
    pub fn weir_batch_accept_tokens(batch: *mut weir_batch, matchers: *const *mut weir_matcher, tokens: *const u32, count: usize, steps: *mut weir_status) -> weir_status;
    pub fn weir_matcher_shortest_completion_parts(matcher: *mut weir_matcher, out: *mut *mut weir_completion) -> weir_status;
    pub fn weir_completion_part_count(completion: *const weir_completion) -> usize;
    pub fn weir_completion_part_at(completion: *const weir_completion, index: usize, out: *mut weir_completion_part) -> weir_status;
    pub fn weir_completion_free(completion: *mut weir_completion);
    pub fn weir_matcher_text(matcher: *const weir_matcher, out: *mut weir_owned_text) -> weir_status;
    pub fn weir_matcher_captures(matcher: *mut weir_matcher, out: *mut *mut weir_captures) -> weir_status;
    pub fn weir_captures_count(captures: *const weir_captures) -> usize;
    pub fn weir_captures_at(captures: *const weir_captures, index: usize, out: *mut weir_capture) -> weir_status;
    pub fn weir_captures_free(captures: *mut weir_captures);
    pub fn weir_matcher_temperature(matcher: *mut weir_matcher, out: *mut f32) -> weir_status;
    pub fn weir_matcher_expected(matcher: *mut weir_matcher, out: *mut *mut weir_expectation) -> weir_status;
    pub fn weir_expectation_terminal_count(expectation: *const weir_expectation) -> usize;
    pub fn weir_expectation_terminal(expectation: *const weir_expectation, index: usize, out: *mut weir_text) -> weir_status;
    pub fn weir_expectation_bytes(expectation: *const weir_expectation) -> weir_text;
    pub fn weir_expectation_end(expectation: *const weir_expectation) -> bool;
    pub fn weir_expectation_free(expectation: *mut weir_expectation);
    pub fn weir_matcher_explain(matcher: *mut weir_matcher, token: u32, out: *mut *mut weir_explanation) -> weir_status;
    pub fn weir_explanation_allowed(explanation: *const weir_explanation) -> bool;
    pub fn weir_explanation_bytes_matched(explanation: *const weir_explanation) -> usize;
    pub fn weir_explanation_reason(explanation: *const weir_explanation) -> weir_text;
    pub fn weir_explanation_expected(explanation: *const weir_explanation) -> *const weir_expectation;
    pub fn weir_explanation_free(explanation: *mut weir_explanation);
    pub fn weir_reply_parser_for_grammar(grammar: *const weir_compiled_grammar, out: *mut *mut weir_reply_parser, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_reply_parser_follow(parser: *mut weir_reply_parser, matcher: *mut weir_matcher, ends: bool, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_reply_parser_cut(parser: *mut weir_reply_parser, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_kbnf_result_name(result: weir_kbnf_result) -> *const c_char;
    pub fn weir_kbnf_options_init(options: *mut weir_kbnf_options, struct_size: usize) -> weir_status;
    pub fn weir_kbnf_engine_create(tokenizer: *const weir_tokenizer_info, grammar: weir_text, options: *const weir_kbnf_options, limits: *const weir_limits, out: *mut *mut weir_kbnf_engine, error: *mut *mut weir_error) -> weir_status;
    pub fn weir_kbnf_engine_of(compiled: *const weir_compiled_grammar, out: *mut *mut weir_kbnf_engine) -> weir_status;
    pub fn weir_kbnf_engine_free(engine: *mut weir_kbnf_engine);
    pub fn weir_kbnf_engine_try_accept_new_token(engine: *mut weir_kbnf_engine, token: u32, out: *mut weir_kbnf_result) -> weir_status;
    pub fn weir_kbnf_engine_try_accept_new_bytes(engine: *mut weir_kbnf_engine, bytes: weir_text, out: *mut weir_kbnf_result) -> weir_status;
    pub fn weir_kbnf_engine_compute_allowed_token_ids(engine: *mut weir_kbnf_engine, out: *mut weir_kbnf_result) -> weir_status;
    pub fn weir_kbnf_engine_allowed_token_ids(engine: *const weir_kbnf_engine, out: *mut weir_token_ids) -> weir_status;
    pub fn weir_kbnf_engine_disallowed_token_ids(engine: *const weir_kbnf_engine, out: *mut weir_token_ids) -> weir_status;
    pub fn weir_kbnf_engine_check_if_token_is_allowed(engine: *const weir_kbnf_engine, token: u32) -> bool;
    pub fn weir_kbnf_engine_allowed_token_bitmask(engine: *const weir_kbnf_engine, words: *mut *const u32) -> usize;
    pub fn weir_kbnf_engine_mask_logits(engine: *const weir_kbnf_engine, logits: *mut f32, count: usize, out: *mut weir_kbnf_result) -> weir_status;
    pub fn weir_kbnf_engine_update_logits(engine: *mut weir_kbnf_engine, token: u32, logits: *mut f32, count: usize, out: *mut weir_kbnf_result) -> weir_status;
    pub fn weir_kbnf_engine_is_finished(engine: *const weir_kbnf_engine) -> bool;
    pub fn weir_kbnf_engine_reset(engine: *mut weir_kbnf_engine) -> weir_status;
    pub fn weir_kbnf_engine_matcher(engine: *const weir_kbnf_engine, out: *mut *mut weir_matcher) -> weir_status;
}
