// What operations answer that the machine does not compute: by registers, and by chance.
import { unreachable } from '@poundlock/core/internal/base';
import { Fault, type Instruction, type Machine } from '@poundlock/core/internal/machine';
import { isTry, OpKind } from '@poundlock/core/internal/op';
import type { Registers, WaitConditions } from '@poundlock/core/internal/system';
import type { Actor } from './actor.ts';
import type { DecidedKind } from './effect.ts';
import type { Random } from './random.ts';

/** What answers are looked up in. */
export interface AnswerSources {
  readonly machine: Machine;
  readonly words: Int32Array;
  readonly registers: Registers;
  readonly waits: WaitConditions;
  readonly random: Random;
  /** The tries of a row that may fail. */
  readonly most: number;
}

/** Answers the operations of the roles of a run. */
export class Answers {
  readonly #from: AnswerSources;

  constructor(from: AnswerSources) {
    this.#from = from;
  }

  /** M08, P07: whether a wait passes. A try returns at once; a poll waits until it succeeds. */
  passes({ failedTry, misses }: Actor, instruction: Instruction, isPoll: boolean): boolean {
    const isRow = failedTry === instruction && misses >= this.#from.most;
    if (isTry(instruction.kind) && !isPoll && !isRow) return true;
    return this.#from.waits.passes(this.#from.words, instruction);
  }

  /** Performs an operation that a simulation decides. */
  decide(actor: Actor, kind: DecidedKind, instruction: Instruction): number {
    const { machine, registers, words, random } = this.#from;
    machine.fault = Fault.none;
    switch (kind) {
      case OpKind.waitStage:
        return registers.stage(words, instruction);
      case OpKind.choose:
        return random.below(instruction.choices);
      case OpKind.join:
        return 0;
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
        return this.#succeeds(actor, instruction) ? 1 : 0;
      case OpKind.tryClaim:
        return this.#succeeds(actor, instruction) ? registers.claim(words, instruction) : -1;
      default:
        return unreachable(kind);
    }
  }

  #succeeds(actor: Actor, instruction: Instruction): boolean {
    const isReady = this.#from.waits.passes(this.#from.words, instruction);
    actor.misses = actor.failedTry === instruction ? actor.misses + 1 : 1;
    actor.failedTry = isReady ? null : instruction;
    return isReady;
  }
}
