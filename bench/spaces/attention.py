# Configurations of attention in Triton, each launched once:
#   poundlock record --no-gpu --all --out attention -- python bench/spaces/attention.py
import itertools

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

KEYS, HEADS, DIMENSION = 2048, 32, 64


@triton.jit
def attention(q, k, v, o, keys, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    first = tl.program_id(1) * keys
    row = first + tl.program_id(0) * BM
    queries = q.load([row, 0])
    most = tl.full((BM,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    sums = tl.zeros((BM, D), dtype=tl.float32)
    for at in range(0, keys, BN):
        scores = tl.dot(queries, k.load([first + at, 0]).T) * scale
        higher = tl.maximum(most, tl.max(scores, 1))
        weights = tl.math.exp2(scores - higher[:, None])
        rest = tl.math.exp2(most - higher)
        total = total * rest + tl.sum(weights, 1)
        sums = sums * rest[:, None]
        sums = tl.dot(weights.to(tl.float16), v.load([first + at, 0]), sums)
        most = higher
    o.store([row, 0], (sums / total[:, None]).to(tl.float16))


rows = KEYS * HEADS
q, k, v, o = (torch.empty((rows, DIMENSION), dtype=torch.float16, device="cuda") for _ in range(4))
for bm, bn, stages, warps in itertools.product((64, 128), (32, 64, 128), (2, 3, 4), (4, 8)):
    tensors = ((q, bm), (k, bn), (v, bn), (o, bm))
    operands = [TensorDescriptor.from_tensor(of, [size, DIMENSION]) for of, size in tensors]
    grid = (KEYS // bm, HEADS)
    options = {"BM": bm, "BN": bn, "D": DIMENSION, "num_stages": stages, "num_warps": warps}
    attention[grid](*operands, KEYS, 0.18, **options)
