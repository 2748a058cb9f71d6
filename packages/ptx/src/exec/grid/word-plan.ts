// How the writes of a polled word make up phases, like arrivals at a barrier, and which phase each
// poll waits for. What holds on one run and must hold on all of them is left to the certificate:
// that all of a phase comes before the next (M), and what guards say.
import { planDraws, planTurns } from './draws.ts';
import type { LastDraws } from './draws.ts';
import { Misunderstood } from './misunderstood.ts';
import { isShared } from '../../steps/pages.ts';
import { isStore } from './words.ts';
import type { WordAnswer, WordHistory, WordLook, WordPoll, WordWrite } from './words.ts';

/** What a poll waits for. */
export interface PlannedWait {
  /** The phase, counted from 0; −1: it goes on at once; `null`: it never does. */
  readonly phase: number | null;
  /** Guards that are read before the wait, and after it. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** A word that warps poll, or draw numbers from. */
export interface WordPlan {
  readonly address: number;
  /** 4 or 8. */
  readonly bytes: number;
  readonly initial: number;
  /** Whether some value makes a warp poll again. */
  readonly isPolled: boolean;
  /** Writes that complete a phase. */
  readonly arrivals: number;
  /** After how many writes a lock may be taken; missing where it is none. */
  readonly free?: readonly number[];
  /** How many writes are draws, all of which the last one knows; missing where it is polled. */
  readonly draws?: number;
  /** The key of the draw that all others come before; missing where there is none. */
  readonly last?: string;
  /** Whether a poll passes exactly when so many phases are complete, whatever the order. */
  readonly isExact: boolean;
  /** All values that the word may hold. */
  readonly values: readonly number[];
  readonly waits: ReadonlyMap<string, PlannedWait>;
  /** By the key of a write: guards that it writes. */
  readonly guards: ReadonlyMap<string, readonly number[]>;
  /** By the key of an atomic access: what it may find, whichever order the writes have. */
  readonly answers: ReadonlyMap<string, readonly number[]>;
}

/** Why a word is not understood. */
export interface WordFailure {
  readonly address: number;
  readonly at: number;
  readonly text: string;
}

/** The plans of all words of a run. */
export interface WordPlans {
  readonly words: ReadonlyMap<number, WordPlan>;
  readonly failures: readonly WordFailure[];
  /** Whether each poll was tried with all values. */
  readonly isComplete: boolean;
  readonly guards: number;
}

const MAY_CHANGE = 'the order of the blocks decides whether it changes this word';

/** The most stores of one phase of which it is asked what they know. */
const MAX_LINKED = 64;

/** The most values of a word. */
const MAX_VALUES = 512;

/** A run without plans. */
export const NO_PLANS: WordPlans = {
  words: new Map(),
  failures: [],
  isComplete: false,
  guards: 0,
};

const NO_DRAWS: LastDraws = new Map();

/** Plans the words of a run that are polled or drawn from. */
export function planWords(
  histories: Iterable<WordHistory>,
  lasts: LastDraws = NO_DRAWS,
  areTurns = false,
): WordPlans {
  const words = new Map<number, WordPlan>();
  const failures: WordFailure[] = [];
  let isComplete = true;
  let guards = 0;
  for (const history of histories) {
    const { polls, answers } = history;
    if (polls.length === 0 && answers.length === 0) continue;
    try {
      const last = lasts.get(history.address);
      if (last !== undefined) {
        words.set(history.address, planDraws(history, last));
        continue;
      }
      if (areTurns && polls.length === 0 && answers.every(({ key }) => key !== '')) {
        words.set(history.address, planTurns(history));
        continue;
      }
      const planner = new Planner(history, guards);
      const plan = planner.plan();
      guards = planner.nextGuard;
      isComplete &&= planner.isComplete;
      words.set(history.address, plan);
    } catch (error) {
      if (!(error instanceof Misunderstood)) throw error;
      // Of a word that is only drawn from, the answers are unknown data.
      if (polls.length > 0 || areTurns || lasts.has(history.address))
        failures.push({ address: history.address, at: error.at, text: error.message });
    }
  }
  return { words, failures, isComplete, guards };
}

/** Values of a word by what has been written. */
interface Stages {
  /** After each number of complete phases; the last may be incomplete. */
  readonly bases: readonly number[];
  /** By phase: values while it is incomplete, without those before it. */
  readonly partial: readonly (readonly number[])[];
}

type Load = Pick<WordPoll, 'warp' | 'cta' | 'passes' | 'isChosen'>;

class Planner {
  readonly #history: WordHistory;
  readonly #writes: readonly WordWrite[];
  readonly #at: number;
  readonly #guards = new Map<string, number[]>();
  /** Phases whose writes know of those of the phase before. */
  readonly #linked = new Set<number>();
  /** By phase: stores that carry what their own threads know alone. */
  readonly #others = new Map<number, readonly WordWrite[]>();
  #isInTurn: boolean | undefined;
  nextGuard: number;
  isComplete = true;

