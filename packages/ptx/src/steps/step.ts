// The steps format: what each warp of one cluster did to memory, barriers and asynchronous units in
// one reference run. It stands between the sources of runs (the PTX interpreter, later traces of
// hardware) and the lowering to roles.
import type { Fence, Scope } from '@poundlock/core/internal/op';
import type { StoredValue } from './stored-value.ts';

/** The version of the steps format: a change of meaning changes it, an optional field does not. */
export const STEPS_VERSION = 1;

/**
 * Byte ranges `[from, to)` of shared memory, flat: `[from, to, from, to, …]`. The rank of the CTA
 * is in bits 24 and up. Tensor memory is at `TENSOR_MEMORY` within each CTA. Numbers from `GLOBAL`
 * on are places of global memory.
 */
export type Ranges = readonly number[];

/** An asynchronous unit whose work is completed in groups or by commits. */
export type AsyncUnit = 'bulk' | 'cpAsync' | 'wgmma' | 'tcgen05' | 'tensorLoad' | 'tensorStore';

/** What all steps have. */
interface At {
  /** The instruction that made the step: an index in the places of the run. */
  readonly at: number;
  /** The lanes that made it, as a mask; all threads of the warp if absent. */
  readonly lanes?: number;
  /** Whether the warp made it as one (`.sync.aligned`), so that it joins its lanes. */
  readonly isJoint?: boolean;
}

/** How a signal, a wait or a fence orders memory: in full and for all unless specified. */
export interface Ordered {
  /** Whether it orders turns alone, and carries no memory. */
  readonly sem?: 'relaxed';
  /** Whose threads it orders memory for. */
  readonly scope?: Scope;
}

/** An mbarrier is initialized with a count of arrivals, or made memory again. */
export type InitStep = At & {
  readonly op: 'init';
  readonly barrier: number;
  readonly count: number;
};
export type InvalidateStep = At & { readonly op: 'invalidate'; readonly barrier: number };

/** Arrivals at an mbarrier of all active lanes, after `expect` more bytes are expected. */
export type ArriveStep = At &
  Ordered & {
    readonly op: 'arrive';
    readonly barrier: number;
    readonly arrivals: number;
    readonly expect: number;
    /** The phase that it is of, in the run. */
    readonly phase?: number;
    /** Whether the arrivals also leave the count of the phases that follow. */
    readonly isDrop: boolean;
  };
export type ExpectStep = At &
  Ordered & {
    readonly op: 'expect';
    readonly barrier: number;
    readonly bytes: number;
  };
export type CompleteStep = At &
  Ordered & {
    readonly op: 'complete';
    readonly barrier: number;
    readonly bytes: number;
  };
/** A wait for the completion of the phase with a parity. */
export type WaitStep = At &
  Ordered & {
    readonly op: 'wait';
    readonly barrier: number;
    readonly parity: number;
    /** The phase that it saw complete, in the run. */
    readonly phase?: number;
  };

/** Bytes that a copy completes at an mbarrier. */
export interface Signal {
  readonly barrier: number;
  readonly bytes: number;
  /** The phase that they are of, in the run. */
  readonly phase?: number;
}

/** A copy into shared memory that completes bytes at an mbarrier in each CTA it writes. */
export type CopyStep = At & {
  readonly op: 'copy';
  /** Where it writes, in each destination CTA. */
  readonly writes: Ranges;
  /** What it reads from shared memory. */
  readonly reads: Ranges;
  /** The mbarrier of each write, with the bytes that it completes there. */
  readonly signals: readonly Signal[];
  /** The tensor map that determined the bytes; `null` for a plain copy. */
  readonly map: string | null;
  /** Whether it adds to what it writes, or the like, as an atomic operation does. */
  readonly isReduction?: boolean;
};

