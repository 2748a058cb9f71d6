// A program with edited operations: its verdict by `check` and its simulated cycles.
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

/** The operations of every role, in order. */
export type Lists = readonly (readonly LinearStep[])[];

/** The states after which a legality check gives up (option `max-states`). */
export const DEFAULT_MAX_STATES = 100_000;

function recordedOf(program: Program, lists: Lists, machine: Machine): RecordedStep[][] {
  const resolver = new Resolver(program, machine);
  // They were resolved for another machine, which has its own numbers of flights.
  for (const list of lists) for (const { op } of list) op.resolved = null;
  return lists.map((list, role) => recorded(list, resolver, role));
}

/** The edited operations as steps for a search or a simulation. */
export function stepsOf(lists: Lists): (program: Program, machine: Machine) => Steps {
  return (program, machine) =>
    new ListSteps(recordedOf(program, lists, machine), [], machine, null);
}

/** Whether an edit is legal: a counterexample forbids it. */
export interface Legality {
  readonly verdict: Verdict;
  /** Why it is forbidden, or why it is undecided. */
  readonly why: string | null;
}

/**
 * Runs `check`: first for a certificate, which needs no search, then for a counterexample;
 * a search that stores `maxStates` states leaves it undecided.
 */
export async function legality(
  program: Program,
  lists: Lists,
  maxStates = DEFAULT_MAX_STATES,
): Promise<Legality> {
  const { resolved: params } = program;
  const checked = isMisused(program, lists)
    ? checkSteps(program, stepsOf(lists), { maxStates })
    : check(played(program.kernel, lists), { params, maxStates, sizes: 'requested' });
  const { verdict, findings, reason } = await checked;
  const error = findings.find((finding) => finding.severity === 'error');
  return { verdict, why: whyOf(error, reason ?? null) };
}

function whyOf(error: Finding | undefined, reason: string | null): string | null {
  return error === undefined ? reason : `${error.rule}: ${error.message}`;
}

/** Whether a handle is misused: only lists of steps show that. */
function isMisused(program: Program, lists: Lists): boolean {
  const { machine } = layOutSystem(program);
  return recordedOf(program, lists, machine).some((list) => list.some((step) => step.misuse));
}

/** The kernel whose roles do exactly what the lists contain. */
export function played(kernel: Kernel, lists: Lists): Kernel {
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

/** The simulated time of the whole program with these operations. */
export function cyclesOfLists(program: Program, lists: Lists, costs: Costs): number {
  return cyclesOf(preparePlayback(program, stepsOf(lists)), costs);
}
