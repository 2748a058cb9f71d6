// The private values of a role besides its step: stages of registers, counts, allocations.

/** Small private values by name. Immutable; a change returns a new memory. */
export class Memory {
  readonly key: string;
  readonly #values: ReadonlyMap<string, number>;

  constructor(values: ReadonlyMap<string, number> = new Map()) {
    this.#values = values;
    const known = [...values].filter(([, value]) => value !== 0);
    this.key = known
      .map(([name, value]) => `${name}=${value}`)
      .toSorted()
      .join(' ');
  }

  get(name: string): number {
    return this.#values.get(name) ?? 0;
  }

  with(name: string, value: number): Memory {
    return new Memory(new Map(this.#values).set(name, value));
  }
}
