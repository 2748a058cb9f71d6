# Launches the kernels of triton_kernels.py and compares their results. `triton_own.py hang` launches
# the one that does not end.
import sys
import torch, triton
from triton.tools.tensor_descriptor import TensorDescriptor
import triton_kernels as own
from attempt import attempt

M, N, K = 1024, 1024, 512
torch.manual_seed(0)
half = dict(device='cuda', dtype=torch.float16)
a, b = torch.randn(M, K, **half), torch.randn(N, K, **half)
map_of = lambda tensor, block: TensorDescriptor(tensor, list(tensor.shape), list(tensor.stride()), block)
maps = lambda c, bm, bn, bk: (map_of(a, [bm, bk]), map_of(b, [bn, bk]), map_of(c, [bm, bn]))


def error(c):
    torch.cuda.synchronize()
    return f'off by {(c.float() - (a @ b.T).float()).abs().max().item():.4f}'


def product(bm, bn, bk, stages, warps):
    c = torch.empty(M, N, **half)
    own.product[(M // bm * (N // bn),)](*maps(c, bm, bn, bk), M, N, K, bm, bn, bk, stages, num_warps=warps)
    return error(c)


def persistent(stages, blocks, flat, warps=4):
    c = torch.empty(M, N, **half)
    own.product_persistent[(blocks,)](*maps(c, 128, 128, 64), M, N, K, 128, 128, 64, stages, blocks, flat, num_warps=warps)
    return error(c)


def own_maps():
    c = torch.empty(M, N, **half)
    triton.set_allocator(lambda size, align, stream: torch.empty(size, device='cuda', dtype=torch.int8))
    own.product_own_maps[(64,)](a, b, c, M, N, K, 128, 128, 64, 3)
    return error(c)


def pointers(bm, bn, bk, stages, warps):
    c = torch.empty(M, N, **half)
    own.product_pointers[(M // bm * (N // bn),)](a, b, c, M, N, K, bm, bn, bk, stages, num_warps=warps)
    return error(c)


def split():
    c = torch.zeros(M, N, device='cuda')
    own.product_split[(64, 4)](a, b, c, M, N, K, 128, 128, 32, 4)
    return error(c)


def specialized(warps):
    c = torch.empty(M, N, **half)
    own.product_specialized[(64,)](map_of(a, [128, 64]), map_of(b, [128, 64]), c, M, N, K, 128, 128, 64, 3, num_warps=warps)
    return error(c)


def attention(causal, warps, d=64, bn=128):
    q, k, v = (torch.randn(1024, d, **half) for _ in range(3))
    o = torch.empty_like(q)
    own.attention[(8,)](map_of(q, [128, d]), map_of(k, [bn, d]), map_of(v, [bn, d]), map_of(o, [128, d]), 1024, 0.18, 128, bn, d, 2, causal, num_warps=warps)
    torch.cuda.synchronize()
    return f'{o.float().abs().mean().item():.4f}'


def attention_pointers(stages):
    q, k, v = (torch.randn(1024, 64, **half) for _ in range(3))
    o = torch.empty_like(q)
    own.attention_pointers[(16,)](q, k, v, o, 1024, 0.18, 64, 64, 64, stages)
    torch.cuda.synchronize()
    return f'{o.float().abs().mean().item():.4f}'


def ragged():
    x = torch.randn(2048, 64, device='cuda')
    starts = torch.tensor([0, 256, 320, 1024], device='cuda', dtype=torch.int32)
    out = torch.empty(3, 64, device='cuda')
    own.ragged_sums[(3,)](map_of(x, [64, 64]), out, starts, 64, 64, 3)
    torch.cuda.synchronize()
    return f'{out.abs().mean().item():.4f}'


def normalize():
    x, out = torch.randn(64, 8192, device='cuda'), torch.empty(64, 8192, device='cuda')
    own.normalize[(64,)](x, out, 8192, 1024, 3)
    torch.cuda.synchronize()
    return f'{out.std().item():.4f}'


def gluon():
    import gluon_own
    return gluon_own.run(a, b)


print(torch.__version__, triton.__version__)
if sys.argv[1:] == ['hang']:
    attempt('specialized, 4 warps', specialized, 4)
    sys.exit(0)
for shape in [(128, 128, 64, 3, 4), (128, 128, 64, 1, 4), (128, 256, 64, 4, 8), (64, 64, 128, 2, 4), (128, 64, 32, 5, 4)]:
    attempt(f'product {shape}', product, *shape)
for shape in [(3, 32, False), (3, 132, True), (2, 16, False, 8)]:
    attempt(f'persistent {shape}', persistent, *shape)
attempt('own maps', own_maps)
for shape in [(128, 128, 32, 3, 4), (64, 64, 32, 4, 4), (128, 128, 64, 2, 8), (32, 32, 64, 5, 2)]:
    attempt(f'pointers {shape}', pointers, *shape)
attempt('split', split)
attempt('specialized, 8 warps', specialized, 8)
for shape in [(False, 4), (True, 4), (False, 8), (True, 8, 128, 64)]:
    attempt(f'attention {shape}', attention, *shape)
for stages in [1, 3]:
    attempt(f'attention by pointers {stages}', attention_pointers, stages)
attempt('ragged', ragged)
attempt('normalize', normalize)
attempt('gluon', gluon)
