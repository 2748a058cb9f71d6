// Words of shared memory: which loads read the same in all rounds. What is written before the loops
// begin stays; what rounds write is data, or not known here.
import { offsetOf, RANK_SIZE, rankOf } from '../steps/step.ts';

/** The words of one CTA. */
class Bank {
  /** 1 where something known was stored, ever. */
  readonly isKnown: Uint8Array;
  /** 1 where something was stored by a warp that is not before its loop. */
  readonly isLate: Uint8Array;
  /** 1 where something was stored that is another in other rounds. */
  readonly isShaded: Uint8Array;
  /** When something was stored last. */
  readonly time: Float64Array;

  constructor(words: number) {
    this.isKnown = new Uint8Array(words);
    this.isLate = new Uint8Array(words);
    this.isShaded = new Uint8Array(words);
    this.time = new Float64Array(words);
  }
}

/** A load whose value has to be the same in all rounds. */
interface Claim {
  readonly at: number;
  readonly word: number;
  readonly rank: number;
  /** Whether the value is known: then it was stored before this time, and nothing later. */
  readonly before: number;
}

/** No time: the value is unknown, and has to stay so. */
const NEVER = -1;

/** Who stores, and when. */
export interface Storer {
  readonly time: number;
  readonly isLate: boolean;
  readonly isShaded: boolean;
}

/** What is stored into shared memory, and what is claimed of it. */
export class WrittenWords {
  readonly #banks: Bank[];
  readonly #claims: Claim[] = [];
  /** By instruction: words with claims, as numbers. */
  readonly #seen = new Map<number, Set<number>>();

  constructor(ctas: number, bytes: number) {
    const words = Math.ceil(bytes / 4) + 4;
    this.#banks = Array.from({ length: ctas }, () => new Bank(words));
  }

  /** Bytes are stored. */
  store(from: number, to: number, isKnown: boolean, { time, isLate, isShaded }: Storer): void {
    const bank = this.#banks[rankOf(from)];
    if (bank === undefined) return;
    const [first, end] = [offsetOf(from) >>> 2, (offsetOf(to - 1) >>> 2) + 1];
    bank.time.fill(time, first, end);
    if (isKnown || isShaded) bank.isKnown.fill(1, first, end);
    if (isLate) bank.isLate.fill(1, first, end);
    if (isShaded) bank.isShaded.fill(1, first, end);
  }

  /** Whether something was stored so far that is another in other rounds. */
  isShaded(address: number, bytes: number): boolean {
    const bank = this.#banks[rankOf(address)];
    const [first, end] = wordsOf(address, bytes);
    return bank !== undefined && bank.isShaded.subarray(first, end).includes(1);
  }

  /** A load of bytes by an instruction relies on them; `before` is when they are stored at last. */
  claim(at: number, address: number, bytes: number, isKnown: boolean, before: number): void {
    const [first, end] = wordsOf(address, bytes);
    const rank = rankOf(address);
    let seen = this.#seen.get(at);
    if (seen === undefined) this.#seen.set(at, (seen = new Set()));
    for (let word = first; word < end; word++) {
      // What is unknown has to stay so, in each warp and at each time.
      const key = (rank * RANK_SIZE + word) * 2 + (isKnown ? 1 : 0);
      if (seen.has(key) && !isKnown) continue;
      seen.add(key);
      this.#claims.push({ at, word, rank, before: isKnown ? before : NEVER });
    }
  }

  /** The instructions whose claims do not hold. */
  broken(): Set<number> {
    const found = new Set<number>();
    for (const { at, word, rank, before } of this.#claims) {
      const bank = this.#banks[rank];
      if (bank === undefined) continue;
      const holds =
        before === NEVER
          ? bank.isKnown[word] === 0
          : (bank.isLate[word]! | bank.isShaded[word]!) === 0 && bank.time[word]! < before;
      if (!holds) found.add(at);
    }
    return found;
  }
}

function wordsOf(address: number, bytes: number): readonly [number, number] {
  return [offsetOf(address) >>> 2, (offsetOf(address + bytes - 1) >>> 2) + 1];
}
