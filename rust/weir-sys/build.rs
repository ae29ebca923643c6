//! Compiles the library by CMake and links it, or links an installed one: the feature `installed`.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("DOCS_RS").is_some() {
        return; // documentation needs no library
    }
    if env::var_os("CARGO_FEATURE_INSTALLED").is_some() {
        pkg_config::Config::new()
            .atleast_version("0.1")
            .probe("weir")
            .expect("the feature `installed` needs a library that pkg-config finds; see PKG_CONFIG_PATH");
        return;
    }

    for file in [
        "CMakeLists.txt",
        "library/CMakeLists.txt",
        "library/cmake",
        "library/src",
        "library/include",
        "library/data",
    ] {
        println!("cargo:rerun-if-changed={file}");
    }
    // Without optimisation masks take many times as long, so the profile of the Rust program does not matter.
    let prefix = cmake::Config::new(".")
        .profile("Release")
        .define("CMAKE_INSTALL_LIBDIR", "lib")
        .build();
    println!("cargo:rustc-link-search=native={}", prefix.join("lib").display());
    println!("cargo:rustc-link-lib=static=weir");
    println!("cargo:include={}", prefix.join("include").display());
    pkg_config::probe_library("libpcre2-8").expect("weir needs PCRE2");
    let target = env::var("TARGET").expect("cargo sets TARGET");
    if let Some(library) = env::var_os("CXXSTDLIB") {
        println!("cargo:rustc-link-lib={}", library.to_string_lossy());
    } else if target.contains("apple") || target.contains("freebsd") {
        println!("cargo:rustc-link-lib=c++");
    } else {
        println!("cargo:rustc-link-lib=stdc++");
    }
    println!("cargo:rerun-if-env-changed=CXXSTDLIB");
}
