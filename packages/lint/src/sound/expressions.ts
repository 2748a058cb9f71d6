// Lowers expressions: the place of the value of each, if it has an identity at all.
import type { Outside, Place } from '../calculus/core.ts';
import type {
  ArrayLiteral,
  Assign,
  Expression,
  MemberExpression,
  ObjectLiteral,
  Pattern,
} from '../syntax/node.ts';
import { lowerAwait } from './awaits.ts';
import { lowerCall } from './calls.ts';
import { closureOf } from './closures.ts';
import { lowerCondition } from './conditions.ts';
import { NOWHERE, THIS, type Lower } from './lower.ts';
import { lowerMember } from './members.ts';
import { mayBeNothing } from './types.ts';

/** The place of a value; what has no identity has none. */
export function valueOf(to: Lower, node: Expression): Place | undefined {
  const place = raw(to, node);
  const cast = to.file.casts.get(node);
  if (cast !== undefined) castValue(to, node, place, cast);
  if (place !== undefined) return place;
  const kind = to.kindOf(node);
  const isKnown = kind === 'primitive' || kind === 'plain' || kind === 'open';
  return isKnown || isMade(node) ? undefined : foreign(to, node);
}

/** What is made here is looked at itself. */
function isMade({ kind }: Expression): boolean {
  return ['function', 'class', 'object', 'array', 'this', 'super', 'await', 'yield'].includes(kind);
}

/** A handle of somebody else. */
export function foreign(to: Lower, node: Expression): Place {
  const x = to.temporary();
  const nullable = mayBeNothing(to.project.types.of(node));
  const rest = { throws: false, before: [], many: false };
  to.emit({ k: 'acquire', x, owned: false, nullable, ...rest }, node);
  return x;
}

