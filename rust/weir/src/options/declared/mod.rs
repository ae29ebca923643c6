// Written by tools/generate from the structs in include/weir. Do not edit.
mod batch;
mod compiler;
mod grammar;
mod json_schema;
mod kbnf;
mod limits;
mod matcher;
mod reply_parser;
mod tokenizer_info;
mod tools;
mod words;

pub use batch::*;
pub use compiler::*;
pub use grammar::*;
pub use json_schema::*;
pub use kbnf::*;
pub use limits::*;
pub use matcher::*;
pub use reply_parser::*;
pub use tokenizer_info::*;
pub use tools::*;
pub use words::*;
