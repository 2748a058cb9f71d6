// What an operation does with addresses: which low bits of its result follow from those of inputs.
import type { Compute } from '../../isa/effect.ts';
import type { Operation } from '../../isa/operation.ts';
import { usesCarry } from '../../isa/questions.ts';
import type { Instruction } from '../../text/module.ts';
import type { AddressRule, Kind } from './operation.ts';

/** How the operation with a name treats bits; others are not followed. */
const RULES: Readonly<Partial<Record<Operation, AddressRule>>> = {
  mov: 'copy',
  cvta: 'copy',
  mapa: 'copy',
  getctarank: 'copy',
  cvt: 'convert',
  add: 'add',
  sub: 'subtract',
  mul: 'multiply',
  mad: 'multiplyAdd',
  and: 'and',
  or: 'or',
  xor: 'or',
  shl: 'shiftLeft',
  shr: 'shiftRight',
  bfe: 'field',
  selp: 'select',
  setp: 'compare',
  isspacep: 'space',
};

const PREDICATE = 1;
const WORD = 32;
const WIDE = 64;

/**
 * What an instruction does with addresses. `shift` is the first bit of a part that `mov` takes out
 * of a value, `parts` are the values that it puts together.
 */
export function kindOf(instruction: Instruction, shift: number, parts: number): Kind | undefined {
  const { effect } = instruction;
  if (effect.kind !== 'compute') return undefined;
  const inputBits = effect.types.at(-1)?.bits ?? WORD;
  const rule = ruleOf(instruction, effect, shift, parts);
  const resultBits = resultBitsOf(instruction, effect, rule, parts);
  const onAddresses = inputBits < WIDE || rule === 'pack' ? 'same' : MEETS[rule];
  return { rule, onAddresses, inputBits, resultBits, shift, comparison: effect.comparison };
}

/** Which inputs of an operation have to be addresses so that its result is none, or is unknown. */
const MEETS: Readonly<Record<AddressRule, Kind['onAddresses']>> = {
  copy: 'same',
  select: 'same',
  space: 'same',
  pack: 'same',
  add: 'sum',
  subtract: 'difference',
  multiplyAdd: 'product',
  part: 'number',
  convert: 'number',
  multiply: 'number',
  and: 'number',
  or: 'number',
  shiftLeft: 'number',
  shiftRight: 'number',
  field: 'number',
  compare: 'number',
  other: 'number',
};

function ruleOf(
  instruction: Instruction,
  { operation, modifiers, types }: Compute,
  shift: number,
  parts: number,
): AddressRule {
  const [to] = instruction.operands;
  if (usesCarry(instruction) || modifiers.has('hi') || modifiers.has('sat')) return 'other';
  if (operation === 'mov' && parts > 1) return parts === 2 ? 'pack' : 'other';
  if (operation === 'mov' && to?.kind === 'vector') return 'part';
  const rule = RULES[operation] ?? 'other';
  if (types.some((type) => type.class === 'float')) return 'other';
  return rule === 'copy' && shift > 0 ? 'other' : rule;
}

function resultBitsOf(
  { operands: [to] }: Instruction,
  { types, modifiers }: Compute,
  rule: AddressRule,
  parts: number,
): number {
  const bits = types.at(-1)?.bits ?? WORD;
  if (rule === 'compare' || rule === 'space') return PREDICATE;
  if (rule === 'convert') return types[0]!.bits;
  if (rule === 'part' && to?.kind === 'vector') return bits / to.elements.length;
  if (parts > 1) return bits;
  return modifiers.has('wide') ? 2 * bits : bits;
}
