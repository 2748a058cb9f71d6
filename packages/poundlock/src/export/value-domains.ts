// The possible results of operations: exact if only its own role decides them, else all.
import { Alias, aliasOf, parityPasses } from '@poundlock/core/internal/machine';
import type { Instruction, MachineShape } from '@poundlock/core/internal/machine';
import { isOnPool, isTest, OpKind, type PostedKind } from '@poundlock/core/internal/op';
import type { System } from '@poundlock/core/internal/system';
import type { GraphStep, RoleGraph } from './graph.ts';
import type { Memory } from './memory.ts';

type Answer = readonly [answer: number, after: Memory];

/** Results by the known values of cells and pools; call {@link learn} until nothing is new. */
export class ValueDomains {
  readonly #system: System;
  readonly #shape: MachineShape;
  readonly #maxAdds: number;
  /** By physical cell: its possible values, with the fewest additions that lead there. */
  readonly #values: Map<number, number>[];
  /** By physical cell: the number of possible additions. */
  readonly #adds: number[];
  /** Cells whose values were truncated at the bound. */
  readonly truncated = new Set<number>();
  /** Cells whose values may fall: they are stored to, or something negative is added. */
  readonly #falling = new Set<number>();
  /** Physical pools that several roles use: which role gets which buffer is unknown. */
  readonly #sharedPools = new Set<number>();
  /** Physical barriers that some step or flight changes. */
  readonly #changedBarriers = new Set<number>();

  constructor(system: System, maxAdds: number) {
    this.#system = system;
    this.#shape = system.machine.shape;
    this.#maxAdds = maxAdds;
    const { cells, ctas } = this.#shape;
    const initial = cells.flatMap((value) => Array.from({ length: ctas }, () => value));
    this.#values = initial.map((value) => new Map([[value, 0]]));
    this.#adds = initial.map(() => 0);
  }

