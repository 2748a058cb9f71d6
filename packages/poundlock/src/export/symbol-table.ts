// The symbols of a program by physical id: only those that its reachable steps use.
import { unreachable } from '@poundlock/core/internal/base';
import { FlightKind, type Flight, type Instruction } from '@poundlock/core/internal/machine';
import {
  CATALOGUE,
  isSignal,
  isStageTest,
  isTest,
  OpKind,
  Side,
} from '@poundlock/core/internal/op';
import { describeFlight, Names, type System } from '@poundlock/core/internal/system';
import { instructionsOf } from './value-domains.ts';
import type { Graph } from './graph.ts';
import { Identifiers } from './identifiers.ts';
import type {
  AccessModel,
  BarrierModel,
  BufferModel,
  CellModel,
  CountModel,
  FlightModel,
  NamedModel,
  PoolModel,
  QueueModel,
  RegisterModel,
  ShiftModel,
} from './model.ts';
import { shownName } from './shown-name.ts';

/** Looks up the symbols of an instruction; each is created at its first use. */
export class SymbolTable {
  readonly system: System;
  readonly names: Names;
  readonly identifiers = new Identifiers();
  readonly barriers: BarrierModel[];
  readonly registers = new Map<string, RegisterModel>();
  readonly counts = new Map<string, CountModel>();
  readonly cells = new Map<number, CellModel>();
  readonly buffers = new Map<number, BufferModel>();
  readonly pools = new Map<number, PoolModel>();
  readonly named = new Map<number, NamedModel>();
  readonly queues = new Map<string, QueueModel>();
  readonly #flights = new Map<number, FlightModel>();
  readonly #shifts = new Map<string, ShiftModel | null>();
  readonly #instructions: readonly Instruction[];
  /** Physical barriers that are waited for by absolute phase, outside ring registers. */
  readonly #absolute = new Set<number>();

  constructor(system: System, graph: Graph) {
    this.system = system;
    this.names = new Names(system, shownName);
    this.#instructions = [...new Set(instructionsOf(graph.roles))];
    for (const { kind, target, isRaw } of this.#instructions) {
      const isByRing = isStageTest(kind) || kind === OpKind.waitParity || isRaw;
      if (isTest(kind) && !isByRing) this.#absolute.add(target);
    }
    this.barriers = this.#makeBarriers();
    this.#makeRegisters();
    this.#makeQueues();
  }

  get instructions(): readonly Instruction[] {
    return this.#instructions;
  }

