//! The cases of tests/data, which contain every construct of every language, through the crate.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use weir::*;

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default = "ebnf")]
    syntax: String,
    grammar: String,
    dialect: Option<String>,
    start: Option<String>,
    #[serde(default)]
    keep_endless: bool,
    #[serde(default)]
    exact_splits: bool,
    #[serde(default)]
    grammars: BTreeMap<String, String>,
    #[serde(default)]
    tokens: Vec<String>,
    #[serde(default)]
    accepts: Vec<String>,
    #[serde(default)]
    rejects: Vec<String>,
    #[serde(default)]
    dead_prefixes: Vec<String>,
    #[serde(default)]
    masks: Vec<Mask>,
    #[serde(default)]
    captures: Vec<Captures>,
    #[serde(default)]
    temperatures: Vec<Temperature>,
    error: Option<ExpectedError>,
    #[serde(default)]
    warnings: Vec<String>,
}

#[derive(Deserialize)]
struct Mask {
    after: String,
    allowed: Vec<String>,
}

#[derive(Deserialize)]
struct Captures {
    after: String,
    are: Vec<String>,
}

#[derive(Deserialize)]
struct Temperature {
    after: String,
    is: Option<f32>,
}

#[derive(Deserialize)]
struct ExpectedError {
    code: String,
    at: Option<(usize, usize)>,
    #[serde(default)]
    says: String,
}

fn ebnf() -> String {
    "ebnf".into()
}

fn dialect(name: &str) -> RegexDialect {
    use RegexDialect::*;
    [Weir, Ecma262, Rust, Python, Pcre]
        .into_iter()
        .find(|dialect| dialect.name() == name)
        .expect(name)
}

fn compile(compiler: &GrammarCompiler, case: &Case) -> Result<CompiledGrammar, Error> {
    match case.syntax.as_str() {
        "regex" => {
            let options = case
                .dialect
                .as_deref()
                .map(|name| RegexOptions::new().dialect(dialect(name)));
            compiler.compile_regex(&case.grammar, options.as_ref())
        }
        "structural_tag" => compiler.compile_structural_tag(&case.grammar, None),
        "response_format" => compiler.compile_response_format(&case.grammar, None),
        syntax => {
            let grammars = case.grammars.iter().map(|(name, text)| NamedGrammar {
                name: name.clone(),
                text: text.clone(),
                syntax: GrammarSyntax::Lark,
            });
            let options = TextOptions::new()
                .syntax(syntax.parse()?)
                .start(case.start.clone().unwrap_or_default())
                .keep_endless(case.keep_endless)
                .exact_splits(case.exact_splits)
                .grammars(grammars.collect());
            compiler.compile_text(&case.grammar, &options)
        }
    }
}

fn run(case: &Case) {
    let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    tokens.extend(case.tokens.iter().map(|token| token.clone().into_bytes()));
    let stop = tokens.len() as u32;
    tokens.push(b"<eos>".to_vec());
    let vocab = VocabOptions::new()
        .special_token_ids(vec![stop])
        .stop_token_ids(vec![stop]);
    let tokenizer = TokenizerInfo::from_tokens(&tokens, &vocab, None).unwrap();
    let compiler = GrammarCompiler::new(&tokenizer, None).unwrap();
    let compiled = compile(&compiler, case);
    if let Some(expected) = &case.error {
        let error = compiled.expect_err("should not compile");
        assert_eq!(error.code().name(), expected.code);
        assert!(error.message().contains(&expected.says), "{error}");
        if let Some((start, end)) = expected.at {
            assert_eq!(error.range(), start..end, "{error}");
        }
        assert!(error.render(&case.grammar, "case").contains(error.message()));
        return;
    }
    let compiled = compiled.unwrap_or_else(|error| panic!("{}", error.render(&case.grammar, "case")));
    let warnings: Vec<String> = compiled.warnings().iter().map(|warning| warning.message).collect();
    assert_eq!(warnings.len(), case.warnings.len(), "{warnings:?}");
    for says in &case.warnings {
        assert!(
            warnings.iter().any(|warning| warning.contains(says)),
            "{says} in {warnings:?}"
        );
    }

    let begin = || GrammarMatcher::new(&compiled, None).unwrap();
    let after = |text: &str| {
        let mut matcher = begin();
        matcher
            .accept_bytes(text)
            .unwrap_or_else(|error| panic!("after {text}: {error}"));
        matcher
    };
    for text in &case.accepts {
        let mut matcher = begin();
        for byte in text.bytes() {
            assert!(
                matcher.allowed_tokens().unwrap().contains(byte.into()),
                "masked in {text}"
            );
            matcher
                .accept_token(byte.into())
                .unwrap_or_else(|error| panic!("{text}: {error}"));
        }
        assert!(matcher.is_completed(), "{text}");
        matcher.accept_token(stop).unwrap();
        assert!(matcher.is_terminated());
        assert_eq!(matcher.accept_token(stop), Err(StepError::Terminated));
        assert_eq!(matcher.text(), text.as_bytes());
    }
    for text in &case.rejects {
        let mut matcher = begin();
        let is_prefix = matcher.accept_bytes(text).is_ok();
        assert!(!(is_prefix && matcher.is_completed()), "should be rejected: {text}");
    }
    for text in &case.dead_prefixes {
        assert!(
            begin().longest_viable_prefix(text).unwrap() < text.len(),
            "should be dead: {text}"
        );
        assert_eq!(begin().accept_bytes(text), Err(StepError::Refused));
    }
    for mask in &case.masks {
        let mut matcher = after(&mask.after);
        let mut words = vec![0i32; bitmask_words(tokenizer.vocab_size())];
        matcher.fill_next_token_bitmask(&mut words).unwrap();
        let mut allowed: Vec<&str> = tokens_in_bitmask(&words)
            .filter(|&token| token >= 256)
            .map(|token| std::str::from_utf8(&tokens[token as usize]).unwrap())
            .collect();
        let mut expected: Vec<&str> = mask.allowed.iter().map(String::as_str).collect();
        allowed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(allowed, expected, "after {}", mask.after);
    }
    for expected in &case.captures {
        let found: Vec<String> = after(&expected.after)
            .captures()
            .unwrap()
            .into_iter()
            .map(|capture| {
                let text = String::from_utf8_lossy(&expected.after.as_bytes()[capture.range]).into_owned();
                format!("{}={text}{}", capture.name, if capture.complete { "" } else { "..." })
            })
            .collect();
        assert_eq!(found, expected.are, "after {}", expected.after);
    }
    for expected in &case.temperatures {
        assert_eq!(
            after(&expected.after).temperature().unwrap(),
            expected.is,
            "after {}",
            expected.after
        );
    }
}

#[test]
fn every_case() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder)
        .expect("the repository's tests/data")
        .map(Result::unwrap)
    {
        if entry.path().extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{:?}: {error}", entry.path()));
        for case in &file.case {
            println!("{}: {}", entry.file_name().to_string_lossy(), case.name); // shown if the case fails
            run(case);
            count += 1;
        }
    }
    assert!(count > 200, "{count} cases");
}
