// Writes a drawing as SVG: a document of its own, or an element of a page.
import { escaped } from '../html/text.ts';
import type {
  Drawing,
  DrawnArrow,
  DrawnColumn,
  DrawnEnd,
  DrawnFact,
  DrawnRow,
  DrawnSpan,
  TextLine,
} from './drawing.ts';
import { LABEL_GAP } from './grid.ts';
import { DIAGRAM_STYLE } from './style.ts';

/** How a drawing is written. */
export interface SvgOptions {
  /** Whether it is a file of its own, which contains its style. */
  readonly isFile: boolean;
  /** Whether its rows are a table for screen readers; else a table is beside it. */
  readonly isTable: boolean;
  /** Whether the finding is a warning. */
  readonly isWarning?: boolean;
  /** More classes of the element. */
  readonly className?: string;
}

/** Numbers with one decimal: a diagram has thousands. */
const n = (value: number): string => String(Math.round(value * 10) / 10);

/** Writes a drawing. Each row has the attributes `data-first` and `data-last`: its steps. */
export function svgOf(
  drawing: Drawing,
  { isFile, isTable, isWarning, className }: SvgOptions,
): string {
  const { width, height, title, description, fontSize } = drawing;
  const classes = ['space-time', className].filter(Boolean).join(' ');
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const space = isFile ? ' xmlns="http://www.w3.org/2000/svg"' : '';
  const role = isTable ? 'role="graphics-document"' : 'role="img"';
  const severity = isWarning === true ? ' of-warning' : '';
  return [
    `<svg${space} class="${classes}" ${size} ${role} font-size="${fontSize}"` +
      ` aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(description)}</desc>`,
    ...(isFile ? [`<style>${DIAGRAM_STYLE}</style>`] : []),
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...drawing.heading.map((line) => {
      return textOf(line, line.isSubject ? 'soft' : `strong ${isWarning ? 'warn' : 'bad'}`);
    }),
    `<g aria-hidden="true">`,
    ...drawing.rows.filter(({ isFailing }) => isFailing).map((row) => band(row, width, severity)),
    ...drawing.columns.flatMap(lifelineOf),
    ...drawing.spans.map(spanOf),
    ...drawing.arrows.map(arrowOf),
    ...drawing.columns.flatMap((column) => [
      ...headOf(column, drawing.hasUprightHeads),
      ...footOf(column, drawing.hasUprightHeads),
    ]),
    '</g>',
    `<g${isTable ? ` role="table" aria-label="${escaped(description)}"` : ''}>`,
    ...drawing.rows.map((row) => rowOf(row, isTable, severity)),
    '</g>',
    ...drawing.ends.map((end) => endOf(end, severity)),
    ...drawing.standings.flatMap(({ lines, state }) => {
      const [name, ...more] = lines;
      const look = state === 'starves' || state === 'fails' ? 'bad' : '';
      return [textOf(name!, `strong ${look}`), ...more.map((line) => textOf(line, look))];
    }),
    ...drawing.legend.flatMap(({ hue, x, y, text }) => [
      `<rect class="hue hue${hue}" x="${n(x)}" y="${n(y - 9)}" width="11" height="11" rx="2"/>`,
      textOf({ x: x + 17, y, text }, 'soft'),
    ]),
    '</svg>',
  ].join('\n');
}

/** The heads of the columns alone, for pages that keep them in sight above the rows. */
export function headsSvgOf(drawing: Drawing): string {
  const { width, top, fontSize } = drawing;
  return [
    `<svg class="space-time" width="${width}" height="${n(top)}" viewBox="0 0 ${width} ${n(top)}"` +
      ` font-size="${fontSize}" aria-hidden="true">`,
    `<rect class="paper" width="${width}" height="${n(top)}"/>`,
    ...drawing.columns.flatMap((column) => headOf(column, drawing.hasUprightHeads)),
    '</svg>',
  ].join('\n');
}

