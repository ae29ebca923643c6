"""weir.integrations.transformers in generate(), with tiny models of random weights. Skipped if torch or transformers is
not installed.

The models are untrained, so the grammar decides what they write. Each row is checked by a new matcher, which did not
take part in generating.
"""

import contextlib
import json
import math
import pathlib
import re

import pytest

import weir
from conftest import allowed as allowed_tokens

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
hf = pytest.importorskip("weir.integrations.transformers")
torch.set_num_threads(1)  # more threads do not make such small models faster

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"enum": ["x", "yes", "no"]}},
          "required": ["a", "b"], "additionalProperties": False}
WORDS = 'root ::= ("red" | "green" | "blue" | "grey" | "black") ("," " " root)?'


@pytest.fixture(scope="module")
def tokenizer():
    file = str(ROOT / "data/default_tokenizer/tokenizer.json")
    info = weir.TokenizerInfo.from_file(file)
    end = info.token_name(info.stop_token_ids[0])
    return transformers.PreTrainedTokenizerFast(tokenizer_file=file, eos_token=end, pad_token=end, padding_side="left")


def make_model(kind, tokenizer, seed=0):
    torch.manual_seed(seed)
    width = len(tokenizer) + 37
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id, "bos_token_id": None}
    if kind == "gpt2":
        config = transformers.GPT2Config(vocab_size=width, n_positions=256, n_embd=32, n_layer=2, n_head=2, **ends)
        model = transformers.GPT2LMHeadModel(config)
    else:
        config = transformers.LlamaConfig(vocab_size=width, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                                          num_attention_heads=2, num_key_value_heads=2, **ends)
        model = transformers.LlamaForCausalLM(config)
    return model.eval()


@pytest.fixture(scope="module")
def gpt2(tokenizer):
    return make_model("gpt2", tokenizer)


@pytest.fixture(scope="module")
def llama(tokenizer):
    return make_model("llama", tokenizer)


@pytest.fixture(scope="module")
def compiler(tokenizer, llama):
    return weir.GrammarCompiler(hf.tokenizer_info(tokenizer, llama))


def prompts_of(tokenizer, *texts):
    return tokenizer(list(texts), return_tensors="pt", padding=True, return_token_type_ids=False)


def check(compiled, output_ids, *, may_be_cut=True):
    """Checks that the output up to its stop token is in the grammar, or is a prefix of a member. Returns its bytes."""
    matcher = weir.GrammarMatcher(compiled)
    stops = compiled.tokenizer_info.stop_token_ids
    written = []
    for token in output_ids.tolist():
        assert matcher.accept_token(token), (compiled.tokenizer_info.decode(written), token)
        if token in stops:
            break
        written.append(token)
    assert may_be_cut or matcher.is_completed() or matcher.is_terminated()
    return compiled.tokenizer_info.decode(written)


