// Written by tools/generate from the structs in include/weir. Do not edit.
use super::*;

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
    /// Of any size.
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
}

impl Reasoning {
    #[allow(dead_code)]
    pub(crate) fn from_raw(raw: i32) -> Self {
        match raw {
            WEIR_REASONING_NONE => Self::None,
            WEIR_REASONING_WHOLE => Self::Whole,
            WEIR_REASONING_BEGUN => Self::Begun,
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
        }
    }
}

/// Limits of the work.
///
/// ```
/// let limits = weir::Limits::new().nesting(50).text_bytes(1 << 20);
/// assert_eq!(weir::Limits::default().nesting, 1000);
/// assert_eq!(limits.nesting, 50);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of the text of a grammar, a schema or a pattern. The default is `67,108,864`.
    pub text_bytes: u64,
    /// Levels of nesting in a grammar, a schema or a pattern. The default is `1,000`.
    pub nesting: u32,
    /// Symbols in the productions of a grammar, plus one for each production's end. The default is `4,000,000`.
    pub grammar_symbols: u32,
    /// The largest bound of a counted repeat, `{m,n}`, in a grammar or a pattern. The default is `1,000,000,000`.
    pub repeat_count: u32,
    /// Digits of one number in a JSON schema. The default is `10,000`.
    pub number_digits: u32,
    /// Steps in finding out what a schema allows at one place: keywords, combinations of alternatives, candidates for
    /// values. The default is `2,000,000`.
    pub schema_steps: u64,
    /// States of an automaton over tokens, and of the automaton over bytes that it is made of (token_dfa.h). The
    /// default is `1,000,000`.
    pub token_dfa_states: u32,
    /// Transitions of an automaton over tokens, and entries of a tokenizer's states; 8 bytes each, while it is being
    /// built up to 40. The default is `40,000,000`.
    pub token_dfa_transitions: u64,
    /// Steps of work that one call may take: one mask, one accepted token, one completion. The default is `2,000,000`.
    pub call_work: u64,
    /// Hash-consed regular expressions that one grammar may create, residuals included; about 40 bytes each. The
    /// default is `8,000,000`.
    pub regex_nodes: u32,
    /// Expressions that one search for "does this match anything?" may visit. The default is `100,000`.
    pub regex_fuel: u32,
    /// Interned lexer states of one grammar; about 100 bytes and a table row each. The default is `1,000,000`.
    pub lexer_states: u32,
    /// Items (dotted rules with their continuations) of one Earley row, predictions included. The default is
    /// `1,000,000`.
    pub row_items: u32,
    /// Threads (row and lexer state) of one configuration, that is, readings of the text that are followed at once. The
    /// default is `10,000`.
    pub configuration_threads: u32,
    /// Threads that one search for a completion under conditions may visit (greedy terminals and look-ahead only). The
    /// default is `20,000`.
    pub lookahead_threads: u32,
    /// Items for reading the captures of one output (GrammarMatcher::captures); about 60 bytes each, held from the
    /// first call to captures on. The default is `10,000,000`.
    pub capture_items: u32,
    /// Bytes of a shortest completion, or of a jump-forward string. The default is `16,777,216`.
    pub completion_bytes: u32,
    /// Bytes of explored states, rows and masks that a compiled grammar keeps. The default is `268,435,456`.
    pub state_memory: u64,
    /// Bytes of compiled grammars that a GrammarCompiler remembers. The default is `134,217,728`.
    pub cache_memory: u64,
}

