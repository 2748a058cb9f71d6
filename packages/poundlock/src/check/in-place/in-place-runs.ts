// Runs of the program as it is, beside the steps that engines see: both must do the same (P09).
import { BoundError } from '@poundlock/core/internal/base';
import {
  EnoughSteps,
  InPlaceDifference,
  InPlaceSteps,
  NondeterminismError,
} from '@poundlock/core/internal/program';
import type {
  Calls,
  Difference,
  Divergence,
  Program,
  Unfolding,
} from '@poundlock/core/internal/program';
import { Names, System, type Move } from '@poundlock/core/internal/system';
import type { ExecutionContext } from '../certify/index.ts';
import { unfold } from '../search-space.ts';
import { Chooser, type Order } from './orders.ts';

/** What ends a run between two slices of it. */
export interface RunLimits {
  /** The most steps of its roles. */
  readonly steps: number;
  readonly stopReason: () => string | null;
  readonly pause: () => Promise<void>;
}

/** How a run ended. */
export interface Ended {
  readonly divergence: Divergence | null;
  readonly steps: number;
  /** Whether every role came to its end. */
  readonly isComplete: boolean;
}

/** Moves between two pauses. */
const SLICE = 20_000;
/** The moves of the state that some run is in; no run keeps them. */
const OPTIONS = new Int32Array(1 << 16);

/**
 * The steps of a program, unfolded once, and runs beside them. In each run the roles are instances
 * of one call of the kernel, as they are where it really runs.
 */
export class InPlaceRuns {
  readonly system: System;
  /** Whether some role came to a loop. */
  hasLooped = false;
  readonly #program: Program;
  readonly #unfolding: Unfolding;
  readonly #taken = new Map<number, number>();
  #runs = 0;

  constructor(program: Program) {
    this.#program = program;
    const { system, unfolding } = unfold(program);
    this.system = system;
    this.#unfolding = unfolding;
  }

  /** The steps as fresh rounds have shown them, for a proof to start from. */
  get context(): ExecutionContext {
    const { layout, machine } = this.system;
    return { layout, machine, unfolding: this.#unfolding, areFresh: true };
  }

  /** Makes one run in an order, until it ends or may go no further. */
  async run(order: Order, limits: RunLimits): Promise<Ended> {
    const { system, steps } = this.#beside('one-call', limits.steps, false);
    const chooser = new Chooser(system, order, ++this.#runs, this.#taken);
    const path: Move[] = [];
    const next = (words: Int32Array): Move => {
      const count = system.moves(words, OPTIONS);
      if (count === 0) return NONE;
      const at = chooser.choose(words, OPTIONS, count);
      return OPTIONS[at]!;
    };
    const slice = new Run(system, path, next, chooser.startsWithLast);
    for (;;) {
      const result = slice.go(SLICE);
      if (result === 'running') {
        await limits.pause();
        if (limits.stopReason() === null) continue;
      }
      this.hasLooped ||= steps.hasLooped;
      const divergence =
        result instanceof InPlaceDifference
          ? this.#explain(path, chooser.startsWithLast, result.difference)
          : null;
      return { divergence, steps: steps.followed, isComplete: result === 'final' };
    }
  }

  /** Repeats a schedule: how the program differs from the steps that it was found on. */
  replay(moves: readonly Move[]): Divergence | null {
    const difference = this.#repeat(moves, false, 'one-call', false);
    return difference === null ? null : this.#explain(moves, false, difference);
  }

  #beside(calls: Calls, most: number, capture: boolean): { system: System; steps: InPlaceSteps } {
    const unfolding = this.#unfolding;
    const { resolver } = unfolding;
    const steps = new InPlaceSteps(this.#program, unfolding, resolver, calls, most, capture);
    return { system: new System(this.#program, () => steps, this.system), steps };
  }

  #repeat(
    moves: readonly Move[],
    startsWithLast: boolean,
    calls: Calls,
    capture: boolean,
  ): Difference | null {
    const { system } = this.#beside(calls, Number.POSITIVE_INFINITY, capture);
    let at = 0;
    const run = new Run(system, [], () => moves[at++] ?? NONE, startsWithLast);
    const result = run.go(Number.POSITIVE_INFINITY);
    return result instanceof InPlaceDifference ? result.difference : null;
  }

  /** Repeats the run that differed, to learn why and where. */
  #explain(moves: readonly Move[], startsWithLast: boolean, first: Difference): Divergence {
    const again = this.#repeat(moves, startsWithLast, 'one-call', true);
    const alone = this.#repeat(moves, startsWithLast, 'call-each', false);
    const isStable = isSame(first, again);
    const { role, expected, found } = first;
    const why = !isStable ? null : isSame(first, alone) ? 'captured' : 'shared';
    return {
      rule: why === 'captured' && first.inLoop ? 'loop-captures' : 'nondeterministic-role',
      role,
      expected,
      expectedAt: this.#placeOf(expected),
      found,
      foundAt: isStable ? again!.foundAt : undefined,
      isShared: why === 'shared',
    };
  }

  #placeOf(step: number) {
    try {
      return this.#unfolding.position(step);
    } catch (error) {
      if (error instanceof NondeterminismError) return undefined;
      throw error;
    }
  }

  get names(): Names {
    return new Names(this.system);
  }
}

const NONE = -1;

function isSame(one: Difference, other: Difference | null): boolean {
  return other?.role === one.role && other.at === one.at && other.found === one.found;
}

type Result = 'running' | 'final' | 'stuck' | 'enough' | InPlaceDifference;

/** One run, in slices. */
class Run {
  readonly #system: System;
  readonly #path: Move[];
  readonly #next: (words: Int32Array) => Move;
  readonly #startsWithLast: boolean;
  #words: Int32Array | null = null;

  constructor(
    system: System,
    path: Move[],
    next: (words: Int32Array) => Move,
    startsWithLast: boolean,
  ) {
    this.#startsWithLast = startsWithLast;
    this.#system = system;
    this.#path = path;
    this.#next = next;
  }

  go(moves: number): Result {
    const system = this.#system;
    try {
      const words = (this.#words ??= system.initial(this.#startsWithLast));
      for (let left = moves; left > 0; left--) {
        if (system.symptoms.some(({ rule }) => rule !== 'late-pass')) return 'stuck';
        const move = this.#next(words);
        if (move === NONE) return system.isFinal(words) ? 'final' : 'stuck';
        this.#path.push(move);
        system.apply(words, move);
      }
      return 'running';
    } catch (error) {
      if (error instanceof InPlaceDifference) return error;
      if (error instanceof EnoughSteps || error instanceof BoundError) return 'enough';
      throw error;
    }
  }
}
