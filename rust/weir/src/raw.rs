//! How values pass to and from the C interface.

use std::alloc::{handle_alloc_error, Layout};
use std::mem::{size_of, MaybeUninit};
use std::ptr::{self, NonNull};
use std::slice;

use weir_sys::*;

use crate::error::Error;

/// The bytes as a C argument, which must not outlive them.
pub(crate) fn text(bytes: impl AsRef<[u8]>) -> weir_text {
    let bytes = bytes.as_ref();
    weir_text {
        data: bytes.as_ptr().cast(),
        size: bytes.len(),
    }
}

pub(crate) fn texts<T: AsRef<[u8]>>(items: &[T]) -> Vec<weir_text> {
    items.iter().map(text).collect()
}

pub(crate) const EMPTY: weir_text = weir_text {
    data: ptr::null(),
    size: 0,
};

/// # Safety
/// `text` must be valid for `'a`.
pub(crate) unsafe fn bytes<'a>(text: weir_text) -> &'a [u8] {
    if text.size == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { slice::from_raw_parts(text.data.cast(), text.size) }
}

/// # Safety
/// `text` must be valid during the call.
pub(crate) unsafe fn string(text: weir_text) -> String {
    // SAFETY: the caller's promise.
    String::from_utf8_lossy(unsafe { bytes(text) }).into_owned()
}

/// # Safety
/// `text` must be valid during the call.
pub(crate) unsafe fn optional_string(text: weir_text) -> Option<String> {
    // SAFETY: the caller's promise.
    (text.size != 0).then(|| unsafe { string(text) })
}

/// Returns the words of a text, which spaces separate.
///
/// # Safety
/// `text` must be valid during the call.
pub(crate) unsafe fn words(text: weir_text) -> Vec<String> {
    // SAFETY: the caller's promise.
    unsafe { string(text) }.split_whitespace().map(str::to_owned).collect()
}

/// Returns a struct of counts that `call` has filled in.
///
/// # Safety
/// All fields of `T` may be zero, and its first is `struct_size`.
pub(crate) unsafe fn filled<T>(call: impl FnOnce(*mut T) -> weir_status) -> T {
    let mut out = MaybeUninit::<T>::zeroed();
    // SAFETY: the caller's promise.
    unsafe {
        out.as_mut_ptr().cast::<usize>().write(size_of::<T>());
        require(call(out.as_mut_ptr()));
        out.assume_init()
    }
}

/// # Safety
/// If `count` is not 0, `data` must point to that many ids, valid for `'a`.
pub(crate) unsafe fn ids<'a>(data: *const u32, count: usize) -> &'a [u32] {
    if count == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { slice::from_raw_parts(data, count) }
}

/// Bytes that the library allocated.
pub(crate) struct OwnedText(pub(crate) weir_owned_text);

impl OwnedText {
    pub(crate) fn new() -> Self {
        Self(weir_owned_text {
            data: ptr::null_mut(),
            size: 0,
        })
    }
    pub(crate) fn to_vec(&self) -> Vec<u8> {
        // SAFETY: a library's owned text is valid until it is freed, in drop.
        unsafe {
            bytes(weir_text {
                data: self.0.data,
                size: self.0.size,
            })
        }
        .to_vec()
    }
    pub(crate) fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.to_vec()).into_owned()
    }
}

impl Drop for OwnedText {
    fn drop(&mut self) {
        // SAFETY: the library made it, or it is empty.
        unsafe { weir_owned_text_free(&mut self.0) }
    }
}

/// Token ids that the library allocated.
pub(crate) struct OwnedIds(pub(crate) weir_token_ids);

impl OwnedIds {
    pub(crate) fn new() -> Self {
        Self(weir_token_ids {
            data: ptr::null_mut(),
            size: 0,
        })
    }
    pub(crate) fn to_vec(&self) -> Vec<u32> {
        // SAFETY: the library's ids are valid until they are freed, in drop.
        unsafe { ids(self.0.data, self.0.size) }.to_vec()
    }
}

