// Which operands fit the places of a form, by their kind and by the types of registers.
import type { Literal, Operand, Register } from './operand.ts';
import { scalarType, type ScalarType } from './scalar-type.ts';
import type { Role, Roles } from './effect.ts';
import type { Form, OperandKind, OperandSlot } from './form.ts';

/** A reading of an opcode: its form, and the modifier in each of its slots. */
export interface Reading {
  readonly form: Form;
  readonly modifiers: readonly (string | null)[];
  /** The types that its modifiers name, in their order. */
  readonly types: readonly ScalarType[];
  /** Whether registers may be wider than their type. */
  readonly mayWiden: boolean;
  /** How many registers its vector has; `null`: that is not known. */
  readonly elements: number | null;
  /** Whether its addresses are generic or of global memory: of 64 bits. */
  readonly isWide: boolean;
}

/** Instructions whose registers may be wider than their type. */
const WIDENING = new Set(['ld', 'ldu', 'st', 'cvt']);
/** Types of several values in one register. */
const PACKED = /x\d$/;
/** State spaces whose addresses may have 32 bits. */
const NARROW_SPACE = /^(?:shared|local|param|const)(?:$|::)/;

function isThere({ modifiers }: Reading, word: string): boolean {
  return modifiers.some(
    (modifier) => modifier !== null && (modifier === word || modifier.startsWith(`${word}::`)),
  );
}

/** A reading of an opcode by a form. */
export function readingOf(form: Form, modifiers: readonly (string | null)[]): Reading {
  const types = modifiers.flatMap((modifier, index) => {
    if (modifier === null || form.slots?.[index]?.isType !== true) return [];
    const type = scalarType(modifier);
    // Bits of a byte stand in registers of their own width.
    return type === undefined || (type.bits < 8 && type.class !== 'predicate') ? [] : [type];
  });
  return {
    form,
    modifiers,
    types,
    mayWiden: WIDENING.has(form.name),
    elements: elementsOf(form, modifiers),
    isWide: !modifiers.some((word) => word !== null && NARROW_SPACE.test(word)),
  };
}

/** Registers of a vector: `.v4` has four, and a lane has one of each matrix of 8 by 8 elements. */
function elementsOf({ name }: Form, modifiers: readonly (string | null)[]): number | null {
  const count = modifiers.find((word) => word !== null && /^[vx]\d$/.test(word));
  const isOfMatrices = name === 'ldmatrix' || name === 'stmatrix';
  if (count === null || count === undefined || (count.startsWith('x') && !isOfMatrices))
    return null;
  return Number(count.slice(1)) * (isOfMatrices && modifiers.includes('m16n16') ? 2 : 1);
}

/** Where a form has roles of operands, or why the operands are not those of the form. */
export function fitOf(
  reading: Reading,
  operands: readonly Operand[],
  registers: readonly Register[],
): Roles | string {
  const { name, operands: slots } = reading.form;
  if (slots === null) return {};
  const roles: { -readonly [Each in Role]?: number } = {};
  const isNeeded = ({ isOptional, modifiers }: OperandSlot): boolean =>
    modifiers.length === 0 ? !isOptional : modifiers.some((word) => isThere(reading, word));
  let spare = operands.length - slots.filter(isNeeded).length;
  let next = 0;
  for (const slot of slots) {
    const operand = operands[next];
    const isFree = slot.isOptional && slot.modifiers.length === 0;
    const fits = operand !== undefined && isOfKind(slot.kind, operand, reading, registers);
    if (!isNeeded(slot) && !(isFree && spare > 0 && fits)) continue;
    if (isFree) spare--;
    if (operand === undefined) return `${name} has too few operands`;
    if (!fits) return `operand ${next + 1} of ${name} does not fit`;
    if (slot.role !== null) roles[slot.role] = next;
    next++;
  }
  return next === operands.length ? roles : `${name} has too many operands`;
}

function isOfKind(
  kind: OperandKind,
  operand: Operand,
  reading: Reading,
  registers: readonly Register[],
): boolean {
  switch (kind.takes) {
    case 'anything':
      return true;
    case 'nothing':
      return false;
    case 'sink':
      return operand.kind === 'sink';
    case 'address':
      return (
        operand.kind === 'address' &&
        isAddress(kind, operand.base, reading, registers) &&
        hasCoordinates(operand.more, reading)
      );
    case 'immediate':
      return operand.kind === 'immediate' || operand.kind === 'special';
    case 'value':
    case 'result':
      return isValue(kind, operand, reading, registers);
  }
}

/** A register of 32 bits is an address in the spaces that have 32 bits alone. */
function isAddress(
  { bits }: OperandKind,
  base: Operand,
  reading: Reading,
  registers: readonly Register[],
): boolean {
  if (base.kind !== 'register') return true;
  const { type } = registers[base.register]!;
  if (type.class === 'float' || type.class === 'predicate') return false;
  return bits === null ? type.bits === 64 || !reading.isWide : type.bits === bits;
}