impl Limits {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Bytes of the text of a grammar, a schema or a pattern. The default is `67,108,864`.
    #[must_use]
    pub fn text_bytes(mut self, text_bytes: u64) -> Self {
        self.text_bytes = text_bytes;
        self
    }
    /// Levels of nesting in a grammar, a schema or a pattern. The default is `1,000`.
    #[must_use]
    pub fn nesting(mut self, nesting: u32) -> Self {
        self.nesting = nesting;
        self
    }
    /// Symbols in the productions of a grammar, plus one for each production's end. The default is `4,000,000`.
    #[must_use]
    pub fn grammar_symbols(mut self, grammar_symbols: u32) -> Self {
        self.grammar_symbols = grammar_symbols;
        self
    }
    /// The largest bound of a counted repeat, `{m,n}`, in a grammar or a pattern. The default is `1,000,000,000`.
    #[must_use]
    pub fn repeat_count(mut self, repeat_count: u32) -> Self {
        self.repeat_count = repeat_count;
        self
    }
    /// Digits of one number in a JSON schema. The default is `10,000`.
    #[must_use]
    pub fn number_digits(mut self, number_digits: u32) -> Self {
        self.number_digits = number_digits;
        self
    }
    /// Steps in finding out what a schema allows at one place: keywords, combinations of alternatives, candidates for
    /// values. The default is `2,000,000`.
    #[must_use]
    pub fn schema_steps(mut self, schema_steps: u64) -> Self {
        self.schema_steps = schema_steps;
        self
    }
    /// States of an automaton over tokens, and of the automaton over bytes that it is made of (token_dfa.h). The
    /// default is `1,000,000`.
    #[must_use]
    pub fn token_dfa_states(mut self, token_dfa_states: u32) -> Self {
        self.token_dfa_states = token_dfa_states;
        self
    }
    /// Transitions of an automaton over tokens, and entries of a tokenizer's states; 8 bytes each, while it is being
    /// built up to 40. The default is `40,000,000`.
    #[must_use]
    pub fn token_dfa_transitions(mut self, token_dfa_transitions: u64) -> Self {
        self.token_dfa_transitions = token_dfa_transitions;
        self
    }
    /// Steps of work that one call may take: one mask, one accepted token, one completion. The default is `2,000,000`.
    #[must_use]
    pub fn call_work(mut self, call_work: u64) -> Self {
        self.call_work = call_work;
        self
    }
    /// Hash-consed regular expressions that one grammar may create, residuals included; about 40 bytes each. The
    /// default is `8,000,000`.
    #[must_use]
    pub fn regex_nodes(mut self, regex_nodes: u32) -> Self {
        self.regex_nodes = regex_nodes;
        self
    }
    /// Expressions that one search for "does this match anything?" may visit. The default is `100,000`.
    #[must_use]
    pub fn regex_fuel(mut self, regex_fuel: u32) -> Self {
        self.regex_fuel = regex_fuel;
        self
    }
    /// Interned lexer states of one grammar; about 100 bytes and a table row each. The default is `1,000,000`.
    #[must_use]
    pub fn lexer_states(mut self, lexer_states: u32) -> Self {
        self.lexer_states = lexer_states;
        self
    }
    /// Items (dotted rules with their continuations) of one Earley row, predictions included. The default is
    /// `1,000,000`.
    #[must_use]
    pub fn row_items(mut self, row_items: u32) -> Self {
        self.row_items = row_items;
        self
    }
    /// Threads (row and lexer state) of one configuration, that is, readings of the text that are followed at once. The
    /// default is `10,000`.
    #[must_use]
    pub fn configuration_threads(mut self, configuration_threads: u32) -> Self {
        self.configuration_threads = configuration_threads;
        self
    }
    /// Threads that one search for a completion under conditions may visit (greedy terminals and look-ahead only). The
    /// default is `20,000`.
    #[must_use]
    pub fn lookahead_threads(mut self, lookahead_threads: u32) -> Self {
        self.lookahead_threads = lookahead_threads;
        self
    }
    /// Items for reading the captures of one output (GrammarMatcher::captures); about 60 bytes each, held from the
    /// first call to captures on. The default is `10,000,000`.
    #[must_use]
    pub fn capture_items(mut self, capture_items: u32) -> Self {
        self.capture_items = capture_items;
        self
    }
    /// Bytes of a shortest completion, or of a jump-forward string. The default is `16,777,216`.
    #[must_use]
    pub fn completion_bytes(mut self, completion_bytes: u32) -> Self {
        self.completion_bytes = completion_bytes;
        self
    }
    /// Bytes of explored states, rows and masks that a compiled grammar keeps. The default is `268,435,456`.
    #[must_use]
    pub fn state_memory(mut self, state_memory: u64) -> Self {
        self.state_memory = state_memory;
        self
    }
    /// Bytes of compiled grammars that a GrammarCompiler remembers. The default is `134,217,728`.
    #[must_use]
    pub fn cache_memory(mut self, cache_memory: u64) -> Self {
        self.cache_memory = cache_memory;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_limits) -> Self {
        Self {
            text_bytes: raw.text_bytes,
            nesting: raw.nesting,
            grammar_symbols: raw.grammar_symbols,
            repeat_count: raw.repeat_count,
            number_digits: raw.number_digits,
            schema_steps: raw.schema_steps,
            token_dfa_states: raw.token_dfa_states,
            token_dfa_transitions: raw.token_dfa_transitions,
            call_work: raw.call_work,
            regex_nodes: raw.regex_nodes,
            regex_fuel: raw.regex_fuel,
            lexer_states: raw.lexer_states,
            row_items: raw.row_items,
            configuration_threads: raw.configuration_threads,
            lookahead_threads: raw.lookahead_threads,
            capture_items: raw.capture_items,
            completion_bytes: raw.completion_bytes,
            state_memory: raw.state_memory,
            cache_memory: raw.cache_memory,
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_limits {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_limits_init) };
        raw.text_bytes = self.text_bytes;
        raw.nesting = self.nesting;
        raw.grammar_symbols = self.grammar_symbols;
        raw.repeat_count = self.repeat_count;
        raw.number_digits = self.number_digits;
        raw.schema_steps = self.schema_steps;
        raw.token_dfa_states = self.token_dfa_states;
        raw.token_dfa_transitions = self.token_dfa_transitions;
        raw.call_work = self.call_work;
        raw.regex_nodes = self.regex_nodes;
        raw.regex_fuel = self.regex_fuel;
        raw.lexer_states = self.lexer_states;
        raw.row_items = self.row_items;
        raw.configuration_threads = self.configuration_threads;
        raw.lookahead_threads = self.lookahead_threads;
        raw.capture_items = self.capture_items;
        raw.completion_bytes = self.completion_bytes;
        raw.state_memory = self.state_memory;
        raw.cache_memory = self.cache_memory;
        raw
    }
}

impl Default for Limits {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_limits_init)) }
    }
}

impl Options for Limits {
    type Raw = weir_limits;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        f(&self.plain_raw())
    }
}

/// Options for reading a tokenizer.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct TokenizerOptions {
    /// Tokens that end the output; if there are none, the tokens that the file declares, and eos and end-of-turn tokens
    /// that are recognised by their usual names.
    pub stop_token_ids: Vec<u32>,
    /// Size of the model's output layer if it is larger than the vocabulary; the tokens added are "unused". 0: as in
    /// the file.
    pub padded_vocab_size: u32,
}

