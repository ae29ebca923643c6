//! Calls that tests/data does not reach: one test for each subject. What the calls mean is tested in C++; here it is
//! tested that they arrive.

use weir::*;

fn json_compiler() -> GrammarCompiler {
    GrammarCompiler::new(&TokenizerInfo::builtin().unwrap(), None).unwrap()
}

fn regex_matcher(pattern: &str) -> GrammarMatcher {
    GrammarMatcher::new(&json_compiler().compile_regex(pattern, None).unwrap(), None).unwrap()
}

fn is_send<T: Send>() {}
fn is_sync<T: Sync>() {}

#[test]
fn threads() {
    is_send::<(
        TokenizerInfo,
        Grammar,
        GrammarCompiler,
        CompiledGrammar,
        Error,
        Diagnostics,
    )>();
    is_sync::<(
        TokenizerInfo,
        Grammar,
        GrammarCompiler,
        CompiledGrammar,
        Error,
        Diagnostics,
    )>();
    is_send::<(GrammarMatcher, BatchMatcher, KbnfEngine, ReplyParser)>();
    let compiled = json_compiler().compile_json(None).unwrap();
    let expected = GrammarMatcher::new(&compiled, None).unwrap().allowed_tokens().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut matcher = GrammarMatcher::new(&compiled, None).unwrap();
                assert_eq!(matcher.allowed_tokens().unwrap(), expected);
                matcher.accept_bytes("[1, {\"a\": tr").unwrap();
                assert_eq!(matcher.find_jump_forward_string().unwrap(), b"ue");
            });
        }
    });
}

