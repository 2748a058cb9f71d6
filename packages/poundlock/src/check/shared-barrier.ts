// Two uses of one named barrier that can meet: the cause of what a schedule shows (N05).
import type { Finding, SourceLocation } from '@poundlock/core/internal/finding';
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
  const isOwn = before.length === 1 && before[0] === who;
  const uses = before.length === 1 ? 'uses' : 'use';
  const [primary, ...labels] = [...meetingsIn(first, barrier), first.primary, ...first.labels];
  const finding: Finding = {
    ...first,
    rule: 'shared-barrier-id',
    message: isOwn
      ? `${who} can come to ${barrier} again before the others have left it: its arrivals lap them`
      : `${who} can come to ${barrier} while ${list(before)} still ${uses} it: ` +
        'two uses can meet in one instance',
    primary: primary!,
    labels,
    notes: [`it shows as ${first.rule}: ${first.message}`],
    helps: ['give each use a number of its own, or two numbers in turn'],
  };
  return { ...outcome, findings: [finding, ...others] };
}

/** Where roles came to a named barrier in the schedule of a finding, each place once. */
function meetingsIn({ trace = [] }: Finding, barrier: string): SourceLocation[] {
  const found = new Map<string, SourceLocation>();
  for (const { agent: role, text, file, line = 1, column = 1 } of trace) {
    if (file === undefined || !new RegExp(`${barrier}\\b`).test(text)) continue;
    const place = { file, line, column, role, text: `${role} comes to ${barrier} here` };
    found.set(JSON.stringify(place), place);
  }
  return [...found.values()];
}

/** What arrivals at the wrong instance lead to. */
const SYMPTOMS: ReadonlySet<string> = new Set([
  'deadlock',
  'race',
  'named-barrier-mismatch',
  'aliased-buffers',
  'unjoined-lanes',
]);
