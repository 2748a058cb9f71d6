// The warp that loads the scales does not wait for the grid that writes them, which has let this one
// start. The fix: griddepcontrol.wait.
// https://github.com/NVIDIA/TensorRT-LLM/pull/14668
#include "../gpu.cuh"

// the GEMM: its load warp for the scales
extern "C" __global__ void load_scales(const uint32_t *scales, uint32_t *out) {
  if (FIXED) waitForGridBefore();
  out[threadIdx.x] = scales[threadIdx.x];
}
