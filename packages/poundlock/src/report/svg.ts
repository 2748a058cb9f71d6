// The reporter for pictures: the space-time diagrams of a report below one another, as SVG.
import {
  isFailure,
  resultsOf,
  type Report,
  type ReportedFailure,
  type ReportedFinding,
} from '@poundlock/core/internal/finding';
import { counted } from '@poundlock/core/internal/base';
import { layOut, sourceOf, svgOf, DIAGRAM_STYLE } from './diagram/index.ts';
import { METRICS } from './diagram/metrics.ts';
import { headlineOf } from './headline.ts';
import { escaped } from './html/text.ts';
import { wrapped } from './page.ts';
import { answerByVerb, type AnyResult, type ByResult, type Reporter } from './reporter.ts';
import { exampleTitle, titleOf } from './summary.ts';
import { failureWord } from './table.ts';

/** The most diagrams of a file, and the most results and findings without a diagram. */
const MAX_DIAGRAMS = 12;
const MAX_LINES = 40;
/** Space around the text. */
const EDGE = METRICS.wide.edge;

/** A part of the picture: a diagram or lines of text. */
interface Part {
  readonly width: number;
  readonly height: number;
  readonly text: string;
}

/** A report as a picture; a single diagram is the whole picture. */
export const svg: Reporter = {
  name: 'svg',
  render(report) {
    const diagrams = diagramsOf(report);
    const lines = [headlineOf(report), ...withoutDiagram(report, diagrams)];
    const more = diagrams.length - MAX_DIAGRAMS;
    if (more > 0) lines.push(`${counted(more, 'more diagram')} not shown here`);
    const parts = diagrams.slice(0, MAX_DIAGRAMS).map(({ part }) => part(false));
    if (diagrams.length === 1 && lines.length === 1) return `${diagrams[0]!.part(true).text}\n`;
    return `${stacked([textPart(lines.slice(0, MAX_LINES)), ...parts], headlineOf(report))}\n`;
  },
};

interface Diagram {
  /** The finding; `null` for a schedule without one. */
  readonly finding: ReportedFinding | null;
  /** Draws it, as a file of its own or as an element. */
  readonly part: (isFile: boolean) => Part;
}

function diagramsOf(report: Report): Diagram[] {
  return resultsOf(report).flatMap((result) => {
    if (isFailure<AnyResult>(result)) return [];
    const own = result.findings.filter((finding, at) => {
      const same = (one: ReportedFinding): boolean => one.replayToken === finding.replayToken;
      return finding.trace !== undefined && !result.findings.slice(0, at).some(same);
    });
    return own.length > 0
      ? own.map((finding) => ofFinding(finding, answerByVerb(SUBJECTS, result)))
      : ofExample(result);
  });
}

const SUBJECTS: ByResult<string> = {
  check: (result) => `${result.file}: ${titleOf(result)}`,
  simulate: (result) => `${result.file}: ${titleOf(result)}`,
  advise: (result) => `${result.file}: ${titleOf(result)}`,
  run: (result) => `${result.file}: ${titleOf(result)}`,
  lint: () => '',
};

function ofFinding(finding: ReportedFinding, subject: string): Diagram {
  const isWarning = finding.severity === 'warning';
  const drawing = () => layOut(sourceOf(finding, subject)!, { hasHeading: true });
  return { finding, part: (isFile) => partOf(drawing(), isFile, isWarning) };
}

function ofExample(result: AnyResult): Diagram[] {
  if (result.verb !== 'check' || result.example === undefined) return [];
  const { trace, standing } = result.example;
  const message = exampleTitle(result) ?? 'schedule';
  const source = { trace, standing, message, subject: SUBJECTS.check(result), cited: [] };
  const drawing = () => layOut(source, { hasHeading: true });
  return [{ finding: null, part: (isFile) => partOf(drawing(), isFile, false) }];
}

function partOf(drawing: ReturnType<typeof layOut>, isFile: boolean, isWarning: boolean): Part {
  const { width, height } = drawing;
  return { width, height, text: svgOf(drawing, { isFile, isTable: true, isWarning }) };
}

/** A line for each file that could not be run, and for each finding that no diagram shows. */
function withoutDiagram(report: Report, diagrams: readonly Diagram[]): string[] {
  const failures = report.results.filter((one): one is ReportedFailure => isFailure(one));
  const shown = new Set(diagrams.map(({ finding }) => finding?.message));
  const others = report.findings.filter(({ message }) => !shown.has(message));
  return [
    ...failures.map((one) => `${failureWord(one)} ${one.file}: ${one.error}`),
    ...others.map(({ severity, rule, message }) => `${severity}[${rule}]: ${message}`),
  ];
}

function textPart(lines: readonly string[]): Part {
  const { minWidth: width, character, lineHeight } = METRICS.wide;
  const room = Math.floor((width - 2 * EDGE) / character);
  const rows = lines.flatMap((line) => wrapped(line, room));
  const texts = rows.map((row, at) => {
    return `<text x="${EDGE}" y="${EDGE + (at + 0.8) * lineHeight}">${escaped(row)}</text>`;
  });
  return { width, height: 2 * EDGE + rows.length * lineHeight, text: texts.join('\n') };
}

function stacked(parts: readonly Part[], title: string): string {
  const width = Math.max(...parts.map((part) => part.width));
  const height = parts.reduce((sum, part) => sum + part.height, 0);
  let y = 0;
  const placed = parts.map((part) => {
    const text = `<g transform="translate(0 ${y})">\n${part.text}\n</g>`;
    y += part.height;
    return text;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="space-time" width="${width}" ` +
      `height="${height}" viewBox="0 0 ${width} ${height}" role="graphics-document" ` +
      `font-size="${METRICS.wide.fontSize}" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<style>${DIAGRAM_STYLE}</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...placed,
    '</svg>',
  ].join('\n');
}
