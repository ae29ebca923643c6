"""The small model of data/model in transformers' generate(). Under a schema it must write a document of the schema,
which jsonschema verifies. Skipped if torch, transformers or jsonschema is not installed.
"""

import json
import pathlib
import subprocess
import sys

import pytest

import weir

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
jsonschema = pytest.importorskip("jsonschema")
hf = pytest.importorskip("weir.integrations.transformers")
torch.set_num_threads(1)  # more threads do not make such a small model faster

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "data/model"
PROMPTS = sorted((ROOT / "examples/language_model/prompts").glob("*.json"))
LONGEST = 160


@pytest.fixture(scope="module")
def tokenizer():
    return transformers.PreTrainedTokenizerFast(tokenizer_file=str(MODEL / "tokenizer.json"), eos_token="<|end|>",
                                                pad_token="<|end|>", padding_side="left")


def load():
    return transformers.LlamaForCausalLM.from_pretrained(MODEL, dtype=torch.float32).eval()


@pytest.fixture(scope="module")
def model():
    return load()


@pytest.fixture(scope="module")
def compiler(tokenizer, model):
    return weir.GrammarCompiler(hf.tokenizer_info(tokenizer, model))


def prompt_of(file):
    text = file.with_suffix(".txt")
    head = "<|text|>" + text.read_text().rstrip("\n") if text.exists() else ""
    return f"{head}<|schema|>{file.read_text().rstrip()}<|json|>"


def generate(tokenizer, model, files, processor, **options):
    """Returns the text after each prompt, and whether the model ended it."""
    inputs = tokenizer([prompt_of(file) for file in files], return_tensors="pt", padding=True,
                       return_token_type_ids=False)
    output = model.generate(**inputs, **options, max_new_tokens=LONGEST, pad_token_id=tokenizer.pad_token_id,
                            logits_processor=[] if processor is None else [processor])
    rows = output[:, inputs["input_ids"].shape[1]:].tolist()
    end = tokenizer.eos_token_id
    return [(tokenizer.decode(row[:row.index(end)] if end in row else row), end in row) for row in rows]


def is_valid(file, text):
    try:
        jsonschema.validate(json.loads(text), json.loads(file.read_text()),
                            format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
    except (json.JSONDecodeError, jsonschema.ValidationError):
        return False
    return True


SEARCHES = {
    "greedy": {"do_sample": False},
    "sampling": {"do_sample": True, "top_k": 0},
    "hot": {"do_sample": True, "top_k": 0, "temperature": 1.5},
    "several samples": {"do_sample": True, "num_return_sequences": 2},
    "beams": {"num_beams": 2, "do_sample": False},
}


@pytest.mark.parametrize("search", SEARCHES)
def test_documents_satisfy_their_schemas(tokenizer, model, compiler, search):
    """One batch, with a grammar for each row and prompts of different lengths."""
    grammars = [compiler.compile_json_schema(file.read_text(), whitespace="compact") for file in PROMPTS]
    processor = hf.GrammarLogitsProcessor(grammars)
    torch.manual_seed(1)
    written = generate(tokenizer, model, PROMPTS, processor, **SEARCHES[search])
    copies = len(written) // len(PROMPTS)
    whole = 0
    for row, (text, has_ended) in enumerate(written):
        file = PROMPTS[row // copies]
        assert not has_ended or is_valid(file, text), (file.name, text)
        assert weir.GrammarMatcher(grammars[row // copies]).accept_string(text)
        whole += has_ended
    assert whole >= len(written) * 3 // 4


def test_one_grammar_for_all(tokenizer, model, compiler):
    file = PROMPTS[0]
    processor = hf.GrammarLogitsProcessor(compiler.compile_json_schema(file.read_text()))
    torch.manual_seed(2)
    written = generate(tokenizer, model, [file] * 3, processor, do_sample=True, top_k=0)
    assert all(is_valid(file, text) for text, has_ended in written if has_ended)
    assert any(has_ended for _, has_ended in written)


def test_the_model_alone_fails_at_times(tokenizer, model):
    """Without masks the model writes invalid documents, so the tests above depend on the masks."""
    torch.manual_seed(1)
    written = generate(tokenizer, model, PROMPTS, None, do_sample=True, top_k=0)
    assert not all(is_valid(file, text) for file, (text, _) in zip(PROMPTS, written))


def test_assisted_generation(tokenizer, model, compiler):
    """With greedy search, neither an assistant model nor guesses from the prompt change the output."""
    file = PROMPTS[0]
    compiled = compiler.compile_json_schema(file.read_text(), whitespace="compact")
    alone = generate(tokenizer, model, [file], hf.GrammarLogitsProcessor(compiled), do_sample=False)
    for help_ in ({"assistant_model": load()}, {"prompt_lookup_num_tokens": 4}):
        written = generate(tokenizer, model, [file], hf.GrammarLogitsProcessor(compiled), do_sample=False, **help_)
        assert written == alone


def test_padded_vocabulary(tokenizer):
    """The output layer is wider than the tokenizer. The logits that stand for no token are the greatest."""
    model = load()
    model.resize_token_embeddings(len(tokenizer) + 37, mean_resizing=False)
    with torch.no_grad():
        model.get_output_embeddings().weight[len(tokenizer):] *= 100
    info = hf.tokenizer_info(tokenizer, model)
    assert info.vocab_size == len(tokenizer) + 37
    file = PROMPTS[0]
    compiled = weir.GrammarCompiler(info).compile_json_schema(file.read_text(), whitespace="compact")
    torch.manual_seed(4)
    ((text, has_ended),) = generate(tokenizer, model, [file], hf.GrammarLogitsProcessor(compiled), do_sample=True)
    assert is_valid(file, text) if has_ended else weir.GrammarMatcher(compiled).accept_string(text)


def test_reference_logits(model):
    """The logits with which the C++ example is compared belong to these weights."""
    for line in (MODEL / "reference_logits.txt").read_text().splitlines():
        tokens, logits = line.split(" : ")
        expected = torch.tensor([float(logit) for logit in logits.split()])
        with torch.no_grad():
            computed = model(torch.tensor([[int(token) for token in tokens.split()]])).logits[0, -1, :len(expected)]
        assert torch.allclose(computed, expected, atol=2e-3)


def test_as_gguf(tmp_path):
    """The converted file has the same tokenizer, and weir reads it."""
    pytest.importorskip("gguf")
    pytest.importorskip("safetensors")
    file = tmp_path / "model.gguf"
    subprocess.run([sys.executable, ROOT / "tools/train_model/to_gguf.py", MODEL, file], check=True)
    converted, original = (weir.TokenizerInfo.from_file(str(path)) for path in (file, MODEL / "tokenizer.json"))
    assert converted.vocab_size == original.vocab_size and converted.stop_token_ids == original.stop_token_ids
    assert all(converted.token_bytes(token) == original.token_bytes(token) for token in range(original.vocab_size))
    text = PROMPTS[0].read_text() + ' {"name": "Ada Brown", "total": 12.5}\n'
    assert converted.tokenize(text) == original.tokenize(text)
