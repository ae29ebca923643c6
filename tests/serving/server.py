"""A vLLM server on the CPU with weir as its backend and the project's small model, for tests and bench/serving.py."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "data" / "model"
CONTEXT = 1024
START_S, REQUEST_S, AT_ONCE = 600, 300, 16


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


class Server:
    """Runs `python -m vllm.entrypoints.openai.api_server`, and posts requests to it.

    log: the file of the server's output. options: further arguments of its command line. environment: variables.
    process: the server, whose children are the engine and its worker. start_s: seconds until it answered.
    """

    def __init__(self, folder, log, *options, **environment):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", str(folder),
                   "--served-model-name", "small", "--host", "127.0.0.1", "--port", str(self.port),
                   "--dtype", "float32", "--max-model-len", str(CONTEXT), "--enforce-eager",
                   "--max-num-seqs", str(AT_ONCE), "--structured-outputs-config.backend", "weir",
                   "--enable-auto-tool-choice", "--tool-call-parser", "hermes", *options]
        self._log = log
        self._out = open(log, "w")
        self.process = subprocess.Popen(command, stdout=self._out, stderr=subprocess.STDOUT,
                                        env={**os.environ, "VLLM_CPU_KVCACHE_SPACE": "1", "HF_HUB_OFFLINE": "1",
                                             **environment})
        begun = time.monotonic()
        while not self._is_up():
            if self.process.poll() is not None or time.monotonic() - begun > START_S:
                said = self.log()[-20000:]
                self.close()
                raise AssertionError(f"the server did not start: {said}")
            time.sleep(1)
        self.start_s = time.monotonic() - begun

    def _is_up(self):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).status == 200
        except OSError:
            return False

    def log(self):
        self._out.flush()
        return pathlib.Path(self._log).read_text(errors="replace")

    def post(self, path, **body):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/{path}",
                                         json.dumps({"model": "small", **body}).encode(),
                                         {"Content-Type": "application/json"})
        try:
            return 200, json.load(urllib.request.urlopen(request, timeout=REQUEST_S))
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def complete(self, **body):
        status, answer = self.post("completions", prompt="Write.", temperature=1, **body)
        assert status == 200, answer
        return answer["choices"][0]

    def chat(self, **body):
        messages = [{"role": "user", "content": "Write a record."}]
        return self.post("chat/completions", messages=messages, temperature=1, **body)

    def chat_stream(self, **body):
        """Yields the chunks of a streamed answer."""
        messages = [{"role": "user", "content": "Write a record."}]
        given = {"model": "small", "messages": messages, "temperature": 1, "stream": True, **body}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/chat/completions", json.dumps(given).encode(),
                                         {"Content-Type": "application/json"})
        for line in urllib.request.urlopen(request, timeout=REQUEST_S):
            if line.startswith(b"data: {"):
                yield json.loads(line.removeprefix(b"data: "))

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._out.close()
