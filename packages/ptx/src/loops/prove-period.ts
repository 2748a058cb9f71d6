// The proof that what each warp does repeats itself for every number of rounds. A run of two rounds
// is looked at with values that grow: see docs/explanation/loop-summaries.md.
import { RunBoundError } from '../exec/machine/execute.ts';
import type { ExecutedRun } from '../steps/run.ts';
import type { Sized } from './find-period.ts';
import type { Loop } from './follower.ts';
import { NotProved } from './look.ts';
import { lowerLoops } from './lower-loops.ts';
import { requireAllBlocks } from './other-blocks.ts';
import { FEWEST, ROUNDS } from './reach.ts';
import { repetitionOf } from './repetition.ts';
import type { Repetition } from './repetition.ts';
import { RoundObserver } from './round-observer.ts';
import type { Unknowns } from './round-observer.ts';
import { textOf } from './step-texts.ts';

/** Executes the kernel for one value, followed by an observer. */
export type Trace = (value: number, observer: RoundObserver) => ExecutedRun;

/** Why a period is not proved, and the instruction that it is about; -1: none. */
export interface Unproved {
  readonly why: string;
  readonly at: number;
}

/** What each role repeats, for all values up to one. */
export interface Proved {
  readonly most: number;
  readonly repeated: readonly Repetition[];
  /** The plan of one round. */
  readonly once: Sized;
}

/**
 * Up to which value a proof has to hold, if it can: what holds for fewer, such as that an address
 * does not wrap around, is not used where nothing follows from it.
 */
const FAR = 2 ** 28;
/** Looks at the run of two rounds, each of which finds more that is not known. */
const MOST_LOOKS = 6;

/** The run without a round, and how the one of two rounds is followed. */
export interface Candidate {
  /** The value without a round, and what a round adds to it. */
  readonly first: number;
  readonly step: number;
  /** Where the value lies in the parameters of the launch. */
  readonly offset: number;
  readonly none: Sized;
  readonly trace: Trace;
  /** What nothing is known of, as far as it was found. */
  readonly unknowns: Unknowns;
}

/** Proves that all warps repeat themselves where runs of no round and of two do. */
export function provePeriod(candidate: Candidate, loops: Loops): Proved | Unproved {
  const far = Math.floor(FAR / candidate.step);
  const found = proveFor(far, candidate, loops);
  return 'isShort' in found && found.isShort ? proveFor(FEWEST, candidate, loops) : found;
}

/** Proves it for so many rounds at least. */
function proveFor(
  least: number,
  candidate: Candidate,
  loops: Loops,
): Proved | (Unproved & { readonly isShort: boolean }) {
  const { first, step, offset, trace, unknowns } = candidate;
  const value = first + ROUNDS * step;
  let observer: RoundObserver | null = null;
  try {
    for (let look = 0; look < MOST_LOOKS; look++) {
      observer = new RoundObserver({ offset, step, value, least }, loops, unknowns);
      const run = trace(value, observer);
      requireOneMachine(run, observer);
      observer.requireWhole(run);
      if (observer.learn()) continue;
      requireAllBlocks(run, observer.machine!, observer.moving);
      const lowered = lowerLoops(run, observer.ends, candidate.none.plan);
      return { ...lowered, most: first + observer.most * step };
    }
    throw new NotProved(-1, 'its values are not found to grow evenly');
  } catch (error) {
    if (error instanceof RunBoundError) return { why: error.message, at: -1, isShort: false };
    if (!(error instanceof NotProved)) throw error;
    return { why: error.message, at: error.at, isShort: observer?.isShort ?? false };
  }
}

function unproved(why: string): never {
  throw new NotProved(-1, why);
}

/** By warp: where its steps repeat themselves; `null`: nowhere. */
export type Loops = readonly (Loop | null)[];

/** The loops of runs without a round and with one; `null` where their steps differ otherwise. */
export function loopsOf({ run: none }: Sized, { run: once }: Sized): Loops | null {
  const loops: (Loop | null)[] = [];
  for (const [index, { steps }] of once.warps.entries()) {
    const found = repetitionOf([none.warps[index]!.steps.map(textOf), steps.map(textOf)]);
    if (found === null) return null;
    loops.push(found.length === 0 ? null : found);
  }
  return loops;
}

/**
 * The loops of a run without a round, of the lengths that others have: they are where it begins to
 * do something else than a longer run. It is a guess: nothing is proved with wrong ones.
 */
export function guessLoops({ run: none }: Sized, { run: longer }: Sized, loops: Loops): Loops {
  return loops.map((loop, index) => {
    if (loop === null) return null;
    const [one, other] = [none, longer].map(({ warps }) => warps[index]!.steps);
    let at = 0;
    while (at < one!.length && at < other!.length && textOf(one![at]!) === textOf(other![at]!))
      at++;
    return { at, length: loop.length };
  });
}

/** The run is the one that was followed, and nothing was solved, decided or left open. */
function requireOneMachine(run: ExecutedRun, { machine }: RoundObserver): void {
  const { decisions, undecided, faults, solvedBoxes, orders, warps, counters } = run;
  if (machine === null || run.nameOf !== machine.nameOf || orders + counters.words.size > 1)
    return unproved('all blocks of the grid are executed');
  if (decisions.some(({ subject }) => subject.wait !== 'loop'))
    unproved('unknown data decides what its warps do');
  const [open] = [...undecided, ...faults.filter(({ isOfIsa }) => isOfIsa !== true)];
  if (open !== undefined) throw new NotProved(open.at, open.text);
  if (solvedBoxes.size > 0) unproved('the launch lacks boxes of tensor maps');
  if (warps.some(({ stuck }) => stuck !== null)) unproved('a warp waits for ever');
}
