// Words of global memory that warps poll, as counters: a write is an arrival, a poll is a wait.
import { AUTO, orderOf, type Scope } from '@poundlock/core/internal/op';
import type { Lack } from '@poundlock/core/internal/program';
import { list } from '@poundlock/core/internal/system';
import type { Counter, ReferenceRun } from '../steps/run.ts';
import type { PollStep, SignalStep, Step } from '../steps/step.ts';
import type { Action } from './plan.ts';
import type { Lowerings, WarpScope } from './warp-scope.ts';

/** The steps of a CTA. */
interface Cta {
  readonly cta: number;
  /** Whether a warp of it waits in vain. */
  readonly isStuck: boolean;
  readonly steps: readonly Step[];
}

function nameOf({ cta }: Cta): string {
  return `cta${cta}`;
}

/** Lines of writes that a sentence names. */
const MAX_LINES = 3;

/** Whether a step writes a word of global memory. */
function doesWrite(step: Step, word: number): boolean {
  if (step.op === 'signal') return step.word === word;
  if (step.op !== 'access') return false;
  for (let at = 0; at < step.writes.length; at += 2)
    if (step.writes[at]! <= word && word < step.writes[at + 1]!) return true;
  return false;
}

/** Words that warps of several clusters signal or poll. */
function sharedWords(warps: ReferenceRun['warps'], clusterSize: number): ReadonlySet<number> {
  const clusterOf = new Map<number, number>();
  const shared = new Set<number>();
  for (const { cta, steps } of warps)
    for (const step of steps) {
      if (step.op !== 'signal' && step.op !== 'poll') continue;
      const cluster = Math.floor(cta / clusterSize);
      const known = clusterOf.get(step.word);
      if (known === undefined) clusterOf.set(step.word, cluster);
      else if (known !== cluster) shared.add(step.word);
    }
  return shared;
}

/** The counters of a plan, by their addresses. */
export class WordCounters {
  readonly counters: readonly Counter[];
  readonly guards: number;
  readonly #clusterSize: number;
  readonly #indexOf: ReadonlyMap<number, number>;
  readonly #nameOf: (address: number) => string;
  readonly #places: ReferenceRun['places'];
  readonly #ctas: readonly Cta[];
  /** By cluster: the counter that is its barrier. */
  readonly #clusters = new Map<number, number>();
  /** Words that warps of several clusters signal or poll. */
  readonly #shared: ReadonlySet<number>;

