// Cost of each operation for a role: the time before its effect, and the time after it.
import type { Instruction } from '@poundlock/core/internal/machine';
import { CATALOGUE, OpKind } from '@poundlock/core/internal/op';
import type { Costs } from './model.ts';

/** Index of the price of an arrive that expects bytes, after those of all kinds. */
const EXPECT = CATALOGUE.length;

/** Index of the price of an operation in {@link Prices.before} and {@link Prices.after}. */
export function priceIndex({ kind, bytes }: Instruction): number {
  return kind === OpKind.arrive && bytes > 0 ? EXPECT : kind;
}

/** The prices of a model in typed arrays by kind of operation, for loops over millions of them. */
export class Prices {
  readonly #costs: Costs;
  /** From reaching an operation to its effect. */
  readonly before = new Float64Array(EXPECT + 1);
  /** From its effect to the next operation. */
  readonly after = new Float64Array(EXPECT + 1);

  constructor(costs: Costs) {
    this.#costs = costs;
    for (const [kind, { cost }] of CATALOGUE.entries()) {
      const [before, after] = this.#ofHook(cost);
      this.before[kind] = before;
      this.after[kind] = after;
    }
    this.before[EXPECT] = costs.arriveCycles;
    this.after[EXPECT] = costs.expectCycles - costs.arriveCycles;
  }

  /** Duration of `compute`: rounded up to whole clock reads, plus an overhead. */
  compute(cycles: number): number {
    if (cycles <= 0) return 0;
    const { spinStepCycles: step, spinOverheadCycles } = this.#costs;
    return (step > 0 ? Math.ceil(cycles / step) * step : cycles) + spinOverheadCycles;
  }

  #ofHook(hook: (typeof CATALOGUE)[number]['cost']): [number, number] {
    const costs = this.#costs;
    switch (hook) {
      case 'issue':
        return [0, costs.issueCycles];
      case 'wait':
        return [costs.waitCycles, costs.wakeCycles];
      case 'arrive':
        return [costs.arriveCycles, 0];
      case 'copy':
        return [0, costs.copyIssueCycles];
      case 'use':
        return [costs.mmaIssueCycles, 0];
      case 'compute':
      case 'none':
        return [0, 0];
    }
  }
}
