// What lowering of every kind of node needs: handles from outside, and what types say of parts.
import type { Outside, Place } from '../calculus/core.ts';
import type { Expression, Pattern } from '../syntax/node.ts';
import type { Lower } from './lower.ts';
import { NO_OWNER } from './messages.ts';
import { isPromise, mayBeNothing } from './types.ts';

/** A handle of another owner. */
export function foreign(to: Lower, node: Expression): Place {
  const x = to.temporary();
  const nullable = mayBeNothing(to.project.types.of(node));
  const rest = { throws: false, before: [], form: 'one' } as const;
  to.emit({ k: 'acquire', x, owned: false, nullable, ...rest }, node);
  return x;
}

/** What the type of a part says where nothing is known of its object. */
export function outsideOf(to: Lower, node: Expression): Outside {
  const kind = to.kindOf(node);
  if (isPromise(to.project.types.of(node)) && kind === 'plain') return 'promise';
  if (kind === 'primitive' || kind === 'plain' || kind === 'open') return 'nothing';
  return mayBeNothing(to.project.types.of(node)) ? 'optional' : 'handle';
}

/** Whether a part that is a handle may be nothing, by its type. */
export function isOptional(to: Lower, node: Expression): boolean {
  return to.kindOf(node) === 'handle' && mayBeNothing(to.project.types.of(node));
}

/** What a callee without a body gets, of which nothing is said. */
export function pass(ys: readonly Place[]): { k: 'pass'; ys: readonly Place[]; why: string } {
  return { k: 'pass', ys, why: NO_OWNER };
}

/** Copies a value into a place; what has no identity leaves nothing there. */
export function copyInto(to: Lower, x: Place, node: Expression): void {
  const y = to.value(node);
  to.emit(y === undefined ? { k: 'clear', xs: [x] } : { k: 'copy', x, y }, node);
}

export function isExpression(target: Pattern): target is Expression {
  return target.kind !== 'objectPattern' && target.kind !== 'arrayPattern';
}

/** The variable that a key is, or a text with nothing else in it, if it only ever counts. */
export function counterOf(to: Lower, key: Expression | undefined): Place | undefined {
  const [only, ...others] = key?.kind === 'parts' ? key.parts : [key];
  if (only?.kind !== 'name' || others.length > 0) return undefined;
  return only.variable?.assignments === 1 ? to.placeOf(only.variable) : undefined;
}

/** A promise of which nothing is known is one that may reject. */
export function ensurePromise(to: Lower, x: Place, node: Expression): void {
  const shape = to.project.types.of(node);
  if (!isPromise(shape) || to.kindOf(node) !== 'plain') return;
  const view = { k: 'view', x, ys: [], ...VIEW, outside: 'promise' } as const;
  const otherwise = to.apart(() => {
    const make = to.apart(() => to.emit(view, node));
    to.emit({ k: 'if', test: { k: 'any' }, then: make, otherwise: [] }, node);
  });
  to.emit({ k: 'if', test: { k: 'held', x }, then: [], otherwise }, node);
}

/** A view that is no promise, and does not throw. */
export const VIEW = { lends: false, throws: false, nullable: false } as const;
