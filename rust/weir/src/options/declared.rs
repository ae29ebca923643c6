// Written by tools/generate from the structs in include/weir. Do not edit.
use super::*;

enumeration! {
    /// What a token stands for.
    TokenKind {
        /// Text: its bytes match terminals of a grammar.
        Normal = WEIR_TOKEN_NORMAL, "normal";
        /// Text of one byte, from a byte fallback (`<0x0A>`).
        Byte = WEIR_TOKEN_BYTE, "byte";
        /// A control token.
        Special = WEIR_TOKEN_SPECIAL, "special";
        /// Reserved or padding: never allowed.
        Unused = WEIR_TOKEN_UNUSED, "unused";
    }
}

enumeration! {
    /// How the tokens of a list are written.
    TokenSpelling {
        /// As their bytes.
        Bytes = WEIR_SPELLING_BYTES, "bytes";
        /// As SentencePiece does: `▁` is a space, `<0x0A>` a byte.
        ByteFallback = WEIR_SPELLING_BYTE_FALLBACK, "byte_fallback";
        /// As GPT-2 does: a character for each byte.
        ByteLevel = WEIR_SPELLING_BYTE_LEVEL, "byte_level";
    }
}

enumeration! {
    /// The languages in which grammars are written as rules. docs/ has a page for each.
    GrammarSyntax {
        /// Weir's own.
        Ebnf = WEIR_SYNTAX_EBNF, "ebnf";
        /// Llama.cpp's.
        Gbnf = WEIR_SYNTAX_GBNF, "gbnf";
        /// XGrammar's EBNF.
        Xgrammar = WEIR_SYNTAX_XGRAMMAR, "xgrammar";
        /// Kbnf's.
        Kbnf = WEIR_SYNTAX_KBNF, "kbnf";
        /// Lark with llguidance's extensions.
        Lark = WEIR_SYNTAX_LARK, "lark";
    }
}

enumeration! {
    /// Which part of an output a pattern has to match.
    RegexMatch {
        /// The whole output matches.
        Full = WEIR_REGEX_FULL, "full";
        /// Some part of the output matches, unless the pattern has anchors.
        Search = WEIR_REGEX_SEARCH, "search";
    }
}

enumeration! {
    /// The dialects of regular expressions: the same pattern may mean different things in them (docs/regex.md).
    RegexDialect {
        /// Refuses constructs that mean different things in the other dialects.
        Weir = WEIR_REGEX_WEIR, "weir";
        /// As ECMA-262 with annex B reads it, for patterns written for JavaScript.
        Ecma262 = WEIR_REGEX_ECMA262, "ecma262";
        /// As Rust's regex crate reads it.
        Rust = WEIR_REGEX_RUST, "rust";
        /// As Python's `re` reads a `str`.
        Python = WEIR_REGEX_PYTHON, "python";
        /// As PCRE2 reads it with its option UTF.
        Pcre = WEIR_REGEX_PCRE, "pcre";
    }
}

enumeration! {
    /// The units into which a text is cut for quotations.
    SubstringUnit {
        /// Code points.
        Character = WEIR_UNIT_CHARACTER, "character";
        /// Runs of letters, digits and `_`; runs of blanks; runs of other characters.
        Word = WEIR_UNIT_WORD, "word";
    }
}

enumeration! {
    /// Which token sequences an output may consist of.
    Tokenization {
        /// Every sequence of tokens whose bytes are in the language.
        Any = WEIR_TOKENIZATION_ANY, "any";
        /// The one sequence for each text that the tokenizer itself would write.
        Canonical = WEIR_TOKENIZATION_CANONICAL, "canonical";
    }
}

enumeration! {
    /// The draft that applies to a schema without `$schema`.
    Draft {
        /// Draft 4.
        Draft4 = WEIR_DRAFT_4, "4";
        /// Draft 6.
        Draft6 = WEIR_DRAFT_6, "6";
        /// Draft 7.
        Draft7 = WEIR_DRAFT_7, "7";
        /// Draft 2019-09.
        Draft2019 = WEIR_DRAFT_2019_09, "2019-09";
        /// Draft 2020-12.
        Draft2020 = WEIR_DRAFT_2020_12, "2020-12";
    }
}

