// `poundlock explain`: lists the rules, or shows the page of one of them.
import { InputError, nearest } from '@poundlock/core/internal/base';
import { ALL_RULES, isRule } from '@poundlock/core/internal/finding';
import { renderPage, renderRuleList } from '../../report/index.ts';
import { ExitCode } from '../exit-code.ts';
import { addColorOptions, readColor, type ColorOptions } from '../options/color.ts';
import { readRulePage } from '../rule-pages.ts';
import { paintFor } from '../reporter-environment.ts';
import type { Verb } from './verb.ts';

function unknownRule(word: string): InputError {
  const guess = nearest(word, ALL_RULES);
  const help = guess === undefined ? '' : `did you mean ${guess}? `;
  return new InputError(`there is no rule ${word}: ${help}\`poundlock explain\` lists them`);
}

/** A finding shows `error[deadlock]`, which can be copied whole. */
function ruleName(word: string): string {
  return /^(?:error|warning)\[(.*)\]$/.exec(word)?.[1] ?? word;
}

export const explainVerb: Verb = (command, host, done) => {
  addColorOptions(command)
    .argument('[RULE]', 'the rule in brackets of a finding; without it, all rules are listed')
    .action((word: string | undefined, options: ColorOptions) => {
      const paint = paintFor(host.stdout, host.env, readColor(options));
      if (word === undefined) {
        host.stdout.write(renderRuleList(ALL_RULES, paint));
      } else {
        const rule = ruleName(word);
        if (!isRule(rule)) throw unknownRule(word);
        host.stdout.write(renderPage(readRulePage(rule), paint));
      }
      done(ExitCode.clean);
    });
};
