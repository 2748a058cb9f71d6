// The arguments of each operation: one interface of named fields per kind.
import type { OpKind, Side } from './kind.ts';
import type { Unit } from './unit.ts';

// Barriers, buffers, cells, pools, counts, rings and roles are ids of the kernel's declarations.

interface NoArguments {}

interface OnBarrier {
  readonly barrier: number;
}

/** A signal, a wait or a fence with semantics and a scope (S11): see `order.ts`. */
interface Ordered {
  readonly order?: number;
}

interface OnBuffer {
  readonly buffer: number;
  /** The CTA whose buffer it is; `null`: the role's own. */
  readonly cta: number | null;
  /** Whether each strand of the role accesses a part of its own (W03). */
  readonly isShared?: boolean;
  /** Whether it is a read that may not happen, which shows of no write that it is over (K04). */
  readonly isPossible?: boolean;
  /** Whether it is a read that stands for what a store of a kernel as built is compared with. */
  readonly isOfStore?: boolean;
}

interface OnRing {
  readonly ring: number;
  readonly side: Side;
}

/** An operation that may reach several CTAs. */
interface Reaching {
  /** The CTAs that are reached; empty: the role's own. */
  readonly ctas: readonly number[];
}

interface Bytes extends OnBarrier, Reaching {
  readonly bytes: number;
}

interface Gathering {
  /** The number of the named barrier. */
  readonly named: number;
  /** Threads that the barrier takes. */
  readonly threads: number;
  /** Threads of the role, which all arrive. */
  readonly lanes: number;
  /** Whether it needs all lanes of a warp (N04), and whether only some of them come. */
  readonly isAligned?: boolean;
  readonly isPartOfWarp?: boolean;
}

/** How many registers each thread has afterwards, and for how many threads. */
interface OnRegisters {
  readonly perThread: number;
  readonly threads: number;
  /** Whether other warps of the warpgroup do not change theirs (Q03). */
  readonly isPartial: boolean;
}

/** A ghost operation: one of a live handle, or a misuse that stays in the role's steps. */
interface OnHandle {
  readonly handle: object | null;
  readonly misuse: object | null;
  /** Operations posted right after it that it stands for: those of the use or of the release. */
  readonly covers: number;
}

