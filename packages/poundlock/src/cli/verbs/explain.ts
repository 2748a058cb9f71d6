// `poundlock explain`: what a rule means, a program that it rejects, and the fix.
import { InputError, nearest } from '@poundlock/core/internal/base';
import { ALL_RULES, type RuleId } from '@poundlock/core/internal/finding';
import { allPages, pageOf } from '@poundlock/core/internal/finding/pages';
import { renderPage, renderPageList } from '../../report/index.ts';
import { ExitCode } from '../exit-code.ts';
import { paintFor } from '../reporter-environment.ts';
import type { Verb } from './verb.ts';

function isRule(word: string): word is RuleId {
  return (ALL_RULES as readonly string[]).includes(word);
}

function unknownRule(word: string): InputError {
  const guess = nearest(word, ALL_RULES);
  const help = guess === undefined ? '' : `did you mean ${guess}? `;
  return new InputError(`there is no rule ${word}: ${help}\`poundlock explain\` lists them`);
}

/** `error[deadlock]` is what a finding shows: take it as it was copied. */
function ruleName(word: string): string {
  return /^(?:error|warning)\[(.*)\]$/.exec(word)?.[1] ?? word;
}

export const explainVerb: Verb = (program, host, done) => {
  program
    .command('explain')
    .description('what a rule means, with a program that breaks it and one that does not')
    .argument('[RULE]', 'the word in brackets of a finding; without it all rules are listed')
    .action((word?: string) => {
      const paint = paintFor(host.stdout, host.env);
      if (word === undefined) {
        host.stdout.write(renderPageList(allPages(), paint));
      } else {
        const rule = ruleName(word);
        if (!isRule(rule)) throw unknownRule(word);
        host.stdout.write(renderPage(pageOf(rule), paint));
      }
      done(ExitCode.clean);
    });
};