/** Work of an asynchronous unit that a later commit or group reports. */
export type UseStep = At & {
  readonly op: 'use';
  readonly unit: AsyncUnit;
  readonly reads: Ranges;
  readonly writes: Ranges;
  /** The tensor map of a copy out of shared memory. */
  readonly map?: string;
  /** Whether it adds to what it writes, or the like, as an atomic operation does. */
  readonly isReduction?: boolean;
};
/** A prefetch through a tensor map. */
export type PrefetchStep = At & { readonly op: 'prefetch'; readonly map: string };
/** Arrivals at mbarriers once the tensor core's earlier work of this thread is complete. */
export type CommitStep = At & { readonly op: 'commit'; readonly barriers: readonly number[] };
export type CommitGroupStep = At & { readonly op: 'commitGroup'; readonly unit: AsyncUnit };
/** A wait until at most `pending` groups are open; with `isRead` only their reads have to end. */
export type WaitGroupStep = At & {
  readonly op: 'waitGroup';
  readonly unit: AsyncUnit;
  readonly pending: number;
  readonly isRead: boolean;
};
/** Arrivals of lanes once their `cp.async` copies so far are complete. */
export type AsyncArriveStep = At & {
  readonly op: 'asyncArrive';
  readonly barrier: number;
  readonly arrivals: number;
  /** The phase that they are of, in the run. */
  readonly phase?: number;
  /** Whether the arrivals are among the count that the barrier was initialized with. */
  readonly isCounted: boolean;
};

/** Values of stores that were left out, because they decide nothing; it is known by itself. */
export const LEFT_OUT: readonly number[] = [];

/** How accesses of several warps to the same bytes relate. */
export type AccessKind = 'plain' | 'volatile' | 'atomic';
/** Loads or stores of shared or tensor memory by the threads themselves. */
export type AccessStep = At & {
  readonly op: 'access';
  readonly kind: AccessKind;
  readonly reads: Ranges;
  readonly writes: Ranges;
  /** The identity of each stored value: two numbers for a range of `writes`; empty if unknown. */
  readonly values: readonly number[];
  /** Beside `values`: how what is stored is computed from the place of the block. */
  readonly stored?: readonly (StoredValue | null)[];
  /** Whether it may not happen, or lie elsewhere in the ranges: it depends on unknown data. */
  readonly isPossible?: boolean;
  /**
   * Where data decides which bytes of the ranges: each for some data, or perhaps only some; or
   * where others may have signaled whether it happens.
   */
  readonly unknown?: UnknownBytes;
  /** What an atomic access of one lane adds to a word, and to which count of it. */
  readonly adds?: Ordered & { readonly count: number; readonly amount: number };
};
/** Loads or stores of a tensor map in global memory, by ranges of its bytes. */
export type MapStep = At & {
  readonly op: 'map';
  readonly map: string;
  readonly reads: Ranges;
  readonly writes: Ranges;
};
/**
 * Steps that the warp makes only if the word that it added to last held a value before: only the
 * last warp to add finds it.
 */
export type LastStep = At & {
  readonly op: 'last';
  readonly count: number;
  readonly equals: number;
  readonly steps: readonly Step[];
};

/**
 * A write of a word of global memory that warps poll: it counts like an arrival. It writes guards,
 * which some polls read: they have to be ordered.
 */
export type SignalStep = At &
  Ordered & {
    readonly op: 'signal';
    readonly word: number;
    /** Writes of several lanes. */
    readonly arrivals: number;
    readonly guards: readonly number[];
  };
/** A poll of such a word, until so many phases are complete; `null`: it never ends. */
export type PollStep = At &
  Ordered & {
    readonly op: 'poll';
    readonly word: number;
    readonly phase: number | null;
    /** Guards that are read before the wait, and after it. */
    readonly before: readonly number[];
    readonly after: readonly number[];
    /** Of one that never ends: what the word holds, and a value with which it would end. */
    readonly held?: number;
    readonly wanted?: number;
  };

/** A wait for the end of the kernel before (`griddepcontrol.wait`). */
export type GridWaitStep = At & { readonly op: 'gridWait' };

