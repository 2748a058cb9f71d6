// All that a run did with a word of global memory. There may be a million of them: most are written
// once, and take little room.
import { roleName } from '../../text/names.ts';

/** A write of a word, in the order of the run. */
export interface WordWrite {
  /** The same in each run: the warp, the instruction, and how often it wrote the word before. */
  readonly key: string;
  readonly warp: number;
  readonly cta: number;
  /** The name of the warp as a role. */
  readonly by: string;
  /** The same for all lanes of one access: how many steps the warp had made. */
  readonly step: number;
  readonly at: number;
  /** The lanes that execute it. */
  readonly lanes: number;
  /** What it adds; `null` where it does something else. */
  readonly amount: number | null;
  /** What it does: equal for writes whose order does not matter. */
  readonly effect: string;
  /** What the word holds after it; `null` if that is unknown data. */
  readonly value: number | null;
  /** Whether it carries nothing of what its warp has learned: it is relaxed, behind no fence. */
  readonly isWeak: boolean;
}

/** Whether a write is a store, which carries nothing of the writes before it. */
export function isStore({ effect }: WordWrite): boolean {
  return effect.startsWith('set') || effect === 'part';
}

/** A load that a warp may repeat until a word holds what it waits for. */
export interface WordPoll {
  readonly key: string;
  readonly warp: number;
  readonly cta: number;
  readonly at: number;
  /** The lanes that make it. */
  readonly lanes: number;
  /** Whether it is of a scope that threads of other devices are in. */
  readonly isOfSystem: boolean;
  /** Whether it orders turns alone, so that a load behind it may acquire what it has found. */
  readonly isRelaxed?: boolean;
  /** Whether it finds what the word held after so many writes, and none of the values behind. */
  readonly isChosen?: boolean;
  /** How many writes the word had when the warp went on; −1 where it never did. */
  readonly after: number;
  /** Whether the warp goes on with a value, for all values that were tried. */
  readonly passes: ReadonlyMap<number, boolean>;
  /** Whether it takes a lock as it goes on. */
  readonly isLock?: boolean;
}

/** A load that acquires and is no poll: it finds nothing older than polls of its thread before. */
export interface WordLook extends Pick<WordPoll, 'key' | 'warp' | 'cta' | 'lanes'> {
  /** How many polls of the word came before it. */
  readonly polls: number;
}

/** An atomic access whose old value a warp uses. */
export interface WordAnswer {
  readonly key: string;
  readonly at: number;
  readonly warp: number;
}

/** A comparison that changed nothing in this run; in another order of the blocks it might. */
export interface WordAttempt extends Pick<WordAnswer, 'at' | 'warp'> {
  /** The value that it changes. */
  readonly compare: number;
}

/** The name of what a warp does with a word: the same in each run. */
export function nameOf(warp: number, at: number, address: number, count: number): string {
  return `${warp}:${at}:${address}:${count}`;
}

/** What of a write is not where, by whom and how often. */
interface Written extends Pick<
  WordWrite,
  'cta' | 'step' | 'lanes' | 'amount' | 'effect' | 'value' | 'isWeak'
> {
  /** How many blocks its cluster has. */
  readonly ctas: number;
  /** The warp's number in its block. */
  readonly index: number;
}

/** A write whose names are made when they are asked for: few are. */
class NotedWrite implements WordWrite {
  readonly warp: number;
  readonly cta: number;
  readonly step: number;
  readonly at: number;
  readonly lanes: number;
  readonly amount: number | null;
  readonly effect: string;
  readonly value: number | null;
  readonly isWeak: boolean;
  readonly #ctas: number;
  readonly #index: number;
  readonly #address: number;
  readonly #count: number;

  constructor(address: number, warp: number, at: number, count: number, written: Written) {
    this.#address = address;
    this.#count = count;
    this.warp = warp;
    this.at = at;
    this.cta = written.cta;
    this.#ctas = written.ctas;
    this.#index = written.index;
    this.step = written.step;
    this.lanes = written.lanes;
    this.amount = written.amount;
    this.effect = written.effect;
    this.value = written.value;
    this.isWeak = written.isWeak;
  }

  get by(): string {
    return roleName(this.#ctas, this.cta, this.#index);
  }

  get key(): string {
    return nameOf(this.warp, this.at, this.#address, this.#count);
  }
}

const NONE: readonly never[] = [];

/** A list with one more entry: the list itself, or the first one where there was none. */
function noted<T>(list: readonly T[], entry: T): readonly T[] {
  if (list === NONE) return [entry];
  (list as T[]).push(entry);
  return list;
}

/** A number for a warp and an instruction. */
function placeOf(warp: number, at: number): number {
  return at * 2 ** 20 + warp;
}

/** All that a run did with a word. */
export class WordHistory {
  readonly address: number;
  /** 4 or 8. */
  readonly bytes: number;
  readonly initial: number;
  /** Whether parts of it are accessed by themselves, or it with others at once. */
  isMixed = false;
  writes: readonly WordWrite[] = NONE;
  polls: readonly WordPoll[] = NONE;
  answers: readonly WordAnswer[] = NONE;
  attempts: readonly WordAttempt[] = NONE;
  looks: readonly WordLook[] = NONE;
  /** What was named last, and how often; all others are in the map. */
  #place = -1;
  #count = 0;
  #counts: Map<number, number> | null = null;

  constructor(address: number, bytes: number, initial: number) {
    this.address = address;
    this.bytes = bytes;
    this.initial = initial;
  }

  noteWrite(warp: number, at: number, written: Written): WordWrite {
    const write = new NotedWrite(this.address, warp, at, this.count(warp, at), written);
    this.writes = noted(this.writes, write);
    return write;
  }

  notePoll(poll: WordPoll): void {
    this.polls = noted(this.polls, poll);
  }

  noteLook(look: Omit<WordLook, 'polls'>): void {
    this.looks = noted(this.looks, { ...look, polls: this.polls.length });
  }

  noteAnswer(answer: WordAnswer): void {
    this.answers = noted(this.answers, answer);
  }

  noteAttempt(attempt: WordAttempt): void {
    this.attempts = noted(this.attempts, attempt);
  }

  /** How often a warp was given a name at an instruction. */
  countOf(warp: number, at: number): number {
    const place = placeOf(warp, at);
    return place === this.#place ? this.#count : (this.#counts?.get(place) ?? 0);
  }

  /** The same, before it is given one more. */
  count(warp: number, at: number): number {
    const count = this.countOf(warp, at);
    const place = placeOf(warp, at);
    if (place !== this.#place && this.#count > 0)
      (this.#counts ??= new Map()).set(this.#place, this.#count);
    this.#place = place;
    this.#count = count + 1;
    return count;
  }
}
