use std::ops::Range;

use weir_sys::*;

use crate::compiler::CompiledGrammar;
use crate::error::Error;
use crate::matcher::GrammarMatcher;
use crate::options::{with, Limits, ReplyEventKind, ReplyOptions};
use crate::raw::{self, debug_as_name, handle, OwnedText};
use crate::tokenizer::TokenizerInfo;

handle! {
    /// Reads what a model wrote - reasoning, text, calls of tools - in pieces of any size, and gives events. Events that
    /// are joined are the same for all cuts: `docs/replies.md` has the rules.
    ///
    /// ```
    /// use weir::{ReplyParser, ReplyPart};
    /// let tools = r#"[{"name": "time", "parameters": {"properties": {"zone": {"type": "string"}}}}]"#;
    /// let mut parser = ReplyParser::new("hermes", tools, None, None)?;
    /// let mut arguments = String::new();
    /// for chunk in ["One moment. <tool_", "call>{\"name\": \"time\", \"arguments\": {\"zone\": ", "\"UTC\"}}</tool_call>"] {
    ///     for event in parser.feed(chunk)? {
    ///         match event.part {
    ///             ReplyPart::Text(text) => print!("{text}"),
    ///             ReplyPart::Arguments { text, .. } => arguments += &text,
    ///             _ => {}
    ///         }
    ///     }
    /// }
    /// parser.finish()?;
    /// assert_eq!(arguments, r#"{"zone": "UTC"}"#);
    /// # Ok::<(), weir::Error>(())
    /// ```
    ReplyParser, weir_reply_parser, weir_reply_parser_free
}
debug_as_name!(ReplyParser);
// SAFETY: as a matcher's: one thread at a time, whichever thread it is.
unsafe impl Send for ReplyParser {}

/// What a part of a reply is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ReplyPart {
    /// The opening tag of the reasoning.
    ReasoningBegins,
    /// Continues the reasoning.
    Reasoning(String),
    /// The closing tag of the reasoning.
    ReasoningEnds,
    /// Continues the answer.
    Text(String),
    /// A call begins.
    CallBegins {
        /// The number of the call, from 0.
        call: u32,
        /// Its whole name.
        name: String,
        /// The id that the model wrote, where the form has one.
        id: Option<String>,
    },
    /// Continues the arguments of a call.
    Arguments {
        /// The number of the call.
        call: u32,
        /// The text of JSON that follows.
        text: String,
    },
    /// The arguments are complete JSON.
    CallEnds {
        /// The number of the call.
        call: u32,
    },
    /// With [`ReplyOptions::values`]: a value within arguments, or an answer in JSON. Its range is empty.
    Value {
        /// `ObjectBegins`, `ArrayBegins`, `String`, `Number`, `Boolean`, `Null`, `StringEnds`, `ObjectEnds` or `ArrayEnds`.
        kind: ReplyEventKind,
        /// The name of the member, or the index of the item; empty at the top.
        key: String,
        /// The number of objects and arrays around the value.
        depth: u32,
        /// Continues a string, without escapes, or is the number, or `true` or `false`.
        text: String,
    },
    /// The call is not valid.
    CallInvalid {
        /// The number that it had.
        call: u32,
        /// All of it, as it was written. It is content.
        text: String,
        /// Why it is none.
        reason: String,
    },
    /// Bytes that say nothing by themselves.
    Markup,
    /// Continues the input of a call of a custom tool.
    Input {
        /// The number of the call.
        call: u32,
        /// The text that follows, as it is.
        text: String,
    },
    /// A capture of a grammar begins. It may contain others. Its range is empty, and so is that of its end.
    CaptureBegins(String),
    /// Continues the innermost capture that has not ended.
    Capture {
        /// Its name.
        name: String,
        /// The text that follows.
        text: String,
    },
    /// The capture of this name is complete.
    CaptureEnds(String),
}

