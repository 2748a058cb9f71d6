// Bars over an axis of cycles as SVG: places are shares of the width, so texts keep their size.
import { counted, grouped } from '@poundlock/core/internal/base';
import { scaleOf } from '../charts/scale.ts';
import { label, tag } from '../charts/tag.ts';
import { element, escaped, tableHtml } from '../html/text.ts';
import { paletteOf } from '../palette.ts';
import { barText, lineText, type Bar, type BarArrow, type BarPlace, type Bars } from './bars.ts';
import { LOOKS, type Look } from './looks.ts';
import { ZOOM_STYLE } from './zoom.ts';

const ROW = 22;
const GAP = 4;
const AXIS = 40;
/** The narrowest bar, in percent. */
const LEAST_WIDTH = 0.1;
/** More bars than this scroll where there is little room, and can be zoomed. */
const DENSE = 40;
/** What is in a page with such a timeline. */
export const DENSE_TIMELINE = '<svg class="dense"';
/** Ticks between two others where little of a run fills the width. */
const FINE = 10;
/** The most arrows: those of the longest waits. */
const MAX_ARROWS = 60;
/** The most rows of the table. */
const MAX_ROWS = 200;

export const TIMELINE_STYLE = `
${paletteOf('timeline')}
.timeline { margin: 0 }
.bars { display: grid; grid-template-columns: auto minmax(0, 1fr);
  font: 12px ui-monospace, Menlo, Consolas, monospace }
.bars > ol { list-style: none; margin: 0; padding: 0; text-align: right; max-width: 11rem }
.bars li { line-height: ${ROW}px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.bars > div { overflow-x: auto; padding: 0 1.6rem 0 1rem }
.bars svg { display: block; overflow: visible; fill: var(--soft) }
.bars > div > svg { width: 100% }
.bars svg.dense { min-width: 28rem }
.bars text { font: inherit; fill: inherit } .bars .axis { stroke: var(--rule) }
.bars rect { stroke: var(--paper); stroke-width: .5 }
.bars :is(rect:hover, .selected) { stroke: var(--ink); stroke-width: 2 }
.bars .signal { stroke: var(--pass); stroke-width: 1.2 } .bars .tip { fill: var(--pass) }
.bars .path { stroke: var(--ink); stroke-width: 3 }
.timeline .legend { color: var(--soft); font-size: 13px } .timeline .legend span {
  white-space: nowrap; margin-right: 1rem }
.timeline .legend i { display: inline-block; width: .8em; height: .8em; border-radius: 2px }
.timeline .legend .path { background: var(--ink); height: 3px; vertical-align: middle }
.timeline .legend .signal { background: var(--pass); height: 2px; vertical-align: middle }
${Object.entries(LOOKS)
  .map(
    ([look, { color }]) =>
      `:is(.bars, .legend) .${look} { fill: var(${color}); background: var(${color}) }`,
  )
  .join('\n')}
${ZOOM_STYLE}
@media (max-width: 40rem) { .bars { font-size: 11px } .bars > ol { max-width: 6.5rem } }
`;

/** What is shown of bars. */
export interface Shown {
  /** For those who cannot see it. */
  readonly about: string;
  readonly from: number;
  readonly to: number;
  /** A line of the program text: its bars stand out. */
  readonly selected?: BarPlace | null;
}

/** The bars between two cycles over a legend, with a table of them. */
export function timelineHtml(bars: Bars, shown: Shown): string {
  const drawn = visible(bars, shown);
  const names = bars.rows.map((name) => tag('li', { title: name }, escaped(name)));
  const region = { tabindex: '0', role: 'region', 'aria-label': shown.about };
  const pane = tag('div', region, svgOf(bars.rows, drawn, shown));
  return tag(
    'figure',
    { class: 'timeline' },
    tag('div', { class: 'bars' }, tag('ol', {}, names.join('')) + pane) +
      legend(drawn) +
      tableOf(bars.rows, drawn.bars),
  );
}

/** What can be seen between the two cycles. */
function visible(bars: Bars, { from, to }: Shown): Bars {
  const isSeen = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
    end > from && start < to;
  const arrows = bars.arrows
    .filter(({ start, end }) => start >= from && end <= to)
    .toSorted((a, b) => b.end - b.start - (a.end - a.start));
  return {
    rows: bars.rows,
    bars: bars.bars.filter(isSeen),
    arrows: arrows.slice(0, MAX_ARROWS),
    path: bars.path.filter(isSeen),
  };
}

