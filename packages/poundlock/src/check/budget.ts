// How much work a check may still do: bounds of events and states, and a clock with a time limit.
import { Alarm } from '@poundlock/core/internal/base';
import { formatNumber } from '@poundlock/core/internal/system';
import {
  DEFAULT_MAX_EVENTS,
  DEFAULT_MAX_STATES,
  DEFAULT_TIMEOUT_MS,
  SEARCH_FACTOR,
  SEARCH_MS,
  type Limits,
  type CheckProgress,
} from './options.ts';
import type { Outcome } from './outcome.ts';

/** What a search has done, and how far it came. */
export type Searched = Pick<Outcome, 'states' | 'transitions' | 'unfinished'>;

/** The limits of one check, counted from its start. */
export class Budget {
  readonly maxEvents: number;
  readonly maxStates: number;
  /** Rings when the time is up that {@link share} leaves. */
  readonly alarm = new Alarm(() => this.stopReason(this.share));
  /** What the work that is done now may take of the time. */
  share = 1;
  /** How far the last search came, where a bound ends it in the middle. */
  readonly searched: { progress: Searched } = { progress: { states: 0, transitions: 0 } };
  /** Milliseconds that attempts at a proof took so far. */
  proofMs = 0;
  readonly #limits: Limits;
  readonly #started: number;
  readonly #timeoutMs: number | undefined;
  /** What a search may take, and when it is over; `null` where no search is limited now. */
  #search: { readonly limitMs: number; readonly endMs: number } | null = null;

  constructor(limits: Limits) {
    this.maxEvents = limits.maxEvents ?? DEFAULT_MAX_EVENTS;
    this.maxStates = limits.maxStates ?? DEFAULT_MAX_STATES;
    this.#limits = limits;
    // Without a clock nothing is limited.
    this.#timeoutMs = limits.timeoutMs ?? (limits.now && DEFAULT_TIMEOUT_MS);
    this.#started = this.#now();
  }

  /** Milliseconds since the start, with one decimal. */
  get elapsedMs(): number {
    return Math.round((this.#now() - this.#started) * 10) / 10;
  }

  /** Why the check must end now, or `null`. A decider may have a share of the time alone. */
  stopReason(share = 1): string | null {
    const { shouldStop, whyFull } = this.#limits;
    if (shouldStop?.() === true) return 'it was interrupted';
    const full = whyFull?.() ?? null;
    if (full !== null) return full;
    if (this.#search !== null && this.#now() > this.#search.endMs)
      return `the bound search-time of ${formatNumber(this.#search.limitMs)} ms was reached`;
    if (this.#timeoutMs === undefined) return null;
    const limitMs = this.#timeoutMs * share;
    if (this.#now() - this.#started <= limitMs) return null;
    this.#limits.onTimeout?.();
    return `the bound timeout of ${formatNumber(limitMs)} ms was reached`;
  }

  /**
   * A search after a proof that failed has some times what the proof took, unless a time-out asks
   * for more or less. Searches that follow one another have that together.
   */
  beginSearch(): void {
    const { timeoutMs, now } = this.#limits;
    if (timeoutMs !== undefined || now === undefined || this.#search !== null) return;
    const limitMs = Math.max(SEARCH_MS, Math.round(SEARCH_FACTOR * this.proofMs));
    this.#search = { limitMs, endMs: now() + limitMs };
  }

  /** What follows is no search. */
  endSearch(): void {
    this.#search = null;
  }

  /** Milliseconds until the time-out. */
  get leftMs(): number {
    const timeoutMs = this.#timeoutMs ?? Number.POSITIVE_INFINITY;
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
