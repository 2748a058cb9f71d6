// Operations that were made before: a hot loop that posts the same ones again makes none.
import { makeOp, type Op, type OpKind, type Unit } from '../op/index.ts';
import type { Buffer } from './declare.ts';

/** How many operations a barrier or a buffer remembers; a program rarely has more of one. */
const MOST_REMEMBERED = 8;

/** What an operation is made of; buffers by themselves, so that nothing is made to look for it. */
interface Wanted {
  kind: OpKind;
  unit: Unit | null;
  target: number;
  count: number;
  bytes: number;
  value: number;
  cell: number;
  reads: readonly Buffer[];
  writes: readonly Buffer[];
  ctas: readonly number[];
}

const NO_BUFFERS: readonly Buffer[] = [];

/** The one that is looked for: filled anew each time, because hot loops do little else. */
const wanted: Wanted = {
  kind: 0,
  unit: null,
  target: -1,
  count: 0,
  bytes: 0,
  value: 0,
  cell: -1,
  reads: NO_BUFFERS,
  writes: NO_BUFFERS,
  ctas: [],
};

/** Begins to look for an operation; the caller says what else it is made of. */
export function want(
  kind: OpKind,
  unit: Unit | null,
  target: number,
  ctas: readonly number[],
): Wanted {
  wanted.kind = kind;
  wanted.unit = unit;
  wanted.target = target;
  wanted.ctas = ctas;
  wanted.count = 0;
  wanted.bytes = 0;
  wanted.value = 0;
  wanted.cell = -1;
  wanted.reads = NO_BUFFERS;
  wanted.writes = NO_BUFFERS;
  return wanted;
}

/** The operation in `memo` that is wanted, made and kept there where it is not. */
export function recall(memo: Op[]): Op {
  for (let i = 0; i < memo.length; i++) if (isWanted(memo[i]!)) return memo[i]!;
  const op = make(null);
  if (memo.length < MOST_REMEMBERED) memo.push(op);
  return op;
}

/** The operation that is wanted, new, with what one engine alone looks at. */
export function make(detail: unknown): Op {
  const [reads, writes] = [wanted.reads.map(idOf), wanted.writes.map(idOf)];
  return makeOp(wanted.kind, { ...wanted, reads, writes, ctas: [...wanted.ctas], detail });
}

function isWanted(op: Op): boolean {
  return (
    op.kind === wanted.kind &&
    op.unit === wanted.unit &&
    op.target === wanted.target &&
    op.count === wanted.count &&
    op.bytes === wanted.bytes &&
    op.value === wanted.value &&
    op.cell === wanted.cell &&
    areIds(op.reads, wanted.reads) &&
    areIds(op.writes, wanted.writes) &&
    areSame(op.ctas, wanted.ctas)
  );
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
