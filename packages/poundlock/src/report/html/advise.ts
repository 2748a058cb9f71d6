// Advice as a page: a table of proposals.
import { grouped } from '@poundlock/core/internal/base';
import {
  completedResults,
  type Proposal,
  type Report,
  type ReportedAdvice,
} from '@poundlock/core/internal/finding';
import { gainOf, scopeOf, sortedProposals } from '../advice.ts';
import { titleOf } from '../summary.ts';
import { endOf, timelineFigure } from '../timeline/figure.ts';
import { TIMELINE_STYLE } from '../timeline/svg.ts';
import { reviewOf, reviewTable, scopeLines } from '../synchronization.ts';
import { pageOf } from './page.ts';
import { element, escaped } from './text.ts';

/** The page of advice. */
export function advicePage(report: Report<'advise'>): string {
  return pageOf(report, completedResults(report).flatMap(adviceHtml), TIMELINE_STYLE);
}

function adviceHtml(result: ReportedAdvice): string[] {
  const { file, model, caveat, current, synchronization } = result;
  if (current === null || synchronization !== undefined) return reviewHtml(result);
  return [
    element('p', `${titleOf(result)}: now ${grouped(current.totalCycles)} cycles`),
    element('p', `${file} · model ${model} · legality checked for ${scopeOf(result)}`, 'facts'),
    ...(caveat === null ? [] : [element('p', caveat, 'caveat')]),
    '<div class="scroll" tabindex="0"><table>',
    `<thead><tr>${element('th', 'speedup', 'number')}${element('th', 'change')}</tr></thead>`,
    '<tbody>',
    ...sortedProposals(result).map(proposalHtml),
    '</tbody></table></div>',
    ...timelines(result),
  ];
}

/** The run before the best change and after it, over the same cycles. */
function timelines({ run, best }: ReportedAdvice): string[] {
  if (run === undefined) return [];
  const end = Math.max(endOf(run), best === undefined ? 0 : endOf(best.run));
  return [
    ...timelineFigure('The run as it is', run, end),
    ...(best === undefined
      ? []
      : timelineFigure(`The run with ${best.change.split(':')[0]!}`, best.run, end)),
  ];
}

/** The reason why a change is not certified is below it: a column would be too wide. */
function proposalHtml(proposal: Proposal): string {
  const { kind, text } = gainOf(proposal);
  const { change, verdict, why } = proposal;
  const reason = verdict === 'certified' ? '' : element('p', `${verdict}: ${why ?? ''}`, 'facts');
  const gain = element('td', text, `number ${kind}`);
  return `<tr>${gain}<td>${escaped(change)}${reason}</td></tr>`;
}

function reviewHtml(result: ReportedAdvice): string[] {
  const { file, model, synchronization } = result;
  const head = element('p', `${file}: ${titleOf(result)}: ${reviewOf(result)}`);
  if (synchronization === undefined) return [head];
  const { heading, rows } = reviewTable(synchronization);
  return [
    head,
    ...scopeLines(synchronization, model).map((line) => element('p', line, 'facts')),
    '<div class="scroll" tabindex="0"><table>',
    `<thead><tr>${heading.map(({ title }) => element('th', title)).join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map((row) => `<tr>${row.map((cell) => element('td', cell)).join('')}</tr>`),
    '</tbody></table></div>',
  ];
}
