// Fast paths of the operations that roles do for every tile: each is compiled once, without a
// switch on its kind. Unusual cases take the slow path through the executor.
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
import type { RoleEnvironment } from './role-environment.ts';

// V8 looks an import up at each use, and folds a constant of the module that it compiles.
const ENDINGS: number = Global.endings;
const STEP_BYTES: number = AHEAD_STRIDE * 4;
const SLEEPING: number = SLEEPER;
const ONE_PHASE: number = PHASE;
const SIMPLE_WORD: number = SIMPLE;
const NOT_DONE = -1;

/** The result of a fast path that can not be taken now. */
const UNAVAILABLE = -1;

/** An operation with a fast path. */
interface FastOp extends CompiledOp {
  /**
   * Goes the short way and answers the operation; has done nothing where it is {@link UNAVAILABLE}.
   */
  readonly tryFast: () => number;
}

/** The other paths of an operation with a fast path. */
class Paths {
  readonly #instruction: Instruction;
  readonly #environment: RoleEnvironment;
  readonly slow: () => number;

  /** `slow` performs the operation through the executor. */
  constructor(instruction: Instruction, environment: RoleEnvironment, slow: () => number) {
    this.#instruction = instruction;
    this.#environment = environment;
    this.slow = slow;
  }

  /** While recording, or after a failed try or an end: checks before it takes the fast path. */
  runChecked(op: FastOp, isRecorded: boolean): number {
    const { progress, words, recorder } = this.#environment;
    if (progress.usesSlowPath || words[ENDINGS] !== 0) return this.slow();
    const begin = recorder.begin();
    const answer = op.tryFast();
    if (answer === UNAVAILABLE) return this.slow();
    if (isRecorded) recorder.record(this.#instruction, answer, begin);
    progress.settle(recorder.isOn);
    return answer;
  }
}

/** The fast path of an instruction; `null` if it has none. */
export function fastPath(
  instruction: Instruction,
  environment: RoleEnvironment,
  slow: () => number,
): CompiledOp | null {
  const paths = new Paths(instruction, environment, slow);
  switch (instruction.kind) {
    case OpKind.step:
      return new FastStep(instruction, environment, paths);
    case OpKind.waitStage:
      return canLookAhead(instruction, environment)
        ? new FastWait(instruction, environment, paths)
        : null;
    case OpKind.arrive:
      return isSingle(instruction) ? new FastArrival(instruction, environment, paths) : null;
    case OpKind.read:
    case OpKind.write:
      return isAlwaysThere(instruction, environment) ? new FastAccess(environment, paths) : null;
    case OpKind.more:
      return new FastMore(instruction, environment, paths);
  }
  // All others take the slow path: the executor handles every kind.
  return null;
}

/** An operation without a fast path. */
export class SlowOp implements CompiledOp {
  readonly run: () => number;
  constructor(slow: () => number) {
    this.run = slow;
  }
}

/** R03. */
class FastStep implements FastOp {
  readonly #progress: RoleProgress;
  readonly #register: Register;
  /** The only stage that may be stepped past, or −1 (R10). */
  readonly #past: number;
  readonly #paths: Paths;

  constructor({ target, side, past }: Instruction, environment: RoleEnvironment, paths: Paths) {
    this.#progress = environment.progress;
    this.#register = environment.progress.registers[target * 2 + side]!;
    this.#past = past;
    this.#paths = paths;
  }

