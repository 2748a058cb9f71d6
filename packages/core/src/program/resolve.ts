// Resolves operations to instructions: every declared id becomes the physical id of its CTA.
import { InputError, InvariantError } from '../base/index.ts';
import {
  FlightKind,
  NAMED_BARRIERS,
  type Flight,
  type Instruction,
  type Machine,
} from '../machine/index.ts';
import { CATALOGUE, OpKind, UNITS, type Op, type Unit } from '../op/index.ts';
import type { Program } from './program.ts';

const BARRIER_OPS: ReadonlySet<OpKind> = new Set<OpKind>([
  OpKind.init,
  OpKind.invalidate,
  OpKind.wait,
  OpKind.waitParity,
  OpKind.tryWait,
  OpKind.arrive,
  OpKind.expectTx,
  OpKind.completeTx,
  OpKind.arriveDrop,
  OpKind.asyncCopy,
  OpKind.commit,
]);
const PER_CTA: ReadonlySet<OpKind> = new Set<OpKind>([
  OpKind.store,
  OpKind.load,
  OpKind.fetchAdd,
  OpKind.alloc,
  OpKind.free,
  OpKind.relinquish,
]);

const FLYING: ReadonlySet<OpKind> = new Set<OpKind>([
  OpKind.asyncCopy,
  OpKind.asyncUse,
  OpKind.commit,
]);

/** An operation that was resolved before; others with its hash follow it. */
interface Known {
  readonly op: Op;
  readonly role: number;
  readonly instruction: Instruction;
  readonly next: Known | undefined;
}

const NONE: readonly number[] = Object.freeze([]);

/** Interns instructions, so that equal operations of a role are the same object. */
export class Resolver {
  readonly units: Unit[] = Object.values(UNITS);
  readonly #program: Program;
  readonly #machine: Machine;
  readonly #known = new Map<number, Known>();
  /** By role: its own CTA, which most operations reach alone. */
  readonly #own: readonly (readonly number[])[];

  constructor(program: Program, machine: Machine) {
    this.#program = program;
    this.#machine = machine;
    this.#own = program.roles.map(({ cta }) => [cta]);
  }

  /** The instruction that `op` is when the role with index `role` makes it. */
  resolve(op: Op, role: number): Instruction {
    if (op.resolved !== null) return op.resolved as Instruction;
    const hash = hashOf(op, role);
    const first = this.#known.get(hash);
    let known = first;
    while (known !== undefined && !(known.role === role && isSame(known.op, op)))
      known = known.next;
    if (known === undefined) {
      known = { op, role, instruction: this.#make(op, role), next: first };
      this.#known.set(hash, known);
    }
    op.resolved = known.instruction;
    return known.instruction;
  }

  /** An operation that was resolved to `instruction`. */
  opOf(instruction: Instruction): Op {
    for (const first of this.#known.values()) {
      for (let known: Known | undefined = first; known !== undefined; known = known.next) {
        if (known.instruction === instruction) return known.op;
      }
    }
    throw new InvariantError('an instruction has an operation that it was made of');
  }

  #make(op: Op, role: number): Instruction {
    const { cta } = this.#program.roles[role]!;
    const own = this.#own[role]!;
    const ctas = op.ctas.length === 0 ? own : op.ctas;
    for (let i = 0; i < ctas.length; i++) this.#requireCta(op, role, ctas[i]!);
    const isStart = op.kind === OpKind.spawn || op.kind === OpKind.join;
    if (isStart && this.#program.roles[op.target] === undefined) {
      const { roles } = this.#program;
      const { name } = CATALOGUE[op.kind]!;
      const most = roles.length - 1;
      throw new InputError(
        `role ${roles[role]!.name}: ${name} names role ${op.target} of 0 to ${most}`,
      );
    }
    const of = this.#program.ctas;
    const isBarrier = BARRIER_OPS.has(op.kind);
    const barriers = isBarrier && op.target >= 0 ? barriersOf(op, ctas, of) : NONE;
    let { target } = op;
    if (isBarrier) target = barriers[0] ?? -1;
    else if (PER_CTA.has(op.kind)) target = op.target * of + ctas[0]!;
    else if (op.kind === OpKind.syncNamed || op.kind === OpKind.arriveNamed) {
      target = cta * NAMED_BARRIERS + op.target;
    }
    const unit = op.unit === null ? -1 : this.#unit(op.unit);
    const isUse = op.kind === OpKind.asyncUse;
    const into = isUse || ctas.length === 1 ? ctas : [ctas[0]!];
    const reads = inEach(op.reads, isUse ? ctas : own, of);
    const writes = inEach(op.writes, into, of);
    const instruction: Instruction = {
      kind: op.kind,
      role,
      cta,
      target,
      barriers,
      reads,
      writes,
      unit,
      count: op.count,
      bytes: op.bytes,
      value: op.value,
      flights: FLYING.has(op.kind) ? this.#flights(op, role, cta, ctas, unit) : NONE,
    };
    return instruction;
  }

