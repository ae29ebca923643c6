use std::ops::Range;
use std::ptr;

use weir_sys::*;

use crate::bitmask::{BitmaskWord, TokenBitmask};
use crate::compiler::CompiledGrammar;
use crate::error::{Error, StepError};
use crate::options::{with, MatcherOptions, StateStats};
use crate::raw::{self, debug_as_name, handle, OwnedIds, OwnedText};

handle! {
    /// A place in an output: one for each output that is generated.
    ///
    /// ```
    /// use weir::{GrammarCompiler, GrammarMatcher, TokenizerInfo};
    ///
    /// let tokenizer = TokenizerInfo::builtin()?;
    /// let compiled = GrammarCompiler::new(&tokenizer, None)?.compile_regex("(yes|no)", None)?;
    /// let mut matcher = GrammarMatcher::new(&compiled, None)?;
    /// let mut bitmask = vec![0u32; weir::bitmask_words(tokenizer.vocab_size())];
    /// let mut output = Vec::new();
    /// while !matcher.is_terminated() {
    ///     matcher.fill_next_token_bitmask(&mut bitmask)?;
    ///     // A model's logits would decide; here the first allowed token is taken.
    ///     let token = weir::tokens_in_bitmask(&bitmask).next().unwrap();
    ///     matcher.accept_token(token)?;
    ///     output.push(token);
    /// }
    /// assert!([&b"yes"[..], b"no"].contains(&&matcher.text()[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A matcher may be sent to another thread, but two threads cannot use it at once:
    ///
    /// ```compile_fail
    /// fn needs_sync<T: Sync>() {}
    /// needs_sync::<weir::GrammarMatcher>();
    /// ```
    GrammarMatcher, weir_matcher, weir_matcher_free
}
debug_as_name!(GrammarMatcher);
// SAFETY: "one thread at a time" (THREADS in weir_c.h), whichever thread it is.
unsafe impl Send for GrammarMatcher {}

impl Clone for GrammarMatcher {
    /// As [`fork`](Self::fork).
    fn clone(&self) -> Self {
        self.fork()
    }
}

/// A part of the output that the grammar names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capture {
    /// The capture's name.
    pub name: String,
    /// A range of bytes of [`GrammarMatcher::text`].
    pub range: Range<usize>,
    /// False if the capture has begun but not ended; then the range ends at the end of the text.
    pub complete: bool,
}

/// A part of a completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompletionPart {
    /// Bytes.
    Text(Vec<u8>),
    /// A token that has no bytes.
    Token(u32),
}

/// What may come next, in a form for people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expectation {
    /// The terminals that may come next, or that are in progress.
    pub terminals: Vec<String>,
    /// The bytes that may come next, ascending.
    pub bytes: Vec<u8>,
    /// True if the output may end here or has ended.
    pub end: bool,
}

/// Why a token is allowed or not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// Whether it is allowed.
    pub allowed: bool,
    /// How many of its bytes the grammar allows.
    pub bytes_matched: usize,
    /// A sentence.
    pub reason: String,
    /// What may come after those bytes.
    pub expected: Expectation,
}

/// # Safety
/// The handle must be valid.
unsafe fn read_expectation(raw: *const weir_expectation) -> Expectation {
    // SAFETY: the caller's promise; texts belong to the handle.
    unsafe {
        Expectation {
            terminals: (0..weir_expectation_terminal_count(raw))
                .map(|index| {
                    let mut out = raw::EMPTY;
                    raw::require(weir_expectation_terminal(raw, index, &mut out));
                    raw::string(out)
                })
                .collect(),
            bytes: raw::bytes(weir_expectation_bytes(raw)).to_vec(),
            end: weir_expectation_end(raw),
        }
    }
}

handle! {
    CaptureList, weir_captures, weir_captures_free
}
handle! {
    CompletionHandle, weir_completion, weir_completion_free
}
handle! {
    ExpectationHandle, weir_expectation, weir_expectation_free
}
handle! {
    ExplanationHandle, weir_explanation, weir_explanation_free
}

