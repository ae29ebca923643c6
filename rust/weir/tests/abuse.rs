//! Calls every function with wrong values of every kind that the types permit: texts that are no grammar, huge and
//! empty ones, ids and indices out of range, slices of the wrong length, NaN. A call may do what it can, or return a
//! typed error; it never panics. The last test compares the calls with the sources.

use std::panic::{catch_unwind, AssertUnwindSafe};
use weir::*;

/// Calls `call`; fails with the name if it panics.
fn never_panics<T>(name: &str, call: impl FnOnce() -> T) {
    assert!(
        catch_unwind(AssertUnwindSafe(|| drop(call()))).is_ok(),
        "{name} panicked"
    );
}

fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "",
        "\0",
        "a\0b",
        "{",
        "[",
        "null",
        "5",
        "{\"type\": 5}",
        "\u{202e}\n",
        "root ::=",
        "(",
    ]
    .iter()
    .map(ToString::to_string)
    .collect();
    texts.extend(["[".repeat(100_000), "{\"not\":".repeat(5_000), "x".repeat(3_000_000)]);
    texts
}

const BYTES: [&[u8]; 5] = [b"", b"\0", b"\xff\xfe", b"a\0b", b"\xed\xa0\x80"];
const IDS: [u32; 6] = [0, 5, 0xffff, 0x7fff_ffff, u32::MAX - 1, u32::MAX];

fn checked<T>(name: &str, result: Result<T, Error>) {
    if let Err(error) = result {
        assert!(!error.message().is_empty(), "{name}");
    }
}

fn limits() -> Vec<Limits> {
    let small = Limits::new();
    vec![
        small.clone(),
        small.clone().nesting(0).call_work(0),
        small.clone().text_bytes(0),
        small.call_work(u64::MAX).nesting(u32::MAX).regex_nodes(100_000),
    ]
}

fn small_compiler() -> GrammarCompiler {
    let limits = Limits::new().call_work(100_000);
    GrammarCompiler::new(&TokenizerInfo::builtin().unwrap(), &limits).unwrap()
}

fn matchers() -> Vec<GrammarMatcher> {
    let compiler = small_compiler();
    let mut ended = GrammarMatcher::new(&compiler.compile_regex("a", None).unwrap(), None).unwrap();
    ended.accept_bytes("a").unwrap();
    let stop = ended.stop_token_ids()[0];
    ended.accept_token(stop).unwrap();
    let open = GrammarMatcher::new(&compiler.compile_json(None).unwrap(), None).unwrap();
    vec![ended, open]
}

#[test]
fn texts_that_are_no_grammar() {
    let compiler = small_compiler();
    let few = Limits::new().call_work(100_000);
    for text in &texts() {
        let text = text.as_str();
        checked("compile_ebnf", compiler.compile_ebnf(text, None));
        checked("compile_text", compiler.compile_text(text, None));
        checked("compile_regex", compiler.compile_regex(text, None));
        checked("compile_json_schema", compiler.compile_json_schema(text, None));
        checked("compile_structural_tag", compiler.compile_structural_tag(text, None));
        checked("compile_response_format", compiler.compile_response_format(text, None));
        checked(
            "compile_substring",
            compiler.compile_substring(text, SubstringUnit::Word),
        );
        checked("from_ebnf", Grammar::from_ebnf(text, None, &few));
        checked("from_text", Grammar::from_text(text, None, &few));
        checked("from_regex", Grammar::from_regex(text, None, &few));
        checked("from_json_schema", Grammar::from_json_schema(text, None, &few));
        checked("from_structural_tag", Grammar::from_structural_tag(text, None, &few));
        checked("from_response_format", Grammar::from_response_format(text, None, &few));
        checked(
            "from_substring",
            Grammar::from_substring(text, SubstringUnit::Character, &few),
        );
        checked("strict_json_schema", strict_json_schema(text, &few));
        checked(
            "structural_tag_for_tools",
            structural_tag_for_tools(text, "[]", None, &few),
        );
        checked(
            "structural_tag_for_tools",
            structural_tag_for_tools("hermes", text, None, &few),
        );
        for (name, found) in [
            ("check_grammar", check_grammar(text, None, &few)),
            ("check_regex", check_regex(text, None, &few)),
            ("check_schema", check_schema(text, None, &few)),
            ("check_structural_tag", check_structural_tag(text, None, &few)),
            ("check_response_format", check_response_format(text, None, &few)),
            ("explain_refusal", explain_refusal(text, "a", None, &few)),
            ("explain_refusal", explain_refusal("{}", text, None, &few)),
        ] {
            let Ok(found) = found else {
                checked(name, found);
                continue;
            };
            never_panics(name, || {
                for index in [0, found.len(), usize::MAX] {
                    let _ = (
                        found.get(index),
                        found.render(index, "", "", true),
                        found.render(index, text, text, false),
                    );
                }
            });
        }
        never_panics("line_column", || {
            [0, 1, usize::MAX].map(|offset| line_column(text, offset))
        });
        never_panics("find_special_token", || {
            compiler.tokenizer_info().find_special_token(text)
        });
    }
    for limits in &limits() {
        checked("json", Grammar::json(None, limits));
        checked("json_object", Grammar::json_object(None, limits));
        checked("from_ebnf", Grammar::from_ebnf("root ::= ((\"a\"))", None, limits));
        checked(
            "new",
            GrammarCompiler::new(&compiler.tokenizer_info(), limits).map(|one| one.compile_json(None)),
        );
    }
}

