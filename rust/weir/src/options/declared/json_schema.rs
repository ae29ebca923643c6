// Written by tools/generate from the structs in include/weir. Do not edit.
use crate::options::*;

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

/// How a schema is read, and which texts of a value are in the language.
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
    /// The language in which values are written. The default is "json".
    pub notation: Notation,
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
    /// The characters of strings: `ascii`, or a regular expression that matches one of them, such as `[ -~\n]`; empty:
    /// any.
    pub characters: String,
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
    /// The language in which values are written. The default is "json".
    #[must_use]
    pub fn notation(mut self, notation: Notation) -> Self {
        self.notation = notation;
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
    /// The characters of strings: `ascii`, or a regular expression that matches one of them, such as `[ -~\n]`; empty:
    /// any.
    #[must_use]
    pub fn characters(mut self, characters: impl Into<String>) -> Self {
        self.characters = characters.into();
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
            notation: Notation::from_raw(raw.notation),
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
            // SAFETY: the caller's promise.
            characters: unsafe { raw::string(raw.characters) },
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
        raw.notation = self.notation as i32;
        raw.whitespace = self.whitespace as i32;
        raw.whitespace_limit = self.whitespace_limit;
        raw.indent = self.indent;
        raw.whitespace_pattern = raw::text(&self.whitespace_pattern);
        raw.leading_whitespace = self.leading_whitespace;
        raw.trailing_whitespace = self.trailing_whitespace;
        raw.order = self.order as i32;
        raw.escapes = self.escapes as i32;
        raw.lone_surrogates = self.lone_surrogates;
        raw.characters = raw::text(&self.characters);
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
