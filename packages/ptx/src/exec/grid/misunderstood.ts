// Why what blocks do with a word of global memory is not understood.

/** Thrown for such a word. */
export class Misunderstood extends Error {
  readonly at: number;
  constructor(at: number, text: string) {
    super(text);
    this.at = at;
  }
}
