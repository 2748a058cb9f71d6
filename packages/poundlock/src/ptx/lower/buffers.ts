// The buffers of a plan: one for each piece of memory, or one for each agent of a shared piece.
import type { ReferenceRun } from '../steps/run.ts';
import { offsetOf, rankOf, TENSOR_MEMORY } from '../steps/step.ts';
import type { Agent, Piece } from './pieces.ts';
import type { Action, Plan, Uses } from './plan.ts';

/** A buffer that the kernel declares. */
export interface PlannedBuffer {
  readonly name: string;
  readonly bytes: number;
}

/** A buffer, by its index among the declared ones, in a CTA. */
export interface BufferPlace {
  readonly buffer: number;
  readonly rank: number;
}

/** Buffers that an action reads and writes. */
export interface Touched {
  readonly reads: readonly BufferPlace[];
  readonly writes: readonly BufferPlace[];
}

const UNTOUCHED: Touched = { reads: [], writes: [] };

/** The buffers of all actions of a plan. */
export class PlannedBuffers {
  readonly buffers: PlannedBuffer[] = [];
  readonly #byName = new Map<string, number>();
  readonly #touched = new Map<Action, Touched>();
  readonly #run: ReferenceRun;
  readonly #roles: readonly string[];

  constructor(plan: Plan, run: ReferenceRun) {
    this.#run = run;
    this.#roles = plan.roles.map(({ name }) => name);
    for (const { actions } of plan.roles)
      for (const action of actions) {
        const touched = this.#touch(action);
        if (touched !== UNTOUCHED) this.#touched.set(action, touched);
      }
  }

  /** What an action reads and writes. */
  of(action: Action): Touched {
    return this.#touched.get(action) ?? UNTOUCHED;
  }

  #touch(action: Action): Touched {
    if (action.kind !== 'access' && action.kind !== 'use' && action.kind !== 'copy')
      return UNTOUCHED;
    const writes = this.#places(action.writes);
    const reads = this.#places(action.reads);
    if (action.kind !== 'access') return { reads, writes };
    // A write includes the read.
    const isWritten = (place: BufferPlace): boolean =>
      writes.some(({ buffer, rank }) => buffer === place.buffer && rank === place.rank);
    return { reads: reads.filter((place) => !isWritten(place)), writes };
  }

  #places({ sets, agent }: Uses): BufferPlace[] {
    const pieces = new Set(sets.flatMap((set) => set.pieces));
    return [...pieces].flatMap((piece) =>
      this.#owners(piece, agent).map((suffix) => ({
        buffer: this.#index(piece, suffix),
        rank: rankOf(piece.address),
      })),
    );
  }

  /** Suffixes of the buffers of a piece that an agent touches. */
  #owners({ compatible }: Piece, agent: Agent): readonly string[] {
    if (compatible.length === 0) return [''];
    const owners = compatible.includes(agent) ? [agent] : compatible;
    return owners.map((owner) => `@${this.#roles[owner] ?? owner}`);
  }

  #index(piece: Piece, suffix: string): number {
    const name = `${this.#nameOf(piece)}${suffix}`;
    let index = this.#byName.get(name);
    if (index === undefined) {
      index = this.buffers.length;
      this.#byName.set(name, index);
      this.buffers.push({ name, bytes: piece.bytes });
    }
    return index;
  }

  /** Pieces at the same offset of several CTAs are one declaration. */
  #nameOf({ address, bytes }: Piece): string {
    const offset = offsetOf(address);
    if (offset >= TENSOR_MEMORY) return `tmem[${(offset - TENSOR_MEMORY) / 4}]/${bytes}`;
    return `${this.#run.nameOf(offset).replace(/^cta\d+\./, '')}/${bytes}`;
  }
}
