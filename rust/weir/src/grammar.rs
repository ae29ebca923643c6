use weir_sys::*;

use crate::diagnostics::Diagnostics;
use crate::error::Error;
use crate::options::{
    with, EbnfOptions, GrammarSyntax, JsonSchemaOptions, Limits, Options, RegexOptions, StructuralTagOptions,
    SubstringUnit, TextOptions, ToolOptions,
};
use crate::raw::{self, cloned_by, debug_as_name, handle, shared_by_threads, OwnedText};

handle! {
    /// A grammar: a language of byte strings, not yet joined to a tokenizer.
    ///
    /// ```
    /// let grammar = weir::Grammar::from_ebnf("root ::= [0-9]+", None, None)?;
    /// let compiled = weir::GrammarCompiler::new(&weir::TokenizerInfo::builtin()?, None)?.compile(&grammar)?;
    /// # Ok::<(), weir::Error>(())
    /// ```
    Grammar, weir_grammar, weir_grammar_free
}
shared_by_threads!(Grammar);
cloned_by!(Grammar, weir_grammar_clone);
debug_as_name!(Grammar);

/// The form of the functions that read a text.
type FromText<Raw> = unsafe extern "C" fn(
    weir_text,
    *const Raw,
    *const weir_limits,
    *mut *mut weir_grammar,
    *mut *mut weir_error,
) -> weir_status;

fn from_text<O: Options>(
    function: FromText<O::Raw>,
    text: &str,
    options: Option<&O>,
    limits: Option<&Limits>,
) -> Result<Grammar, Error> {
    with(options, |options| {
        // SAFETY: the arguments are valid during the call, here and below.
        made_under(limits, |limits, out, error| unsafe {
            function(raw::text(text), options, limits, out, error)
        })
    })
}

/// Returns the grammar that `make` stores.
fn made_under(
    limits: Option<&Limits>,
    make: impl FnOnce(*const weir_limits, *mut *mut weir_grammar, *mut *mut weir_error) -> weir_status,
) -> Result<Grammar, Error> {
    with(limits, |limits| raw::build(|out, error| make(limits, out, error))).map(Grammar::from_raw)
}

impl Grammar {
    /// Reads a grammar in weir's EBNF.
    pub fn from_ebnf<'a>(
        text: &str,
        options: impl Into<Option<&'a EbnfOptions>>,
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        from_text(weir_grammar_from_ebnf, text, options.into(), limits.into())
    }
    /// Reads a grammar in the language that the options name.
    pub fn from_text<'a>(
        text: &str,
        options: impl Into<Option<&'a TextOptions>>,
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        from_text(weir_grammar_from_text, text, options.into(), limits.into())
    }
    /// Reads a regular expression.
    pub fn from_regex<'a>(
        pattern: &str,
        options: impl Into<Option<&'a RegexOptions>>,
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        from_text(weir_grammar_from_regex, pattern, options.into(), limits.into())
    }
    /// Reads a JSON Schema; the language is that of the JSON texts of its valid values.
    pub fn from_json_schema<'a>(
        schema: &str,
        options: impl Into<Option<&'a JsonSchemaOptions>>,
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        from_text(weir_grammar_from_json_schema, schema, options.into(), limits.into())
    }
    /// Reads a structural tag.
    pub fn from_structural_tag<'a>(
        tag: &str,
        options: impl Into<Option<&'a StructuralTagOptions>>,
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        from_text(weir_grammar_from_structural_tag, tag, options.into(), limits.into())
    }
    /// Reads a `response_format` of OpenAI's API.
    pub fn from_response_format<'a>(
        format: &str,
        options: impl Into<Option<&'a StructuralTagOptions>>,
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        from_text(weir_grammar_from_response_format, format, options.into(), limits.into())
    }
    /// Returns the language of the JSON texts of all values.
    pub fn json<'a>(
        options: impl Into<Option<&'a JsonSchemaOptions>>,
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        with(options.into(), |options| {
            made_under(limits.into(), |limits, out, error| unsafe {
                weir_grammar_json(options, limits, out, error)
            })
        })
    }
    /// Returns the language of the JSON texts of all objects.
    pub fn json_object<'a>(
        options: impl Into<Option<&'a JsonSchemaOptions>>,
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        with(options.into(), |options| {
            made_under(limits.into(), |limits, out, error| unsafe {
                weir_grammar_json_object(options, limits, out, error)
            })
        })
    }
    /// Returns the language of some strings, byte for byte.
    pub fn from_choice<'a, T: AsRef<[u8]>>(
        strings: &[T],
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        let strings = raw::texts(strings);
        made_under(limits.into(), |limits, out, error| unsafe {
            weir_grammar_from_choice(raw::array(&strings), strings.len(), limits, out, error)
        })
    }
    /// Returns the language of the stretches of `text` that consist of whole units.
    pub fn from_substring<'a>(
        text: &str,
        unit: SubstringUnit,
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        made_under(limits.into(), |limits, out, error| unsafe {
            weir_grammar_from_substring(raw::text(text), unit as i32, limits, out, error)
        })
    }
    /// Returns the language of the runs of neighbouring chunks, and the empty string.
    pub fn from_substring_chunks<'a, T: AsRef<[u8]>>(
        chunks: &[T],
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        let chunks = raw::texts(chunks);
        made_under(limits.into(), |limits, out, error| unsafe {
            weir_grammar_from_substring_chunks(raw::array(&chunks), chunks.len(), limits, out, error)
        })
    }

    /// Returns the language of a text of each part, one after another.
    pub fn concat<'a>(parts: &[&Self], limits: impl Into<Option<&'a Limits>>) -> Result<Self, Error> {
        let parts: Vec<_> = parts.iter().map(|part| part.as_ptr().cast_const()).collect();
        made_under(limits.into(), |limits, out, error| unsafe {
            weir_grammar_concat(raw::array(&parts), parts.len(), limits, out, error)
        })
    }
    /// Returns the language of a text of one of the parts.
    pub fn any_of<'a>(parts: &[&Self], limits: impl Into<Option<&'a Limits>>) -> Result<Self, Error> {
        let parts: Vec<_> = parts.iter().map(|part| part.as_ptr().cast_const()).collect();
        made_under(limits.into(), |limits, out, error| unsafe {
            weir_grammar_any_of(raw::array(&parts), parts.len(), limits, out, error)
        })
    }

    /// The warnings about the grammar's text.
    #[must_use]
    pub fn warnings(&self) -> Diagnostics {
        Diagnostics::from_raw(raw::obtain(|out| unsafe {
            weir_grammar_diagnostics(self.as_ptr(), out)
        }))
    }

    /// Returns the grammar's text in another language.
    pub fn convert(&self, to: GrammarSyntax) -> Result<String, Error> {
        let mut out = OwnedText::new();
        raw::check(|error| unsafe { weir_convert_grammar(self.as_ptr(), to as i32, &mut out.0, error) })?;
        Ok(out.to_text())
    }
    /// Returns the grammar as one regular expression.
    pub fn to_regex(&self) -> Result<String, Error> {
        let mut out = OwnedText::new();
        raw::check(|error| unsafe { weir_convert_to_regex(self.as_ptr(), &mut out.0, error) })?;
        Ok(out.to_text())
    }
}

