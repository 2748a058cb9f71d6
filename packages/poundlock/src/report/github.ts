// The reporter for GitHub Actions: workflow commands that become annotations of a change.
import type { Finding } from '@poundlock/core/internal/finding';
import { distinctPlaces } from './frame.ts';
import { counted } from '@poundlock/core/internal/base';
import { isChecked, type Outcome, type Reporter } from './report.ts';
import { smallerLine } from './smaller.ts';
import { statement, subject } from './summary.ts';
import { totalLine } from './table.ts';

interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly lines: readonly string[];
  readonly at?: { readonly file: string; readonly line?: number; readonly column?: number };
}

/** A command is one line: its runner turns these back. */
function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** In a property, `:` and `,` end the value. */
function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function command({ level, title, lines, at }: Annotation): string {
  const values = { file: at?.file, line: at?.line, col: at?.column, title };
  const properties = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapedProperty(String(value))}`);
  return `::${level} ${properties.join(',')}::${escapedData(lines.join('\n'))}`;
}

/** The log shows neither title nor place of an annotation, so its text has both. */
export function findingCommand(finding: Finding, title: string): string {
  const { severity, message, primary, labels, notes, helps, also, replayCommand } = finding;
  const lines = [
    message,
    ...distinctPlaces([primary, ...labels]).map(
      ({ file, line, column, text }) => `${file}:${line}:${column}: ${text}`,
    ),
    ...notes.map((note) => `note: ${note}`),
    ...helps.map((help) => `help: ${help}`),
  ];
  if (also !== undefined) lines.push(`also: ${smallerLine(also)}`);
  if (replayCommand !== undefined) lines.push(`replay: ${replayCommand}`);
  return command({ level: severity, title, lines, at: primary });
}

function commandsOf(outcome: Outcome): string[] {
  if (!isChecked(outcome)) {
    const { file, at, error } = outcome;
    const lines = [at === undefined ? `${file}: ${error}` : error];
    return [command({ level: 'error', title: 'could not run', lines, at: at ?? { file } })];
  }
  const { file, result } = outcome;
  const commands = result.findings.map((finding) =>
    findingCommand(finding, `${finding.rule} in ${subject(result)}`),
  );
  if (result.verdict === 'inconclusive') {
    const lines = [`${file}: ${subject(result)}: ${statement(result)}`];
    commands.push(command({ level: 'warning', title: 'inconclusive', lines, at: { file } }));
  }
  for (const note of result.notes ?? []) {
    const lines = [`${file}: ${subject(result)}: ${note}`];
    commands.push(command({ level: 'notice', title: result.verdict, lines, at: { file } }));
  }
  return commands;
}

/** Results as annotations; what they sum up to is an ordinary line of the log. */
export const github: Reporter = {
  name: 'github',
  render(report) {
    const lines = report.outcomes.flatMap(commandsOf);
    if (report.skipped > 0) {
      const text = `${counted(report.skipped, 'check')} not started`;
      lines.push(command({ level: 'warning', title: 'interrupted', lines: [text] }));
    }
    return `${[...lines, totalLine(report)].join('\n')}\n`;
  },
};
