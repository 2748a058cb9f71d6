// The glossary: every word that a verdict or a prediction prints and that is no rule, assumption
// or operation.
import { findName } from '@poundlock/core/internal/base';
import { MACHINE_WORDS, STANDING_WORDS } from './machine-terms.ts';
import { BOUNDS, CONDITIONS, METHODS } from './method-terms.ts';
import type { Term } from './term.ts';
import { TIME_WORDS } from './time-terms.ts';
import { LAUNCH_WORDS, MEMORY_WORDS, OUTCOMES, SCOPE_WORDS } from './verdict-terms.ts';

export { WORK_WORDS } from './method-terms.ts';
export type { Term } from './term.ts';

/** The entries, by what they are about. */
export const GLOSSARY: Readonly<Record<string, Readonly<Record<string, Term>>>> = {
  Verdicts: OUTCOMES,
  'What a verdict is about': SCOPE_WORDS,
  Memory: MEMORY_WORDS,
  'An inferred launch': LAUNCH_WORDS,
  'How it was decided': METHODS,
  'Conditions of a certificate': CONDITIONS,
  'Threads, barriers and copies': MACHINE_WORDS,
  'After the last step': STANDING_WORDS,
  'Predicted time': TIME_WORDS,
  Bounds: BOUNDS,
};

const TERMS: ReadonlyMap<string, Term> = new Map(Object.values(GLOSSARY).flatMap(Object.entries));
/** By each form of a word: the name of its entry. */
const FORMS: ReadonlyMap<string, string> = new Map(
  [...TERMS].flatMap(([name, { also }]) => also.map((form) => [form, name] as const)),
);

/** The names of all entries. */
export const TERM_NAMES: readonly string[] = [...TERMS.keys()];

/** The entry of a name. */
export function termOf(name: string): Term {
  return TERMS.get(name)!;
}

/** The entry that a word or one of its forms has, in lower or upper case, in the plural or not. */
export function findTerm(word: string): string | undefined {
  for (const one of [word, word.replace(/s$/i, ''), word.replace(/es$/i, '')]) {
    const name = findName(one, TERM_NAMES);
    if (name !== undefined) return name;
    const form = findName(one, [...FORMS.keys()]);
    if (form !== undefined) return FORMS.get(form);
  }
  return undefined;
}

/** The entries of which some form of more than one word, or with a number, is in a text. */
export function termsIn(text: string): string[] {
  const words = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}−-]+/gu, ' ')} `;
  const isIn = (form: string): boolean =>
    words.includes(` ${form.toLowerCase()} `) || words.includes(` ${form.toLowerCase()}s `);
  return TERM_NAMES.filter((name) => [name, ...termOf(name).also].some(isIn));
}
