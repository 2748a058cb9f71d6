// What the order of blocks may decide, where what a warp does follows from it: which warp is next
// to draw from a word, and which of the values of a word a poll finds. Each combination has a run.

/** The next draw from a word is that of a warp. */
interface Turn {
  readonly kind: 'turn';
  readonly address: number;
  readonly warp: number;
}

/** A poll goes on with one of the values that it may find. */
interface Seen {
  readonly kind: 'seen';
  readonly address: number;
  readonly key: string;
  readonly value: number;
  /** The other ones. */
  readonly others: readonly number[];
}

/** One thing that was chosen. */
export type Choice = Turn | Seen;

/** What a run has to choose. */
export interface Forced {
  readonly forced: readonly Choice[];
  /** Whether words are written over only when they were found as chosen: as a schedule does. */
  readonly isInTurn: boolean;
}

/** The choices of a run: those that it has to make, and all that it made, in their order. */
export class Choices {
  readonly list: Choice[] = [];
  /** The words of which some poll might find several values. */
  readonly words = new Set<number>();
  /** A load that found an older value than the word held; `null`: none did. */
  older: number | null = null;
  readonly #turns = new Map<number, number[]>();
  readonly #seen = new Map<string, number>();

  /** By word: the polls that have to find a value before it is written over, with that value. */
  readonly #before = new Map<number, Map<string, number>>();

  constructor({ forced, isInTurn }: Forced) {
    for (const choice of forced) {
      if (choice.kind === 'seen') {
        this.#seen.set(choice.key, choice.value);
        if (isInTurn) this.#hold(choice);
        continue;
      }
      const { address, warp } = choice;
      this.#turns.set(address, [...(this.#turns.get(address) ?? []), warp]);
    }
  }

  #hold({ address, key, value }: Seen): void {
    let ofWord = this.#before.get(address);
    if (ofWord === undefined) this.#before.set(address, (ofWord = new Map()));
    ofWord.set(key, value);
  }

  /** Whether a poll has to find what a word holds before it is written over. */
  isHeld(address: number, value: number): boolean {
    const ofWord = this.#before.get(address);
    return ofWord !== undefined && [...ofWord.values()].includes(value);
  }

  /** Notes what a poll found. */
  find(seen: Seen): void {
    this.list.push(seen);
    this.#before.get(seen.address)?.delete(seen.key);
  }

  /** The warp that has to draw from a word after so many draws; `undefined`: any may. */
  turn(address: number, draws: number): number | undefined {
    return this.#turns.get(address)?.[draws];
  }

  /** The value that a poll has to find; `undefined`: any. */
  seen(key: string): number | undefined {
    return this.#seen.get(key);
  }
}

/**
 * What might have been chosen instead of what a run was free to choose: each with all that the run
 * had to choose, and with what it chose before. Choices of several warps may come in another order
 * than they were given in.
 */
export function alternatives(
  list: readonly Choice[],
  forced: readonly Choice[],
): (readonly Choice[])[] {
  const found: (readonly Choice[])[] = [];
  const open = new Map<string, number>();
  for (const choice of forced) open.set(nameOf(choice), (open.get(nameOf(choice)) ?? 0) + 1);
  const before = [...forced];
  for (const [index, choice] of list.entries()) {
    const name = nameOf(choice);
    const rest = open.get(name) ?? 0;
    if (rest > 0) {
      open.set(name, rest - 1);
      continue;
    }
    for (const other of insteadOf(choice, list.slice(index + 1))) found.push([...before, other]);
    before.push(choice);
  }
  return found;
}

/** What is chosen: the next draw from a word, or the value of a poll. */
function nameOf(choice: Choice): string {
  return choice.kind === 'turn' ? `${choice.address}` : choice.key;
}

function insteadOf(choice: Choice, later: readonly Choice[]): Choice[] {
  if (choice.kind === 'seen') return choice.others.map((value) => ({ ...choice, value }));
  const { kind, address } = choice;
  // Each warp that draws later might have been the next one.
  const warps = new Set(
    later.flatMap((each) => (each.kind === 'turn' && each.address === address ? [each.warp] : [])),
  );
  warps.delete(choice.warp);
  return [...warps].map((warp) => ({ kind, address, warp }));
}
