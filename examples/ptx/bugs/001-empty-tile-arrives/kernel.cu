// A tile without keys arrives at the epilogue's named barrier and goes on; two of them in a row
// arrive twice before the load warp has come once. The fix arrives and waits.
// https://github.com/vllm-project/vllm/pull/26026
#include "../gpu.cuh"

constexpr int EPILOGUE = 1;

extern "C" __global__ void split_keys(const int *keys, uint32_t *out, int tiles) {
  __shared__ uint32_t partial[32];
  if (warp() == 0) {
    rolled for (int t = 0; t < tiles; t++) {
      syncNamed(EPILOGUE, 64);
      if (keys[t] > 0) out[t * 32 + lane()] = partial[lane()];
    }
  } else {
    rolled for (int t = 0; t < tiles; t++) {
      if (keys[t] == 0) {
        if (FIXED) syncNamed(EPILOGUE, 64);
        else arriveNamed(EPILOGUE, 64);
        continue;
      }
      if (t == 0) partial[lane()] = keys[t];
      syncNamed(EPILOGUE, 64);
    }
  }
}
