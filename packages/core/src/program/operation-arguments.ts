// What arguments of operations must be, and the CTAs that an operation reaches.
import { currentPosition, InputError, uselessOption } from '../base/index.ts';
import { MAX_PENDING } from '../machine/index.ts';
import { requireCount } from './declarations.ts';
import type { CtaTargets } from './operation-options.ts';
import { MOST, requireWhole } from './whole.ts';

export const OWN_CTA: readonly number[] = [];

/** Throws unless `value` is a number of arrivals that an mbarrier can wait for. */
export function requireArrivals(what: string, value: number): void {
  requireWhole(what, value, 1, MAX_PENDING);
}

/** Throws unless a role with `all` lanes has this many of them. */
export function requireLanes(lanes: number, all: number): void {
  requireCount('lanes', lanes, 1);
  if (lanes <= all) return;
  throw new InputError(`lanes must be at most ${all}, as many as the role has`, currentPosition());
}

/** The CTAs that an operation reaches; global memory, of which `isGlobal` says so, has none. */
export function ctasOf(call: string, reach: CtaTargets, isGlobal = false): readonly number[] {
  const { cta, ctas = cta === undefined ? OWN_CTA : [cta] } = reach;
  if (cta !== undefined && reach.ctas !== undefined) {
    throw uselessOption(call, 'cta', "beside 'ctas'");
  }
  if (isGlobal && ctas !== OWN_CTA) {
    const name = cta === undefined ? 'ctas' : 'cta';
    throw uselessOption(call, name, 'on what is in global memory, which all CTAs share');
  }
  for (let at = 0; at < ctas.length; at++) requireWhole('a CTA that is reached', ctas[at]!, 0);
  return ctas;
}

export { MOST, requireWhole };
