// How a signal, a wait or a fence orders memory: its semantics and its scope, in one small number.

/** What a signal or a wait carries: everything, or the order alone (S11). */
export type Semantics = 'release' | 'acquire' | 'acq_rel' | 'relaxed';
/** Carries everything to all threads: what an operation does that says nothing. */
export const AUTO = 0;

const RELAXED = 1;
/** By scope: its number, which is larger for a wider one, from bit 1 on. */
export const SCOPES = { cta: 1, cluster: 2, gpu: 3 } as const;
/** Whom it orders memory for: the threads of a CTA, of a cluster, or of all (S11). */
export type Scope = keyof typeof SCOPES;
const SHIFT = 1;

/** The number of semantics and a scope; what is not specified is as wide as can be. */
export function orderOf(semantics?: Semantics, scope?: Scope): number {
  const carried = semantics === 'relaxed' ? RELAXED : 0;
  return carried | ((scope === undefined ? 0 : SCOPES[scope]) << SHIFT);
}

/** Whether an operation orders turns and carries no memory. */
export function isRelaxed(order: number): boolean {
  return (order & RELAXED) !== 0;
}

/** Whether it orders memory for threads of other CTAs, too. */
export function isWide(order: number): boolean {
  return order >> SHIFT !== SCOPES.cta;
}

/** Whether it orders memory for the threads of all CTAs of a GPU. */
export function isWidest(order: number): boolean {
  const scope = order >> SHIFT;
  return scope === AUTO || scope === SCOPES.gpu;
}
