// The answers of a run as sentences: what says them, that they hold, and what the launch leaves
// open.
import type { Answer, Answered, Answerer, PlacedText } from '@poundlock/core/internal/program';
import { arePossible, isFree } from '../exec/origins/free-values.ts';
import { answererOf, openText } from '../exec/origins/open-text.ts';
import { positionOf } from '../places/place.ts';
import type { Decision } from '../steps/decision.ts';
import type { ExecutedRun } from '../steps/run.ts';

/** What a predicate decides, and what its being true means. */
function effectOf({ at, subject, isTrue }: Decision, run: ExecutedRun): readonly [string, string] {
  const isDone = isTrue !== (subject.isNegated === true);
  const effect = run.effectOf(at);
  if (effect?.kind === 'control' && effect.op === 'branch')
    return ['this branch', `this branch is ${isDone ? '' : 'not '}taken`];
  return ['this instruction', `this instruction is ${isDone ? '' : 'not '}executed`];
}

/** What says that something is so. */
const SAYS: Readonly<Record<Answerer, (sources: string) => string>> = {
  data: () => 'data says that',
  none: (sources) => `${sources}, which nothing has written, says that`,
  place: (sources) => `${sources} lies so that`,
  machine: (sources) => `${sources} says that`,
  time: () => 'the clock says that',
};

/** What a wait, or one try, does: whether it fails, and what the question is. */
const WAITS = {
  loop: { fails: 'the wait gives up', succeeds: 'the wait does not give up' },
  once: { fails: 'the try fails', succeeds: 'the try succeeds' },
} as const;

function answerOf(decision: Decision, run: ExecutedRun): Answer {
  const { subject, isTrue } = decision;
  const by = answererOf(subject);
  const position = positionOf(run.places(decision.at));
  const placed = (text: string): PlacedText => ({ text, position });
  const common = {
    by,
    isTrue,
    isFree: isFree(subject),
    maySignal: subject.maySignal === true,
    isTimeout: subject.wait !== undefined,
  };
  if (subject.wait !== undefined) {
    const { fails, succeeds } = WAITS[subject.wait];
    const open = placed(openText(subject, `whether ${fails}`));
    return { ...common, holds: placed(isTrue ? fails : succeeds), open };
  }
  const [what, holds] = effectOf(decision, run);
  const sources = [...new Set(subject.sources.map(({ text }) => text))].join(', ');
  return {
    ...common,
    holds: placed(`${SAYS[by](sources)} ${holds}`),
    open: placed(openText(subject, what)),
  };
}

/** The instructions whose operations a run has. */
function performedIn({ warps }: ExecutedRun): ReadonlySet<number> {
  return new Set(warps.flatMap(({ steps }) => steps.map(({ at }) => at)));
}

/** The answers of a run. */
export function answersOf(run: ExecutedRun): Answered {
  let isPossible: boolean | undefined;
  return {
    answers: run.decisions.map((each) => answerOf(each, run)),
    isPossible: () => (isPossible ??= arePossible(run.decisions, run.place)),
    waiting: run.waiting,
    performed: performedIn(run),
  };
}
