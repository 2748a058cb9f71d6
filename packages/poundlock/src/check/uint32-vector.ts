// A growable Uint32Array.

/** A list of numbers below 2³². */
export class Uint32Vector {
  #items = new Uint32Array(1 << 6);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#items.length) {
      const larger = new Uint32Array(this.#items.length * 2);
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.#length++] = value;
  }

  at(index: number): number {
    return this.#items[index]!;
  }
}
