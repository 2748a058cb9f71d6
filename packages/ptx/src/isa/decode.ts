// Reads an opcode and its operands by the table: each part has a place in one form, or is refused.
import { nearest } from '@poundlock/core/internal/base';
import type { Operand, Register } from './operand.ts';
import type { Effect, Joins, Roles, Space } from './effect.ts';
import { effectOf } from './effects/effects.ts';
import type { Form } from './form.ts';
import { fitOf, readingOf, type Reading } from './reading.ts';
import { formNames, formsNamed } from './table.ts';
import { Words } from './words.ts';

/** What the table says of an opcode. */
interface DecodedOpcode {
  readonly form: Form;
  readonly effect: Effect;
  /** The state spaces that it names, in its order. */
  readonly spaces: readonly Space[];
  /** Which lanes of a warp come to it together. */
  readonly joins: Joins;
  /** Its opcode, with the modifiers in the order of the form. */
  readonly opcode: string;
  /** Why a run that executes it is undecided; `null` where it is modeled. */
  readonly unmodeled: string | null;
}

/** What the table says of an instruction. */
export interface Decoded extends DecodedOpcode {
  /** Where its operands with roles stand. */
  readonly roles: Roles;
}

/** What an opcode can be, and why it is nothing else; an opcode is read once. */
interface Opcode {
  readonly readings: readonly (Reading & DecodedOpcode)[];
  readonly refusal: string;
}

const opcodes = new Map<string, Opcode>();
/** The most opcodes that are kept: a text has some hundred different ones. */
const MAX_OPCODES = 20_000;

/**
 * Reads an instruction.
 *
 * @throws RefusedInstruction where no form takes all its parts and operands.
 */
export function decode(
  opcode: string,
  operands: readonly Operand[],
  registers: readonly Register[],
): Decoded {
  const { readings, refusal } = opcodeOf(opcode);
  let reason = refusal;
  for (const reading of readings) {
    const fit = fitOf(reading, operands, registers);
    if (typeof fit !== 'string') {
      const { form, effect, spaces, joins, opcode: ordered, unmodeled } = reading;
      return { form, effect, spaces, joins, opcode: ordered, unmodeled, roles: fit };
    }
    reason ||= fit;
  }
  throw new RefusedInstruction(reason);
}

/** What the table says of an opcode that the program itself puts in place of another. */
export function decodeOpcode(opcode: string): Decoded {
  const [reading] = readOpcode(opcode).readings;
  if (reading === undefined) throw new RefusedInstruction(`no form takes ${opcode}`);
  const { form, effect, spaces, joins, unmodeled } = reading;
  return { form, effect, spaces, joins, opcode: reading.opcode, unmodeled, roles: {} };
}

/** What an instruction does whose opcode alone is known; `null`: no form takes it. */
export function effectOfOpcode(opcode: string): Effect | null {
  return opcodeOf(opcode).readings[0]?.effect ?? null;
}

function opcodeOf(opcode: string): Opcode {
  let known = opcodes.get(opcode);
  if (known === undefined) {
    if (opcodes.size >= MAX_OPCODES) opcodes.clear();
    opcodes.set(opcode, (known = readOpcode(opcode)));
  }
  return known;
}

/** An instruction that no form takes; the message says which part or operand is left. */
export class RefusedInstruction extends Error {}

function readOpcode(opcode: string): Opcode {
  const parts = opcode.split('.');
  const readings: (Reading & DecodedOpcode)[] = [];
  let nearestForm: Form | null = null;
  let left: readonly string[] = [];
  let fewest = Infinity;
  for (let length = parts.length; length > 0; length--)
    for (const form of formsNamed(parts.slice(0, length).join('.'))) {
      const words = parts.slice(length);
      const { modifiers, unused, missing } = assign(form, words);
      if (unused.length + missing === 0) readings.push(decodedOf(form, modifiers, words));
      else if (unused.length + missing < fewest) {
        fewest = unused.length + missing;
        [nearestForm, left] = [form, unused];
      }
    }
  const refusal = readings.length > 0 ? '' : refusalOf(parts[0]!, nearestForm, left);
  return { readings, refusal };
}

/** Gives each word the first free slot that takes it. */
function assign({ slots }: Form, words: readonly string[]) {
  if (slots === null) return { modifiers: words, unused: [], missing: 0 };
  const modifiers = Array.from<string | null>({ length: slots.length }).fill(null);
  const unused = words.filter((word) => {
    const index = slots.findIndex((slot, at) => modifiers[at] === null && slot.modifiers.has(word));
    if (index >= 0) modifiers[index] = word;
    return index < 0;
  });
  const isFilled = (index: number): boolean => modifiers[index] !== null;
  const missing = slots.filter(({ isOptional, group }, index) => {
    if (isFilled(index)) return false;
    if (group === 0) return !isOptional;
    return slots.some((other, at) => other.group === group && isFilled(at));
  }).length;
  return { modifiers, unused, missing };
}

function decodedOf(
  form: Form,
  modifiers: readonly (string | null)[],
  words: readonly string[],
): Reading & DecodedOpcode {
  const ordered = form.slots === null ? words : modifiers.filter((word) => word !== null);
  const open = form.slots?.flatMap((slot, index) => {
    const word = modifiers[index];
    const isOpen =
      word !== null && word !== undefined && slot.modifiers.get(word)?.isModeled === false;
    return isOpen ? [word] : [];
  })[0];
  const unmodeled =
    open !== undefined
      ? `.${open} of ${form.name} is known and not modeled`
      : form.status === 'unmodeled'
        ? `${form.name} is known and not modeled`
        : null;
  const parts = [form.name, ...ordered];
  const all = new Words(form.name, ordered);
  const effect = effectOf(form.effect, all);
  const joins = all.has('aligned') ? 'warp' : all.has('sync') ? 'mask' : 'none';
  return {
    ...readingOf(form, modifiers),
    effect,
    spaces: all.spaces,
    joins,
    opcode: parts.join('.'),
    unmodeled,
  };
}

function refusalOf(name: string, form: Form | null, left: readonly string[]): string {
  if (form === null) {
    const names = [...new Set(formNames().map((each) => each.split('.')[0]!))];
    return `no instruction is named '${name}'${didYouMean(name, names)}`;
  }
  const [word] = left;
  if (word === undefined) return `a modifier of ${form.name} is missing`;
  const slots = formsNamed(form.name).flatMap((other) => other.slots ?? []);
  const words = slots.flatMap((slot) => [...slot.modifiers.keys()]);
  return `.${word} is no modifier of ${form.name}${didYouMean(word, words, '.')}`;
}

function didYouMean(word: string, words: readonly string[], dot = ''): string {
  const meant = nearest(word, words);
  return meant === undefined || meant === word ? '' : `: did you mean '${dot}${meant}'?`;
}
