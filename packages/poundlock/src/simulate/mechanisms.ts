// What a program does that measured programs do or don't: the mechanisms that its operations use.
import type { Instruction, Machine } from '@poundlock/core/internal/machine';
import { isStageTest, isWait, OpKind, Side } from '@poundlock/core/internal/op';
import type { Program } from '@poundlock/core/internal/program';
import { FlightClass, type FlightClasses } from './flight-class.ts';
import { Regime } from './regime.ts';

/** The mechanisms, in words. */
export const MECHANISMS = {
  cluster: 'CTAs of a cluster',
  peers: 'copies into another CTA alone',
  tensor: 'the tensor core',
  beside: 'other work of roles that use the tensor core',
  stores: 'stores',
  maps: 'tensor-map copies',
  threads: 'copies by threads (cp.async)',
  registers: 'tensor memory',
  warps: 'whole warps that wait',
  arithmetic: 'arithmetic of warps',
  rings: 'a role that consumes several rings',
  handOver: 'roles in a row',
  handOvers: 'more than two roles in a row',
  resident: 'several CTAs on an SM',
  waves: 'more CTAs than fit at a time',
} as const;

/** A mechanism. */
export type Mechanism = keyof typeof MECHANISMS;

const BY_CLASS: Readonly<Record<FlightClass, Mechanism | null>> = {
  [FlightClass.bulk]: null,
  [FlightClass.tensor]: 'maps',
  [FlightClass.threads]: 'threads',
  [FlightClass.peers]: 'peers',
  [FlightClass.store]: 'stores',
  [FlightClass.matrix]: 'tensor',
  [FlightClass.registers]: 'registers',
  [FlightClass.signal]: null,
};

/** Who arrives at a barrier, and who waits for it. */
interface Meeting {
  readonly arriving: Set<number>;
  readonly waiting: Set<number>;
}

/** Gathers the mechanisms of a program while its operations become known. */
export class Mechanisms {
  readonly #program: Program;
  readonly #machine: Machine;
  readonly #classes: FlightClasses;
  readonly #used = new Set<Mechanism>();
  /** By barrier. */
  readonly #meetings = new Map<number, Meeting>();
  readonly #copying = new Set<number>();
  readonly #multiplying = new Set<number>();
  readonly #working = new Set<number>();
  /** The sizes of copies and of work. */
  readonly regime = new Regime();
  /** By role: the rings that it consumes. */
  readonly #consumed = new Map<number, Set<number>>();

  constructor(program: Program, machine: Machine, classes: FlightClasses) {
    this.#program = program;
    this.#machine = machine;
    this.#classes = classes;
    if (program.ctas > 1) this.#used.add('cluster');
    if (program.kernel.timing?.(program.params)?.hasArithmetic === true)
      this.#used.add('arithmetic');
    if (program.roles.some(({ waits }) => waits !== 'diverged')) this.#used.add('warps');
  }

  /** Notes what an operation does; each has to be noted once. */
  add(instruction: Instruction): void {
    const { kind, role, cycles } = instruction;
    const of = this.#classes.ofInstruction(instruction);
    if (of >= 0) this.#issued(of as FlightClass, instruction);
    if (kind === OpKind.compute && cycles > 0) this.#working.add(role);
    if (isStageTest(kind)) this.#testsStage(instruction);
    else for (const barrier of testedBy(instruction)) this.#meeting(barrier).waiting.add(role);
    for (const barrier of arrivedAt(instruction)) this.#meeting(barrier).arriving.add(role);
  }

  /** The mechanisms of the operations so far. */
  used(): ReadonlySet<Mechanism> {
    const used = new Set(this.#used);
    const handed = this.#handOvers();
    if (handed > 0) used.add('handOver');
    if (handed > 1) used.add('handOvers');
    if ([...this.#consumed.values()].some(({ size }) => size > 1)) used.add('rings');
    const isBuilt = this.#program.kernel.timing !== undefined;
    if (!isBuilt && [...this.#multiplying].some((role) => this.#working.has(role)))
      used.add('beside');
    return used;
  }

  /** Whether all that copies multiplies, too: no roles of their own load the tiles. */
  get hasOneRole(): boolean {
    const copying = [...this.#copying];
    return copying.length > 0 && copying.every((role) => this.#multiplying.has(role));
  }

  #issued(of: FlightClass, { kind, role, flights, barriers, cta }: Instruction): void {
    const { ctas } = this.#program;
    const { bytes, cycles, barrier, unit } = this.#machine.flights.flights[flights[0]!]!;
    this.regime.uses(unit);
    if (kind === OpKind.asyncCopy) {
      this.#copying.add(role);
      this.regime.copies(bytes);
      const isPeer = barriers.length === 1 && barrier >= 0 && barrier % ctas !== cta;
      if (isPeer) this.#used.add('peers');
    }
    if (of === FlightClass.matrix) {
      this.#multiplying.add(role);
      this.regime.multiplies(cycles);
    }
    // Work of a unit that says how long it takes is no store of bytes.
    const isTimed = cycles > 0;
    const mechanism = of === FlightClass.store && isTimed ? null : BY_CLASS[of];
    if (mechanism !== null) this.#used.add(mechanism);
  }

  /** Tests a stage of a ring: in the course of the run, any of them. */
  #testsStage({ role, target, side, cta }: Instruction): void {
    const { declarations, ctas } = this.#program;
    const { full, empty } = declarations.rings[target]!;
    const isConsumer = side === Side.consume;
    for (const id of isConsumer ? full : empty) {
      this.#meeting(id * ctas + cta).waiting.add(role);
    }
    if (!isConsumer) return;
    const rings = this.#consumed.get(role) ?? new Set();
    this.#consumed.set(role, rings.add(target));
  }

  #meeting(barrier: number): Meeting {
    const known = this.#meetings.get(barrier);
    if (known !== undefined) return known;
    const meeting: Meeting = { arriving: new Set(), waiting: new Set() };
    this.#meetings.set(barrier, meeting);
    return meeting;
  }

  /** Pairs of roles of which one waits for the other, where neither copies. */
  #handOvers(): number {
    const pairs = new Set<string>();
    for (const { arriving, waiting } of this.#meetings.values()) {
      for (const one of arriving) {
        for (const other of waiting) {
          if (one === other || this.#copying.has(one) || this.#copying.has(other)) continue;
          pairs.add([one, other].toSorted((a, b) => a - b).join(' '));
        }
      }
    }
    return pairs.size;
  }
}

/** The barriers that a wait tests by name; named barriers have negative numbers. */
function testedBy({ kind, target }: Instruction): readonly number[] {
  if (kind === OpKind.syncNamed) return [~target];
  return isWait(kind) || kind === OpKind.tryWait ? [target] : [];
}

/** The barriers that an operation arrives at for others. */
function arrivedAt({ kind, target, barriers }: Instruction): readonly number[] {
  if (kind === OpKind.arriveNamed) return [~target];
  if (kind === OpKind.arrive) return barriers;
  return kind === OpKind.arriveDrop ? [target] : [];
}
