use std::ffi::CStr;
use std::fmt;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;

use weir_sys::*;

use crate::diagnostics::Diagnostics;
use crate::raw::{self, debug_as_name, handle, shared_by_threads, OwnedText};

/// Returns the status's name in weir_c.h.
pub(crate) fn status_name(status: weir_status) -> &'static str {
    // SAFETY: the function returns a constant.
    unsafe { CStr::from_ptr(weir_status_name(status)) }
        .to_str()
        .unwrap_or("unknown")
}

/// What kind of error a text, an option or a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// An argument, an option or a file that cannot be used as asked.
    InvalidArgument,
    /// Text that does not follow the syntax of its language.
    Syntax,
    /// Well-formed, but outside what weir can express.
    Unsupported,
    /// Well-formed, but no string satisfies it.
    Unsatisfiable,
    /// A field of [`Limits`](crate::Limits) was exceeded: [`Error::limit`].
    LimitExceeded,
    /// Memory is exhausted.
    OutOfMemory,
    /// A defect in weir.
    Internal,
}

impl ErrorCode {
    fn from_raw(status: weir_status) -> Self {
        match status {
            WEIR_INVALID_ARGUMENT => Self::InvalidArgument,
            WEIR_SYNTAX => Self::Syntax,
            WEIR_UNSUPPORTED => Self::Unsupported,
            WEIR_UNSATISFIABLE => Self::Unsatisfiable,
            WEIR_LIMIT_EXCEEDED => Self::LimitExceeded,
            WEIR_OUT_OF_MEMORY => Self::OutOfMemory,
            _ => Self::Internal,
        }
    }

    /// Returns the name that all of weir's interfaces use: `"syntax"`, `"unsupported"`, ...
    #[must_use]
    pub fn name(self) -> &'static str {
        status_name(match self {
            Self::InvalidArgument => WEIR_INVALID_ARGUMENT,
            Self::Syntax => WEIR_SYNTAX,
            Self::Unsupported => WEIR_UNSUPPORTED,
            Self::Unsatisfiable => WEIR_UNSATISFIABLE,
            Self::LimitExceeded => WEIR_LIMIT_EXCEEDED,
            Self::OutOfMemory => WEIR_OUT_OF_MEMORY,
            Self::Internal => WEIR_INTERNAL,
        })
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

handle! {
    ErrorHandle, weir_error, weir_error_free
}
shared_by_threads!(ErrorHandle);
debug_as_name!(ErrorHandle);

#[derive(Clone, Debug)]
struct Inner {
    code: ErrorCode,
    message: String,
    hint: Option<String>,
    limit: Option<String>,
    options: Vec<String>,
    pointer: String,
    range: Range<usize>,
    text: Option<String>,
    handle: Option<Arc<ErrorHandle>>,
}

/// Why something could not be built.
///
/// ```
/// let error = weir::Grammar::from_ebnf("root ::= item\nitems ::= \"x\"", None, None).unwrap_err();
/// assert_eq!(error.code(), weir::ErrorCode::InvalidArgument); // the rule is not defined
/// assert_eq!(error.range(), 9..13);
/// println!("{}", error.render("root ::= item\nitems ::= \"x\"", "my.ebnf")); // the line, with a caret
/// ```
#[derive(Clone, Debug)]
pub struct Error(Box<Inner>);

impl Error {
    /// # Safety
    /// `raw` is null or an error that nothing else frees.
    pub(crate) unsafe fn from_raw(status: weir_status, raw: *mut weir_error) -> Self {
        let handle = NonNull::new(raw).map(ErrorHandle::from_raw);
        let code = ErrorCode::from_raw(status);
        Self(Box::new(match handle {
            None => Inner {
                code,
                message: status_name(status).to_owned(),
                hint: None,
                limit: None,
                options: Vec::new(),
                pointer: String::new(),
                range: 0..0,
                text: None,
                handle: None,
            },
            Some(handle) => {
                let error = handle.as_ptr();
                // SAFETY: the handle is valid, and the texts live as long.
                unsafe {
                    Inner {
                        code: ErrorCode::from_raw(weir_error_status(error)),
                        message: raw::string(weir_error_message(error)),
                        hint: raw::optional_string(weir_error_hint(error)),
                        limit: raw::optional_string(weir_error_limit(error)),
                        options: raw::words(weir_error_options(error)),
                        pointer: raw::string(weir_error_pointer(error)),
                        range: weir_error_start(error)..weir_error_end(error),
                        text: raw::optional_string(weir_error_text(error)),
                        handle: Some(Arc::new(handle)),
                    }
                }
            }
        }))
    }

