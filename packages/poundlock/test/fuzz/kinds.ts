// Every kind of random program, how it is looked at, and its share of a run at scale.
import * as fc from 'fast-check';
import { lookAround } from './around-number.ts';
import { checkAsUsersDo } from './as-users-do.ts';
import { capturedProgram } from './captured-program.ts';
import { lookAtCaptured } from './captured-truth.ts';
import { compare } from './compare.ts';
import { derivedProgram } from './derived-program.ts';
import { lookAtDerived } from './derived-truth.ts';
import type { DullProgram } from './dull-program.ts';
import { dullSearch } from './dull-search.ts';
import { counting, lookAtEvery } from './every-number.ts';
import type { Looked } from './looked.ts';
import { lookAtOdd, oddProgram } from './odd-number.ts';
import { lookAtPerformed, performedProgram } from './performed-program.ts';
import { pollProgram } from './poll-program.ts';
import { randomProgram } from './random-program.ts';

/** Programs of more states are skipped: a few of them would take most of the time. */
const MAX_STATES = 150;
const BOUNDS = { maxStates: 20_000, maxEvents: 5_000, timeoutMs: 300 };

async function asUsersDo(program: DullProgram): Promise<Looked> {
  const dull = dullSearch(program, MAX_STATES);
  if (dull.verdict === 'skipped') return { verdict: 'skipped', fault: '' };
  return checkAsUsersDo(program, dull, BOUNDS);
}

/** Every engine, with larger programs. */
async function byEveryEngine(program: DullProgram): Promise<Looked> {
  const { dull, faults } = await compare(program);
  return { verdict: dull.verdict, fault: faults.join('; ') };
}

export interface FuzzKind {
  readonly title: string;
  /** Draws so many programs; the same seed draws the same. */
  readonly draw: (seed: number, many: number) => readonly unknown[];
  readonly look: (program: never) => Promise<Looked>;
  /** Programs in a chunk. */
  readonly share: number;
}

function kindOf<T>(
  title: string,
  share: number,
  arbitrary: fc.Arbitrary<T>,
  look: (program: T) => Promise<Looked>,
): FuzzKind {
  const draw = (seed: number, numRuns: number): T[] => fc.sample(arbitrary, { seed, numRuns });
  return { title, share, draw, look };
}

/** By name. A chunk of a run has programs of every kind. */
export const KINDS: Readonly<Record<string, FuzzKind>> = {
  users: kindOf('barriers, rings, choices; as users check', 80, randomProgram, asUsersDo),
  engines: kindOf('the same; each engine by itself', 3, randomProgram, byEveryEngine),
  polls: kindOf('polls and tries, in loops and plain', 40, pollProgram, asUsersDo),
  captured: kindOf('captured state', 25, capturedProgram, lookAtCaptured),
  derived: kindOf(
    'derived parameters, for every number and around',
    15,
    derivedProgram,
    lookAtDerived,
  ),
  every: kindOf('a count, for every number', 2, counting, lookAtEvery),
  around: kindOf('a count, and the sizes around', 5, counting, lookAround),
  numbers: kindOf('an odd number', 25, oddProgram, lookAtOdd),
  performed: kindOf('operations that are performed, or not', 50, performedProgram, lookAtPerformed),
};
