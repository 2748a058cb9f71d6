// What a result claims: it is certified where all that was asked is proved, or accepted by name.
import { needsAccept } from '@poundlock/core/internal/finding';
import type { AssumptionName, CheckResult } from '@poundlock/core/internal/finding';
import { launchName } from './sizes/other-size.ts';

/** Why an assumption cannot be accepted: what the text of the program says instead. */
export type Contradictions = ReadonlyMap<AssumptionName, string>;

/** The result as it is claimed: `certified` alone means that nothing is left open. */
export function claimed(
  result: CheckResult,
  accept: readonly AssumptionName[],
  contradictions: Contradictions,
): CheckResult {
  if (result.verdict !== 'certified') return result;
  const names = new Set(result.scope.assumptions.map(({ name }) => name));
  const needed = [...names].filter((name) => needsAccept(name));
  const reason =
    whyVacuous(result) ?? whyOpen(result) ?? whyNotAccepted(needed, accept, contradictions);
  if (reason !== null) return { ...result, verdict: 'inconclusive', reason };
  return needed.length === 0 ? result : { ...result, scope: { ...result.scope, accepted: needed } };
}

/** A run that reached no instruction that synchronizes says nothing of the protocol. */
function whyVacuous({ coverage }: CheckResult): string | null {
  if (coverage === undefined || coverage.synchronizing === 0) return null;
  if (coverage.synchronizingReached > 0) return null;
  return 'the launch reaches no instruction that synchronizes, so that nothing is asked of it';
}

/** Another launch that was named is undecided. */
function whyOpen({ scope: { launches = [] } }: CheckResult): string | null {
  const open = launches.find(({ verdict }) => verdict === 'inconclusive');
  return open === undefined ? null : `${launchName(open)} is undecided: ${open.reason}`;
}

function whyNotAccepted(
  needed: readonly AssumptionName[],
  accept: readonly AssumptionName[],
  contradictions: Contradictions,
): string | null {
  for (const name of needed) {
    const why = contradictions.get(name);
    if (why !== undefined) return `the text contradicts ${name}: ${why}`;
  }
  const missing = needed.filter((name) => !accept.includes(name));
  if (missing.length === 0) return null;
  const flags = missing.map((name) => `--accept ${name}`).join(' ');
  const what = missing.length === 1 ? 'an assumption' : `${missing.length} assumptions`;
  return `the proof rests on ${what} that nothing proves: ${flags}`;
}
