// Arrivals at barriers of other CTAs of a cluster, which are visible there later than at home.
import type { Instruction, Machine } from '@poundlock/core/internal/machine';
import { CATALOGUE } from '@poundlock/core/internal/op';
import type { Program } from '@poundlock/core/internal/program';
import type { Actor } from './actor.ts';
import type { Costs } from './model.ts';

/**
 * When phases are visible to the CTA of their barrier. The machine counts an arrival when it is
 * made; who waits for it sees the phase when its latest arrival has crossed the cluster.
 */
export class Reaches {
  readonly #ctas: number;
  readonly #remoteCycles: number;
  /** By barrier: when the latest arrival of the current phase is visible. */
  readonly #latest: Float64Array;
  /** By barrier: when its last phase is visible. */
  readonly visibleAt: Float64Array;

  constructor(program: Program, { remoteArriveCycles }: Costs) {
    const barriers = program.declarations.barriers.length * program.ctas;
    this.#ctas = program.ctas;
    this.#remoteCycles = remoteArriveCycles;
    this.#latest = new Float64Array(barriers);
    this.visibleAt = new Float64Array(barriers);
  }

  /** An operation was performed at `time`, and may have arrived at barriers. */
  arrived({ kind, barriers, cta }: Instruction, time: number, machine: Machine): void {
    if (CATALOGUE[kind]!.cost !== 'arrive') return;
    for (const barrier of barriers) {
      const isRemote = barrier % this.#ctas !== cta;
      const seen = isRemote ? time + this.#remoteCycles : time;
      if (seen > this.#latest[barrier]!) this.#latest[barrier] = seen;
      if (machine.hasCompleted) this.visibleAt[barrier] = this.#latest[barrier]!;
    }
  }

  /** A copy or a commit has completed a phase at `time`. */
  completed(barrier: number, time: number): void {
    this.visibleAt[barrier] = Math.max(time, this.#latest[barrier]!);
  }

  /** Whether a role sees the last phase of a barrier; else its time becomes when it does. */
  isVisible(barrier: number, actor: Actor): boolean {
    if (barrier < 0 || this.visibleAt[barrier]! <= actor.at) return true;
    actor.at = this.visibleAt[barrier]!;
    return false;
  }
}
