# A product in Gluon for Hopper: one producer warp, four consumer warps, explicit mbarriers.
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import tma, mbarrier, warpgroup_mma, warpgroup_mma_wait, fence_async_shared
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor


@gluon.jit
def producer(a_map, b_map, a_tiles, b_tiles, full, empty, K, BK: gl.constexpr, STAGES: gl.constexpr, row, column, BM: gl.constexpr, BN: gl.constexpr):
    i = 0
    for k in range(0, K, BK):
        s = i % STAGES
        phase = (i // STAGES) & 1
        mbarrier.wait(empty.index(s), phase ^ 1)
        mbarrier.expect(full.index(s), a_map.block_type.nbytes + b_map.block_type.nbytes)
        tma.async_copy_global_to_shared(a_map, [row * BM, k], full.index(s), a_tiles.index(s))
        tma.async_copy_global_to_shared(b_map, [column * BN, k], full.index(s), b_tiles.index(s))
        i += 1


@gluon.jit
def consumer(a_map, b_map, c_map, a_tiles, b_tiles, full, empty, K, BK: gl.constexpr, STAGES: gl.constexpr, row, column, BM: gl.constexpr, BN: gl.constexpr, c_tile, WARPS: gl.constexpr):
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[WARPS, 1], instr_shape=[16, BN, 16])
    sum = gl.zeros((BM, BN), dtype=gl.float32, layout=layout)
    i = 0
    for k in range(0, K, BK):
        s = i % STAGES
        phase = (i // STAGES) & 1
        mbarrier.wait(full.index(s), phase)
        sum = warpgroup_mma(a_tiles.index(s), b_tiles.index(s).permute((1, 0)), sum, is_async=True)
        sum = warpgroup_mma_wait(0, deps=(sum,))
        mbarrier.arrive(empty.index(s), count=1)
        i += 1
    c_tile.store(sum.to(gl.float16))
    fence_async_shared()
    tma.async_copy_shared_to_global(c_map, [row * BM, column * BN], c_tile)
    tma.store_wait(pendings=0)


@gluon.jit
def gluon_product(a_map, b_map, c_map, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, STAGES: gl.constexpr, WARPS: gl.constexpr):
    a_tiles = gl.allocate_shared_memory(a_map.dtype, [STAGES] + a_map.block_type.shape, a_map.layout)
    b_tiles = gl.allocate_shared_memory(b_map.dtype, [STAGES] + b_map.block_type.shape, b_map.layout)
    c_tile = gl.allocate_shared_memory(c_map.dtype, c_map.block_type.shape, c_map.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(STAGES):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    row = gl.program_id(0)
    column = gl.program_id(1)
    gl.warp_specialize([(consumer, (a_map, b_map, c_map, a_tiles, b_tiles, full, empty, K, BK, STAGES, row, column, BM, BN, c_tile, WARPS)), (producer, (a_map, b_map, a_tiles, b_tiles, full, empty, K, BK, STAGES, row, column, BM, BN))], [1], [24])


def run(a, b):
    M, K = a.shape
    N = b.shape[0]
    c = torch.empty(M, N, device='cuda', dtype=torch.float16)
    layout = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)
    map_of = lambda tensor, block: TensorDescriptor(tensor, list(tensor.shape), list(tensor.stride()), block, layout)
    for stages in (3, 2):
        gluon_product[(M // 128, N // 128)](map_of(a, [128, 64]), map_of(b, [128, 64]), map_of(c, [128, 128]), M, N, K, 128, 128, 64, stages, 4, num_warps=4)
    torch.cuda.synchronize()
    return f'off by {(c - a @ b.T).abs().max().item():.4f}'
