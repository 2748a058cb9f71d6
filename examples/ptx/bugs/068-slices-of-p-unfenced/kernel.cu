// Softmax stores slices of P to shared memory and multiplies them without a fence, although the
// tensor core reads shared memory through the async proxy. The fix: fence each slice.
// https://github.com/facebookexperimental/triton/pull/737
#include "../gpu.cuh"

constexpr int BYTES = 2048;

extern "C" __global__ void slices_of_p(const uint4 *in, float *out, int slices) {
  __shared__ alignas(1024) uint4 v_tile[BYTES / 16], p[BYTES / 16];
  v_tile[threadIdx.x] = in[threadIdx.x];
  fenceAsync();
  float d[4] = {};
  rolled for (int s = 0; s < slices; s++) {
    p[threadIdx.x] = make_uint4(s, s, s, s);
    if (FIXED) fenceAsync();
    __syncthreads();
    fenceWgmma();
    wgmma(d, operand(p), operand(v_tile));
    commitWgmma();
    waitWgmma<0>(d);
    __syncthreads();
  }
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