function textOf({ x, y, text }: TextLine, look = '', more = ''): string {
  const name = look.trim() === '' ? '' : ` class="${look.trim()}"`;
  return `<text${name} x="${n(x)}" y="${n(y)}"${more}>${escaped(text)}</text>`;
}

function band({ top, height }: DrawnRow, width: number, severity: string): string {
  return (
    `<rect class="failing${severity}" x="2" y="${n(top)}" width="${width - 4}" ` +
    `height="${n(height)}" rx="3"/>`
  );
}

/** Where a role waits, its lifeline is dashed; where it starves, it is gray. */
function lifelineOf({ kind, x, top, until, bottom, state }: DrawnColumn): string[] {
  const path = (look: string, from: number, to: number): string =>
    `<path class="${look}" d="M${n(x)} ${n(from)}V${n(to)}"/>`;
  const waits = state === 'waits' || state === 'starves';
  const look = kind === 'unit' ? 'life unit' : 'life';
  if (!waits) return [path(look, top, Math.max(until, bottom))];
  const shade =
    `<rect class="starving" x="${n(x - 7)}" y="${n(until)}" width="14" ` +
    `height="${n(Math.max(0, bottom - until))}" rx="3"/>`;
  const shaded = state === 'starves' ? [shade] : [];
  return [...shaded, path(look, top, until), path('wait', until, bottom)];
}

function headOf({ head, name, members, kind }: DrawnColumn, isUpright: boolean): string[] {
  const look = kind === 'unit' ? 'soft' : 'strong';
  const all = members.length > 1 ? `: ${members.join(', ')}` : '';
  const lines = head.map((line) => {
    if (!isUpright) return textOf(line, `${look} middle`);
    const turn = ` transform="rotate(-90 ${n(line.x)} ${n(line.y)})"`;
    return textOf({ ...line, y: line.y + 3 }, look, turn);
  });
  return [`<g><title>${escaped(name + all)}</title>${lines.join('')}</g>`];
}

function footOf({ foot, kind }: DrawnColumn, isUpright: boolean): string[] {
  const look = kind === 'unit' ? 'soft' : 'strong';
  return foot.map((line) => {
    if (!isUpright) return textOf(line, `${look} middle`);
    const turn = ` transform="rotate(-90 ${n(line.x)} ${n(line.y)})"`;
    return textOf({ ...line, y: line.y + 3 }, `${look} end`, turn);
  });
}

function spanOf({ kind, x, y, width, height, hue, label, isOpen, text }: DrawnSpan): string {
  const look = `hue${hue < 0 ? '' : ` hue${hue}`}${isOpen && kind === 'work' ? ' open' : ''}`;
  const at = `x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="3"`;
  const hasRoom = height > 14 && width > label.length * 6 - 2;
  const number = hasRoom && label !== '' ? stageNumber(label, x + width / 2, y + 12) : '';
  return `<g><title>${escaped(text)}</title><rect class="${look}" ${at}/>${number}</g>`;
}

function stageNumber(label: string, x: number, y: number): string {
  return textOf({ x, y, text: label }, 'middle', ' font-size="9"');
}

/** The size of an arrow head. */
const TIP = { length: 8, half: 3.6 };