impl TokenizerOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Tokens that end the output; if there are none, the tokens that the file declares, and eos and end-of-turn tokens
    /// that are recognised by their usual names.
    #[must_use]
    pub fn stop_token_ids(mut self, stop_token_ids: Vec<u32>) -> Self {
        self.stop_token_ids = stop_token_ids;
        self
    }
    /// Size of the model's output layer if it is larger than the vocabulary; the tokens added are "unused". 0: as in
    /// the file.
    #[must_use]
    pub fn padded_vocab_size(mut self, padded_vocab_size: u32) -> Self {
        self.padded_vocab_size = padded_vocab_size;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_tokenizer_options) -> Self {
        Self {
            stop_token_ids: Default::default(),
            padded_vocab_size: raw.padded_vocab_size,
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_tokenizer_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_tokenizer_options_init) };
        raw.padded_vocab_size = self.padded_vocab_size;
        raw
    }
}

impl Default for TokenizerOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_tokenizer_options_init)) }
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

/// A plain vocabulary, for callers that have the tokens and no file.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct VocabOptions {
    /// Their strings in `tokens` are names, not text.
    pub special_token_ids: Vec<u32>,
    /// May be special or normal.
    pub stop_token_ids: Vec<u32>,
    /// True if decoding drops a leading space of the first token (SentencePiece).
    pub drops_leading_space: bool,
    /// True if tokens with usual names of eos and end-of-turn tokens (`</s>`, `<|im_end|>`) are stop tokens, too.
    pub stop_tokens_by_name: bool,
    /// How `tokens` are written. The default is "bytes".
    pub spelling: TokenSpelling,
}

impl VocabOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Their strings in `tokens` are names, not text.
    #[must_use]
    pub fn special_token_ids(mut self, special_token_ids: Vec<u32>) -> Self {
        self.special_token_ids = special_token_ids;
        self
    }
    /// May be special or normal.
    #[must_use]
    pub fn stop_token_ids(mut self, stop_token_ids: Vec<u32>) -> Self {
        self.stop_token_ids = stop_token_ids;
        self
    }
    /// True if decoding drops a leading space of the first token (SentencePiece).
    #[must_use]
    pub fn drops_leading_space(mut self, drops_leading_space: bool) -> Self {
        self.drops_leading_space = drops_leading_space;
        self
    }
    /// True if tokens with usual names of eos and end-of-turn tokens (`</s>`, `<|im_end|>`) are stop tokens, too.
    #[must_use]
    pub fn stop_tokens_by_name(mut self, stop_tokens_by_name: bool) -> Self {
        self.stop_tokens_by_name = stop_tokens_by_name;
        self
    }
    /// How `tokens` are written. The default is "bytes".
    #[must_use]
    pub fn spelling(mut self, spelling: TokenSpelling) -> Self {
        self.spelling = spelling;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_vocab_spec) -> Self {
        Self {
            special_token_ids: Default::default(),
            stop_token_ids: Default::default(),
            drops_leading_space: raw.drops_leading_space,
            stop_tokens_by_name: raw.stop_tokens_by_name,
            spelling: TokenSpelling::from_raw(raw.spelling),
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_vocab_spec {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_vocab_spec_init) };
        raw.drops_leading_space = self.drops_leading_space;
        raw.stop_tokens_by_name = self.stop_tokens_by_name;
        raw.spelling = self.spelling as i32;
        raw
    }
}

impl Default for VocabOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_vocab_spec_init)) }
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

/// How EBNF is read.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct EbnfOptions {
    /// The start rule; any rule of the grammar may be named. The default is "root".
    pub start: String,
}

impl EbnfOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// The start rule; any rule of the grammar may be named. The default is "root".
    #[must_use]
    pub fn start(mut self, start: impl Into<String>) -> Self {
        self.start = start.into();
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_ebnf_options) -> Self {
        Self {
            // SAFETY: the caller's promise.
            start: unsafe { raw::string(raw.start) },
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_ebnf_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_ebnf_options_init) };
        raw.start = raw::text(&self.start);
        raw
    }
}

impl Default for EbnfOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_ebnf_options_init)) }
    }
}

impl Options for EbnfOptions {
    type Raw = weir_ebnf_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        f(&self.plain_raw())
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

/// How a regular expression is read.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct RegexOptions {
    /// How the pattern is read. The default is "weir".
    pub dialect: RegexDialect,
    /// Which part of the output it has to match. The default is "full".
    pub r#match: RegexMatch,
    /// Flag i.
    pub ignore_case: bool,
    /// Flag m: ^ and $ also match at line ends.
    pub multi_line: bool,
    /// Flag s: . also matches line ends.
    pub dot_all: bool,
    /// Flag x: blanks and # comments are ignored.
    pub extended: bool,
    /// `&` is intersection, `~` complement (only in weir's own dialect).
    pub operators: bool,
}

