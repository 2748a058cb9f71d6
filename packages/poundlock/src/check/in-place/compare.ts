// Whether a verdict about steps is one about the program: its roles in place must do the same.
import { InputError } from '@poundlock/core/internal/base';
import type { Assumption, Finding } from '@poundlock/core/internal/finding';
import { explainDivergence, movesOfToken } from '@poundlock/core/internal/system';
import { copySeen, Program } from '@poundlock/core/internal/program';
import type { Divergence, Kernel } from '@poundlock/core/internal/program';
import type { Budget } from '../budget.ts';
import { hasError, type Outcome } from '../outcome.ts';
import { InPlaceRuns } from './in-place-runs.ts';
import type { Order } from './orders.ts';
import {
  ALL_STEPS,
  FEWEST_STEPS,
  FIRST_RUN,
  FIRST_RUN_STEPS,
  OTHER_RUNS,
  STATES_FOR_STEP,
  stepsOf,
  WORK_FOR_STEP,
} from './plan.ts';

/** What is assumed of a program with choices and loops, of which not every run is made in place. */
export const OF_ROUNDS: Assumption = {
  name: 'loop-state',
  text:
    'a round of a loop depends on nothing but its state and the results of its operations, ' +
    'which was compared in many runs and not in all of them',
};
/** What a run costs before its first step: a call of the kernel, counted as so many steps. */
const STEPS_OF_START = 10;

/** The runs of one program, and what the first of them showed. */
export interface Beside {
  readonly runs: InPlaceRuns;
  readonly first: Divergence | null;
  /** What the same showed of the module, loaded again, with its roles in the opposite order. */
  readonly again: Finding | null;
}

/**
 * The first run, before any engine has run a role: a variable of the module that roles change keeps
 * what it was changed to. So only the role that comes first finds it as it was; where the module
 * can be loaded again, that is another role each time.
 */
export async function beforeAll(
  program: Program,
  budget: Budget,
  loadAgain?: () => Promise<Kernel>,
): Promise<Beside | null> {
  try {
    const runs = new InPlaceRuns(program);
    const { divergence } = await runs.run(FIRST_RUN, limitsOf(FIRST_RUN_STEPS, budget));
    const again = loadAgain === undefined ? null : await inOtherOrder(program, budget, loadAgain);
    return { runs, first: divergence, again };
  } catch (error) {
    // The engine that decides meets the same error, and says of which kind it is.
    if (error instanceof InputError) return null;
    throw error;
  }
}

async function inOtherOrder(
  { params, kernel }: Program,
  budget: Budget,
  loadAgain: () => Promise<Kernel>,
): Promise<Finding | null> {
  const loaded = await loadAgain();
  copySeen(kernel, loaded);
  const runs = new InPlaceRuns(new Program(loaded, params));
  for (const order of OTHER_RUNS) {
    const { divergence } = await runs.run(order, limitsOf(FIRST_RUN_STEPS, budget));
    if (divergence !== null) return explainDivergence(runs.system, runs.names, divergence);
  }
  return null;
}

/** How the program differs from what was decided about its steps, as a finding, or `null`. */
export async function compareInPlace(
  { runs, first, again }: Beside,
  outcome: Outcome,
  orders: Iterable<Order>,
  budget: Budget,
): Promise<Finding | null> {
  const divergence = hasError(outcome)
    ? onSchedules(runs, outcome)
    : (first ?? (await onRuns(runs, outcome, orders, budget)));
  if (divergence === null) return hasError(outcome) ? null : again;
  return explainDivergence(runs.system, runs.names, divergence);
}

/** A counterexample is one only if the program follows its schedule. */
function onSchedules(runs: InPlaceRuns, { findings }: Outcome): Divergence | null {
  const tokens = findings
    .filter(({ severity }) => severity === 'error')
    .flatMap(({ replayToken }) => (replayToken === undefined ? [] : [replayToken]));
  for (const token of tokens) {
    const divergence = replay(runs, token);
    if (divergence !== null) return divergence;
  }
  return null;
}

function replay(runs: InPlaceRuns, token: string): Divergence | null {
  try {
    return runs.replay(movesOfToken(runs.names, token));
  } catch (error) {
    // A program's own units have numbers, which need not be the same where fewer steps are known.
    if (error instanceof InputError) return null;
    throw error;
  }
}

async function onRuns(
  runs: InPlaceRuns,
  { events, states, transitions }: Outcome,
  orders: Iterable<Order>,
  budget: Budget,
): Promise<Divergence | null> {
  const most = Math.max(ALL_STEPS, (events + states + transitions) / WORK_FOR_STEP);
  let left = Math.min(most, budget.maxStates / STATES_FOR_STEP);
  for (const order of orders) {
    if (left < FEWEST_STEPS || budget.stopReason() !== null) return null;
    const limits = limitsOf(Math.min(left, stepsOf(order)), budget);
    const { divergence, steps } = await runs.run(order, limits);
    if (divergence !== null) return divergence;
    left -= steps + STEPS_OF_START;
  }
  return null;
}

function limitsOf(steps: number, budget: Budget) {
  return { steps, stopReason: () => budget.stopReason(), pause: budget.pause };
}
