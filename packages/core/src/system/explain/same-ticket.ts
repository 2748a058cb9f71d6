// Two roles that got one number from a counter, because a store between the two set it back.
import { OpKind } from '../../op/index.ts';
import { formatNumber } from '../names.ts';
import type { Schedule } from '../schedule.ts';
import type { Scene } from './draft.ts';

/** A `fetchAdd` in a schedule. */
interface Ticket {
  readonly cell: number;
  readonly at: number;
  readonly value: number;
}

/** A store that made two roles get the same number of a counter. */
export interface SameTicket {
  /** The move that stored. */
  readonly stored: number;
  readonly text: string;
}

/** Whether the last numbers that two roles got are one, and the store that made it so. */
export function sameTicket(scene: Scene, one: number, two: number): SameTicket | null {
  const { names, schedule } = scene;
  if (one === two || schedule.isTail) return null;
  const [first, second] = [lastTicket(scene, one), lastTicket(scene, two)];
  if (first === null || second === null) return null;
  if (first.cell !== second.cell || first.value !== second.value) return null;
  const [start, end] = [Math.min(first.at, second.at), Math.max(first.at, second.at)];
  const stored = schedule.records.findLastIndex(
    (_, at) => at > start && at < end && storedIn(schedule, at, first.cell) !== null,
  );
  if (stored < 0) return null;
  const { agent, flight } = schedule.records[stored]!;
  const [cell, by] = [names.cell(first.cell), names.agent(flight?.role ?? agent)];
  const value = formatNumber(storedIn(schedule, stored, first.cell)!);
  const got = formatNumber(first.value);
  const text = `both get ${got} from ${cell}, because ${by} writes ${value} to it between`;
  return { stored, text };
}

/** The last number that a role got from a counter. */
function lastTicket(scene: Scene, role: number): Ticket | null {
  const { records } = scene.schedule;
  const at = records.findLastIndex(
    ({ agent, instruction }) => agent === role && instruction?.kind === OpKind.fetchAdd,
  );
  if (at < 0) return null;
  const cell = records[at]!.instruction!.target;
  return { cell, at, value: valueBefore(scene, cell, at) };
}

/** The value of a cell before a move. */
function valueBefore({ schedule, system }: Scene, cell: number, end: number): number {
  let value = system.initial()[system.machine.layout.cells + cell]!;
  for (let at = 0; at < end; at++) {
    const { instruction } = schedule.records[at]!;
    const isAdded = instruction?.kind === OpKind.fetchAdd && instruction.target === cell;
    value = storedIn(schedule, at, cell) ?? (isAdded ? (value + instruction.amount) | 0 : value);
  }
  return value;
}

/** The number that a move stores into a cell, or `null`. */
function storedIn({ records }: Schedule, at: number, cell: number): number | null {
  const { instruction, flight } = records[at]!;
  if (flight?.cell === cell) return flight.value;
  return instruction?.kind === OpKind.store && instruction.target === cell
    ? instruction.stored
    : null;
}
