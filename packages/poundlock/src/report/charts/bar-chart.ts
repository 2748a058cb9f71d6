// Bars over an axis of cycles as SVG: places are shares of the width, so texts keep their size.
import { grouped } from '@poundlock/core/internal/base';
import { escaped } from '../html/text.ts';
import { barText, LOOKS, type Bars, type Look } from './bars.ts';
import { scaleOf } from './scale.ts';
import { label, tag } from './tag.ts';

const ROW = 22;
const GAP = 4;
const AXIS = 40;
/** The narrowest bar, in percent. */
const LEAST_WIDTH = 0.1;
/** More bars than this scroll where there is little room. */
const DENSE = 40;

export const BAR_CHART_STYLE = `
.bars { display: grid; grid-template-columns: auto minmax(0, 1fr);
  font: 12px ui-monospace, Menlo, Consolas, monospace }
.bars > ol { list-style: none; margin: 0; padding: 0; text-align: right; max-width: 11rem }
.bars li { line-height: ${ROW}px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.bars > div { overflow-x: auto; padding: 0 1.6rem 0 1rem }
.bars svg { display: block; width: 100%; overflow: visible; fill: var(--muted) }
.bars svg.dense { min-width: 28rem }
.bars text { font: inherit; fill: inherit } .bars line { stroke: var(--line) }
.bars rect { stroke: var(--back); stroke-width: .5 } .bars rect:hover { stroke: var(--text) }
.legend { color: var(--muted); font-size: 13px } .legend span { white-space: nowrap;
  margin-right: 1rem } .legend i { display: inline-block; width: .8em; height: .8em;
  border-radius: 2px }
${Object.entries(LOOKS)
  .map(
    ([look, { color }]) => `:is(.bars, .legend) .${look} { fill: ${color}; background: ${color} }`,
  )
  .join('\n')}
@media (max-width: 40rem) { .bars { font-size: 11px } .bars > ol { max-width: 6.5rem } }
`;

/** The bars between two cycles over a legend; `about` is their text for those who cannot see. */
export function barChart(
  about: string,
  { rows, bars }: Bars,
  [from, to]: readonly [number, number],
): string {
  const share = (cycle: number): number =>
    (100 * (Math.min(Math.max(cycle, from), to) - from)) / (to - from);
  const at = (cycle: number): string => percent(share(cycle));
  const bottom = rows.length * ROW;
  const shown = bars.filter(({ start, end }) => end > from && start < to);
  const ticks = scaleOf(from, to, [0, 1]).ticks.filter((tick) => tick >= from && tick <= to);
  const parts = [
    ...ticks.flatMap((tick) => [
      tag('line', { x1: at(tick), x2: at(tick), y1: 0, y2: bottom }),
      label('tick', grouped(tick), { x: at(tick), y: bottom + 16, 'text-anchor': 'middle' }),
    ]),
    label('tick', 'cycles', { x: '50%', y: bottom + 34, 'text-anchor': 'middle' }),
    ...shown.map((bar) => {
      const { row, start, end, look } = bar;
      const width = percent(Math.max(share(end) - share(start), LEAST_WIDTH));
      const box = { x: at(start), y: row * ROW + GAP, width, height: ROW - 2 * GAP };
      const title = tag('title', {}, escaped(`${rows[row]} ${barText(bar)}`));
      return tag('rect', { class: look, ...box }, title);
    }),
  ];
  const className = shown.length > DENSE ? 'dense' : 'sparse';
  const size = { class: className, height: bottom + AXIS, role: 'img', 'aria-label': about };
  const names = rows.map((name) => tag('li', { title: name }, escaped(name)));
  const region = { tabindex: '0', role: 'region', 'aria-label': about };
  const drawn = tag('div', region, tag('svg', size, parts.join('\n')));
  const looks = new Set(shown.map(({ look }) => look));
  return tag('div', { class: 'bars' }, tag('ol', {}, names.join('')) + drawn) + legend(looks);
}

function legend(looks: ReadonlySet<Look>): string {
  const words = Object.entries(LOOKS).filter(([look]) => looks.has(look as Look));
  const entries = words.map(([look, { text }]) => {
    return `<span><i class="${look}"></i> ${text}</span>`;
  });
  return tag('p', { class: 'legend' }, entries.join('\n'));
}

const percent = (share: number): string => `${Math.round(share * 100) / 100}%`;
