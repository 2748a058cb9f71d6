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
  readonly key: string;
  readonly value: number;
  /** The other ones. */
  readonly others: readonly number[];
}

/** One thing that was chosen. */
export type Choice = Turn | Seen;

/** The choices of a run: those that it has to make, and all that it made, in their order. */
export class Choices {
  readonly list: Choice[] = [];
  /** The words of which some poll might find several values. */
  readonly words = new Set<number>();
  readonly #turns = new Map<number, number[]>();
  readonly #seen = new Map<string, number>();

  constructor(forced: readonly Choice[]) {
    for (const choice of forced) {
      if (choice.kind === 'seen') {
        this.#seen.set(choice.key, choice.value);
        continue;
      }
      const { address, warp } = choice;
      this.#turns.set(address, [...(this.#turns.get(address) ?? []), warp]);
    }
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

/** What might have been chosen instead, after so many choices: each with all that was before. */
export function alternatives(list: readonly Choice[], fixed: number): (readonly Choice[])[] {
  const found: (readonly Choice[])[] = [];
  for (const [index, choice] of list.entries()) {
    if (index < fixed) continue;
    const before = list.slice(0, index);
    for (const other of insteadOf(choice, list.slice(index + 1))) found.push([...before, other]);
  }
  return found;
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