impl ReplyPart {
    /// Returns the kind, which has the name that all of weir's interfaces use.
    #[must_use]
    pub fn kind(&self) -> ReplyEventKind {
        match self {
            Self::ReasoningBegins => ReplyEventKind::ReasoningBegins,
            Self::Reasoning(_) => ReplyEventKind::Reasoning,
            Self::ReasoningEnds => ReplyEventKind::ReasoningEnds,
            Self::Text(_) => ReplyEventKind::Text,
            Self::CallBegins { .. } => ReplyEventKind::CallBegins,
            Self::Arguments { .. } => ReplyEventKind::Arguments,
            Self::CallEnds { .. } => ReplyEventKind::CallEnds,
            Self::CallInvalid { .. } => ReplyEventKind::CallInvalid,
            Self::Markup => ReplyEventKind::Markup,
            Self::Value { kind, .. } => *kind,
            Self::Input { .. } => ReplyEventKind::Input,
            Self::CaptureBegins(_) => ReplyEventKind::CaptureBegins,
            Self::Capture { .. } => ReplyEventKind::Capture,
            Self::CaptureEnds(_) => ReplyEventKind::CaptureEnds,
        }
    }
}

/// A part of a reply, and its bytes. The ranges of all events are the whole reply, without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ReplyEvent {
    /// What it is.
    pub part: ReplyPart,
    /// The bytes of the reply that the event accounts for.
    pub range: Range<usize>,
}

impl ReplyEvent {
    /// # Safety
    /// The texts of `raw` must be valid during the call.
    unsafe fn from_raw(raw: &weir_reply_event) -> Self {
        let call = raw.call;
        // SAFETY: the caller's promise.
        let (text, name, id, reason) = unsafe {
            (
                raw::string(raw.text),
                raw::string(raw.name),
                raw::optional_string(raw.id),
                raw::string(raw.reason),
            )
        };
        let part = match ReplyEventKind::from_raw(raw.kind) {
            ReplyEventKind::ReasoningBegins => ReplyPart::ReasoningBegins,
            ReplyEventKind::Reasoning => ReplyPart::Reasoning(text),
            ReplyEventKind::ReasoningEnds => ReplyPart::ReasoningEnds,
            ReplyEventKind::Text => ReplyPart::Text(text),
            ReplyEventKind::CallBegins => ReplyPart::CallBegins { call, name, id },
            ReplyEventKind::Arguments => ReplyPart::Arguments { call, text },
            ReplyEventKind::CallEnds => ReplyPart::CallEnds { call },
            ReplyEventKind::CallInvalid => ReplyPart::CallInvalid { call, text, reason },
            ReplyEventKind::Markup => ReplyPart::Markup,
            ReplyEventKind::Input => ReplyPart::Input { call, text },
            ReplyEventKind::CaptureBegins => ReplyPart::CaptureBegins(name),
            ReplyEventKind::Capture => ReplyPart::Capture { name, text },
            ReplyEventKind::CaptureEnds => ReplyPart::CaptureEnds(name),
            kind => ReplyPart::Value {
                kind,
                // SAFETY: the caller's promise.
                key: unsafe { raw::string(raw.key) },
                depth: raw.depth,
                text,
            },
        };
        Self {
            part,
            range: raw.start..raw.end,
        }
    }
}

