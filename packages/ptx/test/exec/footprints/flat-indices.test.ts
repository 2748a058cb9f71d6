// Threads of a grid that take their place among several dimensions from one number: blocks whose
// lanes have one quotient each are compared by how it moves, and not one by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARED = '.reg .b32 %r<24>; .reg .b64 %rd<12>; .reg .pred %p<8>;';
/** `%r3` is the number of the thread in the grid. */
const HEAD = `ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;`;
const STORE = `mul.wide.u32 %rd1, %r9, 4; add.u64 %rd2, %rd0, %rd1; st.global.u32 [%rd2], %r3;`;

/** Its row, column and image of `width` by 512, and its word where rows are `pitch` wide. */
const PLACED = (width: number, pitch: number): string => `div.u32 %r4, %r3, ${width};
rem.u32 %r5, %r3, ${width}; and.b32 %r6, %r4, 511; shr.u32 %r7, %r4, 9;
mad.lo.u32 %r8, %r7, 512, %r6; mad.lo.u32 %r9, %r8, ${pitch}, %r5; ${STORE}`;

async function verdictOf(body: string, blocks: number, threads: number): Promise<string> {
  const text = kernelText(DECLARED, `${HEAD} ${body} ret;`, '.param .u64 out');
  const launch = { grid: [blocks, 1, 1], block: [threads, 1, 1], params: [{ kind: 'pointer' }] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, reason } = await check(kernel);
  return `${verdict} ${findings[0]?.rule ?? reason ?? ''}`.trim();
}

test('rows that are as wide as blocks reach are apart', async () => {
  for (const [width, threads] of [
    [1024, 64],
    [192, 64],
    [64, 128],
  ] as const) {
    assert.equal(await verdictOf(PLACED(width, width), 20_000, threads), 'certified', `${width}`);
    assert.equal(await verdictOf(PLACED(width, width + 8), 20_000, threads), 'certified');
  }
});

test('rows that overlap are a race', async () => {
  for (const width of [1024, 192])
    assert.equal(
      await verdictOf(PLACED(width, width - 8), 20_000, 64),
      'counterexample race',
      `${width}`,
    );
});

test('a row that ends within a block is compared there', async () => {
  assert.equal(await verdictOf(PLACED(200, 200), 3000, 64), 'certified');
  assert.equal(await verdictOf(PLACED(200, 199), 3000, 64), 'counterexample race');
});

test('a number of a block that is negative moves addresses as such', async () => {
  // Blocks 0, 3, 6 … store before the others: at -64, 0 and 64 words.
  const place = (unit: number): string => `rem.u32 %r4, %r1, 3; sub.u32 %r4, %r4, 1;
    div.u32 %r5, %r1, 3; mad.lo.s32 %r6, %r5, 3, %r4; mad.lo.s32 %r9, %r6, ${unit}, %r0;
    mul.wide.s32 %rd1, %r9, 4; add.s64 %rd2, %rd0, %rd1; st.global.u32 [%rd2+4096], %r3;`;
  assert.equal(await verdictOf(place(64), 300, 64), 'certified');
  assert.equal(await verdictOf(place(63), 300, 64), 'counterexample race');
});

test('rows whose width no block has a part in are as far apart as their threads', async () => {
  // The word of a thread is its number, found from its row, which may end within any block.
  const place = (width: number): string => `div.s32 %r4, %r3, 50257; mul.lo.s32 %r5, %r4, 50257;
    sub.s32 %r6, %r3, %r5; mad.lo.s32 %r9, %r4, ${width}, %r6; ${STORE}`;
  assert.equal(await verdictOf(place(50_257), 2_000_000, 64), 'certified');
  assert.equal(await verdictOf(place(50_193), 2000, 64), 'counterexample race');
});
