// A kernel of a text for each number of rounds, and what periods say of a number.
import assert from 'node:assert/strict';
import { readLaunchFile } from '#src/launch/read-launch';
import { offsetOf } from '#src/launch/scalars';
import { inStrands } from '#src/lanes/strands';
import { lowerRun } from '#src/lower/roles';
import type { Plan } from '#src/lower/plan';
import { referenceRun } from '#src/exec/machine/reference-run';
import type { Observer } from '#src/exec/machine/observer';
import { actionKey } from '#src/loops/action-key';
import { findBlocks, findPeriods } from '#src/loops/find-period';
import type { PeriodicPlans, Sized } from '#src/loops/find-period';
import { parsePtx } from '#src/text/parse';
import { FIRST } from '#src/paths/answers';

/** The kernel of a text with so many threads: how it runs, and the periods of its number `n`. */
export interface EveryNumber {
  /** `null` where a run stands for no launch. */
  readonly sized: (n: number) => Sized | null;
  readonly find: () => PeriodicPlans | null;
  /** The same of a number of elements, from one on. */
  readonly findBlocks: (n: number) => PeriodicPlans | null;
}

export function everyNumberOf(text: string, threads = 1): EveryNumber {
  const launched = {
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    params: [{ kind: 'scalar', type: 'i32', value: 3, name: 'n' }],
  };
  const module = parsePtx(text, 'kernel.ptx');
  const entry = module.functions.get('kernel')!;
  const file = readLaunchFile(JSON.stringify(launched), 'launch.json');
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
      const strands = inStrands(executed);
      const isWhole = isOpen === 0 && strands.faults.length === 0;
      known.set(n, isWhole ? { run: executed, plan: lowerRun(strands) } : null);
    }
    return known.get(n)!;
  };
  const offset = offsetOf(file, 0, entry, 'n');
  const executions = { sized, trace: run, offset };
  return {
    sized,
    find: () => findPeriods(executions, () => false),
    findBlocks: (n) => findBlocks(n, executions, () => false),
  };
}

/** The actions of each role, behind its name. */
function keysOf(plan: Plan): string[][] {
  return plan.roles.map(({ name, actions }) => [
    name,
    ...actions.map((action) => actionKey(action, plan)),
  ]);
}

/** What periods say of a number. */
function predicted({ from, step, plans }: PeriodicPlans, n: number): string[][] {
  const { first, plan } = plans[(n - from) % step]!;
  const times = (n - first) / step;
  return keysOf(plan).map(([name, ...keys], index) => {
    const { at, length } = plan.roles[index]!.repeated!;
    const round = keys.slice(at, at + length);
    const rounds = Array.from({ length: times }, () => round).flat();
    return [name!, ...keys.slice(0, at), ...rounds, ...keys.slice(at + length)];
  });
}

/** Fails where what is proved of some numbers is not what runs of them do. */
export function requirePredicted(
  { sized }: EveryNumber,
  periods: PeriodicPlans,
  numbers: readonly number[],
): void {
  for (const n of numbers) {
    const one = n < periods.from || n > periods.most! ? null : sized(n);
    if (one !== null) assert.deepEqual(keysOf(one.plan), predicted(periods, n), `n=${n}`);
  }
}
