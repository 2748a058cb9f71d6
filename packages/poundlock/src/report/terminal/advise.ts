// Advice for the terminal: helpful proposals first, forbidden ones with their reasons.
import { grouped } from '@poundlock/core/internal/base';
import {
  completedResults,
  type Proposal,
  type Report,
  type ReportedAdvice,
} from '@poundlock/core/internal/finding';
import { gainOf, scopeOf, sortedProposals, type Gain } from '../advice.ts';
import type { Paint } from '../paint.ts';
import type { ReporterEnvironment } from '../reporter.ts';
import { parametersAsText } from '../summary.ts';
import { padded } from '../width.ts';

/** Advice as text for the terminal. */
export function adviceText(report: Report<'advise'>, { paint }: ReporterEnvironment): string {
  return completedResults(report)
    .map((result) => linesOf(result, paint).join('\n'))
    .join('\n');
}

function linesOf(result: ReportedAdvice, paint: Paint): string[] {
  const { kernel, params, model, caveat, current } = result;
  const note = caveat === null ? '' : ` ${paint.warning(`(${caveat})`)}`;
  return [
    `${paint.strong(kernel)} (${parametersAsText(params)})`,
    `now ${grouped(current.totalCycles)} cycles · model ${model}${note}`,
    `legality checked for ${scopeOf(result)}`,
    '',
    ...sortedProposals(result).flatMap((proposal) => proposalLines(proposal, paint)),
    '',
  ];
}

function proposalLines(proposal: Proposal, paint: Paint): string[] {
  const { change, verdict, why } = proposal;
  const head = `  ${painted(gainOf(proposal), paint)}  ${change}`;
  const isKnown = verdict === 'certified';
  return isKnown ? [head] : [head, `             ${paint.faint(`${verdict}: ${why ?? ''}`)}`];
}

function painted({ kind, text }: Gain, paint: Paint): string {
  switch (kind) {
    case 'forbidden':
      return paint.error(text);
    case 'deadlocks':
      return paint.warning(text);
    case 'none':
      return paint.faint(padded(text, 9, 'left'));
    case 'faster':
      return paint.good(padded(text, 9, 'left'));
    case 'slower':
      return paint.warning(padded(text, 9, 'left'));
  }
}
