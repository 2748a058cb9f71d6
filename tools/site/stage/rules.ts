// A page for each rule: what it means, and its rejected and its fixed program side by side.
import {
  ALL_RULES,
  evidenceOf,
  severityOf,
  titleOf,
  type Evidence,
  type RuleId,
} from '../../../packages/core/src/finding/rule.ts';
import { parseRulePage, type RulePrograms } from '../../../packages/core/src/finding/rule-page.ts';
import { withSiteLinks } from './links.ts';
import type { Page } from './page.ts';
import { playgroundAnchor } from './programs.ts';
import { textOf } from './repository.ts';

const KINDS: Readonly<Record<Evidence, { readonly heading: string; readonly about: string }>> = {
  schedule: {
    heading: 'Rules of check',
    about: 'A finding of these has a schedule that breaks the rule, step by step.',
  },
  either: {
    heading: 'Rules of check and of lint',
    about: '`check` shows a schedule, `lint` a path through the source.',
  },
  run: {
    heading: 'Rules of kernels as built',
    about:
      'What the run of a kernel as built does on every schedule: `check` shows the instruction.',
  },
  size: {
    heading: 'Rules of sizes',
    about: '`check` shows what fails at a size around the requested one.',
  },
  source: {
    heading: 'Rules of lint',
    about: '`lint` shows a path through the source. No program is run.',
  },
};

/** The page of every rule, and their index. */
export function rulePages(): Page[] {
  return [indexPage(), ...ALL_RULES.map(rulePage)];
}

function fileOf(rule: RuleId): string {
  return `packages/core/rules/${rule}.md`;
}

function indexPage(): Page {
  const parts = Object.entries(KINDS).map(([evidence, { heading, about }]) => {
    const rules = ALL_RULES.filter((rule) => evidenceOf(rule) === evidence);
    return `## ${heading}\n\n${about}\n\n${tableOf(rules)}`;
  });
  const first =
    'What a finding can say. Each page explains one rule, with a program that breaks it beside the same ' +
    'program without the error. On the command line: `poundlock explain RULE`. What each means exactly is ' +
    'in the [semantics](/reference/semantics/).';
  return {
    address: 'rules',
    title: 'All rules',
    description: 'Every rule that a finding can have, with a rejected and a fixed program.',
    body: [first, ...parts].join('\n\n'),
    more: { tableOfContents: { maxHeadingLevel: 2 } },
  };
}

function tableOf(rules: readonly RuleId[]): string {
  const rows = rules.map((rule) => {
    return `| [${rule}](/rules/${rule}/) | ${severityOf(rule)} | ${titleOf(rule)} |`;
  });
  return ['| rule | severity | meaning |', '|---|---|---|', ...rows].join('\n');
}

function rulePage(rule: RuleId): Page {
  const source = fileOf(rule);
  const page = parseRulePage(textOf(source));
  const also = page.seeAlso.map((other) => `- [${other}](/rules/${other}/): ${titleOf(other)}`);
  const facts = `<p class="facts"><a href="/rules/">All rules</a> · ${severityOf(rule)} · ${BY[evidenceOf(rule)]}</p>`;
  const parts = [
    facts,
    `**${page.title[0]!.toUpperCase()}${page.title.slice(1)}.**`,
    withSiteLinks(source, page.what),
    '## Programs',
    pairOf(page, 'check'),
    ...(page.lint === undefined ? [] : ['## For lint', pairOf(page.lint, 'lint')]),
    '## See also',
    also.join('\n'),
  ];
  return {
    address: `rules/${rule}`,
    title: rule,
    description: `${page.title[0]!.toUpperCase()}${page.title.slice(1)}.`,
    source,
    body: parts.join('\n\n'),
    more: { tableOfContents: false, ...neighborsOf(rule) },
  };
}

const BY: Readonly<Record<Evidence, string>> = {
  schedule: 'reported by <code>check</code>',
  either: 'reported by <code>check</code> and <code>lint</code>',
  run: 'reported by <code>check</code> for kernels as built',
  size: 'reported by <code>check</code>',
  source: 'reported by <code>lint</code>',
};

/** The rules before and after it, at the end of its page. */
function neighborsOf(rule: RuleId): Record<string, unknown> {
  const at = ALL_RULES.indexOf(rule);
  const link = (other: RuleId | undefined): unknown => {
    return other === undefined ? false : { link: `/rules/${other}/`, label: other };
  };
  return { prev: link(ALL_RULES[at - 1]), next: link(ALL_RULES[at + 1]) };
}

/** Two programs side by side; on a narrow screen, below one another. */
function pairOf({ rejected, fixed }: RulePrograms, verb: 'check' | 'lint'): string {
  const side = (title: string, className: string, program: string): string[] => {
    const link = verb === 'check' ? playgroundAnchor(program) : '';
    return [
      `<div class="side ${className}">`,
      `<p class="side-title">${title} ${link}</p>`,
      `\`\`\`ts\n${program}\n\`\`\``,
      '</div>',
    ];
  };
  return [
    '<div class="pair">',
    ...side('Rejected', 'rejected', rejected),
    ...side('Fixed', 'certified', fixed),
    '</div>',
  ].join('\n\n');
}
