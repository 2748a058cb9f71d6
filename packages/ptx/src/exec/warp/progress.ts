// What a warp has done so far.
import type { Barrier } from '../machine/barriers.ts';
import type { Around } from './around.ts';
import type { Addition } from './last-thread.ts';

/** How far a warp has come. */
export class Progress {
  /** Instructions executed. */
  executed = 0;
  /** By branch that leads back: how often it was taken. */
  readonly rounds = new Map<number, number>();
  /** By such a branch: the round from which on rounds may be passed over. */
  readonly nextTries = new Map<number, number>();
  /** The state in which it went back last, of those that are compared. */
  around: Around | null = null;
  /** The last completed phase of each mbarrier that the warp has waited for. */
  readonly waited = new Map<Barrier, number>();
  /** Lanes that have waited for the kernel before. */
  followed = 0;
  /** Rounds of `barrier.cluster` that the warp has arrived at. */
  clusterRounds = 0;
  /** How many barriers of all threads of its CTA it has passed. */
  meetings = 0;
  /** How many clocks and the like it has read. */
  clock = 0;
  /** The last addition of one lane to a word of shared memory. */
  addition: Addition | null = null;
}
