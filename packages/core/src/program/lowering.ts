// Lowers an operation to the instruction that a role of some CTA makes by it.
import { InputError, InvariantError, unreachable } from '../base/index.ts';
import { FlightKind, type Flight, type Instruction, type Machine } from '../machine/index.ts';
import { AUTO, CATALOGUE, FenceSpace, OpKind, Side, type Op } from '../op/index.ts';
import type { OpArguments } from '../op/index.ts';
import type { OpOf, Unit } from '../op/index.ts';
import { ordersMemory } from './memory-use.ts';
import type { Program } from './program.ts';
import type { Role } from './role.ts';
import { hasStores, mayOutlive, readingOf } from './stores.ts';

type Fields = Partial<Omit<Instruction, 'kind' | 'role' | 'cta'>>;

const NONE: readonly number[] = Object.freeze([]);

/** An instruction that uses no field: the order of the fields is that of every instruction. */
const UNUSED: Instruction = {
  kind: OpKind.exit,
  role: -1,
  cta: -1,
  target: -1,
  barriers: NONE,
  arrivals: 0,
  lanes: 0,
  threads: 0,
  bytes: 0,
  phase: 0,
  parity: 0,
  side: Side.produce,
  past: -1,
  isAssumed: false,
  isDraining: false,
  stored: 0,
  amount: 0,
  units: 0,
  inFlight: 0,
  choices: 0,
  cycles: 0,
  unit: -1,
  reading: -1,
  team: NONE,
  reads: NONE,
  writes: NONE,
  named: NONE,
  flights: NONE,
  hasMap: false,
  order: AUTO,
  fence: -1,
  space: FenceSpace.all,
  isRaw: false,
  isDivergent: false,
  isPossible: false,
  isOfStore: false,
};

const NO_FLIGHT: Flight = {
  kind: FlightKind.group,
  role: -1,
  cta: -1,
  unit: -1,
  inOrder: false,
  barrier: -1,
  bytes: 0,
  cell: -1,
  value: 0,
  cycles: 0,
  reads: NONE,
  writes: NONE,
  proxy: 'async',
  mayOutlive: false,
};

