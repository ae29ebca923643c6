use std::iter::FusedIterator;
use std::ops::{Deref, DerefMut};

use weir_sys::*;

use crate::error::StepError;

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for i32 {}
    impl Sealed for f32 {}
    #[cfg(feature = "half")]
    impl Sealed for half::f16 {}
    #[cfg(feature = "half")]
    impl Sealed for half::bf16 {}
}

/// The words of a bitmask: `u32`, or `i32` as tensor libraries have them.
pub trait BitmaskWord: sealed::Sealed + Copy {
    /// The word's bits.
    fn bits(self) -> u32;
}

impl BitmaskWord for u32 {
    fn bits(self) -> u32 {
        self
    }
}

impl BitmaskWord for i32 {
    fn bits(self) -> u32 {
        self as u32
    }
}

/// The types of logits: `f32`, and with the feature `half` its `f16` and `bf16`.
pub trait Logit: sealed::Sealed + Copy {
    #[doc(hidden)]
    const KIND: i32;
}

impl Logit for f32 {
    const KIND: i32 = WEIR_FLOAT32;
}
#[cfg(feature = "half")]
impl Logit for half::f16 {
    const KIND: i32 = WEIR_FLOAT16;
}
#[cfg(feature = "half")]
impl Logit for half::bf16 {
    const KIND: i32 = WEIR_BFLOAT16;
}

/// Returns the number of words of a bitmask for `vocab_size` tokens: `vocab_size / 32`, rounded up.
#[must_use]
pub const fn bitmask_words(vocab_size: usize) -> usize {
    vocab_size.div_ceil(32)
}

/// Returns true if the token's bit is set: bit `token % 32` of word `token / 32`. False if the mask is too short.
#[must_use]
pub fn is_token_in_bitmask<W: BitmaskWord>(bitmask: &[W], token: u32) -> bool {
    bitmask
        .get(token as usize / 32)
        .is_some_and(|word| word.bits() >> (token % 32) & 1 != 0)
}

/// Returns the number of tokens in the mask.
#[must_use]
pub fn count_tokens_in_bitmask<W: BitmaskWord>(bitmask: &[W]) -> usize {
    // SAFETY: words of both types are the same to C.
    unsafe { weir_bitmask_count(bitmask.as_ptr().cast(), bitmask.len()) }
}

/// Returns the tokens in the mask, ascending.
pub fn tokens_in_bitmask<W: BitmaskWord>(bitmask: &[W]) -> AllowedTokens<'_, W> {
    AllowedTokens {
        rest: bitmask.iter().enumerate(),
        base: 0,
        word: 0,
    }
}

/// The tokens of a bitmask, ascending.
#[derive(Clone, Debug)]
pub struct AllowedTokens<'a, W> {
    rest: std::iter::Enumerate<std::slice::Iter<'a, W>>,
    base: u32,
    word: u32,
}

impl<W: BitmaskWord> Iterator for AllowedTokens<'_, W> {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        while self.word == 0 {
            let (index, word) = self.rest.next()?;
            self.base = index as u32 * 32;
            self.word = word.bits();
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(self.base + bit)
    }
}

impl<W: BitmaskWord> FusedIterator for AllowedTokens<'_, W> {}

/// A set of tokens: a vector of words with the calls of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenBitmask(Vec<u32>);

impl TokenBitmask {
    /// Returns an empty set.
    #[must_use]
    pub fn new(vocab_size: usize) -> Self {
        Self(vec![0; bitmask_words(vocab_size)])
    }
    /// Returns true if the token is in the set.
    #[must_use]
    pub fn contains(&self, token: u32) -> bool {
        is_token_in_bitmask(&self.0, token)
    }
    /// Returns the number of tokens in the set.
    #[must_use]
    pub fn count(&self) -> usize {
        count_tokens_in_bitmask(&self.0)
    }
    /// Returns the tokens of the set, ascending.
    pub fn tokens(&self) -> AllowedTokens<'_, u32> {
        tokens_in_bitmask(&self.0)
    }
}

impl Deref for TokenBitmask {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl DerefMut for TokenBitmask {
    fn deref_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }
}

impl<'a> IntoIterator for &'a TokenBitmask {
    type Item = u32;
    type IntoIter = AllowedTokens<'a, u32>;
    fn into_iter(self) -> Self::IntoIter {
        self.tokens()
    }
}

/// Sets the logits of all tokens that are not in the mask to minus infinity. Logits beyond the mask, which pad the
/// vocabulary, are not in it.
///
/// # Errors
/// None for slices of any length.
///
/// ```
/// let mut logits = [0.5f32; 4];
/// weir::apply_token_bitmask_inplace(&mut logits, &[0b0101u32])?;
/// assert_eq!(logits, [0.5, f32::NEG_INFINITY, 0.5, f32::NEG_INFINITY]);
/// # Ok::<(), weir::StepError>(())
/// ```
pub fn apply_token_bitmask_inplace<L: Logit, W: BitmaskWord>(logits: &mut [L], bitmask: &[W]) -> Result<(), StepError> {
    // SAFETY: the pointers and lengths are those of slices, and the kind is that of the logits' type.
    StepError::check(unsafe {
        weir_apply_token_bitmask_inplace(
            logits.as_mut_ptr().cast(),
            logits.len(),
            L::KIND,
            bitmask.as_ptr().cast(),
            bitmask.len(),
        )
    })
}
