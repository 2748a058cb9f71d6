// The barrier that holds the epilogue's load back counts one load warp, and there are four: they
// complete it among themselves. The fix: (load warps + 1) * 32 threads.
// https://github.com/Dao-AILab/quack/pull/146
#include "../gpu.cuh"

constexpr int LOADS = 4, EPILOGUE_LOAD = 1, BYTES = 128;
constexpr int THREADS = FIXED ? (LOADS + 1) * 32 : 2 * 32;

extern "C" __global__ void gather_a(const char *in, const char *c, uint32_t *out) {
  __shared__ alignas(128) uint32_t rows[LOADS][BYTES / 4], old[BYTES / 4];
  __shared__ Bar full, c_full;
  if (threadIdx.x == 0) {
    init(&full, LOADS);
    init(&c_full, 1);
  }
  __syncthreads();
  int w = warp();
  if (w < LOADS) {
    if (lane() == 0) {
      expect(&full, BYTES);
      copy(rows[w], in + w * BYTES, BYTES, &full);
    }
    syncWarp();
    arriveNamed(EPILOGUE_LOAD, THREADS);
  } else if (w == LOADS) {
    syncNamed(EPILOGUE_LOAD, THREADS);
    if (lane() == 0) {
      expect(&c_full, BYTES);
      copy(old, c, BYTES, &c_full);
    }
  } else {
    wait(&full, 0);
    wait(&c_full, 0);
    out[lane()] = rows[0][lane()] + rows[1][lane()] + rows[2][lane()] + rows[3][lane()] + old[lane()];
  }
}
