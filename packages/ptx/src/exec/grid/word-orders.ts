// Searches all orders of what warps do with words of global memory for one that no run shows. It
// knows the operations on words alone, so that it may also find orders that do not exist; a load
// may find any value that is not older than what its warp knows.
import { atomicResult } from '../warp/atomic.ts';
import type { Wide } from '../../values/wide.ts';
import { textOf } from './choices.ts';
import type { Choice } from './choices.ts';
import type { LoggedChange, LoggedOperation, LoggedPoll } from './word-log.ts';
import { treeOf, UnlikeRuns } from './word-tree.ts';
import type { WordNode } from './word-tree.ts';
import { numberOf, setNumber } from './word-values.ts';

/** The most states. */
const MAX_STATES = 1 << 15;

/** What a run did, and what each word held at first. */
export interface LoggedRun {
  readonly choices: readonly Choice[];
  readonly log: readonly LoggedOperation[];
  readonly initial: ReadonlyMap<number, number>;
}

/** Choices that no run shows: those before, and the one that is missing, if it is one. */
export interface Gap {
  readonly rest: readonly Choice[];
  readonly instead: Choice | null;
}

/** What is known of all orders: runs show them all, or not one of them, or the search gave up. */
export type Orders =
  | { readonly are: 'shown' }
  | { readonly are: 'missing'; readonly gap: Gap }
  | { readonly are: 'unknown'; readonly why: 'unlike runs' | 'unknown values' | 'many states' };

/** A value that a word held, and the warp that drew the one before; −1: none did. */
interface Held {
  readonly value: number;
  readonly drawnBy: number;
}

interface State {
  readonly at: readonly WordNode[];
  /** By word: all that it held. */
  readonly held: readonly (readonly Held[])[];
  /** By warp and word: the newest of these that the warp knows. */
  readonly known: readonly number[];
}

/** Looks for an order of the operations on words that no run shows. */
export function unseenOrder(runs: readonly LoggedRun[]): Orders {
  try {
    return new Search(runs).search();
  } catch (error) {
    if (error instanceof UnlikeRuns) return { are: 'unknown', why: 'unlike runs' };
    throw error;
  }
}

const [value, first, second]: Wide[] = [
  { low: 0, high: 0 },
  { low: 0, high: 0 },
  { low: 0, high: 0 },
];

class Search {
  readonly #warps: readonly number[];
  readonly #words: readonly number[];
  readonly #trees: readonly WordNode[];
  readonly #shown: ReadonlySet<string>;
  readonly #initial: readonly number[];
  readonly #numbers = new Map<WordNode, number>();
  /** Words that one warp alone uses. */
  readonly #own: ReadonlySet<number>;

  constructor(runs: readonly LoggedRun[]) {
    const all = runs.flatMap(({ log }) => log);
    // Words that no warp reads matter to none.
    const read = all.filter((each) => each.kind === 'poll' || each.answer !== null);
    this.#words = [...new Set(read.map(({ address }) => address))];
    const isUsed = new Set(this.#words);
    this.#warps = [...new Set(all.map(({ warp }) => warp))];
    this.#trees = this.#warps.map((warp) =>
      treeOf(
        runs.map(({ log }) => log.filter((each) => each.warp === warp && isUsed.has(each.address))),
      ),
    );
    this.#shown = new Set(runs.map(({ choices }) => textOf(choices)));
    const initial = new Map(runs.flatMap((run) => [...run.initial]));
    this.#initial = this.#words.map((word) => initial.get(word) ?? Number.NaN);
    const users = new Map<number, Set<number>>();
    for (const { address, warp } of all)
      users.set(address, (users.get(address) ?? new Set()).add(warp));
    this.#own = new Set([...users].flatMap(([word, { size }]) => (size === 1 ? [word] : [])));
  }