SEARCHES = {
    "greedy": {"do_sample": False},
    "sampling": {"do_sample": True, "top_k": 0},
    "sampling of the best": {"do_sample": True, "top_k": 3, "temperature": 0.7},
    "several samples": {"do_sample": True, "num_return_sequences": 3},
    "beams": {"num_beams": 4, "do_sample": False, "num_return_sequences": 2},
    "sampled beams": {"num_beams": 3, "do_sample": True, "top_k": 0},
    "penalties": {"do_sample": True, "repetition_penalty": 3.0},
}


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("model, with_criteria", [("gpt2", False), ("llama", True)])
def test_every_row_is_in_its_grammar(request, tokenizer, compiler, model, search, with_criteria):
    model = request.getfixturevalue(model)
    grammars = [compiler.compile_regex(r"[ab]{4,12}-\d{1,40}"), compiler.compile_grammar(WORDS)]
    prompts = prompts_of(tokenizer, "A text:", "Another one, which is rather longer than the first:")
    processor = hf.GrammarLogitsProcessor(grammars)
    criteria = [processor.stopping_criteria()] if with_criteria else []
    torch.manual_seed(1)
    output = model.generate(**prompts, **SEARCHES[search], max_new_tokens=20, logits_processor=[processor],
                            stopping_criteria=criteria)
    start = prompts["input_ids"].shape[1]
    copies = len(output) // 2
    outcomes = processor.outcomes(output)
    for row, outcome in zip(range(len(output)), outcomes):
        check(grammars[row // copies], output[row, start:])
        assert outcome in ("complete", "prefix")


def test_schema_to_the_end(tokenizer, compiler, llama):
    compiled = compiler.compile_json_schema(SCHEMA, whitespace="none")
    prompts = prompts_of(tokenizer, "x", "some more words")
    for seed in range(3):
        torch.manual_seed(seed)
        processor = hf.GrammarLogitsProcessor(compiled, threads=2)
        output = llama.generate(**prompts, do_sample=True, max_new_tokens=80, logits_processor=[processor],
                                stopping_criteria=[processor.stopping_criteria()])
        outcomes = processor.outcomes(output)
        for row, outcome in zip(output, outcomes):
            text = check(compiled, row[prompts["input_ids"].shape[1]:], may_be_cut=outcome == "prefix")
            if outcome == "complete":
                value = json.loads(text)
                assert value["a"] == int(value["a"]) and value["b"] in SCHEMA["properties"]["b"]["enum"]
    assert "complete" in outcomes


@pytest.mark.parametrize("search", SEARCHES)
def test_canonical_outputs(tokenizer, compiler, llama, search):
    """The prompt with the output is what the tokenizer writes for their text."""
    info = compiler.tokenizer_info
    texts = ["A text:", "Another one, which is rather longer than the first"]
    grammars = [compiler.compile_regex(" ?(theor(y|ies)|thermal|[a-z]{2,9})( of [a-z]+)?"), compiler.compile_grammar(WORDS)]
    prompts = prompts_of(tokenizer, *texts)
    processor = hf.GrammarLogitsProcessor(grammars, tokenization="canonical")
    torch.manual_seed(1)
    output = llama.generate(**prompts, **SEARCHES[search], max_new_tokens=12, logits_processor=[processor])
    start = prompts["input_ids"].shape[1]
    for row, outcome in zip(range(len(output)), processor.outcomes(output)):
        assert outcome in ("complete", "prefix")
        text = check(grammars[row * 2 // len(output)], output[row, start:])
        if outcome == "complete":
            before = tokenizer(texts[row * 2 // len(output)])["input_ids"]
            whole = info.tokenize(info.decode(before) + text)
            written = [token for token in output[row, start:].tolist() if token not in info.stop_token_ids]
            assert whole == [*before, *written]


def test_beams_find_the_likeliest_text(tokenizer, compiler, llama):
    """With as many beams as there are texts the search is exhaustive, so its order is that of the model's scores."""
    texts = ["red", "green", "blue"]
    compiled = compiler.compile_grammar('root ::= "red" | "green" | "blue"')
    prompt = prompts_of(tokenizer, "colour:")
    processor = hf.GrammarLogitsProcessor(compiled)
    output = llama.generate(**prompt, num_beams=8, num_return_sequences=8, max_new_tokens=8, do_sample=False,
                            length_penalty=0.0, logits_processor=[processor])
    start = prompt["input_ids"].shape[1]
    found = [check(compiled, row[start:]).decode() for row in output]
    end = tokenizer.eos_token_id

    def score(text):
        """Returns the greatest log probability of a segmentation of the text, under the model without a mask."""
        best = -float("inf")
        stack = [([], text.encode())]
        info = compiled.tokenizer_info
        while stack:
            ids, rest = stack.pop()
            if rest:
                stack += [([*ids, token], rest[len(info.token_bytes(token)):]) for token in range(info.vocab_size)
                          if info.token_bytes(token) and rest.startswith(info.token_bytes(token))]
                continue
            whole = torch.cat([prompt["input_ids"][0], torch.tensor([*ids, end])])[None]
            with torch.no_grad():
                logs = torch.log_softmax(llama(whole).logits[0], dim=-1)
            best = max(best, sum(logs[start - 1 + i, token].item() for i, token in enumerate([*ids, end])))
        return best

    assert found[0] == max(texts, key=score) and set(found) == set(texts)


@pytest.mark.parametrize("sample", [False, True])
def test_assisted_generation(tokenizer, compiler, llama, sample):
    assistant = make_model("llama", tokenizer, seed=5)
    compiled = compiler.compile_regex("(ab|ba|c{1,3}){10,30}")
    prompt = prompts_of(tokenizer, "abba abba")
    alone = llama.generate(**prompt, do_sample=False, max_new_tokens=24,
                           logits_processor=[hf.GrammarLogitsProcessor(compiled)])
    for more in ({"assistant_model": assistant}, {"prompt_lookup_num_tokens": 3}):
        processor = hf.GrammarLogitsProcessor(compiled)
        torch.manual_seed(2)
        output = llama.generate(**prompt, do_sample=sample, max_new_tokens=24, logits_processor=[processor], **more)
        check(compiled, output[0, prompt["input_ids"].shape[1]:])
        if not sample:
            assert output.tolist() == alone.tolist()  # guessed tokens do not change the output


def test_rows_that_go_back(tokenizer, compiler):
    """Calls the processor as assisted generation does: sequences several tokens longer, refused, and shorter ones."""
    compiled = compiler.compile_grammar('root ::= "a"+ "b"')
    info = compiled.tokenizer_info
    a, b, c = (next(i for i in range(info.vocab_size) if info.token_bytes(i) == text) for text in (b"a", b"b", b"c"))
    end = info.stop_token_ids[0]
    processor = hf.GrammarLogitsProcessor(compiled)

    def allowed(*rows):
        ids = torch.tensor([[7, *row] for row in rows])
        masked = processor(ids, torch.zeros((len(rows), info.vocab_size)))
        return [set(torch.nonzero(row == 0)[:, 0].tolist()) for row in masked]

    def fresh(row):
        matcher = weir.GrammarMatcher(compiled)
        for token in row:
            if matcher.is_terminated() or token >= info.vocab_size or not matcher.accept_token(token):
                return {end}
        if matcher.is_terminated():
            return {end}
        bitmask = torch.zeros((1, (info.vocab_size + 31) // 32), dtype=torch.int32)
        matcher.fill_next_token_bitmask(bitmask)
        return set(allowed_tokens(bitmask[0].numpy()))

    sequences = [(), (a,), (a, a, a, b), (a, a, c), (a, a, c, a), (a, a, a), (b,), (a, b, end), (a, b, end, end, a),
                 (a, b), (a, a), (a, info.vocab_size + 5, a), (a,)]
    for row in sequences:
        assert allowed(row) == [fresh(row)]
    # Rows of equal length are reordered, merged and split.
    for rows in ([(a, a), (a, b)], [(a, b), (a, a)], [(a, a), (a, a)], [(a, c), (a, a)], [(a, b), (a, b)]):
        processor.reset()
        allowed((), ())
        assert allowed(*rows) == [fresh(row) for row in rows]
        again = [(*row, end) for row in rows]
        assert allowed(*again) == [fresh(row) for row in again]


def test_free_rows_and_widths(tokenizer, compiler):
    compiled = compiler.compile_grammar('root ::= "a"')
    vocab = compiled.tokenizer_info.vocab_size
    (a,) = [i for i in range(vocab) if compiled.tokenizer_info.token_bytes(i) == b"a"]
    ids = torch.tensor([[1], [2]])
    for width in (vocab, vocab + 3, vocab + 70, vocab - 40, a + 1):
        scores = torch.randn((2, width))
        before = scores.clone()
        with contextlib.nullcontext() if width >= vocab else pytest.warns(RuntimeWarning, match=f"{width} logits"):
            masked = hf.GrammarLogitsProcessor([None, compiled])(ids, scores)
        assert torch.equal(scores, before)  # transformers may still use `scores`
        assert torch.equal(masked[0], before[0])
        assert torch.nonzero(masked[1] > -torch.inf)[:, 0].tolist() == [a] and masked[1, a] == before[1, a]
    # The logits have no entry for any allowed or stop token.
    with pytest.warns(RuntimeWarning, match="is it the model's"), pytest.raises(ValueError, match="no logit for any"):
        hf.GrammarLogitsProcessor(compiled)(ids, torch.zeros((2, a)))


def test_no_rows(compiler):
    processor = hf.GrammarLogitsProcessor(compiler.compile_grammar('root ::= "a"'))
    criteria = processor.stopping_criteria()
    for _ in range(2):
        assert processor(torch.zeros((0, 1), dtype=torch.long), torch.zeros((0, 5))).shape == (0, 5)
        assert criteria(torch.zeros((0, 1), dtype=torch.long), None).shape == (0,)


def test_what_is_not_a_compiled_grammar(compiler):
    matcher = weir.GrammarMatcher(compiler.compile_grammar('root ::= "a"'))
    for wrong in ('root ::= "a"', {"type": "object"}, matcher, [matcher]):
        with pytest.raises(TypeError, match="CompiledGrammar"):
            hf.GrammarLogitsProcessor(wrong)


def test_masking_in_torchs_own_operations():
    torch.manual_seed(3)
    for width, words, rows in ((97, 4, None), (150, 4, [1]), (128, 4, [0, 2])):
        scores = torch.randn((3, width))
        bitmask = torch.randint(-(2**31), 2**31, (3, words)).to(torch.int32)
        expected = scores.clone()
        weir.apply_token_bitmask_inplace(expected, bitmask, rows)
        hf._apply_with_torch(scores, bitmask, rows)
        assert torch.equal(scores, expected)


def test_without_stop_tokens():
    info = weir.TokenizerInfo([bytes([i]) for i in range(256)])
    compiled = weir.GrammarCompiler(info).compile_regex("[ab]{3}")
    config = transformers.GPT2Config(vocab_size=256, n_positions=32, n_embd=16, n_layer=1, n_head=1, bos_token_id=None,
                                     eos_token_id=None)
    model = transformers.GPT2LMHeadModel(config).eval()
    ids = torch.tensor([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(ValueError, match="no stop token"):
        hf.GrammarLogitsProcessor(compiled)(ids, torch.zeros((2, 256)))
    for search in ({"do_sample": True}, {"do_sample": False}, {"num_beams": 2}):
        processor = hf.GrammarLogitsProcessor(compiled)
        output = model.generate(ids, attention_mask=torch.ones_like(ids), **search, max_new_tokens=10, pad_token_id=0,
                                logits_processor=[processor], stopping_criteria=[processor.stopping_criteria()])
        assert [re.fullmatch(b"[ab]{3}", bytes(row[3:6].tolist())) is not None for row in output] == [True, True]
        assert processor.outcomes(output, pad_token_id=0) == ["complete", "complete"]


def test_a_dead_end_is_told():
    """The vocabulary cannot spell what must come after `a`. No row is left unmasked."""
    ids, output = torch.zeros((1, 2), dtype=torch.long), torch.tensor([[0, 0, 0]])
    for stops in ([], [2]):
        info = weir.TokenizerInfo(["a", "b", "</s>"][:2 + len(stops)], special_token_ids=stops, stop_token_ids=stops)
        compiled = weir.GrammarCompiler(info).compile_grammar('root ::= "a" "ü"')
        processor = hf.GrammarLogitsProcessor(compiled)
        criterion = processor.stopping_criteria()
        width = info.vocab_size
        assert processor(ids, torch.zeros((1, width)))[0].tolist() == [0.0, *[-math.inf] * (width - 1)]
        assert criterion(output, None).tolist() == [False]
        if stops:
            with pytest.warns(RuntimeWarning, match="row 0, after b'a': no token can come next"):
                assert processor(output, torch.zeros((1, width)))[0].tolist() == [-math.inf, -math.inf, 0.0]
            assert processor.outcomes(torch.tensor([[0, 0, 0, 2]])) == ["refused"]
        else:
            with pytest.raises(ValueError, match="row 0, after b'a': no token can come next"):
                processor(output, torch.zeros((1, width)))


def test_outcomes(tokenizer, compiler):
    compiled = compiler.compile_grammar('root ::= "aa" | "ab"')
    info = compiled.tokenizer_info
    a, b = (next(i for i in range(info.vocab_size) if info.token_bytes(i) == text) for text in (b"a", b"b"))
    end = info.stop_token_ids[0]
    processor = hf.GrammarLogitsProcessor(compiled)
    rows = [[a, a, end], [a, b, 9], [a, 9, 9], [b, a, end], [a, end, 9]]
    with pytest.raises(ValueError, match="not called"):
        processor.outcomes(torch.tensor(rows))
    processor(torch.zeros((5, 0), dtype=torch.long), torch.zeros((5, info.vocab_size)))
    assert processor.outcomes(torch.tensor(rows), pad_token_id=9) == \
        ["complete", "complete", "prefix", "refused", "refused"]


def test_tokenizer_info(tokenizer, llama):
    plain = hf.tokenizer_info(tokenizer)
    assert plain.stop_token_ids == weir.TokenizerInfo.from_huggingface(tokenizer).stop_token_ids
    llama.generation_config.eos_token_id = [tokenizer.eos_token_id, 11]
    try:
        info = hf.tokenizer_info(tokenizer, llama)
    finally:
        llama.generation_config.eos_token_id = tokenizer.eos_token_id
    assert info.vocab_size == llama.config.vocab_size > plain.vocab_size
    assert info.stop_token_ids == sorted({*plain.stop_token_ids, 11})
    with pytest.raises(TypeError):
        hf.tokenizer_info(object())


def test_misuse(compiler, letters):
    compiled = compiler.compile_grammar('root ::= "a"')
    with pytest.raises(ValueError, match="empty"):
        hf.GrammarLogitsProcessor([])
    with pytest.raises(ValueError, match="several sizes"):
        hf.GrammarLogitsProcessor([compiled, weir.GrammarCompiler(letters).compile_grammar('root ::= "a"')])
    processor = hf.GrammarLogitsProcessor([compiled, compiled])
    with pytest.raises(ValueError, match="3 rows for 3 prompts, 2 grammars"):
        processor(torch.zeros((3, 1), dtype=torch.long), torch.zeros((3, 2000)))
    processor.reset()
    scores = torch.zeros((2, compiled.tokenizer_info.vocab_size))
    processor(torch.tensor([[1], [2]]), scores)
    with pytest.raises(ValueError, match="reset"):
        processor(torch.tensor([[3], [4]]), scores)
    processor.reset()
    processor(torch.tensor([[3], [4]]), scores)


def test_replies_are_read(tokenizer, llama):
    info = hf.tokenizer_info(tokenizer, llama)
    tools = [{"name": "f", "parameters": {"type": "object", "properties": {"n": {"enum": [1, 22]}}, "required": ["n"],
                                          "additionalProperties": False}}]
    tag = weir.tools.structural_tag("hermes", tools, tool_choice="required", parallel_tool_calls=False)
    processor = hf.GrammarLogitsProcessor(weir.GrammarCompiler(info).compile_structural_tag(tag))
    inputs = tokenizer(["Call it.", "Call the function, please."], return_tensors="pt", padding=True)
    output = llama.generate(**inputs, logits_processor=[processor], max_new_tokens=160, do_sample=True)
    prompt = inputs["input_ids"].shape[1]
    replies = hf.parse_replies(info, output, prompt, "hermes", tools, pad_token_id=tokenizer.pad_token_id)
    for reply, outcome in zip(replies, processor.outcomes(output), strict=True):
        if outcome == "complete":  # an untrained model may write blanks until it is cut
            assert reply["reasoning"] is None and [call["name"] for call in reply["tool_calls"]] == ["f"]
            assert reply["tool_calls"][0]["arguments"]["n"] in (1, 22)
        else:
            assert reply["tool_calls"] == []
    ids = tokenizer.encode("why</think>Hi", add_special_tokens=False)
    (reply,) = hf.parse_replies(info, torch.tensor([[5, *ids, tokenizer.eos_token_id]]), 1, "hermes", in_reasoning=True)
    assert reply == {"reasoning": "why", "content": "Hi", "tool_calls": []}
    with pytest.raises(weir.GrammarError):
        hf.parse_replies(info, output, prompt, "hermez")