enumeration! {
    /// Whether `format` constrains strings.
    Formats {
        /// `format` is asserted, as far as docs/json_schema_formats.md says.
        Assert = WEIR_FORMATS_ASSERT, "assert";
        /// `format` has no effect, which is the default of the specification since 2019-09.
        Annotate = WEIR_FORMATS_ANNOTATE, "annotate";
    }
}

enumeration! {
    /// What happens to a `format` that weir does not know.
    UnknownFormats {
        /// An unknown format has no effect and gives a warning.
        Warn = WEIR_UNKNOWN_FORMATS_WARN, "warn";
        /// An unknown format is an error.
        Refuse = WEIR_UNKNOWN_FORMATS_REFUSE, "refuse";
    }
}

enumeration! {
    /// Which blanks (space, tab, line ends) a text may have between its parts.
    Whitespace {
        /// Up to `whitespace_limit` blanks (space, tab, line ends) wherever JSON allows them.
        Bounded = WEIR_WHITESPACE_BOUNDED, "bounded";
        /// None: `{"a":[1,2]}`.
        None = WEIR_WHITESPACE_NONE, "none";
        /// One space after each comma and colon: `{"a": [1, 2]}`.
        Compact = WEIR_WHITESPACE_COMPACT, "compact";
        /// Each item and member on a line of its own, `indent` spaces per level, as pretty printers write.
        Indented = WEIR_WHITESPACE_INDENTED, "indented";
        /// Any number of blanks wherever JSON allows them.
        Unbounded = WEIR_WHITESPACE_UNBOUNDED, "unbounded";
        /// Text that `whitespace_pattern` matches, wherever JSON allows blanks.
        Pattern = WEIR_WHITESPACE_PATTERN, "pattern";
    }
}

enumeration! {
    /// The order of an object's members.
    Order {
        /// Members come in any order.
        Any = WEIR_ORDER_ANY, "any";
        /// The members that `properties` lists come in its order, all others after them.
        Declared = WEIR_ORDER_DECLARED, "declared";
    }
}

enumeration! {
    /// The spellings of a character that are allowed in a string.
    Escapes {
        /// All spellings of RFC 8259: raw, `\n`, `\u00e9` with digits in either case.
        All = WEIR_ESCAPES_ALL, "all";
        /// Raw, and short escapes such as `\n`.
        Short = WEIR_ESCAPES_SHORT, "short";
        /// One spelling each: raw wherever that is allowed.
        Required = WEIR_ESCAPES_REQUIRED, "required";
    }
}

enumeration! {
    /// How a value is written where the schema allows only integers.
    Integers {
        /// As other numbers: `12`, `12.00`, `1.2e1`.
        Any = WEIR_INTEGERS_ANY, "any";
        /// In one way, with digits alone: `12`, and `0` for 0.
        Plain = WEIR_INTEGERS_PLAIN, "plain";
    }
}

enumeration! {
    /// Which numbers are allowed.
    Numbers {
        /// Of any size.
        Any = WEIR_NUMBERS_ANY, "any";
        /// In the range of a double: 0, and magnitudes from 2.2250738585072014e-308 to 1.7976931348623157e308.
        Double = WEIR_NUMBERS_DOUBLE, "double";
    }
}

enumeration! {
    /// Whether the output begins with reasoning.
    Reasoning {
        /// The output has no reasoning.
        None = WEIR_REASONING_NONE, "none";
        /// The output begins with reasoning between the style's tags.
        Whole = WEIR_REASONING_WHOLE, "whole";
        /// The prompt already ends with the tag that opens the reasoning.
        Begun = WEIR_REASONING_BEGUN, "begun";
    }
}

