// First tries of polls in a run that is over: their results decide nothing, and are not compared.
import { CATALOGUE } from '@poundlock/core/internal/op';
import { Cursor, type Program } from '@poundlock/core/internal/program';
import type { TryLog } from './try-log.ts';

/**
 * Marks the tries of a role that are polls by their text as the tries behind them are (P07): runs
 * the role once more, because the place of an operation is known only where it is captured.
 */
export function markPolls(program: Program, role: number, log: TryLog): void {
  if (log.retries.size === 0) return;
  const { instructions, answers, retries, polls } = log;
  const captured = new Set([...retries].map((retry) => resumedFor(log, retry - 1)));
  const cursor = new Cursor(program.instance(role, false));
  for (let at = 0; at < instructions.length; at++) {
    const next = (): unknown => cursor.nextOp(at === 0 ? 0 : answers[at - 1]!);
    if (captured.has(at)) cursor.withPlaces(next);
    else next();
    const isFirst = retries.has(at + 1);
    if (isFirst && program.rows.isTraceless(instructions[at]!, cursor.place)) polls.add(at);
  }
  log.tries -= polls.size;
}

/** The first operation that the role makes when it is resumed and comes to an operation. */
function resumedFor({ instructions }: TryLog, at: number): number {
  let first = at;
  while (first > 0 && !CATALOGUE[instructions[first - 1]!.kind]!.yields) first--;
  return first;
}
