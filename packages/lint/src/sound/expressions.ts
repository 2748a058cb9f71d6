// Lowers expressions: the place of the value of each, if it has an identity at all.
import type { Place } from '../calculus/core.ts';
import type { ArrayLiteral, Assign, Expression, ObjectLiteral, Pattern } from '../syntax/node.ts';
import { assignTo } from './assign.ts';
import { lowerAwait } from './awaits.ts';
import { lowerCall } from './calls.ts';
import { closureOf } from './closures.ts';
import { lowerCondition } from './conditions.ts';
import { NOWHERE, THIS, type Lower } from './lower.ts';
import { lowerMember } from './members.ts';
import { isPromise } from './types.ts';
import { copyInto, counterOf, ensurePromise, foreign, isExpression, pass } from './values.ts';

/** The place of a value; what has no identity has none. */
export function valueOf(to: Lower, node: Expression): Place | undefined {
  const place = raw(to, node);
  const cast = to.file.casts.get(node);
  if (cast !== undefined) castValue(to, node, place, cast);
  if (place !== undefined) return place;
  const kind = to.kindOf(node);
  if (kind === 'plain' && !isNew(node) && node.kind !== 'literal') return promised(to, node);
  const isKnown = kind === 'primitive' || kind === 'plain' || kind === 'open';
  return isKnown || isNew(node) ? undefined : foreign(to, node);
}

/** A promise of which nothing is known. */
function promised(to: Lower, node: Expression): Place | undefined {
  if (!isPromise(to.project.types.of(node))) return undefined;
  const x = to.temporary();
  ensurePromise(to, x, node);
  return x;
}

/** What is created here is looked at itself. */
function isNew({ kind }: Expression): boolean {
  return ['function', 'class', 'object', 'array', 'this', 'super', 'await', 'yield'].includes(kind);
}

/** A cast must neither lose an obligation nor make one up. */
function castValue(to: Lower, node: Expression, place: Place | undefined, cast: unknown): void {
  const { types } = to.project;
  const before = types.kind(types.of(node));
  const after = types.kind(types.ofOrigin(cast));
  const isOpen = (kind: typeof before): boolean => kind === 'open' || kind === 'plain';
  if (before === 'primitive' || after === 'primitive') return;
  if (isOpen(before) && !isOpen(after) && place === undefined && node.kind !== 'array') {
    return to.refuse(undefined, 'a cast to a type that has to be released', node);
  }
  if (isOpen(before) !== isOpen(after) && place !== undefined) {
    to.refuse([place], 'a cast that loses what has to be released', node);
  }
}

function raw(to: Lower, node: Expression): Place | undefined {
  switch (node.kind) {
    case 'name':
      return nameOf(to, node);
    case 'literal':
      return undefined;
    case 'member':
      return lowerMember(to, node);
    case 'call':
      return lowerCall(to, node, false);
    case 'await':
      return lowerAwait(to, node);
    case 'assign':
      return lowerAssign(to, node);
    case 'object':
      return objectOf(to, node);
    case 'array':
      return arrayOf(to, node);
    case 'conditional':
      return chosen(to, node, [node.then, node.otherwise]);
    case 'logical':
      return lowerLogical(to, node);
    case 'function':
      return closureOf(to, node);
    case 'this':
    case 'super':
      return to.fn === undefined ? undefined : THIS;
    default:
      return other(to, node);
  }
}

function other(to: Lower, node: Expression): Place | undefined {
  switch (node.kind) {
    case 'unary':
      return lowerUnary(to, node.operator, node.operand);
    case 'binary':
      look(to, [node.left, node.right]);
      return undefined;
    case 'spread':
      return to.value(node.operand);
    case 'yield': {
      const y = node.operand && to.value(node.operand);
      if (node.delegate && y !== undefined) to.emit(pass([y]), node);
      to.emit({ k: 'yield', y: node.delegate ? undefined : y }, node);
      return undefined;
    }
    case 'parts':
      return partsOf(to, node);
    case 'class':
      return undefined;
    default:
      return undefined;
  }
}

/** Values that are only looked at. */
function look(to: Lower, nodes: readonly Expression[]): void {
  for (const node of nodes) {
    const y = to.value(node);
    void y;
  }
}

function lowerUnary(to: Lower, operator: string, operand: Expression): Place | undefined {
  if (operator === 'delete' && operand.kind === 'member' && operand.name !== undefined) {
    const y = to.value(operand.object);
    if (y !== undefined) to.emit({ k: 'dropPart', y, name: operand.name }, operand);
    return undefined;
  }
  const value = to.value(operand);
  if (operator === 'impossible') return value;
  if (operator === 'update' && operand.kind === 'name') {
    const name = to.factOf(operand.variable);
    if (name !== undefined) to.emit({ k: 'flag', name, value: undefined }, operand);
    const x = counterOf(to, operand);
    if (x !== undefined) to.emit({ k: 'advance', x }, operand);
  }
  return undefined;
}

