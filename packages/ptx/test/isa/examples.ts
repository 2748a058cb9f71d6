// Examples of all forms of instructions: each with the least that it takes, and with each modifier.
import type { Form, OperandSlot } from '#src/isa/form';
import { readingOf, type Reading } from '#src/isa/reading';
import { formNames, formsNamed } from '#src/isa/table';

/** An instruction as text, and the form that it is an example of. */
export interface Example {
  readonly form: Form;
  readonly opcode: string;
  readonly text: string;
}

/** By the bits of a register: its letter in examples. */
const REGISTERS: Readonly<Record<number, string>> = {
  1: 'p',
  8: 'b',
  16: 'h',
  32: 'r',
  64: 'd',
  128: 'q',
};
/** What examples use: registers, a label and a table of labels. */
export const DECLARATIONS = Object.entries(REGISTERS)
  .map(([bits, letter]) => `.reg .${letter === 'p' ? 'pred' : `b${bits}`} %${letter}<16>;`)
  .join('\n');
export const LABELS = 'LABEL:\nTABLE: .branchtargets LABEL;';

/** Operands that are no registers, constants or addresses. */
const OTHERS: Readonly<Record<string, string>> = {
  bra: 'LABEL',
  'brx.idx': '%r0, TABLE',
  call: 'kernel',
};

type Modifiers = readonly (string | null)[];

/** The modifiers of a form with as few as it takes, and for each modifier those with it. */
function choicesOf({ slots }: Form): Modifiers[] {
  if (slots === null) return [[]];
  const firsts = slots.map(({ modifiers }) => [...modifiers.keys()][0]!);
  const least = slots.map(({ isOptional, group }, at) =>
    isOptional || group > 0 ? null : firsts[at]!,
  );
  const others = slots.flatMap(({ modifiers, group }, at) => {
    const base = least.map((word, index) =>
      group > 0 && slots[index]!.group === group ? firsts[index]! : word,
    );
    return [...modifiers.keys()].map((word) => base.with(at, word));
  });
  return [least, ...others];
}

function isNeeded({ isOptional, modifiers }: OperandSlot, { modifiers: words }: Reading): boolean {
  if (modifiers.length === 0) return !isOptional;
  return modifiers.some((word) =>
    words.some((each) => each === word || each?.startsWith(`${word}::`)),
  );
}

function operandText(
  { kind, role }: OperandSlot,
  { types, elements }: Reading,
  at: number,
): string {
  const type = kind.type === null ? undefined : (types[kind.type] ?? types[0]);
  const isPredicate = kind.isPredicate || type?.class === 'predicate';
  const letter = REGISTERS[isPredicate ? 1 : (kind.bits ?? type?.bits ?? 32)]!;
  switch (kind.takes) {
    case 'sink':
      return '_';
    case 'address':
      return kind.bits === 32 ? '[%r0]' : '[%d0]';
    case 'immediate':
      return role === 'bytes' ? '16' : '8';
    case 'anything':
      return '%r0';
    case 'nothing':
      return '';
    case 'value':
    case 'result': {
      const count = kind.mayBeVector ? (elements ?? 1) : 1;
      const registers = Array.from({ length: count }, (_, each) => `%${letter}${at + each}`);
      const [first] = registers;
      if (kind.mayBePair && !isPredicate) return `${first!}|%p0`;
      return kind.mayBeVector && elements !== null ? `{${registers.join(', ')}}` : first!;
    }
  }
}

function exampleOf(form: Form, modifiers: Modifiers): Example {
  const words = modifiers.filter((word) => word !== null);
  const opcode = [form.name, ...words].join('.');
  const reading = readingOf(form, modifiers);
  const needed = form.operands?.filter((slot) => isNeeded(slot, reading)) ?? [];
  const operands =
    OTHERS[form.name] ?? needed.map((slot, at) => operandText(slot, reading, at)).join(', ');
  return { form, opcode, text: `${opcode} ${operands};` };
}

/** The examples of all forms. */
export function examples(): Example[] {
  const forms = formNames().flatMap(formsNamed);
  return forms.flatMap((form) => choicesOf(form).map((modifiers) => exampleOf(form, modifiers)));
}
