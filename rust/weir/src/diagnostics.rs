use std::ffi::CStr;
use std::mem::{size_of, MaybeUninit};
use std::ops::Range;

use weir_sys::*;

use crate::error::Error;
use crate::options::{with, JsonSchemaOptions, Limits, Options, RegexOptions, StructuralTagOptions, TextOptions};
use crate::raw::{self, handle, shared_by_threads, OwnedText};

/// Whether a finding is an error or a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The text is refused.
    Error,
    /// The text is allowed, but probably not meant.
    Warning,
}

impl Severity {
    /// Returns `"error"` or `"warning"`.
    #[must_use]
    pub fn name(self) -> &'static str {
        let severity = match self {
            Self::Error => WEIR_SEVERITY_ERROR,
            Self::Warning => WEIR_SEVERITY_WARNING,
        };
        // SAFETY: the function returns a constant.
        unsafe { CStr::from_ptr(weir_severity_name(severity)) }
            .to_str()
            .unwrap_or("unknown")
    }
}

/// One finding about a text. Ranges are of bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The name of an error's code, or `"unused-rule"` and the like for a warning.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// A likely fix, in words.
    pub hint: Option<String>,
    /// The field of [`Limits`] that was exceeded.
    pub limit: Option<String>,
    /// The options that the error is about, or that the message and the hint name: `exact_splits`.
    pub options: Vec<String>,
    /// With a JSON Schema, the JSON Pointer of the value that the range lies in.
    pub pointer: String,
    /// The text that the ranges are of, if that is not the one that was read: the tools that a structural tag was made of.
    pub text: Option<String>,
    /// Where in the text.
    pub range: Range<usize>,
    /// Other places that belong to the finding.
    pub notes: Vec<Note>,
    /// What corrects the text.
    pub fix: Option<Fix>,
}

/// Another place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// One sentence.
    pub message: String,
    /// In a JSON Schema: `"#/a/minLength"`.
    pub location: String,
    /// Empty if the place is in another document.
    pub range: Range<usize>,
}

/// A change of the text that corrects it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The bytes to replace.
    pub range: Range<usize>,
    /// What replaces them.
    pub replacement: String,
}

handle! {
    /// A list of findings about a text: errors and warnings.
    ///
    /// ```
    /// let text = "root ::= \"a\"\nb ::= \"b\"";
    /// let findings = weir::check_grammar(text, None, None)?;
    /// for finding in &findings {
    ///     println!("{}: {}", finding.code, finding.message);
    /// }
    /// assert_eq!(findings.len(), 1);
    /// assert!(findings.render(0, text, "my.ebnf", false).unwrap().contains("never used"));
    /// # Ok::<(), weir::Error>(())
    /// ```
    Diagnostics, weir_diagnostics, weir_diagnostics_free
}
shared_by_threads!(Diagnostics);

impl Diagnostics {
    /// The number of findings.
    #[must_use]
    pub fn len(&self) -> usize {
        // SAFETY: the handle is valid, here and below.
        unsafe { weir_diagnostics_count(self.as_ptr()) }
    }
    /// True if nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns finding `index`, or `None` if there are not so many.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Diagnostic> {
        if index >= self.len() {
            return None;
        }
        let mut found = MaybeUninit::<weir_diagnostic>::zeroed();
        // SAFETY: all fields may be zero; the texts are copied while the handle is valid.
        unsafe {
            (*found.as_mut_ptr()).struct_size = size_of::<weir_diagnostic>();
            raw::require(weir_diagnostics_at(self.as_ptr(), index, found.as_mut_ptr()));
            let found = found.assume_init();
            Some(Diagnostic {
                severity: if found.severity == WEIR_SEVERITY_ERROR {
                    Severity::Error
                } else {
                    Severity::Warning
                },
                code: raw::string(found.code),
                message: raw::string(found.message),
                hint: raw::optional_string(found.hint),
                limit: raw::optional_string(found.limit),
                options: raw::words(found.options),
                pointer: raw::string(found.pointer),
                text: raw::optional_string(found.text),
                range: found.start..found.end,
                notes: (0..found.note_count).map(|note| self.note(index, note)).collect(),
                fix: found.has_fix.then(|| Fix {
                    range: found.fix_start..found.fix_end,
                    replacement: raw::string(found.replacement),
                }),
            })
        }
    }

    fn note(&self, index: usize, note: usize) -> Note {
        let mut found = MaybeUninit::<weir_note>::zeroed();
        // SAFETY: as in `get`.
        unsafe {
            raw::require(weir_diagnostics_note(self.as_ptr(), index, note, found.as_mut_ptr()));
            let found = found.assume_init();
            Note {
                message: raw::string(found.message),
                location: raw::string(found.location),
                range: found.start..found.end,
            }
        }
    }

    /// Returns all findings, in the order of the text.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Diagnostic> + '_ {
        (0..self.len()).map(|index| self.get(index).expect("an index in range"))
    }

    /// Returns finding `index` as a compiler prints it, with the line, a caret, and the replacement of its fix; with
    /// `colors` for a terminal. `None` if there are not so many findings.
    #[must_use]
    pub fn render(&self, index: usize, text: impl AsRef<[u8]>, name: &str, colors: bool) -> Option<String> {
        if index >= self.len() {
            return None;
        }
        let mut out = OwnedText::new();
        // SAFETY: the struct's fields may be zero; the handle is valid.
        unsafe {
            let mut options = raw::init(weir_render_options_init);
            options.colors = colors;
            let status = weir_diagnostics_render(
                self.as_ptr(),
                index,
                raw::text(text),
                raw::text(name),
                &options,
                &mut out.0,
            );
            raw::require(status);
        }
        Some(out.to_text())
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = Diagnostic;
    type IntoIter = Box<dyn ExactSizeIterator<Item = Diagnostic> + 'a>;
    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

impl std::fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The form of the functions that check a text.
type Check<Raw> = unsafe extern "C" fn(
    weir_text,
    *const Raw,
    *const weir_limits,
    *mut *mut weir_diagnostics,
    *mut *mut weir_error,
) -> weir_status;

fn check<O: Options>(
    function: Check<O::Raw>,
    text: &str,
    options: Option<&O>,
    limits: Option<&Limits>,
) -> Result<Diagnostics, Error> {
    with(options, |options| {
        with(limits, |limits| {
            // SAFETY: the arguments are valid during the call.
            raw::build(|out, error| unsafe { function(raw::text(text), options, limits, out, error) })
        })
    })
    .map(Diagnostics::from_raw)
}

/// Lists every error and every warning about a grammar in one run. `Err` is about the options.
pub fn check_grammar<'a>(
    text: &str,
    options: impl Into<Option<&'a TextOptions>>,
    limits: impl Into<Option<&'a Limits>>,
) -> Result<Diagnostics, Error> {
    check(weir_check_grammar, text, options.into(), limits.into())
}