#[test]
fn errors() {
    let text = "root ::= expr\nexp ::= \"a\"";
    let error = Grammar::from_ebnf(text, None, None).unwrap_err();
    assert_eq!(error.range(), 9..13);
    assert!(error.message().contains("`expr`"), "{error}");
    assert!(error.hint().unwrap().contains("`exp`"), "{error}");
    assert!(error.render(text, "my.ebnf").contains("my.ebnf:1:10"));
    assert!(error.render(text, "my.ebnf").contains('^'));
    let finding = error.diagnostics().unwrap().get(0).unwrap();
    assert_eq!(
        (finding.severity, finding.code.as_str()),
        (Severity::Error, error.code().name())
    );
    assert_eq!(finding.message, error.message());
    assert_eq!(finding.fix.unwrap().replacement, "exp");

    let error = Grammar::from_json_schema(r#"{"properties": {"a": {"minLength": "x"}}}"#, None, None).unwrap_err();
    assert_eq!(error.pointer(), "/properties/a/minLength");
    let limits = Limits::new().nesting(3);
    let error = Grammar::from_regex("((((((a))))))", None, &limits).unwrap_err();
    assert_eq!(
        (error.code(), error.limit()),
        (ErrorCode::LimitExceeded, Some("nesting"))
    );
    let tag = weir::ToolOptions::new().max_reasoning_tokens(5);
    let error = weir::structural_tag_for_tools("hermes", "[]", &tag, None).unwrap_err();
    assert_eq!(error.options(), ["max_reasoning_tokens", "reasoning"]);
    let error = TokenizerInfo::from_file("/nowhere/tokenizer.json", None).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
    let copy: Box<dyn std::error::Error + Send + Sync> = Box::new(error.clone());
    assert_eq!(copy.to_string(), error.to_string());
}

#[test]
fn findings() {
    let text = "root ::= a\na ::= \"x\"\nb ::= \"y\"\nc ::= d";
    let findings = check_grammar(text, None, None).unwrap();
    assert!(findings.iter().any(|finding| finding.severity == Severity::Error));
    assert!(findings.render(0, text, "g", true).unwrap().contains('\u{1b}'));
    assert!(!findings.render(0, text, "g", false).unwrap().contains('\u{1b}'));
    assert_eq!(findings.render(99, text, "g", false), None);
    assert!(check_regex("[0-9]+", None, None).unwrap().is_empty());
    assert_eq!(check_regex("a{3,1}", None, None).unwrap().len(), 1);
    assert_eq!(check_schema("{\"type\": \"strin\"}", None, None).unwrap().len(), 1);
    assert!(!check_structural_tag("{}", None, None).unwrap().is_empty());
    assert!(!check_response_format("{}", None, None).unwrap().is_empty());
    let schema = "{\"items\": {\"maximum\": 5}}";
    // It could go on as `[6e-1]`, and counts as a number that ends there.
    let refused = explain_refusal(schema, "[6", None, None).unwrap();
    let [found] = &refused.iter().collect::<Vec<_>>()[..] else {
        panic!("{refused:?}")
    };
    assert_eq!(
        (found.pointer.as_str(), &schema[found.range.clone()]),
        ("/items/maximum", "5")
    );
    assert!(explain_refusal(schema, b"[5", None, None).unwrap().is_empty());
    assert_eq!(line_column("a\nbcd", 3), Some((2, 2)));
    assert_eq!(Severity::Warning.name(), "warning");
}

#[test]
fn tokenizers() {
    let info = TokenizerInfo::builtin().unwrap();
    let ids = info.tokenize("one, two").unwrap();
    assert_eq!(info.decode(&ids).unwrap(), b"one, two");
    assert!(info.decode(&[u32::MAX]).is_err());
    let bytes: Vec<u8> = ids
        .iter()
        .flat_map(|&id| info.token_bytes(id).unwrap().to_vec())
        .collect();
    assert_eq!(bytes, b"one, two");
    assert_eq!(info.token_bytes(u32::MAX), None);
    let stop = info.stop_token_ids()[0];
    assert_eq!(info.token_kind(stop), Some(TokenKind::Special));
    let name = String::from_utf8(info.token_name(stop).unwrap().to_vec()).unwrap();
    assert_eq!(info.find_special_token(&name), Some(stop));
    assert_eq!(info.find_special_token("<none>"), None);
    let copy = TokenizerInfo::deserialize(info.serialize()).unwrap();
    assert_eq!(copy.tokenize("one, two").unwrap(), ids);
    assert_eq!(copy.clone().kind(), info.kind());
    let padded = TokenizerOptions::new().padded_vocab_size(info.vocab_size() as u32 + 100);
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../data/default_tokenizer/tokenizer.json"
    );
    let read = TokenizerInfo::from_file(file, &padded).unwrap();
    assert_eq!(read.vocab_size(), info.vocab_size() + 100);
    let read = TokenizerInfo::from_bytes(std::fs::read(file).unwrap(), "tokenizer.json", None).unwrap();
    assert_eq!(read.tokenize("one, two").unwrap(), ids);
    info.canonical_support().unwrap();
    let healed = info.heal(&ids).unwrap();
    assert_eq!(info.decode(&ids[ids.len() - healed.tokens..]).unwrap(), healed.bytes);

    let vocab = VocabOptions::new().drops_leading_space(true).stop_token_ids(vec![1]);
    let info = TokenizerInfo::from_tokens(&[" a", "</s>"], &vocab, None).unwrap();
    assert!(info.drops_leading_space());
    assert_eq!(info.first_token_bytes(0), Some(&b"a"[..]));
    let vocab = VocabOptions::new()
        .spelling(TokenSpelling::ByteLevel)
        .stop_tokens_by_name(true);
    let info = TokenizerInfo::from_tokens(&["Ġa", "</s>"], &vocab, None).unwrap();
    assert_eq!(info.token_bytes(0), Some(&b" a"[..]));
    assert_eq!(info.stop_token_ids(), [1]);
}

