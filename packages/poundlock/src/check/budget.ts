// How much work a check may still do: bounds of events and states, and a clock with a time limit.
import { Alarm } from '@poundlock/core/internal/base';
import { formatNumber } from '@poundlock/core/internal/system';
import {
  DEFAULT_MAX_EVENTS,
  DEFAULT_MAX_STATES,
  type Limits,
  type CheckProgress,
} from './options.ts';

/** The limits of one check, counted from its start. */
export class Budget {
  readonly maxEvents: number;
  readonly maxStates: number;
  /** Rings when the time is up that {@link share} leaves. */
  readonly alarm = new Alarm(() => this.stopReason(this.share));
  /** What the work that is done now may take of the time. */
  share = 1;
  /** How far the last search came, where a bound ends it in the middle. */
  readonly searched = { progress: { states: 0, transitions: 0 } };
  readonly #limits: Limits;
  readonly #started: number;

  constructor(limits: Limits) {
    this.maxEvents = limits.maxEvents ?? DEFAULT_MAX_EVENTS;
    this.maxStates = limits.maxStates ?? DEFAULT_MAX_STATES;
    this.#limits = limits;
    this.#started = this.#now();
  }

  /** Milliseconds since the start, with one decimal. */
  get elapsedMs(): number {
    return Math.round((this.#now() - this.#started) * 10) / 10;
  }

  /** Why the check must end now, or `null`. A decider may have a share of the time alone. */
  stopReason(share = 1): string | null {
    const { timeoutMs, shouldStop, whyFull } = this.#limits;
    if (shouldStop?.() === true) return 'it was interrupted';
    const full = whyFull?.() ?? null;
    if (full !== null) return full;
    if (timeoutMs === undefined) return null;
    const limitMs = timeoutMs * share;
    if (this.#now() - this.#started <= limitMs) return null;
    return `the bound timeout of ${formatNumber(limitMs)} ms was reached`;
  }

  /** Milliseconds until the time-out. */
  get leftMs(): number {
    const { timeoutMs = Number.POSITIVE_INFINITY } = this.#limits;
    return Math.max(0, this.#started + timeoutMs - this.#now());
  }

  /** Serves timers and signals between two slices of work. */
  readonly pause = async (): Promise<void> => {
    await this.#limits.pause?.();
  };

  /** Shows how far a search is. */
  show({ states, transitions, depth, frontier }: CheckProgress): void {
    this.#limits.onProgress?.({ states, transitions, depth, frontier });
  }

  #now(): number {
    return this.#limits.now?.() ?? 0;
  }
}
