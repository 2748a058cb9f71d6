// wgmma of m64 by kind and N: the accumulators are the registers of an array.
#pragma once
#include "device.cuh"

#define R8_0 "%0,%1,%2,%3,%4,%5,%6,%7"
#define R8_1 "%8,%9,%10,%11,%12,%13,%14,%15"
#define R8_2 "%16,%17,%18,%19,%20,%21,%22,%23"
#define R8_3 "%24,%25,%26,%27,%28,%29,%30,%31"
#define R8_4 "%32,%33,%34,%35,%36,%37,%38,%39"
#define R8_5 "%40,%41,%42,%43,%44,%45,%46,%47"
#define R8_6 "%48,%49,%50,%51,%52,%53,%54,%55"
#define R8_7 "%56,%57,%58,%59,%60,%61,%62,%63"
#define R8_8 "%64,%65,%66,%67,%68,%69,%70,%71"
#define R8_9 "%72,%73,%74,%75,%76,%77,%78,%79"
#define R8_10 "%80,%81,%82,%83,%84,%85,%86,%87"
#define R8_11 "%88,%89,%90,%91,%92,%93,%94,%95"
#define R8_12 "%96,%97,%98,%99,%100,%101,%102,%103"
#define R8_13 "%104,%105,%106,%107,%108,%109,%110,%111"
#define R8_14 "%112,%113,%114,%115,%116,%117,%118,%119"
#define R8_15 "%120,%121,%122,%123,%124,%125,%126,%127"
#define R4 "%0,%1,%2,%3"
#define R8 R8_0
#define R12 R8 ",%8,%9,%10,%11"
#define R16 R8 "," R8_1
#define R20 R16 ",%16,%17,%18,%19"
#define R24 R16 "," R8_2
#define R28 R24 ",%24,%25,%26,%27"
#define R32 R16 "," R8_2 "," R8_3
#define R40 R32 "," R8_4
#define R48 R32 "," R8_4 "," R8_5
#define R56 R48 "," R8_6
#define R64 R48 "," R8_6 "," R8_7
#define R72 R64 "," R8_8
#define R80 R64 "," R8_8 "," R8_9
#define R88 R80 "," R8_10
#define R96 R80 "," R8_10 "," R8_11
#define R112 R96 "," R8_12 "," R8_13
#define R128 R112 "," R8_14 "," R8_15

#define D4(c, i) c(d[i]), c(d[i + 1]), c(d[i + 2]), c(d[i + 3])
#define D8(c, i) D4(c, i), D4(c, i + 4)
#define D12(c, i) D8(c, i), D4(c, i + 8)
#define D16(c, i) D8(c, i), D8(c, i + 8)
#define D20(c, i) D16(c, i), D4(c, i + 16)
#define D24(c, i) D16(c, i), D8(c, i + 16)
#define D28(c, i) D16(c, i), D12(c, i + 16)
#define D32(c, i) D16(c, i), D16(c, i + 16)
#define D40(c, i) D32(c, i), D8(c, i + 32)
#define D48(c, i) D32(c, i), D16(c, i + 32)
#define D56(c, i) D32(c, i), D24(c, i + 32)
#define D64(c, i) D32(c, i), D32(c, i + 32)
#define D72(c, i) D64(c, i), D8(c, i + 64)
#define D80(c, i) D64(c, i), D16(c, i + 64)
#define D88(c, i) D64(c, i), D24(c, i + 64)
#define D96(c, i) D64(c, i), D32(c, i + 64)
#define D112(c, i) D96(c, i), D16(c, i + 96)
#define D128(c, i) D64(c, i), D64(c, i + 64)

enum MmaKind { BF16, E4M3, S8, TF32, F16 };

DEVICE void mma_fence() {
#if HAS_WGMMA
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}

DEVICE void mma_commit() {
#if HAS_WGMMA
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#endif
}

template <int pending> DEVICE void mma_wait() {
#if HAS_WGMMA
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
#endif
}

/** A K-major tile of rows of 128 bytes, swizzled by 128 bytes: groups of 8 rows are 1,024 apart. */
DEVICE uint64_t mma_tile(uint32_t tile) {
  return (uint64_t)((tile & 0x3ffff) >> 4) | (1ull << 16) | (64ull << 32) | (1ull << 62);
}

