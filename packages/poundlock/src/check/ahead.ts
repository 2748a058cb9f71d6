// Deadlocks of a run that got stuck, explained by what its roles would do behind their waits.
import { InputError } from '@poundlock/core/internal/base';
import type { CheckResult, Finding } from '@poundlock/core/internal/finding';
import { Program, resolveParameters } from '@poundlock/core/internal/program';
import type { Kernel, KernelReference } from '@poundlock/core/internal/program';
import { explainSchedule, movesOfToken, Names, Schedule } from '@poundlock/core/internal/system';
import type { Move, System } from '@poundlock/core/internal/system';
import { Problem } from './problem.ts';
import { stuckSymptom } from './violations.ts';

/** The most moves by which lanes come to joins that are behind their list in the run. */
const MAX_SETTLING = 1000;

/** A result whose deadlocks say why the roles wait, where what is behind the waits says it. */
export function explainedAhead(
  result: CheckResult,
  { ahead }: Pick<KernelReference, 'ahead'>,
): CheckResult {
  const hasDeadlock = result.findings.some(({ rule }) => rule === 'deadlock');
  const kernel = hasDeadlock ? (ahead?.() ?? null) : null;
  if (kernel === null) return result;
  return { ...result, findings: result.findings.map((finding) => explainedBy(kernel, finding)) };
}

/** A deadlock after the same schedule of a kernel whose roles have more to do. */
function explainedBy(kernel: Kernel, finding: Finding): Finding {
  const { rule, replayToken } = finding;
  if (rule !== 'deadlock' || replayToken === undefined) return finding;
  const { system } = new Problem(new Program(kernel, resolveParameters(kernel, {})), {}).runnable;
  const names = new Names(system);
  try {
    const moves = movesOfToken(names, replayToken);
    const more = settling(system, new Schedule(system, names, moves).words);
    const schedule = new Schedule(system, names, [...moves, ...more]);
    const explained = explainSchedule(schedule, stuckSymptom(system, schedule.words));
    if (!areStill(explained, finding)) return finding;
    const { message, primary, labels, helps } = explained;
    const clearer = { ...finding, message, primary, labels, helps };
    return more.length > 0 ? clearer : { ...clearer, standing: explained.standing! };
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
