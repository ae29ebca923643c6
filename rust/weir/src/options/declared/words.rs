// Written by tools/generate from the structs in include/weir. Do not edit.
use crate::options::*;

/// What a token stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum TokenKind {
    /// Text: its bytes match terminals of a grammar.
    #[cfg_attr(feature = "serde", serde(rename = "normal"))]
    Normal = WEIR_TOKEN_NORMAL,
    /// Text of one byte, from a byte fallback (`<0x0A>`).
    #[cfg_attr(feature = "serde", serde(rename = "byte"))]
    Byte = WEIR_TOKEN_BYTE,
    /// A control token.
    #[cfg_attr(feature = "serde", serde(rename = "special"))]
    Special = WEIR_TOKEN_SPECIAL,
    /// Reserved or padding: never allowed.
    #[cfg_attr(feature = "serde", serde(rename = "unused"))]
    Unused = WEIR_TOKEN_UNUSED,
}

impl TokenKind {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_TOKEN_NORMAL => Self::Normal,
            WEIR_TOKEN_BYTE => Self::Byte,
            WEIR_TOKEN_SPECIAL => Self::Special,
            WEIR_TOKEN_UNUSED => Self::Unused,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Byte => "byte",
            Self::Special => "special",
            Self::Unused => "unused",
        }
    }
}

/// How the tokens of a list are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum TokenSpelling {
    /// As their bytes.
    #[cfg_attr(feature = "serde", serde(rename = "bytes"))]
    Bytes = WEIR_SPELLING_BYTES,
    /// As SentencePiece does: `▁` is a space, `<0x0A>` a byte.
    #[cfg_attr(feature = "serde", serde(rename = "byte_fallback"))]
    ByteFallback = WEIR_SPELLING_BYTE_FALLBACK,
    /// As GPT-2 does: a character for each byte.
    #[cfg_attr(feature = "serde", serde(rename = "byte_level"))]
    ByteLevel = WEIR_SPELLING_BYTE_LEVEL,
}

impl TokenSpelling {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_SPELLING_BYTES => Self::Bytes,
            WEIR_SPELLING_BYTE_FALLBACK => Self::ByteFallback,
            WEIR_SPELLING_BYTE_LEVEL => Self::ByteLevel,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::ByteFallback => "byte_fallback",
            Self::ByteLevel => "byte_level",
        }
    }
}

/// The languages in which grammars are written as rules. docs/ has a page for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum GrammarSyntax {
    /// Weir's own.
    #[cfg_attr(feature = "serde", serde(rename = "ebnf"))]
    Ebnf = WEIR_SYNTAX_EBNF,
    /// Llama.cpp's.
    #[cfg_attr(feature = "serde", serde(rename = "gbnf"))]
    Gbnf = WEIR_SYNTAX_GBNF,
    /// XGrammar's EBNF.
    #[cfg_attr(feature = "serde", serde(rename = "xgrammar"))]
    Xgrammar = WEIR_SYNTAX_XGRAMMAR,
    /// Kbnf's.
    #[cfg_attr(feature = "serde", serde(rename = "kbnf"))]
    Kbnf = WEIR_SYNTAX_KBNF,
    /// Lark with llguidance's extensions.
    #[cfg_attr(feature = "serde", serde(rename = "lark"))]
    Lark = WEIR_SYNTAX_LARK,
}

impl GrammarSyntax {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_SYNTAX_EBNF => Self::Ebnf,
            WEIR_SYNTAX_GBNF => Self::Gbnf,
            WEIR_SYNTAX_XGRAMMAR => Self::Xgrammar,
            WEIR_SYNTAX_KBNF => Self::Kbnf,
            WEIR_SYNTAX_LARK => Self::Lark,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ebnf => "ebnf",
            Self::Gbnf => "gbnf",
            Self::Xgrammar => "xgrammar",
            Self::Kbnf => "kbnf",
            Self::Lark => "lark",
        }
    }
}

/// Which part of an output a pattern has to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum RegexMatch {
    /// The whole output matches.
    #[cfg_attr(feature = "serde", serde(rename = "full"))]
    Full = WEIR_REGEX_FULL,
    /// Some part of the output matches, unless the pattern has anchors.
    #[cfg_attr(feature = "serde", serde(rename = "search"))]
    Search = WEIR_REGEX_SEARCH,
}

