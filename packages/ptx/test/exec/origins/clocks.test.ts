// Clocks are unknown: a decision on one may go either way at any time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ARRIVE, checkText, twoWarps, verdictOf } from './two-warps.ts';

const CLOCKS = {
  clock: 'mov.u32 %r10, %clock;',
  clock_hi: 'mov.u32 %r10, %clock_hi;',
  clock64: 'mov.u64 %rd5, %clock64; cvt.u32.u64 %r10, %rd5;',
  globaltimer: 'mov.u64 %rd5, %globaltimer; cvt.u32.u64 %r10, %rd5;',
  globaltimer_lo: 'mov.u32 %r10, %globaltimer_lo;',
  globaltimer_hi: 'mov.u32 %r10, %globaltimer_hi;',
};
/** Warp 0 arrives only where a bit of the clock is set. */
const IF_BIT = `and.b32 %r11, %r10, 64; setp.eq.u32 %p5, %r11, 0; @%p5 bra SKIP; ${ARRIVE} SKIP:`;

for (const [name, read] of Object.entries(CLOCKS))
  test(`a bit of %${name} may be either`, async () => {
    assert.equal(await verdictOf(`${read} ${IF_BIT}`), 'counterexample deadlock');
  });

test('the evidence names the answer of the clock with its line', async () => {
  const { findings } = await checkText(twoWarps(`${CLOCKS.clock} ${IF_BIT}`));
  const notes = findings[0]!.notes.filter((note) => /if the clock says that/.test(note));
  assert.equal(notes.length, 1);
  assert.match(notes[0]!, /kernel\.ptx:\d+/);
});

test('a kernel whose both ways are right is certified without an assumption', async () => {
  const both = `${CLOCKS.clock} and.b32 %r11, %r10, 64; setp.eq.u32 %p5, %r11, 0; @%p5 bra LATE;
    ${ARRIVE} bra.uni DONE; LATE: nanosleep.u32 100; ${ARRIVE} DONE:
    mov.u32 %r12, %clock; sub.u32 %r12, %r12, %r10; st.global.u32 [%rd2], %r12;`;
  assert.equal(await verdictOf(both), 'certified');
});

test('what goes wrong only where a clock runs backwards is not known to', async () => {
  const backwards = (type: string): string => `mov.u64 %rd5, %clock64; mov.u64 %rd6, %clock64;
    sub.s64 %rd7, %rd6, %rd5; setp.lt.${type} %p5, %rd7, 0; @%p5 bra SKIP; ${ARRIVE} SKIP:`;
  assert.match(await verdictOf(backwards('s64')), /^inconclusive .*a clock decides this branch/);
});

test('a condition that no value of a clock has decides nothing', async () => {
  const never = `mov.u32 %r10, %clock; and.b32 %r11, %r10, 1; setp.eq.u32 %p5, %r11, 2;
    @%p5 bra SKIP; ${ARRIVE} SKIP:`;
  assert.equal(await verdictOf(never), 'certified');
});

test('two questions of one clock have to fit', async () => {
  const between = (least: number, most: number): string => `mov.u32 %r10, %clock;
    setp.lt.u32 %p5, %r10, ${least}; @%p5 bra GO; setp.gt.u32 %p6, %r10, ${most};
    @%p6 bra GO; bra.uni SKIP; GO: ${ARRIVE} SKIP:`;
  assert.equal(await verdictOf(between(100, 200)), 'counterexample deadlock');
  assert.match(await verdictOf(between(200, 100)), /^inconclusive/);
});

test('an access that a clock guards happens', async () => {
  const text = (predicate: string): string =>
    twoWarps(
      `${CLOCKS.clock} and.b32 %r11, %r10, 64; setp.eq.u32 %p5, %r11, ${predicate};
       @%p5 st.shared.u32 [word], %r1;`,
      'ld.shared.u32 %r12, [word]; st.global.u32 [%rd2], %r12;',
    );
  assert.equal((await checkText(text('0'))).verdict, 'counterexample');
  assert.equal((await checkText(text('1'))).verdict, 'inconclusive');
});

test('a clock that is shared through memory is the same number', async () => {
  const shared = (other: string): string => `mov.u32 %r10, %clock; @!%p3 st.shared.u32 [word], %r10;
    bar.warp.sync -1; ld.shared.u32 %r11, [word]; setp.lt.u32 %p5, %r10, 1000;
    setp.lt.u32 %p6, ${other}, 1000; @%p5 bra ONE; ${ARRIVE} bra.uni SKIP;
    ONE: @!%p6 bra SKIP; ${ARRIVE} SKIP:`;
  assert.equal(await verdictOf(shared('%r11')), 'certified');
  // An earlier read is another number: its low half is larger where the clock wraps around.
  const earlier = `mov.u32 %r12, %clock; ${shared('%r12')}`;
  assert.equal(await verdictOf(earlier), 'counterexample deadlock');
});
