// Named and cluster barriers in a certificate: all arrivals must belong to one generation (M).
import type { Condition } from './barrier-history.ts';
import type { Knowledge, SetId } from './knowledge.ts';
import type { Lack } from './run-place.ts';

interface Generation {
  readonly current: SetId;
  readonly previous: SetId;
  /** What all arrivals of the open generation know. */
  readonly open: SetId;
  /** The roles of the open generation, and of the last one: for findings alone. */
  now: number[];
  last: readonly number[];
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
    const { previous, current, open, now } = this.#of(key);
    if (!know.knows(role, previous)) return 'M';
    know.event(role);
    know.join(open, role);
    know.put(current, role);
    now.push(role);
    return null;
  }

  /** The arrivals of the generation before that a role does not know. */
  lackOf(key: number, role: SetId): Lack {
    return { row: role, list: this.#of(key).previous };
  }

  /** The roles that arrived in the generation before. */
  before(key: number): readonly number[] {
    return this.#of(key).last;
  }

  /** The generation is full: every role that waited knows all arrivals. */
  complete(key: number, waited: readonly SetId[]): void {
    const know = this.#know;
    const generation = this.#of(key);
    const { previous, current, open } = generation;
    for (const role of waited) know.join(role, open);
    know.flow(current, previous);
    know.copy(previous, current);
    know.clear(current);
    know.clear(open);
    generation.last = generation.now;
    generation.now = [];
  }

  #of(key: number): Generation {
    const known = this.#generations.get(key);
    if (known !== undefined) return known;
    const know = this.#know;
    const generation: Generation = {
      current: know.addList(),
      previous: know.addList(),
      open: know.addRow(),
      now: [],
      last: [],
    };
    this.#generations.set(key, generation);
    return generation;
  }
}
