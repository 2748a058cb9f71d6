// What roles do with every tile, made once for each operation: no look at what kind it is. Whatever
// is not as it is nearly always goes the long way, through the performer.
import type { Instruction } from '../machine/index.ts';
import { ASSUMED, DRAINING, OpKind, Side } from '../op/index.ts';
import type { Ready } from '../program/index.ts';
import { arriveLast, barriers, Outcome, passes, POISON, type Debts } from '../ring/parts.ts';
import { Global, type Plan } from './plan.ts';
import type { Recorder } from './recorder.ts';

/** What a role knows of its own progress. */
export class Progress {
  /** By ring and side: stages that this role has gone through (R01), as stage and lap. */
  readonly stage: Int32Array;
  readonly lap: Int32Array;
  /** By ring and side, shared: stages that were acquired; a drain acquires none. */
  readonly taken: Float64Array;
  /** By count: how many there have been. */
  readonly counts: Int32Array;
  /** Whether everything goes the long way: a try has failed, or the role is over. */
  goesLong = false;

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
  readonly recorder: Recorder;
  readonly debts: Debts | null;
  /** By ring and side: the declared barriers that a wait of a stage tests, by stage. */
  readonly ringBarriers: readonly Int32Array[];
  readonly ctas: number;
  /** By declared barrier: 1 where waits count phases instead of parities (M09). */
  readonly isCounter: Uint8Array;
  /** Buffers that are there only between an allocation and its end (A02). */
  readonly pooled: ReadonlySet<number>;
  /** By count. */
  readonly totals: readonly number[];
}

/** Ways out of the short way. */
export interface Exits {
  /** Performs the operation the long way. */
  readonly long: () => number;
  /** Ends the role where its barrier could not be arrived at. */
  readonly failed: (outcome: Outcome, begin: number) => never;
}

/** The short way of an instruction; `null` where it has none. */
export function shortWay(
  instruction: Instruction,
  around: Surroundings,
  exits: Exits,
): Ready | null {
  switch (instruction.kind) {
    case OpKind.step:
      return new ReadyStep(instruction, around, exits);
    case OpKind.waitStage:
      return waitsForParity(instruction, around) ? new ReadyWait(instruction, around, exits) : null;
    case OpKind.arrive:
      return instruction.barriers.length === 1
        ? new ReadyArrival(instruction, around, exits)
        : null;
    case OpKind.read:
    case OpKind.write:
      return isAlwaysThere(instruction, around)
        ? new ReadyAccess(instruction, around, exits)
        : null;
    case OpKind.more:
      return new ReadyMore(instruction, around, exits);
    default:
      return null;
  }
}

/** An operation without a short way. */
export class ReadyLong implements Ready {
  readonly now: () => number;
  constructor(long: () => number) {
    this.now = long;
  }
}

/** R03. */
class ReadyStep implements Ready {
  readonly #progress: Progress;
  readonly #register: number;
  readonly #last: number;
  /** The stage that alone may be stepped past, or −1 (R10). */
  readonly #past: number;
  readonly #long: () => number;

  constructor({ target, value, count }: Instruction, around: Surroundings, { long }: Exits) {
    this.#progress = around.progress;
    this.#register = target * 2 + value;
    this.#last = around.ringBarriers[this.#register]!.length - 1;
    this.#past = count - 1;
    this.#long = long;
  }

