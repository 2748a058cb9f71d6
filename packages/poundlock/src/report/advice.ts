// Renderings of advice: proposals that help first, forbidden ones with what forbids them.
import type { AdviseResult, Proposal } from '../advise/index.ts';
import type { Paint } from './paint.ts';
import { grouped } from '@poundlock/core/internal/base';
import { parametersAsText } from './summary.ts';
import { padded } from './width.ts';

export const ADVISE_SCHEMA = 'poundlock/advise@1';

/** Differences below this are noise of the model. */
const WORTH_TELLING = 0.005;

function gain({ speedup, verdict }: Proposal, paint: Paint): string {
  if (verdict === 'counterexample') return paint.error('forbidden');
  if (Number.isNaN(speedup)) return paint.warning('deadlocks');
  const text = padded(`${speedup.toFixed(3)}×`, 9, 'left');
  if (Math.abs(speedup - 1) < WORTH_TELLING) return paint.faint(text);
  return speedup > 1 ? paint.good(text) : paint.warning(text);
}

function lines(proposal: Proposal, paint: Paint): string[] {
  const { change, verdict, why } = proposal;
  const head = `  ${gain(proposal, paint)}  ${change}`;
  const isKnown = verdict === 'certified';
  return isKnown ? [head] : [head, `             ${paint.faint(`${verdict}: ${why ?? ''}`)}`];
}

/** The best first; what is forbidden last. */
export function adviceText(result: AdviseResult, paint: Paint): string {
  const { kernel, params, model, caveat, current, checkedItems, proposals } = result;
  const rank = ({ speedup, verdict }: Proposal): number =>
    verdict === 'counterexample' || Number.isNaN(speedup) ? -1 : speedup;
  const sorted = proposals.toSorted((a, b) => rank(b) - rank(a));
  const note = caveat === null ? '' : ` ${paint.warning(`(${caveat})`)}`;
  const scope = checkedItems === null ? 'the whole run' : `runs of ${checkedItems} items`;
  return [
    `${paint.strong(kernel)} (${parametersAsText(params)})`,
    `now ${grouped(current.totalCycles)} cycles · model ${model}${note}`,
    `legality checked for ${scope}`,
    '',
    ...sorted.flatMap((proposal) => lines(proposal, paint)),
    '',
  ].join('\n');
}

/** `poundlock/advise@1`; what can not be timed has `null` cycles. */
export function adviceJson({ proposals, ...result }: AdviseResult): string {
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  const document = {
    schema: ADVISE_SCHEMA,
    ...result,
    proposals: proposals.map((one) => {
      return { ...one, totalCycles: finite(one.totalCycles), speedup: finite(one.speedup) };
    }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
