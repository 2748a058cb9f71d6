// The words that templates are written with.
import type { Body, DullProgram, DullRing, Mode, Side, Statement } from './dull-program.ts';

/** What a template is made with; every field is small. */
export interface Knobs {
  readonly stages: number;
  readonly tiles: number;
  readonly lanes: number;
  readonly mode: Mode;
  readonly advance: DullRing['advance'];
  /** Selects between equivalent ways of writing an operation. */
  readonly style: number;
  readonly isLoop: boolean;
  readonly drains: boolean;
}

export type Template = (knobs: Knobs) => DullProgram;

export const EMPTY: DullProgram = {
  barriers: [],
  buffers: 0,
  cells: [],
  pools: [],
  rings: [],
  counts: [],
  roles: [],
};
export const BYTES = 8;

export const role = (body: Body, cta = 0, lanes = 1) => ({ cta, lanes, body });
export const arrive = (bar: number, bytes = 0, ctas?: readonly number[]): Statement => ({
  do: 'arrive',
  bar,
  count: 1,
  bytes,
  everyLane: false,
  ctas,
});
export const read = (buffer: number): Statement => ({ do: 'read', buffer });
export const write = (buffer: number): Statement => ({ do: 'write', buffer });
export const wait = (bar: number, phase: number): Statement => ({ do: 'wait', bar, phase });
export const copy = (
  bar: number,
  into: readonly number[],
  ctas?: readonly number[],
): Statement => ({
  do: 'asyncCopy',
  unit: 'tma',
  bar,
  bytes: BYTES,
  into,
  ctas,
});
export const release = (slot: number, signal = true): Statement => ({
  do: 'release',
  slot,
  signal,
});
export const scoped = (
  ring: number,
  side: Side,
  body: Body,
  explicit = false,
  slot = 0,
): Statement => ({
  do: 'scoped',
  ring,
  side,
  explicit,
  slot,
  body,
});
export const acquire = (ring: number, side: Side, slot = 0): Statement => ({
  do: 'acquire',
  ring,
  side,
  slot,
});
export const upTo = <T>(n: number, make: (at: number) => T): T[] =>
  Array.from({ length: n }, (_, at) => make(at));

export function ringOf({ stages, mode, advance }: Knobs): DullRing {
  return { stages, bytes: BYTES, advance, barriers: mode, producers: 1, consumers: 1 };
}

/** `tiles` rounds, as a loop or as a repetition. */
export function rounds({ isLoop, tiles }: Knobs, body: Body): Statement {
  return isLoop ? { do: 'loop', count: 0, body } : { do: 'repeat', times: tiles, body };
}
