//! Options as plain structs. Their defaults are the library's.

use std::ptr;

use weir_sys::*;

use crate::error::Error;
use crate::raw;

/// Options that have a struct in weir_c.h.
pub(crate) trait Options {
    type Raw;
    /// Calls `f` with the struct, which is valid during the call.
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R;
}

/// Calls `f` with the struct of `options`, or with null, which means the defaults.
pub(crate) fn with<O: Options, R>(options: Option<&O>, f: impl FnOnce(*const O::Raw) -> R) -> R {
    match options {
        Some(options) => options.with_raw(f),
        None => f(ptr::null()),
    }
}

/// An enumeration of weir_c.h, with the words that all of weir's interfaces use.
macro_rules! enumeration {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $value:ident, $word:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(i32)]
        pub enum $name {
            $($(#[$variant_meta])* #[cfg_attr(feature = "serde", serde(rename = $word))] $variant = $value,)*
        }

        impl $name {
            #[allow(dead_code)]
            pub(crate) fn from_raw(raw: i32) -> Self {
                match raw {
                    $($value => Self::$variant,)*
                    _ => unreachable!("an enumerator that weir_c.h does not have"),
                }
            }
            /// Returns the name that all of weir's interfaces use.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl Value for $name {
            type Raw = i32;
            fn from_raw(raw: i32) -> Self {
                Self::from_raw(raw)
            }
            fn to_raw(self) -> i32 {
                self as i32
            }
        }
    };
}

/// A value that a C struct holds as it is, or as the number of an enumerator.
pub(crate) trait Value: Copy {
    type Raw;
    fn from_raw(raw: Self::Raw) -> Self;
    fn to_raw(self) -> Self::Raw;
}

macro_rules! same_in_c {
    ($($type:ty)*) => {
        $(impl Value for $type {
            type Raw = Self;
            fn from_raw(raw: Self) -> Self {
                raw
            }
            fn to_raw(self) -> Self {
                self
            }
        })*
    };
}
same_in_c!(bool u32 u64);