impl RegexMatch {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_REGEX_FULL => Self::Full,
            WEIR_REGEX_SEARCH => Self::Search,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Search => "search",
        }
    }
}

/// The dialects of regular expressions: the same pattern may mean different things in them (docs/regex.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum RegexDialect {
    /// Refuses constructs that mean different things in the other dialects.
    #[cfg_attr(feature = "serde", serde(rename = "weir"))]
    Weir = WEIR_REGEX_WEIR,
    /// As ECMA-262 with annex B reads it, for patterns written for JavaScript.
    #[cfg_attr(feature = "serde", serde(rename = "ecma262"))]
    Ecma262 = WEIR_REGEX_ECMA262,
    /// As Rust's regex crate reads it.
    #[cfg_attr(feature = "serde", serde(rename = "rust"))]
    Rust = WEIR_REGEX_RUST,
    /// As Python's `re` reads a `str`.
    #[cfg_attr(feature = "serde", serde(rename = "python"))]
    Python = WEIR_REGEX_PYTHON,
    /// As PCRE2 reads it with its option UTF.
    #[cfg_attr(feature = "serde", serde(rename = "pcre"))]
    Pcre = WEIR_REGEX_PCRE,
}

impl RegexDialect {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_REGEX_WEIR => Self::Weir,
            WEIR_REGEX_ECMA262 => Self::Ecma262,
            WEIR_REGEX_RUST => Self::Rust,
            WEIR_REGEX_PYTHON => Self::Python,
            WEIR_REGEX_PCRE => Self::Pcre,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Weir => "weir",
            Self::Ecma262 => "ecma262",
            Self::Rust => "rust",
            Self::Python => "python",
            Self::Pcre => "pcre",
        }
    }
}

/// The units into which a text is cut for quotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum SubstringUnit {
    /// Code points.
    #[cfg_attr(feature = "serde", serde(rename = "character"))]
    Character = WEIR_UNIT_CHARACTER,
    /// Runs of letters, digits and `_`; runs of blanks; runs of other characters.
    #[cfg_attr(feature = "serde", serde(rename = "word"))]
    Word = WEIR_UNIT_WORD,
}

impl SubstringUnit {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_UNIT_CHARACTER => Self::Character,
            WEIR_UNIT_WORD => Self::Word,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Character => "character",
            Self::Word => "word",
        }
    }
}

/// Which token sequences an output may consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Tokenization {
    /// Every sequence of tokens whose bytes are in the language.
    #[cfg_attr(feature = "serde", serde(rename = "any"))]
    Any = WEIR_TOKENIZATION_ANY,
    /// The one sequence for each text that the tokenizer itself would write.
    #[cfg_attr(feature = "serde", serde(rename = "canonical"))]
    Canonical = WEIR_TOKENIZATION_CANONICAL,
}

impl Tokenization {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_TOKENIZATION_ANY => Self::Any,
            WEIR_TOKENIZATION_CANONICAL => Self::Canonical,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Canonical => "canonical",
        }
    }
}