    /// An error of this crate's own.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            code: ErrorCode::InvalidArgument,
            message: message.into(),
            hint: None,
            limit: None,
            options: Vec::new(),
            pointer: String::new(),
            range: 0..0,
            text: None,
            handle: None,
        }))
    }

    /// The kind of error.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }
    /// One sentence: ``unknown rule `exprs` ``.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }
    /// A likely fix: ``did you mean `expr`?``.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
    /// The field of [`Limits`](crate::Limits) that was exceeded.
    #[must_use]
    pub fn limit(&self) -> Option<&str> {
        self.0.limit.as_deref()
    }
    /// The options that the error is about, or that the message and the hint name: `exact_splits`.
    #[must_use]
    pub fn options(&self) -> &[String] {
        &self.0.options
    }
    /// With a JSON Schema, the JSON Pointer (RFC 6901) of the value that the range lies in; `""` is the whole schema.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.0.pointer
    }
    /// The range of bytes of the text that was being read, or of [`text`](Self::text). For a list of tokens, the range's
    /// start is an index into it.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.0.range.clone()
    }

    /// The text that the range is a part of, if that is not the text that was being read: the tools that a structural tag
    /// was made of.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.0.text.as_deref()
    }

    /// Returns the error as a compiler prints it, with the line and a caret. `text` is the text that was being read,
    /// `name` its name; if the error has a [`text`](Self::text), that one is shown.
    #[must_use]
    pub fn render(&self, text: impl AsRef<[u8]>, name: &str) -> String {
        let Some(handle) = &self.0.handle else {
            return self.to_string();
        };
        let mut out = OwnedText::new();
        // SAFETY: the handle is valid.
        raw::require(unsafe { weir_error_render(handle.as_ptr(), raw::text(text), raw::text(name), &mut out.0) });
        out.to_text()
    }

    /// Returns the error as a list with one finding, which has notes and a fix.
    #[must_use]
    pub fn diagnostics(&self) -> Option<Diagnostics> {
        let handle = self.0.handle.as_ref()?;
        // SAFETY: the handle is valid.
        Some(Diagnostics::from_raw(raw::obtain(|out| unsafe {
            weir_error_diagnostics(handle.as_ptr(), out)
        })))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())?;
        match self.hint() {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// Why a step of a matcher was not taken. The matcher is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StepError {
    /// The token or the bytes do not continue a string of the language.
    Refused,
    /// A stop token was accepted before; only rollback and reset are possible.
    Terminated,
    /// A limit was met: [`GrammarMatcher::limit_message`](crate::GrammarMatcher::limit_message) names it.
    LimitExceeded,
    /// A token id out of range, a buffer of the wrong length, more steps than there are.
    InvalidArgument,
    /// Memory is exhausted.
    OutOfMemory,
    /// A defect in weir.
    Internal,
}

impl StepError {
    pub(crate) fn check(status: weir_status) -> Result<(), Self> {
        Err(match status {
            WEIR_OK => return Ok(()),
            WEIR_REFUSED => Self::Refused,
            WEIR_TERMINATED => Self::Terminated,
            WEIR_LIMIT_EXCEEDED => Self::LimitExceeded,
            WEIR_INVALID_ARGUMENT => Self::InvalidArgument,
            WEIR_OUT_OF_MEMORY => Self::OutOfMemory,
            _ => Self::Internal,
        })
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Refused => "the grammar does not allow this here",
            Self::Terminated => "the output has ended",
            Self::LimitExceeded => "a limit was met",
            Self::InvalidArgument => "invalid argument",
            Self::OutOfMemory => "out of memory",
            Self::Internal => "internal error",
        })
    }
}

impl std::error::Error for StepError {}
