"""The engines, each with its Python package, with one interface. weir is included if its package is installed.

Each engine is configured as its documentation recommends for this task, on one thread. If a default changes what is
allowed, the option closest to the specification of JSON Schema is used: xgrammar's strict mode is off, because it
forbids members that a schema does not mention, and members may come in any order. llguidance takes them in the schema's
order alone.

An engine compiles a case to a grammar and starts a text. Then it has three functions: `fill` writes the mask into
`bitmask`; `commit` accepts a token and returns False (or raises) if it is refused; `accepts`, which is called right
after `fill`, returns True if the text may end here. Calls are as direct as the package allows, so that Python takes
little time.
"""

import functools
import importlib.metadata
import importlib.util

import numpy


class Refused(Exception):
    """The engine does not support the grammar."""


class Engine:
    package = ""
    reading = "specification"  # of schemas; only weir has a choice
    shares = False  # True if what is cached for one text is reused for other grammars

    def __init__(self, vocabulary):
        self.bitmask = numpy.zeros((vocabulary.size + 31) // 32, dtype=numpy.int32)

    def warm_up(self, grammar, work):
        """Explores likely states of the grammar in advance; returns False if the engine has no such call."""
        return False

    @classmethod
    def version(cls):
        return importlib.metadata.version(cls.package)


class Weir(Engine):
    package = "weir"
    shares = True

    def __init__(self, vocabulary):
        super().__init__(vocabulary)
        import weir

        self.matcher = weir.GrammarMatcher
        self.compiler = weir.GrammarCompiler(weir.TokenizerInfo.from_file(vocabulary.path))

    def compile(self, case):
        if "schema" in case:
            compiled = self.compiler.compile_json_schema(case["schema"], reading=self.reading)
        elif "regex" in case:
            compiled = self.compiler.compile_regex(case["regex"])
        elif "language" in case:
            compiled = self.compiler.compile_grammar("", language=case["language"])
        else:
            compiled = self.compiler.compile_grammar(case["grammar"])
        return self.matcher(compiled)

    def warm_up(self, grammar, work):
        grammar.compiled_grammar.warm_up(work=work)
        return True

    def start(self, grammar, first):
        if not first:
            grammar.reset()
        return functools.partial(grammar.fill_next_token_bitmask, self.bitmask), grammar.accept_token, grammar.is_completed


class LLGuidance(Engine):
    package = "llguidance"

    def __init__(self, vocabulary):
        super().__init__(vocabulary)
        import llguidance

        self.matcher = llguidance.LLMatcher
        self.tokenizer = llguidance.LLTokenizer.from_tiktoken(
            encoder=vocabulary.ranks, special_tokens=vocabulary.special, pattern=vocabulary.pattern,
            eos_token=vocabulary.stop, n_vocab=vocabulary.size)

    def compile(self, case):
        if "schema" in case:
            grammar = self.matcher.grammar_from_json_schema(case["schema"])
        elif "regex" in case:
            grammar = self.matcher.grammar_from_regex(case["regex"])
        else:
            grammar = self.matcher.grammar_from_lark(case["lark"])
        matcher = self.matcher(self.tokenizer, grammar, log_level=0)
        if matcher.is_error():
            raise Refused(matcher.get_error())
        return matcher

    def start(self, grammar, first):
        if not first and not grammar.reset():
            raise Refused(grammar.get_error())
        fill = functools.partial(grammar.unsafe_compute_mask_ptr, self.bitmask.ctypes.data, self.bitmask.nbytes)
        return fill, grammar.consume_token, grammar.is_accepting


class GLRMask(Engine):
    package = "glrmask"

    def __init__(self, vocabulary):
        super().__init__(vocabulary)
        import glrmask

        self.grammar = glrmask.Grammar
        special = set(vocabulary.special.values())
        tokens = {i: token for i, token in enumerate(vocabulary.tokens()) if token and i not in special}
        self.vocab = glrmask.Vocab.from_id_to_bytes(tokens)

    def compile(self, case):
        if "schema" in case:
            grammar = self.grammar.from_json_schema(case["schema"])
        elif "regex" in case:
            grammar = self.grammar.from_lark("start: /" + case["regex"].replace("/", "\\/") + "/")
        else:
            grammar = self.grammar.from_lark(case["lark"])
        constraint = grammar.compile(self.vocab)
        return constraint, constraint.start()

    def start(self, grammar, first):
        state = grammar[1] if first else grammar[0].start()
        return functools.partial(state.fill_mask, self.bitmask), state.commit_token, state.is_accepting


class XGrammar(Engine):
    package = "xgrammar"
    options = {}

    def __init__(self, vocabulary):
        super().__init__(vocabulary)
        import torch
        import xgrammar

        torch.set_num_threads(1)
        self.xgrammar = xgrammar
        self.stop = vocabulary.stop
        info = xgrammar.TokenizerInfo(vocabulary.tokens(), xgrammar.VocabType.RAW, vocab_size=vocabulary.size,
                                      stop_token_ids=[vocabulary.stop])
        self.compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False, **self.options)
        self.tensor = torch.from_numpy(self.bitmask.reshape(1, -1))

    def compile(self, case):
        if "schema" in case:
            compiled = self.compiler.compile_json_schema(case["schema"], strict_mode=False, any_order=True)
        elif "regex" in case:
            compiled = self.compiler.compile_regex(case["regex"])
        else:
            compiled = self.compiler.compile_grammar(case["ebnf"])
        return self.xgrammar.GrammarMatcher(compiled)

    def start(self, grammar, first):
        if not first:
            grammar.reset()
        accepts = lambda: bool(self.bitmask[self.stop >> 5] >> (self.stop & 31) & 1)
        return functools.partial(grammar.fill_next_token_bitmask, self.tensor), grammar.accept_token, accepts


