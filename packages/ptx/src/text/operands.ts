// Operands of instructions, with registers resolved to their numbers.
import { expression, isConstant, offset, wholeNumber } from './constant.ts';
import type { Operand } from './module.ts';
import type { Reader } from './reader.ts';
import type { Scopes } from './scopes.ts';
import { isSpecialRegister } from './special-registers.ts';

/** Components of a vector register. */
export const COMPONENTS = ['x', 'y', 'z', 'w'] as const;
/** Brackets that may be nested in one operand. */
const MAX_NESTING = 32;

/** Reads the operands up to and with the `;` of an instruction. */
export function operands(reader: Reader, scopes: Scopes, isAccess: boolean): Operand[] {
  return separated(reader, ';', () => {
    // Loads and stores take `name[4]` for `[name+16]`.
    const isElement = isAccess && reader.peek(1) === '[';
    const read = operand(reader, scopes, 0);
    return isElement ? { kind: 'address', base: read, offset: 0, more: [] } : read;
  });
}

/** Reads the operands of a call: its results and arguments are in parentheses. */
export function callOperands(reader: Reader, scopes: Scopes): Operand[] {
  return separated(reader, ';', () => {
    if (!reader.skip('(')) return operand(reader, scopes, 0);
    return { kind: 'list', elements: separated(reader, ')', () => operand(reader, scopes, 1)) };
  });
}

/** Reads operands with commas between them, up to and with `close`. */
function separated(reader: Reader, close: string, read: () => Operand): Operand[] {
  const list: Operand[] = [];
  if (reader.skip(close)) return list;
  do list.push(read());
  while (reader.skip(','));
  reader.expect(close);
  return list;
}

function operand(reader: Reader, scopes: Scopes, nesting: number): Operand {
  if (nesting > MAX_NESTING) reader.fail('the operand is nested too deeply');
  const inner = (): Operand => operand(reader, scopes, nesting + 1);
  if (reader.peek() === '!' && !isNegatedConstant(reader)) {
    reader.take();
    return { kind: 'not', operand: inner() };
  }
  if (isConstant(reader)) return { kind: 'immediate', value: expression(reader) };
  if (reader.skip('{')) return { kind: 'vector', elements: separated(reader, '}', inner) };
  if (reader.skip('[')) return address(reader, scopes, nesting + 1);
  const first: Operand = reader.skip('_') ? { kind: 'sink' } : named(reader, scopes, nesting > 0);
  // `p|q`: two results, or the thread of `shfl` and the predicate beside it.
  return reader.skip('|') ? { kind: 'pair', first, second: inner() } : first;
}

/** Whether `!` stands before a constant, not before a predicate. */
function isNegatedConstant(reader: Reader): boolean {
  return reader.isNumber(1) || /^(?:[!~(+-]|WARP_SZ)$/.test(reader.peek(1));
}

/** The registers of a vector with one name, as of `.reg .v4 .b32 v`; none for other names. */
function vectorOf(name: string, scopes: Scopes): Operand[] {
  return COMPONENTS.flatMap((component): Operand[] => {
    const register = scopes.register(`${name}.${component}`);
    return register === undefined ? [] : [{ kind: 'register', register }];
  });
}

function named(reader: Reader, scopes: Scopes, isInner: boolean): Operand {
  const token = reader.at;
  const name = reader.name();
  const register = scopes.register(name);
  if (register !== undefined) return { kind: 'register', register };
  if (isSpecialRegister(name)) return { kind: 'special', name };
  const components = vectorOf(name, scopes);
  if (components.length > 0) return { kind: 'vector', elements: components };
  const bytes = scopes.elementBytes(name);
  if (bytes === undefined) scopes.refer(name, token);
  if (!isInner && reader.skip('[')) return indexed(reader, name, bytes ?? 0);
  return { kind: 'symbol', name, offset: offset(reader) };
}

/** `name[4]`: the address of an element of a variable, in units of its type. */
function indexed(reader: Reader, name: string, bytes: number): Operand {
  if (bytes === 0) reader.fail(`'${name}' is no variable: it has no elements`);
  if (!isConstant(reader)) reader.fail('an index that is no constant is not read');
  const at = wholeNumber(reader) * bytes;
  reader.expect(']');
  return { kind: 'symbol', name, offset: at };
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
