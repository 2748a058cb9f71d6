// What each operation costs a role: time before its effect is seen, and all that it takes.
import type { Instruction } from '../machine/index.ts';
import { CATALOGUE, OpKind } from '../op/index.ts';
import type { Costs } from './model.ts';

/** The prices of a model, by kind of operation, for roles that go through millions of them. */
export class Prices {
  readonly #costs: Costs;
  /** By kind: from its start to its effect, and from its effect to the next operation. */
  readonly #before = new Float64Array(CATALOGUE.length);
  readonly #after = new Float64Array(CATALOGUE.length);

  constructor(costs: Costs) {
    this.#costs = costs;
    for (const [kind, { cost }] of CATALOGUE.entries()) {
      const [before, after] = this.#ofHook(cost);
      this.#before[kind] = before;
      this.#after[kind] = after;
    }
    // They touch nothing outside the role's registers, or only check what others did.
    for (const kind of [OpKind.read, OpKind.write, OpKind.fence]) this.#after[kind] = 0;
    this.#before[OpKind.waitGroup] = 0;
    this.#after[OpKind.waitGroup] = 0;
    this.#after[OpKind.commit] = 0;
  }

  /** From coming to an operation to its effect. */
  before(instruction: Instruction): number {
    return this.#before[instruction.kind]!;
  }

  /** From an operation's effect to the next operation. */
  after(instruction: Instruction): number {
    const isExpect = instruction.kind === OpKind.arrive && instruction.bytes > 0;
    if (isExpect) return this.#costs.expectCycles - this.#costs.arriveCycles;
    return this.#after[instruction.kind]!;
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
