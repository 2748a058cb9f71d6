// The exploration as a value: a schedule, the position in it, and what is known of both.
import { readToken, writeToken } from '@poundlock/core/internal/replay';
import type {
  ExploredKernel,
  ExploredState,
  ExploredVerdict,
  Values,
} from '../src/explore/state.ts';
import type { Address } from './address.ts';

/** Everything that the page shows. */
export interface Exploration {
  readonly kernel: ExploredKernel;
  /** The parameters that differ from their defaults. */
  readonly params: Values;
  /** The state after the whole schedule, and the one after the steps that are made. */
  readonly whole: ExploredState;
  readonly now: ExploredState;
  /** The verdict; `null` while it is not known. */
  readonly verdict: ExploredVerdict | null;
}

/** The number of steps that are made. */
export function positionOf({ now }: Pick<Exploration, 'now'>): number {
  return now.path.length;
}

/** The first steps of a schedule, as a token. */
export function firstSteps({ path }: ExploredState, count: number): string {
  return writeToken(path.slice(0, count).map(([letter, option]) => ({ letter, option })));
}

/** A schedule with one more step, as a token. */
export function withMove(
  { path }: ExploredState,
  { letter, option }: { readonly letter: string; readonly option: number },
): string {
  const steps = path.map(([letter, option]) => ({ letter, option }));
  return writeToken([...steps, { letter, option }]);
}

/** The findings whose schedule ends at this step: of memory, no state shows one. */
export function findingsHere({ now, verdict }: Pick<Exploration, 'now' | 'verdict'>) {
  return (verdict?.findings ?? []).filter(
    ({ replayToken, params, launch }) =>
      replayToken === now.token && params === undefined && launch === undefined,
  );
}

/** Whether a move is the next one of the schedule. */
export function isNext(
  { whole, now }: Pick<Exploration, 'whole' | 'now'>,
  { letter, option }: { readonly letter: string; readonly option: number },
): boolean {
  const next = whole.path[now.path.length];
  return next !== undefined && next[0] === letter && next[1] === option;
}

/** The number of steps of a token; 0 where it is none. */
export function stepsOf(token: string): number {
  try {
    return readToken(token).length;
  } catch {
    return 0;
  }
}

/** The address of an exploration. */
export function addressOf({ params, whole, now }: Exploration): Address {
  const at = now.path.length === whole.path.length ? {} : { at: now.path.length };
  return { params, path: whole.token, ...at };
}

/** The parameters that differ from their defaults. */
export function changedFrom(defaults: Values, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, one]) => defaults[name] !== one));
}

/** A value as it was typed, with the type of the default. */
export function typedValue(
  text: string,
  before: number | boolean | string,
): number | boolean | string | undefined {
  if (typeof before === 'boolean') return text === 'true';
  if (typeof before === 'string') return text;
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}