/// What a part of a reply is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum ReplyEventKind {
    /// The opening tag of the reasoning.
    #[cfg_attr(feature = "serde", serde(rename = "reasoning_begins"))]
    ReasoningBegins = WEIR_REPLY_REASONING_BEGINS,
    /// `text` continues the reasoning.
    #[cfg_attr(feature = "serde", serde(rename = "reasoning"))]
    Reasoning = WEIR_REPLY_REASONING,
    /// The closing tag of the reasoning.
    #[cfg_attr(feature = "serde", serde(rename = "reasoning_ends"))]
    ReasoningEnds = WEIR_REPLY_REASONING_ENDS,
    /// `text` continues the answer.
    #[cfg_attr(feature = "serde", serde(rename = "text"))]
    Text = WEIR_REPLY_TEXT,
    /// `name` is whole.
    #[cfg_attr(feature = "serde", serde(rename = "call_begins"))]
    CallBegins = WEIR_REPLY_CALL_BEGINS,
    /// `text` continues the arguments of the call, as JSON.
    #[cfg_attr(feature = "serde", serde(rename = "arguments"))]
    Arguments = WEIR_REPLY_ARGUMENTS,
    /// The arguments are complete JSON.
    #[cfg_attr(feature = "serde", serde(rename = "call_ends"))]
    CallEnds = WEIR_REPLY_CALL_ENDS,
    /// The call is not valid: what was read of it, `text`, is content, as is the rest.
    #[cfg_attr(feature = "serde", serde(rename = "call_invalid"))]
    CallInvalid = WEIR_REPLY_CALL_INVALID,
    /// Bytes that say nothing by themselves.
    #[cfg_attr(feature = "serde", serde(rename = "markup"))]
    Markup = WEIR_REPLY_MARKUP,
    /// An object.
    #[cfg_attr(feature = "serde", serde(rename = "object_begins"))]
    ObjectBegins = WEIR_REPLY_OBJECT_BEGINS,
    /// An array.
    #[cfg_attr(feature = "serde", serde(rename = "array_begins"))]
    ArrayBegins = WEIR_REPLY_ARRAY_BEGINS,
    /// `text` continues a string, without escapes; the first has no text.
    #[cfg_attr(feature = "serde", serde(rename = "string"))]
    String = WEIR_REPLY_STRING,
    /// A number, `text`, which can no longer grow.
    #[cfg_attr(feature = "serde", serde(rename = "number"))]
    Number = WEIR_REPLY_NUMBER,
    /// `text` is `true` or `false`.
    #[cfg_attr(feature = "serde", serde(rename = "boolean"))]
    Boolean = WEIR_REPLY_BOOLEAN,
    /// Null.
    #[cfg_attr(feature = "serde", serde(rename = "null"))]
    Null = WEIR_REPLY_NULL,
    /// The string is complete.
    #[cfg_attr(feature = "serde", serde(rename = "string_ends"))]
    StringEnds = WEIR_REPLY_STRING_ENDS,
    /// The object is complete.
    #[cfg_attr(feature = "serde", serde(rename = "object_ends"))]
    ObjectEnds = WEIR_REPLY_OBJECT_ENDS,
    /// The array is complete.
    #[cfg_attr(feature = "serde", serde(rename = "array_ends"))]
    ArrayEnds = WEIR_REPLY_ARRAY_ENDS,
    /// `text`, which may be empty, continues the input of a call of a custom tool, as it is.
    #[cfg_attr(feature = "serde", serde(rename = "input"))]
    Input = WEIR_REPLY_INPUT,
    /// A capture, `name`.
    #[cfg_attr(feature = "serde", serde(rename = "capture_begins"))]
    CaptureBegins = WEIR_REPLY_CAPTURE_BEGINS,
    /// `text` continues the innermost capture that has not ended, `name`.
    #[cfg_attr(feature = "serde", serde(rename = "capture"))]
    Capture = WEIR_REPLY_CAPTURE,
    /// The capture, `name`, is complete.
    #[cfg_attr(feature = "serde", serde(rename = "capture_ends"))]
    CaptureEnds = WEIR_REPLY_CAPTURE_ENDS,
}

impl ReplyEventKind {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_REPLY_REASONING_BEGINS => Self::ReasoningBegins,
            WEIR_REPLY_REASONING => Self::Reasoning,
            WEIR_REPLY_REASONING_ENDS => Self::ReasoningEnds,
            WEIR_REPLY_TEXT => Self::Text,
            WEIR_REPLY_CALL_BEGINS => Self::CallBegins,
            WEIR_REPLY_ARGUMENTS => Self::Arguments,
            WEIR_REPLY_CALL_ENDS => Self::CallEnds,
            WEIR_REPLY_CALL_INVALID => Self::CallInvalid,
            WEIR_REPLY_MARKUP => Self::Markup,
            WEIR_REPLY_OBJECT_BEGINS => Self::ObjectBegins,
            WEIR_REPLY_ARRAY_BEGINS => Self::ArrayBegins,
            WEIR_REPLY_STRING => Self::String,
            WEIR_REPLY_NUMBER => Self::Number,
            WEIR_REPLY_BOOLEAN => Self::Boolean,
            WEIR_REPLY_NULL => Self::Null,
            WEIR_REPLY_STRING_ENDS => Self::StringEnds,
            WEIR_REPLY_OBJECT_ENDS => Self::ObjectEnds,
            WEIR_REPLY_ARRAY_ENDS => Self::ArrayEnds,
            WEIR_REPLY_INPUT => Self::Input,
            WEIR_REPLY_CAPTURE_BEGINS => Self::CaptureBegins,
            WEIR_REPLY_CAPTURE => Self::Capture,
            WEIR_REPLY_CAPTURE_ENDS => Self::CaptureEnds,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ReasoningBegins => "reasoning_begins",
            Self::Reasoning => "reasoning",
            Self::ReasoningEnds => "reasoning_ends",
            Self::Text => "text",
            Self::CallBegins => "call_begins",
            Self::Arguments => "arguments",
            Self::CallEnds => "call_ends",
            Self::CallInvalid => "call_invalid",
            Self::Markup => "markup",
            Self::ObjectBegins => "object_begins",
            Self::ArrayBegins => "array_begins",
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Null => "null",
            Self::StringEnds => "string_ends",
            Self::ObjectEnds => "object_ends",
            Self::ArrayEnds => "array_ends",
            Self::Input => "input",
            Self::CaptureBegins => "capture_begins",
            Self::Capture => "capture",
            Self::CaptureEnds => "capture_ends",
        }
    }
}

