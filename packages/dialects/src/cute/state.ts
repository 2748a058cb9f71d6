// PipelineState of CUTLASS as plain data: a stage and a phase that the program stores.
import {
  InputError,
  tryWait,
  wait,
  waitParity,
  type Barrier,
  type Operation,
} from '@poundlock/core';
import { currentPosition, option, optionTable, requireCount } from '@poundlock/core/dialect';
import { requireOptions, type OptionsOf } from '@poundlock/core/dialect';

/**
 * The next stage, and the parity that a wait for it tests. It is plain data, so it can be the
 * state of a `loop`; {@link advance} returns the next one.
 *
 * With a `count`, the phase that is meant is known, and a wait that parity misleads is a finding.
 * The count never repeats: without it a state has 2 · stages values, so that a loop over it
 * closes.
 */
export interface PipelineState {
  /** The number of stages. */
  readonly stages: number;
  /** The stage, from 0 to `stages` − 1. */
  readonly index: number;
  /** The parity. */
  readonly phase: 0 | 1;
  /** How many times it was advanced since the first stage; `null` if that is not counted. */
  readonly count: number | null;
}

/** An object with stages: a pipeline, or a number in braces. */
export interface Staged {
  /** The number of stages. */
  readonly stages: number;
}

const START = optionTable({
  /** Whether the state counts; `true` unless specified. */
  counted: option.flag,
});

/** Options of start states. */
export interface StartOptions extends OptionsOf<typeof START> {}

/**
 * Where a producer starts: with the flipped phase, since all stages are empty.
 *
 * @example
 * const ab = PipelineAsync.create('ab', { numStages: 2 });
 * return [
 *   role('load', function* () {
 *     let state = makeProducerStartState(ab);
 *     for (let tile = 0; tile < 3; tile++, state = advance(state)) {
 *       yield* ab.producerAcquire(state);
 *       ab.producerCommit(state);
 *     }
 *   }),
 *   role('mma', function* () {
 *     let state = makeConsumerStartState(ab);
 *     for (let tile = 0; tile < 3; tile++, state = advance(state)) {
 *       yield* ab.consumerWait(state);
 *       ab.consumerRelease(state);
 *     }
 *   }),
 * ];
 */
export function makeProducerStartState(of: Staged, options: StartOptions = {}): PipelineState {
  requireOptions('makeProducerStartState()', START, options);
  return start(of, 1, options);
}

/**
 * Where a consumer starts, as a `PipelineState` that C++ default-constructs.
 *
 * @example
 * import { makeConsumerStartState } from 'poundlock/cute';
 *
 * console.log(makeConsumerStartState({ stages: 2 })); // {"stages":2,"index":0,"phase":0,"count":0}
 */
export function makeConsumerStartState(of: Staged, options: StartOptions = {}): PipelineState {
  requireOptions('makeConsumerStartState()', START, options);
  return start(of, 0, options);
}

function start({ stages }: Staged, phase: 0 | 1, { counted = true }: StartOptions): PipelineState {
  return { stages, index: 0, phase, count: counted ? 0 : null };
}

/**
 * The state `by` stages further on: `++state` of C++, `state.advance()` of CuTe DSL. It changes
 * nothing, so write `state = advance(state)`.
 *
 * @throws InputError for a number of stages below 0.
 *
 * @example
 * import { advance, makeProducerStartState } from 'poundlock/cute';
 *
 * const { index, phase } = advance(makeProducerStartState({ stages: 2 }), 3);
 * console.log(index, phase); // 1 0
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

/** Waits on `target` for the phase of a state. */
export function waitFor(target: Barrier, state: PipelineState): Operation<void> {
  const phase = wantedPhase(state);
  return phase === null ? waitParity(target, state.phase) : wait(target, phase);
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
  return tryWait(target, phase);
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
