// Written by tools/generate from the structs in include/weir. Do not edit.
use crate::options::*;

/// Limits of the work.
///
/// ```
/// let limits = weir::Limits::new().nesting(50).text_bytes(1 << 20);
/// assert_eq!(weir::Limits::default().nesting, 1000);
/// assert_eq!(limits.nesting, 50);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of the text of a grammar, a schema or a pattern. The default is `67,108,864`.
    pub text_bytes: u64,
    /// Levels of nesting in a grammar, a schema or a pattern. The default is `1,000`.
    pub nesting: u32,
    /// Symbols in the productions of a grammar, plus one for each production's end. The default is `4,000,000`.
    pub grammar_symbols: u32,
    /// The largest bound of a counted repeat, `{m,n}`, in a grammar or a pattern. The default is `1,000,000,000`.
    pub repeat_count: u32,
    /// Digits of one number in a JSON schema. The default is `10,000`.
    pub number_digits: u32,
    /// Steps in finding out what a schema allows at one place: keywords, combinations of alternatives, candidates for
    /// values. The default is `2,000,000`.
    pub schema_steps: u64,
    /// States of an automaton over tokens, and of the automaton over bytes that it is made of (token_dfa.h). The
    /// default is `1,000,000`.
    pub token_dfa_states: u32,
    /// Transitions of an automaton over tokens, and entries of a tokenizer's states; 8 bytes each; up to 40 while the
    /// automaton is built. The default is `40,000,000`.
    pub token_dfa_transitions: u64,
    /// Steps of work that one call may take: one mask, one accepted token, one completion. The default is `2,000,000`.
    pub call_work: u64,
    /// Hash-consed regular expressions that one grammar may create, residuals included; about 40 bytes each. The
    /// default is `8,000,000`.
    pub regex_nodes: u32,
    /// Expressions that one search for "does this match anything?" may visit. The default is `100,000`.
    pub regex_fuel: u32,
    /// Interned lexer states of one grammar; about 100 bytes and a table row each. The default is `1,000,000`.
    pub lexer_states: u32,
    /// Items (dotted rules with their continuations) of one Earley row, predictions included. The default is
    /// `1,000,000`.
    pub row_items: u32,
    /// Threads (row and lexer state) of one configuration, that is, readings of the text that are followed at once. The
    /// default is `10,000`.
    pub configuration_threads: u32,
    /// Threads that one search for a completion under conditions may visit (greedy terminals and look-ahead only). The
    /// default is `20,000`.
    pub lookahead_threads: u32,
    /// Items for reading the captures of one output (GrammarMatcher::captures); about 60 bytes each, held from the
    /// first call to captures on. The default is `10,000,000`.
    pub capture_items: u32,
    /// Bytes of a shortest completion, or of a jump-forward string. The default is `16,777,216`.
    pub completion_bytes: u32,
    /// Bytes of explored states, rows and masks that a compiled grammar keeps. The default is `268,435,456`.
    pub state_memory: u64,
    /// Bytes of compiled grammars that a GrammarCompiler remembers. The default is `134,217,728`.
    pub cache_memory: u64,
}

