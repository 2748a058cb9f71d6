// Contents of memory that a recording has and no option asks for.
import { bytesOfCopy, type CopiedMemory, type Copies } from './copies.ts';

/** Parameters that a note names. */
const MAX_NAMED = 8;

/** Says how many bytes of a copy are written, and keeps which are not. */
export class Withheld {
  readonly #copies: Copies;
  /** The most bytes behind a pointer of a parameter. */
  readonly #most = new Map<number, number>();

  constructor(copies: Copies) {
    this.#copies = copies;
  }

  bytesOf(copy: CopiedMemory): number {
    const bytes = bytesOfCopy(this.#copies, copy);
    const { parameter } = copy;
    if (bytes === 0)
      this.#most.set(parameter, Math.max(this.#most.get(parameter) ?? 0, copy.bytes.length));
    return bytes;
  }

  /** What to write for them; nothing where there are none. */
  notes(): string[] {
    const all = [...this.#most].toSorted(([a], [b]) => a - b);
    if (all.length === 0) return [];
    const words = all.slice(0, MAX_NAMED).map(([parameter, bytes]) => `${parameter}:${bytes}`);
    const more = all.length > MAX_NAMED ? ' …' : '';
    return [
      'the recording has contents of memory that no launch file got: ' +
        `--copy ${words.join(' ')}${more} writes them, --with-integers only the numbers`,
    ];
  }
}