  #unit(unit: Unit): number {
    const known = this.units.findIndex((other) => other.name === unit.name);
    return known >= 0 ? known : this.units.push(unit) - 1;
  }

  /** U01–U04: the flights of an asynchronous operation, one for each CTA that it reaches. */
  #flights(
    op: Op,
    role: number,
    cta: number,
    ctas: readonly number[],
    unit: number,
  ): readonly number[] {
    const of = this.#program.ctas;
    const at = (id: number, owner: number): number => (id < 0 ? -1 : id * of + owner);
    const flight = (kind: FlightKind, owner: number): number => {
      const isCopy = kind === FlightKind.copy;
      const isUse = kind === FlightKind.use;
      const made: Flight = {
        kind,
        role,
        cta,
        unit,
        inOrder: op.unit?.order === 'in-order',
        barrier: isUse || kind === FlightKind.group ? -1 : at(op.target, signalled(op, owner)),
        bytes: op.bytes,
        cell: at(op.cell, owner),
        value: op.value,
        reads: isUse ? inEach(op.reads, ctas, of) : isCopy ? inEach(op.reads, [cta], of) : NONE,
        writes: isUse
          ? inEach(op.writes, ctas, of)
          : isCopy
            ? inEach(op.writes, [owner], of)
            : NONE,
      };
      return this.#machine.flights.intern(made);
    };
    switch (op.kind) {
      case OpKind.asyncCopy:
        return ctas.map((owner) => flight(FlightKind.copy, owner));
      case OpKind.asyncUse: {
        // A use that closes its own group saves the program a commit after each of them (U04).
        const use = flight(FlightKind.use, cta);
        return op.count > 0 ? [use, flight(FlightKind.group, cta)] : [use];
      }
      case OpKind.commit:
        if (op.target < 0) return [flight(FlightKind.group, cta)];
        return ctas.map((owner) => flight(FlightKind.signal, owner));
      default:
        return NONE;
    }
  }

  #requireCta(op: Op, role: number, cta: number): void {
    if (Number.isInteger(cta) && cta >= 0 && cta < this.#program.ctas) return;
    const { name } = CATALOGUE[op.kind]!;
    const { roles, ctas } = this.#program;
    throw new InputError(
      `role ${roles[role]!.name}: ${name} reaches CTA ${cta}, but the kernel has ${ctas}`,
    );
  }
}

/** U06: the CTA with the barrier of an operation that reaches `owner`: of a pair, the even one. */
function signalled(op: Op, owner: number): number {
  return op.kind === OpKind.asyncCopy && op.count === 2 ? owner - (owner % 2) : owner;
}

/** The physical ids of declared things in each of some CTAs, of `of` in all. */
function inEach(ids: readonly number[], ctas: readonly number[], of: number): readonly number[] {
  if (ids.length === 0) return NONE;
  const found: number[] = [];
  for (const cta of ctas) for (const id of ids) found.push(id < 0 ? -1 : id * of + cta);
  return found;
}

/** The physical barriers that an operation names. */
function barriersOf(op: Op, ctas: readonly number[], of: number): readonly number[] {
  const found: number[] = [];
  for (const cta of ctas) found.push(op.target * of + signalled(op, cta));
  return found;
}

function hashOf(op: Op, role: number): number {
  let hash = Math.imul(op.kind + 64 * role, 0x9e3779b1);
  hash = Math.imul(hash ^ op.target, 0x85ebca6b);
  hash = Math.imul(hash ^ op.count ^ (op.value << 8), 0xc2b2ae35);
  hash = Math.imul(hash ^ op.bytes, 0x9e3779b1);
  const { reads, writes } = op;
  for (let i = 0; i < reads.length; i++) hash = Math.imul(hash ^ reads[i]!, 0x85ebca6b);
  for (let i = 0; i < writes.length; i++) hash = Math.imul(hash ^ writes[i]!, 0xc2b2ae35);
  return hash;
}

function isSame(a: Op, b: Op): boolean {
  return (
    a.kind === b.kind &&
    a.target === b.target &&
    a.count === b.count &&
    a.value === b.value &&
    a.bytes === b.bytes &&
    a.cell === b.cell &&
    a.unit?.name === b.unit?.name &&
    isSameList(a.reads, b.reads) &&
    isSameList(a.writes, b.writes) &&
    isSameList(a.ctas, b.ctas)
  );
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
