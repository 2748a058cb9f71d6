// Branches that unknown data decides for whole warps: every way is checked, or it is undecided.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const REGISTERS = '.reg .b32 %r<9>; .reg .b64 %rd<8>; .reg .pred %p<4>;';
const WORD = '.shared .align 4 .b8 word[256];';

async function verdictOf(body: string, declarations = WORD) {
  const begin =
    'ld.param.u64 %rd0, [p]; mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; ' +
    'mov.u32 %r7, word; shl.b32 %r8, %r1, 2; add.u32 %r7, %r7, %r8;';
  const text = kernelText(`${REGISTERS} ${declarations}`, `${begin} ${body} ret;`, '.param .u64 p');
  const launch = {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    params: [{ kind: 'pointer', bytes: 256 }],
  };
  return check(
    ptxKernel({
      ptx: { file: 'kernel.ptx', text },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
    }),
  );
}

/** Each warp reads what the other one wrote. */
const EXCHANGE = (barrier: string): string =>
  `st.shared.u32 [%r7], %r1; ${barrier} xor.b32 %r8, %r8, 128; mov.u32 %r6, word;
   add.u32 %r6, %r6, %r8; ld.shared.u32 %r5, [%r6]; xor.b32 %r8, %r8, 128;`;
/** It waits for all threads, those that have exited included. */
const BARRIER = 'bar.sync 0, 64;';

test('both ways of one word are checked, which is assumed to hold one value', async () => {
  const { verdict, scope, coverage } = await verdictOf(
    `ld.global.u32 %r0, [%rd0]; setp.eq.u32 %p0, %r0, 0; st.global.u32 [%rd0+64], 5;
     @%p0 bra END; ${EXCHANGE(BARRIER)} END:`,
  );
  assert.equal(verdict, 'certified');
  assert.equal(scope.assumptions.length, 1);
  assert.match(
    scope.assumptions[0]!.text,
    /does not change while the kernel runs: .*kernel\.ptx:\d+/,
  );
  assert.equal(coverage?.synchronizingReached, coverage?.synchronizing);
});

test('an error on one way is not proved, because no data may lead there', async () => {
  for (const isTaken of ['@%p0', '@!%p0']) {
    const { verdict, reason } = await verdictOf(
      `ld.global.u32 %r0, [%rd0]; setp.eq.u32 %p0, %r0, 0; ${isTaken} bra END;
       ${BARRIER} ${EXCHANGE('')} END:`,
    );
    assert.equal(verdict, 'inconclusive');
    assert.match(reason!, /can (read|write) word.*if data leads there.*kernel\.ptx:\d+:\d+/);
  }
});

test('two warps that compute one answer in different words have one question', async () => {
  const first = `mov.u32 %r3, 5; setp.lt.u32 %p1, %r0, 8; @%p1 bra A; shr.u32 %r3, %r0, 1;
    A: setp.gt.s32 %p0, %r3, 0; @%p0 bra MEET; bra END;`;
  const second = (least: number): string => `setp.ge.u32 %p1, %r0, 8; @%p1 bra B; mov.u32 %r3, 5;
    bra C; B: shr.u32 %r3, %r0, 1; C: setp.lt.s32 %p0, %r3, ${least}; @!%p0 bra MEET; bra END;`;
  const body = (least: number): string => `ld.global.u32 %r0, [%rd0]; setp.ne.u32 %p2, %r2, 0;
    @%p2 bra SECOND; ${first} SECOND: ${second(least)} MEET: ${EXCHANGE(BARRIER)} END:`;
  assert.equal((await verdictOf(body(1))).verdict, 'certified');
  assert.equal((await verdictOf(body(2))).verdict, 'inconclusive');
});

test('warps with words of their own may go different ways', async () => {
  const own = 'mul.wide.u32 %rd1, %r2, 4; add.s64 %rd0, %rd0, %rd1; ld.global.u32 %r0, [%rd0];';
  const body = (inner: string): string =>
    `${own} setp.eq.u32 %p0, %r0, 0; @%p0 bra END; ${inner} END:`;
  const deadlock = await verdictOf(body(BARRIER));
  assert.equal(deadlock.verdict, 'inconclusive');
  const alone = await verdictOf(body('bar.sync %r2, 32;'));
  assert.equal(alone.verdict, 'certified');
});

test('the vote of all threads is one answer for all warps', async () => {
  const lanes =
    'mul.wide.u32 %rd1, %r1, 4; add.s64 %rd0, %rd0, %rd1; ld.global.u32 %r0, [%rd0]; setp.eq.u32 %p0, %r0, 0;';
  const { verdict } = await verdictOf(
    `${lanes} bar.red.or.pred %p1, 0, %p0; @%p1 bra END; ${BARRIER} END:`,
  );
  assert.equal(verdict, 'certified');
});

const LOOP = (round: string): string =>
  `ld.global.u32 %r0, [%rd0]; mov.u32 %r3, 0; setp.lt.s32 %p0, %r0, 1; @%p0 bra END;
   LOOP: ${round} add.u32 %r3, %r3, 1; setp.lt.s32 %p1, %r3, %r0; @%p1 bra LOOP; END:`;

test('a loop whose rounds words of the warps decide has more ways than can be tried', async () => {
  const own = 'mul.wide.u32 %rd1, %r2, 4; add.s64 %rd0, %rd0, %rd1;';
  const { verdict, reason } = await verdictOf(`${own} ${LOOP('bar.sync %r2, 32;')}`);
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /may lead it on more than the \d+ ways that were tried.*kernel\.ptx:\d+/);
});

test('what only a second round shows is found', async () => {
  const { verdict, reason } = await verdictOf(LOOP(EXCHANGE(BARRIER)));
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /can (read|write) word/);
});

test('a copy that one thread issues where a word says so', async () => {
  const { verdict } = await verdictOf(
    `ld.global.u32 %r0, [%rd0]; setp.ne.u32 %p0, %r0, 0; setp.eq.u32 %p1, %r1, 0; and.pred %p2, %p0, %p1;
     mov.u32 %r4, full; @%p1 mbarrier.init.shared.b64 [full], 1; ${BARRIER}
     @%p2 mbarrier.arrive.shared.b64 _, [full]; @!%p0 bra END;
     WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [full], 0; @!%p3 bra WAIT; END:`,
    `${WORD} .shared .align 8 .b64 full;`,
  );
  assert.equal(verdict, 'certified');
});
