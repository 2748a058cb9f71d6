// Products of two warpgroups: equal operands give equal values, which both may store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<12>; .reg .b64 %rd<6>; .reg .f32 %f<5>; .reg .pred %p<2>;
.shared .align 1024 .b8 a[16384]; .shared .align 1024 .b8 b[4096]; .shared .align 16 .b8 c[8192];`;

/** What the second of two warpgroups does otherwise before its product or before its store. */
interface Change {
  readonly before: string;
  readonly after: string;
}

/** Two warpgroups multiply a with b, and store their parts of the result. */
function body({ before, after }: Change): string {
  const product = `{%f0, %f1, %f2, %f3}, %rd1, %rd2, 1, 1, 1, 0, 0;`;
  return `mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 128; and.b32 %r1, %r0, 127;
mov.u32 %r2, a; shr.u32 %r2, %r2, 4; mov.u32 %r3, b; shr.u32 %r3, %r3, 4; mov.u32 %r4, 0x40000040;
mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
@%p0 bra FIRST; ${before} FIRST:
mov.b64 %rd1, {%r2, %r4}; mov.b64 %rd2, {%r3, %r4};
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 ${product}
wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
mov.u32 %r5, c; shl.b32 %r6, %r1, 4; add.u32 %r5, %r5, %r6;
@%p0 bra NEXT; ${after} NEXT:
st.shared.v4.f32 [%r5], {%f0, %f1, %f2, %f3};`;
}

async function verdictOf(change: Change, isAdded = true): Promise<string> {
  const launch = { grid: [1, 1, 1], block: [256, 1, 1], params: [] };
  const text = body(change).replace('%rd2, 1, 1', isAdded ? '%rd2, 1, 1' : '%rd2, 0, 1');
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(DECLARATIONS, `${text}\nret;`) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return verdict === 'counterexample' ? findings[0]!.rule : verdict;
}

test('two warpgroups may store equal products, and no two different ones', async () => {
  assert.equal(await verdictOf({ before: '', after: '' }), 'certified');
  const before = fc.constantFrom(
    '',
    'add.u32 %r2, %r2, 512;',
    'add.u32 %r3, %r3, 64;',
    'mov.f32 %f2, 0f3F800000;',
    'mov.u32 %r4, 0x40000020;',
  );
  const after = fc.constantFrom('', 'xor.b32 %r5, %r5, 512;', 'add.f32 %f1, %f1, %f2;');
  await fc.assert(
    fc.asyncProperty(before, after, async (one, other) => {
      const isEqual = one === '' && other === '';
      assert.equal(await verdictOf({ before: one, after: other }), isEqual ? 'certified' : 'race');
    }),
    { numRuns: 15 },
  );
});

test('a product that is added to nothing does not depend on what was there', async () => {
  const change = { before: 'mov.f32 %f2, 0f3F800000;', after: '' };
  assert.equal(await verdictOf(change), 'race');
  assert.equal(await verdictOf(change, false), 'certified');
});

/** The largest of four lanes, which all four store to one word; `isWhole`: of all four. */
function largestOfFour(isWhole: boolean): string {
  const second = 'shfl.sync.bfly.b32 %f4, %f0, 1, 31, -1; max.f32 %f0, %f0, %f4;';
  const text = body({ before: '', after: '' }).replace(/st\.shared[^;]*;/, '');
  return `${text} shfl.sync.bfly.b32 %f4, %f0, 2, 31, -1; max.f32 %f0, %f0, %f4;
${isWhole ? second : ''} and.b32 %r6, %r1, 124; mov.u32 %r5, c; add.u32 %r5, %r5, %r6;
st.shared.f32 [%r5], %f0; ret;`;
}

test('lanes that exchange parts of a product have equal results, and may store them', async () => {
  const launch = { grid: [1, 1, 1], block: [256, 1, 1], params: [] };
  for (const isWhole of [true, false]) {
    const kernel = ptxKernel({
      ptx: { file: 'kernel.ptx', text: kernelText(DECLARATIONS, largestOfFour(isWhole)) },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
    });
    assert.equal((await check(kernel)).verdict, isWhole ? 'certified' : 'counterexample');
  }
});
