// A try that is not repeated: the warp goes on as if its answer were no, and a shadow of it as if
// it were yes. Both have to do the same, but for the wait of the same phase that the shadow leaves
// out, until they are equal again. Then the answer decides nothing.
import { isPhaseWait } from '../../isa/questions.ts';
import { readsOf, registersIn } from '../../flow/liveness.ts';
import type { Barrier } from '../machine/barriers.ts';
import { LANES } from '../../values/register-file.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import type { GlobalAccess } from './global-lanes.ts';
import type { LocalMemory } from './local-memory.ts';
import type { SimtStack } from './stack.ts';
import { forget, OF_LANES } from './varying.ts';
import type { Warp } from './warp.ts';

/** The most instructions that others can observe from a try to where its answer is forgotten. */
const MAX_OPERATIONS = 4096;

/** What changes as a warp executes instructions that no other warp can observe. */
export interface WarpState {
  registers: RegisterFile;
  local: LocalMemory;
  stack: SimtStack;
  clock: number;
}

/** What a look ahead searches for: the same try again, or the same load of the same words. */
export interface LookAhead {
  readonly at: number;
  readonly barrier: number;
  readonly parity: number;
  /** The access of global memory; missing for a try. */
  readonly access?: GlobalAccess;
  isFound: boolean;
  /** Whether a fence was executed. */
  isFenced?: boolean;
  /** Where the same phase is tried, there or elsewhere. */
  triedAt?: number;
  /** The access that is made again. */
  again?: GlobalAccess;
}

/** A try: the mbarrier and the phase that it asks for. */
export interface Try {
  readonly at: number;
  readonly barrier: number;
  readonly parity: number;
  readonly state: Barrier;
}

/** A try whose answer is open. */
export class Peek {
  readonly try: Try;
  readonly shadow: WarpState;
  /** The register of the answer. */
  readonly result: number;
  /** The phase that the warp had waited for last. */
  readonly #last: number;
  #operations = 0;
  /** The wait for the phase that the try asks for; -1 before it. */
  #waitedAt = -1;
  #waitedMask = 0;
  /** Whether the shadow is at the instruction that the warp executes, with the same inputs. */
  #isAlike = false;

  constructor(attempt: Try, shadow: WarpState, result: number, last: number) {
    this.try = attempt;
    this.shadow = shadow;
    this.result = result;
    this.#last = last;
  }

  /** Brings the shadow to the instruction that the warp executes; whether it comes there alike. */
  #come(warp: Warp, at: number): void {
    this.#advance(warp, at);
    this.#isAlike = this.#isAt(warp, at, warp.stack.mask);
  }

  #advance(warp: Warp, at: number): void {
    warp.shadow.run(this.shadow);
    if (
      this.#waitedAt >= 0 &&
      this.#waitedAt !== at &&
      this.#isAt(warp, this.#waitedAt, this.#waitedMask)
    ) {
      // The shadow makes the wait, too.
      const { registers, stack } = this.shadow;
      for (const register of warp.program.destinations[this.#waitedAt]!)
        registers.copyFrom(register, warp.registers);
      stack.counter = this.#waitedAt + 1;
      warp.shadow.run(this.shadow);
    }
  }

  /** Whether the shadow is at an instruction with the inputs that the warp has. */
  #isAt(warp: Warp, at: number, mask: number): boolean {
    const { stack, registers } = this.shadow;
    return (
      stack.depth > 0 &&
      stack.counter === at &&
      stack.mask === mask &&
      readsOf(warp.program.code.instructions[at]!).every((register) =>
        registers.isEqualIn(register, warp.registers, stack.mask),
      )
    );
  }

  /**
   * Before the warp executes an instruction that others can observe.
   *
   * @returns Whether warp and shadow are equal, so that the answer is forgotten.
   */
  isForgotten(warp: Warp, at: number): boolean {
    // A try may be the wait that the shadow leaves out: the shadow does not go on before it.
    if (isPhaseWait(warp.program.code.instructions[at]!)) return false;
    this.#come(warp, at);
    return this.#isAlike && this.#isStateEqual(warp);
  }

  #isStateEqual(warp: Warp): boolean {
    const { registers, local, stack } = this.shadow;
    if (!stack.equals(warp.stack) || !local.equals(warp.local)) return false;
    for (const counter of stack.counters())
      for (const register of registersIn(warp.program.liveBefore(counter)))
        if (!registers.isEqualIn(register, warp.registers, warp.lanes)) return false;
    return true;
  }

  /** What has become of the answer after an instruction that others can observe. */
  after(warp: Warp, at: number): 'open' | 'forgotten' | 'decisive' {
    const step = warp.steps.at(-1);
    const { barrier, parity, state } = this.try;
    const isWait =
      step?.op === 'wait' && step.at === at && step.barrier === barrier && step.parity === parity;
    if (isWait) {
      // A phase further on: the try may say yes for an older one with the same parity.
      if (state.phase - 1 > this.#last + 1) warp.machine.assumeNext(this.try.at);
      this.shadow.clock = warp.progress.clock;
      this.#waitedAt = at;
      this.#waitedMask = warp.stack.mask;
      return 'open';
    }
    const isOther = isPhaseWait(warp.program.code.instructions[at]!);
    if (isOther) this.#come(warp, at);
    if (!this.#isAlike || ++this.#operations > MAX_OPERATIONS) return 'decisive';
    const { registers, stack } = this.shadow;
    for (const register of warp.program.destinations[at]!)
      registers.copyFrom(register, warp.registers);
    if (isOther && this.#isStateEqual(warp)) return 'forgotten';
    stack.counter = at + 1;
    return 'open';
  }

  /**
   * Makes what still differs unknown, in the warp and in a state that begins as a copy of it, so
   * that it stands for both answers; `false` if they are at different places.
   */
  widen(warp: Warp, begun: WarpState, except: number): boolean {
    const { registers, local, stack } = this.shadow;
    if (!stack.equals(warp.stack)) return false;
    const differing = new Set<number>();
    for (const counter of stack.counters())
      for (const register of registersIn(warp.program.liveBefore(counter)))
        if (!registers.isEqualIn(register, warp.registers, warp.lanes)) differing.add(register);
    if (differing.has(except)) return false;
    forget(warp, [...differing], warp.lanes, this.try.at, OF_LANES);
    for (const register of differing) begun.registers.copyFrom(register, warp.registers);
    const { machine } = warp;
    for (const [key, bytes] of local.differences(warp.local))
      warp.local.forgetAt(Math.floor(key / LANES), key % LANES, bytes, machine.fresh());
    begun.local = warp.local.copy();
    return true;
  }

  /** Whether the shadow ends, too, without anything that others can observe. */
  hasEnded(warp: Warp): boolean {
    this.#advance(warp, -1);
    return this.shadow.stack.depth === 0;
  }
}
