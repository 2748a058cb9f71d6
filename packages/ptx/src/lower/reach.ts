// Scopes of volatile and atomic accesses: with those of agents that a scope does
// not include they race as plain accesses do.
import { narrower } from '../steps/reach.ts';
import type { Reach } from '../steps/reach.ts';

/** An agent, and the narrowest scope of its accesses; missing where it includes all blocks. */
export interface Reaching {
  readonly agent: number;
  readonly reach?: Reach | undefined;
}

/** Where the roles of a run are. */
export interface Places {
  readonly warps: readonly { readonly cta: number }[];
  readonly clusterSize: number;
}

/** The CTA of a warp itself and of its copies, which reach nothing where no CTA is; else −1. */
export function ctaOf({ warps }: Pick<Places, 'warps'>, agent: number): number {
  const kinds = 2;
  return agent < kinds * warps.length ? warps[agent % warps.length]!.cta : -1;
}

/** Whether the scope of one of two agents does not include the other one. */
export function areApart(places: Places, one: Reaching, other: Reaching): boolean {
  const reach = narrower(one.reach, other.reach);
  if (reach === undefined) return false;
  const [first, second] = [ctaOf(places, one.agent), ctaOf(places, other.agent)];
  if (first < 0 || second < 0 || first === second) return false;
  if (reach === 'cta') return true;
  return Math.floor(first / places.clusterSize) !== Math.floor(second / places.clusterSize);
}
