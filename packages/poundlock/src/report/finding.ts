// Renders a finding for the terminal: message, source of every role, cause, and replay command.
import type { Finding, ReportedFinding } from '@poundlock/core/internal/finding';
import { codeFrame, gutterWidth } from './frame.ts';
import type { ReporterEnvironment } from './reporter.ts';
import { smallerLine } from './smaller.ts';
import { traceTable } from './trace.ts';
import { hanging } from './wrapped.ts';

/** The help lines of a finding, and the best fix of its source. */
export function helpsOf({ helps, fixes = [] }: ReportedFinding): readonly string[] {
  const [best] = fixes;
  if (best === undefined) return helps;
  return [...helps, best.isSafe ? `\`--fix\` can ${best.title}` : `fix: ${best.title}`];
}

/** Renders one finding as lines. */
export function findingLines(finding: Finding, environment: ReporterEnvironment): string[] {
  const { paint, sourceLine, schedules, columns } = environment;
  const {
    severity,
    rule,
    message,
    notes,
    helps,
    replayCommand,
    also,
    trace,
    standing = [],
  } = finding;
  const color = severity === 'error' ? paint.error : paint.warning;
  const places = [finding.primary, ...finding.labels];
  const margin = ' '.repeat(gutterWidth(places, sourceLine) + 1);
  const remark = (word: string) => (text: string) => `${margin}${paint.strong(`${word}:`)} ${text}`;
  const long = (word: string) => (text: string) => {
    const before = margin.length + word.length + 2;
    return remark(word)(hanging(text, { columns, before }).join('\n'));
  };
  const word = finding.possible === true ? `possible error[${rule}]` : `${severity}[${rule}]`;
  const before = `${word}: `.length;
  const [first, ...others] = hanging(message, { columns, before, indent: margin.length });
  const lines = [
    `${paint.strong(color(word))}${paint.strong(`: ${first}`)}`,
    ...others.map(paint.strong),
    ...codeFrame(places, sourceLine, paint, color, columns),
    ...notes.map(long('note')),
    ...helps.map(long('help')),
  ];
  // What is copied is never broken.
  if (also !== undefined) lines.push(remark('also')(smallerLine(also)));
  if (replayCommand !== undefined) lines.push(remark('replay')(replayCommand));
  if (schedules !== 'hidden' && trace !== undefined) {
    lines.push('', ...traceTable(trace, standing, paint, schedules === 'whole'));
  }
  return lines;
}
