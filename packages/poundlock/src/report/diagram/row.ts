// A row of a diagram: steps, or a line that stands for steps that are not shown.
import type { TraceStep } from '@poundlock/core/internal/finding';

/** Steps that share a row: consecutive ones that do the same. */
export interface StepRow {
  readonly kind: 'steps';
  /** Indices of the steps. */
  readonly first: number;
  readonly last: number;
  /** The columns in which they are, each with its steps. */
  readonly marks: readonly { readonly column: number; readonly steps: readonly number[] }[];
}

/** Steps that are not shown. */
export interface HiddenRow {
  readonly kind: 'hidden';
  readonly first: number;
  readonly last: number;
  /** What is hidden: `14 more laps of 12 steps`. */
  readonly text: string;
}

export type Row = StepRow | HiddenRow;

/** What a row shows: in which columns, and what is done where. */
export function rowKey(trace: readonly TraceStep[], { first, marks }: StepRow): string {
  const { verb, line, column } = trace[first]!;
  return `${marks.map((mark) => mark.column).join(' ')} ${verb} ${line}:${column}`;
}
