// Parses the Markdown page of a rule: its title, its explanation, and programs that show both.
import { InvariantError } from '../base/index.ts';
import { isRule, type RuleId } from './rule.ts';

/** A program that violates a rule, and the same program without the error. */
export interface RulePrograms {
  readonly rejected: string;
  readonly fixed: string;
}

/**
 * The explanation of a rule, as its page `rules/RULE.md` has it. Both programs are complete: the
 * first one violates the rule, the second one is certified.
 */
export interface RulePage extends RulePrograms {
  readonly rule: RuleId;
  /** The first sentence as a clause, in lower case and without its period. */
  readonly title: string;
  /** Markdown: paragraphs of one line each, with an empty line between two. */
  readonly what: string;
  /** Programs for `lint`, where those for `check` do not show what a source can. */
  readonly lint?: RulePrograms;
  readonly seeAlso: readonly RuleId[];
}

/** The sections of a page after its explanation, in their order. */
const SECTIONS = ['Rejected', 'Fixed', 'Rejected by lint', 'Fixed for lint', 'See also'] as const;
type Section = (typeof SECTIONS)[number];

/** Parses the text of a page; throws an InvariantError that says which part is missing. */
export function parseRulePage(text: string): RulePage {
  const [heading = '', ...lines] = text.split(/\r?\n/);
  const rule = /^# (.+)$/.exec(heading)?.[1];
  if (rule === undefined || !isRule(rule)) {
    throw new InvariantError(`a rule page starts with "# RULE", not with "${heading}"`);
  }
  const { preamble, sections } = split(rule, lines);
  const [title, ...what] = paragraphs(preamble);
  if (title === undefined) throw fault(rule, 'has no title');
  if (what.length === 0) throw fault(rule, 'has no explanation after its title');
  const program = (section: Section) => programIn(rule, section, sections.get(section));
  return {
    rule,
    title: clause(rule, title),
    what: what.join('\n\n'),
    rejected: program('Rejected'),
    fixed: program('Fixed'),
    ...((sections.has('Rejected by lint') || sections.has('Fixed for lint')) && {
      lint: { rejected: program('Rejected by lint'), fixed: program('Fixed for lint') },
    }),
    seeAlso: linksIn(rule, sections.get('See also')),
  };
}

function fault(rule: RuleId, what: string): InvariantError {
  return new InvariantError(`the page of the rule ${rule} ${what}`);
}

interface Parts {
  readonly preamble: readonly string[];
  readonly sections: ReadonlyMap<Section, readonly string[]>;
}

/** Splits a page at its headings; a line of a program is never one. */
function split(rule: RuleId, lines: readonly string[]): Parts {
  const preamble: string[] = [];
  const sections = new Map<Section, string[]>();
  let current = preamble;
  let last = -1;
  let isProgram = false;
  for (const line of lines) {
    if (line.startsWith('```')) isProgram = !isProgram;
    if (isProgram || !line.startsWith('#')) {
      current.push(line);
      continue;
    }
    const at = SECTIONS.findIndex((section) => line === `## ${section}`);
    if (at < 0) throw fault(rule, `has an unknown heading "${line}"`);
    if (at <= last) throw fault(rule, `has "${line}" in the wrong place`);
    current = [];
    sections.set(SECTIONS[at]!, current);
    last = at;
  }
  if (isProgram) throw fault(rule, 'has a program without an end');
  return { preamble, sections };
}

/** The paragraphs of a text, each as one line. */
function paragraphs(lines: readonly string[]): string[] {
  const blocks = lines.join('\n').split(/\n\s*\n/);
  return blocks.map((block) => block.replaceAll(/\s+/g, ' ').trim()).filter(Boolean);
}

/** `A handle is released twice.` becomes `a handle is released twice`. */
function clause(rule: RuleId, sentence: string): string {
  if (!/^[A-Z].*[^.]\.$/.test(sentence)) throw fault(rule, 'has a title that is not a sentence');
  return sentence[0]!.toLowerCase() + sentence.slice(1, -1);
}

function programIn(rule: RuleId, section: Section, lines: readonly string[] | undefined): string {
  if (lines === undefined) throw fault(rule, `has no section "## ${section}"`);
  const program = /^\s*```ts\n(.*)\n```\s*$/s.exec(lines.join('\n'))?.[1];
  if (program === undefined || program.includes('\n```')) {
    throw fault(rule, `has something else than one program in "## ${section}"`);
  }
  return program;
}

function linksIn(rule: RuleId, lines: readonly string[] | undefined): RuleId[] {
  const items = (lines ?? []).filter((line) => line.trim() !== '');
  if (items.length === 0) throw fault(rule, 'has no links in "## See also"');
  return items.map((item) => {
    const [, name = '', target] = /^- \[([\w-]+)\]\(([\w-]+)\.md\)$/.exec(item) ?? [];
    if (name === target && isRule(name)) return name;
    throw fault(rule, `has "${item}" in "## See also", which is not a link to the page of a rule`);
  });
}
