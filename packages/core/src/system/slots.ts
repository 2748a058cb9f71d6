// The owners of each slot during a schedule, and the asynchronous work under way on it.
import type { SlotState } from '../finding/index.ts';
import { FlightKind, physical, type Flight } from '../machine/index.ts';
import { Side } from '../op/index.ts';
import type { Names } from './names.ts';
import type { MoveRecord } from './schedule.ts';
import type { System } from './system.ts';

interface Slot {
  readonly name: string;
  owners: number[];
  data: 'full' | 'empty' | undefined;
  readonly flights: number[];
}

/** A ring's stage and the side that a barrier of it is on. */
interface StageSide {
  readonly slot: Slot;
  readonly side: Side;
}

/**
 * Follows the slots of a schedule, move by move. A role owns a stage from the wait that let it in:
 * a producer until the stage is full, a consumer until its arrival on the empty barrier.
 */
export class Slots {
  readonly #system: System;
  readonly #names: Names;
  readonly #stages: ReadonlyMap<number, StageSide>;
  readonly #slots = new Map<string, Slot>();

  constructor(system: System, names: Names) {
    this.#system = system;
    this.#names = names;
    this.#stages = this.#stageSides();
  }

  /** The slots that a move changed, as they are after it. */
  after(record: MoveRecord): SlotState[] {
    const changed = new Set<Slot>();
    const { instruction, flight } = record;
    if (flight !== null) this.#complete(record.flightId, flight, changed);
    if (record.stage >= 0 && record.waited >= 0) this.#enter(record, changed);
    const leaver = instruction === null ? flight!.role : record.agent;
    for (const barrier of record.reached) this.#leave(barrier, leaver, changed);
    for (const { barrier } of record.completed) this.#turn(barrier, changed);
    for (const id of instruction?.flights ?? []) this.#issue(id, changed);
    return [...changed].map((slot) => this.#stateOf(slot));
  }

  #enter({ instruction, agent, waited }: MoveRecord, changed: Set<Slot>): void {
    const stage = this.#stages.get(waited);
    if (stage === undefined || instruction!.isDraining) return;
    if (!stage.slot.owners.includes(agent)) stage.slot.owners.push(agent);
    changed.add(stage.slot);
  }

  /** A consumer gives a stage on by its arrival, whether it makes it itself or a signal does. */
  #leave(barrier: number, role: number, changed: Set<Slot>): void {
    const stage = this.#stages.get(barrier);
    if (stage?.side !== Side.produce || !stage.slot.owners.includes(role)) return;
    stage.slot.owners = stage.slot.owners.filter((owner) => owner !== role);
    changed.add(stage.slot);
  }

  /** A phase completes: all producers, or all consumers, have released the stage. */
  #turn(barrier: number, changed: Set<Slot>): void {
    const stage = this.#stages.get(barrier);
    if (stage === undefined) return;
    stage.slot.owners = [];
    stage.slot.data = stage.side === Side.consume ? 'full' : 'empty';
    changed.add(stage.slot);
  }

  #issue(id: number, changed: Set<Slot>): void {
    for (const slot of this.#touchedBy(this.#system.machine.flights.flights[id]!)) {
      slot.flights.push(id);
      changed.add(slot);
    }
  }

  #complete(id: number, flight: Flight, changed: Set<Slot>): void {
    for (const slot of this.#touchedBy(flight)) {
      const at = slot.flights.indexOf(id);
      if (at >= 0) slot.flights.splice(at, 1);
      changed.add(slot);
    }
  }

  #touchedBy({ reads, writes }: Flight): Set<Slot> {
    return new Set([...reads, ...writes].map((buffer) => this.#slotOf(this.#names.buffer(buffer))));
  }

  /** Parts of a stage are named `ab[0].a`: they are one slot with it. */
  #slotOf(buffer: string): Slot {
    const stage = buffer.replace(/\]\.[^ ]+/, ']');
    const known = this.#slots.get(buffer) ?? this.#slots.get(stage);
    if (known !== undefined) return known;
    const slot: Slot = { name: buffer, owners: [], data: undefined, flights: [] };
    this.#slots.set(buffer, slot);
    return slot;
  }

  #stateOf({ name, owners, data, flights }: Slot): SlotState {
    const open = this.#system.machine.flights.flights;
    const works = flights.map((id) => {
      const { kind, role } = open[id]!;
      return `${kind === FlightKind.copy ? 'copy' : 'work'} of ${this.#names.agent(role)}`;
    });
    const known = data === undefined ? {} : { data };
    return {
      name,
      owners: owners.map((role) => this.#names.agent(role)),
      ...known,
      flights: works,
    };
  }

  #stageSides(): Map<number, StageSide> {
    const found = new Map<number, StageSide>();
    const { declarations, ctas } = this.#system.program;
    const { shape } = this.#system.machine;
    for (const [id, { name, stages, full, empty, group }] of declarations.rings.entries()) {
      if (group !== id) continue;
      for (let cta = 0; cta < ctas; cta++) {
        for (let stage = 0; stage < stages; stage++) {
          const of = ctas === 1 ? '' : ` of CTA ${cta}`;
          const slot = { name: `${name}[${stage}]${of}`, owners: [], data: undefined, flights: [] };
          this.#slots.set(slot.name, slot);
          found.set(physical(shape, full[stage]!, cta), { slot, side: Side.consume });
          found.set(physical(shape, empty[stage]!, cta), { slot, side: Side.produce });
        }
      }
    }
    return found;
  }
}
