// Written by tools/generate from the structs in include/weir. Do not edit.
use crate::options::*;

/// How a model may call tools.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct ToolOptions {
    /// JSON as in OpenAI's API: "none", "auto", "required", an object that names one function, or an `allowed_tools`
    /// object. The default is "\"auto\"".
    pub tool_choice: String,
    /// True if several calls are allowed, where the style has a way to write them. The default is `true`.
    pub parallel_tool_calls: bool,
    /// Whether the output begins with reasoning. The default is "none".
    pub reasoning: Reasoning,
    /// The most tokens of reasoning; 0: any number.
    pub max_reasoning_tokens: u32,
    /// A text that may stand between reasoning and the tag that ends it, beyond the bound on tokens.
    pub reasoning_closing: String,
    /// JSON as in OpenAI's API: what an answer without calls is.
    pub response_format: String,
    /// What becomes of a tool with a schema that is refused. The default is "refuse".
    pub on_bad_tool: OnBadTool,
}

impl ToolOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// JSON as in OpenAI's API: "none", "auto", "required", an object that names one function, or an `allowed_tools`
    /// object. The default is "\"auto\"".
    #[must_use]
    pub fn tool_choice(mut self, tool_choice: impl Into<String>) -> Self {
        self.tool_choice = tool_choice.into();
        self
    }
    /// True if several calls are allowed, where the style has a way to write them. The default is `true`.
    #[must_use]
    pub fn parallel_tool_calls(mut self, parallel_tool_calls: bool) -> Self {
        self.parallel_tool_calls = parallel_tool_calls;
        self
    }
    /// Whether the output begins with reasoning. The default is "none".
    #[must_use]
    pub fn reasoning(mut self, reasoning: Reasoning) -> Self {
        self.reasoning = reasoning;
        self
    }
    /// The most tokens of reasoning; 0: any number.
    #[must_use]
    pub fn max_reasoning_tokens(mut self, max_reasoning_tokens: u32) -> Self {
        self.max_reasoning_tokens = max_reasoning_tokens;
        self
    }
    /// A text that may stand between reasoning and the tag that ends it, beyond the bound on tokens.
    #[must_use]
    pub fn reasoning_closing(mut self, reasoning_closing: impl Into<String>) -> Self {
        self.reasoning_closing = reasoning_closing.into();
        self
    }
    /// JSON as in OpenAI's API: what an answer without calls is.
    #[must_use]
    pub fn response_format(mut self, response_format: impl Into<String>) -> Self {
        self.response_format = response_format.into();
        self
    }
    /// What becomes of a tool with a schema that is refused. The default is "refuse".
    #[must_use]
    pub fn on_bad_tool(mut self, on_bad_tool: OnBadTool) -> Self {
        self.on_bad_tool = on_bad_tool;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_tool_options) -> Self {
        Self {
            // SAFETY: the caller's promise.
            tool_choice: unsafe { raw::string(raw.tool_choice) },
            parallel_tool_calls: raw.parallel_tool_calls,
            reasoning: Reasoning::from_raw(raw.reasoning),
            max_reasoning_tokens: raw.max_reasoning_tokens,
            // SAFETY: the caller's promise.
            reasoning_closing: unsafe { raw::string(raw.reasoning_closing) },
            // SAFETY: the caller's promise.
            response_format: unsafe { raw::string(raw.response_format) },
            on_bad_tool: OnBadTool::from_raw(raw.on_bad_tool),
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_tool_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_tool_options_init) };
        raw.tool_choice = raw::text(&self.tool_choice);
        raw.parallel_tool_calls = self.parallel_tool_calls;
        raw.reasoning = self.reasoning as i32;
        raw.max_reasoning_tokens = self.max_reasoning_tokens;
        raw.reasoning_closing = raw::text(&self.reasoning_closing);
        raw.response_format = raw::text(&self.response_format);
        raw.on_bad_tool = self.on_bad_tool as i32;
        raw
    }
}

impl Default for ToolOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_tool_options_init)) }
    }
}

impl Options for ToolOptions {
    type Raw = weir_tool_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        f(&self.plain_raw())
    }
}
