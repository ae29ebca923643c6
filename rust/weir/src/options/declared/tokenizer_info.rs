// Written by tools/generate from the structs in include/weir. Do not edit.
use crate::options::*;

/// Options for reading a tokenizer.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct TokenizerOptions {
    /// Tokens that end the output; if there are none, the tokens that the file declares, and eos and end-of-turn tokens
    /// that are recognised by their usual names.
    pub stop_token_ids: Vec<u32>,
    /// Size of the model's output layer if it is larger than the vocabulary; the tokens added are "unused". 0: as in
    /// the file.
    pub padded_vocab_size: u32,
}

impl TokenizerOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Tokens that end the output; if there are none, the tokens that the file declares, and eos and end-of-turn tokens
    /// that are recognised by their usual names.
    #[must_use]
    pub fn stop_token_ids(mut self, stop_token_ids: Vec<u32>) -> Self {
        self.stop_token_ids = stop_token_ids;
        self
    }
    /// Size of the model's output layer if it is larger than the vocabulary; the tokens added are "unused". 0: as in
    /// the file.
    #[must_use]
    pub fn padded_vocab_size(mut self, padded_vocab_size: u32) -> Self {
        self.padded_vocab_size = padded_vocab_size;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_tokenizer_options) -> Self {
        Self {
            stop_token_ids: Default::default(),
            padded_vocab_size: raw.padded_vocab_size,
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_tokenizer_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_tokenizer_options_init) };
        raw.padded_vocab_size = self.padded_vocab_size;
        raw
    }
}

impl Default for TokenizerOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_tokenizer_options_init)) }
    }
}

impl Options for TokenizerOptions {
    type Raw = weir_tokenizer_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        let mut raw = self.plain_raw();
        raw.stop_token_ids = raw::array(&self.stop_token_ids);
        raw.stop_token_count = self.stop_token_ids.len();
        f(&raw)
    }
}

/// A plain vocabulary, for callers that have the tokens and no file.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct VocabOptions {
    /// Their strings in `tokens` are names, not text.
    pub special_token_ids: Vec<u32>,
    /// May be special or normal.
    pub stop_token_ids: Vec<u32>,
    /// True if decoding drops a leading space of the first token (SentencePiece).
    pub drops_leading_space: bool,
    /// True if tokens with usual names of eos and end-of-turn tokens (`</s>`, `<|im_end|>`) are stop tokens, too.
    pub stop_tokens_by_name: bool,
    /// How `tokens` are written. The default is "bytes".
    pub spelling: TokenSpelling,
}

impl VocabOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Their strings in `tokens` are names, not text.
    #[must_use]
    pub fn special_token_ids(mut self, special_token_ids: Vec<u32>) -> Self {
        self.special_token_ids = special_token_ids;
        self
    }
    /// May be special or normal.
    #[must_use]
    pub fn stop_token_ids(mut self, stop_token_ids: Vec<u32>) -> Self {
        self.stop_token_ids = stop_token_ids;
        self
    }
    /// True if decoding drops a leading space of the first token (SentencePiece).
    #[must_use]
    pub fn drops_leading_space(mut self, drops_leading_space: bool) -> Self {
        self.drops_leading_space = drops_leading_space;
        self
    }
    /// True if tokens with usual names of eos and end-of-turn tokens (`</s>`, `<|im_end|>`) are stop tokens, too.
    #[must_use]
    pub fn stop_tokens_by_name(mut self, stop_tokens_by_name: bool) -> Self {
        self.stop_tokens_by_name = stop_tokens_by_name;
        self
    }
    /// How `tokens` are written. The default is "bytes".
    #[must_use]
    pub fn spelling(mut self, spelling: TokenSpelling) -> Self {
        self.spelling = spelling;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_vocab_spec) -> Self {
        Self {
            special_token_ids: Default::default(),
            stop_token_ids: Default::default(),
            drops_leading_space: raw.drops_leading_space,
            stop_tokens_by_name: raw.stop_tokens_by_name,
            spelling: TokenSpelling::from_raw(raw.spelling),
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_vocab_spec {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_vocab_spec_init) };
        raw.drops_leading_space = self.drops_leading_space;
        raw.stop_tokens_by_name = self.stop_tokens_by_name;
        raw.spelling = self.spelling as i32;
        raw
    }
}

impl Default for VocabOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_vocab_spec_init)) }
    }
}

impl Options for VocabOptions {
    type Raw = weir_vocab_spec;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        let mut raw = self.plain_raw();
        raw.special_token_ids = raw::array(&self.special_token_ids);
        raw.special_token_count = self.special_token_ids.len();
        raw.stop_token_ids = raw::array(&self.stop_token_ids);
        raw.stop_token_count = self.stop_token_ids.len();
        f(&raw)
    }
}
