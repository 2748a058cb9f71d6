// The table of instructions as text: for `poundlock isa`, agents, and the page of the docs.
import { nearest } from '@poundlock/core/internal/base';
import { decodeOpcode, RefusedInstruction } from './decode.ts';
import type { Form, Slot } from './form.ts';
import { formNames, formsNamed } from './table.ts';

/** The version of the PTX ISA up to which the table has forms. */
export const TABLE_VERSION = '9.5';
/** The most characters of an answer. */
const MAX_ANSWER = 2000;
/** The most modifiers of one slot that are listed. */
const MAX_LISTED = 12;

/** All forms of the table, in the order of their names. */
export function allForms(): Form[] {
  return formNames()
    .toSorted()
    .flatMap((name) => [...formsNamed(name)]);
}

/** Modifiers of a slot: `.cta|.cluster|.gpu`; those that are not modeled have a `?`. */
function slotText({ modifiers, isOptional }: Slot): string {
  const words = [...modifiers].map(([word, { isModeled }]) => `.${word}${isModeled ? '' : '?'}`);
  const more = words.length > MAX_LISTED ? [`… ${words.length - MAX_LISTED} more`] : [];
  const text = [...words.slice(0, MAX_LISTED), ...more].join('|');
  return isOptional ? `{${text}}` : words.length > 1 ? `(${text})` : text;
}

/** The name of a form with its modifiers: `fence{.sc|.acq_rel}(.cta|.cluster|.gpu|.sys)`. */
export function syntaxOf({ name, slots }: Form): string {
  return `${name}${slots === null ? ' …' : slots.map(slotText).join('')}`;
}

/** What `check` does with a form, in words. */
export const STATUS_TEXT: Readonly<Record<Form['status'], string>> = {
  modeled: 'modeled',
  harmless: 'a hint: nothing depends on it',
  unmodeled: 'not modeled: a run that executes it is inconclusive',
};

function describe(form: Form): string {
  const { doc, version, target, status } = form;
  return `${syntaxOf(form)}\n  ${doc} PTX ${version}, ${target}; ${STATUS_TEXT[status]}.\n`;
}

/** Whether a form has a word: as its name, at the begin of it, or as a modifier. */
function has({ name, slots }: Form, word: string): boolean {
  if (name === word || name.startsWith(`${word}.`)) return true;
  return slots?.some(({ modifiers }) => modifiers.has(word.replace(/^\./, ''))) === true;
}

/** Names and modifiers that can be meant. */
function words(): string[] {
  const all = allForms();
  const modifiers = all.flatMap(
    ({ slots }) => slots?.flatMap((s) => [...s.modifiers.keys()]) ?? [],
  );
  return [...new Set([...mnemonics(), ...all.map(({ name }) => name), ...modifiers])];
}

/** The form of an instruction as a text has it, without its operands: `st.param.f32`. */
function formOf(instruction: string): Form[] {
  const [opcode = ''] = instruction.split(' ');
  if (!opcode.includes('.')) return [];
  try {
    return [decodeOpcode(opcode).form];
  } catch (error) {
    if (error instanceof RefusedInstruction) return [];
    throw error;
  }
}

/**
 * The forms that a word names, or that have it as a modifier, in at most 2,000 characters.
 *
 * @param word A name (`mbarrier.try_wait`), the begin of one (`tcgen05`), a modifier
 *   (`.tile::gather4`), or an instruction as messages show it (`st.param.f32`).
 * @returns `null` where no form has it; the word that may be meant is then that of `meantBy`.
 */
export function describeForms(word: string): string | null {
  const named = allForms().filter((form) => has(form, word));
  const forms = named.length > 0 ? named : formOf(word);
  if (forms.length === 0) return null;
  const texts = forms.map(describe);
  let answer = '';
  let shown = 0;
  for (const text of texts) {
    if (answer.length + text.length > MAX_ANSWER) break;
    answer += text;
    shown++;
  }
  if (shown === texts.length) return answer;
  const names = [...new Set(forms.slice(shown).map(({ name }) => name))].slice(0, MAX_LISTED);
  return `${answer}and ${texts.length - shown} more forms: ${names.join(', ')}\n`;
}

/** The name or modifier that is nearest to a word. */
export function meantBy(word: string): string | undefined {
  return nearest(word.replace(/^\./, ''), words());
}

/** Names of instructions by their first word, for a list of all. */
export function mnemonics(): string[] {
  return [...new Set(formNames().map((name) => name.split('.')[0]!))].toSorted();
}
