// What a CUDA source says of its kernels: the block of a launch, and names of parameters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockOfSource, withParameterNames } from '../../src/input/cuda-source.ts';

const KERNEL = `
// sum<<<1, 999>>> in a comment
template <int STAGES>
__global__ void __launch_bounds__(256) sum(const float* __restrict__ in, dim3 shape, int tiles = 4) {
  int lane = threadIdx.x % 32;
}
`;

/** The block of the kernel in a source with this text in its host code. */
function blockOf(host: string, defined: ReadonlySet<string> = new Set()) {
  return blockOfSource(`${KERNEL}${host}`, '_Z3sumILi4EEvPKf4dim3i', defined)?.value ?? null;
}

test('a block of constants that are declared once', () => {
  const known: [string, readonly number[]][] = [
    ['void run() { sum<4><<<8, 128>>>(a, b, 1); }', [128, 1, 1]],
    ['constexpr int N = 4; void run() { sum<N><<<g, N * 32 + 0x20>>>(a, b, 1); }', [160, 1, 1]],
    ['constexpr int N = 96, S = 2;\nvoid run() { sum<S><<<g, N>>>(a); }', [96, 1, 1]],
    [
      '#include <x>\nstatic const int A = 2, N = A * 32;\nvoid f() { sum<A><<<1, N>>>(); }',
      [64, 1, 1],
    ],
    ['#define WARPS (3 + 1)\nvoid run() { sum<4><<<g, WARPS * 32, 0, s>>>(a); }', [128, 1, 1]],
    ['void run() { dim3 block(32, 4); sum<4><<<dim3(1, 2), block>>>(a); }', [32, 4, 1]],
    ['void run() { const dim3 b = dim3{8, 8, 2}; sum<4><<<1, b>>>(a); }', [8, 8, 2]],
    ['void run() { sum<4><<<1, 64>>>(a); sum<2><<<9, 1 << 6>>>(a); }', [64, 1, 1]],
    ['int f(int b) { return b * 2; }\nvoid run() { sum<4><<<1, (96)>>>(a); }', [96, 1, 1]],
  ];
  for (const [host, expected] of known) assert.deepEqual(blockOf(host), expected, host);
  assert.equal(blockOfSource(`${KERNEL}\nvoid f() {\n sum<<<1, 32>>>(); }`, 'sum')?.line, 9);
});

test('no block where the text leaves a doubt', () => {
  const unknown = [
    'void run(int t) { sum<4><<<1, t>>>(a); }',
    'void run(int t = 64) { sum<4><<<1, t>>>(a); }',
    'void run() { int t = 64; if (big) t = 128; sum<4><<<1, t>>>(a); }',
    'void run() { for (int t = 32; t <= 64; t *= 2) sum<4><<<1, t>>>(a); }',
    'void run() { dim3 b(32); b.y = 4; sum<4><<<1, b>>>(a); }',
    'void run() { f(a, t = 64); sum<4><<<1, t>>>(a); }',
    'void run() { float t = 64; sum<4><<<1, t>>>(a); }',
    'void run() { int t = 64; read(&t); sum<4><<<1, t>>>(a); }',
    'void run() { int t = 64; sum<4><<<1, t>>>(a); }\nvoid other() { int t = 32; }',
    'void run() { sum<4><<<1, 64>>>(a); sum<4><<<1, 128>>>(a); }',
    'void run() { sum<4><<<1, Traits::threads>>>(a); }',
    'void run() { sum<4><<<1, sizeof(x)>>>(a); }',
    '#ifdef X\n#define T 32\n#else\n#define T 64\n#endif\nvoid run() { sum<4><<<1, T>>>(a); }',
    'void run() { other<<<1, 64>>>(a); }',
  ];
  for (const host of unknown) assert.equal(blockOf(host), null, host);
  const defined = '#define T 32\nvoid run() { sum<4><<<1, T>>>(a); }';
  assert.deepEqual(blockOf(defined), [32, 1, 1]);
  assert.equal(blockOf(defined, new Set(['T'])), null);
});

test('parameters have the names of the source, where all have one', () => {
  const ptx = 'ld.param.u32 %r1, [_Z3sumILi4EEvPKf4dim3i_param_2]; // and _Z5otherv_param_0';
  const named = 'ld.param.u32 %r1, [_Z3sumILi4EEvPKf4dim3i_tiles]; // and _Z5otherv_param_0';
  assert.equal(withParameterNames(ptx, KERNEL), named);
  assert.equal(withParameterNames('k_param_1', '__global__ void k(int, int n);'), 'k_param_1');
  assert.equal(withParameterNames('k_param_0', 'void k(int n); k(3);'), 'k_param_0');
});
