// Barriers whose bytes are also memory: data that lies in them has to be ordered with their uses
// (I05). The others need no memory.
import type { ReferenceRun } from '../steps/run.ts';
import type { Ranges, Step } from '../steps/step.ts';

/** Bytes of an mbarrier. */
const BARRIER_BYTES = 8;

/** Which barriers of a run have bytes that are accessed as data. */
export class BarrierBytes {
  readonly #shared = new Set<number>();
  /** The addresses of all barriers, in order. */
  readonly #barriers: readonly number[];

  constructor({ warps }: ReferenceRun) {
    const addresses = new Set<number>();
    for (const { steps } of warps) addInitialized(steps, addresses);
    this.#barriers = [...addresses].toSorted((one, other) => one - other);
    if (this.#barriers.length === 0) return;
    for (const { steps } of warps) for (const step of steps) this.#visit(step);
  }

  /** Whether data lies in the bytes of a barrier. */
  areData(barrier: number): boolean {
    return this.#shared.has(barrier);
  }

  #visit(step: Step): void {
    if (step.op === 'last') return step.steps.forEach((each) => this.#visit(each));
    if (step.op !== 'access' && step.op !== 'use' && step.op !== 'copy') return;
    this.#touch(step.reads);
    this.#touch(step.writes);
  }

  readonly #seen = new Set<Ranges>();

  #touch(ranges: Ranges): void {
    if (ranges.length === 0 || this.#seen.has(ranges)) return;
    this.#seen.add(ranges);
    const first = this.#barriers[0]!;
    const end = this.#barriers.at(-1)! + BARRIER_BYTES;
    for (let at = 0; at < ranges.length; at += 2) {
      const [from, to] = [ranges[at]!, ranges[at + 1]!];
      if (to <= first || from >= end) continue;
      for (const barrier of this.#barriers)
        if (from < barrier + BARRIER_BYTES && barrier < to) this.#shared.add(barrier);
    }
  }
}

function addInitialized(steps: readonly Step[], addresses: Set<number>): void {
  for (const step of steps) {
    if (step.op === 'last') addInitialized(step.steps, addresses);
    if (step.op === 'init') addresses.add(step.barrier);
  }
}

/** The bytes of a barrier as a range. */
export function bytesOf(barrier: number): Ranges {
  return [barrier, barrier + BARRIER_BYTES];
}
