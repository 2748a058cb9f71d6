// The value of an expression of a program text, as far as a few known variables decide it.
import type { Range } from './statements.ts';
import type { Tokens } from './tokens.ts';

export const UNKNOWN = Symbol('unknown');
export type Value = boolean | number | string | null | undefined | typeof UNKNOWN;
export type Variables = ReadonlyMap<string, Value>;

const LITERALS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);

/** Evaluates expressions in which one operand, at a place, has a known value. */
export class Evaluator {
  readonly #tokens: Tokens;
  readonly #place: Range;
  readonly #value: Value;

  constructor(tokens: Tokens, place: Range, value: Value) {
    this.#tokens = tokens;
    this.#place = place;
    this.#value = value;
  }

  evaluate({ from, to }: Range, variables: Variables): Value {
    const { list, pairs } = this.#tokens;
    if (from === this.#place.from && to === this.#place.to) return this.#value;
    if (from >= to) return UNKNOWN;
    const inParentheses = list[from]!.text === '(' && pairs[from] === to - 1;
    if (inParentheses) return this.evaluate({ from: from + 1, to: to - 1 }, variables);
    const of = (first: number, last: number): Value =>
      this.evaluate({ from: first, to: last }, variables);
    if (this.#find(from, to, /^(?:,|\?|=>)$/) >= 0) return UNKNOWN;
    const assigned = this.#find(from, to, /^=$/);
    if (assigned >= 0) return of(assigned + 1, to);
    for (const signs of [/^(?:\|\||\?\?)$/, /^&&$/]) {
      const at = this.#findLast(from, to, signs);
      if (at >= 0) return joined(list[at]!.text, of(from, at), of(at + 1, to));
    }
    const compared = this.#find(from, to, /^[!=]==?$/);
    if (compared >= 0) {
      return areEqual(list[compared]!.text, of(from, compared), of(compared + 1, to));
    }
    if (list[from]!.text === '!') {
      const value = of(from + 1, to);
      return value === UNKNOWN ? UNKNOWN : !value;
    }
    return to === from + 1 ? this.#single(from, variables) : UNKNOWN;
  }

  #single(at: number, variables: Variables): Value {
    const { kind, text } = this.#tokens.list[at]!;
    if (kind === 'number' && /^\d+$/.test(text)) return Number(text);
    if (kind !== 'word') return UNKNOWN;
    if (LITERALS.has(text)) return LITERALS.get(text);
    return variables.has(text) ? variables.get(text) : UNKNOWN;
  }

  /** The first sign of a kind that is in no brackets, −1 if there is none. */
  #find(from: number, to: number, signs: RegExp): number {
    const { list, pairs } = this.#tokens;
    for (let at = from; at < to; at++) {
      if (list[at]!.kind === 'sign' && signs.test(list[at]!.text)) return at;
      if (pairs[at]! > at) at = pairs[at]!;
    }
    return -1;
  }

  #findLast(from: number, to: number, signs: RegExp): number {
    let found = -1;
    for (let at = this.#find(from, to, signs); at >= 0; at = this.#find(at + 1, to, signs))
      found = at;
    return found;
  }
}

function joined(sign: string, left: Value, right: Value): Value {
  if (sign === '&&') {
    if (left !== UNKNOWN) return left ? right : left;
    // Whichever of the two it is, it counts as false.
    return right === UNKNOWN || right ? UNKNOWN : false;
  }
  if (left === UNKNOWN) return sign === '||' && right !== UNKNOWN && right ? true : UNKNOWN;
  if (sign === '||') return left ? left : right;
  return left ?? right;
}

function areEqual(sign: string, left: Value, right: Value): Value {
  if (left === UNKNOWN || right === UNKNOWN) return UNKNOWN;
  const isStrict = sign.length === 3;
  // Only values of one type, or two that are nothing, are compared as a program would.
  if (!isStrict && typeof left !== typeof right && (left ?? null) !== (right ?? null))
    return UNKNOWN;
  const areSame = isStrict ? left === right : left === right || (left ?? null) === (right ?? null);
  return sign.startsWith('!') ? !areSame : areSame;
}
