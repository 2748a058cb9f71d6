// Agents that stay fixed during a lookahead, and what has to wait behind their flights.
import {
  IS_GROUP,
  IS_WORK,
  SYNC_CLUSTER,
  SYNC_RELEASED,
  type Instruction,
  type Machine,
} from '@poundlock/core/internal/machine';

/** Fixed roles, by number, and flights, by their position in the list of a state. */
export class FixedAgents {
  readonly #machine: Machine;
  #roles: Uint8Array = new Uint8Array(0);
  #flights: Uint8Array = new Uint8Array(0);
  #words: Int32Array = new Int32Array(0);
  isAnyRole = false;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  begin(words: Int32Array, roles: Uint8Array, flights: Uint8Array): void {
    this.#words = words;
    this.#roles = roles;
    this.#flights = flights;
    this.isAnyRole = roles.includes(1);
  }

  hasRole(role: number): boolean {
    return this.#roles[role] === 1;
  }

  hasFlight(index: number): boolean {
    return this.#flights[index] === 1;
  }

  /** Whether fixed work of its queue is before a list position, or anywhere for −1. */
  isBefore(id: number, index: number): boolean {
    const { queues, traits } = this.#machine.flights;
    const open = this.#machine.openFlights;
    const last = index < 0 ? open.count(this.#words) : index;
    for (let i = 0; i < last; i++) {
      if (this.#flights[i] === 0) continue;
      const other = open.idAt(this.#words, i);
      if (queues[other] === queues[id] && (traits[other]! & IS_WORK) !== 0) return true;
    }
    return false;
  }

  /** U04: whether a wait for groups can pass. Those that are behind fixed work stay open. */
  canGroupsComplete(instruction: Instruction): boolean {
    const { role, unit, reading, team, inFlight } = instruction;
    if (!this.#canComplete(role, unit, inFlight)) return false;
    if (!team.every((other) => this.#canComplete(other, unit, inFlight))) return false;
    return reading < 0 || this.#canComplete(role, reading, inFlight);
  }

  /** N07: whether a wait at the split cluster barrier can pass: no fixed role still has to come. */
  canClusterOpen({ role, cta }: Instruction): boolean {
    const { layout, shape } = this.#machine;
    if (this.#words[layout.cluster + role] === SYNC_RELEASED) return true;
    const { first, end } = shape.grids.find((grid) => cta < grid.end)!;
    return shape.roleCtas.every((one, other) => {
      if (one < first || one >= end || !this.hasRole(other)) return true;
      return this.#words[layout.cluster + other] === SYNC_CLUSTER;
    });
  }

  /** D01, D02: whether a role can begin, or the grid before it can end. */
  canGridFollow({ cta, isRaw }: Instruction): boolean {
    const { layout, shape } = this.#machine;
    const before = shape.grids[shape.grids.findIndex(({ end }) => cta < end) - 1];
    if (before === undefined) return true;
    const isBefore = (one: number): boolean => one >= before.first && one < before.end;
    if (!isRaw) {
      const isFixed = (one: number, role: number): boolean => isBefore(one) && this.hasRole(role);
      return !shape.roleCtas.some(isFixed) && !this.#hasFlightOf(isBefore);
    }
    return shape.roleCtas.every((one, role) => {
      if (!isBefore(one) || !this.hasRole(role)) return true;
      if (this.#words[layout.launched + one] !== 0) return true;
      // Another role of its CTA may launch the dependents.
      return shape.roleCtas.some((other, at) => other === one && !this.hasRole(at));
    });
  }

  /** Whether a fixed flight is of one of some CTAs. */
  #hasFlightOf(isIt: (cta: number) => boolean): boolean {
    const open = this.#machine.openFlights;
    for (let index = 0; index < open.count(this.#words); index++) {
      if (this.#flights[index] === 1 && isIt(open.flightAt(this.#words, index).cta)) return true;
    }
    return false;
  }

  #canComplete(role: number, unit: number, inFlight: number): boolean {
    const { flights, traits } = this.#machine.flights;
    const open = this.#machine.openFlights;
    let groups = 0;
    let isBehind = false;
    for (let index = 0; index < open.count(this.#words); index++) {
      const id = open.idAt(this.#words, index);
      if (flights[id]!.role !== role || flights[id]!.unit !== unit) continue;
      if ((traits[id]! & IS_WORK) !== 0 && this.#flights[index] === 1) isBehind = true;
      if (isBehind && (traits[id]! & IS_GROUP) !== 0) groups++;
    }
    return groups <= inFlight;
  }
}