impl Limits {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Bytes of the text of a grammar, a schema or a pattern. The default is `67,108,864`.
    #[must_use]
    pub fn text_bytes(mut self, text_bytes: u64) -> Self {
        self.text_bytes = text_bytes;
        self
    }
    /// Levels of nesting in a grammar, a schema or a pattern. The default is `1,000`.
    #[must_use]
    pub fn nesting(mut self, nesting: u32) -> Self {
        self.nesting = nesting;
        self
    }
    /// Symbols in the productions of a grammar, plus one for each production's end. The default is `4,000,000`.
    #[must_use]
    pub fn grammar_symbols(mut self, grammar_symbols: u32) -> Self {
        self.grammar_symbols = grammar_symbols;
        self
    }
    /// The largest bound of a counted repeat, `{m,n}`, in a grammar or a pattern. The default is `1,000,000,000`.
    #[must_use]
    pub fn repeat_count(mut self, repeat_count: u32) -> Self {
        self.repeat_count = repeat_count;
        self
    }
    /// Digits of one number in a JSON schema. The default is `10,000`.
    #[must_use]
    pub fn number_digits(mut self, number_digits: u32) -> Self {
        self.number_digits = number_digits;
        self
    }
    /// Steps in finding out what a schema allows at one place: keywords, combinations of alternatives, candidates for
    /// values. The default is `2,000,000`.
    #[must_use]
    pub fn schema_steps(mut self, schema_steps: u64) -> Self {
        self.schema_steps = schema_steps;
        self
    }
    /// States of an automaton over tokens, and of the automaton over bytes that it is made of (token_dfa.h). The
    /// default is `1,000,000`.
    #[must_use]
    pub fn token_dfa_states(mut self, token_dfa_states: u32) -> Self {
        self.token_dfa_states = token_dfa_states;
        self
    }
    /// Transitions of an automaton over tokens, and entries of a tokenizer's states; 8 bytes each; up to 40 while the
    /// automaton is built. The default is `40,000,000`.
    #[must_use]
    pub fn token_dfa_transitions(mut self, token_dfa_transitions: u64) -> Self {
        self.token_dfa_transitions = token_dfa_transitions;
        self
    }
    /// Steps of work that one call may take: one mask, one accepted token, one completion. The default is `2,000,000`.
    #[must_use]
    pub fn call_work(mut self, call_work: u64) -> Self {
        self.call_work = call_work;
        self
    }
    /// Hash-consed regular expressions that one grammar may create, residuals included; about 40 bytes each. The
    /// default is `8,000,000`.
    #[must_use]
    pub fn regex_nodes(mut self, regex_nodes: u32) -> Self {
        self.regex_nodes = regex_nodes;
        self
    }
    /// Expressions that one search for "does this match anything?" may visit. The default is `100,000`.
    #[must_use]
    pub fn regex_fuel(mut self, regex_fuel: u32) -> Self {
        self.regex_fuel = regex_fuel;
        self
    }
    /// Interned lexer states of one grammar; about 100 bytes and a table row each. The default is `1,000,000`.
    #[must_use]
    pub fn lexer_states(mut self, lexer_states: u32) -> Self {
        self.lexer_states = lexer_states;
        self
    }
    /// Items (dotted rules with their continuations) of one Earley row, predictions included. The default is
    /// `1,000,000`.
    #[must_use]
    pub fn row_items(mut self, row_items: u32) -> Self {
        self.row_items = row_items;
        self
    }
    /// Threads (row and lexer state) of one configuration, that is, readings of the text that are followed at once. The
    /// default is `10,000`.
    #[must_use]
    pub fn configuration_threads(mut self, configuration_threads: u32) -> Self {
        self.configuration_threads = configuration_threads;
        self
    }
    /// Threads that one search for a completion under conditions may visit (greedy terminals and look-ahead only). The
    /// default is `20,000`.
    #[must_use]
    pub fn lookahead_threads(mut self, lookahead_threads: u32) -> Self {
        self.lookahead_threads = lookahead_threads;
        self
    }
    /// Items for reading the captures of one output (GrammarMatcher::captures); about 60 bytes each, held from the
    /// first call to captures on. The default is `10,000,000`.
    #[must_use]
    pub fn capture_items(mut self, capture_items: u32) -> Self {
        self.capture_items = capture_items;
        self
    }
    /// Bytes of a shortest completion, or of a jump-forward string. The default is `16,777,216`.
    #[must_use]
    pub fn completion_bytes(mut self, completion_bytes: u32) -> Self {
        self.completion_bytes = completion_bytes;
        self
    }
    /// Bytes of explored states, rows and masks that a compiled grammar keeps. The default is `268,435,456`.
    #[must_use]
    pub fn state_memory(mut self, state_memory: u64) -> Self {
        self.state_memory = state_memory;
        self
    }
    /// Bytes of compiled grammars that a GrammarCompiler remembers. The default is `134,217,728`.
    #[must_use]
    pub fn cache_memory(mut self, cache_memory: u64) -> Self {
        self.cache_memory = cache_memory;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_limits) -> Self {
        Self {
            text_bytes: raw.text_bytes,
            nesting: raw.nesting,
            grammar_symbols: raw.grammar_symbols,
            repeat_count: raw.repeat_count,
            number_digits: raw.number_digits,
            schema_steps: raw.schema_steps,
            token_dfa_states: raw.token_dfa_states,
            token_dfa_transitions: raw.token_dfa_transitions,
            call_work: raw.call_work,
            regex_nodes: raw.regex_nodes,
            regex_fuel: raw.regex_fuel,
            lexer_states: raw.lexer_states,
            row_items: raw.row_items,
            configuration_threads: raw.configuration_threads,
            lookahead_threads: raw.lookahead_threads,
            capture_items: raw.capture_items,
            completion_bytes: raw.completion_bytes,
            state_memory: raw.state_memory,
            cache_memory: raw.cache_memory,
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_limits {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_limits_init) };
        raw.text_bytes = self.text_bytes;
        raw.nesting = self.nesting;
        raw.grammar_symbols = self.grammar_symbols;
        raw.repeat_count = self.repeat_count;
        raw.number_digits = self.number_digits;
        raw.schema_steps = self.schema_steps;
        raw.token_dfa_states = self.token_dfa_states;
        raw.token_dfa_transitions = self.token_dfa_transitions;
        raw.call_work = self.call_work;
        raw.regex_nodes = self.regex_nodes;
        raw.regex_fuel = self.regex_fuel;
        raw.lexer_states = self.lexer_states;
        raw.row_items = self.row_items;
        raw.configuration_threads = self.configuration_threads;
        raw.lookahead_threads = self.lookahead_threads;
        raw.capture_items = self.capture_items;
        raw.completion_bytes = self.completion_bytes;
        raw.state_memory = self.state_memory;
        raw.cache_memory = self.cache_memory;
        raw
    }
}

impl Default for Limits {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_limits_init)) }
    }
}

impl Options for Limits {
    type Raw = weir_limits;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        f(&self.plain_raw())
    }
}
