// Operands of instructions, with registers resolved to their numbers.
import { expression, isConstant, offset } from './constant.ts';
import type { Operand } from './module.ts';
import type { Reader } from './reader.ts';
import type { Scopes } from './scopes.ts';

/** Components of a vector register. */
export const COMPONENTS = ['x', 'y', 'z', 'w'] as const;
/** Brackets that may be nested in one operand. */
const MAX_NESTING = 32;

/** Reads the operands up to and with the `;` of an instruction; calls have lists in parentheses. */
export function operands(reader: Reader, scopes: Scopes, isCall: boolean): Operand[] {
  const list: Operand[] = [];
  while (!reader.skip(';')) {
    if (reader.skip(',')) continue;
    const isExpression = !isCall && reader.peek() === '(';
    list.push(isExpression ? immediate(reader) : operand(reader, scopes, 0));
  }
  return list;
}

function immediate(reader: Reader): Operand {
  return { kind: 'immediate', value: expression(reader) };
}

function group(reader: Reader, scopes: Scopes, close: string, nesting: number): Operand[] {
  const elements: Operand[] = [];
  while (!reader.skip(close))
    if (!reader.skip(',')) elements.push(operand(reader, scopes, nesting));
  return elements;
}

function operand(reader: Reader, scopes: Scopes, nesting: number): Operand {
  if (nesting > MAX_NESTING) reader.fail('the operand is nested too deeply');
  const inner = nesting + 1;
  if (isConstant(reader) || reader.peek() === '~') return immediate(reader);
  if (reader.skip('{')) return { kind: 'vector', elements: group(reader, scopes, '}', inner) };
  if (reader.skip('[')) return address(reader, scopes, inner);
  if (reader.skip('(')) return { kind: 'list', elements: group(reader, scopes, ')', inner) };
  if (reader.skip('!')) return { kind: 'not', operand: operand(reader, scopes, inner) };
  if (reader.skip('_')) return pair(reader, scopes, { kind: 'sink' }, inner);
  return pair(reader, scopes, named(reader, scopes), inner);
}

/** `p|q`: two results, or the thread of `shfl` and the predicate beside it. */
function pair(reader: Reader, scopes: Scopes, first: Operand, nesting: number): Operand {
  return reader.skip('|')
    ? { kind: 'pair', first, second: operand(reader, scopes, nesting) }
    : first;
}

/** The registers of a vector with one name, as of `.reg .v4 .b32 v`; none for other names. */
function vectorOf(name: string, scopes: Scopes): Operand[] {
  return COMPONENTS.flatMap((component): Operand[] => {
    const register = scopes.register(`${name}.${component}`);
    return register === undefined ? [] : [{ kind: 'register', register }];
  });
}

function named(reader: Reader, scopes: Scopes): Operand {
  const name = reader.name();
  const register = scopes.register(name);
  if (register !== undefined) return { kind: 'register', register };
  const components = vectorOf(name, scopes);
  if (components.length > 0) return { kind: 'vector', elements: components };
  if (name.startsWith('%')) return { kind: 'special', name };
  return {
    kind: 'symbol',
    name,
    offset: reader.peek() === '+' && reader.isNumber(1) ? offset(reader) : 0,
  };
}

/** `[base+offset, more …]`: `more` holds coordinates of a tensor, a mask, a second address. */
function address(reader: Reader, scopes: Scopes, nesting: number): Operand {
  const base = operand(reader, scopes, nesting);
  const bytes = offset(reader);
  const more: Operand[] = [];
  while (reader.skip(',')) more.push(operand(reader, scopes, nesting));
  reader.expect(']');
  return { kind: 'address', base, offset: bytes, more };
}
