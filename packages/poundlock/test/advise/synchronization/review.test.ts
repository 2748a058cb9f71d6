// What can be deleted of a kernel: against all sets of deletions, and case by case.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { reviewSynchronization } from '#src/advise/synchronization/review';
import { kernelText } from '../../../../ptx/test/kernel-text.ts';
import { mostDeletable, optionsOf, ptxOf, races, type Part } from './kernels.ts';

const PART: fc.Arbitrary<Part> = fc.oneof(
  fc.constant<Part>({ kind: 'barrier' }),
  fc.record({
    kind: fc.constantFrom<'store' | 'load'>('store', 'load'),
    slot: fc.integer({ min: 0, max: 2 }),
    shift: fc.integer({ min: 0, max: 1 }),
  }),
);

async function verdictsOf(text: string, fields: Readonly<Record<string, unknown>> = {}) {
  const { instructions } = await reviewSynchronization(optionsOf(text, fields), {});
  return instructions.map(({ verdict, opcode }) => `${opcode} ${verdict}`);
}

test('claims agree with a search of all sets of deletions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(PART, { minLength: 2, maxLength: 8 }), async (parts) => {
      fc.pre(!races(parts));
      const { instructions } = await reviewSynchronization(optionsOf(ptxOf(parts)), {
        isExplained: false,
      });
      const barriers = parts.flatMap(({ kind }, index) => (kind === 'barrier' ? [index] : []));
      const free = instructions.flatMap(({ verdict }, index) =>
        verdict === 'unnecessary' ? [barriers[index]!] : [],
      );
      const rest = parts.filter((_, index) => !free.includes(index));
      assert.ok(!races(rest), 'the set can be deleted together');
      for (const [index, { verdict }] of instructions.entries()) {
        const without = parts.filter((_, at) => at !== barriers[index]);
        const isFree = verdict === 'unnecessary' || verdict === 'alternative';
        assert.equal(isFree, !races(without), `barrier ${index} alone: ${verdict}`);
        const isFreeToo = free.includes(barriers[index]!);
        const more = parts.filter((_, at) => !free.includes(at) && at !== barriers[index]);
        assert.ok(isFreeToo || races(more), `barrier ${index} can be deleted, too`);
      }
      assert.ok(free.length <= mostDeletable(parts));
    }),
    { numRuns: 40 },
  );
});

test('one of two barriers in a row is an alternative to the other', async () => {
  const store: Part = { kind: 'store', slot: 0, shift: 0 };
  const load: Part = { kind: 'load', slot: 0, shift: 1 };
  const barrier: Part = { kind: 'barrier' };
  const { instructions } = await reviewSynchronization(
    optionsOf(ptxOf([store, { ...barrier }, { ...barrier }, load])),
    {},
  );
  assert.deepEqual(
    instructions.map(({ verdict, instead }) => ({ verdict, instead })),
    [
      { verdict: 'unnecessary', instead: [] },
      { verdict: 'alternative', instead: [0] },
    ],
  );
});

test('what breaks without a needed barrier has its rule', async () => {
  const parts: Part[] = [
    { kind: 'store', slot: 0, shift: 0 },
    { kind: 'barrier' },
    { kind: 'load', slot: 0, shift: 1 },
  ];
  const { instructions } = await reviewSynchronization(optionsOf(ptxOf(parts)), {});
  assert.equal(instructions[0]?.rule, 'race');
  assert.match(instructions[0].why ?? '', /warp/);
});

const GLOBAL = `.reg .b32 %r<9>; .reg .b64 %rd<9>;`;
const THREAD = `mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [data]; cvta.to.global.u64 %rd2, %rd1;
mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3; xor.b32 %r2, %r1, 32; mul.wide.u32 %rd5, %r2, 4;
add.s64 %rd6, %rd2, %rd5;`;
const POINTER = { params: [{ kind: 'pointer', bytes: 4096 }] };

test('threads that exchange global memory need the barrier between', async () => {
  const text = kernelText(
    GLOBAL,
    `${THREAD}\nst.global.u32 [%rd4], %r1;\nbar.sync 0;\nld.global.u32 %r3, [%rd6];\nbar.sync 0;\nret;`,
    '.param .u64 data',
  );
  assert.deepEqual(await verdictsOf(text, POINTER), ['bar.sync necessary', 'bar.sync unnecessary']);
});

