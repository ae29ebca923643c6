//! Structs have the size, and fields the offset, that a C compiler gives them.

use std::process::Command;
use std::{env, fs, path::Path};

#[rustfmt::skip]
#[path = "layout/table.rs"]
mod table;

#[test]
fn structs_are_those_of_the_c_header() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = env::temp_dir().join(format!("weir-layout-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join("layout");
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    let status = Command::new(compiler)
        .arg("-I")
        .arg(root.join("library/include"))
        .arg(root.join("tests/layout.c"))
        .arg("-o")
        .arg(&program)
        .status()
        .expect("a C compiler");
    assert!(status.success());
    let output = Command::new(&program).output().unwrap().stdout;
    fs::remove_dir_all(&folder).unwrap();
    let expected: Vec<String> = table::layout()
        .iter()
        .map(|(name, number)| format!("{name} {number}"))
        .collect();
    let found: Vec<String> = String::from_utf8(output).unwrap().lines().map(String::from).collect();
    assert_eq!(found, expected);
    assert!(found.len() > 150);
}
