// What each operation costs a role: time before its effect is seen, and all that it takes.
import type { Instruction } from '@poundlock/core/internal/machine';
import { CATALOGUE, OpKind } from '@poundlock/core/internal/op';
import type { Costs } from './model.ts';

/** An arrive that expects bytes has a price of its own, behind those of all kinds. */
const EXPECT = CATALOGUE.length;

/** Where the price of an operation stands in {@link Prices.before} and {@link Prices.after}. */
export function priceIndex({ kind, bytes }: Instruction): number {
  return kind === OpKind.arrive && bytes > 0 ? EXPECT : kind;
}

/** The prices of a model, by kind of operation, for roles that go through millions of them. */
export class Prices {
  readonly #costs: Costs;
  /** From coming to an operation to its effect. */
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

  /** A role that works for a time looks at the clock now and then, and so works longer. */
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
