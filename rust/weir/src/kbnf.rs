use std::ffi::CStr;
use std::fmt;
use std::ptr;

use weir_sys::*;

use crate::compiler::CompiledGrammar;
use crate::error::Error;
use crate::matcher::GrammarMatcher;
use crate::options::{with, KbnfOptions, Limits};
use crate::raw::{self, debug_as_name, handle, OwnedIds};
use crate::tokenizer::TokenizerInfo;

handle! {
    /// A matcher with the calls of Formatron's kbnf, for programs that were written for it. The output ends as soon as
    /// it is complete; the allowed tokens are those of the last computation.
    ///
    /// ```
    /// use weir::{KbnfEngine, KbnfResult, TokenizerInfo};
    /// let mut engine = KbnfEngine::new("start ::= \"yes\" | \"no\";", &TokenizerInfo::builtin()?, None, None)?;
    /// assert_eq!(engine.try_accept_new_bytes("ye"), KbnfResult::Ongoing);
    /// assert_eq!(engine.try_accept_new_bytes("s"), KbnfResult::Finished);
    /// # Ok::<(), weir::Error>(())
    /// ```
    KbnfEngine, weir_kbnf_engine, weir_kbnf_engine_free
}
debug_as_name!(KbnfEngine);
// SAFETY: as a matcher's: one thread at a time, whichever thread it is.
unsafe impl Send for KbnfEngine {}

/// The outcome of a call. With all but `Ongoing` and `Finished` the engine and the logits are unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum KbnfResult {
    /// Accepted; the output is not complete yet.
    Ongoing = WEIR_KBNF_ONGOING,
    /// Accepted; the output is complete, and nothing more is accepted.
    Finished = WEIR_KBNF_FINISHED,
    /// The grammar does not allow it here.
    Rejected = WEIR_KBNF_REJECTED,
    /// The vocabulary has no such token.
    UnknownToken = WEIR_KBNF_UNKNOWN_TOKEN,
    /// The output was already complete.
    AfterEnd = WEIR_KBNF_AFTER_END,
    /// There are fewer logits than tokens.
    InvalidLength = WEIR_KBNF_INVALID_LENGTH,
    /// A limit was met.
    LimitExceeded = WEIR_KBNF_LIMIT_EXCEEDED,
}

impl KbnfResult {
    fn read(call: impl FnOnce(*mut weir_kbnf_result) -> weir_status) -> Self {
        let mut out = WEIR_KBNF_ONGOING;
        raw::require(call(&mut out));
        match out {
            WEIR_KBNF_ONGOING => Self::Ongoing,
            WEIR_KBNF_FINISHED => Self::Finished,
            WEIR_KBNF_REJECTED => Self::Rejected,
            WEIR_KBNF_UNKNOWN_TOKEN => Self::UnknownToken,
            WEIR_KBNF_AFTER_END => Self::AfterEnd,
            WEIR_KBNF_INVALID_LENGTH => Self::InvalidLength,
            _ => Self::LimitExceeded,
        }
    }
    /// Returns the result's name: `"ongoing"`, `"finished"`, ...
    #[must_use]
    pub fn name(self) -> &'static str {
        // SAFETY: the function returns a constant.
        unsafe { CStr::from_ptr(weir_kbnf_result_name(self as i32)) }
            .to_str()
            .unwrap_or("unknown")
    }
}

