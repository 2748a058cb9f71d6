// Races in global memory whose places rest on guessed numbers: with those, rows may overlap.
import { INSTRUCTION } from '@poundlock/core/internal/base';
import type { CheckResult } from '@poundlock/core/internal/finding';
import type { PlacedText } from '@poundlock/core/internal/program';
import { isAtGuessedPlace } from '@poundlock/ptx/internal/infer/data-of';
import { slotsIn } from '@poundlock/ptx/internal/infer/skeleton';
import type { Skeleton } from '@poundlock/ptx/internal/infer/skeleton';

/** The rule of a launch with which rows overlap. */
export interface GuessedRace extends PlacedText {
  readonly rule: 'overlap';
}

/** Whether a race is about memory behind a pointer of the launch, and not in shared memory. */
function isOfPointer(message: string, skeleton: Skeleton): boolean {
  const pointers = slotsIn(skeleton).filter(({ kind }) => kind === 'pointer');
  return message
    .split(' ')
    .some((word) => pointers.some(({ name }) => word === name || /^[+/]/.test(after(word, name))));
}

/** What follows a beginning; empty where it is none. */
function after(word: string, beginning: string): string {
  return word.startsWith(beginning) ? word.slice(beginning.length) : '';
}

/** The race of a run, if an access of it is where it is by numbers that are guessed. */
export function guessedRace({ findings }: CheckResult, skeleton: Skeleton): GuessedRace | null {
  const finding = findings.find(({ severity }) => severity === 'error');
  if (finding?.rule !== 'race' || !isOfPointer(finding.message, skeleton)) return null;
  const position = [finding.primary, ...finding.labels].find((place) => {
    const at = place[INSTRUCTION];
    return at !== undefined && isAtGuessedPlace(skeleton, at);
  });
  if (position === undefined) return null;
  return { rule: 'overlap', text: `with these numbers ${finding.message}`, position };
}
