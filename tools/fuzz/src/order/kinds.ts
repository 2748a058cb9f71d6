// The kinds of random programs about the order of operations, and their shares of a chunk.
import * as fc from 'fast-check';
import type { Kernel } from '@poundlock/core/internal/program';
import type { Checker } from '../checker.ts';
import type { FuzzKind } from '../kind.ts';
import type { Looked } from '../looked.ts';
import { lookAround } from './around-number.ts';
import { checkAsUsersDo } from './as-users-do.ts';
import { capturedProgram, toCapturedKernel } from './captured-program.ts';
import { lookAtCaptured } from './captured-truth.ts';
import { compare } from './compare.ts';
import { derivedProgram, toDerivedKernel } from './derived-program.ts';
import { lookAtDerived } from './derived-truth.ts';
import { toCountingKernel, toKernel, type DullProgram } from './dull-program.ts';
import { dullSearch } from './dull-search.ts';
import { counting, lookAtEvery } from './every-number.ts';
import { minimize } from './minimize.ts';
import { changedProgram, lookAtOdd, oddProgram } from './odd-number.ts';
import { lookAtPerformed, performedProgram, toPerformedKernel } from './performed-program.ts';
import { pollProgram } from './poll-program.ts';
import { clusterProgram, randomProgram } from './random-program.ts';
import { shrunk } from './shrink.ts';

/** Programs of more states are skipped: a few of them would take most of the time. */
const MAX_STATES = 150;
const BOUNDS = { maxStates: 20_000, maxEvents: 5_000, timeoutMs: 300 };

async function asUsersDo(check: Checker, program: DullProgram): Promise<Looked> {
  const dull = dullSearch(program, MAX_STATES);
  if (dull.verdict === 'skipped') return { verdict: 'skipped', fault: '' };
  return checkAsUsersDo(check, program, dull, BOUNDS);
}

/** Every engine, with larger programs. */
async function byEveryEngine(check: Checker, program: DullProgram): Promise<Looked> {
  const { dull, faults } = await compare(check, program);
  return { verdict: dull.verdict, fault: faults.join('; ') };
}

type Look<T> = (check: Checker, program: T) => Promise<Looked>;

function kindOf<T>(
  title: string,
  share: number,
  arbitrary: fc.Arbitrary<T>,
  look: Look<T>,
  kernel: (program: T) => Kernel,
): FuzzKind<T> {
  return {
    title,
    share,
    look,
    kernel,
    memory: 'none',
    draw: (seed, numRuns) => fc.sample(arbitrary, { seed, numRuns }),
    minimize: (program, shows, drawn) => shrunk(arbitrary, program, shows, drawn),
  };
}

/** Of programs that are statements: these are made smaller statement by statement. */
function dullKind(
  title: string,
  share: number,
  arbitrary: fc.Arbitrary<DullProgram>,
  look: Look<DullProgram>,
  kernel: (program: DullProgram) => Kernel = (program) => toKernel(program),
): FuzzKind<DullProgram> {
  return { ...kindOf(title, share, arbitrary, look, kernel), minimize };
}

/** By name. A chunk of a run has programs of every kind. */
export const ORDER_KINDS = {
  users: dullKind('barriers, rings, choices; as users check', 40, randomProgram, asUsersDo),
  engines: dullKind('the same; each engine by itself', 2, randomProgram, byEveryEngine),
  clusters: dullKind('two CTAs that end; each engine by itself', 6, clusterProgram, byEveryEngine),
  polls: dullKind('polls and tries, in loops and plain', 20, pollProgram, asUsersDo),
  captured: kindOf('captured state', 12, capturedProgram, lookAtCaptured, toCapturedKernel),
  derived: kindOf(
    'derived parameters, for every number and around',
    8,
    derivedProgram,
    lookAtDerived,
    toDerivedKernel,
  ),
  every: dullKind('a count, for every number', 1, counting, lookAtEvery, toCountingKernel),
  around: dullKind('a count, and the sizes around', 3, counting, lookAround, toCountingKernel),
  numbers: kindOf('an odd number', 12, oddProgram, lookAtOdd, (one) =>
    toKernel(changedProgram(one)),
  ),
  performed: kindOf(
    'operations that are performed, or not',
    25,
    performedProgram,
    lookAtPerformed,
    toPerformedKernel,
  ),
} as const;
