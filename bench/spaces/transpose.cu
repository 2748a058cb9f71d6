// A matrix of words transposed in tiles through shared memory: TILE, ROWS and PAD are the configuration.
extern "C" __global__ void transpose(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float held[TILE][TILE + PAD];
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
  for (int i = 0; i < TILE; i += ROWS) held[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
  __syncthreads();
  const int to = blockIdx.y * TILE + threadIdx.x, row = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
  for (int i = 0; i < TILE; i += ROWS) out[(row + i) * n + to] = held[threadIdx.x][threadIdx.y + i];
}