/// Returns the text of a JSON Schema in strict mode: no other members and items than those that it lists.
/// `docs/json_schema.md` says when a schema is closed. Errors: not JSON, limits.
///
/// ```
/// let strict = weir::strict_json_schema(r#"{"properties": {"a": {}}}"#, None)?;
/// assert_eq!(strict, r#"{"properties":{"a":{}},"additionalProperties":false}"#);
/// # Ok::<(), weir::Error>(())
/// ```
pub fn strict_json_schema<'a>(schema: &str, limits: impl Into<Option<&'a Limits>>) -> Result<String, Error> {
    let mut out = OwnedText::new();
    with(limits.into(), |limits| {
        raw::check(|error| unsafe { weir_strict_json_schema(raw::text(schema), limits, &mut out.0, error) })
    })?;
    Ok(out.to_text())
}

/// Returns a structural tag, as JSON, for the tools of a chat request, in the form in which a model was trained to write
/// calls. `style` is one of [`tool_styles`], or the JSON text of a response template; `tools` is JSON.
///
/// ```
/// let tools = r#"[{"name": "time", "parameters": {"properties": {"zone": {"type": "string"}}}}]"#;
/// let tag = weir::structural_tag_for_tools("hermes", tools, None, None)?;
/// weir::Grammar::from_structural_tag(&tag, None, None)?;
/// # Ok::<(), weir::Error>(())
/// ```
pub fn structural_tag_for_tools<'a>(
    style: &str,
    tools: &str,
    options: impl Into<Option<&'a ToolOptions>>,
    limits: impl Into<Option<&'a Limits>>,
) -> Result<String, Error> {
    let mut out = OwnedText::new();
    with(options.into(), |options| {
        with(limits.into(), |limits| {
            raw::check(|error| unsafe {
                weir_structural_tag_for_tools(raw::text(style), raw::text(tools), options, limits, &mut out.0, error)
            })
        })
    })?;
    Ok(out.to_text())
}

/// Returns the names of the languages that [`TextOptions`] may name: `docs/languages.md`.
#[must_use]
pub fn language_names() -> Vec<String> {
    let count = unsafe { weir_language_count() };
    (0..count)
        .map(|index| {
            let mut out = raw::EMPTY;
            // SAFETY: the name is a constant.
            unsafe {
                raw::require(weir_language_name(index, &mut out));
                raw::string(out)
            }
        })
        .collect()
}

/// Returns the names of the styles of tool calls: `docs/tools.md`.
#[must_use]
pub fn tool_styles() -> Vec<String> {
    let count = unsafe { weir_tool_style_count() };
    (0..count)
        .map(|index| {
            let mut out = raw::EMPTY;
            // SAFETY: the name is a constant.
            unsafe {
                raw::require(weir_tool_style(index, &mut out));
                raw::string(out)
            }
        })
        .collect()
}
