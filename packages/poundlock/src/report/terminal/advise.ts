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
import { padded, widthOf } from '../width.ts';
import { hanging } from '../wrapped.ts';

/** Advice as text for the terminal. */
export function adviceText(
  report: Report<'advise'>,
  { paint, schedules, columns }: ReporterEnvironment,
): string {
  return completedResults(report)
    .map((result) => {
      const { synchronization } = result;
      const lines =
        synchronization === undefined
          ? linesOf(result, paint, columns)
          : reviewLines(result, synchronization, {
              paint,
              columns,
              isVerbose: schedules !== 'hidden',
            });
      return lines.join('\n');
    })
    .join('\n');
}

/** What can be deleted; with `isVerbose` also what each of the others is needed for. */
function reviewLines(
  { kernel, params, model }: ReportedAdvice,
  review: SynchronizationReview,
  { paint, columns, isVerbose }: Look,
): string[] {
  const { instructions } = review;
  const text = `(${parametersAsText(params)}): ${reviewHeadline(review)}`;
  const head = hanging(text, { columns, before: widthOf(kernel) + 1, indent: 2 });
  const lines = [`${paint.strong(kernel)} ${head.join('\n')}`];
  const plain = (text: string): string =>
    hanging(text, { columns, before: 0, indent: 2 }).join('\n');
  const faint = (text: string, indent: number): string =>
    ' '.repeat(indent) + paint.faint(hanging(text, { columns, before: indent }).join('\n'));
  const entries = entriesOf(instructions);
  for (const [answer, heading] of HEADINGS) {
    const list = entries.filter((entry) => entry.answer === answer);
    if (list.length === 0) continue;
    if (!isVerbose && QUIET.has(answer)) {
      const count = counted(list.length, 'line');
      lines.push('', plain(`${heading}: ${count} (--verbose shows which, and why)`));
      continue;
    }
    lines.push('', plain(`${heading}:`));
    for (const entry of list) {
      const cost = [costText(entry), gainOfEntry(entry)].filter((text) => text !== '').join('; ');
      const opcodes = opcodeText(entry.advices[0]!);
      const opcode = answer === 'necessary' ? opcodes : paint.good(opcodes);
      const place = placeText(entry);
      const isBroken =
        columns !== undefined &&
        widthOf(`  ${opcodes}  ${place}  ${cost}`) > columns &&
        cost !== '';
      lines.push(`  ${opcode}  ${place}${cost === '' || isBroken ? '' : `  ${paint.faint(cost)}`}`);
      const remarks = remarksOfEntry(entry, instructions);
      for (const remark of isBroken ? [cost, ...remarks] : remarks) lines.push(faint(remark, 6));
    }
  }
  return [...lines, '', ...scopeLines(review, model).map((line) => faint(line, 3)), ''];
}

/** How a review is shown. */
interface Look {
  readonly paint: Paint;
  readonly columns: number | undefined;
  readonly isVerbose: boolean;
}

/** Answers that only a verbose report shows one by one. */
const QUIET: ReadonlySet<Answer> = new Set(['necessary', 'undecided', 'unreached']);

function linesOf(result: ReportedAdvice, paint: Paint, columns?: number): string[] {
  const { kernel, params, model, caveat, current } = result;
  const note = caveat === null ? '' : ` ${paint.warning(`(${caveat})`)}`;
  return [
    `${paint.strong(kernel)} (${parametersAsText(params)})`,
    `now ${grouped(current?.totalCycles ?? Number.NaN)} cycles · model ${model}${note}`,
    `legality checked for ${scopeOf(result)}`,
    '',
    ...sortedProposals(result).flatMap((proposal) => proposalLines(proposal, paint, columns)),
    '',
  ];
}

function proposalLines(proposal: Proposal, paint: Paint, columns?: number): string[] {
  const { change, verdict, why } = proposal;
  const gain = painted(gainOf(proposal), paint);
  const text = (line: string): string => hanging(line, { columns, before: BEFORE }).join('\n');
  const head = `  ${gain}  ${text(change)}`;
  if (verdict === 'certified') return [head];
  return [head, ' '.repeat(BEFORE) + paint.faint(text(`${verdict}: ${why ?? ''}`))];
}

/** The columns before a proposal: its gain. */
const BEFORE = 13;

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
