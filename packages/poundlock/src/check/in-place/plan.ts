// Which runs are made in place, and how far each goes.
import { Sequences, type AgentOrder, type Order } from './orders.ts';

/** Before anything else: what roles find that no role has changed yet. */
export const FIRST_RUN: Order = { agents: 'last', options: 0 };

/** The same of a module that was loaded again: the other role comes first, then the one before. */
export const OTHER_RUNS: readonly Order[] = [{ agents: 'first', options: 0 }, FIRST_RUN];

/**
 * Runs of a program that has one way to go on: only the order of its roles can matter. The first of
 * them is left out where the module was loaded again, which has shown the same.
 */
const WITHOUT_CHOICES: readonly Order[] = [
  { agents: 'first', options: 0 },
  { agents: 'turns', options: 0 },
];

const LAST_OPTION = Number.MAX_SAFE_INTEGER;
/** Always the same option: whatever counts how often it was taken counts fastest so. */
const ALWAYS: readonly Order[] = [LAST_OPTION, 0, 1, 2, 3].flatMap((options) =>
  (['first', 'turns', 'last'] as const).map((agents) => ({ agents, options })),
);
const MIXED: readonly Order[] = (
  ['priorities', 'first', 'turns', 'random', 'last'] as const
).flatMap((agents) =>
  (['drawn-once', 'rarest', 'random'] as const).map((options) => ({ agents, options })),
);

/** The orders of some runs, in turn; those that end soon are followed by every sequence. */
export function* ordersOf(hasChoices: boolean, isLoadedAgain: boolean): Generator<Order, void> {
  yield* WITHOUT_CHOICES.slice(isLoadedAgain ? 1 : 0);
  if (!hasChoices) return;
  for (let at = 0; at < ALWAYS.length; at++) yield* [ALWAYS[at]!, MIXED[at]!];
  yield* MIXED;
  for (const agents of ['first', 'turns', 'last'] as const satisfies readonly AgentOrder[]) {
    const options = new Sequences();
    do yield { agents, options };
    while (options.advance());
  }
}

/** The most steps of the first run (bound `first-run-in-place`). */
export const FIRST_RUN_STEPS = 1_000;
/** The most steps of every other run (bound `run-in-place`). */
const RUN_STEPS = 2_000;
/** The same where always the same option is taken, which counts up to something late. */
const LONG_RUN_STEPS = 8_000;
/**
 * The most steps of all of them (bound `steps-in-place`): so many, or one for so many events,
 * states and transitions of the engine that decided.
 */
export const ALL_STEPS = 30_000;
export const WORK_FOR_STEP = 8;
/** Where fewer are left, a run is not worth its call of the kernel. */
export const FEWEST_STEPS = 100;
/** No more than one step for so many states of the bound `max-states`. */
export const STATES_FOR_STEP = 10;

export function stepsOf({ options }: Order): number {
  return typeof options === 'number' ? LONG_RUN_STEPS : RUN_STEPS;
}
