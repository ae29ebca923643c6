"""Classification: the probability of each label, exactly, and calibrated.

Picking the best token under a mask picks the label with the best first token. This program asks the model for all tokens of
every label instead, divides by what the model thinks of a label without any text (contextual calibration: Zhao et al., 2021),
and scales by a temperature fitted on examples whose label is known (Guo et al., 2017).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

import weir
from decoding import Model

LABELS = ["refund", "refund status", "delivery", "other"]


class Classifier:
    """Gives probabilities to labels. A prompt is `template` with the text in it."""

    def __init__(self, model: Model, labels: Sequence[str], template: str) -> None:
        self._model, self._template, self.labels = model, template, list(labels)
        info = model.tokenizer_info
        # The matcher says that a label and its end are one of the choices, and which tokens the tokenizer writes for it.
        compiled = weir.GrammarCompiler(info).compile_choice(self.labels)
        self._paths = []
        for label in self.labels:
            matcher = weir.GrammarMatcher(compiled, at_text_start=False)
            if not matcher.accept_text(label) or not matcher.is_completed():
                raise ValueError(f"the tokenizer cannot write the label {label!r}")
            self._paths.append([*info.tokenize(label), info.stop_token_ids[0]])
        self._bias = np.zeros(len(self.labels))
        self._temperature = 1.0
        self._bias = self._scores("")  # what the model thinks of each label without a text

    def _scores(self, text: str) -> np.ndarray:
        """Returns the logarithm of the probability of each label, end included, less the bias."""
        prompt = self._model.tokenizer_info.tokenize(self._template.format(text))
        known: dict[tuple[int, ...], np.ndarray] = {}  # labels share first tokens
        scores = []
        for path in self._paths:
            score = 0.0
            for at, token in enumerate(path):
                begin = tuple(path[:at])
                if begin not in known:
                    logits = self._model.logits([*prompt, *begin]).astype(np.float64)
                    known[begin] = logits - np.logaddexp.reduce(logits)
                score += float(known[begin][token])
            scores.append(score)
        return np.array(scores) - self._bias

    def probabilities(self, text: str) -> dict[str, float]:
        scores = self._scores(text) / self._temperature
        return dict(zip(self.labels, np.exp(scores - np.logaddexp.reduce(scores)).tolist(), strict=True))

    def fit_temperature(self, examples: Sequence[tuple[str, str]]) -> float:
        """Sets the temperature under which the examples' labels are likeliest, and returns it."""
        scores = [(self._scores(text), self.labels.index(label)) for text, label in examples]

        def loss(temperature: float) -> float:
            return -float(sum(s[label] / temperature - np.logaddexp.reduce(s / temperature) for s, label in scores))
        self._temperature = min(np.geomspace(0.1, 10, 100).tolist(), key=loss)
        return self._temperature


class StandIn:
    """A model that knows some words of each label, thinks of refunds first and is too sure of itself."""

    WORDS = {"refund": ["money back", "refund me"], "refund status": ["status", "my refund"],
             "delivery": ["parcel", "courier"], "other": ["thanks", "hello"]}
    HABIT = {"refund": 4.0, "refund status": 1.0, "delivery": 2.0, "other": 0.0}

    def __init__(self) -> None:
        self.tokenizer_info = info = weir.TokenizerInfo.builtin()
        self._paths = {label: [*info.tokenize(label), info.stop_token_ids[0]] for label in LABELS}

    def logits(self, token_ids: Sequence[int]) -> np.ndarray:
        info = self.tokenizer_info
        text, _, begun = info.decode(token_ids).decode().lower().rpartition("intent: ")
        logits = np.full(info.vocab_size, -12.0, dtype=np.float32)
        begin = info.tokenize(begun)
        for label, path in self._paths.items():
            if path[:len(begin)] == begin:
                score = self.HABIT[label] + sum(5.0 for word in self.WORDS[label] if word in text)
                token = path[len(begin)]
                logits[token] = np.logaddexp(logits[token], score)
        return logits


# Messages whose labels people gave. In some of them the words mislead, so a model that trusts its words is too sure.
EXAMPLES = [("Where is my parcel?", "delivery"), ("I want my money back.", "refund"), ("Hello, and thanks!", "other"),
            ("What is the status of my refund?", "refund status"), ("The courier brought no parcel.", "delivery"),
            ("The parcel is broken, I will not keep it.", "refund"), ("Thanks, but where is it?", "delivery"),
            ("The courier says it is my refund. Is it all?", "refund status"), ("Refund me.", "refund"),
            ("A status, please: did the courier leave?", "delivery")]


def main() -> None:
    classifier = Classifier(StandIn(), LABELS, "Message: {}\nIntent: ")
    print(f"temperature {classifier.fit_temperature(EXAMPLES):.2f}")
    for text in ("The courier lost my parcel.", "Any status of my refund?", "Good morning."):
        found = classifier.probabilities(text)
        assert math.isclose(sum(found.values()), 1)
        print(text)
        for label, probability in sorted(found.items(), key=lambda item: -item[1]):
            print(f"    {probability:5.1%}  {label}")


if __name__ == "__main__":
    main()
