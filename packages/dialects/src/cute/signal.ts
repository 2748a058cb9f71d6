// Signals of a pipeline: arrivals that complete a stage or expect its bytes.
import { arrive, commit, InputError, UNITS, type Barrier } from '@poundlock/core';
import { callingRole, currentPosition, requireCount } from '@poundlock/core/dialect';
import type { Cluster, Reaching } from './cluster.ts';
import { WARP_THREADS, WARPGROUP_THREADS } from './group.ts';

/** How one side of a pipeline signals. */
export interface Signal {
  /** The operations that {@link send} posts. */
  readonly posts: 0 | 1;
  /** Signals `target`; of the role, only `lanes` threads call it, where that is given. */
  readonly send: (target: Barrier, lanes?: number) => void;
}

/** Copied bytes are the signal: a commit does nothing. */
export const byBytes: Signal = { posts: 0, send: () => {} };

/** Expects the bytes once more: the commit of a CLC fetch, which should not be called. */
export function byExpecting(expect: Expect, bytes: number): Signal {
  return { posts: 1, send: (target) => expect(target, bytes) };
}

/** Every thread that calls it arrives. */
export function byThreads(reaching: Reaching): Signal {
  return oncePer(1, reaching);
}

/** One lane of each warp arrives (`is_signalling_thread`). */
export function byWarps(reaching: Reaching): Signal {
  return oncePer(WARP_THREADS, reaching);
}

/** One thread of each warpgroup arrives. */
export function byWarpgroups(reaching: Reaching): Signal {
  return oncePer(WARPGROUP_THREADS, reaching);
}

function oncePer(threads: number, reaching: Reaching): Signal {
  return {
    posts: 1,
    send: (target, calling) => {
      const lanes = Math.ceil(callers(calling) / threads);
      const ctas = reaching(callingRole('a signal').cta) ?? [];
      arrive(target, { lanes, ctas });
    },
  };
}

/** One arrival in each CTA when the tensor work issued so far is done (`tcgen05.commit`). */
export function byCommit(reaching: Reaching): Signal {
  return {
    posts: 1,
    send: (target) => {
      const ctas = reaching(callingRole('a commit').cta);
      commit(UNITS.mma, target, ctas === undefined ? {} : { ctas });
    },
  };
}

/** Arrives as a stage is acquired, and expects its `bytes` or the specified number. */
export type Expect = (full: Barrier, bytes: number) => void;

/** One thread of a leading CTA arrives, however many threads the role has. */
export function expectedByLeader({ isLeader }: Cluster, txBytes: number | undefined): Expect {
  return (full, bytes) => {
    if (isLeader(callingRole('an acquire').cta)) arrive(full, { bytes: txBytes ?? bytes });
  };
}

/** An elected lane of each warp of a leading CTA arrives, and each expects all the bytes. */
export function expectedByEachWarp({ isLeader }: Cluster, txBytes: number | undefined): Expect {
  return (full, bytes) => {
    const { cta, lanes } = callingRole('an acquire');
    const warps = isLeader(cta) ? Math.ceil(lanes / WARP_THREADS) : 0;
    for (let warp = 0; warp < warps; warp++) arrive(full, { bytes: txBytes ?? bytes });
  };
}

/** One lane arrives for each CTA, on the barrier of that CTA. */
export function expectedInEach({ ctas }: Cluster, txBytes: number): Expect {
  return (full) => arrive(full, { bytes: txBytes, ctas });
}

/** The threads of the role that make a call. */
function callers(lanes: number | undefined): number {
  const { lanes: all } = callingRole('a signal');
  if (lanes === undefined) return all;
  requireCount('lanes', lanes, 1);
  if (lanes <= all) return lanes;
  throw new InputError(`lanes must be at most ${all}, as many as the role has`, currentPosition());
}
