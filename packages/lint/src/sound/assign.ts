// Lowers assignments to variables, parts and patterns.
import type { Place } from '../calculus/core.ts';
import type { Expression, MemberExpression, Name, Pattern } from '../syntax/node.ts';
import { isCount } from './library.ts';
import { NOWHERE, type Lower } from './lower.ts';
import {
  copyInto,
  counterOf,
  ensurePromise,
  foreign,
  isExpression,
  isOptional,
  outsideOf,
  VIEW,
} from './values.ts';

/** Assigns a value to a variable, a part, or the names of a pattern. */
export function assignTo(
  to: Lower,
  target: Pattern,
  place: Place | undefined,
  value: Expression | undefined,
): void {
  switch (target.kind) {
    case 'name':
      return assignName(to, target, place, value);
    case 'member':
      return assignMember(to, target, place, value);
    case 'objectPattern':
      for (const { key, computed, rest, target: inner, initializer } of target.properties) {
        if (computed !== undefined) to.value(computed);
        if (rest && place !== undefined) to.refuse([place], 'the rest of an object', target);
        part(to, place, rest ? undefined : key, inner, initializer);
      }
      return;
    case 'arrayPattern':
      for (const [index, element] of target.elements.entries()) {
        if (element === undefined) continue;
        if (element.rest && place !== undefined) to.refuse([place], 'the rest of a list', target);
        part(
          to,
          place,
          element.rest ? undefined : String(index),
          element.target,
          element.initializer,
        );
      }
      return;
    default:
      to.value(target);
      if (place !== undefined) outsideAssigned(to, target, place);
  }
}

function assignName(
  to: Lower,
  target: Name,
  place: Place | undefined,
  value: Expression | undefined,
): void {
  const constant = value?.kind === 'literal' ? value.value : undefined;
  const name = to.factOf(target.variable);
  const flag = typeof constant === 'boolean' ? constant : undefined;
  if (name !== undefined) to.emit({ k: 'flag', name, value: flag }, target);
  const x = to.placeOf(target.variable);
  if (x !== undefined) {
    to.emit(place === undefined ? { k: 'clear', xs: [x] } : { k: 'copy', x, y: place }, target);
    if (value === undefined) ensurePromise(to, x, target);
  } else if (place !== undefined) outsideAssigned(to, target, place);
}

function outsideAssigned(to: Lower, target: Pattern, value: Place): void {
  to.emit({ k: 'setPart', y: NOWHERE, name: '', value }, target);
}

function assignMember(
  to: Lower,
  target: MemberExpression,
  place: Place | undefined,
  value: Expression | undefined,
): void {
  const field = to.self?.fieldOf(target);
  if (field !== undefined) {
    const op = place === undefined ? ({ k: 'clear', xs: [field] } as const) : undefined;
    to.emit(op ?? { k: 'copy', x: field, y: place! }, target);
    return;
  }
  const y = to.value(target.object);
  if (target.index !== undefined) to.value(target.index);
  if (isCount(target.name) && y !== undefined) {
    if (value?.kind === 'literal' && value.value === 0) to.emit({ k: 'empty', c: y }, target);
    else to.refuse([y], 'the length of a list is set', target);
    return;
  }
  if (target.name !== undefined) {
    const part = place ?? NOWHERE;
    return to.emit({ k: 'setPart', y: y ?? NOWHERE, name: target.name, value: part }, target);
  }
  if (place !== undefined) {
    const key = counterOf(to, target.index);
    to.emit({ k: 'putUnder', c: y ?? NOWHERE, y: place, key }, target);
  }
}

/** A part of a destructured value. */
function part(
  to: Lower,
  place: Place | undefined,
  key: string | undefined,
  target: Pattern,
  initializer: Expression | undefined,
): void {
  const isPrimitive = isExpression(target) && to.kindOf(target) === 'primitive';
  const x = place === undefined || isPrimitive ? undefined : to.temporary();
  if (x !== undefined && place !== undefined) {
    const from = isExpression(target) ? outsideOf(to, target) : 'nothing';
    if (key === undefined) to.emit({ k: 'view', x, ys: [place], ...VIEW, outside: from }, target);
    else {
      const nullable = isExpression(target) && isOptional(to, target);
      to.emit({ k: 'part', x, y: place, name: key, outside: from, nullable }, target);
    }
  } else if (place !== undefined) to.emit({ k: 'read', y: place }, target);
  if (initializer === undefined) return assignTo(to, target, x ?? invented(to, target), undefined);
  const value = x ?? to.temporary();
  const otherwise = to.apart(() => copyInto(to, value, initializer));
  to.emit({ k: 'if', test: { k: 'any' }, then: [], otherwise }, target);
  assignTo(to, target, value, undefined);
}

/** A handle that comes out of something of which nothing is known. */
function invented(to: Lower, target: Pattern): Place | undefined {
  if (!isExpression(target) || outsideOf(to, target) === 'nothing') return undefined;
  return foreign(to, target);
}