class XGrammarDynamic(XGrammar):
    """Makes masks when they are asked for, not when a grammar is compiled."""

    options = {"enable_dynamic_compilation": True}


class MaskForge(Engine):
    package = "maskforge"

    def __init__(self, vocabulary):
        super().__init__(vocabulary)
        import maskforge._native as native

        special = set(vocabulary.special.values())
        tokens = [token if token and i not in special else None for i, token in enumerate(vocabulary.tokens())]
        known = native.PyVocabulary.from_id_ordered_tokens(tokens, vocabulary.stop, vocabulary.size)
        self.vocabulary = native.CompiledVocabulary.from_vocabulary(known)
        self.compiler = native.Compiler()
        self.mask = bytearray(self.bitmask.nbytes)
        self.bitmask = numpy.frombuffer(self.mask, dtype=numpy.int32)

    def compile(self, case):
        if "schema" not in case:
            raise Refused("it has schemas only")
        return self.compiler.compile_json_schema(case["schema"]).bind(self.vocabulary).start_session()

    def start(self, grammar, first):
        if not first:
            grammar.reset()
        return functools.partial(grammar.write_mask, self.mask), grammar.advance, grammar.is_accepting


class OutlinesCore(Engine):
    package = "outlines-core"

    def __init__(self, vocabulary):
        super().__init__(vocabulary)
        import outlines_core

        self.outlines = outlines_core
        special = set(vocabulary.special.values())
        tokens = {token: [i] for i, token in enumerate(vocabulary.tokens()) if token and i not in special}
        self.vocabulary = outlines_core.Vocabulary(vocabulary.stop, tokens)

    def compile(self, case):
        if "schema" in case:
            regex = self.outlines.json_schema.build_regex_from_schema(case["schema"])
        elif "regex" in case:
            regex = case["regex"]
        else:
            raise Refused("it has regular expressions only")
        index = self.outlines.Index(regex, self.vocabulary)
        return index, self.outlines.Guide(index)

    def start(self, grammar, first):
        guide = grammar[1] if first else self.outlines.Guide(grammar[0])
        fill = functools.partial(guide.write_mask_into, self.bitmask.ctypes.data, self.bitmask.size, 4)
        return fill, functools.partial(guide.advance, return_tokens=False), guide.is_finished


ENGINES = {"weir": Weir, "llguidance": LLGuidance, "glrmask": GLRMask, "xgrammar": XGrammar,
           "xgrammar_dynamic": XGrammarDynamic, "maskforge": MaskForge, "outlines_core": OutlinesCore}


def has_weir():
    """Returns True if weir's Python package is installed."""
    return importlib.util.find_spec("weir") is not None


def versions(names):
    """Returns the versions of the packages except weir's, which is identified by its commit."""
    return {name: ENGINES[name].version() for name in names if name != "weir"}
