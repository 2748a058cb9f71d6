// What makes a program one whose memory is checked: what it declares, and what it performs.
import type { Instruction } from '../machine/index.ts';
import { AUTO, OpKind, UNITS, type Op, type Unit } from '../op/index.ts';
import type { Declarations } from './declarations.ts';
import type { Role } from './role.ts';

/** Whether a program says where its memory is, or which of its threads act. */
export function declaresMemory(declarations: Declarations, roles: readonly Role[]): boolean {
  const { places, pools, barrierPlaces, grids, registers, launch } = declarations;
  // What a pool hands out is tensor memory, whether or not a program says more of memory.
  const pooled = new Set(pools.flatMap(({ buffers }) => buffers));
  return (
    places.some(({ space, at }, id) => !pooled.has(id) && (space !== 'shared' || at >= 0)) ||
    barrierPlaces.size > 0 ||
    grids.length > 0 ||
    registers !== null ||
    launch.begin === 'apart' ||
    launch.isOldPtx ||
    roles.some(({ part }) => part !== null && part.classes > 1)
  );
}

/** Units whose work says how it reaches memory. */
const PLAIN: ReadonlySet<Unit> = new Set([UNITS.tma, UNITS.mma, UNITS.bulk, UNITS.clc]);

/** Whether an operation orders memory, or says how it is reached. */
export function ordersMemory(op: Op): boolean {
  switch (op.kind) {
    case OpKind.fence:
    case OpKind.arriveCluster:
    case OpKind.waitCluster:
    case OpKind.giveRegisters:
    case OpKind.takeRegisters:
    case OpKind.launchDependents:
    case OpKind.waitGrids:
      return true;
    case OpKind.wait:
    case OpKind.waitParity:
    case OpKind.tryWait:
    case OpKind.arrive:
    case OpKind.arriveDrop:
    case OpKind.expectTx:
    case OpKind.completeTx:
    case OpKind.store:
    case OpKind.load:
    case OpKind.fetchAdd:
      return (op.args.order ?? AUTO) !== AUTO;
    case OpKind.syncNamed:
    case OpKind.arriveNamed:
      return op.args.isAligned === true;
    case OpKind.asyncCopy: {
      const { reads = [], map = null, unit } = op.args;
      return reads.length > 0 || map !== null || isNamed(unit);
    }
    case OpKind.asyncUse:
    case OpKind.commit:
      return isNamed(op.args.unit);
    case OpKind.waitGroup:
      return op.args.isRead === true || isNamed(op.args.unit);
    case OpKind.read:
    case OpKind.write:
      return op.args.cta !== null;
    case OpKind.init:
    case OpKind.invalidate:
    case OpKind.waitStage:
    case OpKind.tryWaitStage:
    case OpKind.syncCluster:
    case OpKind.tryClaim:
    case OpKind.compute:
    case OpKind.alloc:
    case OpKind.free:
    case OpKind.relinquish:
    case OpKind.choose:
    case OpKind.more:
    case OpKind.spawn:
    case OpKind.join:
    case OpKind.exit:
    case OpKind.own:
    case OpKind.use:
    case OpKind.disown:
    case OpKind.step:
    case OpKind.loop:
    case OpKind.stage:
      return false;
  }
}

/** Units of the tensor core, which writes tensor memory or registers, and never shared memory. */
const TENSOR_CORES: ReadonlySet<string> = new Set(
  [UNITS.mma, UNITS.wgmma, UNITS.tcgen05].map(({ name }) => name),
);

/** The pieces of memory that threads reach, and those that the async proxy reaches. */
export class ReachedPieces {
  readonly #byThreads = new Set<number>();
  readonly #byUnits = new Set<number>();
  readonly #byBoth = new Set<number>();
  readonly #accumulators = new Set<number>();

  /** Notes what an operation reaches. */
  note(op: Op, { reads, writes }: Pick<Instruction, 'reads' | 'writes'>): void {
    if (op.kind === OpKind.read || op.kind === OpKind.write)
      return this.#reach([...reads, ...writes], this.#byThreads, this.#byUnits);
    if (op.kind !== OpKind.asyncCopy && op.kind !== OpKind.asyncUse) return;
    const { name, proxy = 'async' } = op.args.unit;
    if (proxy !== 'async') return;
    if (TENSOR_CORES.has(name)) for (const piece of writes) this.#accumulate(piece);
    this.#reach([...reads, ...writes], this.#byUnits, this.#byThreads);
  }

  /** Whether threads and asynchronous work reach some piece of shared memory. */
  get areMet(): boolean {
    return this.#byBoth.size > 0;
  }

  /** Whether the tensor core writes a piece, which is then no shared memory. */
  isAccumulator(piece: number): boolean {
    return this.#accumulators.has(piece);
  }

  #accumulate(piece: number): void {
    this.#accumulators.add(piece);
    this.#byBoth.delete(piece);
  }

  #reach(pieces: readonly number[], own: Set<number>, others: ReadonlySet<number>): void {
    for (const piece of pieces) {
      own.add(piece);
      if (others.has(piece) && !this.#accumulators.has(piece)) this.#byBoth.add(piece);
    }
  }
}

/** Whether a unit is one of those that say what they are: a new one, or one of the program. */
function isNamed(unit: Unit): boolean {
  return !PLAIN.has(unit) && Object.values<Unit>(UNITS).includes(unit);
}
