// Written by tools/generate from the structs in include/weir. Do not edit.
use crate::options::*;

/// How a reply is read.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct ReplyOptions {
    /// What the reply may be. `None`: the defaults.
    pub tools: Option<ToolOptions>,
    /// Which replies are read. The default is "tolerant".
    pub mode: ReplyMode,
    /// True if events also say which values arguments, and answers in JSON, consist of.
    pub values: bool,
}

impl ReplyOptions {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// What the reply may be. `None`: the defaults.
    #[must_use]
    pub fn tools(mut self, tools: Option<ToolOptions>) -> Self {
        self.tools = tools;
        self
    }
    /// Which replies are read. The default is "tolerant".
    #[must_use]
    pub fn mode(mut self, mode: ReplyMode) -> Self {
        self.mode = mode;
        self
    }
    /// True if events also say which values arguments, and answers in JSON, consist of.
    #[must_use]
    pub fn values(mut self, values: bool) -> Self {
        self.values = values;
        self
    }

    /// # Safety
    /// The texts of `raw` must be valid during the call.
    pub(crate) unsafe fn from_raw(raw: &weir_reply_options) -> Self {
        Self {
            tools: Default::default(),
            mode: ReplyMode::from_raw(raw.mode),
            values: raw.values,
        }
    }
    /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
    fn plain_raw(&self) -> weir_reply_options {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_reply_options_init) };
        raw.mode = self.mode as i32;
        raw.values = self.values;
        raw
    }
}

impl Default for ReplyOptions {
    fn default() -> Self {
        // SAFETY: all fields may be zero; texts of the defaults are constants.
        unsafe { Self::from_raw(&raw::init(weir_reply_options_init)) }
    }
}

impl Options for ReplyOptions {
    type Raw = weir_reply_options;
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R {
        with(self.tools.as_ref(), |tools| {
            let mut raw = self.plain_raw();
            raw.tools = tools;
            f(&raw)
        })
    }
}
