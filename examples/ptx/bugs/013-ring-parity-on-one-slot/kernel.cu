// A barrier of one slot, which ends a phase in every round, is waited for with the parity of the
// ring, which changes once a lap. In the second round the wait passes at once, and the next copy
// overwrites a stage that the tensor core still reads. The fix: the parity of the round.
// https://github.com/tile-ai/tilelang/pull/3087
#include "../tensor-memory.cuh"

constexpr int STAGES = 2, BYTES = 8192;

extern "C" __global__ void user_barrier(const char *in, uint32_t *out, int ks) {
  __shared__ alignas(1024) char tile[STAGES][BYTES];
  __shared__ uint32_t columns;
  __shared__ Bar full[STAGES], done;
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    init(&done, 1);
    fenceInit();
  }
  allocate(&columns, 32);
  relinquish();
  syncWarp();
  uint32_t d = columns;
  if (lane() == 0) {
    rolled for (int k = 0; k < STAGES; k++) {
      expect(&full[k], BYTES);
      copy(tile[k], in + k * BYTES, BYTES, &full[k]);
    }
    rolled for (int k = 0; k < ks; k++) {
      int s = k % STAGES;
      wait(&full[s], k / STAGES & 1);
      mma(d, operand100(tile[s]), operand100(tile[s] + BYTES / 2), shape(64, 32));
      commit(&done);
      wait(&done, FIXED ? k & 1 : k / STAGES & 1);
      if (k + STAGES >= ks) continue;
      expect(&full[s], BYTES);
      copy(tile[s], in + (k + STAGES) * BYTES, BYTES, &full[s]);
    }
  }
  syncWarp();
  fenceAfter();
  uint32_t v = loadColumn(d);
  waitLoads();
  out[lane()] = v;
  deallocate(d, 32);
}
