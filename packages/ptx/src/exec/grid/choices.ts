// What the order of blocks may decide, where what a warp does follows from it: which warp is next
// to draw from a word, and which of the values of a word a poll finds. Each combination has a run.
import type { LoggedOperation } from './word-log.ts';

/** The next draw from a word is that of a warp. */
interface Turn {
  readonly kind: 'turn';
  readonly address: number;
  /** How many draws there were before. */
  readonly index: number;
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
export interface Wanted {
  /** What it has to choose; `null`: nothing. */
  readonly instead: Choice | null;
  /** What it chooses if it can: without that a warp that has to wait for it goes on. */
  readonly rest: readonly Choice[];
  /** Whether words are written over only when they were found as chosen: as a schedule does. */
  readonly isInTurn: boolean;
}

/** A run that is free to choose. */
export const ANY: Wanted = { instead: null, rest: [], isInTurn: true };

/** What is chosen, as a name: one draw from a word, or one poll. */
export function nameOf(choice: Choice): string {
  return choice.kind === 'turn' ? turnName(choice.address, choice.index) : choice.key;
}

function turnName(address: number, index: number): string {
  return `turn ${address} ${index}`;
}

/** The choices of a run: those that are asked of it, and all that it made, in their order. */
export class Choices {
  readonly list: Choice[] = [];
  /** What the warps did with words. */
  readonly log: LoggedOperation[] = [];
  /** The words of which some poll might find several values. */
  readonly words = new Set<number>();
  /** A load that found an older value than the word held; `null`: none did. */
  older: number | null = null;
  /** Whether something was not chosen as it was asked for. */
  isReleased = false;
  /** By name: the warp, or the value. */
  readonly #wanted = new Map<string, number>();
  readonly #fixed: string | null;
  /** By word: the polls that have to find a value before it is written over, with that value. */
  readonly #before = new Map<number, Map<string, number>>();
  /** By warp: what it waits for. */
  readonly #waits = new Map<number, readonly string[]>();

  constructor({ instead, rest, isInTurn }: Wanted) {
    this.#fixed = instead === null ? null : nameOf(instead);
    for (const choice of instead === null ? rest : [...rest, instead]) {
      this.#wanted.set(nameOf(choice), choice.kind === 'turn' ? choice.warp : choice.value);
      if (choice.kind === 'seen' && isInTurn) this.#hold(choice);
    }
  }

  #hold({ address, key, value }: Seen): void {
    let ofWord = this.#before.get(address);
    if (ofWord === undefined) this.#before.set(address, (ofWord = new Map()));
    ofWord.set(key, value);
  }

  /**
   * Whether a warp has to wait until polls have found what a word holds, or, as it does not draw
   * itself, until another one has drawn after so many writes.
   */
  isHeld(warp: number, address: number, value: number, writes: number): boolean {
    const polls = [...(this.#before.get(address) ?? [])];
    const names = polls.flatMap(([key, wanted]) => (wanted === value ? [key] : []));
    const turn = turnName(address, writes);
    if (writes >= 0 && this.#wanted.has(turn)) names.push(turn);
    if (names.length > 0) this.#waits.set(warp, names);
    return names.length > 0;
  }

  /** Notes what a poll found. */
  find(seen: Seen): void {
    this.list.push(seen);
    this.#before.get(seen.address)?.delete(seen.key);
  }

  /** Whether a warp draws from a word after so many draws; if not, it has to wait. */
  mayDraw(warp: number, address: number, index: number): boolean {
    const name = turnName(address, index);
    const next = this.#wanted.get(name);
    const may = next === undefined || next === warp;
    if (may) this.list.push({ kind: 'turn', address, index, warp });
    else this.#waits.set(warp, [name]);
    return may;
  }

  /** The value that a poll of a warp has to find; `undefined`: any. */
  seen(warp: number, key: string): number | undefined {
    this.#waits.set(warp, [key]);
    return this.#wanted.get(key);
  }

  /** No warp goes on: those that wait for what was asked for need not; whether there are some. */
  release(warps: Iterable<number>): boolean {
    const names = [...warps].flatMap((warp) => this.#waits.get(warp) ?? []);
    const free = names.filter((name) => name !== this.#fixed && this.#wanted.has(name));
    for (const name of free) {
      this.#wanted.delete(name);
      for (const polls of this.#before.values()) polls.delete(name);
    }
    this.isReleased ||= free.length > 0;
    return free.length > 0;
  }
}

/** What might have been chosen instead, one thing each. */
export function alternatives(list: readonly Choice[]): Choice[] {
  return list.flatMap((choice, index) => insteadOf(choice, list.slice(index + 1)));
}

function insteadOf(choice: Choice, later: readonly Choice[]): Choice[] {
  if (choice.kind === 'seen') return choice.others.map((value) => ({ ...choice, value }));
  // Each warp that draws later might have been the next one.
  const warps = new Set(
    later.flatMap((each) =>
      each.kind === 'turn' && each.address === choice.address ? [each.warp] : [],
    ),
  );
  warps.delete(choice.warp);
  return [...warps].map((warp) => ({ ...choice, warp }));
}

/** The choices that do not follow from another one at once: later draws from its word do. */
export function restOf(list: readonly Choice[], instead: Choice): Choice[] {
  const name = nameOf(instead);
  return list.filter((each) => {
    if (nameOf(each) === name) return false;
    if (each.kind === 'seen' || instead.kind === 'seen') return true;
    return each.address !== instead.address || each.index < instead.index;
  });
}

/** All that was chosen, as a text that is equal for equal choices in any order. */
export function textOf(list: readonly Choice[]): string {
  return list
    .map((each) => `${nameOf(each)}=${each.kind === 'turn' ? each.warp : each.value}`)
    .toSorted()
    .join(';');
}
