// The warps of a CTA as roles: each begins when all barriers of the cluster are initialised.
import type { Op } from '@poundlock/core/internal/op';
import { fence, role, syncCluster, type Role } from '@poundlock/core/internal/program';
import type { KernelContext } from './cluster.ts';
import { WARP_SIZE } from './config.ts';

type Body = () => Generator<Op, void, number>;

/**
 * Makes the roles of one CTA. Thread 0 of warp 0, which is one of the four epilogue warps, calls
 * `initBarriers`, with a fence behind it; nobody goes on before the whole cluster is there (T1).
 *
 * @example
 * const warps = new WarpRoles(ctx, () => smem.initBarriers());
 * warps.mma(function* () { … });
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

  /** Warp 5, or 4 where no warp schedules. */
  mainLoad(body: Body): Role {
    return this.#warp('load', 1, false, body);
  }

  /** Warp 4. */
  scheduler(body: Body): Role {
    return this.#warp('scheduler', 1, false, body);
  }

  /** Warp 6, or 5 where no warp schedules. */
  mma(body: Body): Role {
    return this.#warp('mma', 1, false, body);
  }

  /** Warp 7. */
  epilogueLoad(body: Body): Role {
    return this.#warp('epilogue_load', 1, false, body);
  }

  /** Warps 0–3, which work as one. */
  epilogue(body: Body): Role {
    return this.#warp('epilogue', 4, true, body);
  }

  #warp(name: string, warps: number, hasWarp0: boolean, body: Body): Role {
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
