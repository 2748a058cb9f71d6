// The arguments of each operation: one interface of named fields per kind.
import type { OpKind, Side } from './kind.ts';
import type { Unit } from './unit.ts';

// Barriers, buffers, cells, pools, counts, rings and roles are ids of the kernel's declarations.

interface NoArguments {}

interface OnBarrier {
  readonly barrier: number;
}

interface OnBuffer {
  readonly buffer: number;
  /** The CTA whose buffer it is; `null`: the role's own. */
  readonly cta: number | null;
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
  readonly [OpKind.wait]: OnBarrier & { readonly phase: number };
  readonly [OpKind.waitParity]: OnBarrier & { readonly parity: number };
  readonly [OpKind.waitStage]: OnRing & {
    /** Whether a try has said that it would pass, so that it tests nothing (R08). */
    readonly isAssumed: boolean;
    /** Whether a producer fills nothing and only waits for an empty stage (R04). */
    readonly isDraining: boolean;
  };
  readonly [OpKind.tryWait]: OnBarrier & { readonly phase: number };
  readonly [OpKind.tryWaitStage]: OnRing;
  readonly [OpKind.arrive]: Bytes & {
    /** Arrivals of each thread. */
    readonly arrivals: number;
    /** Threads that arrive. */
    readonly lanes: number;
  };
  readonly [OpKind.expectTx]: Bytes;
  readonly [OpKind.completeTx]: Bytes;
  readonly [OpKind.arriveDrop]: OnBarrier & { readonly arrivals: number };
  readonly [OpKind.asyncCopy]: Reaching & {
    readonly unit: Unit;
    /** The barrier that the bytes count on, or `null`. */
    readonly barrier: number | null;
    readonly bytes: number;
    readonly writes: readonly number[];
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
    /** How long the unit works on it. */
    readonly cycles: number;
    readonly work: unknown;
  };
  readonly [OpKind.commit]: Reaching & {
    readonly unit: Unit;
    /** The barrier that is signaled; `null`: it closes a group (U04). */
    readonly barrier: number | null;
  };
  readonly [OpKind.waitGroup]: {
    readonly unit: Unit;
    /** The most groups that may stay open. */
    readonly inFlight: number;
  };
  readonly [OpKind.syncNamed]: Gathering;
  readonly [OpKind.arriveNamed]: Gathering;
  readonly [OpKind.syncCluster]: NoArguments;
  readonly [OpKind.read]: OnBuffer;
  readonly [OpKind.write]: OnBuffer;
  readonly [OpKind.fence]: { readonly fence: string };
  readonly [OpKind.store]: { readonly cell: number; readonly value: number };
  readonly [OpKind.load]: { readonly cell: number };
  readonly [OpKind.fetchAdd]: { readonly cell: number; readonly amount: number };
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
}
