# CuPy (NVRTC), JAX (XLA, Pallas) and Numba.
import sys
from attempt import attempt

RING = r'''
extern "C" __global__ void ring(const unsigned *in, unsigned *out, int tiles) {
  __shared__ __align__(128) unsigned tile[2][1024];
  __shared__ unsigned long long full[2], empty[2];
  auto at = [](void *p) { return (unsigned)__cvta_generic_to_shared(p); };
  auto wait = [&](void *b, unsigned parity) {
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN;\n}" ::"r"(at(b)), "r"(parity) : "memory");
  };
  if (threadIdx.x == 0)
    for (int s = 0; s < 2; s++) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full[s])) : "memory");
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(at(&empty[s])) : "memory");
    }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int t = 0; t < tiles; t++) {
      int s = t & 1, phase = t >> 1 & 1;
      wait(&empty[s], phase ^ 1);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" ::"r"(at(&full[s])) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(at(tile[s])), "l"(in + t * 1024), "r"(at(&full[s])) : "memory");
    }
  } else if (threadIdx.x >= 32) {
    unsigned sum = 0;
    for (int t = 0; t < tiles; t++) {
      int s = t & 1, phase = t >> 1 & 1;
      wait(&full[s], phase);
      for (int i = threadIdx.x - 32; i < 1024; i += 32) sum += tile[s][i];
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(&empty[s])) : "memory");
    }
    out[threadIdx.x - 32] = sum;
  }
}
'''


def cupy_ring():
    import cupy as cp
    kernel = cp.RawKernel(RING, 'ring')
    data, out = cp.ones(64 * 1024, cp.uint32), cp.zeros(32, cp.uint32)
    for tiles in (4, 64):
        kernel((1,), (64,), (data, out, cp.int32(tiles)))
    return int(out.sum())


def jax_fusion():
    import jax, jax.numpy as jnp
    f = jax.jit(lambda a: jax.nn.softmax(jnp.sin(a) * 2 + 1, -1).sum(0))
    return float(f(jnp.ones((1024, 1024), jnp.float32)).sum())


def jax_products():
    import jax, jax.numpy as jnp
    f = jax.jit(lambda a, b: jax.nn.relu((a.astype(jnp.bfloat16) * 2) @ b))
    return float(f(jnp.ones((1024, 1024), jnp.float8_e4m3fn), jnp.ones((1024, 1024), jnp.bfloat16)).astype(jnp.float32).mean())


def pallas_triton():
    import jax, jax.numpy as jnp
    from jax.experimental.pallas.ops.gpu import attention
    q = jnp.ones((1, 512, 4, 64), jnp.float16)
    return float(attention.mha(q, q, q, segment_ids=None).astype(jnp.float32).mean())


def pallas_normalization():
    import jax.numpy as jnp
    from jax.experimental.pallas.ops.gpu import rms_norm
    return float(rms_norm.rms_norm(jnp.ones((8, 1024), jnp.float32), jnp.ones((1024,)), jnp.ones((1024,))).mean())


def mosaic_product():
    import jax, jax.numpy as jnp
    from jax.experimental.pallas.ops.gpu import hopper_matmul_mgpu as own
    a, b = (jax.random.normal(jax.random.key(i), (1024, 1024), jnp.float16) for i in range(2))
    config = own.TuningConfig(tile_m=128, tile_n=128, tile_k=64, max_concurrent_steps=4)
    return float(jnp.abs(own.matmul(a, b, config).astype(jnp.float32)).mean())


def mosaic_attention():
    import jax, jax.numpy as jnp
    from jax.experimental.pallas.ops.gpu import attention_mgpu as own
    q = jax.random.normal(jax.random.key(0), (1, 1024, 4, 64), jnp.float16)
    config = own.TuningConfig(block_q=64, block_kv=64, max_concurrent_steps=2)
    return float(jnp.abs(own.attention(q, q, q, config).astype(jnp.float32)).mean())


def mosaic_own():
    import jax, jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import mosaic_gpu as plgpu

    def body(x, o, tile, barrier):
        plgpu.copy_gmem_to_smem(x, tile, barrier)
        plgpu.barrier_wait(barrier)
        tile[...] = tile[...] + 1
        plgpu.commit_smem()
        plgpu.copy_smem_to_gmem(tile, o)
        plgpu.wait_smem_to_gmem(0)

    x = jnp.ones((128, 128), jnp.float32)
    scratch = [plgpu.SMEM((128, 128), jnp.float32), plgpu.Barrier()]
    return float(plgpu.kernel(body, out_shape=x, scratch_shapes=scratch)(x).mean())


def numba_sum():
    import numpy as np
    from numba import cuda

    @cuda.jit
    def block_sum(x, out):
        shared = cuda.shared.array(128, 'float32')
        i = cuda.threadIdx.x
        shared[i] = x[cuda.blockIdx.x * 128 + i]
        cuda.syncthreads()
        out[cuda.blockIdx.x * 128 + i] = shared[127 - i]

    out = cuda.device_array(1024, np.float32)
    block_sum[8, 128](cuda.to_device(np.arange(1024, dtype=np.float32)), out)
    return float(out.copy_to_host().sum())


PARTS = {
    'cupy': [cupy_ring],
    'jax': [jax_fusion, jax_products],
    'pallas': [pallas_triton, pallas_normalization, mosaic_own, mosaic_product, mosaic_attention],
    'numba': [numba_sum],
}
for part in PARTS[sys.argv[1]]:
    attempt(part.__name__, part)