options! {
    /// Limits of the work.
    ///
    /// ```
    /// let limits = weir::Limits::new().nesting(50).text_bytes(1 << 20);
    /// assert_eq!(weir::Limits::default().nesting, 1000);
    /// assert_eq!(limits.nesting, 50);
    /// ```
    Limits, weir_limits, weir_limits_init {
        texts {
        }
        values {
            /// Bytes of the text of a grammar, a schema or a pattern. The default is `67,108,864`.
            text_bytes: u64,
            /// Levels of nesting in a grammar, a schema or a pattern. The default is `1,000`.
            nesting: u32,
            /// Symbols in the productions of a grammar, plus one for each production's end. The default is `4,000,000`.
            grammar_symbols: u32,
            /// The largest bound of a counted repeat, `{m,n}`, in a grammar or a pattern. The default is
            /// `1,000,000,000`.
            repeat_count: u32,
            /// Digits of one number in a JSON schema. The default is `10,000`.
            number_digits: u32,
            /// Steps in finding out what a schema allows at one place: keywords, combinations of alternatives,
            /// candidates for values. The default is `2,000,000`.
            schema_steps: u64,
            /// States of an automaton over tokens, and of the automaton over bytes that it is made of (token_dfa.h).
            /// The default is `1,000,000`.
            token_dfa_states: u32,
            /// Transitions of an automaton over tokens, and entries of a tokenizer's states; 8 bytes each, while it is
            /// being built up to 40. The default is `40,000,000`.
            token_dfa_transitions: u64,
            /// Steps of work that one call may take: one mask, one accepted token, one completion. The default is
            /// `2,000,000`.
            call_work: u64,
            /// Hash-consed regular expressions that one grammar may create, residuals included; about 40 bytes each.
            /// The default is `8,000,000`.
            regex_nodes: u32,
            /// Expressions that one search for "does this match anything?" may visit. The default is `100,000`.
            regex_fuel: u32,
            /// Interned lexer states of one grammar; about 100 bytes and a table row each. The default is `1,000,000`.
            lexer_states: u32,
            /// Items (dotted rules with their continuations) of one Earley row, predictions included. The default is
            /// `1,000,000`.
            row_items: u32,
            /// Threads (row and lexer state) of one configuration, that is, readings of the text that are followed at
            /// once. The default is `10,000`.
            configuration_threads: u32,
            /// Threads that one search for a completion under conditions may visit (greedy terminals and look-ahead
            /// only). The default is `20,000`.
            lookahead_threads: u32,
            /// Items for reading the captures of one output (GrammarMatcher::captures); about 60 bytes each, held from
            /// the first call to captures on. The default is `10,000,000`.
            capture_items: u32,
            /// Bytes of a shortest completion, or of a jump-forward string. The default is `16,777,216`.
            completion_bytes: u32,
            /// Bytes of explored states, rows and masks that a compiled grammar keeps. The default is `268,435,456`.
            state_memory: u64,
            /// Bytes of compiled grammars that a GrammarCompiler remembers. The default is `134,217,728`.
            cache_memory: u64,
        }
    }
}

options! {
    /// Options for reading a tokenizer.
    TokenizerOptions, weir_tokenizer_options, weir_tokenizer_options_init {
        texts {
        }
        values {
            /// Size of the model's output layer if it is larger than the vocabulary; the tokens added are "unused". 0:
            /// as in the file.
            padded_vocab_size: u32,
        }
        pointers {
            /// Tokens that end the output; if there are none, the tokens that the file declares, and eos and
            /// end-of-turn tokens that are recognised by their usual names.
            stop_token_ids: Vec<u32>,
        }
    }
}

impl Options for TokenizerOptions {
    type Raw = weir_tokenizer_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        let mut raw = self.plain_raw();
        raw.stop_token_ids = raw::array(&self.stop_token_ids);
        raw.stop_token_count = self.stop_token_ids.len();
        f(&raw)
    }
}

options! {
    /// A plain vocabulary, for callers that have the tokens and no file.
    VocabOptions, weir_vocab_spec, weir_vocab_spec_init {
        texts {
        }
        values {
            /// True if decoding drops a leading space of the first token (SentencePiece).
            drops_leading_space: bool,
            /// True if tokens with usual names of eos and end-of-turn tokens (`</s>`, `<|im_end|>`) are stop tokens,
            /// too.
            stop_tokens_by_name: bool,
            /// How `tokens` are written. The default is "bytes".
            spelling: TokenSpelling,
        }
        pointers {
            /// Their strings in `tokens` are names, not text.
            special_token_ids: Vec<u32>,
            /// May be special or normal.
            stop_token_ids: Vec<u32>,
        }
    }
}

