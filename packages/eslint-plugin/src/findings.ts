// What each rule has to tell of the file that ESLint is at: the file is looked at once, for all.
import type { Rule } from 'eslint';
import type { LintRule } from '@poundlock/lint';
import type { Told } from '@poundlock/lint/internal';
import { look } from './analysis.ts';
import { typedFile } from './services.ts';
import { optionsFor } from './settings.ts';

/** The findings of each file. */
const told = new WeakMap<object, readonly Told[]>();

export function findingsOf(context: Rule.RuleContext, rule: LintRule): readonly Told[] {
  const { sourceCode } = context;
  const found = told.get(sourceCode) ?? findingsIn(context);
  told.set(sourceCode, found);
  return found.filter(({ finding }) => finding.rule === rule);
}

function findingsIn(context: Rule.RuleContext): readonly Told[] {
  const { program, file } = typedFile(context);
  // A parser that took the script out of another file: places in it would be wrong.
  if (file === undefined || file.text !== context.sourceCode.text) return [];
  return look(program, optionsFor(context), file.fileName);
}
