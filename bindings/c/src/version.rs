//! The version of the library in use. The header has macros for its own version.

use std::ffi::c_char;

/// The version of the library in use as a number, to compare with SETWISE_VERSION, the version of the header.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_version_number() -> u32 {
    const NUMBER: u32 = number(env!("CARGO_PKG_VERSION_MAJOR")) * 1_000_000
        + number(env!("CARGO_PKG_VERSION_MINOR")) * 1000
        + number(env!("CARGO_PKG_VERSION_PATCH"));
    NUMBER
}

/// The version of the library in use, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn setwise_version_string() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Parses a string of digits.
const fn number(digits: &str) -> u32 {
    match u32::from_str_radix(digits, 10) {
        Ok(number) => number,
        Err(_) => panic!("a part of the version is not a number"),
    }
}