  now(): number {
    const { stage, lap, goesLong } = this.#progress;
    const register = this.#register;
    const at = stage[register]!;
    if (goesLong || (this.#past >= 0 && at !== this.#past)) return this.#long();
    if (at !== this.#last) stage[register] = at + 1;
    else {
      stage[register] = 0;
      lap[register]! += 1;
    }
    return 0;
  }
}

function waitsForParity({ target, value, count }: Instruction, around: Surroundings): boolean {
  const declared = around.ringBarriers[target * 2 + value]!;
  return count !== ASSUMED && declared.every((barrier) => around.isCounter[barrier] === 0);
}

/** R02: the stage, where it is ready at the first look. */
class ReadyWait implements Ready {
  readonly #instruction: Instruction;
  readonly #words: Int32Array;
  readonly #progress: Progress;
  readonly #recorder: Recorder;
  readonly #register: number;
  /** By stage: the word of its barrier. */
  readonly #at: Int32Array;
  /** The phase that lap 0 waits for. */
  readonly #first: number;
  readonly #takes: number;
  readonly #long: () => number;

  constructor(instruction: Instruction, around: Surroundings, { long }: Exits) {
    const { target, value, count, cta } = instruction;
    const { plan, ringBarriers, ctas } = around;
    this.#instruction = instruction;
    this.#words = around.words;
    this.#progress = around.progress;
    this.#recorder = around.recorder;
    this.#register = target * 2 + value;
    this.#at = ringBarriers[this.#register]!.map((barrier) => plan.barrier(barrier * ctas + cta));
    this.#first = value === Side.consume ? 0 : -1;
    this.#takes = count === DRAINING ? 0 : 1;
    this.#long = long;
  }

  now(): number {
    const words = this.#words;
    const { stage, lap, taken, goesLong } = this.#progress;
    if (goesLong || words[Global.endings] !== 0) return this.#long();
    const register = this.#register;
    const next = stage[register]!;
    const begin = this.#recorder.begin();
    const seen = Atomics.load(words, this.#at[next]!);
    if ((seen & POISON) !== 0 || !passes(seen, lap[register]! + this.#first)) return this.#long();
    taken[register]! += this.#takes;
    if (this.#recorder.isOn) this.#recorder.record(this.#instruction, next, begin);
    return next;
  }
}

/** M03, on one barrier. */
class ReadyArrival implements Ready {
  readonly #instruction: Instruction;
  readonly #words: Int32Array;
  readonly #progress: Progress;
  readonly #recorder: Recorder;
  readonly #at: number;
  readonly #isOne: boolean;
  readonly #debts: Debts | null;
  readonly #exits: Exits;

  constructor(instruction: Instruction, around: Surroundings, exits: Exits) {
    this.#instruction = instruction;
    this.#words = around.words;
    this.#progress = around.progress;
    this.#recorder = around.recorder;
    this.#at = around.plan.barrier(instruction.target);
    this.#isOne = instruction.count === 1 && instruction.value === 1 && instruction.bytes === 0;
    this.#debts = around.debts;
    this.#exits = exits;
  }

  now(): number {
    const words = this.#words;
    if (this.#progress.goesLong || words[Global.endings] !== 0) return this.#exits.long();
    const begin = this.#recorder.begin();
    if (!this.#isOne || !arriveLast(words, this.#at, this.#debts)) this.#arrive(begin);
    if (this.#recorder.isOn) this.#recorder.record(this.#instruction, 0, begin);
    return 0;
  }

  #arrive(begin: number): void {
    const { count, value: lanes, bytes } = this.#instruction;
    const outcome = barriers.arrive(this.#words, this.#at, count, lanes, bytes);
    if (outcome !== Outcome.done) this.#exits.failed(outcome, begin);
  }
}

function isAlwaysThere({ reads, writes }: Instruction, { pooled }: Surroundings): boolean {
  return [...reads, ...writes].every((buffer) => !pooled.has(buffer));
}

/** S01: the access itself is done by work, and nothing can be wrong with it while nobody exits. */
class ReadyAccess implements Ready {
  readonly #instruction: Instruction;
  readonly #words: Int32Array;
  readonly #progress: Progress;
  readonly #recorder: Recorder;
  readonly #long: () => number;

  constructor(instruction: Instruction, around: Surroundings, { long }: Exits) {
    this.#instruction = instruction;
    this.#words = around.words;
    this.#progress = around.progress;
    this.#recorder = around.recorder;
    this.#long = long;
  }

  now(): number {
    if (this.#progress.goesLong || this.#words[Global.endings] !== 0) return this.#long();
    if (this.#recorder.isOn) this.#recorder.record(this.#instruction, 0, this.#recorder.begin());
    return 0;
  }
}

/** P10. */
class ReadyMore implements Ready {
  readonly #progress: Progress;
  readonly #target: number;
  readonly #total: number;
  readonly #long: () => number;

  constructor({ target }: Instruction, around: Surroundings, { long }: Exits) {
    this.#progress = around.progress;
    this.#target = target;
    this.#total = around.totals[target]!;
    this.#long = long;
  }

  now(): number {
    const { counts, goesLong } = this.#progress;
    if (goesLong) return this.#long();
    const given = counts[this.#target]!;
    if (given >= this.#total) return 0;
    counts[this.#target] = given + 1;
    return 1;
  }
}