/** Whether the coordinates of an element of a tensor are as many as its dimensions. */
function hasCoordinates([coordinates]: readonly Operand[], { modifiers }: Reading): boolean {
  const dimensions = modifiers.find((word) => word !== null && /^[1-5]d$/.test(word));
  if (dimensions === undefined || coordinates?.kind !== 'vector') return true;
  // Four rows have their numbers beside the column.
  const isOfRows = modifiers.some((word) => word !== null && /::(?:gather|scatter)4$/.test(word));
  return coordinates.elements.length === (isOfRows ? 5 : Number(dimensions![0]));
}

function isValue(
  kind: OperandKind,
  operand: Operand,
  reading: Reading,
  registers: readonly Register[],
): boolean {
  switch (operand.kind) {
    case 'register': {
      const isOneOfMany = kind.mayBeVector && (reading.elements ?? 1) > 1;
      return !isOneOfMany && isOfType(kind, registers[operand.register]!.type, reading);
    }
    case 'sink':
      return true;
    case 'immediate':
      return kind.takes === 'value' && isConstantOf(kind, operand.value, reading);
    case 'symbol':
      // An address is a number.
      return kind.takes === 'value' && !/float|predicate/.test(typeOf(kind, reading)?.class ?? '');
    case 'special':
      return kind.takes === 'value';
    case 'vector':
      return kind.mayBeVector && isVector(kind, operand.elements, reading, registers);
    case 'not':
      return kind.mayBeNegated && isValue(kind, operand.operand, reading, registers);
    case 'pair':
      return kind.mayBePair && isValue(kind, operand.first, reading, registers);
    case 'address':
    case 'list':
      return false;
  }
}

/** Whether a vector has its elements; without `.v2` they are packed into one value of the type. */
function isVector(
  kind: OperandKind,
  elements: readonly Operand[],
  reading: Reading,
  registers: readonly Register[],
): boolean {
  const wanted = typeOf(kind, reading);
  if (wanted === undefined || (reading.elements !== null && elements.length !== reading.elements))
    return elements.length === (reading.elements ?? elements.length);
  const hasType = (each: Operand): boolean =>
    isValue(kind, each, { ...reading, elements: null }, registers);
  if (reading.elements !== null) return elements.every(hasType);
  if (elements.length === 1) return elements.every(hasType);
  const bits = wanted.bits / elements.length;
  return (
    wanted.class === 'bits' &&
    elements.every(
      (each) => each.kind !== 'register' || registers[each.register]!.type.bits === bits,
    )
  );
}

/** Whether a constant has the type of an operand: a float of `.f32` or `.f64`, or an integer. */
function isConstantOf(kind: OperandKind, { isFloat, high }: Literal, reading: Reading): boolean {
  if (kind.isFloat) return isFloat;
  const wanted = typeOf(kind, reading);
  if (wanted === undefined || kind.isPredicate) return !isFloat;
  if (wanted.class === 'float') return isFloat && /^f(?:32|64)$/.test(wanted.name);
  if (PACKED.test(wanted.name)) return false;
  return !isFloat || (wanted.class === 'bits' && wanted.bits === (high === 0 ? 32 : 64));
}

/** The type that an operand has by the opcode; `undefined` where it has none. */
function typeOf({ type, bits }: OperandKind, { types }: Reading): ScalarType | undefined {
  return type === null || bits !== null ? undefined : (types[type] ?? types[0]);
}

/** Whether a register can hold what a kind of operand is. */
function isOfType(kind: OperandKind, type: ScalarType, { types, mayWiden }: Reading): boolean {
  if (kind.isPredicate) return type.class === 'predicate';
  if (kind.bits !== null) return type.bits === kind.bits || (kind.bits === 8 && type.bits > 8);
  if (kind.type === null) return kind.mayBeVector || type.class !== 'predicate';
  const wanted = types[kind.type] ?? types[0];
  if (wanted === undefined || wanted.class === 'predicate' || type.class === 'predicate')
    return (wanted ?? type).class === type.class;
  const isRightSize = mayWiden ? type.bits >= wanted.bits : type.bits === wanted.bits;
  return isRightSize && areOfOneClass(wanted, type);
}

/** Whether bits of one type may stand for another: floats and integers may not, bits may. */
function areOfOneClass(wanted: ScalarType, type: ScalarType): boolean {
  if (wanted.class === 'bits' || type.class === 'bits') return true;
  const isFloat = type.class === 'float';
  if (PACKED.test(wanted.name)) return !isFloat || PACKED.test(type.name);
  return (wanted.class === 'float') === isFloat;
}
