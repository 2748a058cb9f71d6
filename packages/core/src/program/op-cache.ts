// A cache of operations: a hot loop that posts the same ones again allocates none.
import { makeOp, OpKind, type Op, type OpOf, type Unit } from '../op/index.ts';
import type { Buffer } from './declared-buffer.ts';

/** The most operations that are cached for a barrier or a buffer; a program rarely has more. */
const MAX_CACHED = 8;

// Arguments are compared one by one, and buffers by themselves: nothing is allocated to search.

/** The arrival of `lanes` threads, from `memo` where it is there. */
export function cachedArrive(
  memo: Op[],
  barrier: number,
  ctas: readonly number[],
  arrivals: number,
  lanes: number,
  bytes: number,
): Op {
  for (let i = 0; i < memo.length; i++) {
    const op = memo[i]!;
    if (op.kind !== OpKind.arrive || op.args.barrier !== barrier) continue;
    if (op.args.arrivals !== arrivals || op.args.lanes !== lanes) continue;
    if (op.args.bytes === bytes && areSame(op.args.ctas, ctas)) return op;
  }
  return remember(
    memo,
    makeOp(OpKind.arrive, { barrier, ctas: [...ctas], arrivals, lanes, bytes }),
  );
}

/** What a copy is made of; its buffers are not yet ids. */
export interface CopyParts extends Omit<OpOf<typeof OpKind.asyncCopy>['args'], 'writes' | 'work'> {
  readonly into: readonly Buffer[];
}

/** A copy, from `memo` where it is there. */
export function cachedCopy(memo: Op[], parts: CopyParts): Op {
  for (let i = 0; i < memo.length; i++) {
    const op = memo[i]!;
    if (op.kind === OpKind.asyncCopy && isSameCopy(op, parts)) return op;
  }
  return remember(memo, makeCopy(parts, null));
}

export function makeCopy(parts: CopyParts, work: unknown): Op {
  const { unit, barrier, bytes, cell, value, ctaGroup } = parts;
  const { reads = [], map = null, closesGroup = false, isShared = false } = parts;
  const [ctas, writes] = [[...parts.ctas], parts.into.map(idOf)];
  return makeOp(OpKind.asyncCopy, {
    unit,
    ctas,
    barrier,
    bytes,
    writes,
    reads,
    map,
    closesGroup,
    isShared,
    cell,
    value,
    ctaGroup,
    work,
  });
}

function isSameCopy({ args }: OpOf<typeof OpKind.asyncCopy>, parts: CopyParts): boolean {
  return (
    args.unit === parts.unit &&
    args.barrier === parts.barrier &&
    args.bytes === parts.bytes &&
    args.cell === parts.cell &&
    args.value === parts.value &&
    args.ctaGroup === parts.ctaGroup &&
    args.reads!.length === 0 &&
    args.map === null &&
    args.closesGroup === false &&
    args.isShared === false &&
    areIds(args.writes, parts.into) &&
    areSame(args.ctas, parts.ctas)
  );
}

/** What work of a unit is made of; its buffers are not yet ids. */
export interface UseParts extends Omit<
  OpOf<typeof OpKind.asyncUse>['args'],
  'reads' | 'writes' | 'work'
> {
  readonly reads: readonly Buffer[];
  readonly writes: readonly Buffer[];
}

/** Work of a unit, from `memo` where it is there. */
export function cachedUse(memo: Op[], parts: UseParts): Op {
  for (let i = 0; i < memo.length; i++) {
    const op = memo[i]!;
    if (op.kind === OpKind.asyncUse && isSameUse(op, parts)) return op;
  }
  return remember(memo, makeUse(parts, null));
}

export function makeUse(parts: UseParts, work: unknown): Op {
  const { unit, closesGroup, cycles, isShared = false } = parts;
  const [reads, writes] = [parts.reads.map(idOf), parts.writes.map(idOf)];
  const ctas = [...parts.ctas];
  return makeOp(OpKind.asyncUse, {
    unit,
    ctas,
    reads,
    writes,
    closesGroup,
    isShared,
    cycles,
    work,
  });
}

function isSameUse({ args }: OpOf<typeof OpKind.asyncUse>, parts: UseParts): boolean {
  return (
    args.unit === parts.unit &&
    args.closesGroup === parts.closesGroup &&
    args.cycles === parts.cycles &&
    args.isShared === false &&
    areIds(args.reads, parts.reads) &&
    areIds(args.writes, parts.writes) &&
    areSame(args.ctas, parts.ctas)
  );
}

/** A signal of a unit to a barrier, from `memo` where it is there. */
export function cachedCommit(memo: Op[], unit: Unit, barrier: number, ctas: readonly number[]): Op {
  for (let i = 0; i < memo.length; i++) {
    const op = memo[i]!;
    if (op.kind !== OpKind.commit || op.args.unit !== unit) continue;
    if (op.args.barrier !== barrier || op.args.adds === true) continue;
    if (areSame(op.args.ctas, ctas)) return op;
  }
  return remember(memo, makeOp(OpKind.commit, { unit, ctas: [...ctas], barrier }));
}

function remember(memo: Op[], op: Op): Op {
  if (memo.length < MAX_CACHED) memo.push(op);
  return op;
}

function areIds(ids: readonly number[], buffers: readonly Buffer[]): boolean {
  if (ids.length !== buffers.length) return false;
  for (let i = 0; i < ids.length; i++) if (ids[i] !== buffers[i]!.id) return false;
  return true;
}

function areSame(one: readonly number[], other: readonly number[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

function idOf(buffer: Buffer): number {
  return buffer.id;
}
