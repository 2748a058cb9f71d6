// Finds the operation that a role repeats without end: where it polls, or spins.
import type { Position } from '../base/index.ts';
import type { Instruction } from '../machine/index.ts';
import { CATALOGUE, isTry, OpKind } from '../op/index.ts';
import type { Nodes } from './nodes.ts';
import { NondeterminismError } from './nondeterminism.ts';
import type { StepId } from './steps.ts';
import type { Unfolding } from './unfolding.ts';

/** So many equal results of one operation are taken for polling. */
const MANY_POLLS = 3;
/** So many operations that no other role can observe are taken for a role that spins. */
const MANY_SILENT = 2_000;
/** The occurrence that is shown: not the first, which may be before the loop, and not far away. */
const SHOWN = 100;

/** An operation that a role makes again and again, outside of a `loop`. */
export interface RepeatedStep {
  readonly role: number;
  /** Whether it asks for what others do; else no other role can observe it. */
  readonly isPoll: boolean;
  readonly times: number;
  readonly position: Position | undefined;
}

/** What the longest history of some role repeats most, or `null` where nothing is repeated. */
export function repeatedStep(unfolding: Unfolding): RepeatedStep | null {
  let best: { steps: readonly StepId[]; role: number; isPoll: boolean } | null = null;
  for (const [role, last] of longest(unfolding.nodes)) {
    for (const isPoll of [true, false]) {
      const steps = mostRepeated(unfolding.nodes, last, isPoll);
      if (steps.length < (isPoll ? MANY_POLLS : MANY_SILENT)) continue;
      const isBetter =
        best === null || (best.isPoll === isPoll && steps.length > best.steps.length);
      if (isBetter || (isPoll && best?.isPoll === false)) best = { steps, role, isPoll };
    }
  }
  if (best === null) return null;
  const { steps, role, isPoll } = best;
  const shown = steps[Math.max(0, steps.length - SHOWN)]!;
  return { role, isPoll, times: steps.length, position: positionOf(unfolding, shown) };
}

/** By role: the last step of its longest history in one frame. */
function longest({ fields, parent }: Nodes): Map<number, StepId> {
  const depths = new Int32Array(fields.length);
  const last = new Map<number, StepId>();
  for (const [node, { role }] of fields.entries()) {
    const before = parent[node]!;
    depths[node] = before < 0 ? 0 : depths[before]! + 1;
    const known = last.get(role);
    if (known === undefined || depths[node]! > depths[known]!) last.set(role, node);
  }
  return last;
}

/** The steps of the operation that the history of `last` has most often, the newest first. */
function mostRepeated({ fields, parent, parentAnswer }: Nodes, last: StepId, polls: boolean) {
  const found = new Map<Instruction, StepId[]>();
  let most: readonly StepId[] = [];
  let answer = 0;
  for (let node = last; node >= 0; node = parent[node]!) {
    const { instruction } = fields[node]!;
    if (instruction !== null && (polls ? isPoll(instruction, answer) : isSilent(instruction))) {
      const steps = found.get(instruction) ?? [];
      steps.push(node);
      found.set(instruction, steps);
      if (steps.length > most.length) most = steps;
    }
    answer = parentAnswer[node]!;
  }
  return most;
}

/** A try that fails, or a look at a cell. */
function isPoll({ kind }: Instruction, answer: number): boolean {
  if (kind === OpKind.load) return true;
  return isTry(kind) && (kind === OpKind.tryClaim ? answer < 0 : answer === 0);
}

function isSilent({ kind }: Instruction): boolean {
  return CATALOGUE[kind]!.class === 'silent';
}

function positionOf(unfolding: Unfolding, step: StepId): Position | undefined {
  try {
    return unfolding.position(step);
  } catch (error) {
    // A role that does something else when it is run again has no reliable place.
    if (error instanceof NondeterminismError) return undefined;
    throw error;
  }
}
