// The sizes that a program uses, beside those that were measured: what a prediction extrapolates.
import { grouped } from '@poundlock/core/internal/base';
import type { Unit } from '@poundlock/core/internal/op';
import type { Program } from '@poundlock/core/internal/program';
import type { Costs } from './model.ts';

/** Bytes of the copies of the measured programs. */
const COPIES = { least: 1024, most: 32_768 };
/** The most stages of a ring of theirs. */
const MOST_STAGES = 8;
/** Of their work, m64n64k16 to m64n256k16, each takes a multiple of so many cycles. */
const WORK_CYCLES = 32;
/** The work of a wgmma is N / 2 cycles, and its N is a multiple of 8. */
const SHAPE_CYCLES = 4;
/** Operations of 16 bits in a cycle of an SM. */
const HOPPER = 4096;

/** Gathers sizes while the operations of a program become known. */
export class Regime {
  #leastCopy = Infinity;
  #mostCopy = 0;
  readonly #work = new Set<number>();
  /** Units by number. */
  readonly units = new Set<number>();

  /** Work of a unit by its number. */
  uses(unit: number): void {
    this.units.add(unit);
  }

  /** A copy of so many bytes. */
  copies(bytes: number): void {
    if (bytes === 0) return;
    this.#leastCopy = Math.min(this.#leastCopy, bytes);
    this.#mostCopy = Math.max(this.#mostCopy, bytes);
  }

  /** An instruction of the tensor core that says how long it works. */
  multiplies(cycles: number): void {
    if (cycles > 0) this.#work.add(cycles);
  }

  /** What is outside of what was measured. */
  strangers(stages: number): string[] {
    const strangers: string[] = [];
    if (this.#leastCopy < COPIES.least) strangers.push(`copies of ${grouped(this.#leastCopy)} B`);
    if (this.#mostCopy > COPIES.most) strangers.push(`copies of ${grouped(this.#mostCopy)} B`);
    if (stages > MOST_STAGES) strangers.push(`${stages} stages`);
    const work = [...this.#work]
      .filter((cycles) => cycles % WORK_CYCLES > 0)
      .toSorted((a, b) => a - b);
    if (work.length > 0)
      strangers.push(`tensor-core work of ${work.map(grouped).join(', ')} cycles`);
    return strangers;
  }

  /** Work that takes so long as no number of wgmma does. */
  get oddWork(): number[] {
    return [...this.#work].filter((cycles) => cycles % SHAPE_CYCLES !== 0);
  }
}

/** What no tensor core of a Hopper GPU does; a kernel from PTX has only what there is. */
export function impossibleWork(regime: Regime, { kernel }: Program, costs: Costs): string[] {
  if (costs.mmaFlopsPerCycle !== HOPPER || kernel.reference !== undefined) return [];
  return regime.oddWork.map((cycles) => {
    const shapes = 'm64nNk16 takes N / 2, and N is a multiple of 8 up to 256';
    return `no wgmma works for ${cycles} cycles: ${shapes}`;
  });
}

/** Units that no Hopper GPU has, nor any that was measured. */
export function missingUnits(regime: Regime, units: readonly Unit[], costs: Costs): string[] {
  const isUsed = [...regime.units].some((unit) => TCGEN05.test(units[unit]!.name));
  if (costs.mmaFlopsPerCycle !== HOPPER || !isUsed) return [];
  return ['the GPU has no tcgen05: it is priced as wgmma, and b200 has its public figures'];
}

const TCGEN05 = /^tcgen05\b/;
