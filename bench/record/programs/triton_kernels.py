# Triton kernels of our own: products with tensor maps and with pointers, persistent, split in K,
# warp specialized; attention; sums over ragged rows; a normalization.
import triton
import triton.language as tl


@triton.jit
def product(a_map, b_map, c_map, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, STAGES: tl.constexpr):
    pid = tl.program_id(0)
    rows = tl.cdiv(M, BM)
    row = pid % rows
    column = pid // rows
    sum = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES):
        a = a_map.load([row * BM, k * BK])
        b = b_map.load([column * BN, k * BK])
        sum = tl.dot(a, b.T, sum)
    c_map.store([row * BM, column * BN], sum.to(tl.float16))


@triton.jit
def product_specialized(a_map, b_map, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, STAGES: tl.constexpr):
    pid = tl.program_id(0)
    rows = tl.cdiv(M, BM)
    row = pid % rows
    column = pid // rows
    sum = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES, warp_specialize=True):
        a = a_map.load([row * BM, k * BK])
        b = b_map.load([column * BN, k * BK])
        sum = tl.dot(a, b.T, sum)
    r = row * BM + tl.arange(0, BM)
    s = column * BN + tl.arange(0, BN)
    tl.store(c + r[:, None] * N + s[None, :], sum.to(tl.float16))


@triton.jit
def product_own_maps(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, STAGES: tl.constexpr):
    a_map = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    b_map = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    c_map = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    pid = tl.program_id(0)
    rows = tl.cdiv(M, BM)
    row = pid % rows
    column = pid // rows
    sum = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES):
        sum = tl.dot(a_map.load([row * BM, k * BK]), b_map.load([column * BN, k * BK]).T, sum)
    c_map.store([row * BM, column * BN], sum.to(tl.float16))


@triton.jit
def product_persistent(a_map, b_map, c_map, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, STAGES: tl.constexpr, BLOCKS: tl.constexpr, FLAT: tl.constexpr):
    rows = tl.cdiv(M, BM)
    tiles = rows * tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tiles, BLOCKS, flatten=FLAT):
        row = tile % rows
        column = tile // rows
        sum = tl.zeros((BM, BN), dtype=tl.float32)
        for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES):
            sum = tl.dot(a_map.load([row * BM, k * BK]), b_map.load([column * BN, k * BK]).T, sum)
        c_map.store([row * BM, column * BN], sum.to(tl.float16))


@triton.jit
def product_pointers(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, STAGES: tl.constexpr):
    pid = tl.program_id(0)
    rows = tl.cdiv(M, BM)
    r = pid % rows * BM + tl.arange(0, BM)
    s = pid // rows * BN + tl.arange(0, BN)
    i = tl.arange(0, BK)
    a_at = a + r[:, None] * K + i[None, :]
    b_at = b + s[None, :] * K + i[:, None]
    sum = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES):
        x = tl.load(a_at, mask=i[None, :] < K - k * BK, other=0.0)
        y = tl.load(b_at, mask=i[:, None] < K - k * BK, other=0.0)
        sum = tl.dot(x, y, sum)
        a_at += BK
        b_at += BK
    tl.store(c + r[:, None] * N + s[None, :], sum.to(tl.float16), mask=(r[:, None] < M) & (s[None, :] < N))


@triton.jit
def product_split(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr):
    pid = tl.program_id(0)
    part = tl.program_id(1)
    rows = tl.cdiv(M, BM)
    r = pid % rows * BM + tl.arange(0, BM)
    s = pid // rows * BN + tl.arange(0, BN)
    i = part * BK + tl.arange(0, BK)
    a_at = a + r[:, None] * K + i[None, :]
    b_at = b + s[None, :] * K + i[:, None]
    sum = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK * SPLIT)):
        sum = tl.dot(tl.load(a_at), tl.load(b_at), sum)
        a_at += BK * SPLIT
        b_at += BK * SPLIT
    tl.atomic_add(c + r[:, None] * N + s[None, :], sum)


@triton.jit
def attention(q_map, k_map, v_map, o_map, N, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, STAGES: tl.constexpr, CAUSAL: tl.constexpr):
    pid = tl.program_id(0)
    m = tl.full([BM], -float('inf'), tl.float32)
    l = tl.zeros([BM], tl.float32)
    sum = tl.zeros([BM, D], tl.float32)
    q = q_map.load([pid * BM, 0])
    end = (pid + 1) * BM if CAUSAL else N
    for n in tl.range(0, end, BN, num_stages=STAGES):
        k = k_map.load([n, 0])
        s = tl.dot(q, k.T) * scale
        if CAUSAL:
            r = pid * BM + tl.arange(0, BM)
            s = tl.where(r[:, None] >= (n + tl.arange(0, BN))[None, :], s, -1e30)
        mn = tl.maximum(m, tl.max(s, 1))
        p = tl.math.exp2(s - mn[:, None])
        a = tl.math.exp2(m - mn)
        l = l * a + tl.sum(p, 1)
        sum = sum * a[:, None]
        v = v_map.load([n, 0])
        sum = tl.dot(p.to(tl.float16), v, sum)
        m = mn
    o_map.store([pid * BM, 0], (sum / l[:, None]).to(tl.float16))


@triton.jit
def attention_pointers(q, k, v, o, N, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, STAGES: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    m = tl.full([BM], -float('inf'), tl.float32)
    l = tl.zeros([BM], tl.float32)
    sum = tl.zeros([BM, D], tl.float32)
    x = tl.load(q + r[:, None] * D + d[None, :])
    for n in tl.range(0, N, BN, num_stages=STAGES):
        c = n + tl.arange(0, BN)
        s = tl.dot(x, tl.load(k + c[None, :] * D + d[:, None])) * scale
        mn = tl.maximum(m, tl.max(s, 1))
        p = tl.math.exp2(s - mn[:, None])
        a = tl.math.exp2(m - mn)
        l = l * a + tl.sum(p, 1)
        sum = tl.dot(p.to(tl.float16), tl.load(v + c[:, None] * D + d[None, :]), sum * a[:, None])
        m = mn
    tl.store(o + r[:, None] * D + d[None, :], (sum / l[:, None]).to(tl.float16))


@triton.jit
def ragged_sums(x_map, out, starts, D: tl.constexpr, BM: tl.constexpr, STAGES: tl.constexpr):
    row = tl.program_id(0)
    first = tl.load(starts + row)
    last = tl.load(starts + row + 1)
    sum = tl.zeros([BM, D], tl.float32)
    for r in tl.range(first, last, BM, num_stages=STAGES):
        sum += x_map.load([r, 0])
    tl.store(out + row * D + tl.arange(0, D), tl.sum(sum, 0))


@triton.jit
def normalize(x, out, D, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    row = tl.program_id(0)
    sum = tl.zeros([BLOCK], tl.float32)
    squares = tl.zeros([BLOCK], tl.float32)
    i = tl.arange(0, BLOCK)
    for at in tl.range(0, D, BLOCK, num_stages=STAGES):
        v = tl.load(x + row * D + at + i).to(tl.float32)
        sum += v
        squares += v * v
    mean = tl.sum(sum) / D
    scale = tl.rsqrt(tl.sum(squares) / D - mean * mean + 1e-5)
    for at in tl.range(0, D, BLOCK, num_stages=STAGES):
        v = tl.load(x + row * D + at + i).to(tl.float32)
        tl.store(out + row * D + at + i, (v - mean) * scale)
