// Written by tools/generate from include/weir_c.h and VERSION. Do not edit.

/** The words of each enumeration, by number. */
export const ENUMS = {
  status: ["ok", "invalid_argument", "syntax", "unsupported", "unsatisfiable", "limit_exceeded", "internal", "out_of_memory", "refused", "terminated", "not_found"],
  severity: ["error", "warning"],
  logit_type: ["float32", "float16", "bfloat16"],
  token_kind: ["normal", "byte", "special", "unused"],
  token_spelling: ["bytes", "byte_fallback", "byte_level"],
  grammar_syntax: ["ebnf", "gbnf", "xgrammar", "kbnf", "lark"],
  regex_match: ["full", "search"],
  regex_dialect: ["weir", "ecma262", "rust", "python", "pcre"],
  schema_draft: ["4", "6", "7", "2019-09", "2020-12"],
  schema_formats: ["assert", "annotate"],
  schema_unknown_formats: ["warn", "refuse"],
  schema_whitespace: ["bounded", "none", "compact", "indented", "unbounded", "pattern"],
  schema_order: ["any", "declared"],
  schema_escapes: ["all", "short", "required"],
  schema_integers: ["any", "plain"],
  schema_numbers: ["any", "double"],
  schema_unknown_keywords: ["ignore", "refuse"],
  schema_reading: ["specification", "practice"],
  schema_notation: ["json", "yaml"],
  substring_unit: ["character", "word"],
  tool_reasoning: ["none", "whole", "begun", "auto"],
  tool_on_bad_tool: ["refuse", "loosen", "drop"],
  reply_mode: ["tolerant", "strict"],
  reply_event_kind: ["reasoning_begins", "reasoning", "reasoning_ends", "text", "call_begins", "arguments", "call_ends", "call_invalid", "markup", "object_begins", "array_begins", "string", "number", "boolean", "null", "string_ends", "object_ends", "array_ends", "input", "capture_begins", "capture", "capture_ends"],
  tokenization: ["any", "canonical"],
  kbnf_result: ["ongoing", "finished", "rejected", "unknown_token", "after_end", "invalid_length", "limit_exceeded"],
} as const;

