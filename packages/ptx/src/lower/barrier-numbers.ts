// The mbarriers of a run: those at one offset of several CTAs are one declaration.
import type { Lack } from '@poundlock/core/internal/program';
import type { ReferenceRun } from '../steps/run.ts';
import { offsetOf } from '../steps/step.ts';
import type { PlannedBarrier } from './plan.ts';

/** Barriers by their offsets within a CTA. */
export class BarrierNumbers {
  readonly barriers: PlannedBarrier[] = [];
  readonly #byOffset = new Map<number, number>();
  readonly #nameOf: (address: number) => string;

  constructor(run: ReferenceRun) {
    this.#nameOf = run.nameOf;
  }

  /** A barrier that no role arrives on: it stands for what a warp waits for in vain. */
  never(name: string, lack: Lack): number {
    return this.barriers.push({ name, count: 1, lack }) - 1;
  }

  of(address: number): number {
    const offset = offsetOf(address);
    let id = this.#byOffset.get(offset);
    if (id === undefined) {
      id = this.barriers.length;
      this.#byOffset.set(offset, id);
      this.barriers.push({ name: barrierName(this.#nameOf(offset)), count: 0, offset });
    }
    return id;
  }
}

/** Bytes of an mbarrier. */
const BARRIER_BYTES = 8;
/** Variables that hold all of a kernel's shared memory: an offset in them is no index. */
const WHOLE = /^(smem|global_smem|dynamic|.*dynamic_smem.*)$/i;

/** `full[1]` for the barrier at `full+8`. */
function barrierName(address: string): string {
  const name = address.replace(/^cta\d+\./, '');
  const [, variable, offset] = /^(.*)\+(\d+)$/.exec(name) ?? [];
  const bytes = Number(offset);
  const isIndex = variable !== undefined && !WHOLE.test(variable) && bytes % BARRIER_BYTES === 0;
  return isIndex ? `${variable}[${bytes / BARRIER_BYTES}]` : name;
}
