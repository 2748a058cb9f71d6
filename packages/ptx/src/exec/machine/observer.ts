// Follows a reference run instruction by instruction, beside the steps that it records.
import type { WarpState } from '../warp/peek.ts';
import type { Changes } from '../warp/polling.ts';
import type { Warp } from '../warp/warp.ts';

/** Follows each instruction before lanes of a warp execute it; more than once while blocked. */
export interface Observer {
  /** The instructions that it follows: 1 at their indices. */
  readonly follows: Uint8Array;
  /**
   * Whether it follows all instructions: also those that no lane executes, with an empty mask, and
   * those of looks ahead.
   */
  readonly isThorough?: boolean;
  /** Whether it follows all blocks, where they are executed together, and not the first cluster. */
  readonly isOfGrid?: boolean;
  /**
   * Whether a wait that gives up after some tries is taken to end before, so that the run goes on:
   * it stands for the launch as it is when all goes well.
   */
  readonly endsWaits?: boolean;
  /** What a clock of a warp says, where time is simulated; else nothing is known of it. */
  clockOf?(warp: Warp): number;
  /** A run begins; what was seen of an earlier one does not count. */
  begin(): void;
  /** Lanes of a warp execute the instruction at an index. */
  executes(warp: Warp, at: number, mask: number): void;
  /** Lanes pass over what lies between a branch on unknown data and where its ways meet. */
  passesOver(warp: Warp, branch: number, mask: number): void;
  /** A wait has ended, which may have taken any number of tries. */
  forgets(warp: Warp, changes: Changes): void;
  /** A state that will be run ahead: it is as another one, or as the warp. */
  copies?(warp: Warp, from: WarpState | null, to: WarpState): void;
  /** In a state that will be run ahead, what changes from try to try is unknown. */
  forgetsIn?(state: WarpState, warp: Warp, changes: Changes): void;
  /** Two states that were run ahead count as one, but for what changes from try to try. */
  equates?(warp: Warp, one: WarpState, other: WarpState, changes: Changes): void;
}

/** Notifies an observer of the instructions that it follows; `null` where there is none. */
export function followerOf(observer: Observer | null): Observer['executes'] | null {
  if (observer === null) return null;
  if (observer.isThorough === true) return (warp, at, mask) => observer.executes(warp, at, mask);
  return (warp, at, mask) => {
    if (observer.follows[at] === 1) observer.executes(warp, at, mask);
  };
}
