// Contents of memory that a recording has and no option asks for.
import { bytesOfCopy, type CopiedMemory, type Copies, type Decides } from './copies.ts';

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

  bytesOf(copy: CopiedMemory, decides: Decides = () => false): number {
    const bytes = bytesOfCopy(this.#copies, copy, decides);
    const { parameter } = copy;
    // With `--state` the library copies more than was asked for.
    if (bytes === 0 && !this.#copies.hasState)
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
