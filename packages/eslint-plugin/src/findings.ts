// The findings of each rule in the current file, which is analyzed once for all rules.
import type { Rule } from 'eslint';
import type { LintRule } from '@poundlock/lint';
import type { LocatedFinding } from '@poundlock/lint/internal';
import { findingsFor } from './analysis.ts';
import { typedFile } from './services.ts';
import { optionsFor } from './settings.ts';

/** The findings of each file. */
const findings = new WeakMap<object, readonly LocatedFinding[]>();

export function findingsOf(context: Rule.RuleContext, rule: LintRule): readonly LocatedFinding[] {
  const { sourceCode } = context;
  const located = findings.get(sourceCode) ?? findingsIn(context);
  findings.set(sourceCode, located);
  return located.filter(({ finding }) => finding.rule === rule);
}

/** What is not proved of a file. */
export function refusalsOf(context: Rule.RuleContext): readonly LocatedFinding[] {
  return findingsIn(context, true);
}

function findingsIn(context: Rule.RuleContext, isLinear = false): readonly LocatedFinding[] {
  const { program, file } = typedFile(context);
  // The parser extracted the script from another file: its positions would be wrong.
  if (file === undefined || file.text !== context.sourceCode.text) return [];
  return findingsFor(program, optionsFor(context), file.fileName, isLinear);
}