/** The arguments of every operation. */
export interface OpArguments {
  readonly [OpKind.init]: OnBarrier & { readonly arrivals: number };
  readonly [OpKind.invalidate]: OnBarrier;
  readonly [OpKind.wait]: OnBarrier & Ordered & { readonly phase: number };
  readonly [OpKind.waitParity]: OnBarrier & Ordered & { readonly parity: number };
  readonly [OpKind.waitStage]: OnRing & {
    /** Whether a try has said that it would pass, so that it tests nothing (R08). */
    readonly isAssumed: boolean;
    /** Whether a producer fills nothing and only waits for an empty stage (R04). */
    readonly isDraining: boolean;
  };
  readonly [OpKind.tryWait]: OnBarrier &
    Ordered & {
      readonly phase: number;
      /** Whether it tests the parity of `phase` alone, and names no phase. */
      readonly isRaw?: boolean;
    };
  readonly [OpKind.tryWaitStage]: OnRing;
  readonly [OpKind.arrive]: Bytes &
    Ordered & {
      /** Arrivals of each thread. */
      readonly arrivals: number;
      /** Threads that arrive. */
      readonly lanes: number;
    };
  readonly [OpKind.expectTx]: Bytes & Ordered;
  readonly [OpKind.completeTx]: Bytes & Ordered;
  readonly [OpKind.arriveDrop]: OnBarrier & Ordered & { readonly arrivals: number };
  readonly [OpKind.asyncCopy]: Reaching & {
    readonly unit: Unit;
    /** The barrier that the bytes count on, or `null`. */
    readonly barrier: number | null;
    readonly bytes: number;
    readonly writes: readonly number[];
    /** What it reads: with these and without a barrier it is a store, in groups. */
    readonly reads?: readonly number[];
    /** The tensor map that it reads, or `null`. */
    readonly map?: number | null;
    /** Whether it closes a group of its own (U04). */
    readonly closesGroup?: boolean;
    /** Whether each strand of the role writes a part of its own (W03). */
    readonly isShared?: boolean;
    /** The cell that receives `value` as the copy completes, or `null`. */
    readonly cell: number | null;
    readonly value: number;
    /** With 2, the bytes count on the barrier of the even CTA of each pair (U06). */
    readonly ctaGroup: number;
    /** The copying itself, for engines that run kernels. */
    readonly work: unknown;
  };
  readonly [OpKind.asyncUse]: Reaching & {
    readonly unit: Unit;
    readonly reads: readonly number[];
    readonly writes: readonly number[];
    /** Whether it closes a group of its own (U04). */
    readonly closesGroup: boolean;
    /** Whether each strand of the role works on a part of its own (W03). */
    readonly isShared?: boolean;
    /** How long the unit works on it. */
    readonly cycles: number;
    readonly work: unknown;
  };
  readonly [OpKind.commit]: Reaching & {
    readonly unit: Unit;
    /** The barrier that is signaled; `null`: it closes a group (U04). */
    readonly barrier: number | null;
    /** Whether the phase waits for the signal, beside the arrivals that it counts (U08). */
    readonly adds?: boolean;
  };
  readonly [OpKind.waitGroup]: {
    readonly unit: Unit;
    /** The most groups that may stay open. */
    readonly inFlight: number;
    /** Whether it waits for what the groups read alone (G02). */
    readonly isRead?: boolean;
  };
  readonly [OpKind.syncNamed]: Gathering;
  readonly [OpKind.arriveNamed]: Gathering;
  readonly [OpKind.syncCluster]: NoArguments;
  readonly [OpKind.read]: OnBuffer;
  readonly [OpKind.write]: OnBuffer;
  readonly [OpKind.fence]: Ordered & {
    /** See `fence.ts`. */
    readonly fence: number;
    readonly space?: number;
    /** The buffer whose tensor map an acquire takes, or `null`. */
    readonly map?: number | null;
  };
  readonly [OpKind.store]: Ordered & { readonly cell: number; readonly value: number };
  readonly [OpKind.load]: Ordered & { readonly cell: number };
  readonly [OpKind.fetchAdd]: Ordered & { readonly cell: number; readonly amount: number };
  /** The register is the one that all roles of a CTA share (R05). */
  readonly [OpKind.tryClaim]: OnRing;
  readonly [OpKind.compute]: { readonly cycles: number; readonly work: unknown };
  readonly [OpKind.alloc]: { readonly pool: number; readonly units: number };
  readonly [OpKind.free]: { readonly pool: number; readonly buffer: number };
  readonly [OpKind.relinquish]: { readonly pool: number };
  readonly [OpKind.choose]: { readonly choices: number };
  readonly [OpKind.more]: { readonly count: number };
  readonly [OpKind.spawn]: { readonly role: number };
  readonly [OpKind.join]: { readonly role: number };
  readonly [OpKind.exit]: NoArguments;
  readonly [OpKind.own]: OnHandle;
  readonly [OpKind.use]: OnHandle;
  readonly [OpKind.disown]: OnHandle;
  /** `past`: the stage that the register must stand at (R10), or `null`. */
  readonly [OpKind.step]: OnRing & { readonly past: number | null };
  /** The loop's state and body, for the driver of the role. */
  readonly [OpKind.loop]: { readonly loop: object };
  readonly [OpKind.stage]: OnRing;
  readonly [OpKind.arriveCluster]: Ordered;
  readonly [OpKind.waitCluster]: Ordered;
  readonly [OpKind.giveRegisters]: OnRegisters;
  readonly [OpKind.takeRegisters]: OnRegisters;
  readonly [OpKind.launchDependents]: NoArguments;
  /** `begins`: waits for the launch of the role's grid, and not for the end of the one before. */
  readonly [OpKind.waitGrids]: { readonly begins: boolean };
}