/** Sizes of structs, and the offset and type of each member. */
export const STRUCTS = {
  text: {
    size: 8,
    fields: {
      data: [0, "*u8"],
      size: [4, "u32"],
    },
  },
  owned_text: {
    size: 8,
    fields: {
      data: [0, "*u8"],
      size: [4, "u32"],
    },
  },
  token_ids: {
    size: 8,
    fields: {
      data: [0, "*u32"],
      size: [4, "u32"],
    },
  },
  warning: {
    size: 32,
    fields: {
      message: [0, "text"],
      hint: [8, "text"],
      start: [16, "u32"],
      end: [20, "u32"],
      code: [24, "text"],
    },
  },
  diagnostic: {
    size: 96,
    fields: {
      struct_size: [0, "u32"],
      code: [4, "text"],
      message: [12, "text"],
      hint: [20, "text"],
      limit: [28, "text"],
      pointer: [36, "text"],
      start: [44, "u32"],
      end: [48, "u32"],
      note_count: [52, "u32"],
      replacement: [56, "text"],
      fix_start: [64, "u32"],
      fix_end: [68, "u32"],
      severity: [72, "enum severity"],
      has_fix: [76, "bool"],
      options: [80, "text"],
      text: [88, "text"],
    },
  },
  note: {
    size: 24,
    fields: {
      message: [0, "text"],
      location: [8, "text"],
      start: [16, "u32"],
      end: [20, "u32"],
    },
  },
  render_options: {
    size: 8,
    fields: {
      struct_size: [0, "u32"],
      colors: [4, "bool"],
    },
  },
  limits: {
    size: 112,
    fields: {
      struct_size: [0, "u32"],
      text_bytes: [8, "u64"],
      schema_steps: [16, "u64"],
      call_work: [24, "u64"],
      state_memory: [32, "u64"],
      cache_memory: [40, "u64"],
      token_dfa_transitions: [48, "u64"],
      nesting: [56, "u32"],
      grammar_symbols: [60, "u32"],
      repeat_count: [64, "u32"],
      number_digits: [68, "u32"],
      regex_nodes: [72, "u32"],
      regex_fuel: [76, "u32"],
      lexer_states: [80, "u32"],
      row_items: [84, "u32"],
      configuration_threads: [88, "u32"],
      lookahead_threads: [92, "u32"],
      completion_bytes: [96, "u32"],
      capture_items: [100, "u32"],
      token_dfa_states: [104, "u32"],
    },
  },
  tokenizer_options: {
    size: 16,
    fields: {
      struct_size: [0, "u32"],
      stop_token_ids: [4, "*u32"],
      stop_token_count: [8, "u32"],
      padded_vocab_size: [12, "u32"],
    },
  },
  vocab_spec: {
    size: 36,
    fields: {
      struct_size: [0, "u32"],
      tokens: [4, "*text"],
      token_count: [8, "u32"],
      special_token_ids: [12, "*u32"],
      special_token_count: [16, "u32"],
      stop_token_ids: [20, "*u32"],
      stop_token_count: [24, "u32"],
      drops_leading_space: [28, "bool"],
      stop_tokens_by_name: [29, "bool"],
      spelling: [32, "enum token_spelling"],
    },
  },
  ebnf_options: {
    size: 12,
    fields: {
      struct_size: [0, "u32"],
      start: [4, "text"],
    },
  },
  named_grammar: {
    size: 20,
    fields: {
      name: [0, "text"],
      text: [8, "text"],
      syntax: [16, "enum grammar_syntax"],
    },
  },
  regex_options: {
    size: 20,
    fields: {
      struct_size: [0, "u32"],
      dialect: [4, "enum regex_dialect"],
      match: [8, "enum regex_match"],
      ignore_case: [12, "bool"],
      multi_line: [13, "bool"],
      dot_all: [14, "bool"],
      extended: [15, "bool"],
      operators: [16, "bool"],
    },
  },
  schema_document: {
    size: 16,
    fields: {
      uri: [0, "text"],
      text: [8, "text"],
    },
  },
  json_schema_options: {
    size: 100,
    fields: {
      struct_size: [0, "u32"],
      base_uri: [4, "text"],
      documents: [12, "*schema_document"],
      document_count: [16, "u32"],
      whitespace_pattern: [20, "text"],
      default_draft: [28, "enum schema_draft"],
      formats: [32, "enum schema_formats"],
      unknown_formats: [36, "enum schema_unknown_formats"],
      whitespace: [40, "enum schema_whitespace"],
      order: [44, "enum schema_order"],
      escapes: [48, "enum schema_escapes"],
      whitespace_limit: [52, "u32"],
      indent: [56, "u32"],
      scientific_decimals: [60, "u32"],
      leading_whitespace: [64, "bool"],
      trailing_whitespace: [65, "bool"],
      lone_surrogates: [66, "bool"],
      exponents: [67, "bool"],
      integers: [68, "enum schema_integers"],
      numbers: [72, "enum schema_numbers"],
      number_digits: [76, "u32"],
      unknown_keywords: [80, "enum schema_unknown_keywords"],
      reading: [84, "enum schema_reading"],
      characters: [88, "text"],
      notation: [96, "enum schema_notation"],
    },
  },
  text_options: {
    size: 48,
    fields: {
      struct_size: [0, "u32"],
      start: [4, "text"],
      grammars: [12, "*named_grammar"],
      grammar_count: [16, "u32"],
      json_schema: [20, "*json_schema_options"],
      syntax: [24, "enum grammar_syntax"],
      exact_splits: [28, "bool"],
      keep_endless: [29, "bool"],
      indenter: [32, "text"],
      language: [40, "text"],
    },
  },
  structural_tag_options: {
    size: 20,
    fields: {
      struct_size: [0, "u32"],
      json_schema: [4, "*json_schema_options"],
      special_tokens: [8, "*text"],
      special_token_count: [12, "u32"],
      grammar_syntax: [16, "enum grammar_syntax"],
    },
  },
  tool_options: {
    size: 44,
    fields: {
      struct_size: [0, "u32"],
      tool_choice: [4, "text"],
      reasoning: [12, "enum tool_reasoning"],
      parallel_tool_calls: [16, "bool"],
      max_reasoning_tokens: [20, "u32"],
      reasoning_closing: [24, "text"],
      response_format: [32, "text"],
      on_bad_tool: [40, "enum tool_on_bad_tool"],
    },
  },
  reply_options: {
    size: 16,
    fields: {
      struct_size: [0, "u32"],
      tools: [4, "*tool_options"],
      mode: [8, "enum reply_mode"],
      values: [12, "bool"],
    },
  },
  reply_event: {
    size: 64,
    fields: {
      struct_size: [0, "u32"],
      text: [4, "text"],
      name: [12, "text"],
      id: [20, "text"],
      reason: [28, "text"],
      start: [36, "u32"],
      end: [40, "u32"],
      call: [44, "u32"],
      kind: [48, "enum reply_event_kind"],
      key: [52, "text"],
      depth: [60, "u32"],
    },
  },
  cache_stats: {
    size: 48,
    fields: {
      struct_size: [0, "u32"],
      hits: [8, "u64"],
      misses: [16, "u64"],
      evictions: [24, "u64"],
      entries: [32, "u64"],
      memory_bytes: [40, "u64"],
    },
  },
  engine_stats: {
    size: 104,
    fields: {
      struct_size: [0, "u32"],
      states: [8, "u64"],
      transitions: [16, "u64"],
      rows: [24, "u64"],
      row_items: [32, "u64"],
      continuations: [40, "u64"],
      lexer_states: [48, "u64"],
      regex_nodes: [56, "u64"],
      masks: [64, "u64"],
      trie_nodes: [72, "u64"],
      cache_flushes: [80, "u64"],
      memory_bytes: [88, "u64"],
      facts: [96, "u64"],
    },
  },
  warm_up_options: {
    size: 16,
    fields: {
      struct_size: [0, "u32"],
      work: [8, "u64"],
    },
  },
  warm_up_report: {
    size: 32,
    fields: {
      struct_size: [0, "u32"],
      work: [8, "u64"],
      masks: [16, "u64"],
      is_complete: [24, "bool"],
    },
  },
  matcher_options: {
    size: 32,
    fields: {
      struct_size: [0, "u32"],
      at_text_start: [4, "bool"],
      context: [8, "*u32"],
      context_count: [12, "u32"],
      tokenization: [16, "enum tokenization"],
      stop_token_ids: [20, "*u32"],
      stop_token_count: [24, "u32"],
      max_tokens: [28, "u32"],
    },
  },
  state_stats: {
    size: 28,
    fields: {
      struct_size: [0, "u32"],
      state: [4, "u32"],
      threads: [8, "u32"],
      terminals_in_progress: [12, "u32"],
      byte_classes: [16, "u32"],
      known_transitions: [20, "u32"],
      mask_known: [24, "bool"],
    },
  },
  batch_options: {
    size: 12,
    fields: {
      struct_size: [0, "u32"],
      threads: [4, "u32"],
      prefetch: [8, "bool"],
    },
  },
  completion_part: {
    size: 16,
    fields: {
      text: [0, "text"],
      is_token: [8, "bool"],
      token: [12, "u32"],
    },
  },
  capture: {
    size: 20,
    fields: {
      name: [0, "text"],
      begin: [8, "u32"],
      end: [12, "u32"],
      complete: [16, "bool"],
    },
  },
  kbnf_options: {
    size: 16,
    fields: {
      struct_size: [0, "u32"],
      start: [4, "text"],
      keep_endless: [12, "bool"],
    },
  },
} as const;

