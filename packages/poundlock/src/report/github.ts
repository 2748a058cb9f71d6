// The reporter for GitHub Actions: workflow commands that become annotations of a change.
import {
  completedResults,
  isFailure,
  resultsOf,
  type Finding,
  type Report,
  type ReportedFailure,
} from '@poundlock/core/internal/finding';
import { distinctPlaces, type SourceLine } from './frame.ts';
import { headlineOf } from './headline.ts';
import { readablePlaces } from './readable.ts';
import { interruption, remarksOn, type Remark } from './remarks.ts';
import { answerByVerb, type AnyResult, type ByResult, type Reporter } from './reporter.ts';
import { smallerLine } from './smaller.ts';
import { subject, titleOf } from './summary.ts';
import { partsOf, renderedParts, textsLine } from './verdict.ts';

interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly lines: readonly string[];
  readonly at?: { readonly file: string; readonly line?: number; readonly column?: number };
}

/** A command is one line: the runner decodes these. */
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

/** The log shows neither title nor position of an annotation, so its text has both. */
function findingCommand(finding: Finding, title: string, sourceLine: SourceLine): string {
  const { severity, message, notes, helps, also, replayCommand } = finding;
  const places = readablePlaces([finding.primary, ...finding.labels], sourceLine);
  const lines = [
    message,
    ...distinctPlaces(places).map(({ file, line, column, text, origin }) => {
      const of = origin === undefined ? '' : ` (${origin})`;
      return `${file}:${line}:${column}: ${text}${of}`;
    }),
    ...notes.map((note) => `note: ${note}`),
    ...helps.map((help) => `help: ${help}`),
  ];
  if (also !== undefined) lines.push(`also: ${smallerLine(also)}`);
  if (replayCommand !== undefined) lines.push(`replay: ${replayCommand}`);
  return command({
    level: severity === 'note' ? 'notice' : severity,
    title,
    lines,
    at: places[0]!,
  });
}

function remarkCommand({ level, title, text, at }: Remark): string {
  const line = at === undefined || at.line !== undefined ? text : `${at.file}: ${text}`;
  const word = level === 'note' ? 'notice' : level;
  return command({ level: word, title, lines: [line], ...(at !== undefined && { at }) });
}

const TITLES: ByResult<string> = {
  check: (result) => ` in ${subject(result)}`,
  simulate: (result) => ` in ${titleOf(result)}`,
  advise: (result) => ` in ${titleOf(result)}`,
  run: (result) => ` in ${titleOf(result)}`,
  lint: () => '',
};

function commandsOf(result: AnyResult | ReportedFailure, sourceLine: SourceLine): string[] {
  const remarks = remarksOn(result).map(remarkCommand);
  if (isFailure(result)) return remarks;
  const title = answerByVerb(TITLES, result);
  const findings = result.findings.map((one) =>
    findingCommand(one, `${one.rule}${title}`, sourceLine),
  );
  return [...findings, ...remarks];
}

/** Each verdict as ordinary lines of the log: what its annotations do not say. */
function verdictLog(report: Report<'check'>): string[] {
  return completedResults(report).flatMap((result) => {
    const parts = partsOf(result);
    const { verdict, subject, statement } = parts.claim;
    return renderedParts(
      {
        claim: () => [`${verdict}  ${subject}: ${statement} · ${parts.statistics}`],
        texts: (texts) => textsLine(texts).map((line) => `   ${line}`),
        statistics: () => [],
        // Annotations.
        notes: () => [],
        coverage: () => [],
        assumptions: () => [],
        findings: () => [],
      },
      parts,
    ).map((line) => line.replaceAll(/[\r\n]+/g, ' '));
  });
}

/** A report as annotations; the summary is an ordinary line of the log. */
export const github: Reporter = {
  name: 'github',
  render(report, { sourceLine }) {
    const lines = resultsOf(report).flatMap((result) => commandsOf(result, sourceLine));
    const end = interruption(report).map(remarkCommand);
    const log = report.tool.verb === 'check' ? verdictLog(report as Report<'check'>) : [];
    return `${[...lines, ...end, ...log, headlineOf(report)].join('\n')}\n`;
  },
};
