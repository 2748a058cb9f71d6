// Says in a reason why a search does not end: a role that polls, or spins, outside of `loop`.
import { Alarm, BoundError, grouped, InputError } from '@poundlock/core/internal/base';
import { NondeterminismError, Program, repeatedStep } from '@poundlock/core/internal/program';
import type { RepeatedStep } from '@poundlock/core/internal/program';
import { Packing } from './packing.ts';
import type { Problem } from './problem.ts';
import { sampleRun } from './sample-run.ts';
import { unfold } from './search-space.ts';

/** Looks at the clock in a sample run: some thousand steps. */
const MAX_LOOKS = 12;

/** `reason` with the line that polls or spins, where a bound ended a search because of it. */
export function withPolling(reason: string, problem: Problem): string {
  const { program, unfolding } = problem;
  const isWritten = problem.origin === 'roles' && program.kernel.reference === undefined;
  if (!isWritten || !reason.includes('bound ')) return reason;
  program.alarm.stop();
  const searched = unfolding === null ? null : repeatedStep(unfolding);
  const found = problem.repeated ?? searched ?? sampled(program);
  if (found === null) return reason;
  const { name } = program.roles[found.role]!;
  const place = found.position === undefined ? '' : ` in line ${found.position.line}`;
  const bound = reason.replace('the bound ', 'the ');
  if (found.isRound) {
    return (
      `the loop${place} of role ${name} has taken ${grouped(found.times)} different states, and ` +
      `${bound}: does this loop end, and does its state need to grow?`
    );
  }
  return found.isPoll
    ? `role ${name} polls${place} outside of loop(), where every failed try is a new state, and ` +
        `${bound}: poll in \`yield* loop(null, function* () { … })\``
    : `role ${name} has performed ${grouped(found.times)} operations in a row that no other role ` +
        `can observe${place}, and ${bound}: does this loop end?`;
}

/** What a role repeats in a short run. */
function sampled({ kernel, resolved }: Program): RepeatedStep | null {
  let looks = 0;
  const alarm = new Alarm(() => (looks++ < MAX_LOOKS ? null : 'the sample is long enough'));
  const program = new Program(kernel, resolved, null, undefined, alarm);
  const { system, unfolding } = unfold(program);
  try {
    sampleRun(program, unfolding, system, new Packing(system.machine, system.initial()));
  } catch (error) {
    const isKnown = [BoundError, InputError, NondeterminismError].some(
      (one) => error instanceof one,
    );
    if (!isKnown) throw error;
  }
  alarm.stop();
  return repeatedStep(unfolding);
}
