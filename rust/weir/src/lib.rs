#![doc = include_str!("../README.md")]
// Calls of the C interface need handles and arguments that are valid during the call, and return texts that belong to a
// handle. Each file says this once; a comment at a call says what is special about it.

mod batch;
mod bitmask;
mod compiler;
mod diagnostics;
mod error;
mod grammar;
mod kbnf;
mod matcher;
mod options;
mod raw;
mod replies;
mod tokenizer;

pub use batch::BatchMatcher;
pub use bitmask::{
    apply_token_bitmask_inplace, bitmask_words, count_tokens_in_bitmask, is_token_in_bitmask, tokens_in_bitmask,
    AllowedTokens, BitmaskWord, Logit, TokenBitmask,
};
pub use compiler::{CompiledGrammar, GrammarCompiler};
pub use diagnostics::{
    check_grammar, check_regex, check_response_format, check_schema, check_structural_tag, explain_refusal,
    line_column, Diagnostic, Diagnostics, Fix, Note, Severity,
};
pub use error::{Error, ErrorCode, StepError};
pub use grammar::{language_names, strict_json_schema, structural_tag_for_tools, tool_styles, Grammar};
pub use kbnf::{KbnfEngine, KbnfResult};
pub use matcher::{Capture, CompletionPart, Expectation, Explanation, GrammarMatcher};
pub use options::*;
pub use replies::{ReplyEvent, ReplyParser, ReplyPart};
pub use tokenizer::{Healed, TokenizerInfo};

/// Returns the library's version: `"0.1.0"`.
#[must_use]
pub fn version() -> &'static str {
    // SAFETY: the function returns a constant.
    unsafe { std::ffi::CStr::from_ptr(weir_sys::weir_version()) }
        .to_str()
        .unwrap_or_default()
}
