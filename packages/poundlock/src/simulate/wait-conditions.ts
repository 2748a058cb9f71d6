// What an operation waits for, asked of the machine: the simulation adds no semantics of its own.
import type { Instruction, Machine } from '@poundlock/core/internal/machine';
import { ASSUMED, OpKind } from '@poundlock/core/internal/op';
import type { Registers } from '@poundlock/core/internal/system';

/** Whether an operation polls a barrier until its phase has completed. */
export function isWait(kind: OpKind): boolean {
  return kind === OpKind.wait || kind === OpKind.waitParity || kind === OpKind.waitStage;
}

/** Asks the machine and the registers, as `system` does (R02, M07, M08). */
export class Tests {
  readonly #machine: Machine;
  readonly #registers: Registers;

  constructor(machine: Machine, registers: Registers) {
    this.#machine = machine;
    this.#registers = registers;
  }

  /** Whether an operation can proceed; tries always can. */
  isEnabled(words: Int32Array, instruction: Instruction): boolean {
    switch (instruction.kind) {
      case OpKind.waitStage:
        return instruction.count === ASSUMED || this.#stagePasses(words, instruction);
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
        return true;
      default:
        return this.#machine.enabled(words, instruction);
    }
  }

  /** Whether a try or a claim would succeed. */
  isReady(words: Int32Array, instruction: Instruction): boolean {
    if (instruction.kind !== OpKind.tryWait) return this.#stagePasses(words, instruction);
    return this.#machine.passes(words, instruction.target, instruction.value);
  }

  /** The physical barrier that a wait or a try tests, −1 for every other operation. */
  barrierOf(words: Int32Array, instruction: Instruction): number {
    switch (instruction.kind) {
      case OpKind.waitStage:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
        return this.#registers.wantedBarrier(words, instruction);
      case OpKind.wait:
      case OpKind.waitParity:
      case OpKind.tryWait:
        return instruction.target;
      default:
        return -1;
    }
  }

  #stagePasses(words: Int32Array, instruction: Instruction): boolean {
    const barrier = this.#registers.wantedBarrier(words, instruction);
    const phase = this.#registers.wantedPhase(words, instruction);
    return this.#machine.passes(words, barrier, phase);
  }
}
