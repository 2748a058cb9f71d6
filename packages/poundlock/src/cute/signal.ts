// Who arrives at a barrier on behalf of a role: to signal a stage, or to expect its bytes.
import { makeOp, OpKind, UNITS } from '../op/index.ts';
import { requireLanes } from '../pipeline/stage.ts';
import { arrive, commit, currentRole, post, type Barrier } from '../program/index.ts';
import type { Multicast } from './cluster.ts';
import { WARP_THREADS, WARPGROUP_THREADS } from './group.ts';

/** How one side of a pipeline signals. */
export interface Signal {
  /** The operations that {@link send} posts. */
  readonly posts: 0 | 1;
  /** Signals `target`; of the role, only `lanes` threads call it, where that is given. */
  readonly send: (target: Barrier, lanes?: number) => void;
}

/** Copied bytes signal: a commit does nothing. */
export const byBytes: Signal = { posts: 0, send: () => {} };

/** Every thread that calls it arrives, on its own CTA's barrier. */
export const byThreads: Signal = threadsIn(undefined);

/** What expects, once more: the commit of a CLC fetch, which nobody should call. */
export function byExpecting(expect: Expect, bytes: number): Signal {
  return { posts: 1, send: (target) => expect(target, bytes) };
}

/** Every thread that calls it arrives, on the barrier of one CTA. */
export function byThreadsAt(cta: number): Signal {
  return threadsIn([cta]);
}

function threadsIn(ctas: readonly number[] | undefined): Signal {
  return { posts: 1, send: (target, lanes) => arriveTimes(target, callers(lanes), ctas) };
}

/** One lane of each warp arrives on the barrier of each partner (`is_signalling_thread`). */
export function byWarps(multicast: Multicast): Signal {
  return oncePer(WARP_THREADS, multicast);
}

/** One thread of each warpgroup arrives on the barrier of each partner. */
export function byWarpgroups(multicast: Multicast): Signal {
  return oncePer(WARPGROUP_THREADS, multicast);
}

function oncePer(threads: number, multicast: Multicast): Signal {
  return {
    posts: 1,
    send: (target, lanes) => {
      const { cta } = currentRole('a signal').role;
      arriveTimes(target, Math.ceil(callers(lanes) / threads), multicast.partners(cta));
    },
  };
}

/** One arrival for each partner when the tensor work issued so far is done (`tcgen05.commit`). */
export function byCommit(multicast: Multicast): Signal {
  return {
    posts: 1,
    send: (target) => {
      const ctas = multicast.partners(currentRole('a commit').role.cta);
      commit(UNITS.mma, target, ctas === undefined ? {} : { ctas });
    },
  };
}

/** Arrives as a stage is acquired, and expects its `bytes`, or others if it was told so. */
export type Expect = (full: Barrier, bytes: number) => void;

/** One leader arrives, however many threads the role has. */
export function expectedByLeader(told: number | undefined): Expect {
  return (full, bytes) => arrive(full, { bytes: told ?? bytes });
}

/** An elected lane of each warp arrives, and each expects all the bytes. */
export function expectedByEachWarp(told: number | undefined): Expect {
  return (full, bytes) => {
    const warps = Math.ceil(callers(undefined) / WARP_THREADS);
    for (let warp = 0; warp < warps; warp++) arrive(full, { bytes: told ?? bytes });
  };
}

/** One lane arrives for each CTA, on the barrier of that CTA. */
export function expectedInEach(ctas: readonly number[], told: number | undefined): Expect {
  return (full, bytes) => arrive(full, { bytes: told ?? bytes, ctas });
}

/** The threads of the role that make a call. */
function callers(lanes: number | undefined): number {
  const { lanes: all } = currentRole('a signal').role;
  if (lanes !== undefined) requireLanes(lanes, all);
  return lanes ?? all;
}

function arriveTimes(target: Barrier, times: number, ctas: readonly number[] | undefined): void {
  post(makeOp(OpKind.arrive, { target: target.id, count: 1, value: times, ctas }));
}
