// The data of a state that an explorer shows: the way to it, and what can happen next.
import type {
  BarrierState,
  Finding,
  ParameterValue,
  SlotState,
  Standing,
  TextHash,
  TraceStep,
} from '@poundlock/core/internal/finding';
import type { NextMove, NextOperation } from '@poundlock/core/internal/system';
import type { VerdictParts } from '../report/verdict.ts';

/** The state that a schedule leads to. */
export interface ExploredState {
  /** The schedule as a replay token. */
  readonly token: string;
  /** The letter and the option of each step. */
  readonly path: readonly (readonly [letter: string, option: number])[];
  readonly trace: readonly TraceStep[];
  readonly standing: readonly Standing[];
  /** The moves that are possible. */
  readonly moves: readonly NextMove[];
  /** Where each role is. */
  readonly operations: readonly NextOperation[];
  readonly barriers: readonly BarrierState[];
  /** Stages and buffers as the last step that changed them left them. */
  readonly slots: readonly SlotState[];
  /** What is wrong in this state. */
  readonly findings: readonly Finding[];
}

/** Values of parameters by name. */
export type Values = Readonly<Record<string, ParameterValue>>;

/** What is explored. */
export interface ExploredKernel {
  readonly file: string;
  readonly kernel: string;
  /** Every parameter with its default. */
  readonly parameters: Values;
  /** The texts that it was made of: what is said of it is about these. */
  readonly texts: readonly TextHash[];
}

/** The verdict of `check` for some values of the parameters. */
export interface ExploredVerdict extends VerdictParts {
  readonly params: Values;
  /** A schedule without a finding as a token, where there is no finding to show. */
  readonly example?: string;
}
