// The key of an operation: numbers that are equal iff two operations of a role do the same.
import { InvariantError, unreachable } from '../base/index.ts';
import { AUTO, FenceSpace, OpKind, type Op, type Unit } from '../op/index.ts';

const NONE: readonly number[] = [];

/** Writes an operation's key into `out`, which is empty; `unitOf` numbers units. */
export function keyOf(op: Op, out: number[], unitOf: (unit: Unit) => number): void {
  out.push(op.kind);
  switch (op.kind) {
    case OpKind.init:
      out.push(op.args.barrier, op.args.arrivals);
      return;
    case OpKind.arriveDrop:
      out.push(op.args.barrier, op.args.arrivals, op.args.order ?? AUTO);
      return;
    case OpKind.invalidate:
      out.push(op.args.barrier);
      return;
    case OpKind.wait:
      out.push(op.args.barrier, op.args.phase, op.args.order ?? AUTO);
      return;
    case OpKind.tryWait:
      out.push(op.args.barrier, op.args.phase, op.args.order ?? AUTO, Number(op.args.isRaw ?? 0));
      return;
    case OpKind.waitParity:
      out.push(op.args.barrier, op.args.parity, op.args.order ?? AUTO);
      return;
    case OpKind.waitStage:
      out.push(op.args.ring, op.args.side);
      out.push(Number(op.args.isAssumed), Number(op.args.isDraining));
      return;
    case OpKind.tryWaitStage:
    case OpKind.tryClaim:
    case OpKind.stage:
      out.push(op.args.ring, op.args.side);
      return;
    case OpKind.step:
      out.push(op.args.ring, op.args.side, op.args.past ?? -1);
      return;
    case OpKind.arrive:
      out.push(op.args.barrier, op.args.arrivals, op.args.lanes, op.args.bytes);
      out.push(op.args.order ?? AUTO);
      pushAll(op.args.ctas, out);
      return;
    case OpKind.expectTx:
    case OpKind.completeTx:
      out.push(op.args.barrier, op.args.bytes, op.args.order ?? AUTO);
      pushAll(op.args.ctas, out);
      return;
    case OpKind.asyncCopy:
      return copyKey(op.args, out, unitOf);
    case OpKind.asyncUse:
      out.push(unitOf(op.args.unit), Number(op.args.closesGroup), op.args.cycles);
      out.push(Number(op.args.isShared ?? false));
      pushAll(op.args.reads, out);
      pushAll(op.args.writes, out);
      pushAll(op.args.ctas, out);
      return;
    case OpKind.commit:
      out.push(unitOf(op.args.unit), op.args.barrier ?? -1, Number(op.args.adds ?? false));
      pushAll(op.args.ctas, out);
      return;
    case OpKind.waitGroup:
      out.push(unitOf(op.args.unit), op.args.inFlight, Number(op.args.isRead ?? false));
      return;
    case OpKind.syncNamed:
    case OpKind.arriveNamed:
      out.push(op.args.named, op.args.threads, op.args.lanes);
      out.push(Number(op.args.isAligned ?? false), Number(op.args.isPartOfWarp ?? false));
      return;
    case OpKind.read:
    case OpKind.write:
      out.push(op.args.buffer, op.args.cta ?? -1, Number(op.args.isShared ?? false));
      out.push(Number(op.args.isPossible ?? false), Number(op.args.isOfStore ?? false));
      return;
    case OpKind.store:
      out.push(op.args.cell, op.args.value, op.args.order ?? AUTO);
      return;
    case OpKind.load:
      out.push(op.args.cell, op.args.order ?? AUTO);
      return;
    case OpKind.fetchAdd:
      out.push(op.args.cell, op.args.amount, op.args.order ?? AUTO);
      return;
    case OpKind.compute:
      out.push(op.args.cycles);
      return;
    case OpKind.alloc:
      out.push(op.args.pool, op.args.units);
      return;
    case OpKind.free:
      out.push(op.args.pool, op.args.buffer);
      return;
    case OpKind.relinquish:
      out.push(op.args.pool);
      return;
    case OpKind.choose:
      out.push(op.args.choices);
      return;
    case OpKind.more:
      out.push(op.args.count);
      return;
    case OpKind.spawn:
    case OpKind.join:
      out.push(op.args.role);
      return;
    case OpKind.fence:
      out.push(op.args.fence, op.args.space ?? FenceSpace.all, op.args.order ?? AUTO);
      out.push(op.args.map ?? -1);
      return;
    case OpKind.arriveCluster:
    case OpKind.waitCluster:
      out.push(op.args.order ?? AUTO);
      return;
    case OpKind.giveRegisters:
    case OpKind.takeRegisters:
      out.push(op.args.perThread, op.args.threads, Number(op.args.isPartial));
      return;
    case OpKind.waitGrids:
      out.push(Number(op.args.begins));
      return;
    case OpKind.launchDependents:
    case OpKind.syncCluster:
    case OpKind.exit:
      return;
    case OpKind.own:
    case OpKind.use:
    case OpKind.disown:
    case OpKind.loop:
      throw new InvariantError('ghost operations and loops are not steps of a role');
    default:
      return unreachable(op);
  }
}

function copyKey(
  args: Extract<Op, { kind: typeof OpKind.asyncCopy }>['args'],
  out: number[],
  unitOf: (unit: Unit) => number,
): void {
  const { unit, barrier, bytes, cell, value, ctaGroup } = args;
  out.push(unitOf(unit), barrier ?? -1, bytes, cell ?? -1, value, ctaGroup);
  out.push(args.map ?? -1, Number(args.closesGroup ?? false), Number(args.isShared ?? false));
  pushAll(args.reads ?? NONE, out);
  pushAll(args.writes, out);
  pushAll(args.ctas, out);
}

function pushAll(list: readonly number[], out: number[]): void {
  out.push(list.length);
  for (let i = 0; i < list.length; i++) out.push(list[i]!);
}

/** A hash of a role's operation with this key. */
export function hashOf(key: readonly number[], role: number): number {
  let hash = Math.imul(role + 1, 0x9e3779b1);
  for (let i = 0; i < key.length; i++) {
    hash = Math.imul(hash ^ key[i]!, 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  return hash;
}

export function isSameKey(one: readonly number[], other: readonly number[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}