impl ReplyParser {
    /// `style` is one of [`tool_styles`](crate::tool_styles) or the JSON text of a response template, `tools` a list of
    /// tools as in OpenAI's interface, as JSON; `"null"`: there are none.
    pub fn new<'a>(
        style: &str,
        tools: &str,
        options: impl Into<Option<&'a ReplyOptions>>,
        limits: impl Into<Option<&'a Limits>>,
    ) -> Result<Self, Error> {
        with(options.into(), |options| {
            with(limits.into(), |limits| {
                // SAFETY: the arguments are valid during the call, here and below.
                raw::build(|out, error| unsafe {
                    weir_reply_parser_create(raw::text(style), raw::text(tools), options, limits, out, error)
                })
            })
        })
        .map(Self::from_raw)
    }

    /// A parser of the texts of a grammar: of the values of a schema, or of the captures of a structural tag or another
    /// grammar.
    ///
    /// ```
    /// use weir::{GrammarCompiler, ReplyParser, ReplyPart, TokenizerInfo};
    /// let compiler = GrammarCompiler::new(&TokenizerInfo::builtin()?, None)?;
    /// let compiled = compiler.compile_ebnf("root ::= @capture(name: [a-z]+) \"=\" [0-9]+", None)?;
    /// let mut parser = ReplyParser::for_grammar(&compiled)?;
    /// let events = parser.feed("ab=")?;
    /// assert_eq!(events[0].part, ReplyPart::CaptureBegins("name".into()));
    /// assert_eq!(events[2].part, ReplyPart::CaptureEnds("name".into()));
    /// # Ok::<(), weir::Error>(())
    /// ```
    pub fn for_grammar(grammar: &CompiledGrammar) -> Result<Self, Error> {
        raw::build(|out, error| unsafe { weir_reply_parser_for_grammar(grammar.as_ptr(), out, error) })
            .map(Self::from_raw)
    }

    /// Calls a function that reads, and returns its events.
    fn read(
        &mut self,
        call: impl FnOnce(*mut weir_reply_parser, *mut *mut weir_error) -> weir_status,
    ) -> Result<Vec<ReplyEvent>, Error> {
        let parser = self.as_ptr();
        raw::check(|error| call(parser, error))?;
        // SAFETY: the texts of an event are valid until the next call, and all fields of its struct may be zero.
        Ok(unsafe {
            (0..weir_reply_parser_event_count(parser))
                .map(|index| ReplyEvent::from_raw(&raw::filled(|out| weir_reply_parser_event(parser, index, out))))
                .collect()
        })
    }

    /// Reads a piece of the reply; it may end within a character. Returns the events that have become certain. With
    /// [`ReplyMode::Strict`](crate::ReplyMode::Strict), a piece that the tag refuses is an error, whose range is of the
    /// reply. After an error the parser is as before.
    pub fn feed(&mut self, piece: impl AsRef<[u8]>) -> Result<Vec<ReplyEvent>, Error> {
        self.read(|parser, error| unsafe { weir_reply_parser_feed(parser, raw::text(&piece), error) })
    }
    /// Reads tokens: text, or special tokens, which stand for their names. A stop token adds nothing.
    pub fn feed_tokens(&mut self, tokens: &[u32], tokenizer: &TokenizerInfo) -> Result<Vec<ReplyEvent>, Error> {
        self.read(|parser, error| unsafe {
            weir_reply_parser_feed_tokens(parser, raw::array(tokens), tokens.len(), tokenizer.as_ptr(), error)
        })
    }
    /// Reads what the matcher has accepted since the last call, so that tokens are accepted once. The reply has ended if
    /// `ends`, or if the matcher has accepted a stop token. Steps that have been read cannot be taken back: call it after
    /// drafted tokens were verified. If the parser is of a grammar, the matcher is one of the same compiled grammar.
    pub fn follow(&mut self, matcher: &mut GrammarMatcher, ends: bool) -> Result<Vec<ReplyEvent>, Error> {
        self.read(|parser, error| unsafe { weir_reply_parser_follow(parser, matcher.as_ptr(), ends, error) })
    }
    /// Ends the reply. Returns the events that were held back; a call that is not complete is not valid.
    pub fn finish(&mut self) -> Result<Vec<ReplyEvent>, Error> {
        self.read(|parser, error| unsafe { weir_reply_parser_finish(parser, error) })
    }
    /// Ends a reply that was cut, by a bound on its tokens, say. Returns the events that were held back, as `finish` does,
    /// and does not ask whether the reply is complete. Also after `follow`.
    pub fn cut(&mut self) -> Result<Vec<ReplyEvent>, Error> {
        self.read(|parser, error| unsafe { weir_reply_parser_cut(parser, error) })
    }
    /// Begins another reply.
    pub fn reset(&mut self) {
        raw::require(unsafe { weir_reply_parser_reset(self.as_ptr()) });
    }

    /// Returns the reply so far as JSON: `{"reasoning": string or null, "content": string or null, "tool_calls": [{"id",
    /// "name", "arguments"}]}`. A call in progress has `partial_arguments`, a string, in the place of `arguments`.
    #[must_use]
    pub fn snapshot(&self) -> String {
        let mut out = OwnedText::new();
        raw::require(unsafe { weir_reply_parser_snapshot(self.as_ptr(), &mut out.0) });
        out.to_text()
    }
    /// The number of bytes that were read.
    #[must_use]
    pub fn size(&self) -> usize {
        unsafe { weir_reply_parser_size(self.as_ptr()) }
    }
}
