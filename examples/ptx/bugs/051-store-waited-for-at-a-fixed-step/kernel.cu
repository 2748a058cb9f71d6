// A slot of the input ring holds the output of a task at its end, and the load warp waits for the
// store of that output at a fixed step of the next task: too late unless the steps are a multiple
// of the stages. The fix: wait at the start of each task.
// https://github.com/uccl-project/mKernel/pull/18
#include "../gpu.cuh"

constexpr int STAGES = 2, BYTES = 128, OUTPUT = 1;

extern "C" __global__ void gather_and_multiply(const char *in, char *out, int tasks, int steps) {
  __shared__ alignas(128) uint32_t slot[STAGES][BYTES / 4];
  __shared__ Bar full[STAGES], empty[STAGES], stored;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; s++) {
      init(&full[s], 1);
      init(&empty[s], 32);
    }
    init(&stored, 1);
  }
  __syncthreads();
  int n = 0;
  rolled for (int task = 0; task < tasks; task++) {
    uint32_t sum = 0;
    rolled for (int k = 0; k < steps; k++, n++) {
      int s = n % STAGES, phase = n / STAGES & 1;
      if (warp() == 0) {
        if (lane() == 0) {
          if (k == (FIXED ? 0 : OUTPUT)) wait(&stored, (task & 1) ^ 1);
          wait(&empty[s], phase ^ 1);
          expect(&full[s], BYTES);
          copy(slot[s], in + n * BYTES, BYTES, &full[s]);
        }
      } else {
        wait(&full[s], phase);
        sum += slot[s][lane()];
        arrive(&empty[s]);
      }
    }
    if (warp() == 1) {
      slot[OUTPUT][lane()] = sum;
      fenceAsync();
      syncWarp();
      if (lane() == 0) {
        storeBulk(out + task * BYTES, slot[OUTPUT], BYTES);
        commitBulk();
        waitBulk<0>();
        arrive(&stored);
      }
      syncWarp();
    }
  }
}
