use std::path::Path;
use std::ptr;

use weir_sys::*;

use crate::error::Error;
use crate::options::{with, Options, TokenKind, TokenizerOptions, VocabOptions};
use crate::raw::{self, cloned_by, debug_as_name, handle, shared_by_threads, OwnedIds, OwnedText};

handle! {
    /// A tokenizer: the bytes of each token, the stop tokens, and the rules that split texts into tokens.
    ///
    /// ```no_run
    /// let tokenizer = weir::TokenizerInfo::from_file("tokenizer.json", None)?;
    /// # Ok::<(), weir::Error>(())
    /// ```
    TokenizerInfo, weir_tokenizer_info, weir_tokenizer_info_free
}
shared_by_threads!(TokenizerInfo);
cloned_by!(TokenizerInfo, weir_tokenizer_info_clone);
debug_as_name!(TokenizerInfo);

/// What [`TokenizerInfo::heal`] returns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Healed {
    /// How many tokens at the end of the context further text could still change. Leave them out of the prompt.
    pub tokens: usize,
    /// The bytes that those tokens stand for, with which the output must begin: whole characters.
    pub bytes: Vec<u8>,
}

impl TokenizerInfo {
    /// Returns the small tokenizer that is built in.
    pub fn builtin() -> Result<Self, Error> {
        // SAFETY: the arguments are valid during the call, here and below.
        raw::build(|out, error| unsafe { weir_tokenizer_info_builtin(out, error) }).map(Self::from_raw)
    }

