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

/** An operation that a role makes again and again. */
export interface RepeatedStep {
  readonly role: number;
  /** Whether it asks for what others do; else no other role can observe it. */
  readonly isPoll: boolean;
  /** Whether it starts rounds of a `loop` with ever other states; else it is outside of one. */
  readonly isRound: boolean;
  readonly times: number;
  readonly position: Position | undefined;
}

/** What is looked for, what counts first: an operation with its answer, and how many are many. */
const REPETITIONS = [
  { isPoll: true, many: MANY_POLLS, counts: isFailedTry },
  { isPoll: true, many: MANY_POLLS, counts: ({ kind }: Instruction) => kind === OpKind.load },
  {
    isPoll: false,
    many: MANY_SILENT,
    counts: ({ kind }: Instruction) => CATALOGUE[kind]!.class === 'silent',
  },
] as const;
type Counts = (instruction: Instruction, answer: number) => boolean;

/** What the longest history of some role repeats most, or `null` where nothing is repeated. */
export function repeatedStep(unfolding: Unfolding): RepeatedStep | null {
  const histories = [...longest(unfolding.nodes)];
  for (const { isPoll, many, counts } of REPETITIONS) {
    const found = histories.map(([role, last]) => {
      return { role, steps: mostRepeated(unfolding.nodes, last, counts) };
    });
    const [most] = found.toSorted((one, other) => other.steps.length - one.steps.length);
    if (most === undefined || most.steps.length < many) continue;
    const { role, steps } = most;
    const position = positionOf(unfolding, steps[Math.max(0, steps.length - SHOWN)]!);
    return { role, isPoll, isRound: false, times: steps.length, position };
  }
  return manyRounds(unfolding);
}

/** The first operation of the rounds of a loop, where the loop has very many states. */
function manyRounds(unfolding: Unfolding): RepeatedStep | null {
  const { fields, parent } = unfolding.nodes;
  const found = new Map<Instruction, StepId[]>();
  let most: StepId[] = [];
  for (const [node, { instruction }] of fields.entries()) {
    if (parent[node]! >= 0 || instruction === null) continue;
    const steps = found.get(instruction) ?? [];
    steps.push(node);
    found.set(instruction, steps);
    if (steps.length > most.length) most = steps;
  }
  if (most.length < MANY_SILENT) return null;
  const { role } = fields[most[0]!]!;
  const position = positionOf(unfolding, most[SHOWN]!);
  return { role, isPoll: false, isRound: true, times: most.length, position };
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
function mostRepeated(
  { fields, parent, parentAnswer }: Nodes,
  last: StepId,
  counts: Counts,
): readonly StepId[] {
  const found = new Map<Instruction, StepId[]>();
  let most: readonly StepId[] = [];
  let answer = 0;
  for (let node = last; node >= 0; node = parent[node]!) {
    const { instruction } = fields[node]!;
    if (instruction !== null && counts(instruction, answer)) {
      const steps = found.get(instruction) ?? [];
      steps.push(node);
      found.set(instruction, steps);
      if (steps.length > most.length) most = steps;
    }
    answer = parentAnswer[node]!;
  }
  return most;
}

function isFailedTry({ kind }: Instruction, answer: number): boolean {
  return isTry(kind) && (kind === OpKind.tryClaim ? answer < 0 : answer === 0);
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
