// Operands of instructions, with registers resolved to their numbers.
import { isConstant, offset, sum } from './constant.ts';
import type { Operand } from './module.ts';
import type { Reader } from './reader.ts';
import type { Scopes } from './scopes.ts';

/** Brackets that may be nested in one operand. */
const MAX_NESTING = 32;

/** Reads the operands up to and with the `;` of an instruction. */
export function operands(reader: Reader, scopes: Scopes): Operand[] {
  const list: Operand[] = [];
  while (!reader.skip(';')) if (!reader.skip(',')) list.push(operand(reader, scopes, 0));
  return list;
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
  if (isConstant(reader) || reader.peek() === '~') return { kind: 'immediate', value: sum(reader) };
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

function named(reader: Reader, scopes: Scopes): Operand {
  const name = reader.name();
  const register = scopes.register(name);
  if (register !== undefined) return { kind: 'register', register };
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
