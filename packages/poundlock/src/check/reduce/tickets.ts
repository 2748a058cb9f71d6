// Integers that several roles take from a cell by adding to it: which of them each may get.
import { unreachable } from '@poundlock/core/internal/base';
import type { Instruction, Machine } from '@poundlock/core/internal/machine';
import { isOnCell, OpKind } from '@poundlock/core/internal/op';
import type { Visits } from './visits.ts';

/**
 * Integers that several take from a cell are different, and a role takes another one only after it
 * had one, so that at most as many are taken as there are roles, and integers after which a role
 * comes to the cell again.
 */
export class Tickets {
  /** By cell: how often it may be added to, and from where: ways or tickets that are used up. */
  readonly #adds: readonly number[][];
  readonly #amounts: Int32Array;

  constructor(machine: Machine) {
    const { cells, ctas } = machine.shape;
    this.#adds = Array.from({ length: cells.length * ctas }, () => []);
    this.#amounts = new Int32Array(this.#adds.length);
  }

  clear(): void {
    for (const adds of this.#adds) adds.length = 0;
  }

  /**
   * A role comes to add to a cell. `cell` and `ticket` are where it was before, and what it got
   * there; −1 for a role that has had none. Whether that is new.
   */
  come({ target, role, amount }: Instruction, cell: number, ticket: number): boolean {
    const adds = this.#adds[target]!;
    const key = cell < 0 ? -1 - role : cell * 2 ** 32 + (ticket >>> 0);
    if (adds.includes(key)) return false;
    adds.push(key);
    if (adds.length === 1) this.#amounts[target] = amount;
    return true;
  }

  /** How many integers may be taken from a cell. */
  most(cell: number): number {
    return this.#adds[cell]!.length;
  }

  /** What this counts on: no other agent writes such a cell, or adds another amount. */
  blameOthers(visits: Visits, machine: Machine): void {
    const { instructions, flights, agents, wild, length } = visits;
    for (let visit = 0; visit < length; visit++) {
      const instruction = instructions[visit];
      const flight = flights[visit]! < 0 ? null : machine.flights.flights[flights[visit]!]!;
      const cell = flight === null ? cellWritten(instruction!) : flight.cell;
      if (cell < 0 || this.#adds[cell]!.length === 0) continue;
      if (instruction?.kind !== OpKind.fetchAdd) wild.push(agents[visit]!);
      else if (instruction.amount !== this.#amounts[cell]) wild.push(agents[visit]!);
    }
  }
}

/** The cell that an operation writes at once, or −1. */
export function cellWritten({ kind, target }: Instruction): number {
  if (!isOnCell(kind)) return -1;
  switch (kind) {
    case OpKind.store:
    case OpKind.fetchAdd:
      return target;
    case OpKind.load:
      return -1;
    default:
      return unreachable(kind);
  }
}