  /** The possible results of a step with the private values `memory`. */
  of(step: GraphStep, memory: Memory): readonly Answer[] {
    const instruction = step.instruction!;
    const same = (answer: number): Answer => [answer, memory];
    const { kind } = instruction;
    switch (kind) {
      case OpKind.wait:
      case OpKind.waitParity:
        return this.#canPass(instruction) ? [same(0)] : [];
      case OpKind.waitStage:
      case OpKind.stage:
        return [same(memory.get(registerName(instruction)))];
      case OpKind.step: {
        const name = registerName(instruction);
        return [[0, memory.with(name, (memory.get(name) + 1) % this.#stages(instruction))]];
      }
      case OpKind.more:
        return [this.#more(instruction, memory)];
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
        return step.isRetry ? [same(1)] : [same(1), same(0)];
      case OpKind.tryClaim: {
        const stages = range(this.#stages(instruction)).map(same);
        return step.isRetry ? stages : [...stages, same(-1)];
      }
      case OpKind.choose:
        return range(instruction.choices).map(same);
      case OpKind.load:
      case OpKind.fetchAdd:
        return this.#cellValues(instruction, memory);
      case OpKind.alloc:
        return this.#buffers(instruction, memory);
      case OpKind.free:
        return [[0, this.#freed(instruction, memory)]];
      case OpKind.waitGroup:
      case OpKind.syncNamed:
      case OpKind.syncCluster:
      case OpKind.waitCluster:
      case OpKind.takeRegisters:
      case OpKind.waitGrids:
      case OpKind.join:
      case OpKind.compute:
      case OpKind.fence:
        return [same(0)];
      default:
        return withoutResult(kind, same);
    }
  }

  /** Whether a wait can pass: a barrier without arrivals stays in phase 0 (M07, M10). */
  #canPass({ kind, target, parity, phase }: Instruction): boolean {
    const { barriers, ctas } = this.#shape;
    const { mode, count } = barriers[Math.floor(target / ctas)]!;
    if (this.#changedBarriers.has(target) || mode === 'counter' || count === 0) return true;
    if (kind === OpKind.waitParity) return parityPasses(0, parity);
    return parityPasses(0, phase) && aliasOf(0, phase) === Alias.none;
  }

  #stages({ target }: Instruction): number {
    return this.#system.program.declarations.rings[target]!.stages;
  }

  #more({ target }: Instruction, memory: Memory): Answer {
    const name = `count${target}`;
    const count = memory.get(name);
    const { total } = this.#system.program.declarations.counts[target]!;
    return count >= total ? [0, memory] : [1, memory.with(name, count + 1)];
  }

  /** A role that draws tickets gets a higher one each time: no cell of tickets ever falls. */
  #cellValues(instruction: Instruction, memory: Memory): Answer[] {
    const { target, kind, amount } = instruction;
    const values = this.valuesBefore(instruction);
    if (this.#falling.has(target)) return values.map((value) => [value, memory]);
    const name = `cell${target}`;
    const lowest = this.#lowest(target);
    const added = kind === OpKind.fetchAdd ? amount : 0;
    const known = lowest + memory.get(name);
    const possible = values.filter((value) => value >= known);
    return possible.map((value) => [value, memory.with(name, value + added - lowest)]);
  }

  /** The value of a cell at the start. */
  #lowest(cell: number): number {
    return this.#shape.cells[Math.floor(cell / this.#shape.ctas)]!;
  }

  #valuesBeforeAdding({ target }: Instruction): number[] {
    const most = Math.min(this.#adds[target]!, this.#maxAdds);
    const known = [...this.#values[target]!].filter(([, adds]) => adds < Math.max(most, 1));
    return known.map(([value]) => value);
  }

  /** A01: a pool of one role returns its buffers in order; a shared pool returns any. */
  #buffers({ target, units: wanted, cta }: Instruction, memory: Memory): Answer[] {
    const { ctas, pools } = this.#shape;
    const { buffers, capacity } = pools[Math.floor(target / ctas)]!;
    if (this.#sharedPools.has(target)) return buffers.map((buffer) => [buffer, memory]);
    const units = (buffer: number): number => memory.get(bufferName(buffer * ctas + cta));
    const used = buffers.reduce((sum, buffer) => sum + units(buffer), 0);
    const free = buffers.find((buffer) => units(buffer) === 0);
    if (free === undefined || used + wanted > capacity) return [];
    return [[free, memory.with(bufferName(free * ctas + cta), wanted)]];
  }

  #freed({ target, writes }: Instruction, memory: Memory): Memory {
    const [buffer = 0] = writes;
    return this.#sharedPools.has(target) ? memory : memory.with(bufferName(buffer), 0);
  }

  /** Updates the domains from the explored roles; returns whether they have grown. */
  learn(roles: readonly RoleGraph[]): boolean {
    const shared = this.#sharePools(roles);
    const falls = this.#findFalling(roles);
    const stored = this.#storeValues(roles);
    const added = this.#addValues(roles);
    const changedBarriers = this.#moveBarriers(roles);
    return shared || falls || stored || added || changedBarriers;
  }

  #findFalling(roles: readonly RoleGraph[]): boolean {
    const before = this.#falling.size;
    const { flights } = this.#system.machine.flights;
    for (const { kind, target, amount, flights: ids } of instructionsOf(roles)) {
      if (kind === OpKind.store || (kind === OpKind.fetchAdd && amount < 0)) {
        this.#falling.add(target);
      }
      for (const id of ids) if (flights[id]!.cell >= 0) this.#falling.add(flights[id]!.cell);
    }
    return this.#falling.size > before;
  }

  #moveBarriers(roles: readonly RoleGraph[]): boolean {
    const before = this.#changedBarriers.size;
    const { flights } = this.#system.machine.flights;
    for (const { kind, barriers, flights: ids } of instructionsOf(roles)) {
      if (!isTest(kind)) for (const barrier of barriers) this.#changedBarriers.add(barrier);
      for (const id of ids) this.#changedBarriers.add(flights[id]!.barrier);
    }
    return this.#changedBarriers.size > before;
  }

  #sharePools(roles: readonly RoleGraph[]): boolean {
    const before = this.#sharedPools.size;
    const owner = new Map<number, number>();
    for (const { kind, target, role } of instructionsOf(roles)) {
      if (!isOnPool(kind) || kind === OpKind.relinquish) continue;
      if ((owner.get(target) ?? role) !== role) this.#sharedPools.add(target);
      owner.set(target, role);
    }
    return this.#sharedPools.size > before;
  }

  #storeValues(roles: readonly RoleGraph[]): boolean {
    let isNew = false;
    const note = (cell: number, value: number): void => {
      const values = this.#values[cell]!;
      isNew ||= !values.has(value);
      values.set(value, 0);
    };
    for (const { kind, target, stored, flights } of instructionsOf(roles)) {
      if (kind === OpKind.store) note(target, stored);
      for (const id of flights) {
        const flight = this.#system.machine.flights.flights[id]!;
        if (flight.cell >= 0) note(flight.cell, flight.value);
      }
    }
    return isNew;
  }

