// Waits that give up after some time or some tries may do so at any try that can fail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { ARRIVE, checkText, twoWarps } from './two-warps.ts';

const TRY = 'mbarrier.try_wait.parity.shared.b64 %p4, [%r5], 0;';
const READ = 'ld.shared.u32 %r12, [%r4]; st.global.u32 [%rd2], %r12;';
const FILL = `st.shared.u32 [%r4], %r3; ${ARRIVE}`;
/** How waits give up: by clocks, by tries, and by either, with pauses between. */
const LOOPS = {
  clock: `mov.u32 %r10, %clock; L: ${TRY} @%p4 bra OK; mov.u32 %r11, %clock;
    sub.u32 %r11, %r11, %r10; setp.lt.u32 %p5, %r11, 1000; @%p5 bra L;`,
  timer: `mov.u64 %rd5, %globaltimer; L: ${TRY} @%p4 bra OK; nanosleep.u32 64;
    mov.u64 %rd6, %globaltimer; sub.s64 %rd6, %rd6, %rd5; setp.lt.s64 %p5, %rd6, 1000000;
    @%p5 bra L;`,
  tries: `mov.u32 %r10, 0; L: ${TRY} @%p4 bra OK; add.u32 %r10, %r10, 1;
    setp.lt.u32 %p5, %r10, 20; @%p5 bra L;`,
};

for (const [name, loop] of Object.entries(LOOPS)) {
  test(`a wait that gives up by its ${name} and reads anyway is an error`, async () => {
    const { verdict, findings } = await checkText(twoWarps(FILL, `${loop} OK: ${READ}`));
    assert.equal(verdict, 'counterexample');
    assert.equal(findings[0]!.rule, 'race');
    assert.ok(findings[0]!.notes.some((note) => /if the wait gives up \(kernel\.ptx:/.test(note)));
  });

  test(`a wait that gives up by its ${name} without reading is right`, async () => {
    const { verdict, scope } = await checkText(twoWarps(FILL, `${loop} bra.uni END; OK: ${READ}`));
    assert.equal(verdict, 'certified');
    assert.ok(!scope.assumptions.some((one) => one.name === 'no-timeout'));
  });

  test(`a wait that gives up by its ${name} is no deadlock`, async () => {
    const { verdict } = await checkText(twoWarps('mov.u32 %r9, 0;', `${loop} OK:`));
    assert.equal(verdict, 'certified');
  });

  test(`that it does not give up by its ${name} can be accepted`, async () => {
    const accept = ['no-timeout'] as const;
    const text = twoWarps(FILL, `${loop} OK: ${READ}`);
    const { verdict, scope } = await checkText(text, undefined, { accept });
    assert.equal(verdict, 'certified');
    assert.deepEqual(scope.accepted, accept);
    const stuck = twoWarps('mov.u32 %r9, 0;', `${loop} OK:`);
    const { findings } = await checkText(stuck, undefined, { accept });
    assert.equal(findings[0]?.rule, 'deadlock');
  });
}

test('a wait of a phase that is complete before is not known to give up', async () => {
  // All arrive before the barrier of all threads that comes before the wait.
  const first = `${FILL} bar.sync 1, 64;`;
  const second = `bar.sync 1, 64; ${LOOPS.clock} bra.uni STUCK; OK: bra.uni END;
    STUCK: bar.sync 2, 64;`;
  const { verdict } = await checkText(twoWarps(first, second));
  assert.equal(verdict, 'inconclusive');
});

test('a wait that only backs off by a clock is a wait', async () => {
  const backsOff = `mov.u64 %rd5, %globaltimer; L: ${TRY} @%p4 bra OK; mov.u64 %rd6, %globaltimer;
    sub.s64 %rd6, %rd6, %rd5; setp.gt.s64 %p5, %rd6, 4000; @%p5 bra LONG; nanosleep.u32 32;
    bra.uni L; LONG: nanosleep.u32 1000; bra.uni L;`;
  const { verdict, scope } = await checkText(twoWarps(FILL, `${backsOff} OK: ${READ}`));
  assert.equal(verdict, 'certified');
  assert.deepEqual(scope.accepted, undefined);
});

test('a wait that traps after some time is taken to end', async () => {
  const text = twoWarps(FILL, `${LOOPS.clock} trap; OK: ${READ}`);
  const { verdict, scope } = await checkText(text, undefined, { accept: ['no-trap'] });
  assert.equal(verdict, 'certified');
  assert.deepEqual(scope.accepted, ['no-trap']);
});

test('each of several waits may give up', async () => {
  const rounds = (end: string): string => `mov.u32 %r20, 0; ROUND: and.b32 %r21, %r20, 1;
    mov.u32 %r10, %clock; L: mbarrier.try_wait.parity.shared.b64 %p4, [%r5], %r21; @%p4 bra OK;
    mov.u32 %r11, %clock; sub.u32 %r11, %r11, %r10; setp.lt.u32 %p5, %r11, 1000; @%p5 bra L;
    ${end} OK: add.u32 %r20, %r20, 1; setp.lt.u32 %p6, %r20, 4; @%p6 bra ROUND;`;
  const both = (end: string): ReturnType<typeof ptxKernel> =>
    ptxKernel({
      ptx: { file: 'kernel.ptx', text: twoWarps(`${ARRIVE.repeat(1)}`, rounds(end)) },
      launch: {
        file: 'launch.json',
        text: JSON.stringify({
          grid: [1, 1, 1],
          block: [64, 1, 1],
          params: [{ kind: 'pointer' }, { kind: 'pointer' }],
        }),
      },
    });
  // Only the first phase completes: the later waits give up.
  assert.equal((await check(both('bra.uni END;'))).verdict, 'certified');
  assert.equal((await check(both('S: bra.uni S2; S2: bar.sync 1, 64;'))).verdict, 'counterexample');
});