#[test]
fn lists() {
    let compiler = small_compiler();
    let huge = "x".repeat(3_000_000);
    let lists: [&[&[u8]]; 5] = [&[], &[b""], &[b"a", b"a"], &[b"\xff"], &[huge.as_bytes(), b"\0"]];
    for list in lists {
        checked("compile_choice", compiler.compile_choice(list));
        checked("compile_substring_chunks", compiler.compile_substring_chunks(list));
        checked("from_choice", Grammar::from_choice(list, None));
        checked("from_substring_chunks", Grammar::from_substring_chunks(list, None));
        for id in IDS {
            let stops = VocabOptions::new()
                .stop_token_ids(vec![id])
                .special_token_ids(vec![id, id]);
            checked("from_tokens", TokenizerInfo::from_tokens(list, &stops, None));
        }
    }
    checked("concat", Grammar::concat(&[], None));
    checked("any_of", Grammar::any_of(&[], None));
    let one = Grammar::from_regex("a", None, None).unwrap();
    checked(
        "concat",
        Grammar::concat(&[&one; 1000], &Limits::new().grammar_symbols(3)),
    );
    checked("any_of", Grammar::any_of(&[&one; 1000], &Limits::new().call_work(1)));
    checked("convert", one.convert(GrammarSyntax::Lark));
    checked(
        "to_regex",
        Grammar::from_ebnf("root ::= \"a\" root \"b\" | \"\"", None, None)
            .unwrap()
            .to_regex(),
    );
}

#[test]
fn tokenizers() {
    let info = TokenizerInfo::builtin().unwrap();
    for bytes in BYTES {
        checked("from_bytes", TokenizerInfo::from_bytes(bytes, "", None));
        checked("deserialize", TokenizerInfo::deserialize(bytes));
        checked("tokenize", info.tokenize(bytes));
    }
    let mut stored = info.serialize();
    for length in [1, stored.len() / 2, stored.len() - 1] {
        assert!(TokenizerInfo::deserialize(&stored[..length]).is_err());
    }
    for byte in stored.iter_mut().take(64) {
        *byte ^= 0xff;
    }
    checked("deserialize", TokenizerInfo::deserialize(&stored));
    for path in ["", "/", "/nonexistent", "a\0b"] {
        assert!(TokenizerInfo::from_file(path, None).is_err(), "{path:?}");
    }
    for id in [info.vocab_size() as u32, 0x7fff_ffff, u32::MAX] {
        assert_eq!(info.token_bytes(id), None);
        assert_eq!(info.first_token_bytes(id), None);
        assert_eq!(info.token_name(id), None);
        assert!(info.token_kind(id).is_none());
        assert!(info.decode(&[0, id]).is_err());
        assert!(info.heal(&[id]).is_err());
    }
    assert!(info.heal(&[]).is_ok() && info.canonical_support().is_ok());
}

