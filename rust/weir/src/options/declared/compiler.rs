// Written by tools/generate from the structs in include/weir. Do not edit.
use crate::options::*;

/// The contents of a compiler's cache of grammars, and counts of its use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheStats {
    /// Calls that found their grammar.
    pub hits: u64,
    /// Calls that compiled.
    pub misses: u64,
    /// Grammars dropped to stay within Limits::cache_memory.
    pub evictions: u64,
    /// Grammars held now.
    pub entries: u64,
    /// Bytes of their texts and of everything explored for them.
    pub memory_bytes: u64,
}

impl CacheStats {
    /// Calls a function that fills in the C struct.
    pub(crate) fn read(call: impl FnOnce(*mut weir_cache_stats) -> weir_status) -> Self {
        // SAFETY: all fields are numbers.
        let raw = unsafe { raw::filled(call) };
        Self {
            hits: raw.hits,
            misses: raw.misses,
            evictions: raw.evictions,
            entries: raw.entries,
            memory_bytes: raw.memory_bytes,
        }
    }
}

/// Counts of what exploring has cost so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineStats {
    /// Configurations interned.
    pub states: u64,
    /// Byte transitions computed (not looked up).
    pub transitions: u64,
    /// Earley rows interned.
    pub rows: u64,
    /// Items in them.
    pub row_items: u64,
    /// Continuations interned.
    pub continuations: u64,
    /// Lexer states interned.
    pub lexer_states: u64,
    /// Hash-consed expressions.
    pub regex_nodes: u64,
    /// Masks computed.
    pub masks: u64,
    /// Trie nodes visited for them.
    pub trie_nodes: u64,
    /// Residuals whose facts were computed; those known from another grammar do not count.
    pub facts: u64,
    /// Times that state_memory was reached and everything explored was dropped.
    pub cache_flushes: u64,
    /// Bytes that everything explored takes now.
    pub memory_bytes: u64,
}

impl EngineStats {
    /// Calls a function that fills in the C struct.
    pub(crate) fn read(call: impl FnOnce(*mut weir_engine_stats) -> weir_status) -> Self {
        // SAFETY: all fields are numbers.
        let raw = unsafe { raw::filled(call) };
        Self {
            states: raw.states,
            transitions: raw.transitions,
            rows: raw.rows,
            row_items: raw.row_items,
            continuations: raw.continuations,
            lexer_states: raw.lexer_states,
            regex_nodes: raw.regex_nodes,
            masks: raw.masks,
            trie_nodes: raw.trie_nodes,
            facts: raw.facts,
            cache_flushes: raw.cache_flushes,
            memory_bytes: raw.memory_bytes,
        }
    }
}

/// How much CompiledGrammar::warm_up explores.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct WarmUpOptions {
    /// Steps of work, as Limits::call_work counts them: 0.03 to 0.1 µs each. The default is `60,000`.
    pub work: u64,
}

impl WarmUpOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Steps of work, as Limits::call_work counts them: 0.03 to 0.1 µs each. The default is `60,000`.
    #[must_use]
    pub fn work(mut self, work: u64) -> Self {
        self.work = work;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_warm_up_options) -> Self {
        Self {
            work: raw.work,
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_warm_up_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_warm_up_options_init) };
        raw.work = self.work;
        raw
    }
}

impl Default for WarmUpOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_warm_up_options_init)) }
    }
}

impl Options for WarmUpOptions {
    type Raw = weir_warm_up_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        f(&self.plain_raw())
    }
}

/// What CompiledGrammar::warm_up has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WarmUpReport {
    /// Steps that this call took.
    pub work: u64,
    /// Masks that were computed.
    pub masks: u64,
    /// True if everything that warm-up explores is explored.
    pub is_complete: bool,
}

impl WarmUpReport {
    /// Calls a function that fills in the C struct.
    pub(crate) fn read(call: impl FnOnce(*mut weir_warm_up_report) -> weir_status) -> Self {
        // SAFETY: all fields are numbers.
        let raw = unsafe { raw::filled(call) };
        Self {
            work: raw.work,
            masks: raw.masks,
            is_complete: raw.is_complete,
        }
    }
}