function svgOf(rows: readonly string[], drawn: Bars, shown: Shown): string {
  const { about, from, to, selected } = shown;
  const share = (cycle: number): number =>
    (100 * (Math.min(Math.max(cycle, from), to) - from)) / (to - from);
  const at = (cycle: number): string => percent(share(cycle));
  const bottom = rows.length * ROW;
  const ticks = scaleOf(from, to, [0, 1]).ticks.filter((tick) => tick >= from && tick <= to);
  const rect = (bar: Bar): string => {
    const { row, start, end, look } = bar;
    const width = percent(Math.max(share(end) - share(start), LEAST_WIDTH));
    const box = { x: at(start), y: row * ROW + GAP, width, height: ROW - 2 * GAP };
    const title = tag('title', {}, escaped(`${rows[row]} ${barText(bar)}`));
    const name = isAt(bar, selected) ? `${look} selected` : look;
    return tag('rect', { class: name, ...placeWords(bar), ...box }, title);
  };
  const tickAt = (tick: number, level = ''): string => {
    const ends = { x1: at(tick), x2: at(tick), y1: 0, y2: bottom };
    const place = { x: at(tick), y: bottom + 16, 'text-anchor': 'middle' };
    const line = tag('line', { class: `axis${level}`, ...ends });
    return `${line}\n${label(`tick${level}`, grouped(tick), place)}`;
  };
  const isDense = drawn.bars.length > DENSE;
  const fine = isDense ? fineTicks(ticks, from, to) : [];
  const parts = [
    ...ticks.map((tick) => tickAt(tick)),
    ...fine.map((tick) => tickAt(tick, ' fine')),
    label('tick', 'cycles', { x: '50%', y: bottom + 34, 'text-anchor': 'middle' }),
    ...drawn.bars.map(rect),
    ...drawn.path.map(({ row, start, end }) => {
      const y = (row + 1) * ROW - 2;
      return tag('line', { class: 'path', x1: at(start), x2: at(end), y1: y, y2: y });
    }),
    ...drawn.arrows.map((arrow) => arrowOf(arrow, at)),
  ];
  const size = {
    class: isDense ? 'dense' : 'sparse',
    height: bottom + AXIS,
    role: 'img',
    'aria-label': about,
  };
  return tag('svg', size, parts.join('\n'));
}

/** Whole cycles between the ticks, for those who zoom. */
function fineTicks(ticks: readonly number[], from: number, to: number): number[] {
  const step = Math.round((ticks[1]! - ticks[0]!) / FINE);
  if (!(step >= 1)) return [];
  const first = Math.ceil(from / step);
  const all = Array.from({ length: Math.floor(to / step) - first + 1 }, (_, at) => first + at);
  return all.map((at) => at * step).filter((tick) => !ticks.includes(tick));
}

/** From the edge of one row to that of the other. */
function arrowOf({ fromRow, start, toRow, end }: BarArrow, at: (cycle: number) => string): string {
  const isDown = toRow > fromRow;
  const y1 = fromRow * ROW + (isDown ? ROW - GAP : GAP);
  const y2 = toRow * ROW + (isDown ? GAP : ROW - GAP);
  const line = tag('line', { class: 'signal', x1: at(start), y1, x2: at(end), y2 });
  const tip = tag('path', { class: 'tip', d: isDown ? 'M0 0L-3 -6L3 -6z' : 'M0 0L-3 6L3 6z' });
  // Its place is a share of the width, its shape is not.
  return line + tag('svg', { class: 'tip', x: at(end), y: y2, width: 1, height: 1 }, tip);
}

function isAt({ place }: Bar, selected: BarPlace | null | undefined): boolean {
  if (place === undefined || selected === null || selected === undefined) return false;
  return place.file === selected.file && place.line === selected.line;
}

/** The place of a bar, for a page that leads from it to its line. */
function placeWords({ place }: Bar): Record<string, string> {
  return place === undefined ? {} : { 'data-file': place.file, 'data-line': String(place.line) };
}

function legend({ bars, arrows, path }: Bars): string {
  const looks = new Set(bars.map(({ look }) => look));
  const words = Object.entries(LOOKS).filter(([look]) => looks.has(look as Look));
  const all = [
    ...words.map(([look, { text }]) => [look, text] as const),
    ...(arrows.length === 0 ? [] : [['signal', 'signal that ends a wait'] as const]),
    ...(path.length === 0 ? [] : [['path', 'critical path'] as const]),
  ];
  const entries = all.map(([name, text]) => `<span><i class="${name}"></i> ${text}</span>`);
  return tag('p', { class: 'legend' }, entries.join('\n'));
}

/** The same for those who read it: the bars in the order of time. */
function tableOf(rows: readonly string[], bars: readonly Bar[]): string {
  const shown = bars.toSorted((a, b) => a.start - b.start).slice(0, MAX_ROWS);
  const hasPlaces = shown.some(({ place }) => place !== undefined);
  const texts = ['who', 'what', 'operation'].map((title) => ({ title, isNumber: false }));
  const numbers = ['from cycle', 'cycles'].map((title) => ({ title, isNumber: true }));
  const heading = [
    ...texts,
    ...numbers,
    ...(hasPlaces ? [{ title: 'line', isNumber: false }] : []),
  ];
  const cells = shown.map(({ row, look, text = '', start, end, place }) => [
    rows[row]!,
    LOOKS[look].text,
    text,
    grouped(Math.round(start)),
    grouped(Math.round(end - start)),
    ...(hasPlaces ? [place === undefined ? '' : lineText(place)] : []),
  ]);
  const more = bars.length - shown.length;
  const rest = more === 0 ? [] : [element('p', `${counted(more, 'more bar')}: zoom in`, 'facts')];
  const table = [...tableHtml({ heading, rows: cells }), ...rest].join('\n');
  return `<details><summary>as a table</summary><div class="rows">${table}</div></details>`;
}

const percent = (share: number): string => `${Math.round(share * 100) / 100}%`;