    /// Reads a tokenizer file, whose format is recognised by its content: `tokenizer.json`, tiktoken's ranks,
    /// SentencePiece, GGUF, tekken. Cost: about 0.1 s for 100,000 tokens.
    pub fn from_file<'a>(
        path: impl AsRef<Path>,
        options: impl Into<Option<&'a TokenizerOptions>>,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        let name = path
            .to_str()
            .ok_or_else(|| Error::invalid(format!("the path {path:?} is not Unicode")))?;
        with(options.into(), |options| {
            raw::build(|out, error| unsafe { weir_tokenizer_info_from_file(raw::text(name), options, out, error) })
        })
        .map(Self::from_raw)
    }

    /// Reads the bytes of a tokenizer file. `name` is used in messages only.
    pub fn from_bytes<'a>(
        data: impl AsRef<[u8]>,
        name: &str,
        options: impl Into<Option<&'a TokenizerOptions>>,
    ) -> Result<Self, Error> {
        let data = raw::text(&data);
        with(options.into(), |options| {
            raw::build(|out, error| unsafe {
                weir_tokenizer_info_from_bytes(data, raw::text(name), options, out, error)
            })
        })
        .map(Self::from_raw)
    }

    /// Makes a tokenizer of the tokens' bytes; token `i` has the bytes of item `i`.
    ///
    /// ```
    /// use weir::{TokenizerInfo, VocabOptions};
    /// let vocab = VocabOptions::new().special_token_ids(vec![2]).stop_token_ids(vec![2]);
    /// let tokenizer = TokenizerInfo::from_tokens(&["a", "ab", "</s>"], &vocab, None)?;
    /// assert_eq!(tokenizer.token_bytes(1), Some(&b"ab"[..]));
    /// # Ok::<(), weir::Error>(())
    /// ```
    pub fn from_tokens<'a, T: AsRef<[u8]>>(
        tokens: &[T],
        vocab: &VocabOptions,
        options: impl Into<Option<&'a TokenizerOptions>>,
    ) -> Result<Self, Error> {
        let tokens = raw::texts(tokens);
        vocab
            .with_raw(|spec| {
                // SAFETY: the struct is valid during the call.
                let mut spec = unsafe { *spec };
                spec.tokens = raw::array(&tokens);
                spec.token_count = tokens.len();
                with(options.into(), |options| {
                    raw::build(|out, error| unsafe { weir_tokenizer_info_from_vocab(&spec, options, out, error) })
                })
            })
            .map(Self::from_raw)
    }

    /// Makes the tokenizer of a tokenizer of the crate `tokenizers`, with its added tokens. Such a tokenizer does not
    /// know which of its tokens end an output, so `options` must name them unless weir recognises them.
    #[cfg(feature = "tokenizers")]
    pub fn from_tokenizers<'a>(
        tokenizer: &tokenizers::Tokenizer,
        options: impl Into<Option<&'a TokenizerOptions>>,
    ) -> Result<Self, Error> {
        let json = tokenizer
            .to_string(false)
            .map_err(|error| Error::invalid(error.to_string()))?;
        Self::from_bytes(json, "tokenizers::Tokenizer", options)
    }

    /// Returns bytes from which [`deserialize`](Self::deserialize) makes the same tokenizer elsewhere.
    #[must_use]
    pub fn serialize(&self) -> Vec<u8> {
        let mut out = OwnedText::new();
        raw::require(unsafe { weir_tokenizer_info_serialize(self.as_ptr(), &mut out.0) });
        out.to_vec()
    }
    /// Makes a tokenizer of the bytes that [`serialize`](Self::serialize) returned.
    pub fn deserialize(data: impl AsRef<[u8]>) -> Result<Self, Error> {
        raw::build(|out, error| unsafe { weir_tokenizer_info_deserialize(raw::text(&data), out, error) })
            .map(Self::from_raw)
    }

    /// The number of token ids, and the width of masks.
    #[must_use]
    pub fn vocab_size(&self) -> usize {
        unsafe { weir_tokenizer_info_vocab_size(self.as_ptr()) as usize }
    }

    fn text_of(
        &self,
        id: u32,
        call: unsafe extern "C" fn(*const weir_tokenizer_info, u32, *mut weir_text) -> weir_status,
    ) -> Option<&[u8]> {
        let mut out = raw::EMPTY;
        let status = unsafe { call(self.as_ptr(), id, &mut out) };
        // SAFETY: the text belongs to the tokenizer.
        (status == WEIR_OK).then(|| unsafe { raw::bytes(out) })
    }
    /// Returns the token's bytes, or `None` for an id out of range. Special tokens have none.
    #[must_use]
    pub fn token_bytes(&self, id: u32) -> Option<&[u8]> {
        self.text_of(id, weir_tokenizer_info_token_bytes)
    }
    /// Returns the token's bytes at the beginning of a text, which the leading-space rule may shorten.
    #[must_use]
    pub fn first_token_bytes(&self, id: u32) -> Option<&[u8]> {
        self.text_of(id, weir_tokenizer_info_first_token_bytes)
    }
    /// Returns the name of a special token: `<|im_end|>`. It is empty for other tokens.
    #[must_use]
    pub fn token_name(&self, id: u32) -> Option<&[u8]> {
        self.text_of(id, weir_tokenizer_info_token_name)
    }
    /// Returns what the token is, or `None` for an id out of range.
    #[must_use]
    pub fn token_kind(&self, id: u32) -> Option<TokenKind> {
        let mut out = 0;
        let status = unsafe { weir_tokenizer_info_token_kind(self.as_ptr(), id, &mut out) };
        (status == WEIR_OK).then(|| TokenKind::from_raw(out))
    }
    /// Returns the id of the special token with this name.
    #[must_use]
    pub fn find_special_token(&self, name: &str) -> Option<u32> {
        let mut out = 0;
        let status = unsafe { weir_tokenizer_info_find_special_token(self.as_ptr(), raw::text(name), &mut out) };
        (status == WEIR_OK).then_some(out)
    }
    /// The tokens that end an output, ascending.
    #[must_use]
    pub fn stop_token_ids(&self) -> &[u32] {
        let mut ids = ptr::null();
        // SAFETY: the ids belong to the tokenizer.
        unsafe {
            let count = weir_tokenizer_info_stop_token_ids(self.as_ptr(), &mut ids);
            raw::ids(ids, count)
        }
    }
    /// True if the tokenizer drops a space at the beginning of a text.
    #[must_use]
    pub fn drops_leading_space(&self) -> bool {
        unsafe { weir_tokenizer_info_drops_leading_space(self.as_ptr()) }
    }
    /// The kind of tokenizer, in a few words.
    #[must_use]
    pub fn kind(&self) -> &str {
        // SAFETY: the text belongs to the tokenizer.
        std::str::from_utf8(unsafe { raw::bytes(weir_tokenizer_info_kind(self.as_ptr())) }).unwrap_or_default()
    }

    /// Returns the bytes of the tokens, one after another.
    pub fn decode(&self, ids: &[u32]) -> Result<Vec<u8>, Error> {
        let mut out = OwnedText::new();
        let status = unsafe { weir_tokenizer_info_decode(self.as_ptr(), raw::array(ids), ids.len(), &mut out.0) };
        match status {
            WEIR_OK => Ok(out.to_vec()),
            _ => Err(Error::invalid("a token id is out of range")),
        }
    }
    /// Returns the tokens that the tokenizer writes for the text.
    pub fn tokenize(&self, text: impl AsRef<[u8]>) -> Result<Vec<u32>, Error> {
        let mut out = OwnedIds::new();
        raw::check(|error| unsafe {
            weir_tokenizer_info_tokenize(self.as_ptr(), raw::text(&text), &mut out.0, error)
        })?;
        Ok(out.to_vec())
    }
    /// Returns `Ok` if matchers can follow the tokenizer with
    /// [`Tokenization::Canonical`](crate::Tokenization::Canonical); otherwise the error names the part that they cannot.
    pub fn canonical_support(&self) -> Result<(), Error> {
        raw::check(|error| unsafe { weir_tokenizer_info_canonical_support(self.as_ptr(), error) })
    }
    /// Token healing: returns which tokens at the end of `context` further text could still change.
    pub fn heal(&self, context: &[u32]) -> Result<Healed, Error> {
        let mut tokens = 0;
        let mut bytes = OwnedText::new();
        raw::check(|error| unsafe {
            weir_tokenizer_info_heal(
                self.as_ptr(),
                raw::array(context),
                context.len(),
                &mut tokens,
                &mut bytes.0,
                error,
            )
        })?;
        Ok(Healed {
            tokens,
            bytes: bytes.to_vec(),
        })
    }
}