impl Options for VocabOptions {
    type Raw = weir_vocab_spec;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        let mut raw = self.plain_raw();
        raw.special_token_ids = raw::array(&self.special_token_ids);
        raw.special_token_count = self.special_token_ids.len();
        raw.stop_token_ids = raw::array(&self.stop_token_ids);
        raw.stop_token_count = self.stop_token_ids.len();
        f(&raw)
    }
}

options! {
    /// How EBNF is read.
    EbnfOptions, weir_ebnf_options, weir_ebnf_options_init {
        texts {
            /// The start rule; any rule of the grammar may be named. The default is "root".
            start,
        }
        values {
        }
    }
}

/// A grammar that another grammar may refer to: as `@name` in Lark.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NamedGrammar {
    /// Without the `@`.
    pub name: String,
    /// The grammar.
    pub text: String,
    /// Its language.
    pub syntax: GrammarSyntax,
}

impl NamedGrammar {
    fn raw(&self) -> weir_named_grammar {
        weir_named_grammar {
            name: raw::text(&self.name),
            text: raw::text(&self.text),
            syntax: self.syntax as i32,
        }
    }
}

options! {
    /// How a regular expression is read.
    RegexOptions, weir_regex_options, weir_regex_options_init {
        texts {
        }
        values {
            /// How the pattern is read. The default is "weir".
            dialect: RegexDialect,
            /// Which part of the output it has to match. The default is "full".
            r#match: RegexMatch,
            /// Flag i.
            ignore_case: bool,
            /// Flag m: ^ and $ also match at line ends.
            multi_line: bool,
            /// Flag s: . also matches line ends.
            dot_all: bool,
            /// Flag x: blanks and # comments are ignored.
            extended: bool,
            /// `&` is intersection, `~` complement (only in weir's own dialect).
            operators: bool,
        }
    }
}

/// A document that `$ref` may refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SchemaDocument {
    /// Absolute, without a fragment; or relative, for schemas without a base.
    pub uri: String,
    /// JSON.
    pub text: String,
}

impl SchemaDocument {
    fn raw(&self) -> weir_schema_document {
        weir_schema_document {
            uri: raw::text(&self.uri),
            text: raw::text(&self.text),
        }
    }
}

options! {
    /// How a schema is read, and which JSON texts of a value are in the language.
    ///
    /// ```
    /// use weir::{JsonSchemaOptions, Whitespace};
    /// let options = JsonSchemaOptions::serving().whitespace(Whitespace::Compact);
    /// ```
    JsonSchemaOptions, weir_json_schema_options, weir_json_schema_options_init {
        texts {
            /// The URI of the schema itself.
            base_uri,
            /// With "pattern": a regular expression that matches nothing but blanks, in any number.
            whitespace_pattern,
        }
        values {
            /// The draft that applies to a schema without `$schema`. The default is "2020-12".
            default_draft: Draft,
            /// Whether `format` constrains strings. The default is "assert".
            formats: Formats,
            /// What happens to a `format` that weir does not know. The default is "warn".
            unknown_formats: UnknownFormats,
            /// Which blanks (space, tab, line ends) a text may have between its parts. The default is "bounded".
            whitespace: Whitespace,
            /// With "bounded": the most blanks in one place. The default is `40`.
            whitespace_limit: u32,
            /// With "indented": the spaces of each level. The default is `2`.
            indent: u32,
            /// True if blanks are also allowed before the value.
            leading_whitespace: bool,
            /// True if blanks are also allowed after the value.
            trailing_whitespace: bool,
            /// The order of an object's members. The default is "any".
            order: Order,
            /// The spellings of a character that are allowed in a string. The default is "all".
            escapes: Escapes,
            /// True if a surrogate escape without its other half is allowed: `"\ud800"`.
            lone_surrogates: bool,
            /// True if numbers may be written with an exponent. The default is `true`.
            exponents: bool,
            /// The most digits after the point in scientific notation, for numbers that the schema restricts: `1.25e3`
            /// has two. The default is `16`.
            scientific_decimals: u32,
            /// How a value is written where the schema allows only integers. The default is "any".
            integers: Integers,
            /// Which numbers are allowed. The default is "any".
            numbers: Numbers,
            /// The most digits that a number is written with, all counted; 0: any number.
            number_digits: u32,
        }
        pointers {
            /// Documents that references may refer to.
            documents: Vec<SchemaDocument>,
        }
    }
}