/** What the type of a part says where nothing is known of its object. */
export function outsideOf(to: Lower, node: Expression): Outside {
  const kind = to.kindOf(node);
  if (kind === 'primitive' || kind === 'plain' || kind === 'open') return 'nothing';
  return mayBeNothing(to.project.types.of(node)) ? 'optional' : 'handle';
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
      return valueOf(to, node.operand);
    case 'yield': {
      const y = node.operand && valueOf(to, node.operand);
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

export function pass(ys: readonly Place[]): { k: 'pass'; ys: readonly Place[]; why: string } {
  return { k: 'pass', ys, why: 'nobody says who owns it afterwards' };
}

/** Values that are only looked at. */
function look(to: Lower, nodes: readonly Expression[]): void {
  for (const node of nodes) {
    const y = valueOf(to, node);
    void y;
  }
}

function lowerUnary(to: Lower, operator: string, operand: Expression): Place | undefined {
  if (operator === 'delete' && operand.kind === 'member' && operand.name !== undefined) {
    const y = valueOf(to, operand.object);
    if (y !== undefined) to.emit({ k: 'dropPart', y, name: operand.name }, operand);
    return undefined;
  }
  const value = valueOf(to, operand);
  if (operator === 'impossible') return value;
  if (operator === 'update' && operand.kind === 'name') {
    const name = to.factOf(operand.variable);
    if (name !== undefined) to.emit({ k: 'flag', name, value: undefined }, operand);
  }
  return undefined;
}

/** Templates and markup take their parts; of a sequence the last one is the value. */
function partsOf(to: Lower, node: Extract<Expression, { kind: 'parts' }>): Place | undefined {
  let last: Place | undefined;
  for (const part of node.parts) {
    last = valueOf(to, part);
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

function copyInto(to: Lower, x: Place, node: Expression): void {
  const y = valueOf(to, node);
  to.emit(y === undefined ? { k: 'clear', xs: [x] } : { k: 'copy', x, y }, node);
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
    if (computed !== undefined) valueOf(to, computed);
    const place = valueOf(to, value);
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
    const place = valueOf(to, element);
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
    const place = valueOf(to, value);
    assignTo(to, target, place, value);
    return place;
  }
  if (operator === 'compound') {
    if (isExpression(target)) valueOf(to, target);
    valueOf(to, value);
    forget(to, target);
    return undefined;
  }
  if (!isExpression(target)) return undefined;
  const x = to.temporary();
  copyInto(to, x, target);
  const held =
    to.kindOf(target) === 'handle' ? ({ k: 'held', x } as const) : ({ k: 'any' } as const);
  const set = to.apart(() => {
    const place = valueOf(to, value);
    assignTo(to, target, place, value);
    to.emit(place === undefined ? { k: 'clear', xs: [x] } : { k: 'copy', x, y: place }, node);
  });
  const [then, otherwise] = operator === '&&' ? [set, []] : [[], set];
  to.emit({ k: 'if', test: held, then, otherwise }, node);
  return to.kindOf(target) === 'primitive' ? undefined : x;
}

function isExpression(target: Pattern): target is Expression {
  return target.kind !== 'objectPattern' && target.kind !== 'arrayPattern';
}

/** What is known of a flag ends where it is changed. */
function forget(to: Lower, target: Pattern): void {
  const name = target.kind === 'name' ? to.factOf(target.variable) : undefined;
  if (name !== undefined) to.emit({ k: 'flag', name, value: undefined }, target);
}

/** Assigns a value to a variable, a part, or the names of a pattern. */
export function assignTo(
  to: Lower,
  target: Pattern,
  place: Place | undefined,
  value: Expression | undefined,
): void {
  switch (target.kind) {
    case 'name': {
      const constant = value?.kind === 'literal' ? value.value : undefined;
      const name = to.factOf(target.variable);
      const flag = typeof constant === 'boolean' ? constant : undefined;
      if (name !== undefined) to.emit({ k: 'flag', name, value: flag }, target);
      const x = to.placeOf(target.variable);
      if (x !== undefined) {
        to.emit(place === undefined ? { k: 'clear', xs: [x] } : { k: 'copy', x, y: place }, target);
      } else if (place !== undefined) outsideAssigned(to, target, place);
      return;
    }
    case 'member':
      return assignMember(to, target, place);
    case 'objectPattern':
      for (const { key, computed, rest, target: inner, initializer } of target.properties) {
        if (computed !== undefined) valueOf(to, computed);
        if (rest && place !== undefined) to.refuse([place], 'the rest of an object', target);
        part(to, place, rest ? undefined : key, inner, initializer);
      }
      return;
    case 'arrayPattern':
      for (const [index, element] of target.elements.entries()) {
        if (element === undefined) continue;
        if (element.rest && place !== undefined) to.refuse([place], 'the rest of a list', target);
        part(to, place, element.rest ? undefined : String(index), element.target, element.initializer);
      }
      return;
    default:
      valueOf(to, target);
      if (place !== undefined) outsideAssigned(to, target, place);
  }
}

function outsideAssigned(to: Lower, target: Pattern, value: Place): void {
  to.emit({ k: 'setPart', y: NOWHERE, name: '', value }, target);
}

function assignMember(to: Lower, target: MemberExpression, place: Place | undefined): void {
  const field = to.self?.fieldOf(target);
  if (field !== undefined) {
    const op = place === undefined ? ({ k: 'clear', xs: [field] } as const) : undefined;
    to.emit(op ?? { k: 'copy', x: field, y: place! }, target);
    return;
  }
  const y = valueOf(to, target.object);
  if (target.index !== undefined) valueOf(to, target.index);
  if (target.name !== undefined) {
    const value = place ?? NOWHERE;
    return to.emit({ k: 'setPart', y: y ?? NOWHERE, name: target.name, value }, target);
  }
  if (place !== undefined) to.emit({ k: 'putUnder', c: y ?? NOWHERE, y: place }, target);
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
    else to.emit({ k: 'part', x, y: place, name: key, outside: from }, target);
  } else if (place !== undefined) to.emit({ k: 'read', y: place }, target);
  if (initializer === undefined) return assignTo(to, target, x ?? madeUp(to, target), undefined);
  const value = x ?? to.temporary();
  const otherwise = to.apart(() => copyInto(to, value, initializer));
  to.emit({ k: 'if', test: { k: 'any' }, then: [], otherwise }, target);
  assignTo(to, target, value, undefined);
}

/** A handle that comes out of something of which nothing is known. */
function madeUp(to: Lower, target: Pattern): Place | undefined {
  if (!isExpression(target) || outsideOf(to, target) === 'nothing') return undefined;
  return foreign(to, target);
}

export const VIEW = { lends: false, throws: false } as const;