impl RegexOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// How the pattern is read. The default is "weir".
    #[must_use]
    pub fn dialect(mut self, dialect: RegexDialect) -> Self {
        self.dialect = dialect;
        self
    }
    /// Which part of the output it has to match. The default is "full".
    #[must_use]
    pub fn r#match(mut self, r#match: RegexMatch) -> Self {
        self.r#match = r#match;
        self
    }
    /// Flag i.
    #[must_use]
    pub fn ignore_case(mut self, ignore_case: bool) -> Self {
        self.ignore_case = ignore_case;
        self
    }
    /// Flag m: ^ and $ also match at line ends.
    #[must_use]
    pub fn multi_line(mut self, multi_line: bool) -> Self {
        self.multi_line = multi_line;
        self
    }
    /// Flag s: . also matches line ends.
    #[must_use]
    pub fn dot_all(mut self, dot_all: bool) -> Self {
        self.dot_all = dot_all;
        self
    }
    /// Flag x: blanks and # comments are ignored.
    #[must_use]
    pub fn extended(mut self, extended: bool) -> Self {
        self.extended = extended;
        self
    }
    /// `&` is intersection, `~` complement (only in weir's own dialect).
    #[must_use]
    pub fn operators(mut self, operators: bool) -> Self {
        self.operators = operators;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_regex_options) -> Self {
        Self {
            dialect: RegexDialect::from_raw(raw.dialect),
            r#match: RegexMatch::from_raw(raw.r#match),
            ignore_case: raw.ignore_case,
            multi_line: raw.multi_line,
            dot_all: raw.dot_all,
            extended: raw.extended,
            operators: raw.operators,
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_regex_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_regex_options_init) };
        raw.dialect = self.dialect as i32;
        raw.r#match = self.r#match as i32;
        raw.ignore_case = self.ignore_case;
        raw.multi_line = self.multi_line;
        raw.dot_all = self.dot_all;
        raw.extended = self.extended;
        raw.operators = self.operators;
        raw
    }
}

impl Default for RegexOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_regex_options_init)) }
    }
}

impl Options for RegexOptions {
    type Raw = weir_regex_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        f(&self.plain_raw())
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

/// How a schema is read, and which JSON texts of a value are in the language.
///
/// ```
/// use weir::{JsonSchemaOptions, Whitespace};
/// let options = JsonSchemaOptions::serving().whitespace(Whitespace::Compact);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonSchemaOptions {
    /// The draft that applies to a schema without `$schema`. The default is "2020-12".
    pub default_draft: Draft,
    /// What counts of keywords that a schema's draft says nothing about. The default is "specification".
    pub reading: Reading,
    /// The URI of the schema itself.
    pub base_uri: String,
    /// Documents that references may refer to.
    pub documents: Vec<SchemaDocument>,
    /// Whether `format` constrains strings. The default is "assert".
    pub formats: Formats,
    /// What happens to a `format` that weir does not know. The default is "warn".
    pub unknown_formats: UnknownFormats,
    /// What happens to a member of a schema that is a keyword of no draft, such as `minLenght`. The default is
    /// "ignore".
    pub unknown_keywords: UnknownKeywords,
    /// Which blanks (space, tab, line ends) a text may have between its parts. The default is "bounded".
    pub whitespace: Whitespace,
    /// With "bounded": the most blanks in one place. The default is `40`.
    pub whitespace_limit: u32,
    /// With "indented": the spaces of each level. The default is `2`.
    pub indent: u32,
    /// With "pattern": a regular expression that matches nothing but blanks, in any number.
    pub whitespace_pattern: String,
    /// True if blanks are also allowed before the value.
    pub leading_whitespace: bool,
    /// True if blanks are also allowed after the value.
    pub trailing_whitespace: bool,
    /// The order of an object's members. The default is "any".
    pub order: Order,
    /// The spellings of a character that are allowed in a string. The default is "all".
    pub escapes: Escapes,
    /// True if a surrogate escape without its other half is allowed: `"\ud800"`.
    pub lone_surrogates: bool,
    /// True if numbers may be written with an exponent. The default is `true`.
    pub exponents: bool,
    /// The most digits after the point in scientific notation, for numbers that the schema restricts: `1.25e3` has two.
    /// The default is `16`.
    pub scientific_decimals: u32,
    /// How a value is written where the schema allows only integers. The default is "any".
    pub integers: Integers,
    /// Which numbers are allowed. The default is "any".
    pub numbers: Numbers,
    /// The most digits that a number is written with, all counted; 0: any number.
    pub number_digits: u32,
}

