// Gives equal keys the same small integer, so that hot loops compare numbers instead of data.

/** Maps keys to 0, 1, 2 … in order of first appearance. */
export class Interner {
  readonly #ids = new Map<string, number>();

  /** How many different keys were seen. */
  get size(): number {
    return this.#ids.size;
  }

  /** The id of `key`, a new one if it was never seen. */
  intern(key: string): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(key, id);
    return id;
  }
}