impl Options for JsonSchemaOptions {
    type Raw = weir_json_schema_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        let documents: Vec<_> = self.documents.iter().map(SchemaDocument::raw).collect();
        let mut raw = self.plain_raw();
        raw.documents = raw::array(&documents);
        raw.document_count = documents.len();
        f(&raw)
    }
}

options! {
    /// How a grammar with rules is read.
    ///
    /// ```
    /// use weir::{Grammar, GrammarSyntax, TextOptions};
    /// Grammar::from_text("start: /[0-9]+/", &TextOptions::new().syntax(GrammarSyntax::Lark), None)?;
    /// # Ok::<(), weir::Error>(())
    /// ```
    TextOptions, weir_text_options, weir_text_options_init {
        texts {
            /// The start rule; empty: `start` in KBNF and Lark, else `root`.
            start,
        }
        values {
            /// The language of the text. The default is "ebnf".
            syntax: GrammarSyntax,
            /// Lark: terminals may end wherever they match, not only at their longest match.
            exact_splits: bool,
            /// KBNF: keeps rules that derive no finite string, for streams without an end.
            keep_endless: bool,
        }
        pointers {
            /// Lark: the grammars that `@name` may refer to.
            grammars: Vec<NamedGrammar>,
            /// Lark: options of the schemas after `%json`. `None`: the defaults.
            json_schema: Option<JsonSchemaOptions>,
        }
    }
}

impl Options for TextOptions {
    type Raw = weir_text_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        let grammars: Vec<_> = self.grammars.iter().map(NamedGrammar::raw).collect();
        with(self.json_schema.as_ref(), |json_schema| {
            let mut raw = self.plain_raw();
            raw.grammars = raw::array(&grammars);
            raw.grammar_count = grammars.len();
            raw.json_schema = json_schema;
            f(&raw)
        })
    }
}

options! {
    /// How a structural tag or a response_format is read.
    StructuralTagOptions, weir_structural_tag_options, weir_structural_tag_options_init {
        texts {
        }
        values {
            /// The syntax of grammars in it that name none. The default is "xgrammar".
            grammar_syntax: GrammarSyntax,
        }
        pointers {
            /// Options for the schemas in it, unless the tag itself sets them. `None`: the defaults.
            json_schema: Option<JsonSchemaOptions>,
            /// Names of special tokens.
            special_tokens: Vec<String>,
        }
    }
}

impl Options for StructuralTagOptions {
    type Raw = weir_structural_tag_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        let special_tokens = raw::texts(&self.special_tokens);
        with(self.json_schema.as_ref(), |json_schema| {
            let mut raw = self.plain_raw();
            raw.json_schema = json_schema;
            raw.special_tokens = raw::array(&special_tokens);
            raw.special_token_count = special_tokens.len();
            f(&raw)
        })
    }
}

options! {
    /// How a model may call tools.
    ToolOptions, weir_tool_options, weir_tool_options_init {
        texts {
            /// JSON as in OpenAI's API: "none", "auto", "required", an object that names one function, or an
            /// `allowed_tools` object. The default is "\"auto\"".
            tool_choice,
        }
        values {
            /// True if several calls are allowed, where the style has a way to write them. The default is `true`.
            parallel_tool_calls: bool,
            /// Whether the output begins with reasoning. The default is "none".
            reasoning: Reasoning,
        }
    }
}

numbers! {
    /// The contents of a compiler's cache of grammars, and counts of its use.
    CacheStats, weir_cache_stats {
        /// Calls that found their grammar.
        hits: u64,
        /// Calls that compiled.
        misses: u64,
        /// Grammars dropped to stay within Limits::cache_memory.
        evictions: u64,
        /// Grammars held now.
        entries: u64,
        /// Bytes of their texts and of everything explored for them.
        memory_bytes: u64,
    }
}

