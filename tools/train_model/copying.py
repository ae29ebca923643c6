"""Initial weights of the model, with which it can copy before it is trained.

Most of a document is copied from its prompt: names of properties, values of enumerations. Models learn copying late, by
an induction head: a head in one layer tells each token its predecessor, and a head in the next layer finds an earlier
occurrence of the current token and outputs the token after it. Here the weights of both heads are set by hand, so that
copying works when training begins.

The first number of the residual stream is constant. The last numbers, as many as the width of a head, hold the
predecessor. The embedding is in between.
"""

import math

import torch

EMBEDDING, CONSTANT = 0.05, 0.25  # size of an embedding's numbers, and of the constant
PREDECESSOR = 0.12  # factor of a predecessor's numbers when they are written to the stream
SHARPNESS = 8.0  # of the head that attends to the predecessor
MATCH = 3.0  # of the heads that search for an earlier occurrence
COPY = 0.6  # factor of what these heads write


def orthonormal(rows, columns, generator):
    return torch.linalg.qr(torch.randn(columns, rows, generator=generator))[0].T


@torch.no_grad()
def put_in(model, copying_heads=2):
    config = model.config
    width, heads = config.hidden_size, config.num_attention_heads
    head = width // heads
    half, kept = head // 2, head  # number of pairs in a head; number of reserved numbers in the stream
    generator = torch.Generator().manual_seed(0)
    first, second = model.model.layers[0].self_attn, model.model.layers[1].self_attn

    embedding = model.model.embed_tokens.weight
    embedding.copy_(EMBEDDING * torch.randn(embedding.shape, generator=generator))
    embedding[:, 0] = CONSTANT
    embedding[:, width - kept:] = 0
    between = slice(1, width - kept)
    size = math.sqrt((CONSTANT**2 + (width - kept - 1) * EMBEDDING**2) / width)  # the divisor of the first norm

    # The predecessor: query and key are made from the constant so that they match best at a distance of one token.
    strength = SHARPNESS * size / CONSTANT
    for projection in (first.q_proj, first.k_proj):
        projection.weight[:head] = 0
    for pair in range(3):
        angle = config.rope_parameters["rope_theta"] ** (-pair / half)
        first.k_proj.weight[pair, 0] = strength
        first.q_proj.weight[pair, 0] = strength * math.cos(angle)
        first.q_proj.weight[pair + half, 0] = -strength * math.sin(angle)
    seen = orthonormal(kept, width - kept - 1, generator)
    first.v_proj.weight[:head] = 0
    first.v_proj.weight[:head, between] = seen
    first.o_proj.weight[:, :head] = 0
    first.o_proj.weight[width - kept:, :head] = PREDECESSOR * torch.eye(kept)

    # The copy: each head compares half of the predecessor's numbers, in pairs that rotate so slowly that positions do
    # not matter.
    slow = [*range(half // 2, half), *range(half + half // 2, head)]
    for index in range(copying_heads):
        rows = [index * head + number for number in slow]
        known = slice(index * half, (index + 1) * half)
        for projection in (second.q_proj, second.k_proj):
            projection.weight[index * head:(index + 1) * head] = 0
        second.q_proj.weight[rows, between] = MATCH * seen[known]
        room = width - kept + index * half
        second.k_proj.weight[rows, room:room + half] = MATCH * torch.eye(half)
        taken = orthonormal(head, width - kept - 1, generator)
        second.v_proj.weight[index * head:(index + 1) * head] = 0
        second.v_proj.weight[index * head:(index + 1) * head, between] = taken
        second.o_proj.weight[:, index * head:(index + 1) * head] = 0
        second.o_proj.weight[between, index * head:(index + 1) * head] = COPY * taken.T
