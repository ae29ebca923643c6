"""Fixtures for the tests in the serving engines: the project's small model as a Hugging Face folder."""

import json
import pathlib
import shutil

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "data" / "model"
CONTEXT = 1024


def make_model_folder(folder):
    """Copies the small model and adds what servers need: the tokenizer's configuration with a chat template."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "generation_config.json", "model.safetensors", "tokenizer.json"):
        shutil.copy(MODEL / name, folder / name)
    tokenizer = json.loads((MODEL / "tokenizer.json").read_text())
    names = {token["id"]: token["content"] for token in tokenizer["added_tokens"]}
    end = json.loads((MODEL / "generation_config.json").read_text())["eos_token_id"]
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": CONTEXT,
              "eos_token": names[end], "clean_up_tokenization_spaces": False,
              "chat_template": "{% for message in messages %}{{ message['content'] }}{% endfor %}"}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return folder


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory):
    return make_model_folder(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def tokenizer(model_folder):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(model_folder)
