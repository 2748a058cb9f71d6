// Where a side of a pipeline stands, kept by the program: CUTLASS's PipelineState as plain data.
import { InputError, currentPosition } from '@poundlock/core/internal/base';
import { makeOp, OpKind } from '@poundlock/core/internal/op';
import { Operation, requireCount, type Barrier } from '@poundlock/core/internal/program';

/**
 * The stage that comes next and the parity bit that its wait tests. It is plain data, so it can be
 * the state of a `loop`; {@link advance} makes the next one.
 *
 * With a `count` the engine knows the phase that is meant, and tells where parity misleads a wait.
 * The count never repeats; without it a state has 2 · stages values, so that a loop with it closes.
 */
export interface PipelineState {
  readonly stages: number;
  /** The stage, 0 … stages − 1. */
  readonly index: number;
  /** The parity bit. */
  readonly phase: 0 | 1;
  /** How often it was advanced since the first stage; `null` where nobody counts. */
  readonly count: number | null;
}

/** Anything with stages: a pipeline, or a number in braces. */
interface Staged {
  readonly stages: number;
}

interface StartOptions {
  /** Whether the state counts; `true` unless given. */
  readonly counted?: boolean;
}

/** Where a producer starts: the flipped phase, since fresh barriers are empty. */
export function makeProducerStartState(of: Staged, options: StartOptions = {}): PipelineState {
  return start(of, 1, options);
}

/** Where a consumer starts, as a `PipelineState` that C++ constructs by default. */
export function makeConsumerStartState(of: Staged, options: StartOptions = {}): PipelineState {
  return start(of, 0, options);
}

function start({ stages }: Staged, phase: 0 | 1, { counted = true }: StartOptions): PipelineState {
  return { stages, index: 0, phase, count: counted ? 0 : null };
}

/**
 * The state `by` stages further on: `++state` of C++, `state.advance()` of CuTe DSL. It changes
 * nothing: `state = advance(state)`.
 *
 * @throws InputError for a number of stages below 0.
 */
export function advance(state: PipelineState, by = 1): PipelineState {
  requireCount('the stages that a state is advanced by', by, 0);
  const { stages, index, phase, count } = state;
  const laps = Math.floor((index + by) / stages);
  return {
    stages,
    index: (index + by) % stages,
    phase: (laps & 1) === 0 ? phase : phase === 0 ? 1 : 0,
    count: count === null ? null : count + by,
  };
}

/** Waits on `target` for the phase of a state; `answer` makes the result, once it has passed. */
export function waitFor<T>(target: Barrier, state: PipelineState, answer: () => T): Operation<T> {
  const phase = wantedPhase(state);
  const { id: barrier } = target;
  const op =
    phase === null
      ? makeOp(OpKind.waitParity, { barrier, parity: state.phase })
      : makeOp(OpKind.wait, { barrier, phase });
  return new Operation(op, answer);
}

/** Asks once for the phase of a state. */
export function tryFor(target: Barrier, state: PipelineState): Operation<boolean> {
  const phase = wantedPhase(state);
  if (phase === null) {
    throw new InputError(
      `a try on ${target.name} needs a counted state: create it without counted: false`,
      currentPosition(),
    );
  }
  const op = makeOp(OpKind.tryWait, { barrier: target.id, phase });
  return new Operation(op, (answer) => answer === 1);
}

/**
 * The absolute phase that a counted state means: of the two last ones before the lap's end, the
 * one with its parity. `null` where only the parity is known.
 */
function wantedPhase({ stages, index, phase, count }: PipelineState): number | null {
  if (count === null) return null;
  const lap = Math.floor((count - index) / stages);
  return (lap & 1) === phase ? lap : lap - 1;
}

/** Throws unless `state` is one of a pipeline with this name and these stages. */
export function requireState(name: string, stages: number, state: PipelineState): void {
  const { index, phase, count } = state;
  const isStage = Number.isInteger(index) && index >= 0 && index < stages;
  const isCount = count === null || (Number.isInteger(count) && count % stages === index);
  if (state.stages === stages && isStage && (phase === 0 || phase === 1) && isCount) return;
  throw new InputError(
    `${JSON.stringify(state)} is not a state of pipeline ${name}, which has ${stages} stages`,
    currentPosition(),
  );
}
