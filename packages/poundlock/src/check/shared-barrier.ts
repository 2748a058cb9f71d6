// Two uses of one named barrier that can meet: the cause of what a schedule shows (N05).
import type { Finding } from '@poundlock/core/internal/finding';
import { list, Names } from '@poundlock/core/internal/system';
import { hasError, type Outcome } from './outcome.ts';
import type { Problem } from './problem.ts';

/** Names the cause of an error where the arrivals at a named barrier were not kept apart. */
export function withSharedBarrier(problem: Problem, outcome: Outcome): Outcome {
  const named = problem.certificate?.named;
  const [first, ...others] = outcome.findings;
  if (named === undefined || first === undefined || !hasError(outcome)) return outcome;
  if (!SYMPTOMS.has(first.rule)) return outcome;
  const names = new Names(problem.ownSystem());
  const who = names.agent(named.role);
  const before = [...new Set(named.others)].map((role) => names.agent(role));
  const barrier = names.namedBarrier(named.target);
  const own = before.length === 1 && before[0] === who;
  const finding: Finding = {
    ...first,
    rule: 'shared-barrier-id',
    message: own
      ? `${who} can come to ${barrier} again before the others have left it: its arrivals lap them`
      : `${who} can come to ${barrier} while ${list(before)} still ${before.length === 1 ? 'uses' : 'use'} ` +
        'it: two uses can meet in one instance',
    notes: [...first.notes, `it shows as ${first.rule}: ${first.message}`],
    helps: [`give each use a number of its own, or two numbers in turn`],
  };
  return { ...outcome, findings: [finding, ...others] };
}

/** What arrivals at the wrong instance lead to. */
const SYMPTOMS: ReadonlySet<string> = new Set([
  'deadlock',
  'race',
  'named-barrier-mismatch',
  'aliased-buffers',
  'unjoined-lanes',
]);
