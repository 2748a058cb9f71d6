// Findings and schedules as sections of a Markdown document of limited size.
import { counted } from '@poundlock/core/internal/base';
import type { Finding, Replayable, ShrunkFinding } from '@poundlock/core/internal/finding';
import { codeFrame, type SourceLine } from '../frame.ts';
import { PLAIN } from '../paint.ts';
import { smallerText } from '../smaller.ts';
import { traceTable } from '../trace.ts';
import { codeBlock, codeSpan, escaped } from './text.ts';

// GitHub shows nothing of a comment with more than 65,536 characters.
const MAX_CHARACTERS = 60_000;

/** The shown part of a schedule. */
type Schedule = Partial<Required<Pick<Finding, 'trace' | 'standing'>>>;

/** A section; its schedule is shown if there is room. */
export interface Section {
  readonly lines: readonly string[];
  readonly schedule: Schedule;
}

export const joined = (lines: readonly string[]): string => `${lines.join('\n').trimEnd()}\n`;

/** `3 more findings not shown here.` */
export function notShown(number: number, noun: string): string[] {
  return number <= 0 ? [] : ['', `${counted(number, `more ${noun}`)} not shown here.`];
}

function smallerItem(also: ShrunkFinding): string {
  const { replayCommand } = also;
  const command = replayCommand === undefined ? '' : `: ${codeSpan(replayCommand)}`;
  return `* also: ${escaped(smallerText(also))}${command}`;
}

/** The command that replays a schedule. */
export function replayBlock({ replayCommand }: Partial<Replayable>): string[] {
  if (replayCommand === undefined) return [];
  return ['replay:', '', ...codeBlock('sh', [replayCommand]), ''];
}

/** A finding with a line that names its kernel. */
export function findingSection(finding: Finding, about: string, sourceLine: SourceLine): Section {
  const { severity, rule, message, primary, labels, notes, helps, also } = finding;
  const remarks = [
    ...notes.map((note) => `* note: ${escaped(note)}`),
    ...helps.map((help) => `* **help:** ${escaped(help)}`),
    ...(also === undefined ? [] : [smallerItem(also)]),
  ];
  const lines = [
    `### ${escaped(`${severity}[${rule}]: ${message}`)}`,
    '',
    about,
    '',
    ...codeBlock('text', codeFrame([primary, ...labels], sourceLine, PLAIN, PLAIN.error)),
    '',
    ...(remarks.length === 0 ? [] : [...remarks, '']),
    ...replayBlock(finding),
  ];
  return { lines, schedule: finding };
}

function traceBlock({ trace = [], standing = [] }: Schedule): string[] {
  const [, ...rows] = traceTable(trace, standing, PLAIN, false);
  if (rows.length === 0) return [];
  const summary = `<summary>trace: ${counted(trace.length, 'step')}</summary>`;
  return ['<details>', summary, '', ...codeBlock('text', rows), '', '</details>', ''];
}

/** The document: as many sections as fit, and the number of omitted ones. */
export function documentOf(head: readonly string[], sections: readonly Section[]): string {
  let text = joined(head);
  let left = 0;
  for (const { lines, schedule } of sections) {
    const room = MAX_CHARACTERS - text.length;
    const short = joined(lines);
    if (short.length > room) {
      left++;
      continue;
    }
    const full = joined([...lines, ...traceBlock(schedule)]);
    text += `\n${full.length > room ? short : full}`;
  }
  return joined([text, ...notShown(left, 'finding').slice(1)]);
}
