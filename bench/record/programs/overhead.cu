// Host time of a launch in a loop that keeps the queue full: overhead LAUNCHES. Run it pinned to one
// core, with and without the recorder in turn.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

struct Large {
  char bytes[1792];
};
__global__ void scalars(int *out, int a, int b, float c) {
  if (out != nullptr && a == -1) *out = b + (int)c;
}
__global__ void large(const __grid_constant__ Large value, int *out) {
  if (out != nullptr && value.bytes[0] == 77) *out = 1;
}

using Clock = std::chrono::steady_clock;

/** The least time of a launch in three rounds, after one to warm up. */
template <class Launch> double nanoseconds(int launches, Launch launch) {
  double best = 1e12;
  for (int round = 0; round < 4; round++) {
    cudaDeviceSynchronize();
    auto start = Clock::now();
    for (int i = 0; i < launches; i++) {
      launch(i);
      if (i % 512 == 511) cudaDeviceSynchronize();
    }
    cudaDeviceSynchronize();
    double each = std::chrono::duration<double, std::nano>(Clock::now() - start).count() / launches;
    if (round > 0 && each < best) best = each;
  }
  return best;
}

int main(int argc, char **argv) {
  const int launches = argc > 1 ? atoi(argv[1]) : 50000;
  int *out;
  cudaMalloc(&out, 4096);
  Large value{};
  auto start = Clock::now();
  scalars<<<1, 32>>>(out, 0, 0, 0);
  cudaDeviceSynchronize();
  double first = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  printf("first=%.0f same=%.0f changing=%.0f large=%.0f\n", first,
         nanoseconds(launches, [&](int) { scalars<<<1, 32>>>(out, 1, 2, 3.f); }),
         nanoseconds(launches, [&](int i) { scalars<<<1, 32>>>(out, i, 2, 3.f); }),
         nanoseconds(launches, [&](int) { large<<<1, 32>>>(value, out); }));
  return 0;
}
