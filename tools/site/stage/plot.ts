// Plots without scripts: a table whose rows have bars, readable as a table, too.
import { escaped } from '../../../packages/poundlock/src/report/html/text.ts';

export interface Bar {
  readonly value: number;
  /** What stands behind the bar, with its unit. */
  readonly text: string;
  /** The series, which chooses the color. */
  readonly series: number;
  /** Nothing was measured beyond: the bar is open at its end. */
  readonly isOpen?: boolean;
}

export interface PlotRow {
  readonly label: string;
  readonly bars: readonly Bar[];
}

export interface Plot {
  readonly caption: string;
  /** The names of the series. */
  readonly series: readonly string[];
  readonly rows: readonly PlotRow[];
  /** With a logarithmic axis, the value where bars begin. */
  readonly logFrom?: number;
}

const FULL = 100;
const DECIMALS = 1;
const LEAST_PERCENT = 0.6;

/** The plot as HTML. */
export function plotHtml({ caption, series, rows, logFrom }: Plot): string {
  const largest = Math.max(...rows.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const widthOf = (value: number): string => {
    const share =
      logFrom === undefined
        ? value / largest
        : Math.log(Math.max(value, logFrom) / logFrom) / Math.log(largest / logFrom);
    return Math.max(share * FULL, LEAST_PERCENT).toFixed(DECIMALS);
  };
  const body = rows.map(({ label, bars }) => {
    const drawn = bars.map(({ value, text, series: at, isOpen = false }) => {
      const name = `bar s${at}${isOpen ? ' open' : ''}`;
      const who = series.length > 1 ? `<span class="sr-only">${escaped(series[at]!)}: </span>` : '';
      return `<span class="track"><span class="${name}" style="width:${widthOf(value)}%"></span><span class="value">${who}${escaped(text)}</span></span>`;
    });
    return `<tr><th scope="row">${escaped(label)}</th><td>${drawn.join('')}</td></tr>`;
  });
  const axis = logFrom === undefined ? '' : ' <small>(logarithmic)</small>';
  const legend = series.map((name, at) => `<span class="key s${at}">${escaped(name)}</span>`);
  const keys =
    series.length > 1 ? `<p class="legend" aria-hidden="true">${legend.join('')}</p>` : '';
  return `<figure class="plot"><figcaption>${escaped(caption)}${axis}</figcaption>${keys}<table><tbody>${body.join('')}</tbody></table></figure>`;
}
