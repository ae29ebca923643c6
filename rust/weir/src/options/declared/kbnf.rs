// Written by tools/generate from the structs in include/weir. Do not edit.
use crate::options::*;

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
