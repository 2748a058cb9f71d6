// Scopes of volatile and atomic accesses to global memory: with those of agents that a scope does
// not include they race as plain accesses do.
import type { Effect } from '../isa/effect.ts';
import type { ReferenceRun } from '../steps/run.ts';

/** A scope that does not include all blocks. */
export type Reach = 'cta' | 'cluster';

/** An agent, and the narrowest scope of its accesses; missing where it includes all blocks. */
export interface Reaching {
  readonly agent: number;
  readonly reach?: Reach | undefined;
}

/** The scope of an access, if it does not include all blocks. */
export function reachOf(effect: Effect | null): Reach | undefined {
  const scope = effect?.kind === 'access' ? effect.scope : null;
  return scope === 'cta' || scope === 'cluster' ? scope : undefined;
}

/** The narrower one of two scopes. */
export function narrower(one: Reach | undefined, other: Reach | undefined): Reach | undefined {
  return one === 'cta' || other === 'cta' ? 'cta' : (one ?? other);
}

/** The CTA of a warp itself and of its copies, which reach nothing where no CTA is; else −1. */
export function ctaOf({ warps }: Pick<ReferenceRun, 'warps'>, agent: number): number {
  const kinds = 2;
  return agent < kinds * warps.length ? warps[agent % warps.length]!.cta : -1;
}

/** Whether the scope of one of two agents does not include the other one. */
export function areApart(
  run: Pick<ReferenceRun, 'warps' | 'clusterSize'>,
  one: Reaching,
  other: Reaching,
): boolean {
  const reach = narrower(one.reach, other.reach);
  if (reach === undefined) return false;
  const [first, second] = [ctaOf(run, one.agent), ctaOf(run, other.agent)];
  if (first < 0 || second < 0 || first === second) return false;
  if (reach === 'cta') return true;
  return Math.floor(first / run.clusterSize) !== Math.floor(second / run.clusterSize);
}
