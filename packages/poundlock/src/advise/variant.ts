// A program with edited operations: what `check` says of it, and what it costs.
import { checkSteps } from '../check/index.ts';
import type { Machine } from '../machine/index.ts';
import { ListSteps, recorded, Resolver } from '../program/index.ts';
import type { Program, Steps, Straight } from '../program/index.ts';
import { cyclesOf, playedBack, type Costs } from '../simulate/index.ts';

/** What every role does, in order. */
export type Lists = readonly (readonly Straight[])[];

/** The states after which a legality check gives up (option `max-states`). */
export const DEFAULT_MAX_STATES = 300_000;

function stepsOf(lists: Lists): (program: Program, machine: Machine) => Steps {
  return (program, machine) => {
    const resolver = new Resolver(program, machine);
    // They were resolved for another machine before, which numbered its flights by itself.
    for (const list of lists) for (const { op } of list) op.resolved = null;
    const steps = lists.map((list, role) => recorded(list, resolver, role));
    return new ListSteps(steps, [], machine, null);
  };
}

/** Whether an edit is legal: a counterexample forbids it. */
export interface Legality {
  readonly verdict: 'certified' | 'counterexample' | 'inconclusive';
  /** Why it is forbidden, or why nothing is known. */
  readonly why: string | null;
}

export async function legality(
  program: Program,
  lists: Lists,
  maxStates = DEFAULT_MAX_STATES,
): Promise<Legality> {
  const { verdict, findings, reason } = await checkSteps(program, stepsOf(lists), { maxStates });
  const error = findings.find((finding) => finding.severity === 'error');
  const why = error === undefined ? reason : `${error.rule}: ${error.message}`;
  return { verdict, why };
}

export function cyclesOfLists(program: Program, lists: Lists, costs: Costs): number {
  return cyclesOf(playedBack(program, stepsOf(lists)), costs);
}