impl JsonSchemaOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// The draft that applies to a schema without `$schema`. The default is "2020-12".
    #[must_use]
    pub fn default_draft(mut self, default_draft: Draft) -> Self {
        self.default_draft = default_draft;
        self
    }
    /// What counts of keywords that a schema's draft says nothing about. The default is "specification".
    #[must_use]
    pub fn reading(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }
    /// The URI of the schema itself.
    #[must_use]
    pub fn base_uri(mut self, base_uri: impl Into<String>) -> Self {
        self.base_uri = base_uri.into();
        self
    }
    /// Documents that references may refer to.
    #[must_use]
    pub fn documents(mut self, documents: Vec<SchemaDocument>) -> Self {
        self.documents = documents;
        self
    }
    /// Whether `format` constrains strings. The default is "assert".
    #[must_use]
    pub fn formats(mut self, formats: Formats) -> Self {
        self.formats = formats;
        self
    }
    /// What happens to a `format` that weir does not know. The default is "warn".
    #[must_use]
    pub fn unknown_formats(mut self, unknown_formats: UnknownFormats) -> Self {
        self.unknown_formats = unknown_formats;
        self
    }
    /// What happens to a member of a schema that is a keyword of no draft, such as `minLenght`. The default is
    /// "ignore".
    #[must_use]
    pub fn unknown_keywords(mut self, unknown_keywords: UnknownKeywords) -> Self {
        self.unknown_keywords = unknown_keywords;
        self
    }
    /// Which blanks (space, tab, line ends) a text may have between its parts. The default is "bounded".
    #[must_use]
    pub fn whitespace(mut self, whitespace: Whitespace) -> Self {
        self.whitespace = whitespace;
        self
    }
    /// With "bounded": the most blanks in one place. The default is `40`.
    #[must_use]
    pub fn whitespace_limit(mut self, whitespace_limit: u32) -> Self {
        self.whitespace_limit = whitespace_limit;
        self
    }
    /// With "indented": the spaces of each level. The default is `2`.
    #[must_use]
    pub fn indent(mut self, indent: u32) -> Self {
        self.indent = indent;
        self
    }
    /// With "pattern": a regular expression that matches nothing but blanks, in any number.
    #[must_use]
    pub fn whitespace_pattern(mut self, whitespace_pattern: impl Into<String>) -> Self {
        self.whitespace_pattern = whitespace_pattern.into();
        self
    }
    /// True if blanks are also allowed before the value.
    #[must_use]
    pub fn leading_whitespace(mut self, leading_whitespace: bool) -> Self {
        self.leading_whitespace = leading_whitespace;
        self
    }
    /// True if blanks are also allowed after the value.
    #[must_use]
    pub fn trailing_whitespace(mut self, trailing_whitespace: bool) -> Self {
        self.trailing_whitespace = trailing_whitespace;
        self
    }
    /// The order of an object's members. The default is "any".
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }
    /// The spellings of a character that are allowed in a string. The default is "all".
    #[must_use]
    pub fn escapes(mut self, escapes: Escapes) -> Self {
        self.escapes = escapes;
        self
    }
    /// True if a surrogate escape without its other half is allowed: `"\ud800"`.
    #[must_use]
    pub fn lone_surrogates(mut self, lone_surrogates: bool) -> Self {
        self.lone_surrogates = lone_surrogates;
        self
    }
    /// True if numbers may be written with an exponent. The default is `true`.
    #[must_use]
    pub fn exponents(mut self, exponents: bool) -> Self {
        self.exponents = exponents;
        self
    }
    /// The most digits after the point in scientific notation, for numbers that the schema restricts: `1.25e3` has two.
    /// The default is `16`.
    #[must_use]
    pub fn scientific_decimals(mut self, scientific_decimals: u32) -> Self {
        self.scientific_decimals = scientific_decimals;
        self
    }
    /// How a value is written where the schema allows only integers. The default is "any".
    #[must_use]
    pub fn integers(mut self, integers: Integers) -> Self {
        self.integers = integers;
        self
    }
    /// Which numbers are allowed. The default is "any".
    #[must_use]
    pub fn numbers(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }
    /// The most digits that a number is written with, all counted; 0: any number.
    #[must_use]
    pub fn number_digits(mut self, number_digits: u32) -> Self {
        self.number_digits = number_digits;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_json_schema_options) -> Self {
        Self {
            default_draft: Draft::from_raw(raw.default_draft),
            reading: Reading::from_raw(raw.reading),
            // SAFETY: the caller's promise.
            base_uri: unsafe { raw::string(raw.base_uri) },
            documents: Default::default(),
            formats: Formats::from_raw(raw.formats),
            unknown_formats: UnknownFormats::from_raw(raw.unknown_formats),
            unknown_keywords: UnknownKeywords::from_raw(raw.unknown_keywords),
            whitespace: Whitespace::from_raw(raw.whitespace),
            whitespace_limit: raw.whitespace_limit,
            indent: raw.indent,
            // SAFETY: the caller's promise.
            whitespace_pattern: unsafe { raw::string(raw.whitespace_pattern) },
            leading_whitespace: raw.leading_whitespace,
            trailing_whitespace: raw.trailing_whitespace,
            order: Order::from_raw(raw.order),
            escapes: Escapes::from_raw(raw.escapes),
            lone_surrogates: raw.lone_surrogates,
            exponents: raw.exponents,
            scientific_decimals: raw.scientific_decimals,
            integers: Integers::from_raw(raw.integers),
            numbers: Numbers::from_raw(raw.numbers),
            number_digits: raw.number_digits,
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_json_schema_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_json_schema_options_init) };
        raw.default_draft = self.default_draft as i32;
        raw.reading = self.reading as i32;
        raw.base_uri = raw::text(&self.base_uri);
        raw.formats = self.formats as i32;
        raw.unknown_formats = self.unknown_formats as i32;
        raw.unknown_keywords = self.unknown_keywords as i32;
        raw.whitespace = self.whitespace as i32;
        raw.whitespace_limit = self.whitespace_limit;
        raw.indent = self.indent;
        raw.whitespace_pattern = raw::text(&self.whitespace_pattern);
        raw.leading_whitespace = self.leading_whitespace;
        raw.trailing_whitespace = self.trailing_whitespace;
        raw.order = self.order as i32;
        raw.escapes = self.escapes as i32;
        raw.lone_surrogates = self.lone_surrogates;
        raw.exponents = self.exponents;
        raw.scientific_decimals = self.scientific_decimals;
        raw.integers = self.integers as i32;
        raw.numbers = self.numbers as i32;
        raw.number_digits = self.number_digits;
        raw
    }
}

impl Default for JsonSchemaOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_json_schema_options_init)) }
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

