use std::ptr;

use weir_sys::*;

use crate::bitmask::BitmaskWord;
use crate::error::StepError;
use crate::matcher::GrammarMatcher;
use crate::options::{with, BatchOptions};
use crate::raw::{self, debug_as_name, handle};

handle! {
    /// One call for a batch of matchers, on several threads.
    ///
    /// ```
    /// use weir::{BatchMatcher, GrammarCompiler, GrammarMatcher, TokenizerInfo};
    /// let tokenizer = TokenizerInfo::builtin()?;
    /// let compiled = GrammarCompiler::new(&tokenizer, None)?.compile_regex("(yes|no)", None)?;
    /// let (mut first, mut second) = (GrammarMatcher::new(&compiled, None)?, GrammarMatcher::new(&compiled, None)?);
    /// let words = weir::bitmask_words(tokenizer.vocab_size());
    /// let mut bitmasks = vec![0i32; 3 * words];
    /// let mut rows = [Some(&mut first), None, Some(&mut second)]; // the second row stays as it is
    /// let steps = BatchMatcher::new(2).fill_next_token_bitmasks(&mut rows, &mut bitmasks)?;
    /// assert!(steps.iter().all(Result::is_ok));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    BatchMatcher, weir_batch, weir_batch_free
}
debug_as_name!(BatchMatcher);
// SAFETY: "one thread at a time" (THREADS in weir_c.h), whichever thread it is.
unsafe impl Send for BatchMatcher {}

/// The handles of the rows. Mutable references are to different matchers, as the calls require.
fn handles(matchers: &mut [Option<&mut GrammarMatcher>]) -> Vec<*mut weir_matcher> {
    matchers
        .iter()
        .map(|matcher| matcher.as_ref().map_or(ptr::null_mut(), |matcher| matcher.as_ptr()))
        .collect()
}

impl BatchMatcher {
    /// Uses `threads` threads for each call, the caller's thread included. 0: one for each processor.
    #[must_use]
    pub fn new(threads: u32) -> Self {
        // SAFETY: the arguments are valid during the call, here and below.
        Self::from_raw(raw::obtain(|out| unsafe { weir_batch_create(threads, out) }))
    }

    /// Makes a batch with options.
    #[must_use]
    pub fn with_options(options: &BatchOptions) -> Self {
        with(Some(options), |options| {
            Self::from_raw(raw::obtain(|out| unsafe {
                weir_batch_create_with_options(options, out)
            }))
        })
    }

    /// Writes the mask of each matcher, one row of equal length after another; the row of a `None` stays as it
    /// is. Returns what the single calls returned.
    pub fn fill_next_token_bitmasks<W: BitmaskWord>(
        &mut self,
        matchers: &mut [Option<&mut GrammarMatcher>],
        bitmasks: &mut [W],
    ) -> Result<Vec<Result<(), StepError>>, StepError> {
        let handles = handles(matchers);
        let mut steps = vec![WEIR_OK; handles.len()];
        StepError::check(unsafe {
            weir_batch_fill_next_token_bitmasks(
                self.as_ptr(),
                handles.as_ptr(),
                handles.len(),
                bitmasks.as_mut_ptr().cast(),
                bitmasks.len(),
                steps.as_mut_ptr(),
            )
        })?;
        Ok(steps.into_iter().map(StepError::check).collect())
    }

    /// Finds the same masks in memory of the batch, where only what differs from the last call's masks is written. In
    /// the row of a `None` all bits are set; if there is no matcher, the masks are empty.
    ///
    /// ```
    /// use weir::{BatchMatcher, GrammarCompiler, GrammarMatcher, TokenizerInfo};
    /// let tokenizer = TokenizerInfo::builtin()?;
    /// let compiled = GrammarCompiler::new(&tokenizer, None)?.compile_regex("(yes|no)", None)?;
    /// let mut matcher = GrammarMatcher::new(&compiled, None)?;
    /// let mut batch = BatchMatcher::new(2);
    /// let (bitmasks, steps) = batch.next_token_bitmasks(&mut [Some(&mut matcher), None])?;
    /// assert_eq!(bitmasks.len(), 2 * weir::bitmask_words(tokenizer.vocab_size()));
    /// assert!(steps.iter().all(Result::is_ok));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[allow(clippy::type_complexity)]
    pub fn next_token_bitmasks(
        &mut self,
        matchers: &mut [Option<&mut GrammarMatcher>],
    ) -> Result<(&[u32], Vec<Result<(), StepError>>), StepError> {
        let handles = handles(matchers);
        let mut steps = vec![WEIR_OK; handles.len()];
        let (mut bitmasks, mut words) = (ptr::null(), 0);
        StepError::check(unsafe {
            weir_batch_next_token_bitmasks(
                self.as_ptr(),
                handles.as_ptr(),
                handles.len(),
                steps.as_mut_ptr(),
                &mut bitmasks,
                &mut words,
            )
        })?;
        let bitmasks = if bitmasks.is_null() {
            &[][..]
        } else {
            // SAFETY: the words stay as they are until the batch's next call, which needs it mutable.
            unsafe { std::slice::from_raw_parts(bitmasks, words) }
        };
        Ok((bitmasks, steps.into_iter().map(StepError::check).collect()))
    }

    /// Appends one token to each matcher; the token of a `None` is ignored. Returns what the single calls returned.
    pub fn accept_tokens(
        &mut self,
        matchers: &mut [Option<&mut GrammarMatcher>],
        tokens: &[u32],
    ) -> Result<Vec<Result<(), StepError>>, StepError> {
        if matchers.len() != tokens.len() {
            return Err(StepError::InvalidArgument);
        }
        let handles = handles(matchers);
        let mut steps = vec![WEIR_OK; handles.len()];
        StepError::check(unsafe {
            weir_batch_accept_tokens(
                self.as_ptr(),
                handles.as_ptr(),
                tokens.as_ptr(),
                handles.len(),
                steps.as_mut_ptr(),
            )
        })?;
        Ok(steps.into_iter().map(StepError::check).collect())
    }
}
