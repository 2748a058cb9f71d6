// Mutants of one token of an instruction: a word or an operand that is wrong, missing or too many.
import { decode, RefusedInstruction } from '#src/isa/decode';
import type { Operand, Register } from '#src/isa/operand';
import { formNames, formsNamed } from '#src/isa/table';
import type { Instruction, PtxFunction, PtxModule } from '#src/text/module';

/** How an instruction is changed. */
export const KINDS = [
  'bogus',
  'sibling',
  'replace',
  'insert',
  'delete',
  'twice',
  'operand missing',
  'operand added',
] as const;
export type Kind = (typeof KINDS)[number];

/** An instruction with one token changed. */
export interface Mutant {
  readonly kind: Kind;
  readonly from: Instruction;
  readonly opcode: string;
  readonly operands: readonly Operand[];
  /** How its operands differ from those of the text: the last is left out, or this stands there. */
  readonly change: 'none' | 'missing' | Operand;
}

/** Numbers from 0 up to a limit, of a seed. */
export type Random = (limit: number) => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const WORDS = [
  ...new Set(
    formNames().flatMap((name) =>
      formsNamed(name).flatMap(({ slots }) =>
        (slots ?? []).flatMap(({ modifiers }) => [...modifiers.keys()]),
      ),
    ),
  ),
];
/** Words that no instruction has. */
const BOGUS = ['bogus', 'later::x', 'soft', 'v3', 'shared::gpu', '64b'];

/** A mutant of an instruction; `null` where there is none of the kind that was drawn. */
export function mutantOf(from: Instruction, random: Random): Mutant | null {
  const kind = pick(KINDS, random);
  const { opcode, operands } = from;
  if (kind === 'operand missing')
    return operands.length === 0
      ? null
      : { kind, from, opcode, operands: operands.slice(0, -1), change: 'missing' };
  if (kind === 'operand added') {
    const one: Operand = { kind: 'immediate', value: { low: 1, high: 0, isFloat: false } };
    const added = random(2) === 0 ? one : (operands.at(-1) ?? one);
    return { kind, from, opcode, operands: [...operands, added], change: added };
  }
  const changed = withWord(from, kind, random);
  return changed === null || changed === opcode
    ? null
    : { kind, from, opcode: changed, operands, change: 'none' };
}

const pick = <T>(list: readonly T[], random: Random): T => list[random(list.length)]!;

function withWord({ form, opcode }: Instruction, kind: Kind, random: Random): string | null {
  const parts = opcode.split('.');
  const words = [...parts];
  const at = 1 + random(Math.max(1, parts.length - 1));
  if (kind === 'insert') words.splice(at, 0, pick(WORDS, random));
  else if (kind === 'bogus') words.splice(at, random(2), pick(BOGUS, random));
  else if (parts.length === 1) return null;
  else if (kind === 'replace') words[at] = pick(WORDS, random);
  else if (kind === 'delete') words.splice(at, 1);
  else if (kind === 'twice') words.splice(at, 0, parts[at]!);
  else {
    const slot = form.slots?.find(({ modifiers }) => modifiers.has(parts[at]!));
    const siblings = [...(slot?.modifiers.keys() ?? [])].filter((word) => word !== parts[at]);
    if (siblings.length === 0) return null;
    words[at] = pick(siblings, random);
  }
  return words.join('.');
}

/** Whether the table takes a mutant. */
export function isTaken({ opcode, operands }: Mutant, registers: readonly Register[]): boolean {
  try {
    decode(opcode, operands, registers);
    return true;
  } catch (error) {
    if (error instanceof RefusedInstruction) return false;
    throw error;
  }
}

/** A text with the one mutant, for ptxas; `null` where its operands cannot be printed. */
export function textOf(mutant: Mutant, code: PtxFunction, module: PtxModule): string | null {
  const isOfLabels = mutant.from.effect.kind === 'control';
  const used = new Set<Register>();
  const printed = mutant.operands.map((operand) => printedOperand(operand, code.registers, used));
  if (printed.some((text) => text === null) || isOfLabels) return null;
  if ([...used].some(({ name }) => name.includes('.'))) return null;
  const registers = [...used].map(({ name, type }) => `.reg .${type.name} ${name};`);
  const variables = [...module.variables, ...code.variables].map(
    ({ name, space, size, align }) =>
      `.${space} .align ${align} .b8 ${name}${size === 0 ? '[16]' : `[${size}]`};`,
  );
  const isOutside = (line: string): boolean => /^\.(?:global|const|shared)/.test(line);
  const parameters = code.parameters.map(
    ({ name, size, align }) => `.param .align ${align} .b8 ${name}[${size}]`,
  );
  return `.version 9.0
.target ${module.target}
.address_size 64
${[...new Set(variables.filter(isOutside))].join('\n')}
.entry k(${parameters.join(', ')}) {
${[...new Set(variables.filter((line) => !isOutside(line)))].join('\n')}
${registers.join('\n')}
${mutant.opcode} ${printed.join(', ')};
ret;
}
`;
}

function printedOperand(
  operand: Operand,
  registers: readonly Register[],
  used: Set<Register>,
): string | null {
  const inner = (each: Operand): string => printedOperand(each, registers, used) ?? '?';
  const all = (list: readonly Operand[]): string => list.map(inner).join(', ');
  switch (operand.kind) {
    case 'register': {
      const register = registers[operand.register]!;
      used.add(register);
      return register.name;
    }
    case 'immediate': {
      const { low, high, isFloat } = operand.value;
      if (isFloat && high === 0) return `0f${low.toString(16).padStart(8, '0')}`;
      const bits = (BigInt(high) << 32n) | BigInt(low);
      return isFloat ? `0d${bits.toString(16).padStart(16, '0')}` : `${BigInt.asIntN(64, bits)}`;
    }
    case 'symbol':
      return operand.offset === 0 ? operand.name : `${operand.name}+${operand.offset}`;
    case 'special':
      return operand.name;
    case 'not':
      return `!${inner(operand.operand)}`;
    case 'vector':
      return `{${all(operand.elements)}}`;
    case 'pair':
      return `${inner(operand.first)}|${inner(operand.second)}`;
    case 'address':
      return `[${[`${inner(operand.base)}${operand.offset === 0 ? '' : `+${operand.offset}`}`, ...operand.more.map(inner)].join(', ')}]`;
    case 'sink':
      return '_';
    case 'list':
      return null;
  }
}
