// Lanes that store different values into one place by one instruction: which of them is the last is
// not determined, so what lies there decides nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .b32 %r<8>; .reg .b64 %rd<2>; .reg .pred %p<4>;
.shared .align 16 .b8 tile[256]; .shared .align 4 .b32 word;`;
const BEGIN = `mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; mov.u32 %r2, %ctaid.x;
setp.lt.u32 %p0, %r0, 32; mov.u32 %r7, tile; shl.b32 %r6, %r1, 2; add.u32 %r6, %r7, %r6;`;

/** Threads of the first warp wait for the second one where a word holds something else. */
const waitUnless = (value: string, at = 'word'): string => `bar.sync 0; ld.shared.u32 %r3, [${at}];
setp.eq.u32 %p1, %r3, ${value}; @%p1 bra END; @%p0 bar.sync 1, 64; END: ret;`;

async function verdictOf(body: string): Promise<string> {
  const launch = { grid: [3, 1, 1], block: [64, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(DECLARED, `${BEGIN} ${body}`) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  return (await check(kernel)).verdict;
}

const OPEN: Readonly<Record<string, string>> = {
  'its number': `@%p0 st.shared.u32 [word], %r1; ${waitUnless('31')}`,
  'its number, volatile': `@%p0 st.volatile.shared.u32 [word], %r1; ${waitUnless('31')}`,
  'its number, by a generic address': `mov.u64 %rd0, word; cvta.shared.u64 %rd0, %rd0;
    @%p0 st.u32 [%rd0], %r1; ${waitUnless('31')}`,
  'pairs that two lanes store': `and.b32 %r6, %r6, -8;
    @%p0 st.shared.v2.u32 [%r6], {%r1, %r1}; ${waitUnless('1', 'tile+4')}`,
  'another number in each block': `mul.lo.u32 %r4, %r1, %r2; mul.lo.u32 %r5, %r2, 31;
    @%p0 st.shared.u32 [word], %r4; ${waitUnless('%r5')}`,
  'rows of a matrix in one place': `@!%p0 bra M;
    stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r7], {%r1}; M: ${waitUnless('28', 'tile')}`,
};
for (const [name, body] of Object.entries(OPEN))
  test(`each lane stores ${name}: what lies there is not known`, async () => {
    assert.notEqual(await verdictOf(body), 'certified');
  });

const KNOWN: Readonly<Record<string, string>> = {
  'one number': `mov.u32 %r4, 5; @%p0 st.shared.u32 [word], %r4; ${waitUnless('5')}`,
  'the number of the block': `@%p0 st.shared.u32 [word], %r2; ${waitUnless('%r2')}`,
  'its number in its place': `@%p0 st.shared.u32 [%r6], %r1; ${waitUnless('31', 'tile+124')}`,
};
for (const [name, body] of Object.entries(KNOWN))
  test(`each lane stores ${name}: certified`, async () => {
    assert.equal(await verdictOf(body), 'certified');
  });
