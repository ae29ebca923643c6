// Written by tools/generate from the structs in include/weir. Do not edit.
use crate::options::*;

/// Options of a BatchMatcher.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct BatchOptions {
    /// The number of threads that work on a call, the caller's thread included. 0 means one thread per processor. The
    /// default is `1`.
    pub threads: u32,
    /// After accept_tokens, `threads` additional threads compute the masks of the rows' new states in advance, and
    /// write those of next_token_bitmasks.
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
    /// After accept_tokens, `threads` additional threads compute the masks of the rows' new states in advance, and
    /// write those of next_token_bitmasks.
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
