// Creates the ESLint rule of one diagnostic of the analysis.
import type { Rule } from 'eslint';
import { rulePageUrl, titleOf, type Fix, type LintRule } from '@poundlock/lint';
import type { LocatedFinding } from '@poundlock/lint/internal';
import { findingsOf, refusalsOf } from './findings.ts';
import { sentencesOf } from './sentences.ts';

export function ruleFor(rule: LintRule): Rule.RuleModule {
  return ruleOf(rule, titleOf(rule), (context) => findingsOf(context, rule));
}

/** `poundlock/linear`: the sound tier, for the files that it is configured for. */
export function linearRule(): Rule.RuleModule {
  return ruleOf('refused', 'every handle is proved to be released once', refusalsOf);
}

function ruleOf(
  rule: LintRule,
  description: string,
  find: (context: Rule.RuleContext) => readonly LocatedFinding[],
): Rule.RuleModule {
  return {
    meta: {
      type: 'problem',
      docs: { description, recommended: true, url: rulePageUrl(rule).href },
      fixable: 'code',
      hasSuggestions: true,
      messages: { finding: '{{sentences}}' },
      schema: [],
    },
    create(context) {
      const findings = find(context);
      if (findings.length === 0) return {};
      return { Program: () => findings.forEach((finding) => report(context, finding)) };
    },
  };
}

/** The first safe fix is applied by `--fix`, as by `poundlock lint`; others are suggestions. */
function report(context: Rule.RuleContext, { finding, start, end }: LocatedFinding): void {
  const { fixes } = finding;
  const { sourceCode } = context;
  const safe = fixes.find(({ isSafe }) => isSafe);
  context.report({
    loc: { start: sourceCode.getLocFromIndex(start), end: sourceCode.getLocFromIndex(end) },
    messageId: 'finding',
    data: { sentences: sentencesOf(finding, context.cwd) },
    fix: safe === undefined ? null : edited(safe),
    suggest: fixes
      .filter((fix) => fix !== safe)
      .map((fix) => ({ desc: fix.title, fix: edited(fix) })),
  });
}

function edited({ edits }: Fix): Rule.ReportFixer {
  return (fixer) => edits.map(({ start, end, text }) => fixer.replaceTextRange([start, end], text));
}
