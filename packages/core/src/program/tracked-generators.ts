// Generator methods of a library whose result has to be performed, as an operation has to be.
import { closeMembers } from '../base/index.ts';
import type { Op } from '../op/index.ts';
import { created } from './operation.ts';
import type { PendingOperations, Performable } from './pending-operations.ts';

type Steps = Generator<Op, unknown, number>;
type Method = (this: unknown, ...args: unknown[]) => Steps;

/** What such a method returns. `yield*` starts the generator itself, so that no step is slower. */
class TrackedGenerator implements Performable, Iterable<Op, unknown, number> {
  readonly call: string;
  pending = 0;
  creator: PendingOperations | null = null;
  readonly #steps: Steps;

  constructor(call: string, steps: Steps) {
    this.call = call;
    this.#steps = steps;
  }

  [Symbol.iterator](): Steps {
    if (this.pending > 0) this.creator!.perform(this);
    return this.#steps;
  }
}

/**
 * Makes what the generator methods of a class return operations of the role: one that is created
 * and never performed is a finding (P13). A generator that is never started runs nothing, so its
 * creation is noted where the method is called. Private methods are the library's own. The members
 * of the class are a closed list from then on: see {@link closeMembers}.
 *
 * @example
 * const Gate = class {
 *   *pass() {
 *     yield* waitParity(bar, 0);
 *   }
 * };
 * trackGenerators(Gate);
 * arrive(bar);
 * yield* new Gate().pass();
 */
export function trackGenerators(library: { readonly prototype: object }): void {
  closeMembers(library.prototype);
  for (const holder of [library, library.prototype]) {
    const properties = Object.entries(Object.getOwnPropertyDescriptors(holder));
    for (const [name, { value, ...rest }] of properties) {
      if (!isGeneratorFunction(value)) continue;
      Object.defineProperty(holder, name, { ...rest, value: tracked(`${name}()`, value) });
    }
  }
}

function tracked(call: string, method: Method): (...args: unknown[]) => unknown {
  return function (this: unknown, ...args) {
    return created(new TrackedGenerator(call, method.apply(this, args)));
  };
}

function isGeneratorFunction(value: unknown): value is Method {
  return typeof value === 'function' && value.constructor.name === 'GeneratorFunction';
}
