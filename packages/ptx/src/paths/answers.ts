// Answers to what the launch leaves open: all of them in turn where they are few, else samples.
import type { Answers, Decision, Question } from '../steps/decision.ts';

/** Answers of the run that a kernel is taken from: loops make this many rounds. */
const FIRST_ROUNDS = 2;
/** Rounds of loops in the samples. */
const ROUNDS = [0, 1, 2, 3, 5, 8] as const;
/** Samples whose answers are mixed. */
const MIXED = [1, 2, 3, 4] as const;
/** The most rounds of a loop in a mixed sample. */
const MIXED_ROUNDS = 4;

/** Each loop makes `rounds` rounds whenever it is entered; other questions are answered in turn. */
function regular(rounds: number): Answers {
  return ({ count, goesOn, subject }) => {
    // No wait gives up.
    if (subject.wait !== undefined) return false;
    if (goesOn === null) return (count + rounds) % 2 === 0;
    return count % (rounds + 1) < rounds === goesOn;
  };
}

/** The same, but all questions that are not about loops have one answer. */
function constant(rounds: number, isTrue: boolean): Answers {
  const ofLoops = regular(rounds);
  return (question) =>
    question.goesOn === null || question.subject.wait !== undefined ? isTrue : ofLoops(question);
}

/** Answers without a pattern; no loop goes on for long. */
function mixed(seed: number): Answers {
  return ({ at, count, goesOn, subject }) => {
    const hash = Math.imul(Math.imul(at + 1, 0x9e37_79b1) ^ (count * 0x85eb_ca77), seed * 2 + 1);
    const isLast = count % (MIXED_ROUNDS + 1) === MIXED_ROUNDS;
    const isOne = ((hash ^ (hash >>> 15)) & 0x10) !== 0;
    if (goesOn === null || subject.wait !== undefined) return isOne;
    return (isOne && !isLast) === goesOn;
  };
}

/** The answers of the first run. */
export const FIRST: Answers = regular(FIRST_ROUNDS);

/** Samples of answers, the first run's apart. */
export function* samples(): Generator<Answers> {
  for (const rounds of ROUNDS) {
    yield constant(rounds, true);
    yield constant(rounds, false);
  }
  for (const seed of MIXED) yield mixed(seed);
}

/** Answers the first questions by a list, and the others as the first run does. */
export function beginning(first: readonly boolean[]): Answers {
  let index = 0;
  return (question: Question) => first[index++] ?? FIRST(question);
}

/** What to answer after a run, so that all answers come in turn; `null` after the last run. */
export function next(decisions: readonly Decision[]): boolean[] | null {
  // Each question has the answer of the first run first, and then the other one.
  const index = decisions.findLastIndex((decision) => decision.isTrue === FIRST(decision));
  if (index < 0) return null;
  const answers = decisions.slice(0, index + 1).map(({ isTrue }) => isTrue);
  answers[index] = !answers[index]!;
  return answers;
}
