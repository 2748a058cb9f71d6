// Explains a loop that reads a cell until it changes, where no role changes it any more.
import { OpKind } from '../../op/index.ts';
import { formatNumber, list } from '../names.ts';
import type { Scene } from './draft.ts';
import { future } from './future.ts';

/** The most operations in one round of a loop that polls. */
const MAX_ROUND = 200;

/** A role that polls cells in vain. */
export interface PolledCell {
  readonly role: number;
  readonly text: string;
  /** The moves that wrote the cells last. */
  readonly writes: readonly number[];
}

/** The role that polls a cell in vain, and what it reads; null where every poll may end. */
export function polledCell(scene: Scene): PolledCell | null {
  const { names, system, schedule } = scene;
  for (let role = 0; role < system.roles; role++) {
    if (system.options(schedule.words, role) === 0) continue;
    const cells = cellsOfRound(scene, role);
    if (cells.length === 0 || cells.some((cell) => isChanged(scene, cell))) continue;
    const values = cells.map((cell) => {
      const value = schedule.words[system.machine.layout.cells + cell]!;
      return `${names.cell(cell)}, which is ${formatNumber(value)}`;
    });
    const it = cells.length === 1 ? 'it' : 'them';
    const text =
      `${names.agent(role)} reads ${list(values)}, in each round of a loop that never ends, ` +
      `and no role changes ${it} any more`;
    return { role, text, writes: cells.flatMap((cell) => lastWrites(scene, cell)) };
  }
  return null;
}

/** The most writes of a cell that are shown: the last one, and what it replaced. */
const MAX_WRITES = 2;

/** The last moves that wrote a cell, the newest first, as indices of the schedule. */
function lastWrites({ schedule }: Scene, cell: number): number[] {
  const found: number[] = [];
  for (let at = schedule.records.length - 1; at >= 0 && found.length < MAX_WRITES; at--) {
    const { instruction, flight } = schedule.records[at]!;
    const { kind, target } = instruction ?? { kind: -1, target: -1 };
    const isWrite = kind === OpKind.store || kind === OpKind.fetchAdd;
    if ((isWrite && target === cell) || flight?.cell === cell) found.push(at);
  }
  return found;
}

/** What the last write of a cell did, for a label: `reset writes 0 to flag here`. */
export function writeText({ names, schedule }: Scene, at: number): string {
  const { agent, instruction, flight } = schedule.records[at]!;
  const who = names.agent(flight?.role ?? agent);
  const cell = flight?.cell ?? instruction!.target;
  if (flight !== null && flight !== undefined)
    return `${who}'s copy writes ${formatNumber(flight.value)} to ${names.cell(cell)}`;
  const { kind, stored, amount } = instruction!;
  return kind === OpKind.store
    ? `${who} writes ${formatNumber(stored)} to ${names.cell(cell)} here`
    : `${who} adds ${formatNumber(amount)} to ${names.cell(cell)} here`;
}

/** The cells that a role reads in a round that brings it back to where it is, and does no more. */
function cellsOfRound({ system, schedule }: Scene, role: number): number[] {
  const cells = new Set<number>();
  const start = schedule.words[role]!;
  let count = 0;
  for (const { step, instruction } of future(system, schedule.words, role, MAX_ROUND)) {
    if (count++ > 0 && step === start) return [...cells];
    if (instruction.kind !== OpKind.load) return [];
    cells.add(instruction.target);
  }
  return [];
}

/** Whether some role still stores to a cell, at once or as its asynchronous work completes. */
function isChanged({ system, schedule }: Scene, cell: number): boolean {
  const { openFlights, flights } = system.machine;
  for (let index = 0; index < openFlights.count(schedule.words); index++)
    if (openFlights.flightAt(schedule.words, index).cell === cell) return true;
  return system.program.roles.some((_, role) => {
    for (const { instruction } of future(system, schedule.words, role)) {
      const { kind, target } = instruction;
      if (target === cell && (kind === OpKind.store || kind === OpKind.fetchAdd)) return true;
      if (instruction.flights.some((id) => flights.flights[id]!.cell === cell)) return true;
    }
    return false;
  });
}
