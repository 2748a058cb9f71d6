// Rings whose consumers work on the tiles: arithmetic, conversions, exponentials, mma.sync.
#pragma once
#include "rings.cuh"
#include <cuda_bf16.h>

/** FMAS: a chain for each word; SOFTMAX: maximum, exponentials, sum; CONVERT: bf16 to float and back. */
enum Arithmetic { FMAS, SOFTMAX, CONVERT, MATRIX };

struct Worked {
  Source source;
  int stages, tiles, warps, repeats;
  Span *spans;
  float *sink;
};

/** The words of a tile by one warp: four at a time, as vector loads have them. */
template <Arithmetic arithmetic> DEVICE float work_on(char *tile, int bytes, int repeats, float state) {
  const int lane = threadIdx.x % 32;
  if constexpr (arithmetic == FMAS) {
    for (int i = lane * 16; i < bytes; i += 512) {
      const float4 x = *reinterpret_cast<float4 *>(tile + i);
      for (int r = 0; r < repeats; r++) {
        state = fmaf(state, x.x, x.y), state = fmaf(state, x.z, x.w);
        state = fmaf(state, x.y, x.z), state = fmaf(state, x.w, x.x);
      }
    }
  } else if constexpr (arithmetic == SOFTMAX) {
    for (int r = 0; r < repeats; r++)
      for (int i = lane * 16; i < bytes; i += 512) {
        const float4 x = *reinterpret_cast<float4 *>(tile + i);
        float most = fmaxf(fmaxf(x.x, x.y), fmaxf(x.z, x.w));
#pragma unroll
        for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
        float sum = exp2f(x.x - most) + exp2f(x.y - most) + exp2f(x.z - most) + exp2f(x.w - most);
#pragma unroll
        for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
        state += 1.0f / sum;
      }
  } else if constexpr (arithmetic == CONVERT) {
    for (int r = 0; r < repeats; r++)
      for (int i = lane * 16; i < bytes; i += 512) {
        uint4 *const words = reinterpret_cast<uint4 *>(tile + i);
        uint4 x = *words;
        __nv_bfloat162 *const pairs = reinterpret_cast<__nv_bfloat162 *>(&x);
#pragma unroll
        for (int p = 0; p < 4; p++) {
          float2 two = __bfloat1622float2(pairs[p]);
          two.x = two.x * 0.5f + state, two.y = two.y * 0.5f - state;
          pairs[p] = __floats2bfloat162_rn(two.x, two.y);
        }
        *words = x;
        state += __uint_as_float(x.x & 0x3fffffffu);
      }
  } else {
    // 16 by 16 of A and 16 by 8 of B, from the same bytes: the sums do not matter.
    float d[4] = {state, 0, 0, 0};
    for (int r = 0; r < repeats; r++)
      for (int i = 0; i + 1024 <= bytes; i += 1024) {
        uint32_t a[4], b[2];
        const uint32_t from = at(tile + i) + lane * 16;
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                     : "r"(from)
                     : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(from + 512) : "memory");
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
      }
    state = d[0] + d[1] + d[2] + d[3];
  }
  return state;
}

/** A lane copies by the bulk engine, each consumer warp works on its tile of each stage. */
template <Arithmetic arithmetic> __global__ void worked(Worked p) {
  __shared__ uint64_t bars[2][MOST_STAGES];
  uint64_t *const full = bars[0], *const empty = bars[1];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < p.stages; s++) barrier_init(&full[s], 1), barrier_init(&empty[s], p.warps);
    fence_init();
  }
  __syncthreads();
  const Clock clock = Clock::start();
  const int bytes = p.source.bytes;
  if (warp == 0) {
    if (lane == 0) {
      Place at(p.stages, 1);
      Cursor from(p.source);
      for (int t = 0; t < p.tiles; t++, at.next()) {
        const int s = at.stage;
        wait_closely(&empty[s], at.phase);
        arrive_expect(&full[s], bytes);
        bulk_copy(shared + s * bytes, from.at, bytes, &full[s]);
        from.next();
      }
    }
  } else {
    Place at(p.stages);
    float state = 0.25f;
    const int part = bytes / p.warps;
    for (int t = 0; t < p.tiles; t++, at.next()) {
      const int s = at.stage;
      wait_closely(&full[s], at.phase);
      state = work_on<arithmetic>(shared + s * bytes + (warp - 1) * part, part, p.repeats, state);
      __syncwarp();
      if (lane == 0) arrive(&empty[s]);
    }
    if (threadIdx.x == 32) clock.stop(p.spans);
    if (state == 12345.5f) *p.sink = state;
  }
  __syncthreads();
}

/** As before Hopper: all threads copy by cp.async, meet, and multiply what has landed. */
template <Arithmetic arithmetic> __global__ void worked_together(Worked p) {
  const Clock clock = Clock::start();
  const int bytes = p.source.bytes, warp = threadIdx.x / 32, part = bytes / p.warps;
  Cursor from(p.source);
  const auto copy = [&](int stage) {
    for (int i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16) async_16(shared + stage * bytes + i, from.at + i);
    from.next();
  };
  for (int s = 0; s < p.stages - 1; s++) {
    copy(s);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  float state = 0.25f;
  int stage = 0, next = p.stages - 1;
  for (int t = 0; t < p.tiles; t++) {
    if (p.stages == 2) asm volatile("cp.async.wait_group 0;" ::: "memory");
    else asm volatile("cp.async.wait_group 2;" ::: "memory");
    __syncthreads();
    if (t + p.stages - 1 < p.tiles) copy(next);
    asm volatile("cp.async.commit_group;" ::: "memory");
    state = work_on<arithmetic>(shared + stage * bytes + warp * part, part, p.repeats, state);
    if (++stage == p.stages) stage = 0;
    if (++next == p.stages) next = 0;
  }
  if (threadIdx.x == 0) clock.stop(p.spans);
  if (state == 12345.5f) *p.sink = state;
}

template <Arithmetic arithmetic>
void measure_arithmetic(Table &table, const char *name) {
  for (const char *copies : {"bulk", "cp_async"})
    for (int warps : {1, 4, 8})
      for (int stages : {2, 4})
        for (int bytes : {8192, 16384})
          for (int repeats : {1, 4}) {
            const bool together = !strcmp(copies, "cp_async");
            const std::string key = text("%s,%s,%d,%d,%d,128,%d", name, copies, warps, stages, bytes, repeats);
            if (!table.wants(key)) continue;
            const Worked p{source_of(false, 128, bytes), stages, 128, warps, repeats, machine.spans,
                           reinterpret_cast<float *>(machine.sink)};
            const Shape shape{1, 32 * (together ? warps : warps + 1), stages * bytes};
            table.add(key, measure("work " + key, 1, false, [&](bool) {
                              if (together) launch(worked_together<arithmetic>, shape, p);
                              else launch(worked<arithmetic>, shape, p);
                            }).row());
          }
}

inline void measure_work() {
  Table table("work", "work,copies,warps,stages,tile_bytes,tiles,repeats", TIMES);
  measure_arithmetic<FMAS>(table, "fmas");
  measure_arithmetic<SOFTMAX>(table, "softmax");
  measure_arithmetic<CONVERT>(table, "convert");
  measure_arithmetic<MATRIX>(table, "mma");
}