/** Sets the fields that are there, so that every object keeps its fields in one order. */
function filled<Whole extends object>(whole: Whole, fields: Partial<Whole>): Whole {
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) whole[name] = value;
  }
  return whole;
}

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

  /** Every instruction is made here, of {@link UNUSED}. */
  lower(op: Op, role: number): Instruction {
    const fields = this.#fields(op, role);
    const kind = op.kind as Instruction['kind'];
    const { cta } = this.#program.roles[role]!;
    const instruction = filled<Instruction>({ ...UNUSED, kind, role, cta }, fields);
    this.#program.reachedPieces.note(op, instruction);
    if (ordersMemory(op)) this.#program.namesMemory = true;
    return instruction;
  }

  #fields(op: Op, role: number): Fields {
    switch (op.kind) {
      case OpKind.init:
        return { ...this.#barrier(op.args.barrier, role), arrivals: op.args.arrivals };
      case OpKind.arriveDrop: {
        const { barrier, arrivals } = op.args;
        return { ...this.#barrier(barrier, role), arrivals, ...ordered(op) };
      }
      case OpKind.invalidate:
        return this.#barrier(op.args.barrier, role);
      case OpKind.wait:
        return { ...this.#barrier(op.args.barrier, role), phase: op.args.phase, ...ordered(op) };
      case OpKind.tryWait: {
        const { phase, isRaw = false } = op.args;
        return { ...this.#barrier(op.args.barrier, role), phase, isRaw, ...ordered(op) };
      }
      case OpKind.waitParity: {
        const { barrier, parity } = op.args;
        return { ...this.#barrier(barrier, role), parity, ...ordered(op) };
      }
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
        return { ...this.#barriers(op, role), arrivals, lanes, bytes, ...ordered(op) };
      }
      case OpKind.expectTx:
      case OpKind.completeTx:
        return { ...this.#barriers(op, role), bytes: op.args.bytes, ...ordered(op) };
      case OpKind.asyncCopy:
        return this.#copy(op.args, role);
      case OpKind.asyncUse:
        return this.#use(op.args, role);
      case OpKind.commit:
        return this.#commit(op.args, role);
      case OpKind.waitGroup:
        return this.#waitGroup(op.args, role);
      case OpKind.syncNamed:
      case OpKind.arriveNamed: {
        const { named, threads, lanes, isPartOfWarp = false } = op.args;
        const { cta } = this.#program.roles[role]!;
        const target = cta * this.#program.namedBarriers + named;
        return { target, threads, lanes, isDivergent: isPartOfWarp };
      }
      case OpKind.read: {
        const { target, pieces } = this.#buffer(op, role);
        const { isPossible = false, isOfStore = false } = op.args;
        return { target, reads: pieces, named: [target], isPossible, isOfStore };
      }
      case OpKind.write: {
        const { target, pieces } = this.#buffer(op, role);
        return { target, writes: pieces, named: [target] };
      }
      case OpKind.store:
        return { target: this.#cell(op.args.cell, role), stored: op.args.value, ...ordered(op) };
      case OpKind.load:
        return { target: this.#cell(op.args.cell, role), ...ordered(op) };
      case OpKind.fetchAdd:
        return { target: this.#cell(op.args.cell, role), amount: op.args.amount, ...ordered(op) };
      case OpKind.compute:
        return { cycles: op.args.cycles };
      case OpKind.alloc:
        return { target: this.#own(op.args.pool, role), units: op.args.units };
      case OpKind.free: {
        const writes = this.#pieces([op.args.buffer], [this.#program.roles[role]!.cta]);
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
      case OpKind.fence: {
        const { fence, space = FenceSpace.all, map = null } = op.args;
        const reads = map === null ? NONE : this.#pieces([map], [this.#program.roles[role]!.cta]);
        return { fence, space, ...ordered(op), target: reads[0] ?? -1, reads };
      }
      case OpKind.arriveCluster:
      case OpKind.waitCluster:
        return ordered(op);
      case OpKind.giveRegisters:
      case OpKind.takeRegisters:
        return {
          units: op.args.perThread,
          threads: op.args.threads,
          isDivergent: op.args.isPartial,
        };
      case OpKind.waitGrids:
        return { isRaw: op.args.begins };
      case OpKind.launchDependents:
      case OpKind.syncCluster:
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
    const { reads = NONE, map = null, closesGroup = false } = args;
    const ctas = this.#reached(OpKind.asyncCopy, args.ctas, role);
    const of = this.#program.ctas;
    const unit = this.#unitOf(args.unit);
    // U06: of a pair of CTAs, the even one has the barrier.
    const signaled = (owner: number): number => (ctaGroup === 2 ? owner - (owner % 2) : owner);
    const barriers = barrier === null ? NONE : ctas.map((owner) => barrier * of + signaled(owner));
    // What a copy reads is in the CTA of the role, and so is its tensor map.
    const own = [this.#program.roles[role]!.cta];
    const from = this.#pieces(reads, own);
    const mapped = map === null ? NONE : this.#pieces([map], own);
    const isThrough = mapped.length > 0 && writes.length === 0 && hasStores(args.unit);
    const isStore = barrier === null && (reads.length > 0 || isThrough);
    const flights = ctas.map((owner, at) =>
      this.#flight(args.unit, role, {
        kind: FlightKind.copy,
        barrier: barriers[at] ?? -1,
        bytes,
        cell: cell === null ? -1 : cell * of + owner,
        value,
        reads: isStore ? NONE : [...from, ...mapped],
        writes: this.#pieces(
          writes,
          [owner],
          args.isShared === true ? this.#program.roles[role]! : null,
        ),
      }),
    );
    // G02: a store has read its source before it has written everything: two flights.
    if (isStore) {
      const reading = this.#reading(args.unit, role, [...from, ...mapped]);
      // Where it writes is not modeled: all that it does is to read.
      if (writes.length === 0) flights.length = 0;
      flights.unshift(reading);
    }
    if (closesGroup) flights.push(...this.#closing(args.unit, role));
    const into = this.#pieces(writes, [ctas[0]!]);
    return {
      target: barriers[0] ?? -1,
      barriers,
      bytes,
      stored: value,
      unit,
      reads: from,
      writes: into,
      named: [
        ...this.#names([...reads, ...(map === null ? [] : [map])], own),
        ...this.#names(writes, ctas),
      ],
      flights,
      hasMap: map !== null,
    };
  }

  /** U02, U07: one flight, which reads and writes in every CTA that is reached. */
  #use(args: OpArguments[typeof OpKind.asyncUse], role: number): Fields {
    const { cycles, closesGroup, isShared = false } = args;
    const ctas = this.#reached(OpKind.asyncUse, args.ctas, role);
    // W03: a strand's work writes its own part, and of tensor memory it reads no other.
    const part = isShared ? this.#program.roles[role]! : null;
    const reads = this.#pieces(args.reads, ctas, args.unit.groups === 'each' ? part : null);
    const writes = this.#pieces(args.writes, ctas, part);
    const use = this.#flight(args.unit, role, { kind: FlightKind.use, cycles, reads, writes });
    const flights = [use];
    // A use that closes its own group saves the program a commit after each of them (U04).
    if (closesGroup) flights.push(...this.#closing(args.unit, role));
    const team = this.#teamOf(args.unit, role);
    const named = this.#names([...args.reads, ...args.writes], ctas);
    return { unit: this.#unitOf(args.unit), team, cycles, reads, writes, named, flights };
  }

  /** U03, U04: a signal to each CTA that is reached, or the end of a group. */
  #commit(args: OpArguments[typeof OpKind.commit], role: number): Fields {
    const unit = this.#unitOf(args.unit);
    const ctas = this.#reached(OpKind.commit, args.ctas, role);
    if (args.barrier === null) {
      const flights = this.#closing(args.unit, role);
      return { unit, team: this.#teamOf(args.unit, role), flights };
    }
    const barriers = inEach([args.barrier], ctas, this.#program.ctas);
    const flights = barriers.map((barrier) =>
      this.#flight(args.unit, role, { kind: FlightKind.signal, barrier }),
    );
    const arrivals = args.adds === true ? 1 : 0;
    return { unit, target: barriers[0]!, barriers, arrivals, flights };
  }

  /** G02: what a store reads, as work of a unit of its own. */
  #reading(unit: Unit, role: number, reads: readonly number[]): number {
    return this.#flight(readingOf(unit), role, { kind: FlightKind.use, reads });
  }

  /** U04, G02: the end of a group, of what it reads, too. */
  #closing(unit: Unit, role: number): number[] {
    const group = { kind: FlightKind.group } as const;
    const flights = [this.#flight(unit, role, group)];
    if (hasStores(unit)) flights.push(this.#flight(readingOf(unit), role, group));
    return flights;
  }

  #waitGroup(args: OpArguments[typeof OpKind.waitGroup], role: number): Fields {
    const { unit, inFlight, isRead = false } = args;
    const own = this.#unitOf(unit);
    if (!hasStores(unit)) return { unit: own, inFlight, team: this.#teamOf(unit, role) };
    const reading = this.#unitOf(readingOf(unit));
    return {
      unit: isRead ? reading : own,
      inFlight,
      isRaw: isRead,
      reading: isRead ? -1 : reading,
    };
  }

  /** H4: the strands whose groups on a unit are those of a team, if they are roles of their own. */
  #teamOf({ owner }: Unit, role: number): readonly number[] {
    const { roles } = this.#program;
    const { part } = roles[role]!;
    if (owner !== 'team' || part === null || part.classes < 2) return NONE;
    return roles.flatMap(({ part: other }, index) => {
      return other?.written === part.written ? [index] : [];
    });
  }

  #flight(unit: Unit, role: number, fields: Partial<Flight> & Pick<Flight, 'kind'>): number {
    const { cta } = this.#program.roles[role]!;
    const inOrder = unit.order === 'in-order';
    const proxy = unit.proxy ?? 'async';
    const index = this.#unitOf(unit);
    const own = {
      ...NO_FLIGHT,
      role,
      cta,
      unit: index,
      inOrder,
      mayOutlive: mayOutlive(unit),
      proxy,
    };
    return this.#machine.flights.intern(filled<Flight>(own, fields));
  }

  /** What is declared once for each CTA, in that of the role. */
  #own(id: number, role: number): number {
    return id * this.#program.ctas + this.#program.roles[role]!.cta;
  }

  #buffer(op: OpOf<typeof OpKind.read | typeof OpKind.write>, role: number) {
    const { buffer, cta, isShared = false } = op.args;
    const ctas = this.#reached(op.kind, cta === null ? NONE : [cta], role);
    const part = isShared ? this.#program.roles[role]! : null;
    const [target] = this.#names([buffer], ctas);
    return { target: target!, pieces: this.#pieces([buffer], ctas, part) };
  }

  /** The physical pieces of buffers in some CTAs; with a `part`, those that its strands have. */
  #pieces(
    buffers: readonly number[],
    ctas: readonly number[],
    part: Role | null = null,
  ): readonly number[] {
    if (buffers.length === 0) return NONE;
    const { pieces } = this.#program;
    return this.#placesOf(buffers, ctas, ([buffer]) =>
      part === null ? pieces.of(buffer!) : pieces.ofStrands(buffer!, part),
    );
  }

  /** Buffers as they are named, in some CTAs. */
  #names(buffers: readonly number[], ctas: readonly number[]): readonly number[] {
    return this.#placesOf(buffers, ctas, (one) => one);
  }

  /** Global memory is that of CTA 0. */
  #placesOf(
    buffers: readonly number[],
    ctas: readonly number[],
    each: (one: readonly number[]) => readonly number[],
  ): readonly number[] {
    const { pieces, ctas: of } = this.#program;
    const found: number[] = [];
    for (const cta of ctas) {
      for (const buffer of buffers) {
        const isGlobal = pieces.isGlobal(buffer);
        if (isGlobal && cta !== ctas[0]) continue;
        for (const one of each([buffer])) found.push(one * of + (isGlobal ? 0 : cta));
      }
    }
    return found;
  }

  /** C02: what is in global memory is in CTA 0, for all. */
  #cell(id: number, role: number): number {
    const { declarations, ctas } = this.#program;
    return declarations.cells[id]?.isGlobal === true ? id * ctas : this.#own(id, role);
  }

  #isGlobalBarrier(id: number): boolean {
    return this.#program.declarations.barriers[id]?.isGlobal === true;
  }

  #barrier(id: number, role: number): Fields {
    const isGlobal = this.#isGlobalBarrier(id);
    const target = isGlobal ? id * this.#program.ctas : this.#own(id, role);
    return { target, barriers: [target] };
  }

  #barriers({ kind, args }: Reaching, role: number): Fields {
    if (this.#isGlobalBarrier(args.barrier)) return this.#barrier(args.barrier, role);
    const ctas = this.#reached(kind, args.ctas, role);
    const barriers = inEach([args.barrier], ctas, this.#program.ctas);
    return { target: barriers[0]!, barriers };
  }

  /** The CTAs that an operation reaches, which the kernel must have. */
  #reached(kind: OpKind, named: readonly number[], role: number): readonly number[] {
    const { cta: own, grid } = this.#program.roles[role]!;
    if (named.length === 0) return [own];
    const { first, end } = this.#program.gridCtas[grid]!;
    const all = end - first;
    for (const cta of named) {
      if (Number.isInteger(cta) && cta >= 0 && cta < all) continue;
      const { name } = CATALOGUE[kind]!;
      const { roles } = this.#program;
      throw new InputError(
        `role ${roles[role]!.name}: ${name} reaches CTA ${cta}, but the kernel has ${all}`,
      );
    }
    return first === 0 ? named : named.map((cta) => first + cta);
  }

  #role(kind: OpKind, target: number, role: number): number {
    const { roles, written } = this.#program;
    const parts = roles.flatMap((_, index) =>
      this.#program.writtenIndex(index) === target ? [index] : [],
    );
    if (parts.length === 1) return parts[0]!;
    if (parts.length > 1) {
      throw new InputError(
        `role ${roles[role]!.name}: role ${written[target]!.name} has strands that do different ` +
          'things, and can not be started or awaited as one',
      );
    }
    const { name } = CATALOGUE[kind]!;
    const most = written.length - 1;
    throw new InputError(`role ${roles[role]!.name}: ${name} names role ${target} of 0 to ${most}`);
  }
}

type Reaching = OpOf<typeof OpKind.arrive | typeof OpKind.expectTx | typeof OpKind.completeTx>;

function ordered({ args }: { readonly args: { readonly order?: number } }): Fields {
  return { order: args.order ?? AUTO };
}

/** The physical ids of declarations in each of some CTAs, of `of` in all. */
function inEach(ids: readonly number[], ctas: readonly number[], of: number): readonly number[] {
  if (ids.length === 0) return NONE;
  const found: number[] = [];
  for (const cta of ctas) for (const id of ids) found.push(id * of + cta);
  return found;
}