/** The module's functions. Pointers are numbers. */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  malloc(size: number): number;
  free(pointer: number): void;
  weir_status_name(status: number): number;
  weir_version(): number;
  weir_owned_text_free(text: number): void;
  weir_token_ids_free(ids: number): void;
  weir_error_status(error: number): number;
  weir_error_message(result: number, error: number): void;
  weir_error_hint(result: number, error: number): void;
  weir_error_limit(result: number, error: number): void;
  weir_error_pointer(result: number, error: number): void;
  weir_error_start(error: number): number;
  weir_error_end(error: number): number;
  weir_error_text(result: number, error: number): void;
  weir_error_options(result: number, error: number): void;
  weir_error_render(error: number, text: number, name: number, out: number): number;
  weir_error_free(error: number): void;
  weir_line_column(text: number, offset: number, line: number, column: number): number;
  weir_severity_name(severity: number): number;
  weir_diagnostics_count(diagnostics: number): number;
  weir_diagnostics_at(diagnostics: number, index: number, out: number): number;
  weir_diagnostics_note(diagnostics: number, index: number, note: number, out: number): number;
  weir_diagnostics_free(diagnostics: number): void;
  weir_render_options_init(options: number, structSize: number): number;
  weir_diagnostics_render(diagnostics: number, index: number, text: number, name: number, options: number, out: number): number;
  weir_error_diagnostics(error: number, out: number): number;
  weir_bitmask_count(bitmask: number, words: number): number;
  weir_apply_token_bitmask_inplace(logits: number, count: number, logitType: number, bitmask: number, words: number): number;
  weir_limits_init(limits: number, structSize: number): number;
  weir_tokenizer_options_init(options: number, structSize: number): number;
  weir_vocab_spec_init(spec: number, structSize: number): number;
  weir_tokenizer_info_builtin(out: number, error: number): number;
  weir_tokenizer_info_from_file(path: number, options: number, out: number, error: number): number;
  weir_tokenizer_info_from_bytes(data: number, name: number, options: number, out: number, error: number): number;
  weir_tokenizer_info_from_vocab(spec: number, options: number, out: number, error: number): number;
  weir_tokenizer_info_clone(tokenizer: number, out: number): number;
  weir_tokenizer_info_free(tokenizer: number): void;
  weir_tokenizer_info_serialize(tokenizer: number, out: number): number;
  weir_tokenizer_info_deserialize(data: number, out: number, error: number): number;
  weir_tokenizer_info_vocab_size(tokenizer: number): number;
  weir_tokenizer_info_token_bytes(tokenizer: number, id: number, out: number): number;
  weir_tokenizer_info_first_token_bytes(tokenizer: number, id: number, out: number): number;
  weir_tokenizer_info_token_kind(tokenizer: number, id: number, out: number): number;
  weir_tokenizer_info_token_name(tokenizer: number, id: number, out: number): number;
  weir_tokenizer_info_find_special_token(tokenizer: number, name: number, out: number): number;
  weir_tokenizer_info_stop_token_ids(tokenizer: number, ids: number): number;
  weir_tokenizer_info_drops_leading_space(tokenizer: number): number;
  weir_tokenizer_info_kind(result: number, tokenizer: number): void;
  weir_tokenizer_info_decode(tokenizer: number, ids: number, count: number, out: number): number;
  weir_tokenizer_info_tokenize(tokenizer: number, text: number, out: number, error: number): number;
  weir_tokenizer_info_canonical_support(tokenizer: number, error: number): number;
  weir_tokenizer_info_heal(tokenizer: number, context: number, count: number, tokens: number, bytes: number, error: number): number;
  weir_ebnf_options_init(options: number, structSize: number): number;
  weir_grammar_syntax_name(syntax: number): number;
  weir_grammar_syntax_named(name: number, out: number): number;
  weir_regex_options_init(options: number, structSize: number): number;
  weir_json_schema_options_init(options: number, structSize: number): number;
  weir_schema_profile(name: number, options: number, structSize: number): number;
  weir_strict_json_schema(schema: number, limits: number, out: number, error: number): number;
  weir_text_options_init(options: number, structSize: number): number;
  weir_structural_tag_options_init(options: number, structSize: number): number;
  weir_grammar_from_ebnf(text: number, options: number, limits: number, out: number, error: number): number;
  weir_grammar_from_text(text: number, options: number, limits: number, out: number, error: number): number;
  weir_grammar_from_regex(pattern: number, options: number, limits: number, out: number, error: number): number;
  weir_grammar_from_json_schema(schema: number, options: number, limits: number, out: number, error: number): number;
  weir_grammar_json(options: number, limits: number, out: number, error: number): number;
  weir_grammar_json_object(options: number, limits: number, out: number, error: number): number;
  weir_grammar_from_structural_tag(tag: number, options: number, limits: number, out: number, error: number): number;
  weir_grammar_from_response_format(format: number, options: number, limits: number, out: number, error: number): number;
  weir_grammar_from_choice(strings: number, count: number, limits: number, out: number, error: number): number;
  weir_grammar_from_substring(text: number, unit: number, limits: number, out: number, error: number): number;
  weir_grammar_concat(parts: number, count: number, limits: number, out: number, error: number): number;
  weir_grammar_any_of(parts: number, count: number, limits: number, out: number, error: number): number;
  weir_grammar_from_substring_chunks(chunks: number, count: number, limits: number, out: number, error: number): number;
  weir_grammar_clone(grammar: number, out: number): number;
  weir_grammar_free(grammar: number): void;
  weir_grammar_warning_count(grammar: number): number;
  weir_grammar_warning(grammar: number, index: number, out: number): number;
  weir_grammar_diagnostics(grammar: number, out: number): number;
  weir_convert_grammar(grammar: number, to: number, out: number, error: number): number;
  weir_convert_to_regex(grammar: number, out: number, error: number): number;
  weir_check_grammar(text: number, options: number, limits: number, out: number, error: number): number;
  weir_check_regex(pattern: number, options: number, limits: number, out: number, error: number): number;
  weir_check_schema(schema: number, options: number, limits: number, out: number, error: number): number;
  weir_check_structural_tag(tag: number, options: number, limits: number, out: number, error: number): number;
  weir_check_response_format(format: number, options: number, limits: number, out: number, error: number): number;
  weir_explain_refusal(schema: number, text: number, options: number, limits: number, out: number, error: number): number;
  weir_tool_options_init(options: number, structSize: number): number;
  weir_structural_tag_for_tools(style: number, tools: number, options: number, limits: number, out: number, error: number): number;
  weir_language_count(): number;
  weir_language_name(index: number, out: number): number;
  weir_tool_style_count(): number;
  weir_tool_style(index: number, out: number): number;
  weir_reply_options_init(options: number, structSize: number): number;
  weir_reply_event_kind_name(kind: number): number;
  weir_reply_parser_create(style: number, tools: number, options: number, limits: number, out: number, error: number): number;
  weir_reply_parser_free(parser: number): void;
  weir_reply_parser_feed(parser: number, bytes: number, error: number): number;
  weir_reply_parser_feed_tokens(parser: number, tokens: number, count: number, tokenizer: number, error: number): number;
  weir_reply_parser_finish(parser: number, error: number): number;
  weir_reply_parser_event_count(parser: number): number;
  weir_reply_parser_event(parser: number, index: number, out: number): number;
  weir_reply_parser_event_json(parser: number, index: number, out: number): number;
  weir_reply_parser_snapshot(parser: number, out: number): number;
  weir_reply_parser_size(parser: number): number;
  weir_reply_parser_reset(parser: number): number;
  weir_compiler_create(tokenizer: number, limits: number, out: number, error: number): number;
  weir_compiler_free(compiler: number): void;
  weir_compiler_tokenizer_info(compiler: number, out: number): number;
  weir_compiler_limits(compiler: number, out: number): number;
  weir_compiler_compile(compiler: number, grammar: number, out: number, error: number): number;
  weir_compiler_compile_ebnf(compiler: number, text: number, options: number, out: number, error: number): number;
  weir_compiler_compile_text(compiler: number, text: number, options: number, out: number, error: number): number;
  weir_compiler_compile_choice(compiler: number, strings: number, count: number, out: number, error: number): number;
  weir_compiler_compile_substring(compiler: number, text: number, unit: number, out: number, error: number): number;
  weir_compiler_compile_substring_chunks(compiler: number, chunks: number, count: number, out: number, error: number): number;
  weir_compiler_compile_regex(compiler: number, pattern: number, options: number, out: number, error: number): number;
  weir_compiler_compile_json_schema(compiler: number, schema: number, options: number, out: number, error: number): number;
  weir_compiler_compile_json(compiler: number, options: number, out: number, error: number): number;
  weir_compiler_compile_json_object(compiler: number, options: number, out: number, error: number): number;
  weir_compiler_compile_structural_tag(compiler: number, tag: number, options: number, out: number, error: number): number;
  weir_compiler_compile_response_format(compiler: number, format: number, options: number, out: number, error: number): number;
  weir_compiler_cache_stats(compiler: number, out: number): number;
  weir_compiler_clear_cache(compiler: number): number;
  weir_compiled_grammar_clone(compiled: number, out: number): number;
  weir_compiled_grammar_free(compiled: number): void;
  weir_compiled_grammar_tokenizer_info(compiled: number, out: number): number;
  weir_compiled_grammar_warning_count(compiled: number): number;
  weir_compiled_grammar_warning(compiled: number, index: number, out: number): number;
  weir_compiled_grammar_diagnostics(compiled: number, out: number): number;
  weir_compiled_grammar_stats(compiled: number, out: number): number;
  weir_warm_up_options_init(options: number, structSize: number): number;
  weir_compiled_grammar_warm_up(compiled: number, options: number, out: number): number;
  weir_compiled_grammar_stop_warm_up(compiled: number): number;
  weir_matcher_options_init(options: number, structSize: number): number;
  weir_matcher_create(compiled: number, options: number, out: number): number;
  weir_matcher_create_with_error(compiled: number, options: number, out: number, error: number): number;
  weir_matcher_fork(matcher: number, out: number): number;
  weir_matcher_free(matcher: number): void;
  weir_matcher_compiled_grammar(matcher: number, out: number): number;
  weir_matcher_fill_next_token_bitmask(matcher: number, bitmask: number, words: number): number;
  weir_matcher_next_token_mask_id(matcher: number, out: number): number;
  weir_matcher_fill_draft_tree_bitmasks(matcher: number, tokens: number, parents: number, count: number, bitmasks: number, words: number, steps: number): number;
  weir_matcher_is_token_allowed(matcher: number, token: number, out: number): number;
  weir_matcher_accept_token(matcher: number, token: number): number;
  weir_matcher_accept_bytes(matcher: number, bytes: number): number;
  weir_matcher_accept_text(matcher: number, text: number): number;
  weir_matcher_longest_viable_prefix(matcher: number, bytes: number, out: number): number;
  weir_matcher_rollback(matcher: number, steps: number): number;
  weir_matcher_reset(matcher: number): number;
  weir_matcher_step_count(matcher: number): number;
  weir_matcher_stop_token_ids(matcher: number, ids: number): number;
  weir_matcher_is_terminated(matcher: number): number;
  weir_matcher_is_completed(matcher: number): number;
  weir_matcher_find_jump_forward_string(matcher: number, out: number): number;
  weir_matcher_forced_tokens(matcher: number, out: number): number;
  weir_matcher_shortest_completion(matcher: number, out: number): number;
  weir_matcher_state_id(matcher: number): number;
  weir_matcher_limit_message(matcher: number, out: number): number;
  weir_matcher_state_stats(matcher: number, out: number): number;
  weir_batch_create(threads: number, out: number): number;
  weir_batch_options_init(options: number, structSize: number): number;
  weir_batch_create_with_options(options: number, out: number): number;
  weir_batch_free(batch: number): void;
  weir_batch_fill_next_token_bitmasks(batch: number, matchers: number, count: number, bitmasks: number, words: number, steps: number): number;
  weir_batch_next_token_bitmasks(batch: number, matchers: number, count: number, steps: number, bitmasks: number, words: number): number;
  weir_batch_accept_tokens(batch: number, matchers: number, tokens: number, count: number, steps: number): number;
  weir_matcher_shortest_completion_parts(matcher: number, out: number): number;
  weir_completion_part_count(completion: number): number;
  weir_completion_part_at(completion: number, index: number, out: number): number;
  weir_completion_free(completion: number): void;
  weir_matcher_text(matcher: number, out: number): number;
  weir_matcher_captures(matcher: number, out: number): number;
  weir_captures_count(captures: number): number;
  weir_captures_at(captures: number, index: number, out: number): number;
  weir_captures_free(captures: number): void;
  weir_matcher_temperature(matcher: number, out: number): number;
  weir_matcher_expected(matcher: number, out: number): number;
  weir_expectation_terminal_count(expectation: number): number;
  weir_expectation_terminal(expectation: number, index: number, out: number): number;
  weir_expectation_bytes(result: number, expectation: number): void;
  weir_expectation_end(expectation: number): number;
  weir_expectation_free(expectation: number): void;
  weir_matcher_explain(matcher: number, token: number, out: number): number;
  weir_explanation_allowed(explanation: number): number;
  weir_explanation_bytes_matched(explanation: number): number;
  weir_explanation_reason(result: number, explanation: number): void;
  weir_explanation_expected(explanation: number): number;
  weir_explanation_free(explanation: number): void;
  weir_reply_parser_for_grammar(grammar: number, out: number, error: number): number;
  weir_reply_parser_follow(parser: number, matcher: number, ends: number, error: number): number;
  weir_reply_parser_cut(parser: number, error: number): number;
  weir_kbnf_result_name(result: number): number;
  weir_kbnf_options_init(options: number, structSize: number): number;
  weir_kbnf_engine_create(tokenizer: number, grammar: number, options: number, limits: number, out: number, error: number): number;
  weir_kbnf_engine_of(compiled: number, out: number): number;
  weir_kbnf_engine_free(engine: number): void;
  weir_kbnf_engine_try_accept_new_token(engine: number, token: number, out: number): number;
  weir_kbnf_engine_try_accept_new_bytes(engine: number, bytes: number, out: number): number;
  weir_kbnf_engine_compute_allowed_token_ids(engine: number, out: number): number;
  weir_kbnf_engine_allowed_token_ids(engine: number, out: number): number;
  weir_kbnf_engine_disallowed_token_ids(engine: number, out: number): number;
  weir_kbnf_engine_check_if_token_is_allowed(engine: number, token: number): number;
  weir_kbnf_engine_allowed_token_bitmask(engine: number, words: number): number;
  weir_kbnf_engine_mask_logits(engine: number, logits: number, count: number, out: number): number;
  weir_kbnf_engine_update_logits(engine: number, token: number, logits: number, count: number, out: number): number;
  weir_kbnf_engine_is_finished(engine: number): number;
  weir_kbnf_engine_reset(engine: number): number;
  weir_kbnf_engine_matcher(engine: number, out: number): number;
}