  search(): Orders {
    const begin: State = {
      at: this.#trees,
      held: this.#initial.map((each) => [{ value: each, drawnBy: -1 }]),
      known: this.#warps.flatMap(() => this.#words.map(() => 0)),
    };
    const seen = new Set<string>();
    const open: State[] = [begin];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      const key = this.#keyOf(state);
      if (seen.has(key)) continue;
      seen.add(key);
      if (seen.size > MAX_STATES) return { are: 'unknown', why: 'many states' };
      const found = this.#after(state);
      if (!Array.isArray(found)) return found;
      open.push(...found);
    }
    return { are: 'shown' };
  }

  #keyOf({ at, held, known }: State): string {
    const places = at.map((each) => {
      let number = this.#numbers.get(each);
      if (number === undefined) this.#numbers.set(each, (number = this.#numbers.size));
      return number;
    });
    const values = held.map((each) => each.map((one) => `${one.value}:${one.drawnBy}`).join());
    return `${places.join()} ${values.join(';')} ${known.join()}`;
  }

  /** All states after the next operation of some warp, or why they are not known. */
  #after(state: State): State[] | Orders {
    const states: State[] = [];
    // A warp that waits need not find what is overwritten.
    let isStuck = true;
    for (const [warp, { next }] of state.at.entries()) {
      if (next === null) continue;
      const moves =
        next.kind === 'poll' ? this.#poll(state, warp, next) : this.#change(state, warp, next);
      if (!Array.isArray(moves)) return moves;
      if (this.#own.has(next.address) && moves.length > 0) return moves;
      const word = this.#words.indexOf(next.address);
      const newest = state.held[word]!.at(-1)!.value;
      if (next.kind === 'change' || next.passes.get(newest) === true) isStuck = false;
      states.push(...moves);
    }
    const isOver = state.at.every(({ next }) => next === null);
    const choices = isStuck ? this.#choicesOf(state) : [];
    if (isStuck && !(isOver && this.#shown.has(textOf(choices))))
      return { are: 'missing', gap: { rest: choices, instead: null } };
    return states;
  }

  #poll(state: State, warp: number, poll: LoggedPoll): State[] | Orders {
    const word = this.#words.indexOf(poll.address);
    const held = state.held[word]!;
    const states: State[] = [];
    for (let index = state.known[warp * this.#words.length + word]!; index < held.length; index++) {
      const found = held[index]!.value;
      const isPassing = poll.passes.get(found);
      if (isPassing === undefined) return { are: 'unknown', why: 'unknown values' };
      if (!isPassing) continue;
      const child = state.at[warp]!.children.get(found);
      if (child === undefined) {
        const { address, key } = poll;
        const instead: Choice = { kind: 'seen', address, key, value: found, others: [] };
        return { are: 'missing', gap: { rest: this.#choicesOf(state), instead } };
      }
      states.push(this.#moved(state, warp, child, word, index));
    }
    return states;
  }

  #change(state: State, warp: number, change: LoggedChange): State[] | Orders {
    const word = this.#words.indexOf(change.address);
    const held = state.held[word]!;
    const old = held.at(-1)!.value;
    const stored = storedBy(change, old);
    if (stored === null) return { are: 'unknown', why: 'unknown values' };
    const isDraw = change.answer !== null;
    const child = state.at[warp]!.children.get(isDraw ? old : 0);
    const number = this.#warps[warp]!;
    if (child === undefined) {
      const { address } = change;
      const index = held.length - 1;
      const instead: Choice = { kind: 'turn', address, index, warp: number };
      return { are: 'missing', gap: { rest: this.#choicesOf(state), instead } };
    }
    const more = { value: stored, drawnBy: isDraw ? number : -1 };
    const isChange = change.atomic !== 'cas' || stored !== old;
    const after = isChange ? { ...state, held: state.held.with(word, [...held, more]) } : state;
    return [this.#moved(after, warp, child, word, after.held[word]!.length - 1)];
  }

  #moved(state: State, warp: number, to: WordNode, word: number, index: number): State {
    const known = state.known.with(warp * this.#words.length + word, index);
    return { held: state.held, at: state.at.with(warp, to), known };
  }

  /** All that was chosen on the way to a state. */
  #choicesOf({ at, held }: State): Choice[] {
    const turns = held.flatMap((all, word) =>
      all.slice(1).flatMap(({ drawnBy }, index): Choice[] => {
        const address = this.#words[word]!;
        return drawnBy < 0 ? [] : [{ kind: 'turn', address, index, warp: drawnBy }];
      }),
    );
    return [...turns, ...at.flatMap(findsBefore)];
  }
}

/** What loads of a warp found until it came to a place. */
function findsBefore(at: WordNode): Choice[] {
  const finds: Choice[] = [];
  for (let { parent, found } = at; parent !== null; { parent, found } = parent) {
    const { next } = parent;
    if (next?.kind !== 'poll') continue;
    const { address, key } = next;
    finds.push({ kind: 'seen', address, key, value: found, others: [] });
  }
  return finds;
}

/** What a word holds after a change; `null` if that is not known. */
function storedBy({ atomic, bytes, operands }: LoggedChange, old: number): number | null {
  if (operands === null || Number.isNaN(old)) return null;
  if (atomic === '') return operands[0]!;
  setNumber(old, value);
  setNumber(operands[0]!, first);
  setNumber(operands[1] ?? 0, second);
  return atomicResult(atomic, bytes, value, first, second) ? numberOf(second, bytes) : null;
}