#[test]
fn steps() {
    for mut matcher in matchers() {
        let before = (matcher.step_count(), matcher.text());
        let size = matcher.compiled_grammar().tokenizer_info().vocab_size() as u32;
        for id in [size, 0x7fff_ffff, u32::MAX] {
            assert!(matcher.accept_token(id).is_err());
            assert!(!matches!(matcher.is_token_allowed(id), Ok(true)));
            never_panics("explain", || matcher.explain(id).is_err());
        }
        for steps in [matcher.step_count() + 1, usize::MAX, usize::MAX / 2 + 1] {
            assert_eq!(matcher.rollback(steps), Err(StepError::InvalidArgument));
        }
        for bytes in [&b"\0"[..], b"\xff", b"}"] {
            assert!(matcher.accept_bytes(bytes).is_err() && matcher.accept_text(bytes).is_err());
            never_panics("longest_viable_prefix", || matcher.longest_viable_prefix(bytes));
        }
        for words in [0, 1, 1000, 100_000] {
            let mut mask = vec![0u32; words];
            if words != bitmask_words(size as usize) {
                assert!(matcher.fill_next_token_bitmask(&mut mask).is_err());
                assert!(mask.iter().all(|&word| word == 0));
            }
            assert!(matcher.fill_draft_tree_bitmasks(&[0], &[-1, 0], &mut mask).is_err());
            for parent in [i32::MIN, -2, 0, 5, i32::MAX] {
                assert!(matcher.fill_draft_tree_bitmasks(&[0], &[parent], &mut mask).is_err());
            }
        }
        assert_eq!((matcher.step_count(), matcher.text()), before);
        never_panics("the rest", || {
            let _ = (
                matcher.allowed_tokens(),
                matcher.next_token_mask_id(),
                matcher.find_jump_forward_string(),
            );
            let _ = (
                matcher.forced_tokens(),
                matcher.shortest_completion(),
                matcher.shortest_completion_parts(),
            );
            let _ = (
                matcher.captures(),
                matcher.temperature(),
                matcher.expected(),
                matcher.limit_message(),
            );
            let _ = (
                matcher.state_id(),
                matcher.state_stats(),
                matcher.fork().is_terminated(),
                matcher.is_completed(),
            );
        });
    }
    let compiled = small_compiler().compile_regex("a", None).unwrap();
    for id in IDS {
        let options = MatcherOptions::new().stop_token_ids(vec![id]).context(vec![id]);
        checked("new", GrammarMatcher::new(&compiled, &options));
    }
}

#[test]
fn batches() {
    for threads in [0, 1, 3, u32::MAX] {
        for mut batch in [
            BatchMatcher::new(threads),
            BatchMatcher::with_options(&BatchOptions::new().threads(threads)),
        ] {
            let mut all = matchers();
            for words in [0, 1, 7, 100_000] {
                let mut masks = vec![0i32; words];
                let mut some: Vec<Option<&mut GrammarMatcher>> = all.iter_mut().map(Some).collect();
                never_panics("fill_next_token_bitmasks", || {
                    batch.fill_next_token_bitmasks(&mut some, &mut masks).is_err()
                });
            }
            let mut some: Vec<Option<&mut GrammarMatcher>> = all.iter_mut().map(Some).collect();
            never_panics("next_token_bitmasks", || batch.next_token_bitmasks(&mut some).is_err());
            some.push(None);
            assert!(batch.accept_tokens(&mut some, &[0]).is_err());
            let taken = batch.accept_tokens(&mut some, &[u32::MAX; 3]).unwrap();
            assert!(taken[0].is_err() && taken[1].is_err() && taken[2].is_ok());
            assert!(batch.accept_tokens(&mut [], &[]).is_ok());
        }
    }
}

#[test]
fn masks_and_logits() {
    for size in [0, 1, 31, 32, 33, 1000] {
        let mask = TokenBitmask::new(size);
        for id in IDS {
            assert!(!mask.contains(id) && !is_token_in_bitmask::<u32>(&[], id));
        }
        assert_eq!((mask.count(), mask.tokens().count()), (0, 0));
    }
    assert_eq!(
        (count_tokens_in_bitmask::<i32>(&[]), tokens_in_bitmask(&[-1i32]).count()),
        (0, 32)
    );
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        for words in [0, 1, 2, 100] {
            let mut logits = vec![value; 33];
            apply_token_bitmask_inplace(&mut logits, &vec![0u32; words]).unwrap();
            assert!(logits.iter().all(|&logit| logit == f32::NEG_INFINITY), "{value}");
            apply_token_bitmask_inplace::<f32, u32>(&mut [], &vec![0; words]).unwrap();
        }
    }
}

