// The reporter for pull requests and job summaries: a table, then a section per finding.
import type { CheckResult, Finding, Replayable, Smaller } from '@poundlock/core/internal/finding';
import { codeFrame, type SourceLine } from './frame.ts';
import { codeBlock, codeSpan, escaped, markdownTable } from './markdown-text.ts';
import { PLAIN } from './paint.ts';
import { counted } from '@poundlock/core/internal/base';
import { isChecked, type CheckReport, type Outcome, type Reporter } from './report.ts';
import { smallerText } from './smaller.ts';
import { exampleTitle, statement, subject } from './summary.ts';
import { columnsOf, COULD_NOT_RUN, FILE_COLUMN, totalLine } from './table.ts';
import { traceTable } from './trace.ts';

// GitHub shows nothing at all of a comment with more than 65,536 characters.
const MAX_CHARACTERS = 60_000;
const MAX_ROWS = 100;

function isCertified(outcome: Outcome): boolean {
  return isChecked(outcome) && outcome.result.verdict === 'certified';
}

function notShown(number: number, noun: string): string[] {
  return number <= 0 ? [] : ['', `${counted(number, `more ${noun}`)} not shown here.`];
}

function table(outcomes: readonly Outcome[]): string[] {
  const differing = columnsOf(outcomes, PLAIN);
  const columns = differing.includes(FILE_COLUMN) ? differing : [FILE_COLUMN, ...differing];
  const heading = columns.map(({ title, side }) => ({ title, isNumber: side === 'left' }));
  // Where not all fit, those that somebody has to look at come first.
  const byNeed = (a: Outcome, b: Outcome) => Number(isCertified(a)) - Number(isCertified(b));
  const order = outcomes.length <= MAX_ROWS ? outcomes : outcomes.toSorted(byNeed);
  const rows = order.slice(0, MAX_ROWS).map((outcome) =>
    columns.map(({ title, cell }) => {
      const text = escaped(cell(outcome));
      return title === 'verdict' && !isCertified(outcome) ? `**${text}**` : text;
    }),
  );
  return [...markdownTable(heading, rows), ...notShown(outcomes.length - MAX_ROWS, 'result')];
}

function sentence(outcome: Outcome): string {
  const file = codeSpan(outcome.file);
  if (!isChecked(outcome)) return `**${COULD_NOT_RUN}** ${file}: ${escaped(outcome.error)}`;
  const { result } = outcome;
  const what = `${escaped(subject(result))} in ${file}: ${escaped(statement(result))}`;
  return `**${result.verdict}** ${what}`;
}

function notesOf(outcome: Outcome): string[] {
  const notes = isChecked(outcome) ? (outcome.result.notes ?? []) : [];
  return notes.length === 0 ? [] : ['', ...notes.map((note) => `* note: ${escaped(note)}`)];
}

/** What no table and no section says: the one result, or why there is no verdict. */
function sentences({ outcomes, many }: CheckReport): string[] {
  if (!many) return outcomes.flatMap((outcome) => [sentence(outcome), ...notesOf(outcome)]);
  const open = outcomes.filter((one) => !isChecked(one) || one.result.verdict === 'inconclusive');
  const list = open.slice(0, MAX_ROWS).map((outcome) => `* ${sentence(outcome)}`);
  return [...list, ...notShown(open.length - MAX_ROWS, 'result')];
}

/** What is shown of a schedule. */
type Shown = Required<Pick<Finding, 'trace' | 'standing'>>;

function replayBlock({ replayCommand }: Partial<Replayable>): string[] {
  return replayCommand === undefined
    ? []
    : ['replay:', '', ...codeBlock('sh', [replayCommand]), ''];
}

function traceBlock({ trace = [], standing = [] }: Partial<Shown>): string[] {
  const [, ...rows] = traceTable(trace, standing, PLAIN, false);
  if (rows.length === 0) return [];
  const summary = `<summary>trace: ${counted(trace.length, 'step')}</summary>`;
  return ['<details>', summary, '', ...codeBlock('text', rows), '', '</details>', ''];
}

function smallerItem(also: Smaller): string {
  const { replayCommand } = also;
  const command = replayCommand === undefined ? '' : `: ${codeSpan(replayCommand)}`;
  return `* also: ${escaped(smallerText(also))}${command}`;
}

/** All of a finding but its trace. */
function findingLines(finding: Finding, sourceLine: SourceLine): string[] {
  const { severity, rule, message, primary, labels, notes, helps, also } = finding;
  const remarks = [
    ...notes.map((note) => `* note: ${escaped(note)}`),
    ...helps.map((help) => `* **help:** ${escaped(help)}`),
    ...(also === undefined ? [] : [smallerItem(also)]),
  ];
  return [
    `### ${escaped(`${severity}[${rule}]: ${message}`)}`,
    '',
    ...codeBlock('text', codeFrame([primary, ...labels], sourceLine, PLAIN, PLAIN.error)),
    '',
    ...(remarks.length === 0 ? [] : [...remarks, '']),
    ...replayBlock(finding),
  ];
}

/** The findings and schedules of a result, each with its trace apart: it is long. */
function sections(file: string, result: CheckResult, sourceLine: SourceLine) {
  const kernel = `${codeSpan(file)}: ${escaped(subject(result))}`;
  const all: { lines: string[]; shown: Partial<Shown> }[] = result.findings.map((finding) => {
    const [heading = '', ...lines] = findingLines(finding, sourceLine);
    return { lines: [heading, '', kernel, ...lines], shown: finding };
  });
  const { example } = result;
  const title = exampleTitle(result);
  if (example !== undefined && title !== undefined) {
    const lines = [`### ${title}`, '', kernel, '', ...replayBlock(example)];
    all.push({ lines, shown: example });
  }
  return all;
}

const joined = (lines: readonly string[]): string => `${lines.join('\n').trimEnd()}\n`;

function render(report: CheckReport, sourceLine: SourceLine): string {
  const total = report.many ? [totalLine(report), ''] : [];
  let text = joined([
    '## poundlock check',
    '',
    ...table(report.outcomes),
    '',
    ...total,
    ...sentences(report),
  ]);
  let left = 0;
  const checked = report.outcomes.filter(isChecked);
  for (const { file, result } of checked) {
    for (const { lines, shown } of sections(file, result, sourceLine)) {
      const room = MAX_CHARACTERS - text.length;
      const short = joined(lines);
      if (short.length > room) {
        left++;
        continue;
      }
      const full = joined([...lines, ...traceBlock(shown)]);
      text += `\n${full.length > room ? short : full}`;
    }
  }
  return joined([text, ...notShown(left, 'finding').slice(1)]);
}

/** Results as a Markdown document. */
export const markdown: Reporter = {
  name: 'markdown',
  render: (report, { sourceLine }) => render(report, sourceLine),
};
