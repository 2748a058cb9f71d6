// Lowers conditions: tests of what a place holds, of flags and of what does not change.
import type { Condition } from '../calculus/core.ts';
import type { Binary, Expression } from '../syntax/node.ts';
import { isCount } from './library.ts';
import type { Lower } from './lower.ts';
import { isObjectOrNothing } from './types.ts';

const ANY: Condition = { k: 'any' };

/** The condition of an expression; operations that come before it are part of it. */
export function lowerCondition(to: Lower, node: Expression): Condition {
  let condition: Condition = ANY;
  const body = to.apart(() => {
    condition = inner(to, node);
  });
  return body.length === 0 ? condition : { k: 'after', body, of: condition };
}

function inner(to: Lower, node: Expression): Condition {
  switch (node.kind) {
    case 'literal':
      return { k: 'constant', value: Boolean(node.value) };
    case 'unary':
      if (node.operator !== '!') break;
      return { k: 'not', of: lowerCondition(to, node.operand) };
    case 'logical':
      if (node.operator === '??') break;
      return {
        k: 'both',
        isAnd: node.operator === '&&',
        left: lowerCondition(to, node.left),
        right: lowerCondition(to, node.right),
      };
    case 'binary':
      return comparison(to, node);
    case 'name': {
      const name = to.factOf(node.variable);
      if (name !== undefined && to.kindOf(node) === 'primitive') return { k: 'fact', name };
      break;
    }
    case 'member': {
      const counted = countOf(to, node);
      if (counted !== undefined) return counted;
      break;
    }
    default:
  }
  return truth(to, node);
}

/** Whether a value is true. */
function truth(to: Lower, node: Expression): Condition {
  const place = to.value(node);
  if (place === undefined) return ANY;
  const held: Condition = { k: 'held', x: place };
  if (isOwnHandle(to, node) && isObjectOrNothing(to.project.types.of(node))) return held;
  return { k: 'any' };
}

/** Only places of handles say by what they hold whether there is a value. */
function isOwnHandle(to: Lower, node: Expression): boolean {
  return to.kindOf(node) === 'handle';
}

/** `list.length`: whether there are elements. */
function countOf(to: Lower, node: Expression): Condition | undefined {
  if (node.kind !== 'member' || !isCount(node.name) || to.kindOf(node.object) !== 'many') {
    return undefined;
  }
  const x = to.value(node.object);
  return x === undefined ? undefined : { k: 'filled', x };
}

/** `list.length > 0`, `list.length === 0`, `0 < list.length`. */
function countTest(to: Lower, { left, right, operator }: Binary): Condition | undefined {
  const isZero = (side: Expression): boolean => side.kind === 'literal' && side.value === 0;
  const isOne = (side: Expression): boolean => side.kind === 'literal' && side.value === 1;
  const isSome =
    (isZero(right) && ['>', '!==', '!='].includes(operator)) ||
    (isOne(right) && operator === '>=') ||
    (isZero(left) && operator === '<');
  const isNone =
    (isZero(right) && ['===', '=='].includes(operator)) || (isOne(right) && operator === '<');
  if (!isSome && !isNone) return undefined;
  const counted = countOf(to, isZero(left) ? right : left);
  return counted === undefined || isSome ? counted : { k: 'not', of: counted };
}

const EQUALITIES = new Set(['===', '!==', '==', '!=']);

function comparison(to: Lower, node: Binary): Condition {
  const counted = countTest(to, node);
  if (counted !== undefined) return counted;
  if (!EQUALITIES.has(node.operator)) {
    to.value(node);
    return ANY;
  }
  const isNot = node.operator.startsWith('!');
  const found = nothingTest(to, node) ?? typeTest(to, node);
  if (found === undefined) {
    to.value(node);
    return ANY;
  }
  return isNot ? { k: 'not', of: found } : found;
}

/** `x === undefined`, `x == null`: the condition that x is nothing. */
function nothingTest(to: Lower, { left, right, operator }: Binary): Condition | undefined {
  const nothing = [left, right].find((side) => isNothing(side));
  const tested = nothing === left ? right : left;
  if (nothing === undefined || to.kindOf(tested) !== 'handle') return undefined;
  const place = to.value(tested);
  if (place === undefined) return ANY;
  const isAbsent: Condition = { k: 'not', of: { k: 'held', x: place } };
  const value = nothing.kind === 'literal' ? nothing.value : undefined;
  if (isExact(to, tested, operator.length === 2, value)) return isAbsent;
  return { k: 'both', isAnd: true, left: isAbsent, right: ANY };
}

function isNothing(node: Expression): boolean {
  return node.kind === 'literal' && (node.value === undefined || node.value === null);
}

/** Whether every absent value of the type passes the test. */
function isExact(to: Lower, tested: Expression, isLoose: boolean, value: unknown): boolean {
  const shape = to.project.types.of(tested);
  if (!isObjectOrNothing(shape)) return false;
  if (isLoose || shape.k !== 'union') return true;
  const nothings = shape.of.filter((part) => part.k === 'primitive');
  void value;
  return nothings.length <= 1;
}

/** `typeof x === 'string'` is false of a handle. */
function typeTest(to: Lower, { left, right }: Binary): Condition | undefined {
  const tested = [left, right].find((side) => side.kind === 'unary' && side.operator === 'typeof');
  const literal = [left, right].find((side) => side.kind === 'literal');
  if (tested?.kind !== 'unary' || literal?.kind !== 'literal') return undefined;
  const { operand } = tested;
  if (to.kindOf(operand) !== 'handle') return undefined;
  const place = to.value(operand);
  if (place === undefined) return ANY;
  const held: Condition = { k: 'held', x: place };
  const isObject = literal.value === 'object' || literal.value === 'function';
  if (isObject) return { k: 'both', isAnd: false, left: held, right: ANY };
  return { k: 'both', isAnd: true, left: { k: 'not', of: held }, right: ANY };
}
