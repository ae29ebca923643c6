//! Options as plain structs. Their defaults are the library's.

use std::ptr;

use weir_sys::*;

use crate::error::Error;
use crate::raw;

/// Options that have a struct in weir_c.h.
pub(crate) trait Options {
    type Raw;
    /// Calls `f` with the struct, which is valid during the call.
    fn with_raw<R>(&self, f: impl FnOnce(*const Self::Raw) -> R) -> R;
}

/// Calls `f` with the struct of `options`, or with null, which means the defaults.
pub(crate) fn with<O: Options, R>(options: Option<&O>, f: impl FnOnce(*const O::Raw) -> R) -> R {
    match options {
        Some(options) => options.with_raw(f),
        None => f(ptr::null()),
    }
}

/// An enumeration of weir_c.h, with the words that all of weir's interfaces use.
macro_rules! enumeration {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $value:ident, $word:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(i32)]
        pub enum $name {
            $($(#[$variant_meta])* #[cfg_attr(feature = "serde", serde(rename = $word))] $variant = $value,)*
        }

        impl $name {
            #[allow(dead_code)]
            pub(crate) fn from_raw(raw: i32) -> Self {
                match raw {
                    $($value => Self::$variant,)*
                    _ => unreachable!("an enumerator that weir_c.h does not have"),
                }
            }
            /// Returns the name that all of weir's interfaces use.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl Value for $name {
            type Raw = i32;
            fn from_raw(raw: i32) -> Self {
                Self::from_raw(raw)
            }
            fn to_raw(self) -> i32 {
                self as i32
            }
        }
    };
}

/// A value that a C struct holds as it is, or as the number of an enumerator.
pub(crate) trait Value: Copy {
    type Raw;
    fn from_raw(raw: Self::Raw) -> Self;
    fn to_raw(self) -> Self::Raw;
}

macro_rules! same_in_c {
    ($($type:ty)*) => {
        $(impl Value for $type {
            type Raw = Self;
            fn from_raw(raw: Self) -> Self {
                raw
            }
            fn to_raw(self) -> Self {
                self
            }
        })*
    };
}
same_in_c!(bool u32 u64);

/// A struct of options: public fields, and a method of the same name for each, which returns the changed options. `$raw` is
/// its struct in weir_c.h, `$init` the function that sets the defaults.
///
/// `pointers` are the fields for which the C struct has a pointer. They are empty by default; for a struct that has some,
/// tools/generate implements `Options`, with `plain_raw` for the other fields.
macro_rules! options {
    ($(#[$meta:meta])* $name:ident, $raw:ident, $init:ident {
        texts { $($(#[$text_meta:meta])* $text:ident,)* }
        values { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }
    }) => {
        options! {
            $(#[$meta])* $name, $raw, $init {
                texts { $($(#[$text_meta])* $text,)* }
                values { $($(#[$field_meta])* $field: $type,)* }
                pointers {}
            }
        }

        impl Options for $name {
            type Raw = $raw;
            fn with_raw<R>(&self, f: impl FnOnce(*const $raw) -> R) -> R {
                f(&self.plain_raw())
            }
        }
    };
    ($(#[$meta:meta])* $name:ident, $raw:ident, $init:ident {
        texts { $($(#[$text_meta:meta])* $text:ident,)* }
        values { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }
        pointers { $($(#[$pointer_meta:meta])* $pointer:ident: $pointer_type:ty,)* }
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$text_meta])* pub $text: String,)*
            $($(#[$field_meta])* pub $field: $type,)*
            $($(#[$pointer_meta])* pub $pointer: $pointer_type,)*
        }

        impl $name {
            /// Returns the defaults.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }
            $($(#[$text_meta])* #[must_use]
            pub fn $text(mut self, $text: impl Into<String>) -> Self {
                self.$text = $text.into();
                self
            })*
            $($(#[$field_meta])* #[must_use]
            pub fn $field(mut self, $field: $type) -> Self {
                self.$field = $field;
                self
            })*
            $($(#[$pointer_meta])* #[must_use]
            pub fn $pointer(mut self, $pointer: $pointer_type) -> Self {
                self.$pointer = $pointer;
                self
            })*

            /// # Safety
            /// The texts of `raw` must be valid during the call.
            pub(crate) unsafe fn from_raw(raw: &$raw) -> Self {
                Self {
                    // SAFETY: the caller's promise.
                    $($text: unsafe { raw::string(raw.$text) },)*
                    $($field: Value::from_raw(raw.$field),)*
                    $($pointer: Default::default(),)*
                }
            }
            /// Returns the C struct, with its pointers unset. Its texts are those of `self`.
            fn plain_raw(&self) -> $raw {
                // SAFETY: all fields may be zero.
                #[allow(unused_mut)]
                let mut raw = unsafe { raw::init($init) };
                $(raw.$text = raw::text(&self.$text);)*
                $(raw.$field = self.$field.to_raw();)*
                raw
            }
        }

        impl Default for $name {
            fn default() -> Self {
                // SAFETY: all fields may be zero; texts of the defaults are constants.
                unsafe { Self::from_raw(&raw::init($init)) }
            }
        }
    };
}

/// A struct of numbers: weir_c.h's, without the field `struct_size`.
macro_rules! numbers {
    ($(#[$meta:meta])* $name:ident, $raw:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $name {
            /// Calls a function that fills in the C struct.
            pub(crate) fn read(call: impl FnOnce(*mut $raw) -> weir_status) -> Self {
                let mut raw = std::mem::MaybeUninit::<$raw>::zeroed();
                // SAFETY: all fields are numbers.
                let raw = unsafe {
                    (*raw.as_mut_ptr()).struct_size = std::mem::size_of::<$raw>();
                    crate::raw::require(call(raw.as_mut_ptr()));
                    raw.assume_init()
                };
                Self { $($field: raw.$field,)* }
            }
        }
    };
}
// Their declarations, written by tools/generate from the headers in include/weir.
#[rustfmt::skip]
mod declared;
pub use declared::*;

impl std::str::FromStr for GrammarSyntax {
    type Err = Error;
    /// Returns the syntax of this name.
    fn from_str(name: &str) -> Result<Self, Error> {
        let mut out = 0;
        // SAFETY: the arguments are valid during the call.
        match unsafe { weir_grammar_syntax_named(raw::text(name), &mut out) } {
            WEIR_OK => Ok(Self::from_raw(out)),
            _ => Err(Error::invalid(format!("unknown syntax `{name}`"))),
        }
    }
}

impl JsonSchemaOptions {
    /// Returns the options of a profile, or `None` if there is none of this name.
    #[must_use]
    pub fn profile(name: &str) -> Option<Self> {
        // SAFETY: all fields may be zero.
        let mut raw = unsafe { raw::init(weir_json_schema_options_init) };
        // SAFETY: the arguments are valid during the call.
        let status = unsafe { weir_schema_profile(raw::text(name), &mut raw, std::mem::size_of_val(&raw)) };
        // SAFETY: texts of profiles are constants.
        (status == WEIR_OK).then(|| unsafe { Self::from_raw(&raw) })
    }
    /// Returns the profile "exact", which allows every text of a valid value. It is the default.
    #[must_use]
    pub fn exact() -> Self {
        Self::profile("exact").expect("the library has this profile")
    }
    /// Returns the profile "serving": forms that models write and clients read well.
    #[must_use]
    pub fn serving() -> Self {
        Self::profile("serving").expect("the library has this profile")
    }
}
