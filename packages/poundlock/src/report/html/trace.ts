// A schedule in a page: a column per role and unit, a row per step, states beside it.
import { counted, grouped } from '@poundlock/core/internal/base';
import type { Standing, TraceStep } from '@poundlock/core/internal/finding';
import { layOut, svgOf, type DiagramSource, type Drawing } from '../diagram/index.ts';
import { agentName } from '../lanes.ts';
import { factsOf, foldedText, foldSchedule, placeOf } from '../trace.ts';
import { DIAGRAM_ROOM } from './style.ts';
import { element, escaped } from './text.ts';

/** The rows of a longer schedule that are shown. */
const SHOWN = { first: 100, last: 200 };

interface Schedule {
  readonly trace?: readonly TraceStep[];
  readonly standing?: readonly Standing[];
}

/** The schedule as a diagram, and as a table in a section; empty without a schedule. */
export function scheduleHtml(
  { trace, standing = [] }: Schedule,
  isOpen: boolean,
  diagram: DiagramSource | null,
): string[] {
  if (trace === undefined) return [];
  const end = trace.length === 0 ? ': the kernel starts in this state' : '';
  return [
    ...(diagram === null ? [] : diagramHtml(diagram)),
    `<details${isOpen && diagram === null ? ' open' : ''}>`,
    element('summary', `trace: ${counted(trace.length, 'step')}${end}`),
    ...(trace.length === 0 ? [] : traceTable(trace)),
    ...standingHtml(trace, standing),
    '</details>',
  ];
}

/** The diagram twice, for wide and for narrow pages. It scrolls if it is too wide. */
function diagramHtml(source: DiagramSource): string[] {
  const isWarning = source.broken?.severity === 'warning';
  const large = largeDrawing(source);
  const drawn = [large, layOut(source, { width: 'narrow' })].map((drawing, at) => {
    const className = at === 0 ? 'wide' : 'narrow';
    return svgOf(drawing, { isFile: false, isTable: false, isWarning, className });
  });
  const size = large.width > WIDE ? ' wider' : '';
  const words = 'aria-label="space-time diagram of the schedule"';
  return [`<div class="diagram${size}" tabindex="0" role="region" ${words}>`, ...drawn, '</div>'];
}

/** The wide one; if it were wider than a page, the narrow one with the margin of a wide one. */
function largeDrawing(source: DiagramSource): Drawing {
  for (const room of [WIDE, WIDER]) {
    const drawing = layOut(source, { width: 'wide', room });
    if (drawing.width <= room) return drawing;
  }
  return layOut(source, { width: 'narrow', room: WIDE });
}

/** Widths in pixels, from which on a page shows a wide one: the least, and that of many columns. */
const [WIDE, WIDER] = [DIAGRAM_ROOM.wide, DIAGRAM_ROOM.wider];

/** The first and the last step of each role or unit, in the order of their first steps. */
function livesOf(trace: readonly TraceStep[]): Map<string, { first: number; last: number }> {
  const byAgent = Map.groupBy(trace.keys(), (index) => agentName(trace[index]!));
  return new Map(
    [...byAgent].map(([name, steps]) => [name, { first: steps[0]!, last: steps.at(-1)! }]),
  );
}

function traceTable(trace: readonly TraceStep[]): string[] {
  const lives = livesOf(trace);
  const { shown, hidden } = foldSchedule(trace.length, SHOWN);
  const titles = ['step', 'line', ...lives.keys(), 'then'];
  const rows = shown.flatMap((index) => {
    const gap = index === hidden[1] && hidden[0] < hidden[1];
    const row = stepRow(trace, index, lives);
    if (!gap) return [row];
    const text = escaped(foldedText(trace, hidden));
    return [`<tr><td colspan="${titles.length}">${text}</td></tr>`, row];
  });
  return [
    '<div class="scroll" tabindex="0"><table class="trace">',
    `<thead><tr>${titles.map((title) => element('th', title)).join('')}</tr></thead>`,
    '<tbody>',
    ...rows,
    '</tbody></table></div>',
  ];
}

function stepRow(
  trace: readonly TraceStep[],
  index: number,
  lives: ReadonlyMap<string, { first: number; last: number }>,
): string {
  const step = trace[index]!;
  const own = agentName(step);
  const cells = [...lives].map(([name, { first, last }]) => {
    if (name === own) return `<td class="lane moves">${escaped(step.verb)}${fromHtml(step)}</td>`;
    return `<td class="lane${index >= first && index <= last ? ' life' : ''}"></td>`;
  });
  const number = element('td', grouped(index + 1), 'number');
  const place = element('td', placeOf(trace, index), 'number');
  const then = element('td', factsOf(step).join('; '), 'then');
  return `<tr>${number}${place}${cells.join('')}${then}</tr>`;
}

/** The step whose completion let a wait pass. */
function fromHtml({ from }: TraceStep): string {
  return from === undefined ? '' : ` ${element('span', `◂ ${grouped(from)}`, 'from')}`;
}

function standingHtml(trace: readonly TraceStep[], standing: readonly Standing[]): string[] {
  if (standing.length === 0) return [];
  const title = trace.length === 0 ? 'then' : `after step ${grouped(trace.length)}`;
  const items = standing.map((one) => {
    return `<li><b>${escaped(agentName(one))}</b> ${escaped(one.text)}</li>`;
  });
  return [element('p', title, 'facts'), `<ul>${items.join('')}</ul>`];
}
