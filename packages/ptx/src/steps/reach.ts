// Scopes of volatile and atomic accesses that do not include all blocks.
import type { Effect } from '../isa/effect.ts';

/** A scope that does not include all blocks. */
export type Reach = 'cta' | 'cluster';

/** The scope of an access, if it does not include all blocks. */
export function reachOf(effect: Effect | null): Reach | undefined {
  const scope = effect?.kind === 'access' ? effect.scope : null;
  return scope === 'cta' || scope === 'cluster' ? scope : undefined;
}

/** The narrower one of two scopes. */
export function narrower(one: Reach | undefined, other: Reach | undefined): Reach | undefined {
  return one === 'cta' || other === 'cta' ? 'cta' : (one ?? other);
}