/// The draft that applies to a schema without `$schema`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Draft {
    /// Draft 4.
    #[cfg_attr(feature = "serde", serde(rename = "4"))]
    Draft4 = WEIR_DRAFT_4,
    /// Draft 6.
    #[cfg_attr(feature = "serde", serde(rename = "6"))]
    Draft6 = WEIR_DRAFT_6,
    /// Draft 7.
    #[cfg_attr(feature = "serde", serde(rename = "7"))]
    Draft7 = WEIR_DRAFT_7,
    /// Draft 2019-09.
    #[cfg_attr(feature = "serde", serde(rename = "2019-09"))]
    Draft2019 = WEIR_DRAFT_2019_09,
    /// Draft 2020-12.
    #[cfg_attr(feature = "serde", serde(rename = "2020-12"))]
    Draft2020 = WEIR_DRAFT_2020_12,
}

impl Draft {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_DRAFT_4 => Self::Draft4,
            WEIR_DRAFT_6 => Self::Draft6,
            WEIR_DRAFT_7 => Self::Draft7,
            WEIR_DRAFT_2019_09 => Self::Draft2019,
            WEIR_DRAFT_2020_12 => Self::Draft2020,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft4 => "4",
            Self::Draft6 => "6",
            Self::Draft7 => "7",
            Self::Draft2019 => "2019-09",
            Self::Draft2020 => "2020-12",
        }
    }
}

/// What counts of keywords that a schema's draft says nothing about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Reading {
    /// Nothing: `const` has no effect in draft 4, nor has `minLength` beside `$ref` up to draft 7.
    #[cfg_attr(feature = "serde", serde(rename = "specification"))]
    Specification = WEIR_READING_SPECIFICATION,
    /// Both count, as in most validators: keywords of later drafts, and siblings of `$ref`.
    #[cfg_attr(feature = "serde", serde(rename = "practice"))]
    Practice = WEIR_READING_PRACTICE,
}

impl Reading {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_READING_SPECIFICATION => Self::Specification,
            WEIR_READING_PRACTICE => Self::Practice,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Specification => "specification",
            Self::Practice => "practice",
        }
    }
}

/// Whether `format` constrains strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Formats {
    /// `format` is asserted, as far as docs/json_schema_formats.md says.
    #[cfg_attr(feature = "serde", serde(rename = "assert"))]
    Assert = WEIR_FORMATS_ASSERT,
    /// `format` has no effect, which is the default of the specification since 2019-09.
    #[cfg_attr(feature = "serde", serde(rename = "annotate"))]
    Annotate = WEIR_FORMATS_ANNOTATE,
}

impl Formats {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_FORMATS_ASSERT => Self::Assert,
            WEIR_FORMATS_ANNOTATE => Self::Annotate,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Assert => "assert",
            Self::Annotate => "annotate",
        }
    }
}

/// What happens to a `format` that weir does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum UnknownFormats {
    /// An unknown format has no effect and gives a warning.
    #[cfg_attr(feature = "serde", serde(rename = "warn"))]
    Warn = WEIR_UNKNOWN_FORMATS_WARN,
    /// An unknown format is an error.
    #[cfg_attr(feature = "serde", serde(rename = "refuse"))]
    Refuse = WEIR_UNKNOWN_FORMATS_REFUSE,
}

impl UnknownFormats {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_UNKNOWN_FORMATS_WARN => Self::Warn,
            WEIR_UNKNOWN_FORMATS_REFUSE => Self::Refuse,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Refuse => "refuse",
        }
    }
}