/** Templates and markup take their parts; of a sequence the last one is the value. */
function partsOf(to: Lower, node: Extract<Expression, { kind: 'parts' }>): Place | undefined {
  let last: Place | undefined;
  for (const part of node.parts) {
    last = to.value(part);
    if (!node.sequence && last !== undefined) to.emit(pass([last]), part);
  }
  return node.sequence ? last : undefined;
}

function nameOf(to: Lower, node: Extract<Expression, { kind: 'name' }>): Place | undefined {
  if (to.kindOf(node) === 'primitive') return undefined;
  const { variable } = node;
  const declared = variable?.initializer;
  const isFunction = declared?.kind === 'function' && variable!.assignments === 0;
  if (variable !== undefined && isFunction && variable.home === undefined) {
    return closureOf(to, declared);
  }
  return to.placeOf(variable);
}

/** One of two values: a temporary place takes it. */
function chosen(
  to: Lower,
  node: Extract<Expression, { kind: 'conditional' }>,
  [yes, no]: readonly [Expression, Expression],
): Place | undefined {
  const x = to.temporary();
  const test = lowerCondition(to, node.test);
  const then = to.apart(() => copyInto(to, x, yes));
  const otherwise = to.apart(() => copyInto(to, x, no));
  to.emit({ k: 'if', test, then, otherwise }, node);
  return to.kindOf(node) === 'primitive' ? undefined : x;
}

function lowerLogical(
  to: Lower,
  node: Extract<Expression, { kind: 'logical' }>,
): Place | undefined {
  const x = to.temporary();
  if (node.operator === '&&' && to.kindOf(node.left) === 'primitive') {
    const test = lowerCondition(to, node.left);
    const then = to.apart(() => copyInto(to, x, node.right));
    to.emit({ k: 'if', test, then, otherwise: [] }, node);
    return to.kindOf(node.right) === 'primitive' ? undefined : x;
  }
  copyInto(to, x, node.left);
  const isHandle = to.kindOf(node.left) === 'handle';
  const held = isHandle ? ({ k: 'held', x } as const) : ({ k: 'any' } as const);
  const right = to.apart(() => copyInto(to, x, node.right));
  const isAnd = node.operator === '&&';
  const [then, otherwise] = isAnd ? [right, []] : [[], right];
  to.emit({ k: 'if', test: held, then, otherwise }, node);
  return to.kindOf(node) === 'primitive' ? undefined : x;
}

function objectOf(to: Lower, node: ObjectLiteral): Place | undefined {
  const parts: [string, Place][] = [];
  let isKnown = true;
  for (const { key, computed, form, value } of node.properties) {
    if (computed !== undefined) to.value(computed);
    const place = to.value(value);
    if (place === undefined) continue;
    if (key !== undefined && form === 'value') parts.push([key, place]);
    else {
      to.refuse([place], 'a part without a name', node);
      isKnown = false;
    }
  }
  if (parts.length === 0 && isKnown && node.properties.length > 0) return undefined;
  const x = to.temporary();
  to.emit({ k: 'record', x, parts, isList: false }, node);
  return x;
}

function arrayOf(to: Lower, node: ArrayLiteral): Place {
  const elements = node.elements.map((element): Place => {
    if (element === undefined) return NOWHERE;
    const place = to.value(element);
    if (element.kind === 'spread' && place !== undefined) {
      to.refuse([place], 'a list that is spread', element);
    }
    return place ?? NOWHERE;
  });
  const hasSpread = node.elements.some((element) => element?.kind === 'spread');
  const x = to.temporary();
  const parts = elements.map((place, index): [string, Place] => [String(index), place]);
  to.emit({ k: 'record', x, parts: hasSpread ? [] : parts, isList: true }, node);
  return x;
}

function lowerAssign(to: Lower, node: Assign): Place | undefined {
  const { operator, target, value } = node;
  if (operator === '=') {
    const place = to.value(value);
    assignTo(to, target, place, value);
    return place;
  }
  if (operator === 'compound') {
    if (isExpression(target)) to.value(target);
    to.value(value);
    forget(to, target);
    return undefined;
  }
  if (!isExpression(target)) return undefined;
  const x = to.temporary();
  copyInto(to, x, target);
  const held =
    to.kindOf(target) === 'handle' ? ({ k: 'held', x } as const) : ({ k: 'any' } as const);
  const set = to.apart(() => {
    const place = to.value(value);
    assignTo(to, target, place, value);
    to.emit(place === undefined ? { k: 'clear', xs: [x] } : { k: 'copy', x, y: place }, node);
  });
  const [then, otherwise] = operator === '&&' ? [set, []] : [[], set];
  to.emit({ k: 'if', test: held, then, otherwise }, node);
  return to.kindOf(target) === 'primitive' ? undefined : x;
}

/** What is known of a flag ends where it is changed. */
function forget(to: Lower, target: Pattern): void {
  const name = target.kind === 'name' ? to.factOf(target.variable) : undefined;
  if (name !== undefined) to.emit({ k: 'flag', name, value: undefined }, target);
}
