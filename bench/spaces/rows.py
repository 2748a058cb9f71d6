# Configurations of kernels over the rows or columns of a matrix in Triton, each launched once:
#   poundlock record --no-gpu --all --out rows -- python bench/spaces/rows.py KERNEL
# KERNEL: softmax, norm or columns.
import itertools
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def softmax(x, y, cols, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    at = row[:, None] * cols + tl.arange(0, BLOCK)[None, :]
    most = tl.full((ROWS, BLOCK), -float("inf"), dtype=tl.float32)
    total = tl.zeros((ROWS, BLOCK), dtype=tl.float32)
    for col in range(0, cols, BLOCK):
        value = tl.load(x + at + col)
        higher = tl.maximum(most, value)
        total = total * tl.exp(most - higher) + tl.exp(value - higher)
        most = higher
    all_most = tl.max(most, 1)[:, None]
    all_total = tl.sum(total * tl.exp(most - all_most), 1)[:, None]
    for col in range(0, cols, BLOCK):
        tl.store(y + at + col, tl.exp(tl.load(x + at + col) - all_most) / all_total)


@triton.jit
def norm(x, y, weight, bias, cols, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    lane = tl.arange(0, BLOCK)
    at = row[:, None] * cols + lane[None, :]
    total = tl.zeros((ROWS, BLOCK), dtype=tl.float32)
    squares = tl.zeros((ROWS, BLOCK), dtype=tl.float32)
    for col in range(0, cols, BLOCK):
        value = tl.load(x + at + col).to(tl.float32)
        total += value
        squares += value * value
    mean = tl.sum(total, 1) / cols
    scale = tl.rsqrt(tl.sum(squares, 1) / cols - mean * mean + 1e-5)
    for col in range(0, cols, BLOCK):
        value = tl.load(x + at + col).to(tl.float32)
        w = tl.load(weight + lane + col)[None, :]
        b = tl.load(bias + lane + col)[None, :]
        tl.store(y + at + col, ((value - mean[:, None]) * scale[:, None] * w + b).to(tl.float16))


@triton.jit
def columns(x, y, rows, cols, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    col = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = tl.arange(0, ROWS)
    at = x + row[:, None] * cols + col[None, :]
    total = tl.zeros((ROWS, BLOCK), dtype=tl.float32)
    for _ in range(0, rows, ROWS):
        total += tl.load(at)
        at += ROWS * cols
    tl.store(y + col, tl.sum(total, 0))


def main(name):
    rows, cols = 8192, 4096
    of = torch.float16 if name == "norm" else torch.float32
    x, y = (torch.empty((rows, cols), dtype=of, device="cuda") for _ in range(2))
    weight, bias = (torch.empty(cols, dtype=torch.float32, device="cuda") for _ in range(2))
    if name == "columns":
        sizes = itertools.product((8, 16, 32, 64, 128), (32, 64, 128), (1, 2, 4, 8))
    else:
        sizes = itertools.product((1, 2, 4), (256, 512, 1024, 2048, 4096), (1, 2, 4, 8, 16))
    for each, block, warps in sizes:
        # From 4 to 64 values a thread.
        if not 4 <= each * block // (32 * warps) <= 64:
            continue
        options = {"ROWS": each, "BLOCK": block, "num_warps": warps}
        if name == "softmax":
            softmax[(rows // each,)](x, y, cols, **options)
        elif name == "norm":
            norm[(rows // each,)](x, y, weight, bias, cols, **options)
        else:
            columns[(cols // block,)](x, y, rows, cols, **options)


main(sys.argv[1])
