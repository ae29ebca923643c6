"""weir.integrations.llama_cpp with a tiny random model in a GGUF file, and weir_llama.h with llama.cpp's library.
Skipped if llama-cpp-python or gguf is not installed. Tests that need no model always run.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import weir
from conftest import allowed
from weir.integrations.llama_cpp import GrammarLogitsProcessor, tokenizer_info

ROOT = pathlib.Path(__file__).resolve().parents[2]


def mask(processor, tokens, width=7):
    masked = processor(np.array(tokens, dtype=np.intc), np.zeros(width, dtype=np.single))
    return np.flatnonzero(masked == 0).tolist()


def test_outputs_are_followed(letters):
    compiled = weir.GrammarCompiler(letters).compile_grammar('root ::= "a"+ "b"')
    processor = GrammarLogitsProcessor(compiled)
    assert mask(processor, [6, 1, 2]) == [0, 4]  # the prompt is not output
    assert mask(processor, [6, 1, 2, 0, 0]) == [0, 1, 4]
    assert mask(processor, [6, 1, 2, 0, 1]) == [5] and processor.is_over(np.array([6, 1, 2, 0, 1]))
    assert not processor.is_over(np.array([6, 1, 2, 0]))
    assert mask(processor, [6, 1, 2, 0, 1, 5]) == [5] and processor.is_over(np.array([6, 1, 2, 0, 1, 5]))
    assert mask(processor, [6, 1, 2, 0, 2]) == [5]  # refused
    assert not processor.is_over(np.array([6, 1, 2, 0, 2]))
    assert mask(processor, [6, 1, 2]) == [0, 4]
    with pytest.raises(ValueError, match="reset"):
        mask(processor, [6, 1])
    processor.reset()
    assert mask(processor, [6, 1], width=40) == [0, 4]


def test_a_dead_end_is_told():
    """The vocabulary cannot spell what must come after `a`."""
    for stops in ([], [2]):
        info = weir.TokenizerInfo(["a", "b", "</s>"][:2 + len(stops)], special_token_ids=stops, stop_token_ids=stops)
        compiled = weir.GrammarCompiler(info).compile_grammar('root ::= "a" "ü" | "b"')
        processor = GrammarLogitsProcessor(compiled)
        assert mask(processor, [0], width=info.vocab_size) == [0, 1]
        if stops:
            with pytest.warns(RuntimeWarning, match="after b'a': no token can come next.*incomplete"):
                assert mask(processor, [0, 0], width=3) == [2]
        else:
            with pytest.raises(ValueError, match="after b'a': no token can come next"):
                mask(processor, [0, 0], width=2)
            assert mask(processor, [0, 1], width=2) == [] and processor.is_over(np.array([0, 1]))  # complete
            with pytest.raises(ValueError, match="no stop token"):
                mask(processor, [0, 1, 1], width=2)


def test_canonical_outputs_continue_the_prompt(builtin):
    compiled = weir.GrammarCompiler(builtin).compile_choice(["he", " theory", "!"])
    processor = GrammarLogitsProcessor(compiled, tokenization="canonical")
    t, prompt = builtin.tokenize("t"), builtin.tokenize("In")
    (end,) = builtin.stop_token_ids

    def first_tokens(before):
        """Returns the tokens that follow `before` in tokenizations of longer texts that keep the tokens of `before`."""
        wholes = [builtin.tokenize(builtin.decode(before).decode() + text) for text in ["he", " theory", "!"]]
        return {ids[len(before)] for ids in wholes if ids[:len(before)] == before}

    for before in (prompt, [end, *t], t):
        text = before[-1:] if before[0] == end else before
        assert set(mask(processor, before, width=builtin.vocab_size)) == first_tokens(text)
        processor.reset()
    assert first_tokens(t) < first_tokens(prompt)  # after `t` the tokenizer does not write `he`
    whole = builtin.tokenize("In theory")
    assert mask(processor, prompt, width=builtin.vocab_size) and whole[:1] == prompt
    for length in range(1, len(whole)):
        assert whole[length] in mask(processor, whole[:length], width=builtin.vocab_size)
    assert mask(processor, whole, width=builtin.vocab_size) == [end]
    processor.reset()
    with pytest.raises(ValueError, match="context"):
        mask(processor, [*t, *builtin.tokenize("h")], width=builtin.vocab_size)


def test_what_has_no_canonical_tokens_is_refused(letters, builtin):
    with pytest.raises(weir.TokenizerError):
        GrammarLogitsProcessor(weir.GrammarCompiler(letters).compile_grammar('root ::= "a"'), tokenization="canonical")
    bounded = weir.GrammarCompiler(builtin).compile_grammar('root ::= @max_tokens(2: "itepass")')
    with pytest.raises(weir.GrammarError, match="bounds of rules on tokens"):
        GrammarLogitsProcessor(bounded, tokenization="canonical")
    processor = GrammarLogitsProcessor(weir.GrammarCompiler(builtin).compile_choice(["he"]), tokenization="canonical")
    with pytest.raises(weir.GrammarError, match="after the context"):
        mask(processor, builtin.tokenize("t"), width=builtin.vocab_size)


def test_logits_within_records(letters):
    """llama-cpp-python passes a field of an array of records."""
    compiled = weir.GrammarCompiler(letters).compile_grammar('root ::= "a"')
    records = np.rec.array(np.zeros(7, dtype=[("id", np.intc), ("logit", np.single), ("p", np.single)]))
    masked = GrammarLogitsProcessor(compiled)(np.array([1]), records.logit)
    assert np.flatnonzero(masked == 0).tolist() == [0] and (records.logit == 0).all()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A Llama model of one layer with weir's embedded tokenizer."""
    gguf = pytest.importorskip("gguf")
    pytest.importorskip("llama_cpp")
    file = json.loads((ROOT / "data/default_tokenizer/tokenizer.json").read_text(encoding="utf-8"))
    names = {token: name for name, token in file["model"]["vocab"].items()}
    special = {token["id"]: token["content"] for token in file["added_tokens"]}
    names |= special
    width, heads = 64, 2
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(256)
    writer.add_embedding_length(width)
    writer.add_block_count(1)
    writer.add_feed_forward_length(64)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(width // heads)
    writer.add_vocab_size(len(names))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([names[token] for token in range(len(names))])
    writer.add_token_types([gguf.TokenType.CONTROL if token in special else gguf.TokenType.NORMAL
                            for token in range(len(names))])
    merges = file["model"]["merges"]
    writer.add_token_merges([pair if isinstance(pair, str) else " ".join(pair) for pair in merges])
    (end,) = [token for token, name in special.items() if name == "<|endoftext|>"]
    writer.add_eos_token_id(end)
    writer.add_bos_token_id(end)
    writer.add_add_bos_token(False)
    random = np.random.default_rng(1)

    def add(name, *shape):
        writer.add_tensor(name, (random.standard_normal(shape) * 0.3).astype(np.float32))

    add("token_embd.weight", len(names), width)
    add("output_norm.weight", width)
    add("output.weight", len(names), width)
    for name in ("attn_norm", "ffn_norm"):
        add(f"blk.0.{name}.weight", width)
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        add(f"blk.0.{name}.weight", width, width)
    for name in ("ffn_gate", "ffn_up"):
        add(f"blk.0.{name}.weight", 64, width)
    add("blk.0.ffn_down.weight", width, 64)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.fixture(scope="module")
def llama(model):
    import llama_cpp

    return llama_cpp.Llama(str(model), n_ctx=256, n_threads=1, verbose=False, seed=3)


def test_tokenizer(llama):
    info = tokenizer_info(llama)
    assert info.vocab_size == llama.n_vocab() and llama.token_eos() in info.stop_token_ids
    for token in (0, 65, 300, 4000):
        assert info.token_bytes(token) == llama.detokenize([token])
    text = b'{"name": 12}'
    assert info.tokenize(text) == llama.tokenize(text, add_bos=False)


@pytest.mark.parametrize("options", [{"temperature": 0.0}, {"temperature": 1.0}, {"temperature": 0.8, "top_k": 5}])
def test_completions(llama, options):
    import llama_cpp

    compiler = weir.GrammarCompiler(tokenizer_info(llama))
    for compiled, is_whole in ((compiler.compile_json_schema({"enum": ["red", "green", [1, 2]]}), json.loads),
                               (compiler.compile_regex("(ab|cd){3,6}!"), None)):
        processor = GrammarLogitsProcessor(compiled)
        done = llama.create_completion("Some text:", max_tokens=60, **options,
                                       logits_processor=llama_cpp.LogitsProcessorList([processor]))
        (choice,) = done["choices"]
        matcher = weir.GrammarMatcher(compiled, at_text_start=False)
        assert matcher.accept_string(choice["text"])
        assert choice["finish_reason"] == "stop" and matcher.is_completed()
        if is_whole:
            assert is_whole(choice["text"]) in ["red", "green", [1, 2]]


def test_ends_without_an_end_token(llama):
    """A stopping criterion ends the output when no token may follow."""
    import llama_cpp

    info = tokenizer_info(llama)
    compiled = weir.GrammarCompiler(info).compile_grammar('root ::= "abc"')
    processor = GrammarLogitsProcessor(compiled)
    prompt = llama.tokenize(b"x")
    tokens = []
    for token in llama.generate(prompt, temp=0.0, logits_processor=llama_cpp.LogitsProcessorList([processor]),
                                stopping_criteria=llama_cpp.StoppingCriteriaList([processor.is_over])):
        tokens.append(token)
        assert len(tokens) < 10
    assert b"abc".startswith(info.decode(tokens)) and len(tokens) <= 3


def test_masks_are_those_of_a_matcher(llama):
    info = tokenizer_info(llama)
    compiled = weir.GrammarCompiler(info).compile_regex("[ab]+c")
    processor = GrammarLogitsProcessor(compiled)
    masked = processor(np.array([1, 2], dtype=np.intc), np.zeros(info.vocab_size, dtype=np.single))
    bitmask = weir.allocate_token_bitmask(1, info.vocab_size)
    weir.GrammarMatcher(compiled, at_text_start=False).fill_next_token_bitmask(bitmask)
    assert np.flatnonzero(masked == 0).tolist() == allowed(bitmask[0])


PROMPTS = sorted((ROOT / "examples/language_model/prompts").glob("*.json"))


@pytest.fixture(scope="module")
def small_model(tmp_path_factory):
    """The model of data/model as a GGUF file."""
    pytest.importorskip("gguf")
    pytest.importorskip("safetensors")
    file = tmp_path_factory.mktemp("gguf") / "small.gguf"
    subprocess.run([sys.executable, ROOT / "tools/train_model/to_gguf.py", ROOT / "data/model", file], check=True)
    return file


def test_documents_of_the_small_model(small_model):
    """Under a schema the model writes a document of the schema."""
    llama_cpp = pytest.importorskip("llama_cpp")
    jsonschema = pytest.importorskip("jsonschema")
    llama = llama_cpp.Llama(str(small_model), n_ctx=512, n_threads=1, verbose=False, seed=1)
    compiler = weir.GrammarCompiler(tokenizer_info(llama))
    for prompt in PROMPTS:
        schema = prompt.read_text(encoding="utf-8").rstrip()
        processor = GrammarLogitsProcessor(compiler.compile_json_schema(schema, whitespace="compact"))
        begin = llama.tokenize(f"<|schema|>{schema}<|json|>".encode(), add_bos=False, special=True)
        done = llama.create_completion(begin, max_tokens=250, temperature=0.6,
                                       logits_processor=llama_cpp.LogitsProcessorList([processor]))
        (choice,) = done["choices"]
        assert choice["finish_reason"] == "stop", choice
        jsonschema.validate(json.loads(choice["text"]), json.loads(schema))


@pytest.mark.parametrize("compiler", [["cc", "-std=c11"], ["c++", "-std=c++20", "-x", "c++"]], ids=["c", "c++"])
def test_sampler_in_c(small_model, tmp_path, compiler):
    """weir_llama.h with llama.cpp's own header and library. tests/c_api/llama_library_test.c describes the checks."""
    llama_cpp = pytest.importorskip("llama_cpp")
    jsonschema = pytest.importorskip("jsonschema")
    library = os.environ.get("WEIR_LIBRARY")
    if library is None:
        pytest.skip("WEIR_LIBRARY does not name an installation of the library: tests/python/run.sh does")
    (pkg_config,) = pathlib.Path(library).glob("lib*/**/pkgconfig")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "weir"], capture_output=True, text=True, check=True,
                           env={**os.environ, "PKG_CONFIG_PATH": str(pkg_config)}).stdout.split()
    package = pathlib.Path(llama_cpp.__file__).parent
    program = tmp_path / "program"
    subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/tests/c_api", "-isystem",
                    package.parent / "include", ROOT / "tests/c_api/llama_library_test.c", "-x", "none", *flags,
                    f"-L{package}/lib", "-lllama", f"-Wl,-rpath,{package}/lib", f"-Wl,-rpath-link,{package}/lib", "-o",
                    program], check=True)
    done = subprocess.run([program, small_model, *PROMPTS], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    documents = done.stdout.splitlines()
    assert len(documents) == len(PROMPTS) and len(PROMPTS) % 2 == 0
    for document, prompt in zip(documents, PROMPTS):
        jsonschema.validate(json.loads(document), json.loads(prompt.read_text(encoding="utf-8")))


def test_docs(llama):
    text = (ROOT / "docs/llama_cpp.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names = {"llama": llama}
    exec(code, names)
    assert json.loads(names["completion"]["choices"][0]["text"]) in ("red", "green")
