// Words of global memory that warps poll, as counters: a write is an arrival, a poll is a wait.
import { AUTO, orderOf } from '@poundlock/core/internal/op';
import type { Counter, ReferenceRun } from '../steps/run.ts';
import type { PollStep, SignalStep } from '../steps/step.ts';
import type { Action } from './plan.ts';
import type { Lowerings, WarpScope } from './warp-scope.ts';

/** The counters of a plan, by their addresses. */
export class WordCounters {
  readonly counters: readonly Counter[];
  readonly guards: number;
  readonly #clusterSize: number;
  readonly #indexOf: ReadonlyMap<number, number>;

  constructor({ counters, clusterSize }: ReferenceRun) {
    this.counters = [...counters.words.values()];
    this.guards = counters.guards;
    this.#clusterSize = clusterSize;
    this.#indexOf = new Map([...counters.words.keys()].map((word, index) => [word, index]));
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

  /** A cluster of one CTA reaches no other one. */
  #order({ sem, scope }: Pick<SignalStep, 'sem' | 'scope'>): number {
    return orderOf(sem, scope === 'cluster' && this.#clusterSize === 1 ? 'cta' : scope);
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
      const barrier = run.numbers.never(`${name}'s poll`);
      actions.push({ kind: 'wait', at: step.at, barrier, parity: 0, order: AUTO });
    },
  };
}

function guard(at: number, reads: readonly number[], writes: readonly number[]): Action[] {
  return reads.length + writes.length === 0
    ? []
    : [{ kind: 'guard', at, read: reads, written: writes }];
}
