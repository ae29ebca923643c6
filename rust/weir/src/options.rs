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

// The structs and enumerations, written by tools/generate from the headers in include/weir.
#[rustfmt::skip]
mod declared;
pub use declared::*;

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
