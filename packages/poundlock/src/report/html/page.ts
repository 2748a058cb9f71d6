// A self-contained page.
import { isFailure, type Report } from '@poundlock/core/internal/finding';
import { failureWord } from '../table.ts';
import { FIGURE_STYLE, STYLE } from './style.ts';
import { element, escaped } from './text.ts';
import { DENSE_TIMELINE } from '../timeline/svg.ts';
import { ZOOM_SCRIPT } from '../timeline/zoom.ts';

/** The most findings and rows of a page, so that a browser stays responsive. */
export const MAX_SHOWN = 300;

/** A page of a report, with the style of what only this page has. */
export function pageOf(report: Report, body: readonly string[], style = '') {
  const { name, verb, version } = report.tool;
  const title = `${name} ${verb}`;
  const subjects = new Set(report.results.flatMap((one) => ('file' in one ? [one.file] : [])));
  const [only] = subjects;
  const shown = subjects.size === 1 ? `${only} – ${title}` : title;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(shown)}</title>
<style>${STYLE}${style}${diagramStyle(body)}</style></head><body>
${[element('h1', title), ...body, ...failures(report)].join('\n')}
<footer>${escaped(`${name} ${version}`)}</footer>
${zoomScript(body)}</body></html>
`;
}

/** Only pages with diagrams have their style. */
function diagramStyle(body: readonly string[]): string {
  return body.some((line) => line.includes('<svg class="space-time')) ? FIGURE_STYLE : '';
}

/** Only pages with timelines have a script. */
function zoomScript(body: readonly string[]): string {
  return body.some((line) => line.includes(DENSE_TIMELINE))
    ? `<script>${ZOOM_SCRIPT}</script>`
    : '';
}

/** The files that could not be run. */
function failures({ results }: Report): string[] {
  return results
    .filter((result) => isFailure(result))
    .slice(0, MAX_SHOWN)
    .map((failure) => {
      const word = element('span', failureWord(failure), 'badge error');
      return `<p>${word} <code>${escaped(failure.file)}</code>: ${escaped(failure.error)}</p>`;
    });
}

/** `3 more findings are not shown here.` */
export function notShownHtml(number: number, noun: string): string[] {
  if (number <= 0) return [];
  const text = `${number} more ${noun}${number === 1 ? ' is' : 's are'} not shown here.`;
  return [element('p', text, 'facts')];
}
