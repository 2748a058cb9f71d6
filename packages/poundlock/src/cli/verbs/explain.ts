// `poundlock explain`: lists rules and assumptions, or shows the page of one of them.
import { findName, InputError, nearest } from '@poundlock/core/internal/base';
import { ALL_RULES, ASSUMPTION_NAMES } from '@poundlock/core/internal/finding';
import { renderAssumption, renderPage, renderRuleList, type Paint } from '../../report/index.ts';
import { ExitCode } from '../exit-code.ts';
import { addColorOptions, readColor, type ColorOptions } from '../options/color.ts';
import { readRulePage } from '../rule-pages.ts';
import { paintFor } from '../reporter-environment.ts';
import type { Verb } from './verb.ts';

function unknownRule(word: string): InputError {
  const guess = nearest(word, [...ALL_RULES, ...ASSUMPTION_NAMES]);
  const help = guess === undefined ? '' : `did you mean ${guess}? `;
  return new InputError(
    `there is no rule or assumption ${word}: ${help}\`poundlock explain\` lists them`,
  );
}

/** A finding shows `error[deadlock]`, which can be copied whole. */
function nameIn(word: string): string {
  return /^(?:error|warning|assumption)?\[(.*)\]$/i.exec(word)?.[1] ?? word;
}

/** The page of a rule or an assumption, whose name may be in lower or upper case. */
function pageOf(word: string, paint: Paint): string {
  const name = nameIn(word);
  const rule = findName(name, ALL_RULES);
  if (rule !== undefined) return renderPage(readRulePage(rule), paint);
  const assumption = findName(name, ASSUMPTION_NAMES);
  if (assumption !== undefined) return renderAssumption(assumption, paint);
  throw unknownRule(word);
}

export const explainVerb: Verb = (command, host, done) => {
  addColorOptions(command)
    .argument('[NAME]', 'what a finding or a verdict has in brackets; without it, all are listed')
    .action((word: string | undefined, options: ColorOptions) => {
      const paint = paintFor(host.stdout, host.env, readColor(options));
      host.stdout.write(
        word === undefined ? renderRuleList(ALL_RULES, paint) : pageOf(word, paint),
      );
      done(ExitCode.clean);
    });
};