  #flightsOf(instruction: Instruction): Flight[] {
    return instruction.flights.map((id) => this.system.machine.flights.flights[id]!);
  }

  #makeBarriers(): BarrierModel[] {
    const { barriers, ctas } = this.system.machine.shape;
    const { lifetimes, drops, bytes, copies } = this.#signalTargets();
    const phased = this.#phasedBarriers();
    return barriers.flatMap(({ count, mode }, declared) =>
      Array.from({ length: ctas }, (_, cta) => {
        const id = declared * ctas + cta;
        const name = this.names.barrier(id);
        const hasLife = lifetimes.has(id) || count === 0;
        return {
          name,
          ident: this.identifiers.take('b', name),
          cta,
          count,
          isCounter: mode === 'counter',
          hasPhase: mode === 'counter' || phased.has(id),
          hasBytes: bytes.has(id) || copies.has(id),
          hasLife,
          varies: hasLife || drops.has(id),
          hasCopies: copies.has(id),
        };
      }),
    );
  }

  /** Barriers by the posted operations that change them. */
  #signalTargets(): Record<'lifetimes' | 'drops' | 'bytes' | 'copies', Set<number>> {
    const [lifetimes, drops, bytes] = [new Set<number>(), new Set<number>(), new Set<number>()];
    const copies = new Set<number>();
    const add = (found: Set<number>, barriers: readonly number[]): void => {
      for (const barrier of barriers) found.add(barrier);
    };
    for (const instruction of this.#instructions) {
      const { kind, barriers } = instruction;
      for (const { kind: flightKind, barrier } of this.#flightsOf(instruction)) {
        if (flightKind === FlightKind.copy && barrier >= 0) copies.add(barrier);
      }
      if (!isSignal(kind)) continue;
      switch (kind) {
        case OpKind.init:
        case OpKind.invalidate:
          add(lifetimes, barriers);
          break;
        case OpKind.arriveDrop:
          add(drops, barriers);
          break;
        case OpKind.arrive:
          if (instruction.bytes !== 0) add(bytes, barriers);
          break;
        case OpKind.expectTx:
        case OpKind.completeTx:
          add(bytes, barriers);
          break;
        case OpKind.asyncCopy:
        case OpKind.commit:
          break;
        default:
          return unreachable(kind);
      }
    }
    return { lifetimes, drops, bytes, copies };
  }

  /** M10: barriers whose absolute phase matters. */
  #phasedBarriers(): Set<number> {
    const { rings } = this.system.program.declarations;
    const phased = new Set(this.#absolute);
    for (const { kind, target, side, cta } of this.#instructions) {
      if (!isStageTest(kind)) continue;
      const { full, empty } = rings[target]!;
      for (const id of side === Side.consume ? full : empty) {
        phased.add(id * this.system.program.ctas + cta);
      }
    }
    return phased;
  }

  #makeRegisters(): void {
    for (const instruction of this.#instructions) {
      if (CATALOGUE[instruction.kind]!.names !== 'ring') continue;
      const key = registerKey(instruction);
      if (this.registers.has(key)) continue;
      const { declarations } = this.system.program;
      const { stages } = declarations.rings[instruction.target]!;
      const ring = this.names.ring(instruction.target);
      const isShared = instruction.kind === OpKind.tryClaim;
      const side = instruction.side === Side.consume ? 'consumed' : 'produced';
      const owner = this.names.agent(instruction.role);
      const name = isShared
        ? `${ring} claimed in CTA ${instruction.cta}`
        : `${ring} ${side} by ${owner}`;
      const ident = this.identifiers.take(
        'r',
        isShared ? `${ring} claimed ${instruction.cta}` : `${owner} ${ring} ${side}`,
      );
      this.registers.set(key, { name, ident, stages });
    }
  }

  /** The register of an instruction. */
  register(instruction: Instruction): RegisterModel {
    return this.registers.get(registerKey(instruction))!;
  }

  /** R09: the registers of the copies of an instruction's ring, by the same role on that side. */
  copiesOf({ role, target, side }: Instruction): RegisterModel[] {
    const { rings } = this.system.program.declarations;
    const { group } = rings[target]!;
    return rings.flatMap((ring, id) => {
      const register = this.registers.get(`${role} ${id} ${side}`);
      return id === target || ring.group !== group || register === undefined ? [] : [register];
    });
  }

  /** The barrier that a wait at a stage of an instruction's ring tests. */
  stageBarrier({ target, side, cta }: Instruction, stage: number): BarrierModel {
    const { full, empty } = this.system.program.declarations.rings[target]!;
    const id = (side === Side.consume ? full : empty)[stage]!;
    return this.barriers[id * this.system.program.ctas + cta]!;
  }

  /** R06: the shift of a register, or `null` if the absolute phases matter. */
  shift(ring: number, cta: number): ShiftModel | null {
    const { rings } = this.system.program.declarations;
    const { group } = rings[ring]!;
    const key = `${group} ${cta}`;
    const cache = this.#shifts.get(key);
    if (cache !== undefined) return cache;
    const shift = this.#makeShift(group, cta);
    this.#shifts.set(key, shift);
    return shift;
  }

  #makeShift(group: number, cta: number): ShiftModel | null {
    const { declarations, roles, ctas } = this.system.program;
    const { stages, full, empty, name } = declarations.rings[group]!;
    const ids = [...full, ...empty].map((id) => id * ctas + cta);
    if (ids.some((id) => this.#absolute.has(id))) return null;
    const registers = [...this.registers].filter(([key]) => {
      const [owner, id] = key.split(' ').map(Number);
      if (declarations.rings[id!]!.group !== group) return false;
      return owner! < 0 ? owner === -1 - cta : roles[owner!]!.cta === cta;
    });
    const ident = this.identifiers.take('shift', ctas === 1 ? name : `${name} ${cta}`);
    const barriers = ids.map((id) => this.barriers[id]!).filter(({ hasPhase }) => hasPhase);
    return { ident, registers: registers.map(([, one]) => one), barriers, period: 2 * stages };
  }

  get shifts(): ShiftModel[] {
    return [...this.#shifts.values()].filter((shift) => shift !== null);
  }

  count({ role, target }: Instruction): CountModel {
    const { counts } = this.system.program.declarations;
    return cached(this.counts, `${role} ${target}`, () => {
      const { name, total } = counts[target]!;
      const owner = this.names.agent(role);
      return {
        name: `${name} of ${owner}`,
        ident: this.identifiers.take('n', `${owner} ${name}`),
        total,
      };
    });
  }

  cell(id: number): CellModel {
    return cached(this.cells, id, () => {
      const name = this.names.cell(id);
      const initial = this.system.machine.shape.cells[Math.floor(id / this.system.program.ctas)]!;
      return { name, ident: this.identifiers.take('c', name), initial };
    });
  }

  buffer(id: number): BufferModel {
    const { ctas } = this.system.program;
    const declared = Math.floor(id / ctas);
    return cached(this.buffers, id, () => {
      const { pools, globals } = this.system.machine.shape;
      const pool = pools.findIndex(({ buffers }) => buffers.includes(declared));
      const name = this.names.buffer(id);
      const ident = this.identifiers.take('s', name);
      return { name, ident, cta: id % ctas, pool, isGlobal: globals.includes(declared) };
    });
  }

  pool(id: number): PoolModel {
    const { ctas } = this.system.program;
    return cached(this.pools, id, () => {
      const { capacity, buffers } = this.system.machine.shape.pools[Math.floor(id / ctas)]!;
      const name = this.names.pool(id);
      const models = buffers.map((buffer) => this.buffer(buffer * ctas + (id % ctas)));
      return { name, ident: this.identifiers.take('p', name), capacity, buffers: models };
    });
  }

  namedBarrier(id: number): NamedModel {
    return cached(this.named, id, () => {
      const { namedBarriers, ctas } = this.system.program;
      const name = this.names.namedBarrier(id);
      const whole = ctas === 1 ? name : `${name} of CTA ${Math.floor(id / namedBarriers)}`;
      return { id: id + 1, name: whole, ident: this.identifiers.take('g', whole) };
    });
  }

  #makeQueues(): void {
    const { flights } = this.system.machine.flights;
    for (const id of new Set(this.#instructions.flatMap((one) => one.flights))) {
      const flight = flights[id]!;
      const queue = cached(this.queues, `${flight.role} ${flight.unit}`, () =>
        this.#makeQueue(flight),
      );
      const text =
        flight.kind === FlightKind.group ? 'a group ends' : describeFlight(this.names, flight);
      const number = queue.flights.length + 1;
      const barrier = flight.barrier < 0 ? null : this.barriers[flight.barrier]!;
      const ident = `f_${queue.ident.slice(2)}_${number}`;
      const accesses = this.accesses(flight.reads, flight.writes);
      const model: FlightModel = { text, ident, flight, number, barrier, queue, accesses };
      queue.flights.push(model);
      this.#flights.set(id, model);
    }
  }

  #makeQueue({ role, unit, inOrder }: Flight): QueueModel {
    const owner = `${this.names.agent(role)} ${this.names.agent(this.system.roles + unit)}`;
    const hasMarks = this.#instructions.some((one) =>
      this.#flightsOf(one).some((flight) => {
        const isMark = flight.kind === FlightKind.signal || flight.kind === FlightKind.group;
        return isMark && flight.role === role && flight.unit === unit;
      }),
    );
    const isBag = !inOrder && !hasMarks;
    return { ident: this.identifiers.take('q', owner), role, unit, inOrder, isBag, flights: [] };
  }

  /** The accessed buffers: one that is read and written counts as written. */
  accesses(reads: readonly number[], writes: readonly number[]): AccessModel[] {
    const written = new Set(writes);
    const onlyRead = [...new Set(reads)].filter((id) => !written.has(id));
    return [
      ...[...written].map((id) => ({ buffer: this.buffer(id), writes: true })),
      ...onlyRead.map((id) => ({ buffer: this.buffer(id), writes: false })),
    ];
  }

  flight(id: number): FlightModel {
    return this.#flights.get(id)!;
  }

  queueOf(role: number, unit: number): QueueModel | undefined {
    return this.queues.get(`${role} ${unit}`);
  }

  /** Whether some step has one of these kinds. */
  has(...kinds: readonly number[]): boolean {
    return this.#instructions.some(({ kind }) => kinds.includes(kind));
  }
}

/** A role's register by role, ring and side; a shared one by its CTA. */
function registerKey({ kind, role, cta, target, side }: Instruction): string {
  return `${kind === OpKind.tryClaim ? -1 - cta : role} ${target} ${side}`;
}

function cached<K, V>(cache: Map<K, V>, key: K, make: () => V): V {
  let value = cache.get(key);
  if (value === undefined) cache.set(key, (value = make()));
  return value;
}
