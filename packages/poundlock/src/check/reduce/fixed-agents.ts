// Agents that stay fixed during a lookahead, and what has to wait behind their flights.
import {
  IS_GROUP,
  IS_WORK,
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
  canGroupsComplete({ role, unit, inFlight }: Instruction): boolean {
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
