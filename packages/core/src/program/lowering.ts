// Lowers an operation to the instruction that a role of some CTA makes by it.
import { InputError, InvariantError, unreachable } from '../base/index.ts';
import {
  FlightKind,
  NAMED_BARRIERS,
  type Flight,
  type Instruction,
  type Machine,
} from '../machine/index.ts';
import { CATALOGUE, OpKind, Side, type Op, type OpArguments } from '../op/index.ts';
import type { OpOf, Unit } from '../op/index.ts';
import type { Program } from './program.ts';

type Fields = Partial<Omit<Instruction, 'kind' | 'role' | 'cta'>>;

const NONE: readonly number[] = Object.freeze([]);

/** Makes instructions of operations, and their flights. */
export class OpLowering {
  readonly #program: Program;
  readonly #machine: Machine;
  readonly #unitOf: (unit: Unit) => number;

  constructor(program: Program, machine: Machine, unitOf: (unit: Unit) => number) {
    this.#program = program;
    this.#machine = machine;
    this.#unitOf = unitOf;
  }

  /** Every instruction is made here, with its fields in one order. */
  lower(op: Op, role: number): Instruction {
    const fields = this.#fields(op, role);
    return {
      kind: op.kind as Instruction['kind'],
      role,
      cta: this.#program.roles[role]!.cta,
      target: fields.target ?? -1,
      barriers: fields.barriers ?? NONE,
      arrivals: fields.arrivals ?? 0,
      lanes: fields.lanes ?? 0,
      threads: fields.threads ?? 0,
      bytes: fields.bytes ?? 0,
      phase: fields.phase ?? 0,
      parity: fields.parity ?? 0,
      side: fields.side ?? Side.produce,
      past: fields.past ?? -1,
      isAssumed: fields.isAssumed ?? false,
      isDraining: fields.isDraining ?? false,
      stored: fields.stored ?? 0,
      amount: fields.amount ?? 0,
      units: fields.units ?? 0,
      inFlight: fields.inFlight ?? 0,
      choices: fields.choices ?? 0,
      cycles: fields.cycles ?? 0,
      unit: fields.unit ?? -1,
      reads: fields.reads ?? NONE,
      writes: fields.writes ?? NONE,
      flights: fields.flights ?? NONE,
    };
  }