impl GrammarMatcher {
    /// Makes a matcher at the beginning of an output.
    ///
    /// # Errors
    /// `Unsupported`: canonical tokenization, and the tokenizer or the grammar does not have it. `InvalidArgument`: a
    /// context that the tokenizer would not write, or stop tokens out of range; [`Error::range`] begins at the index of
    /// the first such token. `Unsatisfiable`: no output of the grammar fits the options.
    pub fn new<'a>(compiled: &CompiledGrammar, options: impl Into<Option<&'a MatcherOptions>>) -> Result<Self, Error> {
        with(options.into(), |options| {
            // SAFETY: the arguments are valid during the call, here and below.
            raw::build(|out, error| unsafe { weir_matcher_create_with_error(compiled.as_ptr(), options, out, error) })
        })
        .map(Self::from_raw)
    }

    /// Returns a second matcher at the same place. Cost: a copy of a vector with a number for each step.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self::from_raw(raw::obtain(|out| unsafe { weir_matcher_fork(self.as_ptr(), out) }))
    }
    /// The compiled grammar.
    #[must_use]
    pub fn compiled_grammar(&self) -> CompiledGrammar {
        CompiledGrammar::from_raw(raw::obtain(|out| unsafe {
            weir_matcher_compiled_grammar(self.as_ptr(), out)
        }))
    }

    /// Writes the set of tokens that may come next. The mask has [`bitmask_words`](crate::bitmask_words) words.
    ///
    /// Bit `t` is set if and only if the output with the bytes of token `t` is a prefix of some text of the grammar; a
    /// stop token's bit if and only if the output is such a text. On all but `Ok` the mask is all zero.
    pub fn fill_next_token_bitmask<W: BitmaskWord>(&mut self, bitmask: &mut [W]) -> Result<(), StepError> {
        // SAFETY: words of both types are the same to C.
        StepError::check(unsafe {
            weir_matcher_fill_next_token_bitmask(self.as_ptr(), bitmask.as_mut_ptr().cast(), bitmask.len())
        })
    }
    /// Returns the set of tokens that may come next, in a new vector.
    ///
    /// ```
    /// # let tokenizer = weir::TokenizerInfo::builtin()?;
    /// # let compiled = weir::GrammarCompiler::new(&tokenizer, None)?.compile_regex("(yes|no)", None)?;
    /// # let mut matcher = weir::GrammarMatcher::new(&compiled, None)?;
    /// for token in &matcher.allowed_tokens()? {
    ///     println!("{:?}", tokenizer.token_bytes(token));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn allowed_tokens(&mut self) -> Result<TokenBitmask, StepError> {
        let vocab_size = self.compiled_grammar().tokenizer_info().vocab_size();
        let mut bitmask = TokenBitmask::new(vocab_size);
        self.fill_next_token_bitmask(&mut bitmask)?;
        Ok(bitmask)
    }
    /// Returns a number that equal masks of a compiled grammar have in common, if this mask has one: for copies of masks
    /// on a device.
    pub fn next_token_mask_id(&mut self) -> Result<Option<u64>, StepError> {
        let mut out = 0;
        match unsafe { weir_matcher_next_token_mask_id(self.as_ptr(), &mut out) } {
            WEIR_NOT_FOUND => Ok(None),
            status => StepError::check(status).map(|()| Some(out)),
        }
    }
    /// Writes the masks of all nodes of a draft tree, one row after another. Node `i` is `tokens[i]` after node
    /// `parents[i]`, which precedes it; -1 is the matcher's place. Returns what accepting each node's token returned.
    /// The matcher does not move.
    pub fn fill_draft_tree_bitmasks<W: BitmaskWord>(
        &mut self,
        tokens: &[u32],
        parents: &[i32],
        bitmasks: &mut [W],
    ) -> Result<Vec<Result<(), StepError>>, StepError> {
        if tokens.len() != parents.len() {
            return Err(StepError::InvalidArgument);
        }
        let mut steps = vec![WEIR_OK; tokens.len()];
        StepError::check(unsafe {
            weir_matcher_fill_draft_tree_bitmasks(
                self.as_ptr(),
                tokens.as_ptr(),
                parents.as_ptr(),
                tokens.len(),
                bitmasks.as_mut_ptr().cast(),
                bitmasks.len(),
                steps.as_mut_ptr(),
            )
        })?;
        Ok(steps.into_iter().map(StepError::check).collect())
    }
    /// Returns true if the token may come next, without a mask.
    pub fn is_token_allowed(&mut self, token: u32) -> Result<bool, StepError> {
        let mut out = false;
        StepError::check(unsafe { weir_matcher_is_token_allowed(self.as_ptr(), token, &mut out) })?;
        Ok(out)
    }

    /// Appends a token.
    pub fn accept_token(&mut self, token: u32) -> Result<(), StepError> {
        StepError::check(unsafe { weir_matcher_accept_token(self.as_ptr(), token) })
    }
    /// Appends bytes as one step, all or none. `InvalidArgument` with canonical tokenization, where bytes have no tokens.
    pub fn accept_bytes(&mut self, bytes: impl AsRef<[u8]>) -> Result<(), StepError> {
        StepError::check(unsafe { weir_matcher_accept_bytes(self.as_ptr(), raw::text(&bytes)) })
    }
    /// Appends the tokens that the tokenizer gives for `text`, one step each, all or none. They are those of a text of its own,
    /// which some tokenizers begin with a blank: for forced text and completions there is [`accept_bytes`](Self::accept_bytes).
    pub fn accept_text(&mut self, text: impl AsRef<[u8]>) -> Result<(), StepError> {
        StepError::check(unsafe { weir_matcher_accept_text(self.as_ptr(), raw::text(&text)) })
    }
    /// Returns the length of the longest prefix of `bytes` that is allowed. The matcher does not move.
    pub fn longest_viable_prefix(&mut self, bytes: impl AsRef<[u8]>) -> Result<usize, StepError> {
        let mut out = 0;
        StepError::check(unsafe { weir_matcher_longest_viable_prefix(self.as_ptr(), raw::text(&bytes), &mut out) })?;
        Ok(out)
    }
    /// Takes back the last `steps` steps. `InvalidArgument` if there are fewer.
    pub fn rollback(&mut self, steps: usize) -> Result<(), StepError> {
        StepError::check(unsafe { weir_matcher_rollback(self.as_ptr(), steps) })
    }
    /// Returns to the beginning of the output.
    pub fn reset(&mut self) {
        raw::require(unsafe { weir_matcher_reset(self.as_ptr()) });
    }
    /// The number of accepted steps, a stop token included.
    #[must_use]
    pub fn step_count(&self) -> usize {
        unsafe { weir_matcher_step_count(self.as_ptr()) }
    }
    /// The tokens that end the output, ascending.
    #[must_use]
    pub fn stop_token_ids(&self) -> &[u32] {
        let mut ids = ptr::null();
        // SAFETY: the ids belong to the matcher.
        unsafe {
            let count = weir_matcher_stop_token_ids(self.as_ptr(), &mut ids);
            raw::ids(ids, count)
        }
    }
    /// True if a stop token was accepted.
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        unsafe { weir_matcher_is_terminated(self.as_ptr()) }
    }
    /// True if the output may end here.
    #[must_use]
    pub fn is_completed(&self) -> bool {
        unsafe { weir_matcher_is_completed(self.as_ptr()) }
    }

    /// Returns the bytes with which every continuation begins. They may end within a character.
    pub fn find_jump_forward_string(&mut self) -> Result<Vec<u8>, StepError> {
        let mut out = OwnedText::new();
        match unsafe { weir_matcher_find_jump_forward_string(self.as_ptr(), &mut out.0) } {
            WEIR_LIMIT_EXCEEDED => Ok(out.to_vec()), // what was found before the limit was met is forced, too
            status => StepError::check(status).map(|()| out.to_vec()),
        }
    }
    /// Returns the tokens that the tokenizer writes for the forced bytes, whatever follows them.
    pub fn forced_tokens(&mut self) -> Result<Vec<u32>, StepError> {
        let mut out = OwnedIds::new();
        match unsafe { weir_matcher_forced_tokens(self.as_ptr(), &mut out.0) } {
            WEIR_LIMIT_EXCEEDED => Ok(out.to_vec()), // the same
            status => StepError::check(status).map(|()| out.to_vec()),
        }
    }
    /// Returns a short text that completes the output; [`accept_bytes`](Self::accept_bytes) appends it. `None` if there is none,
    /// or if it needs special tokens:
    /// [`shortest_completion_parts`](Self::shortest_completion_parts).
    pub fn shortest_completion(&mut self) -> Result<Option<Vec<u8>>, StepError> {
        let mut out = OwnedText::new();
        match unsafe { weir_matcher_shortest_completion(self.as_ptr(), &mut out.0) } {
            WEIR_NOT_FOUND => Ok(None),
            status => StepError::check(status).map(|()| Some(out.to_vec())),
        }
    }
    /// Returns a short completion of texts and special tokens. `None` if there is none.
    pub fn shortest_completion_parts(&mut self) -> Result<Option<Vec<CompletionPart>>, StepError> {
        let mut out = ptr::null_mut();
        match unsafe { weir_matcher_shortest_completion_parts(self.as_ptr(), &mut out) } {
            WEIR_NOT_FOUND => return Ok(None),
            status => StepError::check(status)?,
        }
        let completion = CompletionHandle::from_raw(ptr::NonNull::new(out).ok_or(StepError::Internal)?);
        let part = |index| {
            let mut part = weir_completion_part {
                text: raw::EMPTY,
                is_token: false,
                token: 0,
            };
            // SAFETY: the text belongs to the completion.
            unsafe {
                raw::require(weir_completion_part_at(completion.as_ptr(), index, &mut part));
                if part.is_token {
                    CompletionPart::Token(part.token)
                } else {
                    CompletionPart::Text(raw::bytes(part.text).to_vec())
                }
            }
        };
        let count = unsafe { weir_completion_part_count(completion.as_ptr()) };
        Ok(Some((0..count).map(part).collect()))
    }

    /// The number of the matcher's state: equal states of a compiled grammar have equal numbers.
    pub fn state_id(&mut self) -> u32 {
        unsafe { weir_matcher_state_id(self.as_ptr()) }
    }
    /// Counts of what is known of the state.
    pub fn state_stats(&mut self) -> StateStats {
        StateStats::read(|out| unsafe { weir_matcher_state_stats(self.as_ptr(), out) })
    }
    /// Says which limit the last call met, and what to do. `None` if it met none.
    #[must_use]
    pub fn limit_message(&self) -> Option<String> {
        let mut out = OwnedText::new();
        raw::require(unsafe { weir_matcher_limit_message(self.as_ptr(), &mut out.0) });
        Some(out.to_text()).filter(|message| !message.is_empty())
    }
    /// Returns the bytes of the output so far; special tokens add none.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        let mut out = OwnedText::new();
        raw::require(unsafe { weir_matcher_text(self.as_ptr(), &mut out.0) });
        out.to_vec()
    }
    /// Returns the parts of the output so far that the grammar names, outer ones before inner ones.
    pub fn captures(&mut self) -> Result<Vec<Capture>, StepError> {
        let mut out = ptr::null_mut();
        StepError::check(unsafe { weir_matcher_captures(self.as_ptr(), &mut out) })?;
        let captures = CaptureList::from_raw(ptr::NonNull::new(out).ok_or(StepError::Internal)?);
        let capture = |index| {
            let mut capture = weir_capture {
                name: raw::EMPTY,
                begin: 0,
                end: 0,
                complete: false,
            };
            // SAFETY: the name belongs to the list.
            unsafe {
                raw::require(weir_captures_at(captures.as_ptr(), index, &mut capture));
                Capture {
                    name: raw::string(capture.name),
                    range: capture.begin..capture.end,
                    complete: capture.complete,
                }
            }
        };
        let count = unsafe { weir_captures_count(captures.as_ptr()) };
        Ok((0..count).map(capture).collect())
    }
    /// Returns the temperature that the grammar asks for here. It is a request to the sampler.
    pub fn temperature(&mut self) -> Result<Option<f32>, StepError> {
        let mut out = 0.0;
        match unsafe { weir_matcher_temperature(self.as_ptr(), &mut out) } {
            WEIR_NOT_FOUND => Ok(None),
            status => StepError::check(status).map(|()| Some(out)),
        }
    }

    /// Returns what may come next, in a form for people.
    pub fn expected(&mut self) -> Result<Expectation, StepError> {
        let mut out = ptr::null_mut();
        StepError::check(unsafe { weir_matcher_expected(self.as_ptr(), &mut out) })?;
        let expectation = ExpectationHandle::from_raw(ptr::NonNull::new(out).ok_or(StepError::Internal)?);
        Ok(unsafe { read_expectation(expectation.as_ptr()) })
    }
    /// Returns why a token is allowed or not. A token that the vocabulary lacks is not allowed.
    pub fn explain(&mut self, token: u32) -> Result<Explanation, StepError> {
        let mut out = ptr::null_mut();
        StepError::check(unsafe { weir_matcher_explain(self.as_ptr(), token, &mut out) })?;
        let explanation = ExplanationHandle::from_raw(ptr::NonNull::new(out).ok_or(StepError::Internal)?);
        let raw = explanation.as_ptr();
        // SAFETY: texts and the expectation belong to the explanation.
        Ok(unsafe {
            Explanation {
                allowed: weir_explanation_allowed(raw),
                bytes_matched: weir_explanation_bytes_matched(raw),
                reason: raw::string(weir_explanation_reason(raw)),
                expected: read_expectation(weir_explanation_expected(raw)),
            }
        })
    }
}
