// Determinism is checked, not assumed: each role is run a second time, in place, beside the first.
import type { Position } from '../base/index.ts';
import type { ScheduleRule } from '../finding/index.ts';
import type { Instruction } from '../machine/index.ts';
import { Cursor } from './cursor.ts';
import { misuseOf } from './ownership.ts';
import type { Program } from './program.ts';
import type { RecordedStep } from './recording.ts';
import type { Resolver } from './resolve.ts';
import type { StepId } from './steps.ts';
import type { Unfolding } from './unfolding.ts';

/** The rules that two runs of one role can violate. */
export type DivergenceRule = Extract<ScheduleRule, 'nondeterministic-role' | 'loop-captures'>;

/** Where a second run of a role left the first one. */
export interface Divergence {
  readonly rule: DivergenceRule;
  readonly role: number;
  /** The step of the first run; −1 where the first run has no further step. */
  readonly expected: StepId;
  readonly expectedAt: Position | undefined;
  /** What the second run does there; `null` where it ends or, with a place, misuses a handle. */
  readonly found: Instruction | null;
  readonly foundAt: Position | undefined;
  /** Whether only instances of one call of the kernel differ: roles share a variable. */
  readonly isShared?: boolean;
}

interface Mismatch {
  readonly at: number;
  readonly found: Instruction | null;
  readonly position: Position | undefined;
  readonly inLoop: boolean;
}

/** How often a role that diverged is run again to find both places. */
const MORE_RUNS = 8;
/** Places are captured from so many steps before the one whose place is wanted. */
const CAPTURED_STEPS = 4_096;

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
  const list = withStanding(unfolding, role, recorded);
  const { resolver } = unfolding;
  const first = new SecondRun(program, resolver, role, list, false).compare(-1);
  if (first === null) return null;
  let found = first;
  let expectedAt: Position | undefined;
  let isStable = true;
  for (let run = 0; run < MORE_RUNS; run++) {
    const again = new SecondRun(program, resolver, role, list, true);
    const mismatch = again.compare(first.at);
    expectedAt ??= again.watchedAt;
    if (mismatch?.at === first.at) found = mismatch;
    isStable &&= mismatch?.at === first.at;
  }
  return {
    rule: isStable && found.inLoop ? 'loop-captures' : 'nondeterministic-role',
    role,
    expected: list[first.at]?.source ?? -1,
    expectedAt,
    found: found.found,
    foundAt: found.position,
  };
}

/** The list with the step that the role stands at: a run that is stuck there must go that far. */
function withStanding(
  unfolding: Unfolding,
  role: number,
  list: readonly RecordedStep[],
): RecordedStep[] {
  const last = list.at(-1);
  const source =
    last === undefined ? unfolding.entry(role) : unfolding.follow(last.source, last.answer);
  const instruction = unfolding.instruction(source);
  const misuse = unfolding.misuse(source);
  return [...list, { instruction, misuse, answer: 0, source }];
}

/** One more run of a role, in place, beside its recorded list. */
class SecondRun {
  /** The place of the watched step, if this run made it as it was recorded. */
  watchedAt: Position | undefined;
  readonly #cursor: Cursor;
  readonly #resolver: Resolver;
  readonly #role: number;
  readonly #list: readonly RecordedStep[];

  constructor(
    program: Program,
    resolver: Resolver,
    role: number,
    list: readonly RecordedStep[],
    capture: boolean,
  ) {
    this.#cursor = new Cursor(program.instance(role, capture));
    this.#resolver = resolver;
    this.#role = role;
    this.#list = list;
  }

  /** The first step that differs, or `null`; `watch` is the step whose place is wanted. */
  compare(watch: number): Mismatch | null {
    const cursor = this.#cursor;
    const list = this.#list;
    let answer: number | undefined;
    let at = 0;
    const { context } = cursor;
    const { capture } = context;
    while (at < list.length) {
      context.capture = capture && at >= watch - CAPTURED_STEPS;
      const { posted, yielded, places } = cursor.resumeInPlace(answer);
      const steps = yielded === null ? posted : [...posted, yielded];
      for (const [index, op] of steps.entries()) {
        const position = places[index];
        if (at >= list.length) return null;
        const expected = list[at]!;
        if (expected.misuse !== null) return null;
        // A misuse is no instruction: it differs from whatever the first run did.
        const isMisuse = misuseOf(op) !== null;
        const found = isMisuse ? null : this.#resolver.resolve(op, this.#role);
        if (isMisuse || found !== expected.instruction) {
          return { at, found, position, inLoop: cursor.hasLooped };
        }
        if (at === watch) this.watchedAt = position;
        answer = expected.answer;
        at++;
      }
      if (yielded === null) break;
    }
    const rest = list[at];
    // What is left may be the role's end, which makes no operation.
    if (rest === undefined || rest.misuse !== null || rest.instruction === null) return null;
    return { at, found: null, position: undefined, inLoop: cursor.hasLooped };
  }
}
