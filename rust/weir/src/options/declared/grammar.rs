// Written by tools/generate from the structs in include/weir. Do not edit.
use crate::options::*;

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
    /// Lark: a JSON object, which is read in place of the one after `%indent`.
    pub indenter: String,
    /// A language by its name, such as `sqlite`, in place of a grammar: docs/languages.md.
    pub language: String,
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
    /// Lark: a JSON object, which is read in place of the one after `%indent`.
    #[must_use]
    pub fn indenter(mut self, indenter: impl Into<String>) -> Self {
        self.indenter = indenter.into();
        self
    }
    /// A language by its name, such as `sqlite`, in place of a grammar: docs/languages.md.
    #[must_use]
    pub fn language(mut self, language: impl Into<String>) -> Self {
        self.language = language.into();
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
            // SAFETY: the caller's promise.
            indenter: unsafe { raw::string(raw.indenter) },
            // SAFETY: the caller's promise.
            language: unsafe { raw::string(raw.language) },
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
        raw.indenter = raw::text(&self.indenter);
        raw.language = raw::text(&self.language);
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
