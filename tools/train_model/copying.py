"""A beginning for the model's weights: it can copy before it has learned anything.

What a document needs most is in its prompt already: names of properties, values of enumerations. Models learn to copy
late, by way of an induction head: a head of one layer tells each token its predecessor, a head of the next finds where
the token at hand has stood before, and takes the token behind it. Here both are put in by hand, and training begins where
copying works.

The stream's first number is constant, the last ones, a head's width, are room for the predecessor, and embeddings fill
what is between.
"""

import math

import torch

EMBEDDING, CONSTANT = 0.05, 0.25  # size of an embedding's numbers, and of the constant
PREDECESSOR = 0.12  # what a predecessor's numbers are multiplied by on their way into the stream
SHARPNESS = 8.0  # of the head that looks at the predecessor
MATCH = 3.0  # of the heads that look for an earlier place
COPY = 0.6  # what these write


def orthonormal(rows, columns, generator):
    return torch.linalg.qr(torch.randn(columns, rows, generator=generator))[0].T


@torch.no_grad()
def put_in(model, copying_heads=2):
    config = model.config
    width, heads = config.hidden_size, config.num_attention_heads
    head = width // heads
    half, kept = head // 2, head  # a head has this many pairs of numbers; the room is a head's width
    generator = torch.Generator().manual_seed(0)
    first, second = model.model.layers[0].self_attn, model.model.layers[1].self_attn

    embedding = model.model.embed_tokens.weight
    embedding.copy_(EMBEDDING * torch.randn(embedding.shape, generator=generator))
    embedding[:, 0] = CONSTANT
    embedding[:, width - kept:] = 0
    between = slice(1, width - kept)
    size = math.sqrt((CONSTANT**2 + (width - kept - 1) * EMBEDDING**2) / width)  # what the first norm divides by

    # The predecessor: of the constant, made into a query and a key that match best one place apart.
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

    # The copy: a head compares half of what is known of a predecessor, in pairs that turn too slowly to matter.
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