#[test]
fn grammars() {
    let compiler = json_compiler();
    let yes = Grammar::from_regex("yes", None, None).unwrap();
    let no = Grammar::from_ebnf("start ::= \"no\"", &EbnfOptions::new().start("start"), None).unwrap();
    let either = Grammar::any_of(&[&yes, &no], None).unwrap();
    let both = Grammar::concat(&[&yes, &either.clone()], None).unwrap();
    let accepts = |compiled: &CompiledGrammar, text: &str| {
        let mut matcher = GrammarMatcher::new(compiled, None).unwrap();
        matcher.accept_bytes(text).is_ok() && matcher.is_completed()
    };
    let compiled = compiler.compile(&both).unwrap();
    assert!(accepts(&compiled, "yesno") && accepts(&compiled, "yesyes") && !accepts(&compiled, "noyes"));
    assert!(either.convert(GrammarSyntax::Gbnf).unwrap().contains("root ::="));
    let regex = either.to_regex().unwrap();
    assert!(accepts(&compiler.compile_regex(&regex, None).unwrap(), "no"));
    let schema = "{\"type\": \"object\", \"properties\": {\"b\": {}, \"a\": {}}, \"required\": [\"a\", \"b\"]}";
    let serving = JsonSchemaOptions::serving().whitespace(Whitespace::None);
    let compiled = compiler.compile_json_schema(schema, &serving).unwrap();
    assert!(accepts(&compiled, "{\"b\":1,\"a\":2}") && !accepts(&compiled, "{\"a\":2,\"b\":1}"));
    let lark = TextOptions::new()
        .syntax(GrammarSyntax::Lark)
        .json_schema(Some(JsonSchemaOptions::serving()));
    let compiled = compiler.compile_text(&format!("start: %json {schema}"), &lark).unwrap();
    assert!(accepts(&compiled, "{\"b\":1,\"a\":2}") && !accepts(&compiled, "{\"a\":2,\"b\":1}"));
    let gbnf = TextOptions::new().syntax(GrammarSyntax::Gbnf);
    for (grammar, is_any_object) in [
        (Grammar::json(None, None), true),
        (Grammar::json_object(&serving, None), true),
        (Grammar::from_json_schema(schema, None, None), false),
        (
            Grammar::from_response_format("{\"type\": \"json_object\"}", None, None),
            true,
        ),
        (
            Grammar::from_text("root ::= \"{\\\"b\\\":1,\\\"a\\\":2}\"", &gbnf, None),
            false,
        ),
    ] {
        let compiled = compiler.compile(&grammar.unwrap()).unwrap();
        assert!(accepts(&compiled, "{\"b\":1,\"a\":2}"));
        assert_eq!(accepts(&compiled, "{}"), is_any_object);
    }
    assert!(accepts(&compiler.compile_json_object(None).unwrap(), "{}"));
    assert!(accepts(&compiler.compile_ebnf("root ::= \"a\"", None).unwrap(), "a"));
    assert!(accepts(&compiler.compile_choice(&["red", "green"]).unwrap(), "green"));
    assert!(accepts(
        &compiler
            .compile(&Grammar::from_choice(&["red"], None).unwrap())
            .unwrap(),
        "red"
    ));
    assert!(accepts(
        &compiler
            .compile_substring("one two three", SubstringUnit::Word)
            .unwrap(),
        "two three"
    ));
    let text = Grammar::from_substring("abc", SubstringUnit::Character, None).unwrap();
    assert!(accepts(&compiler.compile(&text).unwrap(), "bc"));
    assert!(accepts(
        &compiler.compile_substring_chunks(&["a ", "b ", "c"]).unwrap(),
        "b c"
    ));
    let chunks = Grammar::from_substring_chunks(&["a ", "b ", "c"], None).unwrap();
    assert!(!accepts(&compiler.compile(&chunks).unwrap(), "a c"));
    let unused = Grammar::from_ebnf("root ::= \"a\"\nother ::= \"b\"", None, None).unwrap();
    assert_eq!(unused.warnings().get(0).unwrap().code, "unused-rule");

    assert!(language_names().contains(&"sqlite".to_owned()));
    let options = TextOptions::new().language("sqlite");
    let ddl = "CREATE TABLE users (id INTEGER, name TEXT)";
    let compiled = compiler.compile_text(ddl, &options).unwrap();
    assert!(accepts(&compiled, "SELECT u.name FROM users u"));
    assert!(!accepts(&compiled, "SELECT age FROM users"));
    let error = Grammar::from_text("CREATE TABLE users (id", &options, None).unwrap_err();
    assert!(error.to_string().contains("not closed"), "{error}");

    let tools = r#"[{"name": "time", "parameters": {"properties": {"zone": {"type": "string"}}}}]"#;
    let options = ToolOptions::new().tool_choice("\"required\"");
    for style in tool_styles() {
        let tag = structural_tag_for_tools(&style, tools, &options, None).unwrap();
        Grammar::from_structural_tag(&tag, None, None).unwrap();
    }
    assert!(tool_styles().len() > 10);
    let tools = r#"[{"name": "f", "parameters": {"$ref": "https://example.com/x"}}]"#;
    let tag = structural_tag_for_tools("hermes", tools, None, None).unwrap();
    let error = Grammar::from_structural_tag(&tag, None, None).unwrap_err();
    assert_eq!(error.text(), Some(tools));
    assert_eq!(error.pointer(), "/0/parameters/$ref");
    assert_eq!(&tools[error.range()], "\"https://example.com/x\"");
    assert_eq!(JsonSchemaOptions::profile("none"), None);
    assert_eq!(JsonSchemaOptions::exact(), JsonSchemaOptions::default());
}

