// Written by tools/generate from the structs in include/weir. Do not edit.
use crate::options::*;

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
