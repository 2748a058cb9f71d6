// Determinism is checked, not assumed: each role is run a second time, in place, beside the first.
import type { Position } from '../base/index.ts';
import type { RuleId } from '../finding/index.ts';
import type { Op } from '../op/index.ts';
import { Cursor } from './cursor.ts';
import { misuseOf } from './ownership.ts';
import type { Program } from './program.ts';
import type { RecordedStep } from './recording.ts';
import type { StepId } from './steps.ts';
import type { Unfolding } from './unfolding.ts';

/** Where a second run of a role left the first one. */
export interface Divergence {
  readonly rule: Extract<RuleId, 'nondeterministic-role' | 'loop-captures'>;
  readonly role: number;
  /** The step of the first run; −1 where the first run has no further step. */
  readonly expected: StepId;
  readonly found: Op | null;
  readonly foundAt: Position | undefined;
}

interface Mismatch {
  readonly at: number;
  readonly op: Op | null;
  readonly position: Position | undefined;
  readonly inLoop: boolean;
}

/**
 * Runs `role` in place with the answers of its recorded list (P09). Rounds of a loop follow each
 * other in one instance here, and were run in fresh instances there: a difference between two
 * in-place runs is nondeterminism, one between the two ways is a captured variable that changed.
 */
export function findDivergence(
  program: Program,
  unfolding: Unfolding,
  role: number,
  recorded: readonly RecordedStep[],
): Divergence | null {
  const list = withStanding(unfolding, recorded);
  const first = compare(program, unfolding, role, list, false);
  if (first === null) return null;
  const second = compare(program, unfolding, role, list, true);
  const { at, op, position, inLoop } = second ?? first;
  const isStable = second !== null && second.at === first.at;
  return {
    rule: isStable && inLoop ? 'loop-captures' : 'nondeterministic-role',
    role,
    expected: list[at]?.source ?? -1,
    found: op,
    foundAt: position,
  };
}

/** The list with the step that the role stands at: a run that is stuck there must go that far. */
function withStanding(unfolding: Unfolding, list: readonly RecordedStep[]): RecordedStep[] {
  const last = list.at(-1);
  if (last === undefined) return [];
  const source = unfolding.follow(last.source, last.answer);
  const instruction = unfolding.instruction(source);
  const misuse = unfolding.misuse(source);
  return [...list, { instruction, misuse, answer: 0, source }];
}

function compare(
  program: Program,
  unfolding: Unfolding,
  role: number,
  list: readonly RecordedStep[],
  capture: boolean,
): Mismatch | null {
  const cursor = new Cursor(program.instance(role, capture));
  let answer: number | undefined;
  let at = 0;
  while (at < list.length) {
    const segment = cursor.resumeInPlace(answer);
    const steps = segment.yielded === null ? segment.posted : [...segment.posted, segment.yielded];
    for (const { op, position } of steps) {
      if (at >= list.length) return null;
      if (misuseOf(op) !== null) return null;
      const expected = list[at]!;
      if (expected.misuse !== null) return null;
      if (unfolding.resolver.resolve(op, role) !== expected.instruction) {
        return { at, op, position, inLoop: cursor.depth > 0 || cursor.hasLooped };
      }
      answer = expected.answer;
      at++;
    }
    if (segment.yielded === null) break;
  }
  const rest = list[at];
  // What is left may be the role's end, which makes no operation.
  if (rest === undefined || rest.misuse !== null || rest.instruction === null) return null;
  return { at, op: null, position: undefined, inLoop: cursor.hasLooped };
}