test('an unknown address of the same buffer is not judged to be another one', async () => {
  const text = kernelText(
    GLOBAL,
    `${THREAD}\nst.global.u32 [%rd4], %r1;\nbar.sync 0;\nld.global.u32 %r3, [%rd4];
mul.wide.u32 %rd7, %r3, 4; add.s64 %rd8, %rd2, %rd7;\nld.global.u32 %r4, [%rd8];\nret;`,
    '.param .u64 data',
  );
  assert.deepEqual(await verdictsOf(text, POINTER), ['bar.sync undecided']);
});

test('a race at a known address is found beside an access of unknown address', async () => {
  const text = kernelText(
    GLOBAL,
    `${THREAD}\nld.param.u64 %rd7, [other];\nld.global.u32 %r3, [%rd7];\nmul.wide.u32 %rd7, %r3, 4;
add.s64 %rd8, %rd2, %rd7;\nst.global.u32 [%rd4], %r1;\nbar.sync 0;\nld.global.u32 %r4, [%rd8];
ld.global.u32 %r5, [%rd6];\nret;`,
    '.param .u64 data, .param .u64 other',
  );
  const params = [...POINTER.params, ...POINTER.params];
  assert.deepEqual(await verdictsOf(text, { params }), ['bar.sync necessary']);
});

test('a flag in global memory needs the barrier before it', async () => {
  const text = kernelText(
    GLOBAL,
    `${THREAD}\nst.global.u32 [%rd4], %r1;\nbar.sync 0;\nsetp.ne.u32 %p1, %r1, 0;
@%p1 bra end;\nst.release.gpu.global.u32 [%rd2+2048], 1;\nend: ret;`,
    '.param .u64 data',
  ).replace('.reg .b32', '.reg .pred %p<2>; .reg .b32');
  const [verdict] = await verdictsOf(text, POINTER);
  assert.notEqual(verdict, 'bar.sync unnecessary');
});

const LANES = `.reg .b32 %r<9>;\n.shared .align 8 .b8 words[256];`;
const LANE = `mov.u32 %r1, %tid.x; mov.u32 %r2, words; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3;
xor.b32 %r5, %r3, 4; add.u32 %r6, %r2, %r5;`;

test('lanes of one warp need a barrier of the warp, or of the block', async () => {
  for (const barrier of ['bar.warp.sync 0xffffffff', 'bar.sync 0']) {
    const opcode = barrier.split(' ')[0];
    const text = kernelText(
      LANES,
      `${LANE}\nst.shared.u32 [%r4], %r1;\n${barrier};\nld.shared.u32 %r7, [%r6];\n${barrier};\nret;`,
    );
    assert.deepEqual(await verdictsOf(text, { block: [32, 1, 1] }), [
      `${opcode} necessary`,
      `${opcode} unnecessary`,
    ]);
  }
});

test('atomics that return a value keep the barrier between them', async () => {
  const text = kernelText(
    LANES,
    `${LANE}\natom.shared.add.u32 %r7, [%r2], 1;\nbar.sync 0;\natom.shared.exch.b32 %r8, [%r2], %r7;\nret;`,
  );
  const [verdict] = await verdictsOf(text, { block: [64, 1, 1] });
  assert.notEqual(verdict, 'bar.sync unnecessary');
});

test('a wait for all groups may leave one open', async () => {
  const text = kernelText(
    `.reg .b32 %r<9>; .reg .b64 %rd<9>;\n.shared .align 16 .b8 words[2048];`,
    `mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [data]; mov.u32 %r2, words; shl.b32 %r3, %r1, 4;
add.u32 %r4, %r2, %r3;\ncp.async.cg.shared.global [%r4], [%rd1], 16;\ncp.async.commit_group;
cp.async.cg.shared.global [%r4+1024], [%rd1], 16;\ncp.async.commit_group;
cp.async.wait_group 0;\nld.shared.u32 %r5, [%r4];\ncp.async.wait_group 0;\nret;`,
    '.param .u64 data',
  );
  const { instructions } = await reviewSynchronization(
    optionsOf(text, { ...POINTER, block: [32, 1, 1] }),
    {},
  );
  assert.deepEqual(
    [instructions[0]?.verdict, instructions[0]?.change],
    ['weaker', 'wait for all but 1'],
  );
});
