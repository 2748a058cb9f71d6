// Launches that CUDA refuses are refused, with the field and what is right.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '@poundlock/core/internal/base';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const PARAMETERS = '.param .u64 from, .param .u32 n, .param .align 8 .b8 work[24]';
const STRUCT = {
  kind: 'struct',
  fields: [
    { offset: 0, kind: 'pointer' },
    { offset: 16, kind: 'scalar', type: 'i32', name: 'rounds', value: 4 },
  ],
};
const LAUNCH = {
  grid: [2],
  block: [64],
  params: [{ kind: 'pointer' }, { kind: 'scalar', type: 'i32', value: 3 }, STRUCT],
};

function textWith(directives: string): string {
  const body = '.shared .align 8 .b8 tile[1024]; mov.u32 %r0, tile; bar.sync 0; ret;';
  const text = kernelText(`.reg .b32 %r<2>;`, body, PARAMETERS);
  return text.replace(/\)\s*\{/, (end) => `${end.slice(0, 1)} ${directives} ${end.slice(1)}`);
}

/** What is said of a launch; empty where it is taken. */
function refusal(changes: object, directives = ''): string {
  const launch = { ...LAUNCH, ...changes };
  try {
    ptxKernel({
      ptx: { file: 'kernel.ptx', text: textWith(directives) },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
    });
    return '';
  } catch (error) {
    assert(error instanceof InputError, String(error));
    return error.message;
  }
}

test('a launch that CUDA takes is taken', () => {
  assert.equal(refusal({}), '');
  assert.equal(refusal({ block: [32] }, '.maxntid 64'), '');
  assert.equal(refusal({ '//': 'a comment', 'x-own': 1 }), '');
  assert.equal(refusal({ grid: [16], cluster: [16], nonPortableCluster: true }), '');
});

test('sizes that contradict the text, or exceed the GPU, are refused', () => {
  const cases: readonly (readonly [object, RegExp, string?])[] = [
    [{}, /'block' is 64, and the kernel has \.reqntid 32, 1, 1 \(kernel\.ptx:/, '.reqntid 32'],
    [{ block: [8, 8] }, /'block' is 8 x 8, and the kernel has \.reqntid/, '.reqntid 64'],
    [{ block: [128] }, /\.maxntid 64, 1, 1: at most 64 threads/, '.maxntid 64'],
    [{ block: [1, 1, 128] }, /'block' has 128 threads in z: at most 64/],
    [{ grid: [1, 70_000] }, /'grid' has 70,000 blocks in y: at most 65,535/],
    [
      { cluster: [1] },
      /'cluster' is 1, and the kernel has \.reqnctapercluster 2/,
      '.reqnctapercluster 2',
    ],
    [{ grid: [16], cluster: [16] }, /more than 8 need "nonPortableCluster": true/],
    [{ dynamicSharedMemory: 232_448 }, /232,448: with 1,024 bytes .* over the 232,448 of sm_90a/],
  ];
  for (const [changes, message, directives] of cases)
    assert.match(refusal(changes, directives), message);
});

test('parameters of another kind or size are refused', () => {
  const [pointer, scalar, struct] = LAUNCH.params;
  const cases: readonly (readonly [readonly unknown[], RegExp])[] = [
    [[scalar, scalar, struct], /is i32, and the parameter has 8 bytes \(u64\)/],
    [[pointer, pointer, struct], /is a pointer, and the parameter has 4 bytes \(u32\)/],
    [[pointer, { ...scalar, type: 'i64' }, struct], /is i64, and the parameter has 4 bytes/],
    [[pointer, scalar, pointer], /is a pointer, and the parameter has 24 bytes/],
    [[pointer, struct, struct], /is a struct, and the parameter a number \(u32\)/],
    [[pointer, scalar], /has 2 entries, the kernel has 3 parameters: from \(u64, 8 bytes\), n/],
    [
      [pointer, scalar, { kind: 'struct', fields: [{ offset: 20, kind: 'pointer' }] }],
      /ends at 28, and the parameter has 24 bytes/,
    ],
  ];
  for (const [params, message] of cases) assert.match(refusal({ params }), message);
});
