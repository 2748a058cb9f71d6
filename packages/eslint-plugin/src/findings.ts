// What each rule has to tell of the file that ESLint is at: the file is looked at once, for all.
import type { Rule } from 'eslint';
import type { LintRule, LocatedFinding } from '@poundlock/lint';
import { look } from './analysis.ts';
import { typedFile } from './services.ts';
import { optionsFor } from './settings.ts';

/** The findings of each file. */
const findings = new WeakMap<object, readonly LocatedFinding[]>();

export function findingsOf(context: Rule.RuleContext, rule: LintRule): readonly LocatedFinding[] {
  const { sourceCode } = context;
  const found = findings.get(sourceCode) ?? findingsIn(context);
  findings.set(sourceCode, found);
  return found.filter(({ finding }) => finding.rule === rule);
}

function findingsIn(context: Rule.RuleContext): readonly LocatedFinding[] {
  const { program, file } = typedFile(context);
  // A parser that took the script out of another file: places in it would be wrong.
  if (file === undefined || file.text !== context.sourceCode.text) return [];
  return look(program, optionsFor(context), file.fileName);
}
