// A ring of stages between a warp that copies and warps that add up, with its operations logged:
//
//     nvcc -std=c++17 -arch=sm_90a -DPOUNDLOCK_TRACE -o ring-trace ring-trace.cu
//     ./ring-trace trace.jsonl 16 0
//     poundlock check trace.jsonl
//
// The second number is a bug: 1 releases a stage before it is read, 2 waits for the wrong parity of
// a free stage, 3 expects too few bytes, 4 releases through a named barrier that has one warp too
// many, 5 lets one reader skip its release.
#include "poundlock-trace.cuh"
#include <cstdlib>
#include <ctime>
#include <unistd.h>

constexpr int STAGES = 2, READERS = 2, WORDS = 256;

__global__ void __launch_bounds__(32 * (1 + READERS)) ring(const int *in, int *out, int tiles, int bug) {
  __shared__ alignas(128) int tile[STAGES][WORDS];
  __shared__ alignas(8) uint64_t full[STAGES], empty[STAGES];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    poundlock::name("tile", tile);
    poundlock::name("full", full, 8);
    poundlock::name("empty", empty, 8);
    for (int s = 0; s < STAGES; s++) {
      poundlock::init(&full[s], 1);
      poundlock::init(&empty[s], READERS);
    }
    poundlock::fence_init();
  }
  poundlock::sync_threads();
  if (warp == 0) {
    if (lane == 0)
      for (int t = 0; t < tiles; t++) {
        const int s = t % STAGES, round = t / STAGES;
        poundlock::wait(&empty[s], (round ^ (bug == 2 ? 0 : 1)) & 1);
        poundlock::arrive_expect(&full[s], bug == 3 ? WORDS * 2 : WORDS * 4);
        poundlock::copy(tile[s], in + t * WORDS, WORDS * 4, &full[s]);
      }
    return;
  }
  int sum = 0;
  for (int t = 0; t < tiles; t++) {
    const int s = t % STAGES;
    poundlock::wait(&full[s], (t / STAGES) & 1);
    if (bug == 1 && lane == 0) poundlock::arrive(&empty[s]);
    poundlock::read(&tile[s][lane * (WORDS / 32)], WORDS / 32 * 4);
    for (int i = 0; i < WORDS / 32; i++) sum += tile[s][lane * (WORDS / 32) + i];
    __syncwarp();
    if (bug == 4) poundlock::sync(1, 32 * (READERS + 1));
    const bool isSkipped = bug == 5 && warp == 2 && t == 1;
    if (bug != 1 && lane == 0 && !isSkipped) poundlock::arrive(&empty[s]);
  }
  atomicAdd(out, sum);
}

int main(int count, char **words) {
  const char *path = count > 1 ? words[1] : "trace.jsonl";
  const int tiles = count > 2 ? std::atoi(words[2]) : 16, bug = count > 3 ? std::atoi(words[3]) : 0;
  int *in, *out;
  cudaMalloc(&in, tiles * WORDS * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  int *host = static_cast<int *>(std::malloc(tiles * WORDS * sizeof(int)));
  int want = 0;
  for (int i = 0; i < tiles * WORDS; i++) want += READERS * (host[i] = i % 7);
  cudaMemcpy(in, host, tiles * WORDS * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(int));
  poundlock::Trace trace;
  const dim3 block(32 * (1 + READERS));
  ring<<<1, block>>>(in, out, tiles, bug);
  const bool ended = trace.write(path, "ring", block);
  int got = 0;
  if (ended) cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s: tiles %d, bug %d, %s, sum %s\n", path, tiles, bug, ended ? "ended" : "hangs",
              ended && got == want ? "right" : "wrong");
  std::fflush(stdout);
  _exit(ended && got == want ? 0 : 1);
}
