//! Generates JSON for a schema with a small Llama in candle: weir masks the logits before candle's LogitsProcessor draws.
//!
//! Usage: weir-candle-example MODEL_FOLDER SCHEMA_FILE [TEMPERATURE]. MODEL_FOLDER has config.json, model.safetensors and
//! tokenizer.json, such as data/model; SCHEMA_FILE is a JSON Schema, such as those of examples/language_model/prompts.
//! Prints the document. Exit status 1 if something cannot be read.

use std::error::Error;
use std::path::Path;

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::generation::LogitsProcessor;
use candle_transformers::models::llama::{Cache, Config, Llama, LlamaEosToks};
use weir::{GrammarCompiler, GrammarMatcher, JsonSchemaOptions, TokenizerInfo};

/// A LogitsProcessor that draws only tokens of a grammar.
struct ConstrainedProcessor {
    matcher: GrammarMatcher,
    inner: LogitsProcessor,
    bitmask: Vec<u32>,
}

impl ConstrainedProcessor {
    fn new(matcher: GrammarMatcher, inner: LogitsProcessor) -> Self {
        let vocab_size = matcher.compiled_grammar().tokenizer_info().vocab_size();
        Self {
            matcher,
            inner,
            bitmask: vec![0; weir::bitmask_words(vocab_size)],
        }
    }

    /// Draws a token and appends it to the output. `None` if the output has ended.
    fn sample(&mut self, logits: &Tensor) -> Result<Option<u32>, Box<dyn Error>> {
        if self.matcher.is_terminated() {
            return Ok(None);
        }
        self.matcher.fill_next_token_bitmask(&mut self.bitmask)?;
        let mut values = logits.to_dtype(DType::F32)?.to_vec1::<f32>()?;
        weir::apply_token_bitmask_inplace(&mut values, &self.bitmask)?;
        let token = self.inner.sample(&Tensor::new(values, &Device::Cpu)?)?;
        self.matcher.accept_token(token)?;
        Ok(Some(token))
    }
}

fn read_config(folder: &Path) -> Result<Config, Box<dyn Error>> {
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(folder.join("config.json"))?)?;
    let number = |name: &str| json[name].as_u64().ok_or(format!("config.json has no number `{name}`"));
    let theta = json["rope_parameters"]["rope_theta"]
        .as_f64()
        .or(json["rope_theta"].as_f64());
    Ok(Config {
        hidden_size: number("hidden_size")? as usize,
        intermediate_size: number("intermediate_size")? as usize,
        vocab_size: number("vocab_size")? as usize,
        num_hidden_layers: number("num_hidden_layers")? as usize,
        num_attention_heads: number("num_attention_heads")? as usize,
        num_key_value_heads: number("num_key_value_heads")? as usize,
        use_flash_attn: false,
        rms_norm_eps: json["rms_norm_eps"].as_f64().unwrap_or(1e-6),
        rope_theta: theta.unwrap_or(10_000.0) as f32,
        bos_token_id: None,
        eos_token_id: Some(LlamaEosToks::Single(number("eos_token_id")? as u32)),
        rope_scaling: None,
        max_position_embeddings: number("max_position_embeddings")? as usize,
        tie_word_embeddings: json["tie_word_embeddings"].as_bool().unwrap_or(false),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, schema_file, rest @ ..] = arguments.as_slice() else {
        return Err("usage: weir-candle-example MODEL_FOLDER SCHEMA_FILE [TEMPERATURE]".into());
    };
    let folder = Path::new(folder);
    let schema = std::fs::read_to_string(schema_file)?;
    let temperature: f64 = rest.first().map_or(Ok(0.6), |text| text.parse())?;

    let config = read_config(folder)?;
    let tokenizer = TokenizerInfo::from_file(folder.join("tokenizer.json"), None)?;
    let compiled = GrammarCompiler::new(&tokenizer, None)?
        .compile_json_schema(&schema, &JsonSchemaOptions::serving())
        .map_err(|error| error.render(&schema, schema_file))?;
    let matcher = GrammarMatcher::new(&compiled, None)?;

    let weights = candle_core::safetensors::load(folder.join("model.safetensors"), &Device::Cpu)?;
    let model = Llama::load(VarBuilder::from_tensors(weights, DType::F32, &Device::Cpu), &config)?;
    let mut cache = Cache::new(true, DType::F32, &config, &Device::Cpu)?;

    // This model's prompt: <|schema|>SCHEMA<|json|>, the schema without blanks.
    let compact = serde_json::from_str::<serde_json::Value>(&schema)?.to_string();
    let special = |name: &str| tokenizer.find_special_token(name).ok_or(format!("no token {name}"));
    let mut input = vec![special("<|schema|>")?];
    input.extend(tokenizer.tokenize(&compact)?);
    input.push(special("<|json|>")?);

    let mut processor = ConstrainedProcessor::new(matcher, LogitsProcessor::new(42, Some(temperature), None));
    let mut position = 0;
    let mut output = Vec::new();
    while position + input.len() < config.max_position_embeddings {
        let tokens = Tensor::new(input.as_slice(), &Device::Cpu)?.unsqueeze(0)?;
        let logits = model.forward(&tokens, position, &mut cache)?.squeeze(0)?;
        position += input.len();
        let Some(token) = processor.sample(&logits)? else { break };
        output.push(token);
        input = vec![token];
    }
    println!("{}", String::from_utf8_lossy(&tokenizer.decode(&output)?));
    Ok(())
}
