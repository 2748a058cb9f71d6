// The time of products of a warpgroup: with few columns, shared memory delivers A too slowly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ptxKernel } from 'poundlock/ptx';
import { costsOf, MODELS, simulate, timedProgram } from '#src/simulate/index';
import { kernelText } from '../../../ptx/test/kernel-text.ts';

const COSTS = costsOf(MODELS.h200);
const A_IN_REGISTERS = '{%r0, %r0, %r0, %r0}';
const FEW = 64;
const MANY = 164;

function products(
  columns: number,
  a: string,
  count: number,
  isOfRoles: boolean,
  { before = '', after = '' } = {},
) {
  const registers = Array.from({ length: columns / 2 }, (_, index) => `%f${index}`).join(', ');
  const transposes = a === '%d0' ? '0, 0' : '0';
  const product =
    `wgmma.mma_async.sync.aligned.m64n${columns}k16.f32.f16.f16 {${registers}}, ${a}, %d1, ` +
    `1, 1, 1, ${transposes};\n`;
  const body = `mov.u64 %d0, 0x4000004000010000;
mov.u64 %d1, 0x4000004000010400;
mov.u32 %r0, 0;
mov.u32 %r1, %tid.x;
setp.eq.u32 %p0, %r1, 0;
${isOfRoles ? '@%p0 mbarrier.init.shared::cta.b64 [0], 1;' : ''}
${before}
wgmma.fence.sync.aligned;
${product.repeat(count)}wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
${after}
bar.sync 0;
ret;`;
  const declared = `.reg .f32 %f<${columns / 2}>; .reg .u32 %r<2>;
.reg .u64 %d<2>; .reg .pred %p<1>;`;
  const launch = { grid: [1], block: [128], params: [], dynamicSharedMemory: 65_536 };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(declared, body) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}

/** Cycles of one more product. */
function cyclesOf(columns: number, a: string, isOfRoles: boolean): number {
  const took = (count: number): number => {
    const kernel = products(columns, a, count, isOfRoles);
    return simulate(kernel, { model: MODELS.h200, maxSpans: 0 }).totalCycles;
  };
  return (took(MANY) - took(FEW)) / (MANY - FEW);
}

const near = (cycles: number, expected: number): void =>
  assert.ok(Math.abs(cycles / expected - 1) < 0.015, `${cycles} and not ${expected}`);

test('a product of few columns takes as long as A and B take to come from shared memory', () => {
  for (const isOfRoles of [false, true]) {
    const overhead = isOfRoles ? COSTS.mmaOverheadCycles : 0;
    near(cyclesOf(16, '%d0', isOfRoles), 20);
    near(cyclesOf(32, '%d0', isOfRoles), 24);
    near(cyclesOf(128, '%d0', isOfRoles), 64 + overhead);
    near(cyclesOf(32, A_IN_REGISTERS, isOfRoles), 16 + overhead);
  }
});

test('a warp that copies and multiplies computes integers ahead, others in their order', () => {
  const LENGTH = 100;
  const took = (texts: { before?: string; after?: string }): number => {
    const kernel = products(64, '%d0', 1, true, texts);
    return simulate(kernel, { model: MODELS.h200, maxSpans: 0 }).totalCycles;
  };
  const copy = `mov.u32 %r0, 1; setp.eq.u32 %p0, %r0, 0;
@%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [0], [16], 16, [0];\n`;
  const chain = 'add.u32 %r1, %r1, 1;\n'.repeat(LENGTH);
  const floats = 'add.f32 %f1, %f1, %f1;\n'.repeat(LENGTH);
  const inOrder = (LENGTH - 1) * COSTS.aluCycles;
  const [none, copying] = [took({}), took({ before: copy })];
  assert.ok(took({ before: copy + chain }) - copying >= inOrder);
  assert.ok(took({ after: chain }) - none >= inOrder);
  const behind = (after: string): number => took({ before: copy, after }) - copying;
  const ahead = behind(chain);
  assert.ok(ahead >= LENGTH && ahead < 1.1 * LENGTH, `${ahead}`);
  assert.ok(behind(floats) >= inOrder);
  assert.ok(behind(`${chain}setp.eq.u32 %p0, %r1, 7;\n@%p0 bra END;\nEND:`) >= inOrder);
});

test('tensor cores that wait for shared memory take less power', () => {
  const shareOf = (columns: number): number | undefined => {
    const { kernel, params } = timedProgram(products(columns, '%d0', MANY, true), MODELS.h200);
    return kernel.timing?.(params)?.work.multiplyingShare;
  };
  assert.equal(shareOf(64), 1);
  assert.equal(shareOf(16), 8 / 20);
});