#[test]
fn compiler_cache() {
    let limits = Limits::new().nesting(77);
    let compiler = GrammarCompiler::new(&TokenizerInfo::builtin().unwrap(), &limits).unwrap();
    assert_eq!(compiler.limits(), limits);
    for _ in 0..2 {
        compiler.compile_json(None).unwrap();
    }
    let stats = compiler.cache_stats();
    assert_eq!((stats.hits, stats.misses, stats.entries), (1, 1, 1));
    compiler.clear_cache();
    assert_eq!(compiler.cache_stats().entries, 0);
    assert_eq!(
        compiler.tokenizer_info().vocab_size(),
        TokenizerInfo::builtin().unwrap().vocab_size()
    );
}

#[test]
fn steps() {
    let mut matcher = regex_matcher("(yes|no), thanks");
    assert_eq!(matcher.accept_bytes("x"), Err(StepError::Refused));
    assert_eq!(matcher.step_count(), 0);
    assert_eq!(matcher.accept_token(u32::MAX), Err(StepError::InvalidArgument));
    assert_eq!(
        matcher.fill_next_token_bitmask(&mut [0u32; 1]),
        Err(StepError::InvalidArgument)
    );
    let y = matcher.compiled_grammar().tokenizer_info().tokenize("y").unwrap()[0];
    assert!(matcher.is_token_allowed(y).unwrap());
    assert!(matcher.next_token_mask_id().unwrap().is_some());
    matcher.accept_bytes("yes").unwrap();
    assert_eq!(matcher.find_jump_forward_string().unwrap(), b", thanks");
    assert!(!matcher.forced_tokens().unwrap().is_empty());
    assert_eq!(matcher.shortest_completion().unwrap().unwrap(), b", thanks");
    let parts = matcher.shortest_completion_parts().unwrap().unwrap();
    assert_eq!(parts, [CompletionPart::Text(b", thanks".to_vec())]);
    assert_eq!(matcher.longest_viable_prefix(", thx").unwrap(), 4);
    let mut other = matcher.fork();
    other.accept_text(", thanks").unwrap();
    assert!(other.is_completed() && !matcher.is_completed());
    assert_eq!(matcher.text(), b"yes");
    assert_eq!(other.text(), b"yes, thanks");
    assert_ne!(matcher.state_id(), other.state_id());
    assert!(matcher.state_stats().threads > 0);
    matcher.rollback(1).unwrap();
    assert_eq!(matcher.rollback(1), Err(StepError::InvalidArgument));
    other.reset();
    assert_eq!(other.allowed_tokens().unwrap(), matcher.allowed_tokens().unwrap());
    assert_eq!(matcher.limit_message(), None);
    assert!(matcher.compiled_grammar().stats().states > 0);
    let stop = matcher.stop_token_ids().to_vec();
    assert_eq!(stop, matcher.compiled_grammar().tokenizer_info().stop_token_ids());
}

#[test]
fn explanations() {
    let mut matcher = regex_matcher("(yes|no)");
    let x = matcher.compiled_grammar().tokenizer_info().tokenize("x").unwrap()[0];
    let explanation = matcher.explain(x).unwrap();
    assert!(
        !explanation.allowed && explanation.bytes_matched == 0,
        "{explanation:?}"
    );
    assert_eq!(explanation.expected.bytes, b"ny");
    let expected = matcher.expected().unwrap();
    assert_eq!((expected.terminals.len(), expected.end), (1, false));
    matcher.accept_bytes("no").unwrap();
    assert!(matcher.expected().unwrap().end);
}

