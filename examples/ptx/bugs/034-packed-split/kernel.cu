// The load role reads a packed word as the index of a split, and the other role unpacks it first:
// no split has such an index, so that one finds no blocks and the other two. The fix: unpack it
// everywhere.
// https://github.com/Dao-AILab/flash-attention/pull/2761
#include "../gpu.cuh"

constexpr int BYTES = 128, BLOCKS = 4;

/** The blocks of a split, [first, end). */
INLINE int firstOf(int split, int splits) { return min(BLOCKS, split * (BLOCKS / splits)); }

extern "C" __global__ void split_keys_values(const char *in, uint32_t *out, int packed) {
  __shared__ alignas(128) uint32_t tile[BYTES / 4];
  __shared__ Bar full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
  }
  __syncthreads();
  int splits = packed >> 16;
  if (warp() == 0) {
    int split = FIXED ? packed & 0xffff : packed;
    int end = firstOf(split + 1, splits);
    if (lane() == 0)
      rolled for (int k = firstOf(split, splits), n = 0; k < end; k++, n++) {
        wait(&empty, (n & 1) ^ 1);
        expect(&full, BYTES);
        copy(tile, in + k * BYTES, BYTES, &full);
      }
  } else {
    int split = packed & 0xffff, end = firstOf(split + 1, splits);
    uint32_t sum = 0;
    rolled for (int k = firstOf(split, splits), n = 0; k < end; k++, n++) {
      wait(&full, n & 1);
      sum += tile[lane()];
      arrive(&empty);
    }
    out[lane()] = sum;
  }
}