impl Drop for OwnedIds {
    fn drop(&mut self) {
        // SAFETY: the library made them, or there are none.
        unsafe { weir_token_ids_free(&mut self.0) }
    }
}

/// Calls an `_init` function, or a function of the same form, and returns the struct that it filled in.
///
/// # Safety
/// All fields of `T` must be valid if they are zero, and the function must fill in a `T` of the size that it is given.
pub(crate) unsafe fn init<T>(function: unsafe extern "C" fn(*mut T, usize) -> weir_status) -> T {
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: `value` has that size.
    let status = unsafe { function(value.as_mut_ptr(), size_of::<T>()) };
    require(status);
    // SAFETY: zero is valid, and so is what the function stored.
    unsafe { value.assume_init() }
}

/// For calls that fail only if memory is exhausted.
pub(crate) fn require(status: weir_status) {
    match status {
        WEIR_OK => {}
        WEIR_OUT_OF_MEMORY => handle_alloc_error(Layout::new::<u64>()),
        _ => panic!(
            "a call of weir that cannot fail returned {}",
            crate::error::status_name(status)
        ),
    }
}

/// Calls a function that stores an error if it fails.
pub(crate) fn check(call: impl FnOnce(*mut *mut weir_error) -> weir_status) -> Result<(), Error> {
    let mut error = ptr::null_mut();
    match call(&mut error) {
        WEIR_OK => Ok(()),
        // SAFETY: the library stored an error, which is now ours, or null.
        status => Err(unsafe { Error::from_raw(status, error) }),
    }
}

/// Calls a function that stores a handle, or an error if it fails.
pub(crate) fn build<T>(
    call: impl FnOnce(*mut *mut T, *mut *mut weir_error) -> weir_status,
) -> Result<NonNull<T>, Error> {
    let mut out = ptr::null_mut();
    check(|error| call(&mut out, error))?;
    Ok(NonNull::new(out).expect("weir stores a handle if it returns WEIR_OK"))
}

/// Calls a function that stores a handle, and which fails only if memory is exhausted.
pub(crate) fn obtain<T>(call: impl FnOnce(*mut *mut T) -> weir_status) -> NonNull<T> {
    let mut out = ptr::null_mut();
    require(call(&mut out));
    NonNull::new(out).expect("weir stores a handle if it returns WEIR_OK")
}

/// The pointer of an array, null if it is empty.
pub(crate) fn array<T>(items: &[T]) -> *const T {
    if items.is_empty() {
        ptr::null()
    } else {
        items.as_ptr()
    }
}

/// A type that owns a handle and frees it.
macro_rules! handle {
    ($(#[$meta:meta])* $name:ident, $raw:ident, $free:ident) => {
        $(#[$meta])*
        pub struct $name(std::ptr::NonNull<weir_sys::$raw>);

        impl $name {
            /// Takes a handle that nothing else frees.
            #[allow(dead_code)]
            pub(crate) fn from_raw(raw: std::ptr::NonNull<weir_sys::$raw>) -> Self {
                Self(raw)
            }
            pub(crate) fn as_ptr(&self) -> *mut weir_sys::$raw {
                self.0.as_ptr()
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the handle is valid and ours.
                unsafe { weir_sys::$free(self.as_ptr()) }
            }
        }
    };
}

/// Objects of weir that any number of threads may use at once, except for freeing: THREADS in weir_c.h. A value is freed
/// by its owner, when no thread has a reference to it.
macro_rules! shared_by_threads {
    ($name:ident) => {
        // SAFETY: see above.
        unsafe impl Send for $name {}
        // SAFETY: see above.
        unsafe impl Sync for $name {}
    };
}

macro_rules! cloned_by {
    ($name:ident, $clone:ident) => {
        impl Clone for $name {
            /// Returns another handle on the same object. Cost: constant.
            fn clone(&self) -> Self {
                // SAFETY: the handle is valid.
                Self(crate::raw::obtain(|out| unsafe {
                    weir_sys::$clone(self.as_ptr(), out)
                }))
            }
        }
    };
}

macro_rules! debug_as_name {
    ($name:ident) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use {cloned_by, debug_as_name, handle, shared_by_threads};