  #fields(op: Op, role: number): Fields {
    switch (op.kind) {
      case OpKind.init:
      case OpKind.arriveDrop:
        return { ...this.#barrier(op.args.barrier, role), arrivals: op.args.arrivals };
      case OpKind.invalidate:
        return this.#barrier(op.args.barrier, role);
      case OpKind.wait:
      case OpKind.tryWait:
        return { ...this.#barrier(op.args.barrier, role), phase: op.args.phase };
      case OpKind.waitParity:
        return { ...this.#barrier(op.args.barrier, role), parity: op.args.parity };
      case OpKind.waitStage: {
        const { ring, side, isAssumed, isDraining } = op.args;
        return { target: ring, side, isAssumed, isDraining };
      }
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
      case OpKind.stage:
        return { target: op.args.ring, side: op.args.side };
      case OpKind.step:
        return { target: op.args.ring, side: op.args.side, past: op.args.past ?? -1 };
      case OpKind.arrive: {
        const { arrivals, lanes, bytes } = op.args;
        return { ...this.#barriers(op, role), arrivals, lanes, bytes };
      }
      case OpKind.expectTx:
      case OpKind.completeTx:
        return { ...this.#barriers(op, role), bytes: op.args.bytes };
      case OpKind.asyncCopy:
        return this.#copy(op.args, role);
      case OpKind.asyncUse:
        return this.#use(op.args, role);
      case OpKind.commit:
        return this.#commit(op.args, role);
      case OpKind.waitGroup:
        return { unit: this.#unitOf(op.args.unit), inFlight: op.args.inFlight };
      case OpKind.syncNamed:
      case OpKind.arriveNamed: {
        const { named, threads, lanes } = op.args;
        const { cta } = this.#program.roles[role]!;
        return { target: cta * NAMED_BARRIERS + named, threads, lanes };
      }
      case OpKind.read: {
        const buffer = this.#buffer(op.args, role);
        return { target: buffer, reads: [buffer] };
      }
      case OpKind.write: {
        const buffer = this.#buffer(op.args, role);
        return { target: buffer, writes: [buffer] };
      }
      case OpKind.store:
        return { target: this.#own(op.args.cell, role), stored: op.args.value };
      case OpKind.load:
        return { target: this.#own(op.args.cell, role) };
      case OpKind.fetchAdd:
        return { target: this.#own(op.args.cell, role), amount: op.args.amount };
      case OpKind.compute:
        return { cycles: op.args.cycles };
      case OpKind.alloc:
        return { target: this.#own(op.args.pool, role), units: op.args.units };
      case OpKind.free: {
        const writes = [this.#own(op.args.buffer, role)];
        return { target: this.#own(op.args.pool, role), writes };
      }
      case OpKind.relinquish:
        return { target: this.#own(op.args.pool, role) };
      case OpKind.choose:
        return { choices: op.args.choices };
      case OpKind.more:
        return { target: op.args.count };
      case OpKind.spawn:
      case OpKind.join:
        return { target: this.#role(op.kind, op.args.role, role) };
      case OpKind.syncCluster:
      case OpKind.fence:
      case OpKind.exit:
        return {};
      case OpKind.own:
      case OpKind.use:
      case OpKind.disown:
      case OpKind.loop:
        throw new InvariantError('ghost operations and loops are not steps of a role');
      default:
        return unreachable(op);
    }
  }

  /** U01: a flight for each CTA that is reached. */
  #copy(args: OpArguments[typeof OpKind.asyncCopy], role: number): Fields {
    const { bytes, value, cell, barrier, writes, ctaGroup } = args;
    const ctas = this.#reached(OpKind.asyncCopy, args.ctas, role);
    const of = this.#program.ctas;
    const unit = this.#unitOf(args.unit);
    // U06: of a pair of CTAs, the even one has the barrier.
    const signaled = (owner: number): number => (ctaGroup === 2 ? owner - (owner % 2) : owner);
    const barriers = barrier === null ? NONE : ctas.map((owner) => barrier * of + signaled(owner));
    const flights = ctas.map((owner, at) =>
      this.#flight(args.unit, role, {
        kind: FlightKind.copy,
        barrier: barriers[at] ?? -1,
        bytes,
        cell: cell === null ? -1 : cell * of + owner,
        value,
        writes: inEach(writes, [owner], of),
      }),
    );
    const into = inEach(writes, [ctas[0]!], of);
    return {
      target: barriers[0] ?? -1,
      barriers,
      bytes,
      stored: value,
      unit,
      writes: into,
      flights,
    };
  }

  /** U02, U07: one flight, which reads and writes in every CTA that is reached. */
  #use(args: OpArguments[typeof OpKind.asyncUse], role: number): Fields {
    const { cycles, closesGroup } = args;
    const ctas = this.#reached(OpKind.asyncUse, args.ctas, role);
    const of = this.#program.ctas;
    const reads = inEach(args.reads, ctas, of);
    const writes = inEach(args.writes, ctas, of);
    const use = this.#flight(args.unit, role, { kind: FlightKind.use, cycles, reads, writes });
    const flights = [use];
    // A use that closes its own group saves the program a commit after each of them (U04).
    if (closesGroup) flights.push(this.#flight(args.unit, role, { kind: FlightKind.group }));
    return { unit: this.#unitOf(args.unit), cycles, reads, writes, flights };
  }

  /** U03, U04: a signal to each CTA that is reached, or the end of a group. */
  #commit(args: OpArguments[typeof OpKind.commit], role: number): Fields {
    const unit = this.#unitOf(args.unit);
    const ctas = this.#reached(OpKind.commit, args.ctas, role);
    if (args.barrier === null) {
      return { unit, flights: [this.#flight(args.unit, role, { kind: FlightKind.group })] };
    }
    const barriers = inEach([args.barrier], ctas, this.#program.ctas);
    const flights = barriers.map((barrier) =>
      this.#flight(args.unit, role, { kind: FlightKind.signal, barrier }),
    );
    return { unit, target: barriers[0]!, barriers, flights };
  }

  #flight(unit: Unit, role: number, fields: Partial<Flight> & Pick<Flight, 'kind'>): number {
    return this.#machine.flights.intern({
      kind: fields.kind,
      role,
      cta: this.#program.roles[role]!.cta,
      unit: this.#unitOf(unit),
      inOrder: unit.order === 'in-order',
      barrier: fields.barrier ?? -1,
      bytes: fields.bytes ?? 0,
      cell: fields.cell ?? -1,
      value: fields.value ?? 0,
      cycles: fields.cycles ?? 0,
      reads: fields.reads ?? NONE,
      writes: fields.writes ?? NONE,
    });
  }

  /** What is declared once for each CTA, in that of the role. */
  #own(id: number, role: number): number {
    return id * this.#program.ctas + this.#program.roles[role]!.cta;
  }

  #buffer({ buffer, cta }: OpArguments[typeof OpKind.read], role: number): number {
    return cta === null ? this.#own(buffer, role) : buffer * this.#program.ctas + cta;
  }

  #barrier(id: number, role: number): Fields {
    const target = this.#own(id, role);
    return { target, barriers: [target] };
  }

  #barriers({ kind, args }: Reaching, role: number): Fields {
    const ctas = this.#reached(kind, args.ctas, role);
    const barriers = inEach([args.barrier], ctas, this.#program.ctas);
    return { target: barriers[0]!, barriers };
  }

  /** The CTAs that an operation reaches, which the kernel must have. */
  #reached(kind: OpKind, named: readonly number[], role: number): readonly number[] {
    const ctas = named.length === 0 ? [this.#program.roles[role]!.cta] : named;
    for (const cta of ctas) {
      if (Number.isInteger(cta) && cta >= 0 && cta < this.#program.ctas) continue;
      const { name } = CATALOGUE[kind]!;
      const { roles, ctas: all } = this.#program;
      throw new InputError(
        `role ${roles[role]!.name}: ${name} reaches CTA ${cta}, but the kernel has ${all}`,
      );
    }
    return ctas;
  }

  #role(kind: OpKind, target: number, role: number): number {
    const { roles } = this.#program;
    if (roles[target] !== undefined) return target;
    const { name } = CATALOGUE[kind]!;
    const most = roles.length - 1;
    throw new InputError(`role ${roles[role]!.name}: ${name} names role ${target} of 0 to ${most}`);
  }
}

type Reaching = OpOf<typeof OpKind.arrive | typeof OpKind.expectTx | typeof OpKind.completeTx>;

/** The physical ids of declarations in each of some CTAs, of `of` in all. */
function inEach(ids: readonly number[], ctas: readonly number[], of: number): readonly number[] {
  if (ids.length === 0) return NONE;
  const found: number[] = [];
  for (const cta of ctas) for (const id of ids) found.push(id * of + cta);
  return found;
}