  #addValues(roles: readonly RoleGraph[]): boolean {
    let isNew = false;
    for (const [cell, values] of this.#values.entries()) {
      const summands = new Set<number>();
      for (const { kind, target, amount } of instructionsOf(roles)) {
        if (kind === OpKind.fetchAdd && target === cell) summands.add(amount);
      }
      if (summands.size === 0) continue;
      const possible = roles.reduce((sum, role) => sum + addsOf(role, cell), 0);
      isNew ||= possible !== this.#adds[cell];
      this.#adds[cell] = possible;
      if (possible > this.#maxAdds) this.truncated.add(cell);
      const most = Math.min(possible, this.#maxAdds);
      for (const [value, adds] of values) {
        if (adds >= most) continue;
        for (const summand of summands) {
          if (values.has(value + summand)) continue;
          values.set(value + summand, adds + 1);
          isNew = true;
        }
      }
    }
    return isNew;
  }

  /** The values before reading a cell: for `fetchAdd` those before the addition. */
  valuesBefore(instruction: Instruction): readonly number[] {
    if (instruction.kind === OpKind.fetchAdd) return this.#valuesBeforeAdding(instruction);
    return [...this.#values[instruction.target]!.keys()];
  }
}

/** A posted operation has no result. */
function withoutResult(
  _kind: Exclude<PostedKind, typeof OpKind.free>,
  same: (answer: number) => Answer,
): readonly Answer[] {
  return [same(0)];
}

/** All instructions of some roles. */
export function* instructionsOf(roles: readonly RoleGraph[]): Generator<Instruction> {
  for (const { steps } of roles) {
    for (const { instruction } of steps.values()) if (instruction !== null) yield instruction;
  }
}

/** The most additions to a cell on one path through a role; infinite if they can repeat. */
function addsOf({ entry, steps }: RoleGraph, cell: number): number {
  const isAdd = ({ instruction }: GraphStep): boolean =>
    instruction?.kind === OpKind.fetchAdd && instruction.target === cell;
  const most = new Map<number, number>();
  const longest = (from: number): number => {
    const known = most.get(from);
    if (known !== undefined) return known;
    most.set(from, Infinity);
    let longestAfter = 0;
    for (const add of firstAfter(steps, from, isAdd)) {
      longestAfter = Math.max(longestAfter, 1 + longest(add));
      if (longestAfter === Infinity) break;
    }
    most.set(from, longestAfter);
    return longestAfter;
  };
  const start = steps.get(entry)!;
  return isAdd(start) ? 1 + longest(entry) : longest(entry);
}

/** The first steps of a kind after `from`, on all paths. */
function firstAfter(
  steps: ReadonlyMap<number, GraphStep>,
  from: number,
  isWanted: (step: GraphStep) => boolean,
): Set<number> {
  const found = new Set<number>();
  const seen = new Set<number>();
  const open = [...steps.get(from)!.edges.values()];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const step = steps.get(id)!;
    if (isWanted(step)) found.add(id);
    else open.push(...step.edges.values());
  }
  return found;
}

function registerName({ target, side }: Instruction): string {
  return `stage${target}.${side}`;
}

function bufferName(buffer: number): string {
  return `buffer${buffer}`;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
