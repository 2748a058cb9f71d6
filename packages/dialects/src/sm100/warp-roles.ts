// The warps of a CTA as roles: each begins after all barriers of the cluster are initialized.
import { closeMembers } from '@poundlock/core/dialect';
import { fence, role, syncCluster } from '@poundlock/core';
import type { Op, Role } from '@poundlock/core';
import type { KernelContext } from './cluster.ts';
import { WARP_SIZE } from './config.ts';

/** The body of a warp. */
export type WarpBody = () => Generator<Op, void, number>;

/**
 * Creates the roles of one CTA. Thread 0 of warp 0, which is one of the four epilogue warps, calls
 * `initBarriers`, with a fence after it; every role then syncs with the whole cluster (T1).
 *
 * @example
 * const sync = new WarpGroupBarrier(160, 2);
 * const all = new WarpRoles(ctx, () => {});
 * return [
 *   all.mma(function* () {
 *     yield* sync.sync();
 *   }),
 *   all.epilogue(function* () {
 *     yield* sync.sync();
 *   }),
 * ];
 */
export class WarpRoles {
  readonly #ctx: KernelContext;
  readonly #initBarriers: () => void;
  readonly #syncsAtExit: boolean;

  /** With `syncsAtExit` no warp ends before the whole cluster is done, as for KERN-3311. */
  constructor(ctx: KernelContext, initBarriers: () => void, syncsAtExit = false) {
    this.#ctx = ctx;
    this.#initBarriers = initBarriers;
    this.#syncsAtExit = syncsAtExit;
  }

  /** Warp 5, or 4 without a scheduler warp. */
  mainLoad(body: WarpBody): Role {
    return this.#warp('load', 1, false, body);
  }

  /** Warp 4. */
  scheduler(body: WarpBody): Role {
    return this.#warp('scheduler', 1, false, body);
  }

  /** Warp 6, or 5 without a scheduler warp. */
  mma(body: WarpBody): Role {
    return this.#warp('mma', 1, false, body);
  }

  /** Warp 7. */
  epilogueLoad(body: WarpBody): Role {
    return this.#warp('epilogue_load', 1, false, body);
  }

  /** Warps 0–3, which work as one. */
  epilogue(body: WarpBody): Role {
    return this.#warp('epilogue', 4, true, body);
  }

  #warp(name: string, warps: number, hasWarp0: boolean, body: WarpBody): Role {
    const { cta, shape } = this.#ctx;
    const isAlone = shape.m * shape.n === 1;
    const init = this.#initBarriers;
    const syncsAtExit = this.#syncsAtExit;
    const options = { cta, lanes: warps * WARP_SIZE };
    return role(isAlone ? name : `${name}@${cta}`, options, function* () {
      if (hasWarp0) {
        init();
        fence('mbarrier.init');
      }
      yield* syncCluster();
      yield* body();
      if (syncsAtExit) yield* syncCluster();
    });
  }
}
closeMembers(WarpRoles.prototype);