#[test]
fn kbnf() {
    let info = TokenizerInfo::builtin().unwrap();
    for text in ["", "start", "start ::= ;", "\0", "start ::= 'a' start;"] {
        checked("new", KbnfEngine::new(text, &info, None, None));
    }
    let mut engine = KbnfEngine::new("start ::= 'a';", &info, None, None).unwrap();
    for id in [info.vocab_size() as u32, u32::MAX] {
        never_panics("try_accept_new_token", || engine.try_accept_new_token(id));
        never_panics("update_logits", || engine.update_logits(id, &mut [f32::NAN; 3]));
        assert!(!engine.check_if_token_is_allowed(id));
    }
    never_panics("the rest", || {
        let _ = (
            engine.try_accept_new_bytes(""),
            engine.try_accept_new_bytes(b"\xff"),
            engine.mask_logits(&mut []),
        );
        let _ = (
            engine.compute_allowed_token_ids(),
            engine.allowed_token_ids(),
            engine.disallowed_token_ids(),
        );
        engine.reset();
        let _ = (
            engine.matcher().text(),
            engine.is_finished(),
            engine.allowed_token_bitmask().len(),
        );
        let _ = KbnfEngine::from_compiled(&small_compiler().compile_regex("a", None).unwrap());
    });
}

#[test]
fn replies() {
    let info = TokenizerInfo::builtin().unwrap();
    for text in texts().into_iter().filter(|text| text.len() < 1_000_000) {
        checked("new", ReplyParser::new(&text, "[]", None, None));
        checked("new", ReplyParser::new("hermes", &text, None, None));
        let tools = ToolOptions::new().tool_choice(text.as_str());
        let options = ReplyOptions::new().tools(Some(tools)).mode(ReplyMode::Strict);
        checked("new", ReplyParser::new("hermes", "[]", &options, None));
    }
    let compiler = small_compiler();
    for grammar in ["root ::= \"a\"", "root ::= @capture(a: [a-z]*) \"=\""] {
        let compiled = compiler.compile_ebnf(grammar, None).unwrap();
        let Ok(mut parser) = ReplyParser::for_grammar(&compiled) else {
            continue;
        };
        for bytes in BYTES {
            never_panics("feed", || checked("feed", parser.feed(bytes)));
        }
        let other = compiler.compile_ebnf("root ::= \"b\"", None).unwrap();
        for followed in [&compiled, &other] {
            let mut matcher = GrammarMatcher::new(followed, None).unwrap();
            checked("follow", parser.follow(&mut matcher, false));
            checked("follow", parser.follow(&mut matcher, true));
        }
    }
    for limits in limits() {
        let Ok(mut parser) = ReplyParser::new("hermes", "[]", None, &limits) else {
            continue;
        };
        for bytes in BYTES {
            never_panics("feed", || checked("feed", parser.feed(bytes)));
        }
        for id in IDS {
            never_panics("feed_tokens", || {
                checked("feed_tokens", parser.feed_tokens(&[0, id], &info))
            });
        }
        never_panics("the rest", || {
            checked("feed_tokens", parser.feed_tokens(&[], &info));
            checked("finish", parser.finish());
            let _ = (
                parser.finish().is_err(),
                parser.cut().is_err(),
                parser.feed("x").is_err(),
                parser.snapshot(),
                parser.size(),
            );
            parser.reset();
        });
    }
}

/// Functions without arguments, or whose argument cannot be wrong.
const HARMLESS: &[&str] = &[
    "limits",
    "compile",
    "compile_json_object",
    "cache_stats",
    "clear_cache",
    "warnings",
    "stats",
    "warm_up",
    "stop_warm_up",
    "name",
    "is_empty",
    "iter",
    "language_names",
    "tool_styles",
    "version",
    "drops_leading_space",
    "kind",
    "code",
    "from_tokenizers",
];

#[test]
fn every_function_is_called() {
    let own = include_str!("abuse.rs");
    for source in [
        include_str!("../src/batch.rs"),
        include_str!("../src/bitmask.rs"),
        include_str!("../src/compiler.rs"),
        include_str!("../src/diagnostics.rs"),
        include_str!("../src/grammar.rs"),
        include_str!("../src/kbnf.rs"),
        include_str!("../src/matcher.rs"),
        include_str!("../src/replies.rs"),
        include_str!("../src/tokenizer.rs"),
    ] {
        for found in source.split("pub fn ").skip(1) {
            let end = found.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap();
            let name = &found[..end];
            let is_called = own.contains(&format!("{name}(")) || own.contains(&format!("{name}::<"));
            assert!(is_called || HARMLESS.contains(&name), "{name} is not called");
        }
    }
}
