// Formats a run on threads as one line, shared by all reporters.
import { counted, duration, grouped } from '@poundlock/core/internal/base';
import type { ReportedRun, WithFindings } from '@poundlock/core/internal/finding';
import type { Paint } from './paint.ts';
import { titleOf } from './summary.ts';
import { widthOf } from './width.ts';
import { hanging } from './wrapped.ts';

/** `ran  ring (stages=3): 1,000 items in 12 ms, 83,333 a second · the trace is …`. */
export function runLine(result: WithFindings<ReportedRun>, paint: Paint, columns?: number): string {
  const { work, conformance } = runFacts(result);
  const outcome = outcomeOf(result);
  const word = OUTCOME_PAINTS[outcome](paint)(paint.strong(outcome));
  const before = outcome.length + 2;
  const did = `${titleOf(result)}: ${work}`;
  const proof = `· ${conformance}`;
  if (columns === undefined || before + widthOf(`${did} ${proof}`) <= columns) {
    return `${word}  ${did} ${paint.faint(proof)}`;
  }
  const first = hanging(did, { columns, before, indent: INDENT });
  const rest = hanging(proof, { columns, before: INDENT });
  return [`${word}  ${first.join('\n')}`, ' '.repeat(INDENT) + paint.faint(rest.join('\n'))].join(
    '\n',
  );
}

/** What is before the lines that follow the first one. */
const INDENT = 3;

type RunOutcome = 'ran' | 'stopped' | 'broke';

const OUTCOME_PAINTS: Readonly<Record<RunOutcome, (paint: Paint) => Paint['good']>> = {
  ran: ({ good }) => good,
  stopped: ({ warning }) => warning,
  broke: ({ error }) => error,
};

/** A run in one word. */
export function outcomeOf({ findings, conforms, reason }: WithFindings<ReportedRun>): RunOutcome {
  const isBroken = findings.some(({ severity }) => severity === 'error');
  if (isBroken || conforms === false) return 'broke';
  return reason === undefined ? 'ran' : 'stopped';
}

/** What a run did, and whether it is a path of the machine. */
export function runFacts(result: WithFindings<ReportedRun>): {
  readonly work: string;
  readonly conformance: string;
} {
  const { items, elapsedMs, itemsPerSecond } = result;
  const rate = itemsPerSecond > 0 ? `, ${grouped(itemsPerSecond)} a second` : '';
  const work = `${counted(items, 'item')} in ${duration(elapsedMs)}${rate}`;
  return { work: `${ending(result)}${work}`, conformance: conformanceOf(result) };
}

function ending({ findings, reason }: WithFindings<ReportedRun>): string {
  const first = findings.find(({ severity }) => severity === 'error');
  if (first !== undefined) return `${first.rule} after `;
  return reason === undefined ? '' : `${reason}; `;
}

/** A run shows one schedule: of others it only says what the certificate of its trace says. */
function conformanceOf(result: WithFindings<ReportedRun>): string {
  const { conforms, certified } = result;
  const isBroken = outcomeOf(result) === 'broke';
  if (conforms === null) return isBroken ? 'nothing was recorded' : `nothing was recorded; ${SEEN}`;
  if (!conforms) return 'the trace does not conform to the model';
  const path = 'the trace conforms to the model';
  if (isBroken) return path;
  if (certified === null) return `${path}; ${SEEN}`;
  if (certified) return `${path}; this trace is safe in any order, other runs are not proved`;
  return `${path}; this trace may fail in another order: run poundlock check`;
}

const SEEN = '1 schedule seen, not proved';
