// A litmus program with numbers for names: what the view machine executes.
import type { LitmusOp } from '../litmus-program.ts';
import type { Location } from './pieces.ts';

/** Kinds of asynchronous work, and arrivals that wait for earlier work of a kind. */
export type Unit = 'bulk' | 'tc' | 'wg' | 'tld' | 'tst' | 'cpa' | 'commit' | 'cparr';

export interface SceneBarrier {
  readonly name: string;
  readonly count: number;
  readonly cta: number;
  /** The location of its eight bytes if the program initializes it, else -1. */
  readonly bytesAt: number;
}

/** Asynchronous work or a signal that follows it. */
export interface SceneFlight {
  readonly id: string;
  readonly line: number;
  readonly agent: number;
  readonly unit: Unit;
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  readonly map: number;
  readonly bar: number;
  readonly bytes: number;
  readonly isGroup: boolean;
  /** It reads first and writes later: two landings. */
  readonly isTwoPart: boolean;
  /** Flights of the same agent that have to land before it. */
  readonly after: readonly number[];
  readonly readSlots: readonly number[];
  readonly message: number;
}

export interface SceneStep {
  readonly op: LitmusOp;
  readonly id: string;
  readonly line: number;
  /** The pieces of its location, its barrier, and how many strands perform it. */
  readonly at: readonly number[];
  readonly bar: number;
  readonly performers: number;
  /** What it starts, sends and reads: numbers in the lists of the scene, or -1. */
  readonly flight: number;
  readonly message: number;
  readonly readSlots: readonly number[];
  /** The named, warp or cluster barrier that it is about. */
  readonly room: number;
}

export interface SceneAgent {
  readonly name: string;
  readonly role: number;
  readonly strands: number;
  readonly cta: number;
  readonly grid: number;
  readonly threads: number;
  readonly registers: number;
  readonly steps: readonly SceneStep[];
}

/** One execution of a read of one piece. */
export interface ReadSlot {
  readonly id: string;
  readonly at: number;
  readonly agent: number;
  readonly flight: number;
}

export interface Scene {
  readonly locations: readonly Location[];
  readonly barriers: readonly SceneBarrier[];
  readonly agents: readonly SceneAgent[];
  readonly flights: readonly SceneFlight[];
  readonly reads: readonly ReadSlot[];
  /** The barrier or the room of each message. */
  readonly messages: readonly { readonly bar: number; readonly room: number }[];
  readonly rooms: readonly string[];
  /** CTAs end by themselves, and begin by themselves. */
  readonly hasEnds: boolean;
  readonly hasBegins: boolean;
}

/** The work that an arrival waits for. */
export const FOLLOWED: Readonly<Partial<Record<Unit, Unit>>> = { commit: 'tc', cparr: 'cpa' };

/** Units whose copies may go on when their own CTA has ended (H7, H18). */
export const COPIES: ReadonlySet<Unit> = new Set(['bulk', 'cpa']);

/** Whether a flight is no work, but an arrival after work. */
export function isSignal({ unit }: SceneFlight): boolean {
  return FOLLOWED[unit] !== undefined;
}
