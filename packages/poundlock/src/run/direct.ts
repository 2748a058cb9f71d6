// What roles do with every tile, made once for each operation: no look at what kind it is, and no
// record. Whatever is not as it is nearly always goes the long way, through the performer.
import type { Instruction } from '../machine/index.ts';
import { ASSUMED, DRAINING, OpKind, Side } from '../op/index.ts';
import type { View, Work } from '../program/index.ts';
import { barriers, Outcome, passes, POISON } from '../ring/parts.ts';
import { Global, type Plan } from './plan.ts';

/** What a role knows of its own progress. */
export class Progress {
  /** By ring and side: stages that this role has gone through (R01), as stage and lap. */
  readonly stage: Int32Array;
  readonly lap: Int32Array;
  /** By ring and side, shared: stages that were acquired; a drain acquires none. */
  readonly taken: Float64Array;
  /** By count: how many there have been. */
  readonly counts: Int32Array;
  /** Whether everything goes the long way: a trace is kept, a try has failed, the role is over. */
  goesLong = true;

  constructor(rings: number, counts: number, taken: Float64Array) {
    this.taken = taken;
    this.stage = new Int32Array(rings * 2);
    this.lap = new Int32Array(rings * 2);
    this.counts = new Int32Array(counts);
  }
}

/** What is known of a run before it starts. */
export interface Surroundings {
  readonly plan: Plan;
  readonly words: Int32Array;
  readonly progress: Progress;
  readonly view: View;
  /** By ring and side: the declared barriers that a wait of a stage tests, by stage. */
  readonly ringBarriers: readonly Int32Array[];
  readonly ctas: number;
  /** By declared barrier: 1 where waits count phases instead of parities (M09). */
  readonly isCounter: Uint8Array;
  /** By count. */
  readonly totals: readonly number[];
}

/** Performs an operation and answers it. */
export type Act = () => number;

/** Ways out of the short way. */
export interface Exits {
  /** Performs the operation the long way. */
  readonly long: Act;
  /** Ends the role where its barrier could not be arrived at. */
  readonly failed: (outcome: Outcome) => never;
  /** Told when work throws, before the blocks of the role are left. */
  readonly stop: () => void;
}

/** The short way of an instruction; `null` where it has none. */
export function shortWay(
  instruction: Instruction,
  work: Work | null,
  around: Surroundings,
  exits: Exits,
): Act | null {
  switch (instruction.kind) {
    case OpKind.step:
      return step(instruction, around, exits);
    case OpKind.waitStage:
      return waitStage(instruction, around, exits);
    case OpKind.arrive:
      return arrive(instruction, around, exits);
    case OpKind.more:
      return more(instruction, around, exits);
    case OpKind.compute:
      return compute(work, around, exits);
    default:
      return null;
  }
}

/** R03. */
function step({ target, value, count }: Instruction, around: Surroundings, { long }: Exits): Act {
  const { progress, ringBarriers } = around;
  const { stage, lap } = progress;
  const register = target * 2 + value;
  const last = ringBarriers[register]!.length - 1;
  const past = count - 1;
  return () => {
    const at = stage[register]!;
    if (progress.goesLong || (past >= 0 && at !== past)) return long();
    if (at !== last) stage[register] = at + 1;
    else {
      stage[register] = 0;
      lap[register]! += 1;
    }
    return 0;
  };
}

/** R02: the stage, where it is ready at the first look. */
function waitStage(instruction: Instruction, around: Surroundings, { long }: Exits): Act | null {
  const { target, value, count, cta } = instruction;
  const { plan, words, progress, ringBarriers, ctas, isCounter } = around;
  const { stage, lap, taken } = progress;
  const register = target * 2 + value;
  const declared = ringBarriers[register]!;
  if (count === ASSUMED || declared.some((barrier) => isCounter[barrier] === 1)) return null;
  const at = declared.map((barrier) => plan.barrier(barrier * ctas + cta));
  const first = value === Side.consume ? 0 : -1;
  const isTaken = count === DRAINING ? 0 : 1;
  return () => {
    if (progress.goesLong || words[Global.endings] !== 0) return long();
    const next = stage[register]!;
    const seen = Atomics.load(words, at[next]!);
    if ((seen & POISON) !== 0 || !passes(seen, lap[register]! + first)) return long();
    taken[register]! += isTaken;
    return next;
  };
}

/** M03, on one barrier. */
function arrive(instruction: Instruction, around: Surroundings, exits: Exits): Act | null {
  const { long, failed } = exits;
  const { target, count, value: lanes, bytes } = instruction;
  const { plan, words, progress } = around;
  if (instruction.barriers.length !== 1) return null;
  const at = plan.barrier(target);
  return () => {
    if (progress.goesLong || words[Global.endings] !== 0) return long();
    const outcome = barriers.arrive(words, at, count, lanes, bytes);
    return outcome === Outcome.done ? 0 : failed(outcome);
  };
}

/** P10. */
function more({ target }: Instruction, around: Surroundings, { long }: Exits): Act {
  const { progress } = around;
  const { counts } = progress;
  const total = around.totals[target]!;
  return () => {
    if (progress.goesLong) return long();
    if (counts[target]! >= total) return 0;
    counts[target]! += 1;
    return 1;
  };
}

/** S04. */
function compute(work: Work | null, around: Surroundings, { long, stop }: Exits): Act {
  const { progress, view } = around;
  if (work === null) return () => 0;
  return () => {
    if (progress.goesLong) return long();
    try {
      work(view);
    } catch (error) {
      stop();
      throw error;
    }
    return 0;
  };
}
