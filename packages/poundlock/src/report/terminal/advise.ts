// Advice for the terminal: helpful proposals first, forbidden ones with their reasons.
import { counted, grouped } from '@poundlock/core/internal/base';
import {
  completedResults,
  type Proposal,
  type Report,
  type ReportedAdvice,
  type SynchronizationReview,
} from '@poundlock/core/internal/finding';
import { entriesOf, type Answer } from '../folded-advice.ts';
import { gainOf, scopeOf, sortedProposals, type Gain } from '../advice.ts';
import type { Paint } from '../paint.ts';
import type { ReporterEnvironment } from '../reporter.ts';
import { parametersAsText } from '../summary.ts';
import {
  costText,
  gainOfEntry,
  HEADINGS,
  opcodeText,
  placeText,
  remarksOfEntry,
  reviewHeadline,
  scopeLines,
} from '../synchronization.ts';
import { padded } from '../width.ts';

/** Advice as text for the terminal. */
export function adviceText(
  report: Report<'advise'>,
  { paint, schedules }: ReporterEnvironment,
): string {
  return completedResults(report)
    .map((result) => {
      const { synchronization } = result;
      const lines =
        synchronization === undefined
          ? linesOf(result, paint)
          : reviewLines(result, synchronization, paint, schedules !== 'hidden');
      return lines.join('\n');
    })
    .join('\n');
}

/** What can be deleted; with `isVerbose` also what each of the others is needed for. */
function reviewLines(
  { kernel, params, model }: ReportedAdvice,
  review: SynchronizationReview,
  paint: Paint,
  isVerbose: boolean,
): string[] {
  const { instructions } = review;
  const lines = [
    `${paint.strong(kernel)} (${parametersAsText(params)}): ${reviewHeadline(review)}`,
  ];
  const entries = entriesOf(instructions);
  for (const [answer, heading] of HEADINGS) {
    const list = entries.filter((entry) => entry.answer === answer);
    if (list.length === 0) continue;
    if (!isVerbose && QUIET.has(answer)) {
      lines.push(
        '',
        `${heading}: ${counted(list.length, 'line')} (--verbose shows which, and why)`,
      );
      continue;
    }
    lines.push('', `${heading}:`);
    for (const entry of list) {
      const cost = [costText(entry), gainOfEntry(entry)].filter((text) => text !== '').join('; ');
      const opcodes = opcodeText(entry.advices[0]!);
      const opcode = answer === 'necessary' ? opcodes : paint.good(opcodes);
      lines.push(`  ${opcode}  ${placeText(entry)}${cost === '' ? '' : `  ${paint.faint(cost)}`}`);
      for (const remark of remarksOfEntry(entry, instructions))
        lines.push(`      ${paint.faint(remark)}`);
    }
  }
  return [...lines, '', ...scopeLines(review, model).map((line) => `   ${paint.faint(line)}`), ''];
}

/** Answers that only a verbose report shows one by one. */
const QUIET: ReadonlySet<Answer> = new Set(['necessary', 'undecided', 'unreached']);

function linesOf(result: ReportedAdvice, paint: Paint): string[] {
  const { kernel, params, model, caveat, current } = result;
  const note = caveat === null ? '' : ` ${paint.warning(`(${caveat})`)}`;
  return [
    `${paint.strong(kernel)} (${parametersAsText(params)})`,
    `now ${grouped(current?.totalCycles ?? Number.NaN)} cycles · model ${model}${note}`,
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
