// What is proved of all numbers of rounds is what runs of single numbers do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as holds, constantFrom, property } from 'fast-check';
import { readLaunchFile } from '#src/ptx/launch/read-launch';
import { offsetOf } from '#src/ptx/launch/scalars';
import { inStrands } from '#src/ptx/lanes/strands';
import { lowerRun } from '#src/ptx/lower/roles';
import type { Plan } from '#src/ptx/lower/plan';
import { referenceRun } from '#src/ptx/machine/reference-run';
import type { Observer } from '#src/ptx/machine/observer';
import { actionKey } from '#src/ptx/periods/action-key';
import { findPeriods } from '#src/ptx/periods/find-period';
import type { PeriodicPlans, Sized } from '#src/ptx/periods/find-period';
import { parsePtx } from '#src/ptx/text/parse';
import { FIRST } from '#src/ptx/ways/answers';
import { counterKernel, loops } from './counters.ts';
import type { Effect, LoopOf } from './counters.ts';

const LAUNCH = {
  grid: [1, 1, 1],
  block: [1, 1, 1],
  params: [{ kind: 'scalar', type: 'i32', value: 3, name: 'n' }],
};

/** The kernel of a text, for each number. */
function kernelOf(text: string) {
  const module = parsePtx(text, 'kernel.ptx');
  const entry = module.functions.get('kernel')!;
  const file = readLaunchFile(JSON.stringify(LAUNCH), 'launch.json');
  const run = (n: number, observer?: Observer) => {
    const bounds = { maxInstructions: 2_000_000, isOver: () => false, answers: () => FIRST };
    const launch = file.launch(0, entry, { n });
    return referenceRun(module, entry, launch, observer ? { ...bounds, observer } : bounds);
  };
  const known = new Map<number, Sized | null>();
  const sized = (n: number): Sized | null => {
    if (!known.has(n)) {
      const executed = run(n);
      const isOpen = executed.undecided.length + executed.decisions.length + executed.faults.length;
      known.set(n, isOpen > 0 ? null : { run: executed, plan: lowerRun(inStrands(executed)) });
    }
    return known.get(n)!;
  };
  const offset = offsetOf(file, 0, entry, 'n');
  return { sized, find: () => findPeriods({ sized, trace: run, offset }, () => false) };
}

function keysOf(plan: Plan): string[][] {
  return plan.roles.map(({ actions }) => actions.map((action) => actionKey(action, plan)));
}

/** What periods say of a number. */
function predicted({ from, step, plans }: PeriodicPlans, n: number): string[][] {
  const { first, plan } = plans[(n - from) % step]!;
  const times = (n - first) / step;
  return keysOf(plan).map((keys, index) => {
    const { at, length } = plan.roles[index]!.repeated!;
    const round = keys.slice(at, at + length);
    const rounds = Array.from({ length: times }, () => round).flat();
    return [...keys.slice(0, at), ...rounds, ...keys.slice(at + length)];
  });
}

/** Numbers around those at which counters wrap around, and thresholds. */
const NUMBERS = [4, 5, 9, 17, 33, 34, 76, 77, 78, 79, 80, 130, 254, 255, 256, 257, 258, 300];
const FAR = [513, 998, 1000, 1001, 1003];
/** Kernels that are compared; more of them with `RUNS` in the environment. */
const RUNS = Number(process.env['RUNS'] ?? 20);

test('what is proved holds for each number that is run', () => {
  let proofs = 0;
  const all = property(loops, constantFrom(...FAR), (loop, far) => {
    const { sized, find } = kernelOf(counterKernel(loop));
    const periods = find();
    if (periods === null || periods.unproved !== null) return;
    proofs++;
    for (const n of [...NUMBERS, far]) {
      const one: Sized | null = n < periods.from || n > periods.most! ? null : sized(n);
      if (one !== null) assert.deepEqual(keysOf(one.plan), predicted(periods, n), `n=${n}`);
    }
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
  return kernelOf(counterKernel(loop)).find();
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
    const periods = kernelOf(own).find();
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
