// The ways of a kernel that its launch leaves open, beside that of its first run.
import type { Answers, Decision } from '../steps/decision.ts';
import { RunBoundError } from '../exec/machine/execute.ts';
import type { ExecutedRun } from '../steps/run.ts';
import { Cause } from '../values/origin.ts';
import { closedWays } from './closed.ts';
import type { RunWith } from './closed.ts';
import { beginning, next, samples } from './answers.ts';

/** The most ways of a kernel whose ways are all run. */
const MAX_WAYS = 16;
/** The same for ways that clocks and failing tries lead to. */
const MAX_WAYS_IN_TIME = 64;
/** A question that is asked more often in one run is that of a loop. */
const MAX_REPEATS = 2;

/** What all ways take for granted: a term stands for one value, whenever it is read. */
export const CONSTANT_WORDS =
  'a word of global memory whose value is not known and decides a branch does not change while ' +
  'the kernel runs';

/**
 * Runs the other ways one after the other: all of them, or samples in which an error may be seen.
 *
 * `runWithCuts` is `null` where ways that differ in what they read may not be taken for one.
 *
 * @returns Why there may be more of them; `null` where these are all.
 */
export function* otherWays(
  first: ExecutedRun,
  run: (answers: () => Answers) => ExecutedRun,
  runWithCuts: RunWith | null,
): Generator<ExecutedRun, string | null> {
  const found: ExecutedRun[] = [];
  let isComplete = first.decisions.length === 0;
  let last: ExecutedRun | null = isComplete ? null : first;
  const most = first.decisions.some(isOfTime) ? MAX_WAYS_IN_TIME : MAX_WAYS;
  while (last !== null && found.length < most) {
    if (last.decisions.some(isRepeated)) break;
    const answers = next(last.decisions);
    isComplete = answers === null;
    if (answers === null) break;
    last = bounded(() => run(() => beginning(answers)));
    if (last !== null) found.push(last);
  }
  if (isComplete) {
    yield* found;
    return null;
  }
  // An error of a clock's answers is one whatever else there is.
  yield* found.filter(({ decisions }) => decisions.every(isOfTime));
  const closed = runWithCuts === null ? null : closedWays(first, runWithCuts);
  if (closed !== null) {
    yield* closed;
    return null;
  }
  const seen = new Set([nameOf(first), ...found.map(nameOf)]);
  for (const answers of samples()) {
    const way = bounded(() => run(() => answers));
    if (way === null || seen.has(nameOf(way))) continue;
    seen.add(nameOf(way));
    yield way;
  }
  const isInTime = first.decisions.every(isOfTime);
  const what = isInTime ? 'clocks and failing tries' : 'unknown data';
  return `${what} may lead it on more than the ${seen.size} ways that were tried`;
}

/** Whether a clock or a failing try answers. */
function isOfTime({ subject }: Decision): boolean {
  return subject.bits === Cause.time;
}

/** Whether a question is that of a loop. */
function isRepeated({ subject, count }: Decision): boolean {
  return count >= MAX_REPEATS && subject.wait === undefined;
}

/** The same text for runs with the same answers. */
function nameOf({ decisions }: ExecutedRun): string {
  return decisions.map(({ at, isTrue }) => `${at}${isTrue ? '+' : '-'}`).join('');
}

/** A run, unless it reaches a bound. */
function bounded(run: () => ExecutedRun): ExecutedRun | null {
  try {
    return run();
  } catch (error) {
    if (error instanceof RunBoundError) return null;
    throw error;
  }
}
