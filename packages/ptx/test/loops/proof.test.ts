// What is proved of all numbers of rounds is what runs of single numbers do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as holds, constantFrom, property } from 'fast-check';
import type { PeriodicPlans } from '#src/loops/find-period';
import { counterKernel, loops } from './counters.ts';
import type { Effect, LoopOf } from './counters.ts';
import { everyNumberOf, requirePredicted } from './every-number.ts';

/** Numbers around those at which counters wrap around, and thresholds. */
const NUMBERS = [4, 5, 9, 17, 33, 34, 76, 77, 78, 79, 80, 130, 254, 255, 256, 257, 258, 300];
const FAR = [513, 998, 1000, 1001, 1003];
/** Kernels that are compared; more of them with `RUNS` in the environment. */
const RUNS = Number(process.env['RUNS'] ?? 20);

test('what is proved holds for each number that is run', () => {
  let proofs = 0;
  const all = property(loops, constantFrom(...FAR), (loop, far) => {
    const kernel = everyNumberOf(counterKernel(loop));
    const periods = kernel.find();
    if (periods === null || periods.unproved !== null) return;
    proofs++;
    requirePredicted(kernel, periods, [...NUMBERS, far]);
  });
  holds(all, { numRuns: RUNS });
  assert.ok(proofs > RUNS / 5, `${proofs} of ${RUNS} are proved`);
});

/** A loop with one value, and what it does with it. */
function loopOf(op: string, constant: number, effect: Partial<Effect>): LoopOf {
  const none = { a: 0, b: 0, c: 0 };
  const whole: Effect = { kind: 'word', compare: 'eq.u32', constant: 0, ...none, a: 4, ...effect };
  return { values: [{ op, constant, ...none }], carried: [2, 3], effects: [whole] };
}

function findIn(loop: LoopOf): PeriodicPlans | null {
  return everyNumberOf(counterKernel(loop)).find();
}

const COUNTERS: readonly (readonly [string, LoopOf, number])[] = [
  ['the parity of a counter', loopOf('and', 1, {}), 2],
  ['a counter by a product and a shift, as nvcc divides', loopOf('high', 0, {}), 3],
  ['the same by a wide product', loopOf('wide', 0, {}), 5],
  ['a rest', loopOf('rem', 2, {}), 3],
  ['a counter that begins again', { ...loopOf('wrap', 2, {}), carried: [4, 4] }, 3],
  ['a comparison with the number of rounds', loopOf('not', 0, { kind: 'branch', a: 0, b: 1 }), 1],
];

test('the usual counters of stages are proved', () => {
  for (const [name, loop, step] of COUNTERS) {
    const own = name.includes('again')
      ? counterKernel(loop).replace('add.u32 %r4, %r0, 1', 'add.u32 %r4, %r2, 1')
      : counterKernel(loop);
    const periods = everyNumberOf(own).find();
    assert.deepEqual([periods?.unproved, periods?.step], [null, step], name);
    assert.ok(periods!.most! > 2 ** 28, name);
  }
});

const THRESHOLDS: readonly (readonly [string, LoopOf])[] = [
  ['from round 77 on', loopOf('not', 0, { kind: 'branch', a: 0, compare: 'gt.u32', constant: 77 })],
  ['1000 rounds', loopOf('not', 0, { kind: 'guarded', a: 1, compare: 'eq.u32', constant: 255 })],
  ['a byte', loopOf('byte', 0, { kind: 'guarded', a: 4, compare: 'lt.u32', constant: 77 })],
  ['16 bits', loopOf('short', 0, { kind: 'guarded', a: 4, compare: 'gt.u32', constant: 255 })],
];

test('what changes with large numbers is not proved', () => {
  for (const [name, loop] of THRESHOLDS) {
    const periods = findIn(loop);
    assert.ok(periods === null || periods.unproved !== null, name);
  }
});