/** The library's version, which the module must have. */
export const VERSION = "0.1.0";

export const FUNCTIONS = [
  "weir_status_name",
  "weir_version",
  "weir_owned_text_free",
  "weir_token_ids_free",
  "weir_error_status",
  "weir_error_message",
  "weir_error_hint",
  "weir_error_limit",
  "weir_error_pointer",
  "weir_error_start",
  "weir_error_end",
  "weir_error_text",
  "weir_error_options",
  "weir_error_render",
  "weir_error_free",
  "weir_line_column",
  "weir_severity_name",
  "weir_diagnostics_count",
  "weir_diagnostics_at",
  "weir_diagnostics_note",
  "weir_diagnostics_free",
  "weir_render_options_init",
  "weir_diagnostics_render",
  "weir_error_diagnostics",
  "weir_bitmask_count",
  "weir_apply_token_bitmask_inplace",
  "weir_limits_init",
  "weir_tokenizer_options_init",
  "weir_vocab_spec_init",
  "weir_tokenizer_info_builtin",
  "weir_tokenizer_info_from_file",
  "weir_tokenizer_info_from_bytes",
  "weir_tokenizer_info_from_vocab",
  "weir_tokenizer_info_clone",
  "weir_tokenizer_info_free",
  "weir_tokenizer_info_serialize",
  "weir_tokenizer_info_deserialize",
  "weir_tokenizer_info_vocab_size",
  "weir_tokenizer_info_token_bytes",
  "weir_tokenizer_info_first_token_bytes",
  "weir_tokenizer_info_token_kind",
  "weir_tokenizer_info_token_name",
  "weir_tokenizer_info_find_special_token",
  "weir_tokenizer_info_stop_token_ids",
  "weir_tokenizer_info_drops_leading_space",
  "weir_tokenizer_info_kind",
  "weir_tokenizer_info_decode",
  "weir_tokenizer_info_tokenize",
  "weir_tokenizer_info_canonical_support",
  "weir_tokenizer_info_heal",
  "weir_ebnf_options_init",
  "weir_grammar_syntax_name",
  "weir_grammar_syntax_named",
  "weir_regex_options_init",
  "weir_json_schema_options_init",
  "weir_schema_profile",
  "weir_strict_json_schema",
  "weir_text_options_init",
  "weir_structural_tag_options_init",
  "weir_grammar_from_ebnf",
  "weir_grammar_from_text",
  "weir_grammar_from_regex",
  "weir_grammar_from_json_schema",
  "weir_grammar_json",
  "weir_grammar_json_object",
  "weir_grammar_from_structural_tag",
  "weir_grammar_from_response_format",
  "weir_grammar_from_choice",
  "weir_grammar_from_substring",
  "weir_grammar_concat",
  "weir_grammar_any_of",
  "weir_grammar_from_substring_chunks",
  "weir_grammar_clone",
  "weir_grammar_free",
  "weir_grammar_warning_count",
  "weir_grammar_warning",
  "weir_grammar_diagnostics",
  "weir_convert_grammar",
  "weir_convert_to_regex",
  "weir_check_grammar",
  "weir_check_regex",
  "weir_check_schema",
  "weir_check_structural_tag",
  "weir_check_response_format",
  "weir_explain_refusal",
  "weir_tool_options_init",
  "weir_structural_tag_for_tools",
  "weir_language_count",
  "weir_language_name",
  "weir_tool_style_count",
  "weir_tool_style",
  "weir_reply_options_init",
  "weir_reply_event_kind_name",
  "weir_reply_parser_create",
  "weir_reply_parser_free",
  "weir_reply_parser_feed",
  "weir_reply_parser_feed_tokens",
  "weir_reply_parser_finish",
  "weir_reply_parser_event_count",
  "weir_reply_parser_event",
  "weir_reply_parser_event_json",
  "weir_reply_parser_snapshot",
  "weir_reply_parser_size",
  "weir_reply_parser_reset",
  "weir_compiler_create",
  "weir_compiler_free",
  "weir_compiler_tokenizer_info",
  "weir_compiler_limits",
  "weir_compiler_compile",
  "weir_compiler_compile_ebnf",
  "weir_compiler_compile_text",
  "weir_compiler_compile_choice",
  "weir_compiler_compile_substring",
  "weir_compiler_compile_substring_chunks",
  "weir_compiler_compile_regex",
  "weir_compiler_compile_json_schema",
  "weir_compiler_compile_json",
  "weir_compiler_compile_json_object",
  "weir_compiler_compile_structural_tag",
  "weir_compiler_compile_response_format",
  "weir_compiler_cache_stats",
  "weir_compiler_clear_cache",
  "weir_compiled_grammar_clone",
  "weir_compiled_grammar_free",
  "weir_compiled_grammar_tokenizer_info",
  "weir_compiled_grammar_warning_count",
  "weir_compiled_grammar_warning",
  "weir_compiled_grammar_diagnostics",
  "weir_compiled_grammar_stats",
  "weir_warm_up_options_init",
  "weir_compiled_grammar_warm_up",
  "weir_compiled_grammar_stop_warm_up",
  "weir_matcher_options_init",
  "weir_matcher_create",
  "weir_matcher_create_with_error",
  "weir_matcher_fork",
  "weir_matcher_free",
  "weir_matcher_compiled_grammar",
  "weir_matcher_fill_next_token_bitmask",
  "weir_matcher_next_token_mask_id",
  "weir_matcher_fill_draft_tree_bitmasks",
  "weir_matcher_is_token_allowed",
  "weir_matcher_accept_token",
  "weir_matcher_accept_bytes",
  "weir_matcher_accept_text",
  "weir_matcher_longest_viable_prefix",
  "weir_matcher_rollback",
  "weir_matcher_reset",
  "weir_matcher_step_count",
  "weir_matcher_stop_token_ids",
  "weir_matcher_is_terminated",
  "weir_matcher_is_completed",
  "weir_matcher_find_jump_forward_string",
  "weir_matcher_forced_tokens",
  "weir_matcher_shortest_completion",
  "weir_matcher_state_id",
  "weir_matcher_limit_message",
  "weir_matcher_state_stats",
  "weir_batch_create",
  "weir_batch_options_init",
  "weir_batch_create_with_options",
  "weir_batch_free",
  "weir_batch_fill_next_token_bitmasks",
  "weir_batch_next_token_bitmasks",
  "weir_batch_accept_tokens",
  "weir_matcher_shortest_completion_parts",
  "weir_completion_part_count",
  "weir_completion_part_at",
  "weir_completion_free",
  "weir_matcher_text",
  "weir_matcher_captures",
  "weir_captures_count",
  "weir_captures_at",
  "weir_captures_free",
  "weir_matcher_temperature",
  "weir_matcher_expected",
  "weir_expectation_terminal_count",
  "weir_expectation_terminal",
  "weir_expectation_bytes",
  "weir_expectation_end",
  "weir_expectation_free",
  "weir_matcher_explain",
  "weir_explanation_allowed",
  "weir_explanation_bytes_matched",
  "weir_explanation_reason",
  "weir_explanation_expected",
  "weir_explanation_free",
  "weir_reply_parser_for_grammar",
  "weir_reply_parser_follow",
  "weir_reply_parser_cut",
  "weir_kbnf_result_name",
  "weir_kbnf_options_init",
  "weir_kbnf_engine_create",
  "weir_kbnf_engine_of",
  "weir_kbnf_engine_free",
  "weir_kbnf_engine_try_accept_new_token",
  "weir_kbnf_engine_try_accept_new_bytes",
  "weir_kbnf_engine_compute_allowed_token_ids",
  "weir_kbnf_engine_allowed_token_ids",
  "weir_kbnf_engine_disallowed_token_ids",
  "weir_kbnf_engine_check_if_token_is_allowed",
  "weir_kbnf_engine_allowed_token_bitmask",
  "weir_kbnf_engine_mask_logits",
  "weir_kbnf_engine_update_logits",
  "weir_kbnf_engine_is_finished",
  "weir_kbnf_engine_reset",
  "weir_kbnf_engine_matcher",
] as const;
