// A program with edited operations: what `check` says of it, and what it costs.
import { check, checkSteps } from '../check/index.ts';
import type { Finding, Parameters, Verdict } from '@poundlock/core/internal/finding';
import type { Machine } from '@poundlock/core/internal/machine';
import { CATALOGUE, type Op } from '@poundlock/core/internal/op';
import { handleOf, ListSteps, post, recorded, Resolver } from '@poundlock/core/internal/program';
import type {
  Kernel,
  Program,
  RecordedStep,
  Role,
  Steps,
  LinearStep,
} from '@poundlock/core/internal/program';
import { layOutSystem } from '@poundlock/core/internal/system';
import { cyclesOf, preparePlayback, type Costs } from '../simulate/index.ts';

/** What every role does, in order. */
export type Lists = readonly (readonly LinearStep[])[];

/** The states after which a legality check gives up (option `max-states`). */
export const DEFAULT_MAX_STATES = 100_000;

function recordedOf(program: Program, lists: Lists, machine: Machine): RecordedStep[][] {
  const resolver = new Resolver(program, machine);
  // They were resolved for another machine before, which numbered its flights by itself.
  for (const list of lists) for (const { op } of list) op.resolved = null;
  return lists.map((list, role) => recorded(list, resolver, role));
}

/** The edited operations as steps, which a search or a simulation goes through. */
export function stepsOf(lists: Lists): (program: Program, machine: Machine) => Steps {
  return (program, machine) =>
    new ListSteps(recordedOf(program, lists, machine), [], machine, null);
}

/** Whether an edit is legal: a counterexample forbids it. */
export interface Legality {
  readonly verdict: Verdict;
  /** Why it is forbidden, or why nothing is known. */
  readonly why: string | null;
}

/**
 * Asks `check`: for a certificate first, which needs no search, and for a schedule that goes wrong;
 * a search that stores `maxStates` without an end leaves it undecided.
 */
export async function legality(
  program: Program,
  lists: Lists,
  maxStates = DEFAULT_MAX_STATES,
): Promise<Legality> {
  const { resolved: params } = program;
  const checked = isMisused(program, lists)
    ? checkSteps(program, stepsOf(lists), { maxStates })
    : check(played(program.kernel, lists), { params, maxStates });
  const { verdict, findings, reason } = await checked;
  const error = findings.find((finding) => finding.severity === 'error');
  return { verdict, why: whyOf(error, reason ?? null) };
}

function whyOf(error: Finding | undefined, reason: string | null): string | null {
  return error === undefined ? reason : `${error.rule}: ${error.message}`;
}

/** Whether some handle is misused: only lists of steps tell that. */
function isMisused(program: Program, lists: Lists): boolean {
  const { machine } = layOutSystem(program);
  return recordedOf(program, lists, machine).some((list) => list.some((step) => step.misuse));
}

/** The kernel with roles that do what the lists say, and nothing else. */
function played(kernel: Kernel, lists: Lists): Kernel {
  const build = (params: Parameters): Role[] =>
    kernel.build(params).map((role, at) => ({ ...role, body: () => play(lists[at]!) }));
  return { ...kernel, build, ownership: 'explicit' };
}

/** Operations are copied: each run of the role resolves its own for its own machine. */
function* play(list: readonly LinearStep[]): Generator<Op, void, number> {
  for (const { op } of list) {
    if (handleOf(op) !== null) continue;
    const own = { ...op, resolved: null };
    if (CATALOGUE[op.kind]!.yields) yield own;
    else post(own);
  }
}

/** The time of the whole program with these operations. */
export function cyclesOfLists(program: Program, lists: Lists, costs: Costs): number {
  return cyclesOf(preparePlayback(program, stepsOf(lists)), costs);
}
