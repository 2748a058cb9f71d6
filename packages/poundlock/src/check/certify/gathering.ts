// Named and cluster barriers in a certificate: all arrivals must belong to one generation (M).
import type { Condition } from './barrier-history.ts';
import type { Knowledge, SetId } from './knowledge.ts';

interface Generation {
  readonly current: SetId;
  readonly previous: SetId;
  /** What all arrivals of the open generation know. */
  readonly open: SetId;
}

/** All named barriers by key, the cluster's as −1. */
export class Gathering {
  readonly #know: Knowledge;
  readonly #generations = new Map<number, Generation>();

  constructor(know: Knowledge) {
    this.#know = know;
  }

  /** M: all arrivals of the generation before come before this one. */
  arrive(key: number, role: SetId): Condition | null {
    const know = this.#know;
    const { previous, current, open } = this.#of(key);
    if (!know.knows(role, previous)) return 'M';
    know.event(role);
    know.join(open, role);
    know.put(current, role);
    return null;
  }

  /** The generation is full: every role that waited knows all arrivals. */
  complete(key: number, waited: readonly SetId[]): void {
    const know = this.#know;
    const { previous, current, open } = this.#of(key);
    for (const role of waited) know.join(role, open);
    know.flow(current, previous);
    know.copy(previous, current);
    know.clear(current);
    know.clear(open);
  }

  #of(key: number): Generation {
    const known = this.#generations.get(key);
    if (known !== undefined) return known;
    const know = this.#know;
    const generation = { current: know.addList(), previous: know.addList(), open: know.addRow() };
    this.#generations.set(key, generation);
    return generation;
  }
}
