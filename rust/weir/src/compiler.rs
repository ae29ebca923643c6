use weir_sys::*;

use crate::diagnostics::Diagnostics;
use crate::error::Error;
use crate::grammar::Grammar;
use crate::options::{
    with, CacheStats, EbnfOptions, EngineStats, JsonSchemaOptions, Limits, Options, RegexOptions, StructuralTagOptions,
    SubstringUnit, TextOptions, WarmUpOptions, WarmUpReport,
};
use crate::raw::{self, cloned_by, debug_as_name, handle, shared_by_threads};
use crate::tokenizer::TokenizerInfo;

handle! {
    /// Joins grammars with a tokenizer. It remembers what it compiled, and its grammars share facts about terminals.
    ///
    /// ```
    /// use weir::{GrammarCompiler, GrammarMatcher, TokenizerInfo};
    /// let compiler = GrammarCompiler::new(&TokenizerInfo::builtin()?, None)?;
    /// let compiled = compiler.compile_json_schema(r#"{"type": "integer"}"#, None)?;
    /// let mut matcher = GrammarMatcher::new(&compiled, None)?;
    /// # Ok::<(), weir::Error>(())
    /// ```
    GrammarCompiler, weir_compiler, weir_compiler_free
}
shared_by_threads!(GrammarCompiler);
debug_as_name!(GrammarCompiler);

handle! {
    /// A grammar joined with a tokenizer. Any number of matchers, on any threads, share what is known of it.
    CompiledGrammar, weir_compiled_grammar, weir_compiled_grammar_free
}
shared_by_threads!(CompiledGrammar);
cloned_by!(CompiledGrammar, weir_compiled_grammar_clone);
debug_as_name!(CompiledGrammar);

/// The form of the functions that read a text and compile it.
type CompileText<Raw> = unsafe extern "C" fn(
    *const weir_compiler,
    weir_text,
    *const Raw,
    *mut *mut weir_compiled_grammar,
    *mut *mut weir_error,
) -> weir_status;

impl GrammarCompiler {
    /// Makes a compiler. The limits apply to everything that it compiles.
    pub fn new<'a>(tokenizer: &TokenizerInfo, limits: impl Into<Option<&'a Limits>>) -> Result<Self, Error> {
        with(limits.into(), |limits| {
            // SAFETY: the arguments are valid during the call, here and below.
            raw::build(|out, error| unsafe { weir_compiler_create(tokenizer.as_ptr(), limits, out, error) })
        })
        .map(Self::from_raw)
    }

    /// The tokenizer.
    #[must_use]
    pub fn tokenizer_info(&self) -> TokenizerInfo {
        TokenizerInfo::from_raw(raw::obtain(|out| unsafe {
            weir_compiler_tokenizer_info(self.as_ptr(), out)
        }))
    }
    /// The limits that apply to everything compiled here.
    #[must_use]
    pub fn limits(&self) -> Limits {
        // SAFETY: all fields are numbers.
        let mut raw = unsafe { raw::init(weir_limits_init) };
        raw::require(unsafe { weir_compiler_limits(self.as_ptr(), &mut raw) });
        // SAFETY: limits have no texts.
        unsafe { Limits::from_raw(&raw) }
    }

    /// Compiles a grammar.
    pub fn compile(&self, grammar: &Grammar) -> Result<CompiledGrammar, Error> {
        raw::build(|out, error| unsafe { weir_compiler_compile(self.as_ptr(), grammar.as_ptr(), out, error) })
            .map(CompiledGrammar::from_raw)
    }

    fn compile_with<O: Options>(
        &self,
        function: CompileText<O::Raw>,
        text: &str,
        options: Option<&O>,
    ) -> Result<CompiledGrammar, Error> {
        with(options, |options| {
            raw::build(|out, error| unsafe { function(self.as_ptr(), raw::text(text), options, out, error) })
        })
        .map(CompiledGrammar::from_raw)
    }
    /// Reads and compiles a grammar in weir's EBNF.
    pub fn compile_ebnf<'a>(
        &self,
        text: &str,
        options: impl Into<Option<&'a EbnfOptions>>,
    ) -> Result<CompiledGrammar, Error> {
        self.compile_with(weir_compiler_compile_ebnf, text, options.into())
    }
    /// Reads and compiles a grammar in the language that the options name.
    pub fn compile_text<'a>(
        &self,
        text: &str,
        options: impl Into<Option<&'a TextOptions>>,
    ) -> Result<CompiledGrammar, Error> {
        self.compile_with(weir_compiler_compile_text, text, options.into())
    }
    /// Reads and compiles a regular expression.
    pub fn compile_regex<'a>(
        &self,
        pattern: &str,
        options: impl Into<Option<&'a RegexOptions>>,
    ) -> Result<CompiledGrammar, Error> {
        self.compile_with(weir_compiler_compile_regex, pattern, options.into())
    }
    /// Reads and compiles a JSON Schema.
    pub fn compile_json_schema<'a>(
        &self,
        schema: &str,
        options: impl Into<Option<&'a JsonSchemaOptions>>,
    ) -> Result<CompiledGrammar, Error> {
        self.compile_with(weir_compiler_compile_json_schema, schema, options.into())
    }
    /// Reads and compiles a structural tag, which may refer to the tokenizer's special tokens.
    pub fn compile_structural_tag<'a>(
        &self,
        tag: &str,
        options: impl Into<Option<&'a StructuralTagOptions>>,
    ) -> Result<CompiledGrammar, Error> {
        self.compile_with(weir_compiler_compile_structural_tag, tag, options.into())
    }
    /// Reads and compiles a `response_format` of OpenAI's API.
    pub fn compile_response_format<'a>(
        &self,
        format: &str,
        options: impl Into<Option<&'a StructuralTagOptions>>,
    ) -> Result<CompiledGrammar, Error> {
        self.compile_with(weir_compiler_compile_response_format, format, options.into())
    }
    /// Compiles the language of the JSON texts of all values.
    pub fn compile_json<'a>(
        &self,
        options: impl Into<Option<&'a JsonSchemaOptions>>,
    ) -> Result<CompiledGrammar, Error> {
        with(options.into(), |options| {
            raw::build(|out, error| unsafe { weir_compiler_compile_json(self.as_ptr(), options, out, error) })
        })
        .map(CompiledGrammar::from_raw)
    }
    /// Compiles the language of the JSON texts of all objects.
    pub fn compile_json_object<'a>(
        &self,
        options: impl Into<Option<&'a JsonSchemaOptions>>,
    ) -> Result<CompiledGrammar, Error> {
        with(options.into(), |options| {
            raw::build(|out, error| unsafe { weir_compiler_compile_json_object(self.as_ptr(), options, out, error) })
        })
        .map(CompiledGrammar::from_raw)
    }
    /// Compiles the language of some strings, byte for byte.
    pub fn compile_choice<T: AsRef<[u8]>>(&self, strings: &[T]) -> Result<CompiledGrammar, Error> {
        let strings = raw::texts(strings);
        raw::build(|out, error| unsafe {
            weir_compiler_compile_choice(self.as_ptr(), raw::array(&strings), strings.len(), out, error)
        })
        .map(CompiledGrammar::from_raw)
    }
    /// Compiles the language of the stretches of `text` that consist of whole units.
    pub fn compile_substring(&self, text: &str, unit: SubstringUnit) -> Result<CompiledGrammar, Error> {
        raw::build(|out, error| unsafe {
            weir_compiler_compile_substring(self.as_ptr(), raw::text(text), unit as i32, out, error)
        })
        .map(CompiledGrammar::from_raw)
    }
    /// Compiles the language of the runs of neighbouring chunks, and the empty string.
    pub fn compile_substring_chunks<T: AsRef<[u8]>>(&self, chunks: &[T]) -> Result<CompiledGrammar, Error> {
        let chunks = raw::texts(chunks);
        raw::build(|out, error| unsafe {
            weir_compiler_compile_substring_chunks(self.as_ptr(), raw::array(&chunks), chunks.len(), out, error)
        })
        .map(CompiledGrammar::from_raw)
    }

    /// Counts of the cache of grammars.
    #[must_use]
    pub fn cache_stats(&self) -> CacheStats {
        CacheStats::read(|out| unsafe { weir_compiler_cache_stats(self.as_ptr(), out) })
    }
    /// Forgets all grammars. Those in use stay valid.
    pub fn clear_cache(&self) {
        raw::require(unsafe { weir_compiler_clear_cache(self.as_ptr()) });
    }
}