/// What happens to a member of a schema that is a keyword of no draft, such as `minLenght`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum UnknownKeywords {
    /// It has no effect, as the specification says.
    #[cfg_attr(feature = "serde", serde(rename = "ignore"))]
    Ignore = WEIR_UNKNOWN_KEYWORDS_IGNORE,
    /// It is an error, unless its name begins with `x-`.
    #[cfg_attr(feature = "serde", serde(rename = "refuse"))]
    Refuse = WEIR_UNKNOWN_KEYWORDS_REFUSE,
}

impl UnknownKeywords {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_UNKNOWN_KEYWORDS_IGNORE => Self::Ignore,
            WEIR_UNKNOWN_KEYWORDS_REFUSE => Self::Refuse,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ignore => "ignore",
            Self::Refuse => "refuse",
        }
    }
}

/// The language in which values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Notation {
    /// JSON.
    #[cfg_attr(feature = "serde", serde(rename = "json"))]
    Json = WEIR_NOTATION_JSON,
    /// YAML 1.2, in texts that readers of YAML 1.1 read alike.
    #[cfg_attr(feature = "serde", serde(rename = "yaml"))]
    Yaml = WEIR_NOTATION_YAML,
}

impl Notation {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_NOTATION_JSON => Self::Json,
            WEIR_NOTATION_YAML => Self::Yaml,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Yaml => "yaml",
        }
    }
}

/// Which blanks (space, tab, line ends) a text may have between its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Whitespace {
    /// Up to `whitespace_limit` blanks (space, tab, line ends) wherever JSON allows them.
    #[cfg_attr(feature = "serde", serde(rename = "bounded"))]
    Bounded = WEIR_WHITESPACE_BOUNDED,
    /// None: `{"a":[1,2]}`.
    #[cfg_attr(feature = "serde", serde(rename = "none"))]
    None = WEIR_WHITESPACE_NONE,
    /// One space after each comma and colon: `{"a": [1, 2]}`.
    #[cfg_attr(feature = "serde", serde(rename = "compact"))]
    Compact = WEIR_WHITESPACE_COMPACT,
    /// Each item and member on a line of its own, `indent` spaces per level, as pretty printers write.
    #[cfg_attr(feature = "serde", serde(rename = "indented"))]
    Indented = WEIR_WHITESPACE_INDENTED,
    /// Any number of blanks wherever JSON allows them.
    #[cfg_attr(feature = "serde", serde(rename = "unbounded"))]
    Unbounded = WEIR_WHITESPACE_UNBOUNDED,
    /// Text that `whitespace_pattern` matches, wherever JSON allows blanks.
    #[cfg_attr(feature = "serde", serde(rename = "pattern"))]
    Pattern = WEIR_WHITESPACE_PATTERN,
}

impl Whitespace {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_WHITESPACE_BOUNDED => Self::Bounded,
            WEIR_WHITESPACE_NONE => Self::None,
            WEIR_WHITESPACE_COMPACT => Self::Compact,
            WEIR_WHITESPACE_INDENTED => Self::Indented,
            WEIR_WHITESPACE_UNBOUNDED => Self::Unbounded,
            WEIR_WHITESPACE_PATTERN => Self::Pattern,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bounded => "bounded",
            Self::None => "none",
            Self::Compact => "compact",
            Self::Indented => "indented",
            Self::Unbounded => "unbounded",
            Self::Pattern => "pattern",
        }
    }
}

/// The order of an object's members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Order {
    /// Members come in any order.
    #[cfg_attr(feature = "serde", serde(rename = "any"))]
    Any = WEIR_ORDER_ANY,
    /// The members that `properties` lists come in its order, all others after them.
    #[cfg_attr(feature = "serde", serde(rename = "declared"))]
    Declared = WEIR_ORDER_DECLARED,
}

impl Order {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_ORDER_ANY => Self::Any,
            WEIR_ORDER_DECLARED => Self::Declared,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Declared => "declared",
        }
    }
}

/// The spellings of a character that are allowed in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Escapes {
    /// All spellings of RFC 8259: raw, `\n`, `\u00e9` with digits in either case.
    #[cfg_attr(feature = "serde", serde(rename = "all"))]
    All = WEIR_ESCAPES_ALL,
    /// Raw, and short escapes such as `\n`.
    #[cfg_attr(feature = "serde", serde(rename = "short"))]
    Short = WEIR_ESCAPES_SHORT,
    /// One spelling each: raw wherever that is allowed.
    #[cfg_attr(feature = "serde", serde(rename = "required"))]
    Required = WEIR_ESCAPES_REQUIRED,
}

