// Causes of stalls, classified by the barrier or unit that a role waits for.
import type { StallCause } from '@poundlock/core/internal/finding';
import { OpKind, type PostedKind, type SilentKind } from '@poundlock/core/internal/op';
import type { Program } from '@poundlock/core/internal/program';
import type { Performed } from './observer.ts';

/** Waiting for data, for space, or for an asynchronous unit. */
export const CAUSES = ['full', 'empty', 'unit'] as const satisfies readonly StallCause[];

const SPACE = /empty|free|avail/i;

/** Classifies the waits of a program. */
export class StallCauses {
  /** By declared barrier: whether a wait for it is a wait for space. */
  readonly #isSpace: readonly boolean[];
  readonly #ctas: number;

  constructor(program: Program) {
    const { barriers, rings } = program.declarations;
    const ofRing = new Set(rings.flatMap((ring) => ring.empty));
    const filled = new Set(rings.flatMap((ring) => ring.full));
    this.#isSpace = barriers.map(
      ({ name }, id) => ofRing.has(id) || (!filled.has(id) && SPACE.test(name)),
    );
    this.#ctas = program.ctas;
  }

  causeOf({ instruction, barrier }: Pick<Performed, 'instruction' | 'barrier'>): StallCause {
    if (barrier >= 0) return this.#isSpace[Math.floor(barrier / this.#ctas)]! ? 'empty' : 'full';
    const { kind } = instruction;
    switch (kind) {
      case OpKind.waitGroup:
      case OpKind.asyncUse:
        return 'unit';
      case OpKind.alloc:
      case OpKind.takeRegisters:
        return 'empty';
      case OpKind.wait:
      case OpKind.waitParity:
      case OpKind.waitStage:
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
      case OpKind.syncNamed:
      case OpKind.syncCluster:
      case OpKind.waitCluster:
      case OpKind.waitGrids:
      case OpKind.load:
      case OpKind.fetchAdd:
      case OpKind.choose:
      case OpKind.join:
        return 'full';
      default:
        return neverStalls(kind);
    }
  }
}

/** Posted operations never wait for other roles: an apparent stall is a rounding error. */
function neverStalls(_kind: PostedKind | SilentKind): StallCause {
  return 'full';
}