impl CompiledGrammar {
    /// The tokenizer.
    #[must_use]
    pub fn tokenizer_info(&self) -> TokenizerInfo {
        TokenizerInfo::from_raw(raw::obtain(|out| unsafe {
            weir_compiled_grammar_tokenizer_info(self.as_ptr(), out)
        }))
    }
    /// The warnings about the grammar's text.
    #[must_use]
    pub fn warnings(&self) -> Diagnostics {
        Diagnostics::from_raw(raw::obtain(|out| unsafe {
            weir_compiled_grammar_diagnostics(self.as_ptr(), out)
        }))
    }
    /// Counts of what is known of the grammar.
    #[must_use]
    pub fn stats(&self) -> EngineStats {
        EngineStats::read(|out| unsafe { weir_compiled_grammar_stats(self.as_ptr(), out) })
    }
    /// Explores the states that outputs are likely to meet, so that their masks are known when a matcher asks for them.
    /// It takes some milliseconds, in which other threads may use matchers of the grammar. No result changes by it.
    ///
    /// ```
    /// use weir::{GrammarCompiler, TokenizerInfo};
    /// let compiler = GrammarCompiler::new(&TokenizerInfo::builtin()?, None)?;
    /// let compiled = compiler.compile_json_schema(r#"{"type": "integer"}"#, None)?;
    /// let clone = compiled.clone();
    /// let warm_up = std::thread::spawn(move || clone.warm_up(None)); // while the model reads its prompt
    /// # assert!(warm_up.join().unwrap().masks > 0);
    /// # Ok::<(), weir::Error>(())
    /// ```
    pub fn warm_up<'a>(&self, options: impl Into<Option<&'a WarmUpOptions>>) -> WarmUpReport {
        with(options.into(), |options| {
            WarmUpReport::read(|out| unsafe { weir_compiled_grammar_warm_up(self.as_ptr(), options, out) })
        })
    }
    /// Ends the calls of [`warm_up`](Self::warm_up) for this grammar that are running now in other threads, whoever has
    /// made them. Each returns within some tenths of a millisecond; this function does not wait for them. What they
    /// have explored is kept.
    pub fn stop_warm_up(&self) {
        raw::require(unsafe { weir_compiled_grammar_stop_warm_up(self.as_ptr()) });
    }
}
