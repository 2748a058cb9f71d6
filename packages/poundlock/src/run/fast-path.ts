// What roles do with every tile, made once for each operation: no look at what kind it is. Whatever
// is not as it is nearly always goes the long way, through the performer.
import type { Instruction } from '@poundlock/core/internal/machine';
import { OpKind, Side } from '@poundlock/core/internal/op';
import type { CompiledOp } from '@poundlock/core/internal/program';
import {
  AHEAD_STRIDE,
  PHASE,
  SIMPLE,
  SLEEPER,
  wake,
  type DeferredWakeups,
  type WasmAtomics,
} from '@poundlock/ring/internal';
import { Pacing } from './pacing.ts';
import { Global } from './plan.ts';
import type { RoleProgress, Register } from './progress.ts';
import type { Surroundings } from './role-environment.ts';

// V8 looks an import up at each use, and folds a constant of the module that it compiles.
const ENDINGS: number = Global.endings;
const STEP_BYTES: number = AHEAD_STRIDE * 4;
const SLEEPING: number = SLEEPER;
const ONE_PHASE: number = PHASE;
const SIMPLE_WORD: number = SIMPLE;
const NOT_MADE = -1;

/** Where an operation's short way is not open. */
const CLOSED = -1;

/** An operation with a short way. */
interface Short extends CompiledOp {
  /** Goes the short way and answers the operation; has done nothing where it is {@link CLOSED}. */
  readonly go: () => number;
}

/** Ways beside the short one of an operation. */
class Ways {
  readonly #instruction: Instruction;
  readonly #around: Surroundings;
  readonly long: () => number;

  /** `long` performs the operation the long way. */
  constructor(instruction: Instruction, around: Surroundings, long: () => number) {
    this.#instruction = instruction;
    this.#around = around;
    this.long = long;
  }

  /** Where progress is not plain, or something has ended: the short way if it is open at all. */
  careful(short: Short, isRecorded: boolean): number {
    const { progress, words, recorder } = this.#around;
    if (progress.goesLong || words[ENDINGS] !== 0) return this.long();
    const begin = recorder.begin();
    const answer = short.go();
    if (answer === CLOSED) return this.long();
    if (isRecorded) recorder.record(this.#instruction, answer, begin);
    progress.settle(recorder.isOn);
    return answer;
  }
}

/** The short way of an instruction; `null` where it has none. */
export function shortWay(
  instruction: Instruction,
  around: Surroundings,
  long: () => number,
): CompiledOp | null {
  const ways = new Ways(instruction, around, long);
  switch (instruction.kind) {
    case OpKind.step:
      return new ReadyStep(instruction, around, ways);
    case OpKind.waitStage:
      return canLookAhead(instruction, around) ? new ReadyWait(instruction, around, ways) : null;
    case OpKind.arrive:
      return isSingle(instruction) ? new ReadyArrival(instruction, around, ways) : null;
    case OpKind.read:
    case OpKind.write:
      return isAlwaysThere(instruction, around) ? new ReadyAccess(around, ways) : null;
    case OpKind.more:
      return new ReadyMore(instruction, around, ways);
  }
  // All others go the long way: the performer knows every kind.
  return null;
}

/** An operation without a short way. */
export class ReadyLong implements CompiledOp {
  readonly run: () => number;
  constructor(long: () => number) {
    this.run = long;
  }
}

/** R03. */
class ReadyStep implements Short {
  readonly #progress: RoleProgress;
  readonly #register: Register;
  /** The stage that alone may be stepped past, or −1 (R10). */
  readonly #past: number;
  readonly #ways: Ways;

  constructor({ target, side, past }: Instruction, around: Surroundings, ways: Ways) {
    this.#progress = around.progress;
    this.#register = around.progress.registers[target * 2 + side]!;
    this.#past = past;
    this.#ways = ways;
  }

