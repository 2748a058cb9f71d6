// When a wait passes and a try succeeds, for every engine.
import type { Instruction, Machine } from '../machine/index.ts';
import { isStageTest, isTest, OpKind, type TestKind } from '../op/index.ts';
import { unreachable } from '../base/index.ts';
import type { Registers } from './registers.ts';

/** Tests of barriers by phase, by parity and by the register of a ring (R02, M07, M08). */
export class WaitConditions {
  readonly #machine: Machine;
  readonly #registers: Registers;

  constructor(machine: Machine, registers: Registers) {
    this.#machine = machine;
    this.#registers = registers;
  }

  /** Whether a wait passes now, a try or a claim would succeed, or the machine can go on. */
  passes(words: Int32Array, instruction: Instruction): boolean {
    switch (instruction.kind) {
      case OpKind.waitStage:
        // R08: a wait that a successful try made needless tests nothing.
        return instruction.isAssumed || this.#stagePasses(words, instruction);
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
        return this.#stagePasses(words, instruction);
      case OpKind.tryWait:
        if (!instruction.isRaw) this.#registers.markAbsolute(instruction.target);
        return this.#machine.enabled(words, instruction);
      // The machine knows every other kind.
      default:
        return this.#machine.enabled(words, instruction);
    }
  }

  #stagePasses(words: Int32Array, instruction: Instruction): boolean {
    const barrier = this.#registers.wantedBarrier(words, instruction);
    const phase = this.#registers.wantedPhase(words, instruction);
    return this.#machine.passes(words, barrier, phase);
  }

  /** The physical barrier that a wait or a try tests, −1 for every other operation. */
  testedBarrier(words: Int32Array, instruction: Instruction): number {
    const { kind } = instruction;
    return isTest(kind) ? this.#tested(words, kind, instruction) : -1;
  }

  /** As {@link testedBarrier}, but −1 for a test of a parity, which wants no phase. */
  wantedBarrier(words: Int32Array, instruction: Instruction): number {
    const { kind, isRaw } = instruction;
    if (!isTest(kind) || kind === OpKind.waitParity || isRaw) return -1;
    return this.#tested(words, kind, instruction);
  }

  #tested(words: Int32Array, kind: TestKind, instruction: Instruction): number {
    switch (kind) {
      case OpKind.waitStage:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
        return this.#registers.wantedBarrier(words, instruction);
      case OpKind.wait:
      case OpKind.tryWait:
        if (!instruction.isRaw) this.#registers.markAbsolute(instruction.target);
        return instruction.target;
      case OpKind.waitParity:
        return instruction.target;
      default:
        return unreachable(kind);
    }
  }

  /** The absolute phase that a wait or a try with a {@link wantedBarrier} wants. */
  wantedPhase(words: Int32Array, instruction: Instruction): number {
    const isOfRing = isStageTest(instruction.kind);
    return isOfRing ? this.#registers.wantedPhase(words, instruction) : instruction.phase;
  }
}
