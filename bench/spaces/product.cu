// A product of single precision: tiles of BM by BN by BK in shared memory, TM by TN of them a thread.
constexpr int THREADS = BM / TM * (BN / TN);
extern "C" __global__ void __launch_bounds__(THREADS)
    product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ float left[BK][BM + 4], right[BK][BN];
  const int row = threadIdx.x / (BN / TN) * TM, col = threadIdx.x % (BN / TN) * TN;
  a += blockIdx.y * BM * n, b += blockIdx.x * BN;
  float sums[TM][TN] = {};
  for (int at = 0; at < n; at += BK) {
#pragma unroll
    for (int i = threadIdx.x; i < BM * BK; i += THREADS) left[i % BK][i / BK] = a[i / BK * n + at + i % BK];
#pragma unroll
    for (int i = threadIdx.x; i < BN * BK; i += THREADS) right[i / BN][i % BN] = b[(at + i / BN) * n + i % BN];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k++) {
      float of_a[TM], of_b[TN];
#pragma unroll
      for (int i = 0; i < TM; i++) of_a[i] = left[k][row + i];
#pragma unroll
      for (int i = 0; i < TN; i++) of_b[i] = right[k][col + i];
#pragma unroll
      for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) sums[i][j] += of_a[i] * of_b[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; i++)
#pragma unroll
    for (int j = 0; j < TN; j++) c[(blockIdx.y * BM + row + i) * n + blockIdx.x * BN + col + j] = sums[i][j];
}
