# Configurations of products of half precision in Triton, each launched once:
#   poundlock record --no-gpu --all --out products -- python bench/spaces/products.py SPACE
# SPACE: pointers, maps (one block for each tile) or persistent (one for each SM).
import itertools
import sys

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

SMS = 132
SHARED_BYTES = 232_448


@triton.jit
def pointers(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    columns = tl.cdiv(N, BN)
    rows = tl.program_id(0) // columns * BM + tl.arange(0, BM)
    cols = tl.program_id(0) % columns * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    left = a + rows[:, None] * K + depth[None, :]
    right = b + depth[:, None] * N + cols[None, :]
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        sums = tl.dot(tl.load(left), tl.load(right), sums)
        left += BK
        right += BK * N
    tl.store(c + rows[:, None] * N + cols[None, :], sums.to(tl.float16))


@triton.jit
def maps(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    columns = tl.cdiv(N, BN)
    row = tl.program_id(0) // columns * BM
    col = tl.program_id(0) % columns * BN
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        sums = tl.dot(a.load([row, k]), b.load([k, col]), sums)
    c.store([row, col], sums.to(tl.float16))


@triton.jit
def persistent(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    columns = tl.cdiv(N, BN)
    tiles = tl.cdiv(M, BM) * columns
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0), flatten=True):
        row = tile // columns * BM
        col = tile % columns * BN
        sums = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(0, K, BK):
            sums = tl.dot(a.load([row, k]), b.load([k, col]), sums)
        c.store([row, col], sums.to(tl.float16))


def configurations():
    for bm, bn, bk, stages, warps in itertools.product(
        (64, 128), (64, 128, 256), (32, 64, 128), (2, 3, 4), (4, 8)
    ):
        if stages * (bm + bn) * bk * 2 + bm * bn * 2 > SHARED_BYTES:
            continue
        if bm * bn // warps > 4096:
            continue
        yield bm, bn, bk, stages, warps


def main(space, m=2048, n=2048, k=2048):
    a, b, c = (torch.empty(s, dtype=torch.float16, device="cuda") for s in ((m, k), (k, n), (m, n)))
    for bm, bn, bk, stages, warps in configurations():
        tiles = triton.cdiv(m, bm) * triton.cdiv(n, bn)
        options = {"BM": bm, "BN": bn, "BK": bk, "num_stages": stages, "num_warps": warps}
        if space == "pointers":
            pointers[(tiles,)](a, b, c, m, n, k, **options)
            continue
        boxes = ((a, bm, bk), (b, bk, bn), (c, bm, bn))
        operands = [TensorDescriptor.from_tensor(of, [rows, cols]) for of, rows, cols in boxes]
        if space == "maps":
            maps[(tiles,)](*operands, m, n, k, **options)
        else:
            persistent[(min(SMS, tiles),)](*operands, m, n, k, **options)


main(sys.argv[1], *map(int, sys.argv[2:]))
