// The page of any word that a verdict prints: a rule, an assumption, a term, an instruction.
import { findName, InputError, nearest } from '@poundlock/core/internal/base';
import { ALL_RULES, ASSUMPTION_NAMES } from '@poundlock/core/internal/finding';
import { describeForms } from '@poundlock/ptx/internal/isa/describe';
import {
  findTerm,
  renderAssumption,
  renderLinear,
  renderPage,
  renderTerm,
  TERM_NAMES,
  termsIn,
  type Paint,
} from '../../report/index.ts';
import { describeFunction, describeFunctions } from '../operations.ts';
import { readRulePage } from '../rule-pages.ts';
import { semanticRule } from './semantics.ts';

/** A finding shows `error[deadlock]`, and an assumption ends in `[no-trap]`: both can be copied. */
function nameIn(words: string): string {
  return /^(?:error|warning|assumption|possible error)?\[(.*)\]$/i.exec(words)?.[1] ?? words;
}

/** What the sound tier of `lint` proves. */
const LINEAR = 'linear';

type Look = (name: string, paint: Paint) => string | undefined;

/** Where a name is looked for, in this order. */
const TABLES: readonly Look[] = [
  (name, paint) => {
    const rule = findName(name, ALL_RULES);
    return rule && renderPage(readRulePage(rule), paint);
  },
  (name, paint) => {
    const assumption = findName(name, ASSUMPTION_NAMES);
    return assumption && renderAssumption(assumption, paint);
  },
  (name, paint) => (name.toLowerCase() === LINEAR ? renderLinear(paint) : undefined),
  (name, paint) => {
    const term = findTerm(name);
    return term && renderTerm(term, paint);
  },
  (name) => {
    const text = semanticRule(name);
    return text && `${name.toUpperCase()}, a rule of the semantics: ${text}\n`;
  },
  (name) => {
    const both = [describeFunction(name), describeForms(name)].filter((text) => text !== null);
    return both.length === 0 ? undefined : both.join('\n');
  },
  (name) => describeFunctions(name) ?? undefined,
];

/** Pages of all names in a part of a message, such as `by certificate, 10 choice points`. */
function pagesIn(text: string, paint: Paint): string | undefined {
  const names = new Set([
    ...[...text.matchAll(/\[([\w-]+)\]|\b(H\d+)\b/g)].map((match) => (match[1] ?? match[2])!),
    ...termsIn(text),
  ]);
  const pages = [...names].flatMap((name) => {
    const page = TABLES.map((look) => look(name, paint)).find((each) => each !== undefined);
    return page === undefined ? [] : [page];
  });
  return pages.length === 0 ? undefined : pages.join('\n');
}

/**
 * The page of a word or of a part of a message, in lower or upper case.
 *
 * @throws InputError for what no table has.
 */
export function pageOf(words: string, paint: Paint): string {
  const name = nameIn(words.trim());
  // In the plural, as `barriers`, last.
  for (const one of [name, name.replace(/s$/i, '')]) {
    for (const look of TABLES) {
      const page = look(one, paint);
      if (page !== undefined) return page;
    }
  }
  const pages = pagesIn(name, paint);
  if (pages !== undefined) return pages;
  const guess = nearest(name, [...ALL_RULES, ...ASSUMPTION_NAMES, ...TERM_NAMES, LINEAR]);
  const help = guess === undefined ? '' : `did you mean ${guess}? `;
  throw new InputError(`no message has the word ${name}: ${help}\`poundlock explain\` lists them`);
}
