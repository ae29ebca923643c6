#!/usr/bin/env python3
"""Writes a model of the Llama architecture, as transformers saves it, as one GGUF file in float16, tokenizer included.

Usage: python3 tools/train_model/to_gguf.py MODEL_DIRECTORY OUTPUT.gguf

Needs the packages numpy, safetensors and gguf. Made for data/model: a byte-level BPE with GPT-2's pattern, tied
embeddings, no scaled positions.
"""

import json
import pathlib
import sys

import gguf
import numpy
from safetensors.numpy import load_file

NAMES = {"input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
         "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm",
         "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}


def interleaved(matrix, heads):
    """Reorders the rows of a matrix: llama.cpp rotates neighbouring numbers of a head, transformers those half a head
    apart."""
    rows, columns = matrix.shape
    return matrix.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)


def tensors_of(directory, config):
    for name, tensor in load_file(directory / "model.safetensors").items():
        if name == "model.embed_tokens.weight":
            yield "token_embd.weight", tensor
        elif name == "model.norm.weight":
            yield "output_norm.weight", tensor
        else:
            layer, part = name.removeprefix("model.layers.").removesuffix(".weight").split(".", 1)
            heads = {"self_attn.q_proj": "num_attention_heads", "self_attn.k_proj": "num_key_value_heads"}.get(part)
            yield f"blk.{layer}.{NAMES[part]}.weight", tensor if heads is None else interleaved(tensor, config[heads])


def add_hyperparameters(writer, config):
    writer.add_name("weir's example model")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_dimension_count(config["hidden_size"] // config["num_attention_heads"])
    writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
    writer.add_vocab_size(config["vocab_size"])
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)


def add_tokenizer(writer, tokenizer, config):
    tokens = {token: (text, gguf.TokenType.NORMAL) for text, token in tokenizer["model"]["vocab"].items()}
    for added in tokenizer["added_tokens"]:
        tokens[added["id"]] = (added["content"], gguf.TokenType.CONTROL)
    ordered = [tokens[token] for token in range(config["vocab_size"])]
    merges = tokenizer["model"]["merges"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([text for text, _ in ordered])
    writer.add_token_types([kind for _, kind in ordered])
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in merges])
    writer.add_eos_token_id(config["eos_token_id"])
    writer.add_pad_token_id(config["pad_token_id"])
    writer.add_add_bos_token(False)
    writer.add_add_space_prefix(False)


def convert(directory, output):
    config = json.loads((directory / "config.json").read_text())
    writer = gguf.GGUFWriter(output, "llama")
    add_hyperparameters(writer, config)
    add_tokenizer(writer, json.loads((directory / "tokenizer.json").read_text()), config)
    for name, tensor in tensors_of(directory, config):
        writer.add_tensor(name, tensor.astype(numpy.float32 if tensor.ndim == 1 else numpy.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    convert(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