numbers! {
    /// Counts of what exploring has cost so far.
    EngineStats, weir_engine_stats {
        /// Configurations interned.
        states: u64,
        /// Byte transitions computed (not looked up).
        transitions: u64,
        /// Earley rows interned.
        rows: u64,
        /// Items in them.
        row_items: u64,
        /// Continuations interned.
        continuations: u64,
        /// Lexer states interned.
        lexer_states: u64,
        /// Hash-consed expressions.
        regex_nodes: u64,
        /// Masks computed.
        masks: u64,
        /// Trie nodes visited for them.
        trie_nodes: u64,
        /// Times that state_memory was reached and everything explored was dropped.
        cache_flushes: u64,
        /// Bytes that everything explored takes now.
        memory_bytes: u64,
    }
}

options! {
    /// How much CompiledGrammar::warm_up explores.
    WarmUpOptions, weir_warm_up_options, weir_warm_up_options_init {
        texts {
        }
        values {
            /// Steps of work, as Limits::call_work counts them: 0.03 to 0.1 µs each. The default is `60,000`.
            work: u64,
        }
    }
}

numbers! {
    /// What CompiledGrammar::warm_up has done.
    WarmUpReport, weir_warm_up_report {
        /// Steps that this call took.
        work: u64,
        /// Masks that were computed.
        masks: u64,
        /// True if nothing was left to explore that warm-up would look for.
        is_complete: bool,
    }
}

options! {
    /// How a matcher begins.
    MatcherOptions, weir_matcher_options, weir_matcher_options_init {
        texts {
        }
        values {
            /// True if the output is at the beginning of a text, so that the tokenizer's leading-space rule (if it has
            /// one) applies to the first token. The default is `true`.
            at_text_start: bool,
            /// Which token sequences the output may consist of. The default is "any".
            tokenization: Tokenization,
            /// The most tokens that the output may have, a stop token at its end not counted. 0: any number.
            max_tokens: u32,
        }
        pointers {
            /// With "canonical": the tokens before the output, at least since the beginning of the text or the last
            /// special token.
            context: Vec<u32>,
            /// Tokens that end this output, in place of TokenizerInfo::stop_token_ids; without a value, those.
            stop_token_ids: Vec<u32>,
        }
    }
}

impl Options for MatcherOptions {
    type Raw = weir_matcher_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        let mut raw = self.plain_raw();
        raw.context = raw::array(&self.context);
        raw.context_count = self.context.len();
        raw.stop_token_ids = raw::array(&self.stop_token_ids);
        raw.stop_token_count = self.stop_token_ids.len();
        f(&raw)
    }
}

numbers! {
    /// Counts about the state that a matcher is in, for inspection.
    StateStats, weir_state_stats {
        /// GrammarMatcher::state_id.
        state: u32,
        /// Readings of the text that are followed at once.
        threads: u32,
        /// Terminals begun or expected, with their residuals, over all threads.
        terminals_in_progress: u32,
        /// Classes of bytes that the grammar distinguishes.
        byte_classes: u32,
        /// Byte classes whose transition from this state has been explored.
        known_transitions: u32,
        /// True if the next mask is only a copy.
        mask_known: bool,
    }
}

options! {
    /// Options of a BatchMatcher.
    BatchOptions, weir_batch_options, weir_batch_options_init {
        texts {
        }
        values {
            /// The number of threads that work on a call, the caller's thread included. 0 means one thread per
            /// processor. The default is `1`.
            threads: u32,
            /// After accept_tokens, an additional thread computes the masks of the rows' new states in advance.
            prefetch: bool,
        }
    }
}

options! {
    /// Options of a KbnfEngine.
    KbnfOptions, weir_kbnf_options, weir_kbnf_options_init {
        texts {
            /// The start rule. The default is "start".
            start,
        }
        values {
            /// True if rules that derive no finite string are kept, as kbnf does. The default is `true`.
            keep_endless: bool,
        }
    }
}