  constructor(history: WordHistory, nextGuard: number) {
    this.#history = history;
    this.#writes = history.writes;
    this.#at = history.polls[0]?.at ?? history.answers[0]!.at;
    this.nextGuard = nextGuard;
  }

  plan(): WordPlan {
    const { address, initial, polls, attempts } = this.#history;
    if (Number.isNaN(initial))
      throw new Misunderstood(this.#at, 'the launch does not say what the word holds at first');
    if (this.#history.isMixed)
      throw new Misunderstood(this.#at, 'it polls memory that is accessed in parts as well');
    for (const write of this.#writes)
      if (write.value === null)
        throw new Misunderstood(write.at, 'it stores unknown data in a word that others poll');
    const waiting = polls.filter(({ after, passes }) => {
      return after < 0 || [...passes.values()].includes(false);
    });
    const goals = waiting.filter(({ after }) => after >= 0).map((poll) => this.#goalOf(poll));
    const arrivals = this.#arrivals(goals.filter((goal) => goal > 0));
    this.#requireWhole(arrivals);
    const stages = this.#stages(arrivals);
    const values = new Set([...stages.bases, ...stages.partial.flat()]);
    if (values.size > MAX_VALUES)
      throw new Misunderstood(this.#at, `the word may hold more than ${MAX_VALUES} values`);
    const attempt = attempts.find(({ warp, compare }) => {
      return values.has(compare) && this.#writes.some((write) => write.warp !== warp);
    });
    if (attempt !== undefined) throw new Misunderstood(attempt.at, MAY_CHANGE);
    const waits = new Map<string, PlannedWait>();
    let isMonotone = true;
    for (const poll of waiting) {
      const wait = this.#wait(poll, arrivals, stages);
      waits.set(poll.key, wait.planned);
      isMonotone &&= wait.isMonotone;
    }
    for (const look of this.#history.looks) {
      const wait = this.#acquired(look, arrivals, stages);
      if (wait !== null) waits.set(look.key, wait);
    }
    for (const { after, passes } of polls)
      if (after >= 0 && ![...values].every((value) => passes.has(value))) this.isComplete = false;
    const takers = waiting.filter(({ isLock }) => isLock === true);
    const free = stages.bases.flatMap((held, phase) =>
      takers.some(({ passes }) => passes.get(held) === true) ? [phase * arrivals] : [],
    );
    const isUniform = new Set(this.#writes.map(({ effect }) => effect)).size <= 1;
    return {
      address,
      bytes: this.#history.bytes,
      initial,
      isPolled: waiting.length > 0 || (polls.length > 0 && !this.#holdsAnyOrder()),
      arrivals,
      isExact: isUniform && isMonotone,
      values: [...values],
      ...(takers.length > 1 ? { free } : {}),
      waits,
      guards: this.#guards,
      answers: this.#answers(waiting.length > 0 ? arrivals : this.#writes.length),
    };
  }

  #valueAfter(count: number): number {
    return count === 0 ? this.#history.initial : this.#writes[count - 1]!.value!;
  }

  /** The fewest writes after which a poll went on, whatever else was written until it did. */
  #goalOf({ after, passes }: WordPoll): number {
    let goal = after;
    while (goal > 0 && passes.get(this.#valueAfter(goal - 1)) === true) goal--;
    return goal;
  }

  /** Writes of a phase: the same for all phases that are waited for, or one each. */
  #arrivals(goals: readonly number[]): number {
    const ends = [...new Set(goals)].sort((a, b) => a - b);
    const first = ends[0] ?? Math.max(1, this.#writes.length);
    const isEven = ends.every((end, index) => end === first * (index + 1));
    return isEven && this.#areInAnyOrder(first) ? first : 1;
  }

  /** Whether the writes of each phase of a size may come in any order. */
  #areInAnyOrder(size: number): boolean {
    for (let from = 0; from < this.#writes.length; from += size) {
      const phase = this.#writes.slice(from, from + size);
      const isAdding = phase.every(({ amount }) => amount !== null);
      const isUniform = phase.every(({ effect }) => effect === phase[0]!.effect);
      if (!isAdding && !isUniform) return false;
    }
    return true;
  }

  /** Whether the values of the word are the same in whichever order its writes come. */
  #holdsAnyOrder(): boolean {
    const [first] = this.#writes;
    if (first === undefined || this.#areInAnyOrder(this.#writes.length)) return true;
    return this.#writes.every(isStore) || this.#writes.every((write) => isOwn(write, first));
  }

  /** The lanes of one access write in one phase. */
  #requireWhole(arrivals: number): void {
    for (const [index, { by, step, at }] of this.#writes.entries()) {
      const before = this.#writes[index - 1];
      if (index % arrivals === 0 && before?.by === by && before.step === step)
        throw new Misunderstood(
          at,
          'several of its lanes write a word whose writes are counted one by one',
        );
    }
  }

  #stages(arrivals: number): Stages {
    const bases = [this.#history.initial];
    const partial: number[][] = [];
    for (let from = 0; from < this.#writes.length; from += arrivals) {
      const phase = this.#writes.slice(from, from + arrivals);
      partial.push(this.#between(bases.at(-1)!, phase, from));
      bases.push(phase.at(-1)!.value!);
    }
    return { bases, partial };
  }

  /** Values after some of several writes, but not all or none. */
  #between(base: number, phase: readonly WordWrite[], from: number): number[] {
    if (phase.every(({ effect }) => effect === phase[0]!.effect))
      return phase.slice(1).map((_, index) => this.#valueAfter(from + index + 1));
    return sums(
      phase.map(({ amount }) => amount!),
      this.#at,
    )
      .slice(1, -1)
      .map((sum) => (base + sum) >>> 0);
  }

  #wait(
    poll: WordPoll,
    arrivals: number,
    stages: Stages,
  ): { readonly planned: PlannedWait; readonly isMonotone: boolean } {
    const { bases, partial } = stages;
    const { after, passes, at, isOfSystem } = poll;
    // Who else may write shared memory is part of the run.
    if (after < 0 && this.#writes.length === 0 && !isShared(this.#history.address))
      throw new Misunderstood(at, 'it waits for global memory, which no block of the grid writes');
    if (after < 0 && isOfSystem)
      throw new Misunderstood(at, 'it waits for global memory, which other devices may write');
    if (after < 0) return { planned: { phase: null, before: [], after: [] }, isMonotone: true };
    const passesAt = (value: number): boolean => passes.get(value) ?? true;
    const goal = Math.ceil(this.#goalOf(poll) / arrivals);
    const isEarly = (phase: number): boolean =>
      passesAt(bases[phase]!) || partial[phase]!.some(passesAt);
    // Values that were not tried yet are tried in the next run.
    const before = goal > 0 ? [bases[goal - 1]!, ...partial[goal - 1]!] : [];
    if (before.some((held) => passes.get(held) === true))
      throw new Misunderstood(at, 'it may go on before all of what it waits for is written');
    // Who takes a lock before is a question of order: each order has a run of its own.
    if (poll.isLock === true && this.#isTakenInTurn)
      return { planned: { phase: goal - 1, before: [], after: [] }, isMonotone: false };
    const earlier: number[] = [];
    let isMonotone = true;
    for (let phase = this.#knownBefore(poll, arrivals); phase < goal - 1; phase++) {
      if (!isEarly(phase)) continue;
      isMonotone = false;
      earlier.push(...this.#guard(this.#contributions(goal - 2, arrivals)));
      break;
    }
    const later = this.#later(poll, goal, arrivals, stages);
    if (later !== null) isMonotone = false;
    return { planned: { phase: goal - 1, before: earlier, after: later ?? [] }, isMonotone };
  }

  /** Whether only who has taken the lock writes the word, until it is free again. */
  get #isTakenInTurn(): boolean {
    return (this.#isInTurn ??= this.#areWritesOfHolders());
  }

  #areWritesOfHolders(): boolean {
    const takers = this.#history.polls.filter(({ isLock, after }) => isLock === true && after >= 0);
    const names = new Set(takers.map(({ after, warp }) => `${after} ${warp}`));
    const free = new Set<number>();
    for (const { passes } of takers)
      for (const [value, isFree] of passes) if (isFree) free.add(value);
    let holder: number | null = null;
    for (const [index, { warp, cta, value }] of this.#writes.entries()) {
      const isTaken = names.has(`${index} ${warp}`);
      if (isTaken ? holder !== null : holder !== cta) return false;
      holder = free.has(value!) ? null : cta;
    }
    return true;
  }

  /** Guards of writes that must come after a poll of so many phases; `null`: any may come first. */
  #later(poll: Load, goal: number, arrivals: number, stages: Stages): number[] | null {
    const { bases, partial } = stages;
    const passesAt = (value: number): boolean => poll.passes.get(value) ?? true;
    for (let phase = goal; phase < partial.length; phase++) {
      const isPartlyLost = !partial[phase]!.every(passesAt);
      const isAgain =
        poll.isChosen === true && [bases[phase + 1], ...partial[phase]!].includes(bases[goal]);
      const isLost = isPartlyLost || isAgain || !passesAt(bases[phase + 1]!);
      const stores = this.#storesOfOthers(phase, arrivals);
      const isForgotten = stores.some(({ isWeak }) => isWeak) || stores.length > MAX_LINKED;
      if (isLost || isForgotten)
        return this.#guard(this.#losing(poll, phase, arrivals, isPartlyLost));
      if (stores.length > 0) this.#link(phase, arrivals);
    }
    return null;
  }

  /**
   * What a load orders that acquires what its thread has waited for by a relaxed one: it finds no
   * older value. `null`: nothing.
   */
  #acquired(look: WordLook, arrivals: number, stages: Stages): PlannedWait | null {
    const { polls } = this.#history;
    const last = polls.slice(0, look.polls).findLast((each) => isOwn(each, look));
    if (last?.isRelaxed !== true) return null;
    const goal = this.#foundBefore(look, look.polls, arrivals);
    if (goal === 0) return null;
    const each = { ...look, passes: new Map() };
    return { phase: goal - 1, before: [], after: this.#later(each, goal, arrivals, stages) ?? [] };
  }

  /**
   * How many phases a poll finds complete at least: no thread finds an older value than one that
   * it has found, or written, before. Source: PTX ISA, Memory Consistency Model, Coherence.
   */
  #knownBefore(poll: WordPoll, arrivals: number): number {
    const isOne = (poll.lanes & (poll.lanes - 1)) === 0;
    const earlier = this.#history.polls.indexOf(poll);
    const written = this.#writes
      .slice(0, isOne ? poll.after : 0)
      .findLastIndex((write) => isOwn(write, poll));
    return Math.max(Math.floor(written / arrivals), this.#foundBefore(poll, earlier, arrivals));
  }

  /** How many phases the first polls have found complete that the thread of a load has made. */
  #foundBefore(load: WordPoll | WordLook, polls: number, arrivals: number): number {
    const found = this.#history.polls
      .slice(0, polls)
      .filter((each) => each.after >= 0 && isOwn(each, load))
      .map((each) => Math.ceil(this.#goalOf(each) / arrivals));
    return Math.max(0, ...found);
  }

  /**
   * Stores of a phase that carry what their own threads know alone: not by the thread of the phase
   * before. Source: PTX ISA, Memory Consistency Model, Release and Acquire Patterns: a release, and
   * stores behind it of its own thread, to one word.
   */
  #storesOfOthers(phase: number, arrivals: number): readonly WordWrite[] {
    let found = this.#others.get(phase);
    if (found === undefined) {
      const before = this.#contributions(phase - 1, arrivals);
      const stores = this.#contributions(phase, arrivals).filter(isStore);
      found = stores.filter((write) => before.some((each) => !isOwn(each, write)));
      this.#others.set(phase, found);
    }
    return found;
  }

  /** The writes of a phase know of those of the phase before: each pair writes a guard. */
  #link(phase: number, arrivals: number): void {
    if (this.#linked.has(phase)) return;
    this.#linked.add(phase);
    for (const before of this.#contributions(phase - 1, arrivals))
      for (const write of this.#storesOfOthers(phase, arrivals)) {
        const guard = this.nextGuard++;
        for (const { key } of [before, write])
          this.#guards.set(key, [...(this.#guards.get(key) ?? []), guard]);
      }
  }

  #contributions(phase: number, arrivals: number): readonly WordWrite[] {
    return this.#writes.slice(phase * arrivals, (phase + 1) * arrivals);
  }

  /** Writes that must come after a poll, lest it misses what it waits for. */
  #losing(
    { warp, cta }: Load,
    phase: number,
    arrivals: number,
    isPartlyLost: boolean,
  ): readonly WordWrite[] {
    const all = this.#contributions(phase, arrivals);
    if (isPartlyLost) return all.filter((write) => write.warp !== warp);
    // One of them is enough: without it the phase is not complete.
    if (all.some((write) => write.warp === warp)) return [];
    const near = all.find((write) => write.cta === cta);
    return near === undefined ? all : [near];
  }

  /** A guard for each write: the poll reads it, and the write has to come before, or after. */
  #guard(writes: readonly WordWrite[]): number[] {
    return writes.map(({ key }) => {
      const guard = this.nextGuard++;
      this.#guards.set(key, [...(this.#guards.get(key) ?? []), guard]);
      return guard;
    });
  }

  /** What atomic accesses may find; those of a word that is not polled come in any order. */
  #answers(arrivals: number): ReadonlyMap<string, readonly number[]> {
    const { answers } = this.#history;
    if (!this.#areInAnyOrder(arrivals)) return new Map();
    return new Map(answers.map((answer) => [answer.key, this.#found(answer, arrivals)]));
  }

  /** What an atomic access may find: the others of its phase in any order. */
  #found({ key, at }: WordAnswer, arrivals: number): readonly number[] {
    const index = this.#writes.findIndex((write) => write.key === key);
    if (index < 0) return [];
    const from = index - (index % arrivals);
    const phase = this.#writes.slice(from, from + arrivals);
    const base = this.#valueAfter(from);
    if (phase.every(({ effect }) => effect === phase[0]!.effect))
      return phase.map((_, count) => this.#valueAfter(from + count));
    const others = phase.filter((write) => write.key !== key).map(({ amount }) => amount!);
    return [...new Set(sums(others, at).map((sum) => (base + sum) >>> 0))];
  }
}

/** Whether two accesses are of the same lanes. */
function isOwn(one: Pick<WordPoll, 'warp' | 'lanes'>, other: typeof one): boolean {
  return one.warp === other.warp && one.lanes === other.lanes;
}

/** The sums of some of the numbers: of none first, of all last. */
function sums(numbers: readonly number[], at: number): number[] {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  let all = [0];
  for (const [number, count] of counts) {
    const next: number[] = [];
    for (let times = 0; times <= count; times++)
      for (const sum of all) next.push(sum + times * number);
    if (next.length > MAX_VALUES)
      throw new Misunderstood(at, `the word may hold more than ${MAX_VALUES} values`);
    all = next;
  }
  return all;
}
