// From which value of a number on a kernel fails: the smaller ones are right.
import { grouped } from '@poundlock/core/internal/base';
import { slotsIn } from '@poundlock/ptx/internal/infer/skeleton';
import type { AtShape } from './at-shape.ts';
import { atSpecial } from './at-shape.ts';
import type { LaunchRun } from './subject.ts';
import type { Trials } from './trials.ts';

/** Runs that look for the value. */
const MAX_STEPS = 8;

/** Whether a run is right: it is certified, or reaches nothing. */
function isRight({ outcome }: LaunchRun): boolean {
  return outcome === 'certified' || outcome === 'vacuous';
}

/** A note on where the error begins; none where all values fail, or there are several numbers. */
export async function firstFailing(trials: Trials, at: AtShape): Promise<string[]> {
  const { skeleton } = trials.subject;
  const numbers = slotsIn(skeleton).filter(({ kind, name }) => {
    return kind === 'number' && !skeleton.supplied.values.has(name);
  });
  const [slot] = numbers;
  if (slot === undefined || numbers.length > 1) return [];
  const special = await atSpecial(trials, at);
  const below = special.filter(({ special: one }) => one!.value < at.base);
  const valueOf = (run: LaunchRun): number => run.special!.value;
  const wrong = below.filter(({ outcome }) => outcome === 'error').map(valueOf);
  let last = Math.min(at.base, ...wrong);
  let first = Math.max(
    -1,
    ...below.filter((run) => isRight(run) && valueOf(run) < last).map(valueOf),
  );
  if (first < 0) return [];
  for (let step = 0; step < MAX_STEPS && last - first > 1 && !trials.isOver; step++) {
    const value = Math.floor((first + last) / 2);
    const one = { slot, value, role: 'small' as const, at: -1, constant: 0 };
    const run = await trials.add({ shape: at.shape, base: at.base, role: 'small', special: one });
    if (run.outcome === 'error') last = value;
    else if (isRight(run)) first = value;
    else break;
  }
  if (last - first > 1) return [];
  return [`from ${slot.name}=${grouped(last)} on (${grouped(first)} is certified)`];
}
