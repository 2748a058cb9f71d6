// `ldmatrix` and `stmatrix`: which lane holds which part of a row, and stores of equal matrices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS =
  '.reg .b32 %r<16>; .reg .pred %p<4>; .shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 never;';

async function verdictOf(warps: number, body: string): Promise<string> {
  const launch = { grid: [1, 1, 1], block: [32 * warps, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(DECLARATIONS, `${body}\nret;`) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return verdict === 'counterexample' ? findings[0]!.rule : verdict;
}

/** Fills one matrix so that each element of 16 bits is its own index; %r1 is the lane's row. */
const FILL = `mov.u32 %r0, %tid.x; and.b32 %r2, %r0, 7; shl.b32 %r2, %r2, 4; mov.u32 %r3, tile;
add.u32 %r1, %r3, %r2; setp.ne.u32 %p0, %r0, 0;
@!%p0 mbarrier.init.shared::cta.b64 [never], 1; bar.sync 0;
shl.b32 %r4, %r0, 2; add.u32 %r4, %r4, %r3; mad.lo.u32 %r5, %r0, 131074, 65536;
st.shared.u32 [%r4], %r5; bar.warp.sync -1;`;

/** Waits forever where two registers differ. */
const EQUAL = (one: string, other: string): string => `setp.eq.u32 %p1, ${one}, ${other};
@%p1 bra SAME; W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [never], 0; @!%p2 bra W; SAME:`;

test('each lane gets its part of the rows of a matrix', async () => {
  const plain = 'ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r1];';
  assert.equal(await verdictOf(1, [FILL, plain, EQUAL('%r6', '%r5')].join('\n')), 'certified');
  const other = 'add.u32 %r5, %r5, 1;';
  assert.equal(
    await verdictOf(1, [FILL, plain, other, EQUAL('%r6', '%r5')].join('\n')),
    'deadlock',
  );
});

/** Of a transposed matrix, lane L has elements (2 (L mod 4), L / 4) and the one of the next row. */
const TRANSPOSED = `and.b32 %r7, %r0, 3; shr.u32 %r8, %r0, 2; shl.b32 %r7, %r7, 4;
add.u32 %r7, %r7, %r8; mad.lo.u32 %r5, %r7, 65537, 524288;`;

test('each lane gets its part of the columns of a transposed matrix', async () => {
  const load = 'ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r6}, [%r1];';
  const body = [FILL, load, TRANSPOSED, EQUAL('%r6', '%r5')].join('\n');
  assert.equal(await verdictOf(1, body), 'certified');
});

test('what is stored as a matrix is what was loaded, transposed or not', async () => {
  for (const form of ['x1', 'x1.trans']) {
    const load = `ldmatrix.sync.aligned.m8n8.${form}.shared.b16 {%r6}, [%r1];`;
    const store = `stmatrix.sync.aligned.m8n8.${form}.shared.b16 [%r9], {%r6};`;
    const move = 'add.u32 %r9, %r1, 512; add.u32 %r10, %r4, 512;';
    const read = 'bar.warp.sync -1; ld.shared.u32 %r11, [%r10];';
    const body = [FILL, load, move, store, read, EQUAL('%r11', '%r5')].join('\n');
    assert.equal(await verdictOf(1, body), 'certified', form);
  }
});

test('two warps may store one matrix of unknown data, and no two different ones', async () => {
  const form = fc.constantFrom('', '.trans');
  const change = fc.constantFrom('', 'add.u32 %r6, %r6, %r0;', 'not.b32 %r6, %r6;');
  const rows = fc.constantFrom('', 'xor.b32 %r9, %r9, 16;');
  await fc.assert(
    fc.asyncProperty(form, change, rows, async (trans, changed, swapped) => {
      const body = `mov.u32 %r0, %tid.x; and.b32 %r2, %r0, 7; shl.b32 %r2, %r2, 4;
mov.u32 %r3, tile; add.u32 %r1, %r3, %r2; setp.ge.u32 %p0, %r0, 32; and.b32 %r12, %r0, 31;
ldmatrix.sync.aligned.m8n8.x1${trans}.shared.b16 {%r6}, [%r1]; add.u32 %r9, %r1, 512;
@!%p0 bra FIRST; ${changed} ${swapped} FIRST:
stmatrix.sync.aligned.m8n8.x1${trans}.shared.b16 [%r9], {%r6};`;
      const isEqual = changed === '' && swapped === '';
      assert.equal(await verdictOf(2, body), isEqual ? 'certified' : 'race');
    }),
    { numRuns: 12 },
  );
});