/// A struct of options: public fields, and a method of the same name for each, which returns the changed options. `$raw` is
/// its struct in weir_c.h, `$init` the function that sets the defaults.
///
/// `pointers` are the fields for which the C struct has a pointer. They are empty by default; a struct that has some
/// implements `Options` itself, with `plain_raw` for the other fields.
macro_rules! options {
    ($(#[$meta:meta])* $name:ident, $raw:ident, $init:ident {
        texts { $($(#[$text_meta:meta])* $text:ident,)* }
        values { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }
    }) => {
        options! {
            $(#[$meta])* $name, $raw, $init {
                texts { $($(#[$text_meta])* $text,)* }
                values { $($(#[$field_meta])* $field: $type,)* }
                pointers {}
            }
        }

        impl Options for $name {
            type Raw = $raw;
            fn with_raw<R>(&self, f: impl FnOnce(*const $raw) -> R) -> R {
                f(&self.plain_raw())
            }
        }
    };
    ($(#[$meta:meta])* $name:ident, $raw:ident, $init:ident {
        texts { $($(#[$text_meta:meta])* $text:ident,)* }
        values { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }
        pointers { $($(#[$pointer_meta:meta])* $pointer:ident: $pointer_type:ty,)* }
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$text_meta])* pub $text: String,)*
            $($(#[$field_meta])* pub $field: $type,)*
            $($(#[$pointer_meta])* pub $pointer: $pointer_type,)*
        }

        impl $name {
            /// Returns the defaults.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }
            $($(#[$text_meta])* #[must_use]
            pub fn $text(mut self, $text: impl Into<String>) -> Self {
                self.$text = $text.into();
                self
            })*
            $($(#[$field_meta])* #[must_use]
            pub fn $field(mut self, $field: $type) -> Self {
                self.$field = $field;
                self
            })*
            $($(#[$pointer_meta])* #[must_use]
            pub fn $pointer(mut self, $pointer: $pointer_type) -> Self {
                self.$pointer = $pointer;
                self
            })*

            /// # Safety
            /// The texts of `raw` must be valid during the call.
            pub(crate) unsafe fn from_raw(raw: &$raw) -> Self {
                Self {
                    // SAFETY: the caller's promise.
                    $($text: unsafe { raw::string(raw.$text) },)*
                    $($field: Value::from_raw(raw.$field),)*
                    $($pointer: Default::default(),)*
                }
            }
            /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
            fn plain_raw(&self) -> $raw {
                // SAFETY: all fields may be zero.
                #[allow(unused_mut)]
                let mut raw = unsafe { raw::init($init) };
                $(raw.$text = raw::text(&self.$text);)*
                $(raw.$field = self.$field.to_raw();)*
                raw
            }
        }

        impl Default for $name {
            fn default() -> Self {
                // SAFETY: all fields may be zero; texts of the defaults are constants.
                unsafe { Self::from_raw(&raw::init($init)) }
            }
        }
    };
}

/// A struct of numbers: weir_c.h's, without the field `struct_size`.
macro_rules! numbers {
    ($(#[$meta:meta])* $name:ident, $raw:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $name {
            /// Calls a function that fills in the C struct.
            pub(crate) fn read(call: impl FnOnce(*mut $raw) -> weir_status) -> Self {
                let mut raw = std::mem::MaybeUninit::<$raw>::zeroed();
                // SAFETY: all fields are numbers.
                let raw = unsafe {
                    (*raw.as_mut_ptr()).struct_size = std::mem::size_of::<$raw>();
                    crate::raw::require(call(raw.as_mut_ptr()));
                    raw.assume_init()
                };
                Self { $($field: raw.$field,)* }
            }
        }
    };
}
pub(crate) use numbers;

options! {
    /// Limits of the work. A text that exceeds one is refused, never accepted in part: `docs/decisions/limits.md`.
    ///
    /// ```
    /// let limits = weir::Limits::new().nesting(50).text_bytes(1 << 20);
    /// assert_eq!(weir::Limits::default().nesting, 1000);
    /// assert_eq!(limits.nesting, 50);
    /// ```
    Limits, weir_limits, weir_limits_init {
        texts {}
        values {
            /// Bytes of the text of a grammar, a schema or a pattern.
            text_bytes: u64,
            /// Steps in finding out what a schema allows at one place.
            schema_steps: u64,
            /// Steps of work, of 0.03 to 0.1 µs, that one call may take; reading and compiling may take five times as many.
            call_work: u64,
            /// Bytes of explored states that a compiled grammar keeps. Exceeding it is not an error.
            state_memory: u64,
            /// Bytes of compiled grammars that a compiler remembers. Exceeding it is not an error.
            cache_memory: u64,
            /// Transitions of an automaton over tokens.
            token_dfa_transitions: u64,
            /// Levels of nesting in a grammar, a schema or a pattern.
            nesting: u32,
            /// Symbols in the productions of a grammar.
            grammar_symbols: u32,
            /// The largest bound of a counted repeat.
            repeat_count: u32,
            /// Digits of one number in a JSON Schema.
            number_digits: u32,
            /// Expressions that one grammar may create.
            regex_nodes: u32,
            /// Expressions that one search for a match may visit.
            regex_fuel: u32,
            /// Interned lexer states of one grammar.
            lexer_states: u32,
            /// Items of one Earley row.
            row_items: u32,
            /// Threads of one configuration.
            configuration_threads: u32,
            /// Threads that one search for a completion under conditions may visit.
            lookahead_threads: u32,
            /// Bytes of a shortest completion, or of a jump-forward string.
            completion_bytes: u32,
            /// Items for reading the captures of one output.
            capture_items: u32,
            /// States of an automaton over tokens.
            token_dfa_states: u32,
        }
    }
}

enumeration! {
    /// What a token is.
    TokenKind {
        /// Text.
        Normal = WEIR_TOKEN_NORMAL, "normal";
        /// One byte.
        Byte = WEIR_TOKEN_BYTE, "byte";
        /// A special token, which never matches as text.
        Special = WEIR_TOKEN_SPECIAL, "special";
        /// An id without a token.
        Unused = WEIR_TOKEN_UNUSED, "unused";
    }
}

enumeration! {
    /// The language of a grammar's text.
    GrammarSyntax {
        /// Weir's own.
        Ebnf = WEIR_SYNTAX_EBNF, "ebnf";
        /// llama.cpp's.
        Gbnf = WEIR_SYNTAX_GBNF, "gbnf";
        /// XGrammar's EBNF.
        Xgrammar = WEIR_SYNTAX_XGRAMMAR, "xgrammar";
        /// Formatron's.
        Kbnf = WEIR_SYNTAX_KBNF, "kbnf";
        /// Lark as llguidance extends it.
        Lark = WEIR_SYNTAX_LARK, "lark";
    }
}

impl std::str::FromStr for GrammarSyntax {
    type Err = Error;
    /// Returns the syntax of this name.
    fn from_str(name: &str) -> Result<Self, Error> {
        let mut out = 0;
        // SAFETY: the arguments are valid during the call.
        match unsafe { weir_grammar_syntax_named(raw::text(name), &mut out) } {
            WEIR_OK => Ok(Self::from_raw(out)),
            _ => Err(Error::invalid(format!("unknown syntax `{name}`"))),
        }
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
    /// Which part of the output a regular expression describes.
    RegexMatch {
        /// The whole output.
        Full = WEIR_REGEX_FULL, "full";
        /// Some part of it.
        Search = WEIR_REGEX_SEARCH, "search";
    }
}

enumeration! {
    /// How a regular expression is read: `docs/regex.md`.
    RegexDialect {
        /// Weir's own.
        Weir = WEIR_REGEX_WEIR, "weir";
        /// JavaScript's and JSON Schema's.
        Ecma262 = WEIR_REGEX_ECMA262, "ecma262";
        /// The crate regex's.
        Rust = WEIR_REGEX_RUST, "rust";
        /// Python's.
        Python = WEIR_REGEX_PYTHON, "python";
        /// PCRE2's.
        Pcre = WEIR_REGEX_PCRE, "pcre";
    }
}

enumeration! {
    /// A draft of JSON Schema.
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
        /// It does.
        Assert = WEIR_FORMATS_ASSERT, "assert";
        /// It is only a remark.
        Annotate = WEIR_FORMATS_ANNOTATE, "annotate";
    }
}

enumeration! {
    /// What happens to a `format` that weir does not know.
    UnknownFormats {
        /// A warning.
        Warn = WEIR_UNKNOWN_FORMATS_WARN, "warn";
        /// An error.
        Refuse = WEIR_UNKNOWN_FORMATS_REFUSE, "refuse";
    }
}

enumeration! {
    /// Which blanks (space, tab, line ends) JSON texts may have.
    Whitespace {
        /// Up to `whitespace_limit` blanks wherever JSON allows them.
        Bounded = WEIR_WHITESPACE_BOUNDED, "bounded";
        /// None: `{"a":[1,2]}`.
        None = WEIR_WHITESPACE_NONE, "none";
        /// One space after each comma and colon.
        Compact = WEIR_WHITESPACE_COMPACT, "compact";
        /// Each item and member on a line of its own, `indent` spaces per level.
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
        /// Any.
        Any = WEIR_ORDER_ANY, "any";
        /// The members that `properties` lists come in its order, all others after them.
        Declared = WEIR_ORDER_DECLARED, "declared";
    }
}

enumeration! {
    /// The spellings of a character that are allowed in a string.
    Escapes {
        /// All spellings of RFC 8259.
        All = WEIR_ESCAPES_ALL, "all";
        /// Raw, and short escapes such as `\n`; `\uXXXX` only for control characters without one.
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
        /// In one way, with digits alone.
        Plain = WEIR_INTEGERS_PLAIN, "plain";
    }
}

enumeration! {
    /// Which numbers are allowed.
    Numbers {
        /// Of any size.
        Any = WEIR_NUMBERS_ANY, "any";
        /// In the range of a double.
        Double = WEIR_NUMBERS_DOUBLE, "double";
    }
}

enumeration! {
    /// What a quotation consists of.
    SubstringUnit {
        /// Characters.
        Character = WEIR_UNIT_CHARACTER, "character";
        /// Words.
        Word = WEIR_UNIT_WORD, "word";
    }
}

enumeration! {
    /// Whether an output with tool calls begins with reasoning.
    Reasoning {
        /// It has none.
        None = WEIR_REASONING_NONE, "none";
        /// It begins with reasoning between the style's tags.
        Whole = WEIR_REASONING_WHOLE, "whole";
        /// The prompt already ends with the tag that opens the reasoning.
        Begun = WEIR_REASONING_BEGUN, "begun";
    }
}

enumeration! {
    /// Which token sequences an output may consist of.
    Tokenization {
        /// Every sequence of tokens whose bytes are in the language.
        Any = WEIR_TOKENIZATION_ANY, "any";
        /// The one sequence for each text that the tokenizer itself writes.
        Canonical = WEIR_TOKENIZATION_CANONICAL, "canonical";
    }
}

options! {
    /// Options of [`TokenizerInfo`](crate::TokenizerInfo).
    TokenizerOptions, weir_tokenizer_options, weir_tokenizer_options_init {
        texts {}
        values {
            /// The width of the model's logits, if it is larger than the vocabulary. 0: as in the file.
            padded_vocab_size: u32,
        }
        pointers {
            /// The tokens that end an output. Empty: those that the file declares.
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
    /// What [`TokenizerInfo::from_tokens`](crate::TokenizerInfo::from_tokens) needs to know besides the tokens.
    VocabOptions, weir_vocab_spec, weir_vocab_spec_init {
        texts {}
        values {
            /// True if the tokenizer drops a space at the beginning of a text, as SentencePiece's do.
            drops_leading_space: bool,
            /// True if tokens with usual names of eos and end-of-turn tokens (`</s>`) are stop tokens, too.
            stop_tokens_by_name: bool,
            /// How the tokens are written.
            spelling: TokenSpelling,
        }
        pointers {
            /// Tokens that never match as text.
            special_token_ids: Vec<u32>,
            /// The tokens that end an output.
            stop_token_ids: Vec<u32>,
        }
    }
}

impl VocabOptions {
    pub(crate) fn spec(&self, tokens: &[weir_text]) -> weir_vocab_spec {
        let mut raw = self.plain_raw();
        raw.tokens = raw::array(tokens);
        raw.token_count = tokens.len();
        raw.special_token_ids = raw::array(&self.special_token_ids);
        raw.special_token_count = self.special_token_ids.len();
        raw.stop_token_ids = raw::array(&self.stop_token_ids);
        raw.stop_token_count = self.stop_token_ids.len();
        raw
    }
}

options! {
    /// Options of a grammar in weir's EBNF.
    EbnfOptions, weir_ebnf_options, weir_ebnf_options_init {
        texts {
            /// The rule to begin with.
            start,
        }
        values {}
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

options! {
    /// Options of a grammar in any language that has rules.
    ///
    /// ```
    /// use weir::{Grammar, GrammarSyntax, TextOptions};
    /// Grammar::from_text("start: /[0-9]+/", &TextOptions::new().syntax(GrammarSyntax::Lark), None)?;
    /// # Ok::<(), weir::Error>(())
    /// ```
    TextOptions, weir_text_options, weir_text_options_init {
        texts {
            /// The rule to begin with. Empty: `start` in KBNF and Lark, else `root`.
            start,
        }
        values {
            /// The language of the text.
            syntax: GrammarSyntax,
            /// Lark: terminals end wherever they match.
            exact_splits: bool,
            /// Keeps rules that can continue forever but have no finite text.
            keep_endless: bool,
        }
        pointers {
            /// Grammars to which this one may refer.
            grammars: Vec<NamedGrammar>,
            /// Lark: options of the schemas after `%json`. `None`: the defaults.
            json_schema: Option<JsonSchemaOptions>,
        }
    }
}

impl Options for TextOptions {
    type Raw = weir_text_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        let grammars: Vec<_> = self
            .grammars
            .iter()
            .map(|grammar| weir_named_grammar {
                name: raw::text(&grammar.name),
                text: raw::text(&grammar.text),
                syntax: grammar.syntax as i32,
            })
            .collect();
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
    /// Options of a regular expression.
    RegexOptions, weir_regex_options, weir_regex_options_init {
        texts {}
        values {
            /// How it is read.
            dialect: RegexDialect,
            /// Which part of the output it describes.
            r#match: RegexMatch,
            /// Letters match in either case.
            ignore_case: bool,
            /// `^` and `$` match at lines.
            multi_line: bool,
            /// `.` matches line ends, too.
            dot_all: bool,
            /// Whitespace and comments in the pattern are left out.
            extended: bool,
            /// `&` and `~` are operators.
            operators: bool,
        }
    }
}

/// A document that `$ref` may refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SchemaDocument {
    /// Its URI.
    pub uri: String,
    /// JSON.
    pub text: String,
}

options! {
    /// Options of a JSON Schema: `docs/json_schema.md`.
    ///
    /// ```
    /// use weir::{JsonSchemaOptions, Whitespace};
    /// let options = JsonSchemaOptions::serving().whitespace(Whitespace::Compact);
    /// ```
    JsonSchemaOptions, weir_json_schema_options, weir_json_schema_options_init {
        texts {
            /// The URI of the schema itself.
            base_uri,
            /// A regular expression that matches nothing but blanks, for [`Whitespace::Pattern`].
            whitespace_pattern,
        }
        values {
            /// The draft of schemas without `$schema`.
            default_draft: Draft,
            /// Whether `format` constrains strings.
            formats: Formats,
            /// What happens to formats that weir does not know.
            unknown_formats: UnknownFormats,
            /// Which blanks JSON texts may have.
            whitespace: Whitespace,
            /// The order of members.
            order: Order,
            /// The spellings of a character that are allowed in a string.
            escapes: Escapes,
            /// How a value is written where the schema allows only integers.
            integers: Integers,
            /// Which numbers are allowed.
            numbers: Numbers,
            /// Blanks in one place, for [`Whitespace::Bounded`].
            whitespace_limit: u32,
            /// Spaces of one level, for [`Whitespace::Indented`].
            indent: u32,
            /// Digits after the point in scientific notation.
            scientific_decimals: u32,
            /// The most digits that a number is written with. 0: any number.
            number_digits: u32,
            /// True if blanks are also allowed before the value.
            leading_whitespace: bool,
            /// True if blanks are also allowed after the value.
            trailing_whitespace: bool,
            /// True if a surrogate escape without its other half is allowed: `"\ud800"`.
            lone_surrogates: bool,
            /// True if numbers may be written with an exponent.
            exponents: bool,
        }
        pointers {
            /// Documents that `$ref` may refer to.
            documents: Vec<SchemaDocument>,
        }
    }
}

impl JsonSchemaOptions {
    /// Returns the options of a profile, or `None` if there is none of this name.
    #[must_use]
    pub fn profile(name: &str) -> Option<Self> {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_json_schema_options_init) };
        // SAFETY: the arguments are valid during the call.
        let status = unsafe { weir_schema_profile(raw::text(name), &mut raw, std::mem::size_of_val(&raw)) };
        // SAFETY: texts of profiles are constants.
        (status == WEIR_OK).then(|| unsafe { Self::from_raw(&raw) })
    }
    /// Returns the profile "exact", which allows every text of a valid value. It is the default.
    #[must_use]
    pub fn exact() -> Self {
        Self::profile("exact").expect("the library has this profile")
    }
    /// Returns the profile "serving": forms that models write and clients read well.
    #[must_use]
    pub fn serving() -> Self {
        Self::profile("serving").expect("the library has this profile")
    }
}

impl Options for JsonSchemaOptions {
    type Raw = weir_json_schema_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        let documents: Vec<_> = self
            .documents
            .iter()
            .map(|document| weir_schema_document {
                uri: raw::text(&document.uri),
                text: raw::text(&document.text),
            })
            .collect();
        let mut raw = self.plain_raw();
        raw.documents = raw::array(&documents);
        raw.document_count = documents.len();
        f(&raw)
    }
}

options! {
    /// Options of structural tags and of `response_format`.
    StructuralTagOptions, weir_structural_tag_options, weir_structural_tag_options_init {
        texts {}
        values {
            /// The language of grammars within.
            grammar_syntax: GrammarSyntax,
        }
        pointers {
            /// Options of the schemas within. `None`: the defaults.
            json_schema: Option<JsonSchemaOptions>,
            /// Names of special tokens. If there are none, a compiler uses its tokenizer's.
            special_tokens: Vec<String>,
        }
    }
}

impl Options for StructuralTagOptions {
    type Raw = weir_structural_tag_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        let names = raw::texts(&self.special_tokens);
        with(self.json_schema.as_ref(), |json_schema| {
            let mut raw = self.plain_raw();
            raw.json_schema = json_schema;
            raw.special_tokens = raw::array(&names);
            raw.special_token_count = names.len();
            f(&raw)
        })
    }
}

options! {
    /// How a model may call tools.
    ToolOptions, weir_tool_options, weir_tool_options_init {
        texts {
            /// JSON as in OpenAI's API: `"auto"`, quotes included, or an object that names one function.
            tool_choice,
        }
        values {
            /// Whether the output begins with reasoning.
            reasoning: Reasoning,
            /// True if several calls are allowed, where the style has a way to write them.
            parallel_tool_calls: bool,
        }
    }
}

options! {
    /// Options of a matcher.
    MatcherOptions, weir_matcher_options, weir_matcher_options_init {
        texts {}
        values {
            /// False if the output continues a text, so that the tokenizer's rule for a leading space does not apply.
            at_text_start: bool,
            /// Which token sequences an output may consist of.
            tokenization: Tokenization,
            /// The most tokens of the output: near the end, masks allow only what ends in time. 0: any number.
            max_tokens: u32,
        }
        pointers {
            /// The tokens before the output, which matter with [`Tokenization::Canonical`]. If there are any, the output
            /// continues them, whatever `at_text_start` says.
            context: Vec<u32>,
            /// The tokens that end this output, in place of the tokenizer's. Empty: those of the tokenizer.
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

options! {
    /// Options of a [`KbnfEngine`](crate::KbnfEngine).
    KbnfOptions, weir_kbnf_options, weir_kbnf_options_init {
        texts {
            /// The start rule.
            start,
        }
        values {
            /// Keeps rules that can continue forever but have no finite text.
            keep_endless: bool,
        }
    }
}

options! {
    /// How much [`CompiledGrammar::warm_up`](crate::CompiledGrammar::warm_up) explores.
    WarmUpOptions, weir_warm_up_options, weir_warm_up_options_init {
        texts {}
        values {
            /// Steps, as [`Limits::call_work`] counts them; those of earlier calls for the same grammar count too.
            work: u64,
        }
    }
}

options! {
    /// Options of a [`BatchMatcher`](crate::BatchMatcher).
    BatchOptions, weir_batch_options, weir_batch_options_init {
        texts {}
        values {
            /// Threads that work on a call, the caller's included. 0: one for each processor.
            threads: u32,
            /// After `accept_tokens`, one more thread makes the masks of the rows' new states. No result changes by it.
            prefetch: bool,
        }
    }
}