/// Lists every error and every warning about a regular expression.
pub fn check_regex<'a>(
    pattern: &str,
    options: impl Into<Option<&'a RegexOptions>>,
    limits: impl Into<Option<&'a Limits>>,
) -> Result<Diagnostics, Error> {
    check(weir_check_regex, pattern, options.into(), limits.into())
}

/// Lists every error and every warning about a JSON Schema.
pub fn check_schema<'a>(
    schema: &str,
    options: impl Into<Option<&'a JsonSchemaOptions>>,
    limits: impl Into<Option<&'a Limits>>,
) -> Result<Diagnostics, Error> {
    check(weir_check_schema, schema, options.into(), limits.into())
}

/// Lists the keywords of a JSON Schema that refuse a text at its first refused byte, as findings about the schema. The
/// list is empty if the text, or a continuation of it, is in the schema's language.
///
/// ```
/// let findings = weir::explain_refusal("{\"minLength\": 3}", "\"ab\"", None, None).unwrap();
/// assert_eq!(findings.iter().next().unwrap().pointer, "/minLength");
/// ```
pub fn explain_refusal<'a>(
    schema: &str,
    text: impl AsRef<[u8]>,
    options: impl Into<Option<&'a JsonSchemaOptions>>,
    limits: impl Into<Option<&'a Limits>>,
) -> Result<Diagnostics, Error> {
    with(options.into(), |options| {
        with(limits.into(), |limits| {
            // SAFETY: the arguments are valid during the call.
            raw::build(|out, error| unsafe {
                weir_explain_refusal(raw::text(schema), raw::text(text.as_ref()), options, limits, out, error)
            })
        })
    })
    .map(Diagnostics::from_raw)
}

/// Lists every error and every warning about a structural tag.
pub fn check_structural_tag<'a>(
    tag: &str,
    options: impl Into<Option<&'a StructuralTagOptions>>,
    limits: impl Into<Option<&'a Limits>>,
) -> Result<Diagnostics, Error> {
    check(weir_check_structural_tag, tag, options.into(), limits.into())
}

/// Lists every error and every warning about a `response_format`.
pub fn check_response_format<'a>(
    format: &str,
    options: impl Into<Option<&'a StructuralTagOptions>>,
    limits: impl Into<Option<&'a Limits>>,
) -> Result<Diagnostics, Error> {
    check(weir_check_response_format, format, options.into(), limits.into())
}

/// Returns the line and the column of byte `offset` of `text`, both from 1 on; columns count code points. `None` if the
/// text is shorter.
#[must_use]
pub fn line_column(text: impl AsRef<[u8]>, offset: usize) -> Option<(usize, usize)> {
    let (mut line, mut column) = (0, 0);
    // SAFETY: the arguments are valid during the call.
    let status = unsafe { weir_line_column(raw::text(text), offset, &mut line, &mut column) };
    (status == WEIR_OK).then_some((line, column))
}
