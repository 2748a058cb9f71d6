// Deadlocks of a run that got stuck, explained by what its roles would do behind their waits.
import { InputError } from '@poundlock/core/internal/base';
import type { CheckResult, Finding, Standing } from '@poundlock/core/internal/finding';
import { Program, resolveParameters } from '@poundlock/core/internal/program';
import type { ArrivalsOfText, Kernel, KernelReference } from '@poundlock/core/internal/program';
import {
  explainSchedule,
  movesOfToken,
  Names,
  Schedule,
  standingOf,
} from '@poundlock/core/internal/system';
import type { Move, System } from '@poundlock/core/internal/system';
import { explainedWith } from './arrivals-of-text.ts';
import { Problem } from './problem.ts';
import { stuckSymptom } from './violations.ts';

/** The most moves by which lanes come to joins that are behind their list in the run. */
const MAX_SETTLING = 1000;

/** A result whose deadlocks say why the roles wait, where what is behind the waits says it. */
export function explainedAhead(
  result: CheckResult,
  { ahead, arrivals }: Pick<KernelReference, 'ahead' | 'arrivals'>,
  own: Program,
): CheckResult {
  const hasDeadlock = result.findings.some(({ rule }) => rule === 'deadlock');
  if (!hasDeadlock) return result;
  const ofText = arrivals?.() ?? null;
  const kernel = ahead?.() ?? null;
  const findings = result.findings.map((finding) => {
    const found = kernel === null ? finding : explainedBy(kernel, finding, ofText);
    return found === finding ? explainedWith(systemOf(own), finding, () => ofText) : found;
  });
  return { ...result, findings };
}

function systemOf(program: Program): System {
  return new Problem(program, {}).runnable.system;
}

/**
 * Where the roles are after a schedule: who owes what to those that wait, also behind waits of the
 * run. `kernel` is the one whose roles have more to do.
 */
export function standingAhead(
  standing: readonly Standing[],
  kernel: Kernel,
  token: string,
): readonly Standing[] {
  try {
    const system = systemOf(new Program(kernel, resolveParameters(kernel, {})));
    const names = new Names(system);
    const schedule = new Schedule(system, names, movesOfToken(names, token));
    return joined(standing, standingOf(schedule));
  } catch (error) {
    if (error instanceof InputError) return standing;
    throw error;
  }
}

/** After the same moves a role is at the same wait; one that goes on there is left as it was. */
function joined(standing: readonly Standing[], ahead: readonly Standing[]): readonly Standing[] {
  return standing.map((one, at): Standing => {
    const known = ahead[at];
    if (known?.agent !== one.agent || !isWaiting(one) || !isWaiting(known)) return one;
    return { ...known, state: one.state };
  });
}

/** Whether a role waits, now or forever. */
export function isWaiting({ state }: Standing): boolean {
  return state === 'waits' || state === 'starves';
}

/** A deadlock after the same schedule of a kernel whose roles have more to do. */
function explainedBy(kernel: Kernel, finding: Finding, arrivals: ArrivalsOfText | null): Finding {
  const { rule, replayToken } = finding;
  if (rule !== 'deadlock' || replayToken === undefined) return finding;
  const system = systemOf(new Program(kernel, resolveParameters(kernel, {})));
  const names = new Names(system);
  try {
    const moves = movesOfToken(names, replayToken);
    const more = settling(system, new Schedule(system, names, moves).words);
    const schedule = new Schedule(system, names, [...moves, ...more]);
    const explained = explainSchedule(schedule, stuckSymptom(system, schedule.words), arrivals);
    if (!areStill(explained, finding)) return finding;
    const { message, primary, labels, helps } = explained;
    const before = standingOf(new Schedule(system, names, moves));
    const standing = joined(finding.standing ?? [], before);
    return { ...finding, message, primary, labels, helps, standing };
  } catch (error) {
    // Lanes that go apart behind the wait are other roles: the schedule is none of theirs.
    if (error instanceof InputError) return finding;
    throw error;
  }
}

/** What still moves after the schedule: roles whose list went no further in the run. */
function settling(system: System, words: Int32Array): Move[] {
  const moves = new Int32Array(1 << 16);
  const path: Move[] = [];
  while (path.length < MAX_SETTLING && system.moves(words, moves) > 0) {
    path.push(moves[0]!);
    system.apply(words, moves[0]!);
  }
  return path;
}

/** Whether each role that waited forever still does. */
function areStill({ standing: now = [] }: Finding, { standing: before = [] }: Finding): boolean {
  const waiting = new Set(now.flatMap(({ agent, state }) => (state === 'starves' ? [agent] : [])));
  return before.every(({ agent, state }) => state !== 'starves' || waiting.has(agent));
}
