// Two uses of one named barrier that can meet: the cause of what a schedule shows (N05).
import type { Finding, SourceLocation } from '@poundlock/core/internal/finding';
import {
  formatNumber,
  list,
  Names,
  wrongNamedCount,
  type NamedTotal,
} from '@poundlock/core/internal/system';
import { hasError, type Outcome } from './outcome.ts';
import type { Problem } from './problem.ts';

/** Names the cause of an error where the arrivals at a named barrier were not kept apart. */
export function withSharedBarrier(problem: Problem, outcome: Outcome): Outcome {
  const named = problem.certificate?.failure?.named;
  const [first, ...others] = outcome.findings;
  if (named === undefined || first === undefined || !hasError(outcome)) return outcome;
  if (!SYMPTOMS.has(first.rule)) return outcome;
  const system = problem.ownSystem();
  const names = new Names(system);
  const who = names.agent(named.role);
  const before = [...new Set(named.others)].map((role) => names.agent(role));
  const barrier = names.namedBarrier(named.target);
  const wrong = wrongNamedCount(system, named.target);
  const [primary, ...labels] = [...meetingsIn(first, barrier), first.primary, ...first.labels];
  const finding: Finding = {
    ...first,
    rule: 'shared-barrier-id',
    message: wrong === null ? lapping(who, before, barrier) : wrongCount(wrong, names, barrier),
    primary: primary!,
    labels,
    notes: [`it shows as ${first.rule}: ${first.message}`],
    helps: [wrong === null ? OWN_NUMBER : countAll(wrong)],
  };
  return { ...outcome, findings: [finding, ...others] };
}

const OWN_NUMBER = 'give each use a number of its own, or two numbers in turn';

function lapping(who: string, before: readonly string[], barrier: string): string {
  const [to, use] = [`${who} can come to ${barrier}`, before.length === 1 ? 'uses' : 'use'];
  if (before.length === 1 && before[0] === who)
    return `${to} again before the others have left it: its arrivals lap them`;
  return `${to} while ${list(before)} still ${use} it: two uses can meet in one instance`;
}

function wrongCount({ count, threads, roles }: NamedTotal, names: Names, barrier: string): string {
  const come = `${formatNumber(threads)} come to it`;
  const whose = list(roles.map((role) => names.agent(role)));
  const rest = `${come}, from ${whose}: some of them complete it without the others`;
  return `${barrier} counts ${formatNumber(count)} threads, and ${rest}`;
}

function countAll({ threads }: NamedTotal): string {
  const come = formatNumber(threads);
  return `count the threads of all roles that have to meet there: ${come} come, in all`;
}

/** Where roles came to a named barrier in the schedule of a finding, each place once. */
function meetingsIn({ trace = [] }: Finding, barrier: string): SourceLocation[] {
  const found = new Map<string, SourceLocation>();
  for (const { agent: role, text, file, line = 1, column = 1, ptx } of trace) {
    if (file === undefined || !new RegExp(`${barrier}\\b`).test(text)) continue;
    const place = { file, line, column, role, text: `${role} comes to ${barrier} here` };
    const key = JSON.stringify(place);
    if (!found.has(key)) found.set(key, { ...place, ...(ptx && { ptx }) });
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