impl fmt::Display for KbnfResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl KbnfEngine {
    /// Compiles a KBNF grammar and makes an engine for it.
    pub fn new<'a>(
        grammar: &str,
        tokenizer: &TokenizerInfo,
        options: impl Into<Option<&'a KbnfOptions>>,
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        with(options.into(), |options| {
            with(limits.into(), |limits| {
                // SAFETY: the arguments are valid during the call, here and below.
                raw::build(|out, error| unsafe {
                    weir_kbnf_engine_create(tokenizer.as_ptr(), raw::text(grammar), options, limits, out, error)
                })
            })
        })
        .map(Self::from_raw)
    }
    /// Makes an engine for a compiled grammar, in whichever language it was written.
    #[must_use]
    pub fn from_compiled(compiled: &CompiledGrammar) -> Self {
        Self::from_raw(raw::obtain(|out| unsafe {
            weir_kbnf_engine_of(compiled.as_ptr(), out)
        }))
    }

    /// Appends a token.
    pub fn try_accept_new_token(&mut self, token: u32) -> KbnfResult {
        KbnfResult::read(|out| unsafe { weir_kbnf_engine_try_accept_new_token(self.as_ptr(), token, out) })
    }
    /// Appends all bytes or none of them.
    pub fn try_accept_new_bytes(&mut self, bytes: impl AsRef<[u8]>) -> KbnfResult {
        KbnfResult::read(|out| unsafe { weir_kbnf_engine_try_accept_new_bytes(self.as_ptr(), raw::text(&bytes), out) })
    }
    /// Computes the set of allowed tokens.
    pub fn compute_allowed_token_ids(&mut self) -> KbnfResult {
        KbnfResult::read(|out| unsafe { weir_kbnf_engine_compute_allowed_token_ids(self.as_ptr(), out) })
    }
    /// The tokens of the last computation, ascending.
    #[must_use]
    pub fn allowed_token_ids(&self) -> Vec<u32> {
        let mut out = OwnedIds::new();
        raw::require(unsafe { weir_kbnf_engine_allowed_token_ids(self.as_ptr(), &mut out.0) });
        out.to_vec()
    }
    /// The tokens that the last computation did not allow, ascending.
    #[must_use]
    pub fn disallowed_token_ids(&self) -> Vec<u32> {
        let mut out = OwnedIds::new();
        raw::require(unsafe { weir_kbnf_engine_disallowed_token_ids(self.as_ptr(), &mut out.0) });
        out.to_vec()
    }
    /// Returns true if the last computation allowed the token.
    #[must_use]
    pub fn check_if_token_is_allowed(&self, token: u32) -> bool {
        unsafe { weir_kbnf_engine_check_if_token_is_allowed(self.as_ptr(), token) }
    }
    /// The mask of the last computation.
    #[must_use]
    pub fn allowed_token_bitmask(&self) -> &[u32] {
        let mut words = ptr::null();
        // SAFETY: the words are valid until the next computation, which needs the engine mutably.
        unsafe {
            let count = weir_kbnf_engine_allowed_token_bitmask(self.as_ptr(), &mut words);
            raw::ids(words, count)
        }
    }
    /// Sets the logits of the tokens that the last computation did not allow to minus infinity.
    pub fn mask_logits(&self, logits: &mut [f32]) -> KbnfResult {
        KbnfResult::read(|out| unsafe {
            weir_kbnf_engine_mask_logits(self.as_ptr(), logits.as_mut_ptr(), logits.len(), out)
        })
    }
    /// Appends a token, computes the allowed tokens, and masks the logits.
    pub fn update_logits(&mut self, token: u32, logits: &mut [f32]) -> KbnfResult {
        KbnfResult::read(|out| unsafe {
            weir_kbnf_engine_update_logits(self.as_ptr(), token, logits.as_mut_ptr(), logits.len(), out)
        })
    }
    /// True if the output is complete.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        unsafe { weir_kbnf_engine_is_finished(self.as_ptr()) }
    }
    /// Returns to the beginning of the output.
    pub fn reset(&mut self) {
        raw::require(unsafe { weir_kbnf_engine_reset(self.as_ptr()) });
    }
    /// Returns a matcher at the engine's place.
    #[must_use]
    pub fn matcher(&self) -> GrammarMatcher {
        GrammarMatcher::from_raw(raw::obtain(|out| unsafe {
            weir_kbnf_engine_matcher(self.as_ptr(), out)
        }))
    }
}