  run(): number {
    if (!this.#progress.isPlain) return this.#paths.runChecked(this, false);
    const answer = this.tryFast();
    return answer === UNAVAILABLE ? this.#paths.slow() : answer;
  }

  tryFast(): number {
    const register = this.#register;
    if (this.#past >= 0 && register.stage !== this.#past) return UNAVAILABLE;
    register.step();
    return 0;
  }
}

function canLookAhead(
  { target, side, isAssumed }: Instruction,
  environment: RoleEnvironment,
): boolean {
  const { ringBarriers, isCounter, ctas, plan } = environment;
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

/** R02: a wait for a stage that is ready at the first look. */
class FastWait implements FastOp {
  readonly #words: Int32Array;
  readonly #progress: RoleProgress;
  readonly #register: Register;
  /** Numbers of acquired stages, and the index and increment of this wait. */
  readonly #taken: Float64Array;
  readonly #takenAt: number;
  readonly #takes: number;
  /** The byte offset of the barrier of stage 0; the others follow. */
  readonly #first: number;
  /** The phase that lap 0 waits for. */
  readonly #phase: number;
  readonly #lookAhead: WasmAtomics['lookAhead'];
  readonly #pacing: Pacing;
  readonly #paths: Paths;

  constructor(
    { target, side, isDraining }: Instruction,
    environment: RoleEnvironment,
    paths: Paths,
  ) {
    const { plan, ringBarriers, progress, atomics } = environment;
    const register = target * 2 + side;
    this.#words = environment.words;
    this.#progress = progress;
    this.#register = progress.registers[register]!;
    this.#taken = progress.taken;
    this.#takenAt = register;
    this.#takes = isDraining ? 0 : 1;
    this.#first = plan.barrier(ringBarriers[register]![0]!) * 4;
    this.#phase = side === Side.consume ? 0 : -1;
    this.#lookAhead = atomics.lookAhead;
    this.#pacing = new Pacing(this.#register.stages, environment.waiter.spins);
    this.#paths = paths;
  }

  run(): number {
    const register = this.#register;
    if (!this.#progress.isPlain || this.#words[ENDINGS] !== 0) {
      return this.#paths.runChecked(this, true);
    }
    if (register.ahead === 0 && !this.#lookAfterRest(register)) return this.#paths.slow();
    this.#taken[this.#takenAt]! += this.#takes;
    return register.stage;
  }

  /** Looks again, and only at this stage: a record must be true at its time. */
  tryFast(): number {
    const register = this.#register;
    const isReady = this.#look(register, register.stage + 1);
    register.ahead = 0;
    if (!isReady) return UNAVAILABLE;
    this.#taken[this.#takenAt]! += this.#takes;
    return register.stage;
  }

  /** Looks how many stages are ready, after a pause that lets several become ready. */
  #lookAfterRest(register: Register): boolean {
    const pacing = this.#pacing;
    pacing.rest();
    const isReady = this.#look(register, register.stages);
    pacing.found(register.ahead, register.stage + register.ahead === register.stages);
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

/** Whether an arrive is by one thread, on one barrier, without bytes. */
function isSingle({ barriers, arrivals, lanes, bytes }: Instruction): boolean {
  return barriers.length === 1 && arrivals === 1 && lanes === 1 && bytes === 0;
}

/** M03: an arrive that completes the phase. */
class FastArrival implements FastOp {
  readonly #words: Int32Array;
  readonly #progress: RoleProgress;
  readonly #at: number;
  readonly #deferred: DeferredWakeups | null;
  readonly #arriveLast: WasmAtomics['arriveLast'];
  readonly #paths: Paths;
  /** The expected value of the barrier's word: as this role left it. */
  #next = SIMPLE_WORD;

  constructor({ target }: Instruction, environment: RoleEnvironment, paths: Paths) {
    this.#arriveLast = environment.atomics.arriveLast;
    this.#words = environment.words;
    this.#progress = environment.progress;
    this.#at = environment.plan.barrier(target);
    this.#deferred = environment.waiter.deferred;
    this.#paths = paths;
  }

  run(): number {
    const isPlain = this.#progress.isPlain && this.#words[ENDINGS] === 0;
    if (!isPlain) return this.#paths.runChecked(this, true);
    const answer = this.tryFast();
    return answer === UNAVAILABLE ? this.#paths.slow() : answer;
  }

  tryFast(): number {
    const seen = this.#arriveLast(this.#at * 4, this.#next);
    if (seen === NOT_DONE) return UNAVAILABLE;
    this.#next = ((seen & ~SLEEPING) + ONE_PHASE) | 0;
    if ((seen & SLEEPING) !== 0) wake(this.#words, this.#at, this.#deferred);
    return 0;
  }
}

function isAlwaysThere({ reads, writes }: Instruction, { pooled }: RoleEnvironment): boolean {
  return [...reads, ...writes].every((buffer) => !pooled.has(buffer));
}

/** S01: the work does the access itself, which is always legal until a CTA or barrier ends. */
class FastAccess implements FastOp {
  readonly #words: Int32Array;
  readonly #progress: RoleProgress;
  readonly #paths: Paths;

  constructor(environment: RoleEnvironment, paths: Paths) {
    this.#words = environment.words;
    this.#progress = environment.progress;
    this.#paths = paths;
  }

  run(): number {
    const isPlain = this.#progress.isPlain && this.#words[ENDINGS] === 0;
    return isPlain ? 0 : this.#paths.runChecked(this, true);
  }

  tryFast(): number {
    return 0;
  }
}

/** P10. */
class FastMore implements FastOp {
  readonly #progress: RoleProgress;
  readonly #target: number;
  readonly #total: number;
  readonly #paths: Paths;

  constructor({ target }: Instruction, environment: RoleEnvironment, paths: Paths) {
    this.#progress = environment.progress;
    this.#target = target;
    this.#total = environment.totals[target]!;
    this.#paths = paths;
  }

  run(): number {
    return this.#progress.isPlain ? this.tryFast() : this.#paths.runChecked(this, false);
  }

  tryFast(): number {
    const { counts } = this.#progress;
    const count = counts[this.#target]!;
    if (count >= this.#total) return 0;
    counts[this.#target] = count + 1;
    return 1;
  }
}