/** What a fence orders: the names of the fences. */
export type FenceKind = keyof typeof Fence;
/** A fence. */
export type FenceStep = At & {
  readonly op: 'fence';
  readonly fence: FenceKind;
  readonly scope?: Scope;
  /** The memory that it is about; all unless specified. */
  readonly space?: 'shared' | 'global';
  /** The tensor map that it acquires, or releases alone. */
  readonly map?: string;
};
/** The bytes that an access at an unknown address touches, of those it may. */
export type UnknownBytes = 'each' | 'some' | 'whether';
/** `barrier.sync` or `barrier.arrive` of a named barrier of a CTA. */
export type NamedStep = At & {
  readonly op: 'named';
  readonly id: number;
  /** Threads that the barrier waits for. */
  readonly threads: number;
  /** Threads that arrive here. */
  readonly arriving: number;
  /** Whether some lanes come to a barrier that needs all of their warp. */
  readonly isPartOfWarp?: boolean;
  readonly isSync: boolean;
};
export type ClusterStep = At & Ordered & { readonly op: 'clusterArrive' | 'clusterWait' };
/** Tensor memory: columns are allocated, freed, or the right to allocate is given up. */
export type AllocateStep = At & {
  readonly op: 'allocate';
  /** The first of them; −1 where so many are never free. */
  readonly column: number;
  readonly columns: number;
};
export type FreeStep = At & {
  readonly op: 'free';
  readonly column: number;
  readonly columns: number;
};
/** Tensor memory is used that nothing has allocated, or allocated where nothing may be. */
export type TensorMisuseStep = At & {
  readonly op: 'tensorMisuse';
  readonly misuse: 'unallocated' | 'relinquished' | 'capacity';
  readonly columns: number;
};
export type RelinquishStep = At & { readonly op: 'relinquish' };
/** `setmaxnreg`: the warp gives registers of its threads back to the CTA, or takes some. */
export type RegistersStep = At & {
  readonly op: 'registers';
  readonly isTaking: boolean;
  readonly perThread: number;
  /** Whether some of its lanes do so alone. */
  readonly isPartOfWarp?: boolean;
};
/**
 * Lanes of the warp wait in an exchange for others, a mask, that wait for them in turn at a barrier
 * of all threads. The warp never goes on.
 */
export type LanesStep = At & {
  readonly op: 'lanes';
  readonly missing: number;
};

/**
 * Lanes join: `bar.warp.sync`, and what counts as one, such as `shfl.sync`. Without `lanes` they
 * are all that there still are.
 */
export type JoinStep = At & { readonly op: 'join' };

/** One step of a warp. */
export type Step =
  | InitStep
  | InvalidateStep
  | ArriveStep
  | ExpectStep
  | CompleteStep
  | WaitStep
  | CopyStep
  | UseStep
  | PrefetchStep
  | CommitStep
  | CommitGroupStep
  | WaitGroupStep
  | AsyncArriveStep
  | AccessStep
  | MapStep
  | FenceStep
  | NamedStep
  | ClusterStep
  | AllocateStep
  | FreeStep
  | RelinquishStep
  | TensorMisuseStep
  | RegistersStep
  | LanesStep
  | SignalStep
  | GridWaitStep
  | PollStep
  | JoinStep
  | LastStep;

/** The name of a kind of step. */
export type StepName = Step['op'];

/** Bits of a shared address that hold the offset within a CTA; the rank is above them. */
export const RANK_SHIFT = 24;
/** The size of the address space of one CTA. */
export const RANK_SIZE = 1 << RANK_SHIFT;
/** Where tensor memory begins in the address space of a CTA: 4 bytes for a lane and a column. */
export const TENSOR_MEMORY = 0x80_0000;

/** The rank of the CTA that an address lies in. */
export function rankOf(address: number): number {
  return Math.floor(address / RANK_SIZE);
}

/** The offset of an address within its CTA. */
export function offsetOf(address: number): number {
  return address % RANK_SIZE;
}

/** Where numbers of bytes of global memory begin: behind all CTAs. */
export const GLOBAL = 2 ** 31;

/** Whether an address is in global memory. */
export function isGlobal(address: number): boolean {
  return address >= GLOBAL;
}