/// How a grammar with rules is read.
///
/// ```
/// use weir::{Grammar, GrammarSyntax, TextOptions};
/// Grammar::from_text("start: /[0-9]+/", &TextOptions::new().syntax(GrammarSyntax::Lark), None)?;
/// # Ok::<(), weir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct TextOptions {
    /// The language of the text. The default is "ebnf".
    pub syntax: GrammarSyntax,
    /// The start rule; empty: `start` in KBNF and Lark, else `root`.
    pub start: String,
    /// Lark: terminals may end wherever they match, not only at their longest match.
    pub exact_splits: bool,
    /// KBNF: keeps rules that derive no finite string, for streams without an end.
    pub keep_endless: bool,
    /// Lark: the grammars that `@name` may refer to.
    pub grammars: Vec<NamedGrammar>,
    /// Lark: options of the schemas after `%json`. `None`: the defaults.
    pub json_schema: Option<JsonSchemaOptions>,
}

impl TextOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// The language of the text. The default is "ebnf".
    #[must_use]
    pub fn syntax(mut self, syntax: GrammarSyntax) -> Self {
        self.syntax = syntax;
        self
    }
    /// The start rule; empty: `start` in KBNF and Lark, else `root`.
    #[must_use]
    pub fn start(mut self, start: impl Into<String>) -> Self {
        self.start = start.into();
        self
    }
    /// Lark: terminals may end wherever they match, not only at their longest match.
    #[must_use]
    pub fn exact_splits(mut self, exact_splits: bool) -> Self {
        self.exact_splits = exact_splits;
        self
    }
    /// KBNF: keeps rules that derive no finite string, for streams without an end.
    #[must_use]
    pub fn keep_endless(mut self, keep_endless: bool) -> Self {
        self.keep_endless = keep_endless;
        self
    }
    /// Lark: the grammars that `@name` may refer to.
    #[must_use]
    pub fn grammars(mut self, grammars: Vec<NamedGrammar>) -> Self {
        self.grammars = grammars;
        self
    }
    /// Lark: options of the schemas after `%json`. `None`: the defaults.
    #[must_use]
    pub fn json_schema(mut self, json_schema: Option<JsonSchemaOptions>) -> Self {
        self.json_schema = json_schema;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_text_options) -> Self {
        Self {
            syntax: GrammarSyntax::from_raw(raw.syntax),
            // SAFETY: the caller's promise.
            start: unsafe { raw::string(raw.start) },
            exact_splits: raw.exact_splits,
            keep_endless: raw.keep_endless,
            grammars: Default::default(),
            json_schema: Default::default(),
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_text_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_text_options_init) };
        raw.syntax = self.syntax as i32;
        raw.start = raw::text(&self.start);
        raw.exact_splits = self.exact_splits;
        raw.keep_endless = self.keep_endless;
        raw
    }
}

impl Default for TextOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_text_options_init)) }
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

/// How a structural tag or a response_format is read.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct StructuralTagOptions {
    /// Options for the schemas in it, unless the tag itself sets them. `None`: the defaults.
    pub json_schema: Option<JsonSchemaOptions>,
    /// The syntax of grammars in it that name none. The default is "xgrammar".
    pub grammar_syntax: GrammarSyntax,
    /// Names of special tokens.
    pub special_tokens: Vec<String>,
}

impl StructuralTagOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Options for the schemas in it, unless the tag itself sets them. `None`: the defaults.
    #[must_use]
    pub fn json_schema(mut self, json_schema: Option<JsonSchemaOptions>) -> Self {
        self.json_schema = json_schema;
        self
    }
    /// The syntax of grammars in it that name none. The default is "xgrammar".
    #[must_use]
    pub fn grammar_syntax(mut self, grammar_syntax: GrammarSyntax) -> Self {
        self.grammar_syntax = grammar_syntax;
        self
    }
    /// Names of special tokens.
    #[must_use]
    pub fn special_tokens(mut self, special_tokens: Vec<String>) -> Self {
        self.special_tokens = special_tokens;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_structural_tag_options) -> Self {
        Self {
            json_schema: Default::default(),
            grammar_syntax: GrammarSyntax::from_raw(raw.grammar_syntax),
            special_tokens: Default::default(),
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_structural_tag_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_structural_tag_options_init) };
        raw.grammar_syntax = self.grammar_syntax as i32;
        raw
    }
}

impl Default for StructuralTagOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_structural_tag_options_init)) }
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

/// How a model may call tools.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct ToolOptions {
    /// JSON as in OpenAI's API: "none", "auto", "required", an object that names one function, or an `allowed_tools`
    /// object. The default is "\"auto\"".
    pub tool_choice: String,
    /// True if several calls are allowed, where the style has a way to write them. The default is `true`.
    pub parallel_tool_calls: bool,
    /// Whether the output begins with reasoning. The default is "none".
    pub reasoning: Reasoning,
}

