// How long the instructions between the steps of a warp take: each waits for its operands.
import type { TimedWork, Timing } from '@poundlock/core/internal/program';
import type { Observer } from '../exec/machine/observer.ts';
import type { Step } from '../steps/step.ts';
import type { PtxFunction } from '../text/module.ts';
import type { Warp } from '../exec/warp/warp.ts';
import { timesOf } from './instruction-times.ts';
import type { InstructionCosts, InstructionTime } from './instruction-times.ts';
import type { IssueRecorder } from './issue-recorder.ts';
import { lanesOf } from '../values/lane-mask.ts';

/** The time of one warp. */
interface WarpTime {
  /** When its next instruction is issued. */
  now: number;
  /** By register: when its value is there. */
  readonly ready: Float64Array;
  /** When the values of all loads are there. */
  loaded: number;
  /** When the warp came to where a load may be moved up to: a branch, or an operation. */
  floor: number;
  /** When it came to where integers may be computed: a branch. */
  branchedAt: number;
  /** Whether it has issued a product of its warpgroup, and come to a copy of a unit. */
  multiplies: boolean;
  copies: boolean;
  /** The instruction before, and how many steps there were. */
  last: number;
  steps: number;
  /** By step: cycles of the instructions before it. */
  readonly cycles: number[];
}

/** What of a timing one run says. */
type Own = Pick<Timing, 'unpriced' | 'hasArithmetic'> & {
  readonly work: Omit<TimedWork, 'others' | 'sharedShare'>;
};

/** Has the results as soon as the operands are there, whenever the warp comes to it. */
function pass(
  ready: Float64Array,
  { reads, writes, latency }: InstructionTime,
  earliest: number,
): void {
  let at = earliest;
  for (const register of reads) if (ready[register]! > at) at = ready[register]!;
  for (const register of writes) ready[register] = at + latency;
}

/** Times the warps of a run. */
export class IssueTimes implements Observer {
  readonly follows = new Uint8Array(0);
  readonly isThorough = true;
  readonly endsWaits = true;
  readonly #costs: InstructionCosts;
  readonly #warps = new Map<Warp, WarpTime>();
  readonly #codes = new Map<PtxFunction, ReturnType<typeof timesOf>>();
  readonly #unpriced = new Set<string>();
  readonly #recorder: IssueRecorder;
  #hasArithmetic = false;
  /** Of all warps. */
  instructions = 0;
  #unpricedInstructions = 0;
  #threadBytes = 0;
  /** Cycles of the tensor cores for warpgroups, and those of them in which they multiply. */
  #productCycles = 0;
  #multiplying = 0;

  constructor(costs: InstructionCosts, recorder: IssueRecorder) {
    this.#costs = costs;
    this.#recorder = recorder;
  }

  begin(): void {
    this.#recorder.begin();
    this.#warps.clear();
    this.#unpriced.clear();
    this.#hasArithmetic = false;
    this.instructions = 0;
    this.#unpricedInstructions = 0;
    this.#threadBytes = 0;
    this.#productCycles = this.#multiplying = 0;
  }

  passesOver(): void {
    this.#recorder.passesOver();
  }

  forgets(): void {}

  executes(warp: Warp, at: number, mask: number): void {
    if (warp.ahead.look !== null || warp.shadow.isRunning) return;
    const state = this.#stateOf(warp);
    const steps = warp.steps.length;
    // A warp that waits executes its instruction again.
    if (at === state.last && steps === state.steps) return;
    const begin = state.now;
    const times = this.#timesOf(warp.program.code);
    if (state.last >= 0 && times[state.last]!.isOperation) state.floor = begin;
    const { branchCycles } = this.#costs;
    if (state.last >= 0 && at !== state.last + 1 && times[state.last]!.isBranch)
      state.now += branchCycles;
    this.instructions++;
    if (!times[at]!.isPriced) {
      this.#unpriced.add(warp.instruction.opcode);
      this.#unpricedInstructions++;
    }
    if (times[at]!.isUnitCopy) state.copies = true;
    if (times[at]!.multiplying > 0) {
      state.multiplies = true;
      this.#productCycles += times[at]!.demand.cycles;
      this.#multiplying += times[at]!.multiplying;
    }
    this.#threadBytes += times[at]!.globalBytes * lanesOf(mask).length;
    if (times[at]!.isArithmetic) this.#hasArithmetic = true;
    this.#recorder.executes(warp, at, mask, times);
    this.#issue(state, times[at]!);
    state.last = at;
    state.steps = steps;
    state.cycles[steps] = (state.cycles[steps] ?? 0) + state.now - begin;
  }

  /** What the times rest on, for a run of some blocks. */
  timingOf(blocks: number, copiedBytes: number): Own {
    return {
      unpriced: [...this.#unpriced].toSorted(),
      hasArithmetic: this.#hasArithmetic,
      work: {
        blocks,
        instructions: this.instructions,
        unpricedInstructions: this.#unpricedInstructions,
        copiedBytes,
        threadBytes: this.#threadBytes,
        multiplyingShare: this.#productCycles > 0 ? this.#multiplying / this.#productCycles : 1,
      },
    };
  }

  /** What a clock of the warp says. */
  clockOf(warp: Warp): number {
    return Math.floor(this.#stateOf(warp).now);
  }

  /** The cycles before each step of all warps that were timed. */
  cyclesOf(): ReadonlyMap<Step, number> {
    const all = new Map<Step, number>();
    for (const [{ steps }, { cycles }] of this.#warps)
      for (const [index, step] of steps.entries()) all.set(step, cycles[index] ?? 0);
    return all;
  }

  #issue(state: WarpTime, time: InstructionTime): void {
    const { ready } = state;
    const { predicateCycles, aluCycles } = this.#costs;
    let from = state.now;
    if (time.isCopy && !time.isBranch && !time.isSignal) return pass(ready, time, 0);
    if (time.isAhead && state.multiplies && state.copies) {
      pass(ready, time, state.branchedAt);
      state.now += time.demand.slots;
      return;
    }
    let addressAt = 0;
    for (const register of time.reads) {
      addressAt = Math.max(addressAt, ready[register]!);
      if (time.isLoad) continue;
      const at =
        ready[register]! +
        (time.isBranch && ready[register]! > 0 ? predicateCycles - aluCycles : 0);
      if (at > from) from = at;
    }
    if (time.isSignal && state.loaded > from) from = state.loaded;
    // A load is issued as early as its address is there: ptxas moves it up.
    const start = time.isLoad ? Math.min(from, Math.max(state.floor, addressAt)) : from;
    const end = start + time.latency;
    for (const register of time.writes) ready[register] = end;
    if (time.isLoad) state.loaded = Math.max(state.loaded, end);
    state.now = from + time.issue;
    if (time.isBranch) state.floor = state.branchedAt = state.now;
  }

  #stateOf(warp: Warp): WarpTime {
    const known = this.#warps.get(warp);
    if (known !== undefined) return known;
    const ready = new Float64Array(warp.program.code.registers.length + 1);
    const [now, loaded, floor, branchedAt, steps] = [0, 0, 0, 0, 0];
    const duties = { multiplies: false, copies: false };
    const state = { now, ready, loaded, floor, branchedAt, ...duties, last: -1, steps, cycles: [] };
    this.#warps.set(warp, state);
    return state;
  }

  #timesOf(code: PtxFunction): ReturnType<typeof timesOf> {
    const known = this.#codes.get(code);
    if (known !== undefined) return known;
    const times = timesOf(code, this.#costs);
    this.#codes.set(code, times);
    return times;
  }
}
