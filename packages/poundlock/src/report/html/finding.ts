// A finding in a page: the source of every role, the cause, the replay command, the schedule.
import type { Finding, Replayable, ReportedFinding } from '@poundlock/core/internal/finding';
import { sourceOf } from '../diagram/index.ts';
import { helpsOf } from '../finding.ts';
import { frameFiles, type FrameLine, type SourceLine } from '../frame.ts';
import { smallerText } from '../smaller.ts';
import { widthOf } from '../width.ts';
import { MAX_SHOWN, notShownHtml } from './page.ts';
import { element, escaped, sentenceHtml } from './text.ts';
import { scheduleHtml } from './trace.ts';

/** The first findings of a page have diagrams: each has about 50 KB. */
const MAX_DIAGRAMS = 20;

/** The findings of a page, each with its subject. */
export function findingsHtml(
  findings: readonly ReportedFinding[],
  aboutOf: (finding: ReportedFinding) => string,
  sourceLine: SourceLine,
): string[] {
  const shown = findings.slice(0, MAX_SHOWN);
  const articles = shown.flatMap((finding, at) => {
    // Several findings of one schedule: its table is below the first.
    const isKnown = shown
      .slice(0, at)
      .some((one) => one.result === finding.result && one.replayToken === finding.replayToken);
    const diagram = at < MAX_DIAGRAMS ? sourceOf(finding) : null;
    const schedule = isKnown ? [] : scheduleHtml(finding, at === 0, diagram);
    return findingHtml(finding, aboutOf(finding), sourceLine, schedule);
  });
  return [...articles, ...notShownHtml(findings.length - shown.length, 'finding')];
}

function findingHtml(
  finding: ReportedFinding,
  about: string,
  sourceLine: SourceLine,
  schedule: readonly string[],
): string[] {
  const { severity, rule, message, primary, labels } = finding;
  const word = element('span', `${severity}[${rule}]`, `badge ${severity}`);
  return [
    `<article class="of-${severity}"><h3>${word} ${sentenceHtml(message)}</h3>`,
    ...(about === '' ? [] : [element('p', about, 'facts')]),
    ...frameFiles([primary, ...labels], sourceLine).flatMap(({ file, lines }) => [
      element('div', file, 'file'),
      `<div class="code">${lines.map(lineHtml).join('')}</div>`,
    ]),
    ...remarksHtml(finding),
    ...schedule,
    '</article>',
  ];
}

function lineHtml({ line, text, places }: FrameLine): string {
  const labels = places.map((place) => {
    const name = place.isPrimary ? 'label primary' : 'label';
    const label = escaped(`^ ${place.text}`);
    return `<div class="no"></div><div class="${name}" style="--at:${place.at}">${label}</div>`;
  });
  const source = `<div class="source">${marked(text, places)}</div>`;
  return `${element('div', String(line), 'no')}${source}${labels.join('')}`;
}

/** The source line with the names at its places highlighted. */
function marked(text: string, places: FrameLine['places']): string {
  let html = '';
  let done = 0;
  for (const { at, isPrimary } of places) {
    const start = indexOfColumn(text, at);
    const [word = ''] = /^(?:[\p{L}\d_$]+|.)/u.exec(text.slice(start)) ?? [];
    if (start < done || word.trim() === '') continue;
    html += escaped(text.slice(done, start));
    html += element('mark', word, isPrimary ? 'primary' : '');
    done = start + word.length;
  }
  return html + escaped(text.slice(done));
}

/** The index of the character in a column of a terminal. */
function indexOfColumn(text: string, column: number): number {
  let index = 0;
  for (const character of text) {
    if (widthOf(text.slice(0, index)) >= column) break;
    index += character.length;
  }
  return index;
}

function remarksHtml(finding: ReportedFinding): string[] {
  const { notes, also } = finding;
  const items = [
    ...notes.map((note) => `note: ${sentenceHtml(note)}`),
    ...helpsOf(finding).map((help) => `<b>help:</b> ${sentenceHtml(help)}`),
    ...(also === undefined ? [] : [alsoHtml(also)]),
  ].map((item) => `<li>${item}</li>`);
  const list = items.length === 0 ? [] : [`<ul>${items.join('')}</ul>`];
  return [...list, ...replayHtml(finding)];
}

function alsoHtml(also: NonNullable<Finding['also']>): string {
  const { replayCommand } = also;
  const command = replayCommand === undefined ? '' : `: ${element('code', replayCommand)}`;
  return `also: ${escaped(smallerText(also))}${command}`;
}

/** The command that replays a schedule. */
export function replayHtml({ replayCommand }: Partial<Replayable>): string[] {
  if (replayCommand === undefined) return [];
  return [element('p', 'replay:', 'facts'), element('pre', replayCommand)];
}