impl ToolOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// JSON as in OpenAI's API: "none", "auto", "required", an object that names one function, or an `allowed_tools`
    /// object. The default is "\"auto\"".
    #[must_use]
    pub fn tool_choice(mut self, tool_choice: impl Into<String>) -> Self {
        self.tool_choice = tool_choice.into();
        self
    }
    /// True if several calls are allowed, where the style has a way to write them. The default is `true`.
    #[must_use]
    pub fn parallel_tool_calls(mut self, parallel_tool_calls: bool) -> Self {
        self.parallel_tool_calls = parallel_tool_calls;
        self
    }
    /// Whether the output begins with reasoning. The default is "none".
    #[must_use]
    pub fn reasoning(mut self, reasoning: Reasoning) -> Self {
        self.reasoning = reasoning;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_tool_options) -> Self {
        Self {
            // SAFETY: the caller's promise.
            tool_choice: unsafe { raw::string(raw.tool_choice) },
            parallel_tool_calls: raw.parallel_tool_calls,
            reasoning: Reasoning::from_raw(raw.reasoning),
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_tool_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_tool_options_init) };
        raw.tool_choice = raw::text(&self.tool_choice);
        raw.parallel_tool_calls = self.parallel_tool_calls;
        raw.reasoning = self.reasoning as i32;
        raw
    }
}

impl Default for ToolOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_tool_options_init)) }
    }
}

impl Options for ToolOptions {
    type Raw = weir_tool_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        f(&self.plain_raw())
    }
}

/// The contents of a compiler's cache of grammars, and counts of its use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheStats {
    /// Calls that found their grammar.
    pub hits: u64,
    /// Calls that compiled.
    pub misses: u64,
    /// Grammars dropped to stay within Limits::cache_memory.
    pub evictions: u64,
    /// Grammars held now.
    pub entries: u64,
    /// Bytes of their texts and of everything explored for them.
    pub memory_bytes: u64,
}

impl CacheStats {
    /// Calls a function that fills in the C struct.
    pub(crate) fn read(call: impl FnOnce(*mut weir_cache_stats) -> weir_status) -> Self {
        // SAFETY: all fields are numbers.
        let raw = unsafe { raw::filled(call) };
        Self {
            hits: raw.hits,
            misses: raw.misses,
            evictions: raw.evictions,
            entries: raw.entries,
            memory_bytes: raw.memory_bytes,
        }
    }
}

/// Counts of what exploring has cost so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineStats {
    /// Configurations interned.
    pub states: u64,
    /// Byte transitions computed (not looked up).
    pub transitions: u64,
    /// Earley rows interned.
    pub rows: u64,
    /// Items in them.
    pub row_items: u64,
    /// Continuations interned.
    pub continuations: u64,
    /// Lexer states interned.
    pub lexer_states: u64,
    /// Hash-consed expressions.
    pub regex_nodes: u64,
    /// Masks computed.
    pub masks: u64,
    /// Trie nodes visited for them.
    pub trie_nodes: u64,
    /// Residuals whose tokens were found; those that the tokenizer knows do not count.
    pub facts: u64,
    /// Times that state_memory was reached and everything explored was dropped.
    pub cache_flushes: u64,
    /// Bytes that everything explored takes now.
    pub memory_bytes: u64,
}

impl EngineStats {
    /// Calls a function that fills in the C struct.
    pub(crate) fn read(call: impl FnOnce(*mut weir_engine_stats) -> weir_status) -> Self {
        // SAFETY: all fields are numbers.
        let raw = unsafe { raw::filled(call) };
        Self {
            states: raw.states,
            transitions: raw.transitions,
            rows: raw.rows,
            row_items: raw.row_items,
            continuations: raw.continuations,
            lexer_states: raw.lexer_states,
            regex_nodes: raw.regex_nodes,
            masks: raw.masks,
            trie_nodes: raw.trie_nodes,
            facts: raw.facts,
            cache_flushes: raw.cache_flushes,
            memory_bytes: raw.memory_bytes,
        }
    }
}

/// How much CompiledGrammar::warm_up explores.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct WarmUpOptions {
    /// Steps of work, as Limits::call_work counts them: 0.03 to 0.1 µs each. The default is `60,000`.
    pub work: u64,
}

impl WarmUpOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Steps of work, as Limits::call_work counts them: 0.03 to 0.1 µs each. The default is `60,000`.
    #[must_use]
    pub fn work(mut self, work: u64) -> Self {
        self.work = work;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_warm_up_options) -> Self {
        Self {
            work: raw.work,
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_warm_up_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_warm_up_options_init) };
        raw.work = self.work;
        raw
    }
}

impl Default for WarmUpOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_warm_up_options_init)) }
    }
}

impl Options for WarmUpOptions {
    type Raw = weir_warm_up_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        f(&self.plain_raw())
    }
}

/// What CompiledGrammar::warm_up has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WarmUpReport {
    /// Steps that this call took.
    pub work: u64,
    /// Masks that were computed.
    pub masks: u64,
    /// True if nothing was left to explore that warm-up would look for.
    pub is_complete: bool,
}

impl WarmUpReport {
    /// Calls a function that fills in the C struct.
    pub(crate) fn read(call: impl FnOnce(*mut weir_warm_up_report) -> weir_status) -> Self {
        // SAFETY: all fields are numbers.
        let raw = unsafe { raw::filled(call) };
        Self {
            work: raw.work,
            masks: raw.masks,
            is_complete: raw.is_complete,
        }
    }
}

/// How a matcher begins.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct MatcherOptions {
    /// True if the output is at the beginning of a text, so that the tokenizer's leading-space rule (if it has one)
    /// applies to the first token. The default is `true`.
    pub at_text_start: bool,
    /// Which token sequences the output may consist of. The default is "any".
    pub tokenization: Tokenization,
    /// With "canonical": the tokens before the output, at least since the beginning of the text or the last special
    /// token.
    pub context: Vec<u32>,
    /// Tokens that end this output, in place of TokenizerInfo::stop_token_ids; without a value, those.
    pub stop_token_ids: Vec<u32>,
    /// The most tokens that the output may have, a stop token at its end not counted. 0: any number.
    pub max_tokens: u32,
}

