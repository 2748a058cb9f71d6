// What a role does, in terms of declared barriers and pieces of memory.
import type { Doubt } from './doubt.ts';
import type { Fence, FenceSpace } from '@poundlock/core/internal/op';
import type { Lack, StrandClass } from '@poundlock/core/internal/program';
import type { Counter } from '../steps/run.ts';
import type { AsyncUnit } from '../steps/step.ts';
import type { Writer } from './equal-stores.ts';
import type { Agent, RangeSet } from './pieces.ts';

/** Accesses of an agent to sets of ranges. */
export interface Uses {
  readonly sets: readonly RangeSet[];
  readonly agent: Agent;
  /** What stores of a warp itself, or its volatile and atomic accesses, are compared by. */
  readonly writer: Writer | null;
}

/** A barrier of the lowered kernel: those at one offset of several CTAs are one declaration. */
export interface PlannedBarrier {
  readonly name: string;
  /** Arrivals of each phase; 0 where the kernel initializes it itself. */
  readonly count: number;
  /** Whether it stands for groups of work, and not for a barrier of the kernel. */
  readonly isHidden?: boolean;
  /** What it stands for, where that never comes. */
  readonly lack?: Lack;
  /** Where it is in a CTA, if it is an mbarrier of the kernel. */
  readonly offset?: number;
}

/** A word of shared memory that the roles count with. */
export interface PlannedCell {
  readonly name: string;
  readonly initial: number;
}

/** A tensor map in global memory, or a part of one, at a place that no other has. */
export interface PlannedMap {
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
}

/** An action and those that it contains. */
export function flat(actions: readonly Action[]): Action[] {
  return actions.flatMap((action) => {
    return action.kind === 'last' ? [action, ...flat(action.actions)] : [action];
  });
}

/** An mbarrier in the CTA of a rank, and how the operation on it orders memory. */
interface Reached {
  readonly barrier: number;
  readonly rank: number;
  readonly order: number;
}

/** Operations on mbarriers. */
type BarrierAction =
  | { readonly kind: 'init'; readonly barrier: number; readonly count: number }
  | { readonly kind: 'invalidate'; readonly barrier: number }
  | (Reached & { readonly kind: 'arrive'; readonly arrivals: number; readonly bytes: number })
  | (Omit<Reached, 'rank'> & { readonly kind: 'drop'; readonly arrivals: number })
  | (Reached & { readonly kind: 'expect' | 'complete'; readonly bytes: number })
  | (Omit<Reached, 'rank'> & { readonly kind: 'wait'; readonly parity: number });

/** What asynchronous units do. */
type WorkAction =
  /** A copy into shared memory. */
  | {
      readonly kind: 'copy';
      readonly barrier: number;
      readonly ranks: readonly number[];
      readonly isPair: boolean;
      readonly bytes: number;
      readonly writes: Uses;
      readonly reads: Uses;
      /** Its tensor map, by its number among those that change. */
      readonly map: number | null;
    }
  /** A copy out of shared memory. */
  | {
      readonly kind: 'store';
      readonly reads: Uses;
      /** What it writes in global memory, where that is compared. */
      readonly writes: Uses;
      readonly map: number | null;
    }
  | { readonly kind: 'prefetch'; readonly map: number }
  | { readonly kind: 'use'; readonly unit: AsyncUnit; readonly reads: Uses; readonly writes: Uses }
  | {
      readonly kind: 'commit';
      readonly unit: AsyncUnit;
      readonly barrier: number;
      /** CTAs whose barriers are signaled; none: the role's own. */
      readonly ranks: readonly number[];
      /** Whether the phase waits for the signal beside the arrivals that it counts. */
      readonly adds: boolean;
    }
  | { readonly kind: 'commitGroup'; readonly unit: AsyncUnit }
  | {
      readonly kind: 'waitGroup';
      readonly unit: AsyncUnit | 'prefetch';
      readonly pending: number;
      readonly isRead: boolean;
    };

/** Words of global memory that warps poll, and the kernel before. */
type WordAction =
  /** Lets the next kernel begin, and waits for the end of the one before. */
  | { readonly kind: 'gridLaunch' }
  | { readonly kind: 'gridWait' }
  /** A write, and a poll until so many phases are complete. */
  | {
      readonly kind: 'signal';
      readonly counter: number;
      readonly arrivals: number;
      readonly order: number;
    }
  | {
      readonly kind: 'poll';
      readonly counter: number;
      readonly phase: number;
      readonly order: number;
    }
  /** What has to be ordered so that a poll sees the value that it waits for. */
  | {
      readonly kind: 'guard';
      readonly read: readonly number[];
      readonly written: readonly number[];
    };