#[test]
fn matcher_options() {
    let compiled = json_compiler().compile_regex("[a-z]+", None).unwrap();
    let options = MatcherOptions::new().stop_token_ids(vec![5]);
    let mut matcher = GrammarMatcher::new(&compiled, &options).unwrap();
    assert_eq!(matcher.stop_token_ids(), [5]);
    matcher.accept_bytes("a").unwrap();
    matcher.accept_token(5).unwrap();
    assert!(matcher.is_terminated());
    let mut matcher = GrammarMatcher::new(&compiled, &MatcherOptions::new().max_tokens(1)).unwrap();
    let a = matcher.compiled_grammar().tokenizer_info().tokenize("a").unwrap()[0];
    matcher.accept_token(a).unwrap();
    assert_eq!(
        matcher.allowed_tokens().unwrap().tokens().collect::<Vec<_>>(),
        matcher.stop_token_ids()
    );
    let error = GrammarMatcher::new(&compiled, &MatcherOptions::new().stop_token_ids(vec![1, 1])).unwrap_err();
    assert_eq!((error.code(), error.range().start), (ErrorCode::InvalidArgument, 1));
    let canonical = MatcherOptions::new().tokenization(Tokenization::Canonical);
    let mut matcher = GrammarMatcher::new(&compiled, &canonical).unwrap();
    assert_eq!(matcher.accept_bytes("a"), Err(StepError::InvalidArgument));
    matcher.accept_text("abc").unwrap();
}

#[test]
fn draft_trees_and_batches() {
    let mut matcher = regex_matcher("ab?c");
    let info = matcher.compiled_grammar().tokenizer_info();
    let id = |text: &str| info.tokenize(text).unwrap()[0];
    let words = bitmask_words(info.vocab_size());
    let mut rows = vec![0u32; 4 * words];
    let tokens = [id("a"), id("b"), id("c"), id("x")];
    let steps = matcher
        .fill_draft_tree_bitmasks(&tokens, &[-1, 0, 0, 1], &mut rows)
        .unwrap();
    assert_eq!(steps[..3], [Ok(()), Ok(()), Ok(())]);
    assert_eq!(steps[3], Err(StepError::Refused));
    assert!(is_token_in_bitmask(&rows[..words], id("b")) && !is_token_in_bitmask(&rows[words..2 * words], id("b")));
    assert_eq!(count_tokens_in_bitmask(&rows[3 * words..]), 0);
    assert_eq!(
        matcher.fill_draft_tree_bitmasks(&tokens, &[-1], &mut rows),
        Err(StepError::InvalidArgument)
    );

    let mut other = matcher.fork();
    let mut batch = BatchMatcher::new(2);
    let mut pair = [Some(&mut matcher), None, Some(&mut other)];
    assert_eq!(
        batch.accept_tokens(&mut pair, &[id("a"), 0, id("x")]).unwrap(),
        [Ok(()), Ok(()), Err(StepError::Refused)]
    );
    let mut rows = vec![-1i32; 3 * words];
    assert!(batch
        .fill_next_token_bitmasks(&mut pair, &mut rows)
        .unwrap()
        .iter()
        .all(Result::is_ok));
    assert!(is_token_in_bitmask(&rows[..words], id("c")) && is_token_in_bitmask(&rows[2 * words..], id("a")));
    assert!(
        rows[words..2 * words].iter().all(|&word| word == -1),
        "the row without a grammar stays as it is"
    );
    let mut rows = vec![u32::MAX; 3 * words];
    batch.fill_next_token_bitmasks(&mut pair, &mut rows).unwrap();
    let (own, steps) = batch.next_token_bitmasks(&mut pair).unwrap();
    assert!(steps.iter().all(Result::is_ok));
    assert_eq!(own, rows);
    let (none, steps) = batch.next_token_bitmasks(&mut [None]).unwrap();
    assert!(none.is_empty() && steps.len() == 1);
    assert_eq!(batch.accept_tokens(&mut pair, &[1]), Err(StepError::InvalidArgument));
}