impl MatcherOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// True if the output is at the beginning of a text, so that the tokenizer's leading-space rule (if it has one)
    /// applies to the first token. The default is `true`.
    #[must_use]
    pub fn at_text_start(mut self, at_text_start: bool) -> Self {
        self.at_text_start = at_text_start;
        self
    }
    /// Which token sequences the output may consist of. The default is "any".
    #[must_use]
    pub fn tokenization(mut self, tokenization: Tokenization) -> Self {
        self.tokenization = tokenization;
        self
    }
    /// With "canonical": the tokens before the output, at least since the beginning of the text or the last special
    /// token.
    #[must_use]
    pub fn context(mut self, context: Vec<u32>) -> Self {
        self.context = context;
        self
    }
    /// Tokens that end this output, in place of TokenizerInfo::stop_token_ids; without a value, those.
    #[must_use]
    pub fn stop_token_ids(mut self, stop_token_ids: Vec<u32>) -> Self {
        self.stop_token_ids = stop_token_ids;
        self
    }
    /// The most tokens that the output may have, a stop token at its end not counted. 0: any number.
    #[must_use]
    pub fn max_tokens(mut self, max_tokens: u32) -> Self {
        self.max_tokens = max_tokens;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_matcher_options) -> Self {
        Self {
            at_text_start: raw.at_text_start,
            tokenization: Tokenization::from_raw(raw.tokenization),
            context: Default::default(),
            stop_token_ids: Default::default(),
            max_tokens: raw.max_tokens,
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_matcher_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_matcher_options_init) };
        raw.at_text_start = self.at_text_start;
        raw.tokenization = self.tokenization as i32;
        raw.max_tokens = self.max_tokens;
        raw
    }
}

impl Default for MatcherOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_matcher_options_init)) }
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

/// Counts about the state that a matcher is in, for inspection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StateStats {
    /// GrammarMatcher::state_id.
    pub state: u32,
    /// Readings of the text that are followed at once.
    pub threads: u32,
    /// Terminals begun or expected, with their residuals, over all threads.
    pub terminals_in_progress: u32,
    /// Classes of bytes that the grammar distinguishes.
    pub byte_classes: u32,
    /// Byte classes whose transition from this state has been explored.
    pub known_transitions: u32,
    /// True if the next mask is only a copy.
    pub mask_known: bool,
}

impl StateStats {
    /// Calls a function that fills in the C struct.
    pub(crate) fn read(call: impl FnOnce(*mut weir_state_stats) -> weir_status) -> Self {
        // SAFETY: all fields are numbers.
        let raw = unsafe { raw::filled(call) };
        Self {
            state: raw.state,
            threads: raw.threads,
            terminals_in_progress: raw.terminals_in_progress,
            byte_classes: raw.byte_classes,
            known_transitions: raw.known_transitions,
            mask_known: raw.mask_known,
        }
    }
}

/// Options of a BatchMatcher.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct BatchOptions {
    /// The number of threads that work on a call, the caller's thread included. 0 means one thread per processor. The
    /// default is `1`.
    pub threads: u32,
    /// After accept_tokens, an additional thread computes the masks of the rows' new states in advance.
    pub prefetch: bool,
}

impl BatchOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// The number of threads that work on a call, the caller's thread included. 0 means one thread per processor. The
    /// default is `1`.
    #[must_use]
    pub fn threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }
    /// After accept_tokens, an additional thread computes the masks of the rows' new states in advance.
    #[must_use]
    pub fn prefetch(mut self, prefetch: bool) -> Self {
        self.prefetch = prefetch;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_batch_options) -> Self {
        Self {
            threads: raw.threads,
            prefetch: raw.prefetch,
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_batch_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_batch_options_init) };
        raw.threads = self.threads;
        raw.prefetch = self.prefetch;
        raw
    }
}

impl Default for BatchOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_batch_options_init)) }
    }
}

impl Options for BatchOptions {
    type Raw = weir_batch_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        f(&self.plain_raw())
    }
}

/// Options of a KbnfEngine.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct KbnfOptions {
    /// The start rule. The default is "start".
    pub start: String,
    /// True if rules that derive no finite string are kept, as kbnf does. The default is `true`.
    pub keep_endless: bool,
}

impl KbnfOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// The start rule. The default is "start".
    #[must_use]
    pub fn start(mut self, start: impl Into<String>) -> Self {
        self.start = start.into();
        self
    }
    /// True if rules that derive no finite string are kept, as kbnf does. The default is `true`.
    #[must_use]
    pub fn keep_endless(mut self, keep_endless: bool) -> Self {
        self.keep_endless = keep_endless;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_kbnf_options) -> Self {
        Self {
            // SAFETY: the caller's promise.
            start: unsafe { raw::string(raw.start) },
            keep_endless: raw.keep_endless,
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_kbnf_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_kbnf_options_init) };
        raw.start = raw::text(&self.start);
        raw.keep_endless = self.keep_endless;
        raw
    }
}

impl Default for KbnfOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_kbnf_options_init)) }
    }
}

impl Options for KbnfOptions {
    type Raw = weir_kbnf_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        f(&self.plain_raw())
    }
}