DEVICE uint64_t mma_tile(const void *tile) { return mma_tile(at(tile)); }

/** D += A · B of one instruction: m64, N, 32 bytes of K; A and B from shared memory. */
template <MmaKind kind, int n, class Element> DEVICE void mma(Element (&d)[n / 2], uint64_t a, uint64_t b);

/** The same with A from four registers. */
template <MmaKind kind, int n, class Element>
DEVICE void mma_from_registers(Element (&d)[n / 2], const uint32_t (&a)[4], uint64_t b);

#define FLOATS(x) "+f"(x)
#define INTS(x) "+r"(x)

// clang-format off
#if HAS_WGMMA
#define MMA(kind, n, count, element, constraint, type, s0, s1, tail)                                      \
  template <> DEVICE void mma<kind, n, element>(element (&d)[n / 2], uint64_t a, uint64_t b) {            \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" #n type " {" R##count "}, %" #s0 ", %" #s1 tail ";" \
                 : D##count(constraint, 0) : "l"(a), "l"(b));                                             \
  }
#define MMA_R(kind, n, count, element, constraint, type, s0, s1, s2, s3, s4, tail)                        \
  template <> DEVICE void mma_from_registers<kind, n, element>(element (&d)[n / 2], const uint32_t (&a)[4], uint64_t b) { \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" #n type " {" R##count "}, {%" #s0 ",%" #s1 ",%" #s2 ",%" #s3 "}, %" #s4 tail ";" \
                 : D##count(constraint, 0) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));         \
  }
#else
#define MMA(kind, n, count, element, constraint, type, s0, s1, tail)                                      \
  template <> DEVICE void mma<kind, n, element>(element (&)[n / 2], uint64_t, uint64_t) {}
#define MMA_R(kind, n, count, element, constraint, type, s0, s1, s2, s3, s4, tail)                        \
  template <> DEVICE void mma_from_registers<kind, n, element>(element (&)[n / 2], const uint32_t (&)[4], uint64_t) {}
#endif

MMA(BF16, 8, 4, float, FLOATS, "k16.f32.bf16.bf16", 4, 5, ", 1, 1, 1, 0, 0")
MMA(BF16, 16, 8, float, FLOATS, "k16.f32.bf16.bf16", 8, 9, ", 1, 1, 1, 0, 0")
MMA(BF16, 32, 16, float, FLOATS, "k16.f32.bf16.bf16", 16, 17, ", 1, 1, 1, 0, 0")
MMA(BF16, 64, 32, float, FLOATS, "k16.f32.bf16.bf16", 32, 33, ", 1, 1, 1, 0, 0")
MMA(BF16, 96, 48, float, FLOATS, "k16.f32.bf16.bf16", 48, 49, ", 1, 1, 1, 0, 0")
MMA(BF16, 128, 64, float, FLOATS, "k16.f32.bf16.bf16", 64, 65, ", 1, 1, 1, 0, 0")
MMA(BF16, 160, 80, float, FLOATS, "k16.f32.bf16.bf16", 80, 81, ", 1, 1, 1, 0, 0")
MMA(BF16, 192, 96, float, FLOATS, "k16.f32.bf16.bf16", 96, 97, ", 1, 1, 1, 0, 0")
MMA(BF16, 224, 112, float, FLOATS, "k16.f32.bf16.bf16", 112, 113, ", 1, 1, 1, 0, 0")
MMA(BF16, 256, 128, float, FLOATS, "k16.f32.bf16.bf16", 128, 129, ", 1, 1, 1, 0, 0")
MMA_R(BF16, 64, 32, float, FLOATS, "k16.f32.bf16.bf16", 32, 33, 34, 35, 36, ", 1, 1, 1, 0")
MMA_R(BF16, 128, 64, float, FLOATS, "k16.f32.bf16.bf16", 64, 65, 66, 67, 68, ", 1, 1, 1, 0")
MMA_R(BF16, 256, 128, float, FLOATS, "k16.f32.bf16.bf16", 128, 129, 130, 131, 132, ", 1, 1, 1, 0")
MMA(E4M3, 8, 4, float, FLOATS, "k32.f32.e4m3.e4m3", 4, 5, ", 1, 1, 1")
MMA(E4M3, 16, 8, float, FLOATS, "k32.f32.e4m3.e4m3", 8, 9, ", 1, 1, 1")
MMA(E4M3, 32, 16, float, FLOATS, "k32.f32.e4m3.e4m3", 16, 17, ", 1, 1, 1")
MMA(E4M3, 64, 32, float, FLOATS, "k32.f32.e4m3.e4m3", 32, 33, ", 1, 1, 1")
MMA(E4M3, 96, 48, float, FLOATS, "k32.f32.e4m3.e4m3", 48, 49, ", 1, 1, 1")
MMA(E4M3, 128, 64, float, FLOATS, "k32.f32.e4m3.e4m3", 64, 65, ", 1, 1, 1")
MMA(E4M3, 160, 80, float, FLOATS, "k32.f32.e4m3.e4m3", 80, 81, ", 1, 1, 1")
MMA(E4M3, 192, 96, float, FLOATS, "k32.f32.e4m3.e4m3", 96, 97, ", 1, 1, 1")
MMA(E4M3, 224, 112, float, FLOATS, "k32.f32.e4m3.e4m3", 112, 113, ", 1, 1, 1")
MMA(E4M3, 256, 128, float, FLOATS, "k32.f32.e4m3.e4m3", 128, 129, ", 1, 1, 1")
MMA_R(E4M3, 64, 32, float, FLOATS, "k32.f32.e4m3.e4m3", 32, 33, 34, 35, 36, ", 1, 1, 1")
MMA_R(E4M3, 128, 64, float, FLOATS, "k32.f32.e4m3.e4m3", 64, 65, 66, 67, 68, ", 1, 1, 1")
MMA_R(E4M3, 256, 128, float, FLOATS, "k32.f32.e4m3.e4m3", 128, 129, 130, 131, 132, ", 1, 1, 1")
MMA(S8, 8, 4, int, INTS, "k32.s32.s8.s8", 4, 5, ", 1")
MMA(S8, 16, 8, int, INTS, "k32.s32.s8.s8", 8, 9, ", 1")
MMA(S8, 32, 16, int, INTS, "k32.s32.s8.s8", 16, 17, ", 1")
MMA(S8, 64, 32, int, INTS, "k32.s32.s8.s8", 32, 33, ", 1")
MMA(S8, 96, 48, int, INTS, "k32.s32.s8.s8", 48, 49, ", 1")
MMA(S8, 128, 64, int, INTS, "k32.s32.s8.s8", 64, 65, ", 1")
MMA(S8, 160, 80, int, INTS, "k32.s32.s8.s8", 80, 81, ", 1")
MMA(S8, 192, 96, int, INTS, "k32.s32.s8.s8", 96, 97, ", 1")
MMA(S8, 224, 112, int, INTS, "k32.s32.s8.s8", 112, 113, ", 1")
MMA(S8, 256, 128, int, INTS, "k32.s32.s8.s8", 128, 129, ", 1")
MMA(TF32, 8, 4, float, FLOATS, "k8.f32.tf32.tf32", 4, 5, ", 1, 1, 1")
MMA(TF32, 16, 8, float, FLOATS, "k8.f32.tf32.tf32", 8, 9, ", 1, 1, 1")
MMA(TF32, 32, 16, float, FLOATS, "k8.f32.tf32.tf32", 16, 17, ", 1, 1, 1")
MMA(TF32, 64, 32, float, FLOATS, "k8.f32.tf32.tf32", 32, 33, ", 1, 1, 1")
MMA(TF32, 96, 48, float, FLOATS, "k8.f32.tf32.tf32", 48, 49, ", 1, 1, 1")
MMA(TF32, 128, 64, float, FLOATS, "k8.f32.tf32.tf32", 64, 65, ", 1, 1, 1")
MMA(TF32, 160, 80, float, FLOATS, "k8.f32.tf32.tf32", 80, 81, ", 1, 1, 1")
MMA(TF32, 192, 96, float, FLOATS, "k8.f32.tf32.tf32", 96, 97, ", 1, 1, 1")
MMA(TF32, 224, 112, float, FLOATS, "k8.f32.tf32.tf32", 112, 113, ", 1, 1, 1")
MMA(TF32, 256, 128, float, FLOATS, "k8.f32.tf32.tf32", 128, 129, ", 1, 1, 1")
// clang-format on