#[test]
fn captures() {
    let grammar = "start: \"<\" word \">\"\nword[capture]: /[a-z]+/";
    let compiled = json_compiler()
        .compile_text(grammar, &TextOptions::new().syntax(GrammarSyntax::Lark))
        .unwrap();
    let mut matcher = GrammarMatcher::new(&compiled, None).unwrap();
    matcher.accept_bytes("<ab").unwrap();
    let captures = matcher.captures().unwrap();
    assert_eq!(
        (
            captures[0].name.as_str(),
            captures[0].range.clone(),
            captures[0].complete
        ),
        ("word", 1..3, false)
    );
}

#[test]
fn kbnf() {
    let info = TokenizerInfo::builtin().unwrap();
    let id = |text: &str| info.tokenize(text).unwrap()[0];
    let options = KbnfOptions::new().start("go");
    let mut engine = KbnfEngine::new("go ::= 'a' 'b';", &info, &options, None).unwrap();
    assert_eq!(engine.compute_allowed_token_ids(), KbnfResult::Ongoing);
    assert!(engine.check_if_token_is_allowed(id("a")) && !engine.check_if_token_is_allowed(id("b")));
    let allowed = engine.allowed_token_ids();
    assert_eq!(
        allowed,
        tokens_in_bitmask(engine.allowed_token_bitmask()).collect::<Vec<_>>()
    );
    assert_eq!(allowed.len() + engine.disallowed_token_ids().len(), info.vocab_size());
    let mut logits = vec![0.0; info.vocab_size()];
    assert_eq!(engine.mask_logits(&mut logits[1..]), KbnfResult::InvalidLength);
    assert_eq!(engine.mask_logits(&mut logits), KbnfResult::Ongoing);
    assert_eq!(logits[id("b") as usize], f32::NEG_INFINITY);
    assert_eq!(engine.update_logits(id("a"), &mut logits), KbnfResult::Ongoing);
    assert_eq!(engine.matcher().text(), b"a");
    assert_eq!(engine.try_accept_new_token(id("x")), KbnfResult::Rejected);
    assert_eq!(engine.try_accept_new_token(id("b")), KbnfResult::Finished);
    assert!(engine.is_finished());
    assert_eq!(engine.try_accept_new_bytes("b").name(), "after_end");
    engine.reset();
    assert!(!engine.is_finished());
    let compiled = json_compiler().compile_regex("ab", None).unwrap();
    assert_eq!(
        KbnfEngine::from_compiled(&compiled).try_accept_new_bytes("ab"),
        KbnfResult::Finished
    );
}

const REPLY_TOOLS: &str =
    r#"[{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}]"#;

#[test]
fn replies() {
    let mut parser = ReplyParser::new("qwen_coder", REPLY_TOOLS, None, None).unwrap();
    let parts = |events: Result<Vec<ReplyEvent>, Error>| -> Vec<_> {
        events
            .unwrap()
            .into_iter()
            .map(|event| (event.part, event.range))
            .collect()
    };
    assert_eq!(parts(parser.feed("Hi <tool")), [(ReplyPart::Text("Hi ".into()), 0..3)]);
    assert_eq!(parts(parser.feed("_call><function=f")), []);
    let begins = ReplyPart::CallBegins {
        call: 0,
        name: "f".into(),
        id: None,
    };
    let arguments = ReplyPart::Arguments {
        call: 0,
        text: "{\"a\": \"x".into(),
    };
    assert_eq!(arguments.kind().name(), "arguments");
    assert_eq!(
        parts(parser.feed("><parameter=a>x")),
        [(begins, 3..26), (arguments, 26..40)]
    );
    assert_eq!(
        parser.snapshot(),
        r#"{"reasoning": null, "content": "Hi ", "tool_calls": [{"name": "f", "partial_arguments": "{\"a\": \"x"}]}"#
    );
    // The bytes of one character in two pieces.
    assert_eq!(parts(parser.feed(b"\xc3")), []);
    assert_eq!(
        parts(parser.feed(b"\xa9")),
        [(
            ReplyPart::Arguments {
                call: 0,
                text: "é".into()
            },
            40..42
        )]
    );
    assert_eq!(parser.feed("</parameter></function></tool_call>").unwrap().len(), 2);
    assert_eq!(parts(parser.finish()), []);
    assert_eq!(parser.size(), 77);
    assert_eq!(
        parser.snapshot(),
        r#"{"reasoning": null, "content": "Hi ", "tool_calls": [{"name": "f", "arguments": {"a": "xé"}}]}"#
    );
    assert_eq!(parser.feed("x").unwrap_err().message(), "the reply has ended");
    parser.reset();
    assert_eq!((parser.size(), parser.feed("again").unwrap().len()), (0, 1));
}