  run(): number {
    if (!this.#progress.isPlain) return this.#ways.careful(this, false);
    const answer = this.go();
    return answer === CLOSED ? this.#ways.long() : answer;
  }

  go(): number {
    const register = this.#register;
    if (this.#past >= 0 && register.stage !== this.#past) return CLOSED;
    register.step();
    return 0;
  }
}

function canLookAhead({ target, side, isAssumed }: Instruction, around: Surroundings): boolean {
  const { ringBarriers, isCounter, ctas, plan } = around;
  const declared = ringBarriers[target * 2 + side]!;
  const first = plan.barrier(declared[0]!);
  return (
    ctas === 1 &&
    !isAssumed &&
    declared.every((barrier, stage) => {
      return isCounter[barrier] === 0 && plan.barrier(barrier) === first + stage * AHEAD_STRIDE;
    })
  );
}

/** R02: the stage, where it is ready at the first look. */
class ReadyWait implements Short {
  readonly #words: Int32Array;
  readonly #progress: RoleProgress;
  readonly #register: Register;
  /** What the role has acquired, and where this wait counts. */
  readonly #taken: Float64Array;
  readonly #takenAt: number;
  readonly #takes: number;
  /** The byte of stage 0's barrier; the others follow. */
  readonly #first: number;
  /** The phase that lap 0 waits for. */
  readonly #phase: number;
  readonly #lookAhead: WasmAtomics['lookAhead'];
  readonly #pace: Pacing;
  readonly #ways: Ways;

  constructor({ target, side, isDraining }: Instruction, around: Surroundings, ways: Ways) {
    const { plan, ringBarriers, progress, calls } = around;
    const register = target * 2 + side;
    this.#words = around.words;
    this.#progress = progress;
    this.#register = progress.registers[register]!;
    this.#taken = progress.taken;
    this.#takenAt = register;
    this.#takes = isDraining ? 0 : 1;
    this.#first = plan.barrier(ringBarriers[register]![0]!) * 4;
    this.#phase = side === Side.consume ? 0 : -1;
    this.#lookAhead = calls.lookAhead;
    this.#pace = new Pacing(this.#register.stages, around.sleeper.spins);
    this.#ways = ways;
  }

  run(): number {
    const register = this.#register;
    if (!this.#progress.isPlain || this.#words[ENDINGS] !== 0) {
      return this.#ways.careful(this, true);
    }
    if (register.ahead === 0 && !this.#lookOften(register)) return this.#ways.long();
    this.#taken[this.#takenAt]! += this.#takes;
    return register.stage;
  }

  /** Looks anew, and at this stage alone: what is recorded has been so then. */
  go(): number {
    const register = this.#register;
    const isReady = this.#look(register, register.stage + 1);
    register.ahead = 0;
    if (!isReady) return CLOSED;
    this.#taken[this.#takenAt]! += this.#takes;
    return register.stage;
  }

  /** Looks how many stages are ready, after a rest in which there may be several. */
  #lookOften(register: Register): boolean {
    const pace = this.#pace;
    pace.rest();
    const isReady = this.#look(register, register.stages);
    pace.found(register.ahead, register.stage + register.ahead === register.stages);
    return isReady;
  }

  #look(register: Register, end: number): boolean {
    const at = this.#first + register.stage * STEP_BYTES;
    const phase = register.lap + this.#phase;
    const found = this.#lookAhead(at, this.#first + end * STEP_BYTES, phase);
    register.ahead = (found - at) / STEP_BYTES;
    return found !== at;
  }
}

/** Whether an arrival is that of one thread, at one barrier, without bytes. */
function isSingle({ barriers, arrivals, lanes, bytes }: Instruction): boolean {
  return barriers.length === 1 && arrivals === 1 && lanes === 1 && bytes === 0;
}

/** M03, where nothing else is missing. */
class ReadyArrival implements Short {
  readonly #words: Int32Array;
  readonly #progress: RoleProgress;
  readonly #at: number;
  readonly #debts: DeferredWakeups | null;
  readonly #arriveLast: WasmAtomics['arriveLast'];
  readonly #ways: Ways;
  /** The barrier's word as this role left it. */
  #next = SIMPLE_WORD;

  constructor({ target }: Instruction, around: Surroundings, ways: Ways) {
    this.#arriveLast = around.calls.arriveLast;
    this.#words = around.words;
    this.#progress = around.progress;
    this.#at = around.plan.barrier(target);
    this.#debts = around.sleeper.debts;
    this.#ways = ways;
  }

  run(): number {
    const isPlain = this.#progress.isPlain && this.#words[ENDINGS] === 0;
    if (!isPlain) return this.#ways.careful(this, true);
    const answer = this.go();
    return answer === CLOSED ? this.#ways.long() : answer;
  }

  go(): number {
    const seen = this.#arriveLast(this.#at * 4, this.#next);
    if (seen === NOT_MADE) return CLOSED;
    this.#next = ((seen & ~SLEEPING) + ONE_PHASE) | 0;
    if ((seen & SLEEPING) !== 0) wake(this.#words, this.#at, this.#debts);
    return 0;
  }
}

function isAlwaysThere({ reads, writes }: Instruction, { pooled }: Surroundings): boolean {
  return [...reads, ...writes].every((buffer) => !pooled.has(buffer));
}

/** S01: the access itself is done by work, and nothing can be wrong with it while nobody exits. */
class ReadyAccess implements Short {
  readonly #words: Int32Array;
  readonly #progress: RoleProgress;
  readonly #ways: Ways;

  constructor(around: Surroundings, ways: Ways) {
    this.#words = around.words;
    this.#progress = around.progress;
    this.#ways = ways;
  }

  run(): number {
    const isPlain = this.#progress.isPlain && this.#words[ENDINGS] === 0;
    return isPlain ? 0 : this.#ways.careful(this, true);
  }

  go(): number {
    return 0;
  }
}

/** P10. */
class ReadyMore implements Short {
  readonly #progress: RoleProgress;
  readonly #target: number;
  readonly #total: number;
  readonly #ways: Ways;

  constructor({ target }: Instruction, around: Surroundings, ways: Ways) {
    this.#progress = around.progress;
    this.#target = target;
    this.#total = around.totals[target]!;
    this.#ways = ways;
  }

  run(): number {
    return this.#progress.isPlain ? this.go() : this.#ways.careful(this, false);
  }

  go(): number {
    const { counts } = this.#progress;
    const given = counts[this.#target]!;
    if (given >= this.#total) return 0;
    counts[this.#target] = given + 1;
    return 1;
  }
}