  constructor({ counters, ctas, clusterSize, nameOf: nameOfWord, warps, places }: ReferenceRun) {
    this.#nameOf = nameOfWord;
    this.#places = places;
    const byCta = Map.groupBy(warps, ({ cta }) => cta);
    this.#ctas = [...byCta].map(([cta, all]) => {
      const isStuck = all.some(({ stuck }) => stuck !== null);
      return { cta, isStuck, steps: all.flatMap(({ steps }) => steps) };
    });
    this.#clusterSize = clusterSize;
    const words = [...counters.words.values()];
    this.counters =
      ctas > clusterSize ? [...words, ...this.#barriersOf(warps, words.length)] : words;
    this.#shared = sharedWords(warps, clusterSize);
    this.guards = counters.guards;
    this.#indexOf = new Map([...counters.words.keys()].map((word, index) => [word, index]));
  }

  /** The barriers of clusters, as counters of their warps; `first` is the number of the first. */
  #barriersOf(warps: ReferenceRun['warps'], first: number): Counter[] {
    const meeting = warps.filter(({ steps }) => steps.some(({ op }) => op === 'clusterArrive'));
    const byCluster = Map.groupBy(meeting, ({ cta }) => this.#clusterOf(cta));
    return [...byCluster].map(([cluster, all], index) => {
      this.#clusters.set(cluster, first + index);
      const name = `the barrier of cluster ${cluster}`;
      return { name, arrivals: all.length, isExact: true, writers: [], at: -1 };
    });
  }

  #clusterOf(cta: number): number {
    return Math.floor(cta / this.#clusterSize);
  }

  /** The counter that is the barrier of a CTA's cluster; `null` where that is core's own. */
  counterOfCluster(cta: number): number | null {
    return this.#clusters.get(this.#clusterOf(cta)) ?? null;
  }

  /** A write that counts. */
  signal(step: SignalStep): Action[] {
    const { at, word, arrivals, guards } = step;
    const counter = this.#indexOf.get(word)!;
    const order = this.#order(step);
    return [...guard(at, [], guards), { kind: 'signal', at, counter, arrivals, order }];
  }

  /** A poll as a wait; `null` for one that never ends. */
  poll(step: PollStep): Action[] | null {
    const { at, word, phase, before, after } = step;
    if (phase === null) return null;
    const counter = this.#indexOf.get(word)!;
    return [
      ...guard(at, before, []),
      ...(phase < 0
        ? []
        : [{ kind: 'poll', at, counter, phase, order: this.#order(step) } as const]),
      ...guard(at, after, []),
    ];
  }

  /** What a poll that never ends waits for, and who has ended without writing it. */
  lackOf(name: string, { word, held, wanted }: PollStep): Lack {
    const [text, writes] = [this.#nameOf(word), this.#writersOf(word)];
    const value = wanted === undefined ? 'another value' : `the value ${wanted}`;
    const holds = held === undefined ? '' : `, which is ${held}`;
    const last =
      writes.length === 0
        ? ', and no CTA has written it'
        : `; ${list(writes)} wrote it at ${list(this.#linesOf(word))}`;
    const silent = this.#silent(word);
    const ended = silent.length === 0 ? '' : `; ${list(silent)} ended without writing it`;
    return {
      what: `${value} of ${text}`,
      why: `${name} waits for ${value} of ${text}${holds}${last}${ended}`,
    };
  }

  /** CTAs that have written a word. */
  #writersOf(word: number): string[] {
    return this.#ctas
      .filter(({ steps }) => steps.some((step) => doesWrite(step, word)))
      .map(nameOf);
  }

  /** The lines of the writes of a word: what ends without a write has skipped them. */
  #linesOf(word: number): string[] {
    const writes = this.#ctas.flatMap(({ steps }) => steps.filter((step) => doesWrite(step, word)));
    const places = new Set(writes.map(({ at }) => at));
    const lines = [...places].map((at) => {
      const { file, line } = this.#places(at);
      return `${file.replace(/^.*[\\/]/, '')}:${line}`;
    });
    return [...new Set(lines)].slice(0, MAX_LINES);
  }

  /** CTAs that have ended without a write of a word. */
  #silent(word: number): string[] {
    return this.#ctas
      .filter(({ isStuck, steps }) => !isStuck && !steps.some((step) => doesWrite(step, word)))
      .map(nameOf);
  }

  /** The scope as wide as it is: a cluster of one CTA reaches no other one. */
  within(scope: Scope): Scope {
    return scope === 'cluster' && this.#clusterSize === 1 ? 'cta' : scope;
  }

  /** No cluster reaches another one. */
  #order({ sem, scope, word }: Pick<SignalStep, 'sem' | 'scope' | 'word'>): number {
    const isNarrow = scope === 'cluster' && this.#shared.has(word);
    return orderOf(sem, isNarrow ? 'cta' : scope && this.within(scope));
  }
}

/** The lowerings of writes and polls of words. */
export function wordLowerings(scope: WarpScope): Lowerings<'signal' | 'poll' | 'gridWait'> {
  const { actions, name, run } = scope;
  return {
    gridWait: ({ at }) => actions.push({ kind: 'gridWait', at }),
    signal: (step) => actions.push(...run.words.signal(step)),
    poll: (step) => {
      const waits = run.words.poll(step);
      if (waits !== null) return void actions.push(...waits);
      const barrier = run.numbers.never(`${name}'s poll`, run.words.lackOf(name, step));
      actions.push({ kind: 'wait', at: step.at, barrier, parity: 0, order: AUTO });
    },
  };
}

function guard(at: number, reads: readonly number[], writes: readonly number[]): Action[] {
  return reads.length + writes.length === 0
    ? []
    : [{ kind: 'guard', at, read: reads, written: writes }];
}