#[test]
fn replies_that_are_refused() {
    let tools = ToolOptions::new().tool_choice("\"required\"");
    let options = ReplyOptions::new().tools(Some(tools)).mode(ReplyMode::Strict);
    let mut parser = ReplyParser::new("hermes", REPLY_TOOLS, &options, None).unwrap();
    parser.feed("<tool_call>").unwrap();
    let error = parser.feed("{\"no\"}").unwrap_err();
    assert_eq!((error.code(), error.range()), (ErrorCode::InvalidArgument, 14..17));
    assert!(parser.finish().is_err());
    let mut other = ReplyParser::new("hermes", REPLY_TOOLS, &options, None).unwrap();
    other.feed("<tool_call>").unwrap();
    assert_eq!(other.cut().unwrap().len(), 1);
    assert!(other.cut().is_err());
    parser
        .feed("{\"name\": \"f\", \"arguments\": {\"a\": \"\"}}</tool_call>")
        .unwrap();
    parser.finish().unwrap();

    let mut parser = ReplyParser::new("hermes", REPLY_TOOLS, None, None).unwrap();
    parser
        .feed("<tool_call>{\"name\": \"f\", \"arguments\": {\"a\"")
        .unwrap();
    let last = parser.finish().unwrap().pop().unwrap();
    assert!(matches!(last.part, ReplyPart::CallInvalid { call: 0, ref reason, .. } if !reason.is_empty()));
    let mut parser = ReplyParser::new("hermes", REPLY_TOOLS, &ReplyOptions::new().values(true), None).unwrap();
    let value = parser
        .feed("<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x")
        .unwrap()
        .pop()
        .unwrap();
    assert!(matches!(
        value.part,
        ReplyPart::Value { kind: ReplyEventKind::String, depth: 1, ref key, ref text } if key == "a" && text == "x"
    ));
    let begun = ToolOptions::new().reasoning(Reasoning::Begun);
    let mut parser = ReplyParser::new("hermes", "null", &ReplyOptions::new().tools(Some(begun)), None).unwrap();
    let info = TokenizerInfo::builtin().unwrap();
    parser
        .feed_tokens(&info.tokenize("why</think>so").unwrap(), &info)
        .unwrap();
    parser.finish().unwrap();
    assert_eq!(
        parser.snapshot(),
        r#"{"reasoning": "why", "content": "so", "tool_calls": []}"#
    );
}

#[test]
fn masks_equal_the_record() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/dist");
    let schema = std::fs::read_to_string(format!("{folder}/schema.json")).unwrap();
    let record = std::fs::read_to_string(format!("{folder}/masks.json")).unwrap();
    let record: std::collections::BTreeMap<String, Vec<u32>> = serde_json::from_str(&record).unwrap();
    let compiled = json_compiler().compile_json_schema(&schema, None).unwrap();
    for (text, expected) in &record {
        let mut matcher = GrammarMatcher::new(&compiled, None).unwrap();
        if !text.is_empty() {
            matcher.accept_text(text).unwrap();
        }
        assert_eq!(
            &matcher.allowed_tokens().unwrap().tokens().collect::<Vec<_>>(),
            expected,
            "after {text}"
        );
    }
    assert!(record.len() > 2);
}

#[test]
fn versions_agree() {
    assert_eq!(version(), env!("CARGO_PKG_VERSION"));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../VERSION");
    assert_eq!(version(), std::fs::read_to_string(file).unwrap().trim());
}

