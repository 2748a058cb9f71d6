// Retry loops of compare-and-swap: one exchange, whatever others do; what waits is no retry.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .pred %p<8>; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .b64 %rd<4>;
.shared .align 16 .b8 tile[256]; .shared .align 4 .b8 sum[4];`;
const BASES = `ld.param.u64 %rd0, [word]; ld.param.u64 %rd1, [out]; mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x; setp.eq.u32 %p0, %r0, 0; shl.b32 %r2, %r0, 2; mov.u32 %r3, tile;
add.u32 %r3, %r3, %r2; xor.b32 %r4, %r3, 128; mov.u32 %r5, sum; mov.b32 %f1, 0f3F800000;`;

async function resultOf(body: string, blocks: number) {
  const params = [
    { kind: 'pointer', bytes: 4 },
    { kind: 'pointer', bytes: 4096 },
  ];
  const text = kernelText(DECLARED, `${BASES} ${body} ret;`, '.param .u64 word, .param .u64 out');
  const launch = { grid: [blocks, 1, 1], block: [64, 1, 1], params };
  const kernel = ptxKernel({
    ptx: { file: 'k.ptx', text },
    launch: { file: 'l.json', text: JSON.stringify(launch) },
  });
  const { verdict, scope, findings } = await check(kernel);
  const assumed = scope.assumptions.map(({ name }) => name).join();
  return { verdict, assumed, rule: findings[0]?.rule };
}

const NEXT = 'mov.b32 %f2, %r6; add.f32 %f2, %f2, %f1; mov.b32 %r7, %f2;';
const AGAIN = 'setp.ne.s32 %p1, %r8, %r6; mov.u32 %r6, %r8;';
const loop = (swap: string, { next = NEXT, again = AGAIN } = {}): string =>
  `L: ${next} ${swap} ${again} @%p1 bra L;`;

const SWAP = 'atom.global.cas.b32 %r8, [%rd0], %r6, %r7;';
const LOAD = 'ld.global.b32 %r6, [%rd0];';
const SHARE = 'st.shared.u32 [%r3], %r0; bar.sync 0; ld.shared.u32 %r9, [%r4];';
const RIGHT = {
  'the sum of the programming guide': `${LOAD} ${loop(SWAP)}`,
  'a maximum that most leave as it is': `${LOAD} L: mov.b32 %f2, %r6; setp.le.f32 %p2, %f1, %f2;
    @%p2 bra E; mov.b32 %r7, %f1; ${SWAP} ${AGAIN} @%p1 bra L; E:`,
  'a first try before the loop': `${LOAD} ${NEXT} atom.global.cas.b32 %r10, [%rd0], %r6, %r7;
    setp.eq.s32 %p2, %r10, %r6; @%p2 bra E; L: mov.b32 %f2, %r10; add.f32 %f2, %f2, %f1;
    mov.b32 %r7, %f2; atom.global.cas.b32 %r8, [%rd0], %r10, %r7; setp.ne.s32 %p1, %r8, %r10;
    mov.u32 %r10, %r8; @%p1 bra L; E:`,
  'in a loop of its own': `mov.u32 %r11, 0; O: ${LOAD} ${loop(SWAP)} add.u32 %r11, %r11, 1;
    setp.lt.u32 %p3, %r11, 3; @%p3 bra O;`,
};

for (const [name, body] of Object.entries(RIGHT))
  for (const blocks of [1, 4, 5000])
    test(`${name}, ${blocks} blocks: certified`, async () => {
      const { verdict, assumed } = await resultOf(`${body} ${SHARE}`, blocks);
      assert.deepEqual([verdict, assumed], ['certified', 'H24']);
    });

test('what is expected at first is read in order: nothing is assumed', async () => {
  const strong = `ld.relaxed.gpu.global.b32 %r6, [%rd0]; ${loop(SWAP)} ${SHARE}`;
  assert.deepEqual(await resultOf(strong, 4), {
    verdict: 'certified',
    assumed: '',
    rule: undefined,
  });
});

const IN_SHARED = `@%p0 st.shared.u32 [%r5], %r0; bar.sync 0; ld.shared.b32 %r6, [%r5];
  ${loop('atom.shared.cas.b32 %r8, [%r5], %r6, %r7;')}`;
test('a word of shared memory', async () => {
  const { verdict } = await resultOf(`${IN_SHARED} bar.sync 0; ld.shared.b32 %r9, [%r5];`, 1);
  assert.equal(verdict, 'certified');
});

const WRONG = {
  'the sum is read too early': [`${IN_SHARED} ld.shared.b32 %r9, [%r5];`, 'race'],
  'the word is cleared meanwhile': [
    `@%p0 st.shared.u32 [%r5], %r0; ${IN_SHARED.slice(IN_SHARED.indexOf('ld.shared'))}`,
    'unjoined-lanes',
  ],
  'nothing orders other memory': [
    `${LOAD} ${loop(SWAP)} ${SHARE.replace('bar.sync 0;', '')}`,
    'race',
  ],
} as const;
for (const [name, [body, rule]] of Object.entries(WRONG))
  test(`${name}: ${rule}`, async () => {
    const result = await resultOf(body, 1);
    assert.deepEqual([result.verdict, result.rule], ['counterexample', rule]);
  });

const OPEN = {
  'what a lock expects stays the same': `mov.u32 %r6, 0; mov.u32 %r7, 1;
    L: ${SWAP} setp.ne.s32 %p1, %r8, 0; @%p1 bra L;`,
  'a bit of what it found is a lock': `${LOAD}
    ${loop(SWAP, { next: 'or.b32 %r7, %r6, 1;', again: 'and.b32 %r9, %r8, 1; setp.ne.s32 %p1, %r9, 0; mov.u32 %r6, %r8;' })}`,
  'it expects the old value again': `${LOAD} ${loop(SWAP, { again: 'setp.ne.s32 %p1, %r8, %r6;' })}`,
  'how often it failed decides': `${LOAD} mov.u32 %r11, 0;
    ${loop(SWAP, { next: `${NEXT} add.u32 %r11, %r11, 1;` })}
    setp.gt.u32 %p3, %r11, 1; @%p3 bra E; bar.sync 0; E:`,
  'it draws a number, which is a place': `${LOAD} ${loop(SWAP, { next: 'add.u32 %r7, %r6, 1;' })}
    mul.wide.u32 %rd2, %r8, 4; add.u64 %rd2, %rd1, %rd2; st.global.u32 [%rd2], %r0;`,
  'a semaphore, which is read again while it is zero': `${LOAD}
    L: setp.eq.s32 %p2, %r6, 0; @%p2 bra AGAIN; sub.u32 %r7, %r6, 1; ${SWAP} ${AGAIN} @%p1 bra L;
    bra E; AGAIN: ${LOAD} bra L; E:`,
  'it waits until the word holds something': `O: ld.relaxed.gpu.global.b32 %r6, [%rd0];
    setp.eq.s32 %p2, %r6, 0; @%p2 bra O; ${loop(SWAP, { next: 'sub.u32 %r7, %r6, 1;' })}`,
  'it begins anew where the word was zero': `O: ${LOAD} L: setp.eq.s32 %p2, %r6, 0; @%p2 bra M;
    sub.u32 %r7, %r6, 1; ${SWAP} ${AGAIN} @%p1 bra L; M: setp.eq.s32 %p3, %r6, 0; @%p3 bra O;`,
  'it begins anew where it found zero': `O: ${LOAD}
    ${loop(SWAP, { next: 'min.u32 %r7, %r6, 5;' })} setp.eq.s32 %p3, %r8, 0; @%p3 bra O;`,
  'it stores on the way': `${LOAD} ${loop(SWAP, { next: `${NEXT} st.global.u32 [%rd1], %r7;` })}`,
};
for (const [name, body] of Object.entries(OPEN))
  test(`${name}: not certified`, async () => {
    for (const blocks of [4, 5000])
      assert.notEqual((await resultOf(`${body} ${SHARE}`, blocks)).verdict, 'certified');
  });