function arrowOf({ kind, points }: DrawnArrow): string {
  const [from, to] = [points.at(-2)!, points.at(-1)!];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const size = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / size, dy / size];
  const [x, y] = to;
  const [bx, by] = [x - ux * TIP.length, y - uy * TIP.length];
  const corners = [
    [x, y],
    [bx - uy * TIP.half, by + ux * TIP.half],
    [bx + uy * TIP.half, by - ux * TIP.half],
  ];
  const line = kind === 'issues' ? points : [...points.slice(0, -1), [bx, by] as const];
  const path = line.map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${n(px)} ${n(py)}`).join('');
  if (kind === 'issues') return `<path class="${kind}" d="${path}"/>`;
  const head = corners.map((corner) => corner.map(n).join(',')).join(' ');
  const tip = kind === 'passes' ? 'tip' : 'owes-tip';
  return `<path class="${kind}" d="${path}"/><polygon class="${tip}" points="${head}"/>`;
}

function rowOf(row: DrawnRow, isTable: boolean, severity: string): string {
  const { first, last, number, place, marks, facts, text, kind, top, height } = row;
  const cell = isTable ? ' role="cell"' : '';
  const parts: string[] = [];
  parts.push(textOf(number, 'soft end', cell));
  if (place !== null && place.text !== '') parts.push(textOf(place, 'soft end', cell));
  for (const mark of marks) {
    const look = mark.kind === 'unit' ? 'unit-mark' : 'mark';
    const [x, y] = [n(mark.x), n(mark.y)];
    parts.push(`<circle class="${look}" cx="${x}" cy="${y}" r="4.2"/>`);
    if (mark.isFailing) parts.push(`<circle class="ring${severity}" cx="${x}" cy="${y}" r="8"/>`);
    const at = { x: mark.x + LABEL_GAP + (mark.isFailing ? 3 : 0), y: mark.y + 4 };
    if (mark.label !== '') parts.push(textOf({ ...at, text: mark.label }, 'strong halo', cell));
  }
  if (kind === 'hidden') {
    parts.push(`<path class="gap" d="M4 ${n(top + 1)}H4000M4 ${n(top + height - 1)}H4000"/>`);
  }
  // A row that stands for others is written across the columns where the margin is narrow.
  const halo = kind === 'hidden' ? ' halo' : '';
  for (const fact of facts) parts.push(...factOf(fact, cell, halo));
  const attributes = `data-first="${first}" data-last="${last}"${isTable ? ' role="row"' : ''}`;
  return `<g ${attributes}><title>${escaped(text)}</title>${parts.join('')}</g>`;
}

const LOOKS = { completes: 'good strong', barrier: '', step: 'soft' } as const;

function factOf(fact: DrawnFact, cell: string, halo: string): string[] {
  const { x, y, shown, kind, arrivals } = fact;
  if (arrivals === undefined) return [textOf({ x, y, text: shown }, LOOKS[kind] + halo, cell)];
  const { arrived, expected } = arrivals;
  const boxes = Array.from({ length: expected }, (_, at) => {
    const look = at < arrived ? 'box full' : 'box';
    return `<rect class="${look}" x="${n(x + at * 10)}" y="${n(y - 8.5)}" width="7" height="8"/>`;
  });
  const words = `, ${expected - arrived} of ${expected} pending`;
  const title = `<title>${escaped(shown + words)}</title>`;
  const text = textOf({ x: x + expected * 10 + 4, y, text: shown }, LOOKS[kind], cell);
  return [`<g>${title}${boxes.join('')}${text}</g>`];
}

function endOf({ state, x, y, label, isFailing }: DrawnEnd, severity: string): string {
  const look = isFailing ? 'bad strong halo' : lookOfEnd(state);
  const words = textOf({ x: x + LABEL_GAP + (isFailing ? 3 : 0), y: y + 4, text: label }, look);
  const ring = `<circle class="ring${severity}" cx="${n(x)}" cy="${n(y)}" r="8"/>`;
  return `<g>${glyphOf(state, x, y)}${isFailing ? ring : ''}${label === '' ? '' : words}</g>`;
}

function lookOfEnd(state: DrawnEnd['state']): string {
  return state === 'starves' || state === 'fails' ? 'bad strong halo' : 'soft halo';
}

function glyphOf(state: DrawnEnd['state'], x: number, y: number): string {
  const [l, r, t, b] = [x - 5, x + 5, y - 5, y + 5].map(n);
  switch (state) {
    case 'starves':
    case 'fails':
      return `<path class="cross" d="M${l} ${t}L${r} ${b}M${r} ${t}L${l} ${b}"/>`;
    case 'waits':
    case 'continues':
    case 'open':
      return `<circle class="unit-mark" cx="${n(x)}" cy="${n(y)}" r="4"/>`;
    case 'ended':
    case 'absent':
      return `<path class="stop" d="M${l} ${n(y)}H${r}"/>`;
  }
}