#[cfg(feature = "serde")]
#[test]
fn options_are_data() {
    let options: JsonSchemaOptions =
        serde_json::from_str(r#"{"whitespace": "compact", "default_draft": "2019-09", "indent": 4}"#).unwrap();
    let expected = JsonSchemaOptions::new()
        .whitespace(Whitespace::Compact)
        .default_draft(Draft::Draft2019)
        .indent(4);
    assert_eq!(options, expected);
    let text = serde_json::to_string(&options).unwrap();
    assert_eq!(serde_json::from_str::<JsonSchemaOptions>(&text).unwrap(), options);
    assert!(serde_json::from_str::<RegexOptions>(r#"{"ignorecase": true}"#).is_err());
    let limits: Limits = serde_json::from_str(r#"{"nesting": 9}"#).unwrap();
    assert_eq!(limits, Limits::new().nesting(9));
    let options: RegexOptions = serde_json::from_str(r#"{"match": "search"}"#).unwrap();
    assert_eq!(options.r#match, RegexMatch::Search);
}

#[cfg(feature = "half")]
#[test]
fn logits_of_16_bits() {
    let mut logits = [half::f16::ONE; 3];
    apply_token_bitmask_inplace(&mut logits, &[0b010u32]).unwrap();
    assert_eq!(
        logits,
        [half::f16::NEG_INFINITY, half::f16::ONE, half::f16::NEG_INFINITY]
    );
    let mut logits = [half::bf16::ONE; 3];
    apply_token_bitmask_inplace(&mut logits, &[0b101i32]).unwrap();
    assert_eq!(logits, [half::bf16::ONE, half::bf16::NEG_INFINITY, half::bf16::ONE]);
}

#[cfg(feature = "tokenizers")]
#[test]
fn tokenizers_of_the_crate_tokenizers() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../data/default_tokenizer/tokenizer.json"
    );
    let original = ::tokenizers::Tokenizer::from_file(file).unwrap();
    let info = TokenizerInfo::from_tokenizers(&original, None).unwrap();
    for text in ["one, two", "  Ünï {\"a\": 1}\n", "12345 apples"] {
        assert_eq!(
            info.tokenize(text).unwrap(),
            original.encode(text, false).unwrap().get_ids()
        );
    }
}

#[test]
fn warm_up() {
    let tokenizer = TokenizerInfo::builtin().unwrap();
    let schema = r#"{"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}"#;
    let compile = || {
        let compiler = GrammarCompiler::new(&tokenizer, None).unwrap();
        compiler.compile_json_schema(schema, None).unwrap()
    };
    let (warm, cold) = (compile(), compile());
    assert_eq!(warm.warm_up(&WarmUpOptions::new().work(0)).masks, 0);
    let report = warm.warm_up(None);
    assert!(report.masks > 0 && report.work <= WarmUpOptions::default().work);
    assert_eq!(warm.stats().masks, report.masks);
    let mut matchers = [&warm, &cold].map(|compiled| GrammarMatcher::new(compiled, None).unwrap());
    for token in tokenizer.tokenize(r#"{"id": 381}"#).unwrap() {
        let masks = matchers.each_mut().map(|matcher| {
            let mut bitmask = vec![0u32; bitmask_words(tokenizer.vocab_size())];
            matcher.fill_next_token_bitmask(&mut bitmask).unwrap();
            matcher.accept_token(token).unwrap();
            bitmask
        });
        assert_eq!(masks[0], masks[1]);
    }
}

#[test]
fn prefetch() {
    let tokenizer = TokenizerInfo::builtin().unwrap();
    let (a, b) = (tokenizer.tokenize("a").unwrap()[0], tokenizer.tokenize("b").unwrap()[0]);
    let mut matcher = regex_matcher("ab");
    let mut batch = BatchMatcher::with_options(&BatchOptions::new().prefetch(true));
    let mut bitmask = vec![0u32; bitmask_words(tokenizer.vocab_size())];
    assert!(batch.accept_tokens(&mut [Some(&mut matcher)], &[a]).unwrap()[0].is_ok());
    assert!(batch
        .fill_next_token_bitmasks(&mut [Some(&mut matcher)], &mut bitmask)
        .unwrap()[0]
        .is_ok());
    assert_eq!(tokens_in_bitmask(&bitmask).collect::<Vec<_>>(), [b]);
}
