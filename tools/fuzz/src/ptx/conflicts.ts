// Which words several agents access, so that the order of the accesses can matter.
import { OutOfScope } from './kernel-text.ts';
import { wordsOf, type Action, type LaneGroup } from './lane-group.ts';
import type { Shared } from './machine.ts';

const [READ, WRITE, ATOMIC] = [1, 2, 4] as const;

/** An access that an agent makes next. */
export interface Access {
  readonly words: readonly string[];
  readonly kind: typeof READ | typeof WRITE | typeof ATOMIC;
  /** What it stores, if the text has the number: equal stores do not race. */
  readonly constant: string;
}

/** Reads do not conflict, nor do atomic accesses. */
export const isConflict = (kinds: number): boolean => kinds !== READ && kinds !== ATOMIC;

/** The access of an action; `null` for none. */
export function accessOf({ do: verb, words, isStrong, constant }: Action): Access | null {
  if (words.length === 0) return null;
  return { words, kind: isStrong ? ATOMIC : verb === 'load' ? READ : WRITE, constant };
}

/** What a copy on its way accesses. */
export function accessesOf([block, , to, from, bytes]: Shared['flights'][number]): Access[] {
  return [
    { words: wordsOf('shared', block, to, bytes), kind: WRITE, constant: '' },
    { words: wordsOf('global', block, from, bytes), kind: READ, constant: '' },
  ];
}

/** A word that two accesses conflict about; `null` for none. */
export function racingWord(accesses: readonly Access[]): string | null {
  for (const [at, a] of accesses.entries())
    for (const b of accesses.slice(at + 1)) {
      if (!isConflict(a.kind | b.kind)) continue;
      const word = a.words.find((each) => b.words.includes(each));
      if (word === undefined) continue;
      if (a.constant === '' || a.constant !== b.constant) return word;
      throw new OutOfScope('equal stores');
    }
  return null;
}

/** What was seen of each word. */
export class Footprint {
  /** By word, the agents that access it, and how. */
  readonly #agents = new Map<string, Map<string, number>>();
  readonly #contended = new Set<string>();
  readonly #lanes = new Map<string, { readonly lane: number; readonly pc: number; kind: number }>();
  /** Whether a word became contended that was accessed as if it were not. */
  isStale = false;
  /** Whether the order of atomic accesses matters: something follows from what they find. */
  readonly #areAtomicsOrdered: boolean;

  constructor(areAtomicsOrdered: boolean) {
    this.#areAtomicsOrdered = areAtomicsOrdered;
  }

  /** Notes an access: whether others may access the same words. */
  isContended(agent: string, { words, kind }: Access): boolean {
    for (const word of words) {
      const agents = this.#agents.get(word) ?? new Map<string, number>();
      this.#agents.set(word, agents.set(agent, (agents.get(agent) ?? 0) | kind));
      const kinds = [...agents.values()].reduce((a, b) => a | b);
      const isOrdered = isConflict(kinds) || (kinds === ATOMIC && this.#areAtomicsOrdered);
      if (agents.size < 2 || !isOrdered || this.#contended.has(word)) continue;
      this.#contended.add(word);
      this.isStale = true;
    }
    return words.some((word) => this.#contended.has(word));
  }

  /** Lanes of one group have no order among one another: they may exchange nothing. */
  requireApart({ block, warp, lanes, segment, pc }: LaneGroup, { words, kind }: Access): void {
    for (const [at, word] of words.entries()) {
      const lane = lanes[Math.floor((at * lanes.length) / words.length)]!;
      const key = [block, warp, segment, lanes, word].join(' ');
      const before = this.#lanes.get(key) ?? { lane, pc, kind };
      before.kind |= kind;
      if (before.lane !== lane && before.pc !== pc && isConflict(before.kind))
        throw new OutOfScope('lanes of one group exchange data');
      this.#lanes.set(key, before);
    }
  }

  /** Groups of lanes have become others. */
  clear(): void {
    this.#agents.clear();
    this.#contended.clear();
    this.#lanes.clear();
  }

  /** The words of global memory, and how they are accessed. */
  get global(): [word: string, kinds: number][] {
    return [...this.#agents]
      .filter(([word]) => word.startsWith('global'))
      .map(([word, agents]) => [word, [...agents.values()].reduce((a, b) => a | b)]);
  }
}
