// Proposals of `advise` in the order and wording that all reporters share.
import type { Proposal, ReportedAdvice } from '@poundlock/core/internal/finding';
import type { Table } from './table-data.ts';

/** Smaller differences are noise of the model. */
const LEAST_GAIN = 0.005;

/** The gain of a proposal, as a few characters. */
export interface Gain {
  readonly kind: 'faster' | 'slower' | 'none' | 'forbidden' | 'deadlocks';
  readonly text: string;
}

/** `1.250×`, `forbidden`. */
export function gainOf({ speedup, verdict }: Proposal): Gain {
  if (verdict === 'counterexample') return { kind: 'forbidden', text: 'forbidden' };
  if (Number.isNaN(speedup)) return { kind: 'deadlocks', text: 'deadlocks' };
  const text = `${speedup.toFixed(3)}×`;
  if (Math.abs(speedup - 1) < LEAST_GAIN) return { kind: 'none', text };
  return { kind: speedup > 1 ? 'faster' : 'slower', text };
}

/** The best proposals first, forbidden ones last. */
export function sortedProposals({ proposals }: ReportedAdvice): Proposal[] {
  const rank = ({ speedup, verdict }: Proposal): number =>
    verdict === 'counterexample' || Number.isNaN(speedup) ? -1 : speedup;
  return proposals.toSorted((a, b) => rank(b) - rank(a));
}

/** The sizes for which the legality of the proposals was checked. */
export function scopeOf({ checkedItems, limit }: ReportedAdvice): string {
  if (limit !== null) return `the program itself; ${limit}`;
  return checkedItems === null ? 'the whole run' : `runs of ${checkedItems} items`;
}

/** One row for each proposal. */
export function proposalTable(result: ReportedAdvice): Table {
  const rows = sortedProposals(result).map((proposal) => {
    const { change, verdict, why } = proposal;
    return [gainOf(proposal).text, change, verdict, why ?? ''];
  });
  const heading = [
    { title: 'speedup', isNumber: true },
    ...['change', 'verdict', 'why'].map((title) => ({ title, isNumber: false })),
  ];
  return { heading, rows };
}
