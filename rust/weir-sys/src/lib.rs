//! The declarations of `weir_c.h`, the C interface of weir. The crate `weir` is a safe interface to them.
//!
//! Names, contracts and costs are those of the C header, which the build installs; its folder is the metadata
//! `include` of this crate. Two kinds of names differ from C: an enumeration is `i32` with constants, and a field that
//! is named like a keyword of Rust is written `r#match`.
#![no_std]
#![allow(non_camel_case_types)]

#[rustfmt::skip]
mod ffi;

pub use ffi::*;