impl Escapes {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_ESCAPES_ALL => Self::All,
            WEIR_ESCAPES_SHORT => Self::Short,
            WEIR_ESCAPES_REQUIRED => Self::Required,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Short => "short",
            Self::Required => "required",
        }
    }
}

/// How a value is written where the schema allows only integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Integers {
    /// As other numbers: `12`, `12.00`, `1.2e1`.
    #[cfg_attr(feature = "serde", serde(rename = "any"))]
    Any = WEIR_INTEGERS_ANY,
    /// In one way, with digits alone: `12`, and `0` for 0.
    #[cfg_attr(feature = "serde", serde(rename = "plain"))]
    Plain = WEIR_INTEGERS_PLAIN,
}

impl Integers {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_INTEGERS_ANY => Self::Any,
            WEIR_INTEGERS_PLAIN => Self::Plain,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Plain => "plain",
        }
    }
}

/// Which numbers are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Numbers {
    /// Numbers of any size.
    #[cfg_attr(feature = "serde", serde(rename = "any"))]
    Any = WEIR_NUMBERS_ANY,
    /// In the range of a double: 0, and magnitudes from 2.2250738585072014e-308 to 1.7976931348623157e308.
    #[cfg_attr(feature = "serde", serde(rename = "double"))]
    Double = WEIR_NUMBERS_DOUBLE,
}

impl Numbers {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_NUMBERS_ANY => Self::Any,
            WEIR_NUMBERS_DOUBLE => Self::Double,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Double => "double",
        }
    }
}

/// Whether the output begins with reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Reasoning {
    /// The output has no reasoning.
    #[cfg_attr(feature = "serde", serde(rename = "none"))]
    None = WEIR_REASONING_NONE,
    /// The output begins with reasoning between the style's tags.
    #[cfg_attr(feature = "serde", serde(rename = "whole"))]
    Whole = WEIR_REASONING_WHOLE,
    /// The prompt already ends with the tag that opens the reasoning.
    #[cfg_attr(feature = "serde", serde(rename = "begun"))]
    Begun = WEIR_REASONING_BEGUN,
    /// The output begins with reasoning between the style's tags, or has none.
    #[cfg_attr(feature = "serde", serde(rename = "auto"))]
    Auto = WEIR_REASONING_AUTO,
}

impl Reasoning {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_REASONING_NONE => Self::None,
            WEIR_REASONING_WHOLE => Self::Whole,
            WEIR_REASONING_BEGUN => Self::Begun,
            WEIR_REASONING_AUTO => Self::Auto,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Whole => "whole",
            Self::Begun => "begun",
            Self::Auto => "auto",
        }
    }
}

/// What becomes of a tool with a schema that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum OnBadTool {
    /// An error.
    #[cfg_attr(feature = "serde", serde(rename = "refuse"))]
    Refuse = WEIR_ON_BAD_TOOL_REFUSE,
    /// The tool takes any arguments.
    #[cfg_attr(feature = "serde", serde(rename = "loosen"))]
    Loosen = WEIR_ON_BAD_TOOL_LOOSEN,
    /// The tool cannot be called.
    #[cfg_attr(feature = "serde", serde(rename = "drop"))]
    Drop = WEIR_ON_BAD_TOOL_DROP,
}

impl OnBadTool {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_ON_BAD_TOOL_REFUSE => Self::Refuse,
            WEIR_ON_BAD_TOOL_LOOSEN => Self::Loosen,
            WEIR_ON_BAD_TOOL_DROP => Self::Drop,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Loosen => "loosen",
            Self::Drop => "drop",
        }
    }
}

/// Which replies are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum ReplyMode {
    /// Every text; what is no call of the style is text.
    #[cfg_attr(feature = "serde", serde(rename = "tolerant"))]
    Tolerant = WEIR_MODE_TOLERANT,
    /// What the structural tag of the same tools allows; all else is an error.
    #[cfg_attr(feature = "serde", serde(rename = "strict"))]
    Strict = WEIR_MODE_STRICT,
}

impl ReplyMode {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_MODE_TOLERANT => Self::Tolerant,
            WEIR_MODE_STRICT => Self::Strict,
            _ => unreachable!("an enumerator that weir_c.h does not have"),
        }
    }
    /// Returns the name that all of weir's interfaces use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tolerant => "tolerant",
            Self::Strict => "strict",
        }
    }
}
