// `poundlock explain`: lists rules and assumptions, or shows the page of one of them.
import { InputError, nearest } from '@poundlock/core/internal/base';
import {
  ALL_RULES,
  ASSUMPTION_NAMES,
  isAssumption,
  isRule,
} from '@poundlock/core/internal/finding';
import { renderAssumption, renderPage, renderRuleList } from '../../report/index.ts';
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
function ruleName(word: string): string {
  return /^(?:error|warning|assumption)?\[(.*)\]$/.exec(word)?.[1] ?? word;
}

export const explainVerb: Verb = (command, host, done) => {
  addColorOptions(command)
    .argument('[NAME]', 'what a finding or a verdict has in brackets; without it, all are listed')
    .action((word: string | undefined, options: ColorOptions) => {
      const paint = paintFor(host.stdout, host.env, readColor(options));
      if (word === undefined) {
        host.stdout.write(renderRuleList(ALL_RULES, paint));
      } else {
        const rule = ruleName(word);
        if (isRule(rule)) host.stdout.write(renderPage(readRulePage(rule), paint));
        else if (isAssumption(rule)) host.stdout.write(renderAssumption(rule, paint));
        else throw unknownRule(word);
      }
      done(ExitCode.clean);
    });
};
