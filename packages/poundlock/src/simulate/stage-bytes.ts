// How much shared memory the stages of a kernel take, where no buffer declares its size.
import { OpKind } from '@poundlock/core/internal/op';
import type { Program } from '@poundlock/core/internal/program';
import type { Observer, Performed } from './observer.ts';

const ignore = (): void => undefined;

/**
 * Follows what producers expect: for each ring and CTA, the most bytes of an arrival at a full
 * barrier. Where one CTA expects the bytes of several, such as the leader of a pair, each has its
 * share.
 */
export class StageBytes implements Observer {
  readonly #program: Program;
  /** The ring of each barrier that says when a stage is full. */
  readonly #ringOf = new Map<number, number>();
  readonly #most: Float64Array;
  readonly started = ignore;
  readonly computed = ignore;
  readonly ended = ignore;
  readonly flightIssued = ignore;
  readonly flightCompleted = ignore;
  readonly phaseCompleted = ignore;

  constructor(program: Program) {
    this.#program = program;
    const { rings } = program.declarations;
    for (const [ring, { full }] of rings.entries())
      for (const barrier of full) this.#ringOf.set(barrier, ring);
    this.#most = new Float64Array(rings.length * program.ctas);
  }

  performed({ instruction }: Readonly<Performed>): void {
    if (instruction.kind !== OpKind.arrive || instruction.bytes === 0) return;
    const { ctas } = this.#program;
    for (const id of instruction.barriers) {
      const ring = this.#ringOf.get(Math.floor(id / ctas));
      if (ring === undefined) continue;
      const at = ring * ctas + (id % ctas);
      this.#most[at] = Math.max(this.#most[at]!, instruction.bytes);
    }
  }

  /** Bytes of a stage of each ring in a CTA: as they are declared, or as they were expected. */
  ofStages(): number[] {
    const { ctas, declarations } = this.#program;
    return declarations.rings.map(({ group, stageBytes: declared }, ring) => {
      // A copy shares the memory of its original.
      if (group !== ring) return 0;
      const row = this.#most.subarray(ring * ctas, (ring + 1) * ctas);
      const ofCluster = row.reduce((total, bytes) => total + bytes, 0);
      return Math.max(declared, Math.ceil(ofCluster / ctas));
    });
  }

  /** Bytes of all stages of a CTA. */
  ofCta(): number {
    const { rings } = this.#program.declarations;
    return this.ofStages().reduce((sum, bytes, ring) => sum + rings[ring]!.stages * bytes, 0);
  }
}