/** Meetings of threads, and fences. */
type OrderAction =
  | {
      readonly kind: 'named';
      readonly id: number;
      readonly threads: number;
      /** Threads that arrive. */
      readonly arriving: number;
      /** Whether some lanes come to a barrier that needs all of their warp. */
      readonly isPartOfWarp: boolean;
      readonly isSync: boolean;
    }
  | {
      readonly kind: 'giveRegisters' | 'takeRegisters';
      readonly perThread: number;
      /** Whether not all warps of a warpgroup do so. */
      readonly isPartial: boolean;
    }
  | { readonly kind: 'clusterArrive' | 'clusterWait'; readonly order: number }
  | {
      readonly kind: 'fence';
      readonly fence: Fence;
      readonly space: FenceSpace;
      readonly order: number;
      readonly map: number | null;
    };

/** The instructions between two others, which a simulation alone knows the time of. */
interface ComputeAction {
  readonly kind: 'compute';
  readonly cycles: number;
}

/** Accesses of the threads themselves. */
type MemoryAction =
  /** Misuse of tensor memory, as of the pool that it is. */
  | { readonly kind: 'touchPool' | 'relinquishPool' }
  | { readonly kind: 'allocatePool'; readonly columns: number }
  /** Touches parts of tensor maps. */
  | { readonly kind: 'map'; readonly read: readonly number[]; readonly written: readonly number[] }
  | {
      readonly kind: 'access';
      readonly reads: Uses;
      readonly writes: Uses;
      /** Whether it may not happen. */
      readonly isPossible?: boolean;
    }
  /** Adds to a cell; `last` is done if the cell of the last addition held a value before it. */
  | {
      readonly kind: 'add';
      readonly cell: number;
      readonly amount: number;
      readonly order: number;
    }
  | { readonly kind: 'last'; readonly equals: number; readonly actions: readonly Action[] };

/** One thing a role does. `at` is the instruction it comes from. */
export type Action = { readonly at: number } & (
  | BarrierAction
  | WorkAction
  | OrderAction
  | WordAction
  | MemoryAction
  | ComputeAction
);

/** Actions of some kinds. */
export type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>;

/** The role of one warp. */
export interface PlannedRole {
  readonly name: string;
  readonly cta: number;
  /** The lanes of a warp that it stands for, where others are roles of their own. */
  readonly part?: StrandClass;
  /** Whether the run ended while its warp waited: what it does after that is not known. */
  readonly isCut?: boolean;
  /** The number in its CTA of the warpgroup that its warp is in. */
  readonly warpgroup?: number;
  /** Whether it stands for the kernel before. */
  readonly isEarlier?: boolean;
  readonly actions: readonly Action[];
  /** The actions that are performed any number of times, where a plan stands for many sizes. */
  readonly repeated?: { readonly at: number; readonly length: number };
}

/** A reference run in terms of roles. */
export interface Plan {
  readonly ctas: number;
  /** What each thread has at the launch, and the threads; `null`: no registers are changed. */
  readonly registers: { readonly perThread: number; readonly threads: number } | null;
  /** The most registers of a thread, which limit how many CTAs an SM holds; `null`: not known. */
  readonly mostRegisters: number | null;
  /** The version of PTX that the kernel is of. */
  readonly ptx: string;
  readonly roles: readonly PlannedRole[];
  readonly barriers: readonly PlannedBarrier[];
  readonly cells: readonly PlannedCell[];
  readonly maps: readonly PlannedMap[];
  /** Words of global memory that warps poll. */
  readonly counters: readonly Counter[];
  readonly guards: number;
  /**
   * Instructions whose accesses may or may not happen, or may lie elsewhere, because they depend
   * on unknown data: a race that one of them is part of is not certain.
   */
  readonly possible: ReadonlyMap<number, Doubt>;
  /**
   * Divides memory into the pieces of its sets, once: the first who asks for them says whether
   * equal stores are a class of their own, as they are unless specified.
   */
  readonly divide: (how?: { readonly areStoresCompared: boolean }) => void;
}
