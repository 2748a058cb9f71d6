// What a caller can ask of `check`, with the default of every bound.
import type { ParameterValue } from '../finding/index.ts';

/** How far a search is, for a progress line. */
export interface Progress {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly frontier: number;
}

export interface CheckOptions {
  /** Parameters: typed values, or text as a command line has it. */
  readonly params?: Readonly<Record<string, ParameterValue>>;
  /**
   * `certify` proves from one run, or stays inconclusive; `search` tries every interleaving;
   * `auto` certifies, and where that decides nothing builds a schedule that goes wrong, or
   * searches.
   */
  readonly engine?: 'auto' | 'certify' | 'search';
  /** Events that a certificate may have before it gives up; 50 million unless given. */
  readonly maxEvents?: number;
  /** States that are stored before the search gives up as inconclusive; 20 million unless given. */
  readonly maxStates?: number;
  /** Milliseconds before the search gives up as inconclusive; needs {@link now}. */
  readonly timeoutMs?: number;
  /** A replay token: this one schedule is run instead of all. */
  readonly replay?: string;
  /** How many smaller sizes are tried to show the first finding; none unless given. */
  readonly shrinkTries?: number;
  /** Whether a shortest schedule that ends well is wanted. */
  readonly example?: boolean;
  /** A clock in milliseconds; without it times are 0. */
  readonly now?: () => number;
  /** Awaited between slices of work, so that timers and signals are served. */
  readonly pause?: () => Promise<void>;
  /** Asked between slices of work; `true` ends the search as inconclusive. */
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (progress: Progress) => void;
}

export const DEFAULT_MAX_EVENTS = 50_000_000;
export const DEFAULT_MAX_STATES = 20_000_000;
/** States of the search for a shortest schedule, where a longer one is known already. */
export const SHORTEST_STATES = 20_000;
/** Events of a certificate between two pauses. */
export const CERTIFY_SLICE = 2_000_000;
/** Transitions of a search between two pauses. */
export const SLICE = 50_000;
/** Findings that are reported of the shortest depth. */
export const MAX_FINDINGS = 4;
