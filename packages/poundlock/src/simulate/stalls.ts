// Why a role stands still: its causes, and how the barriers of a program tell them apart.
import { OpKind } from '@poundlock/core/internal/op';
import type { Program } from '@poundlock/core/internal/program';
import type { Performed } from './observer.ts';

/** Waiting for data, for space, or for an asynchronous unit. */
export const CAUSES = ['full', 'empty', 'unit'] as const;
export type StallCause = (typeof CAUSES)[number];

const SPACE = /empty|free|avail/i;

/** Says what a wait of a program waits for. */
export class StallCauses {
  /** By declared barrier: whether waiting for it is waiting for space. */
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
    if (kind === OpKind.waitGroup || kind === OpKind.asyncUse) return 'unit';
    return kind === OpKind.alloc ? 'empty' : 'full';
  }
}
