// Operations that were made before: a hot loop that posts the same ones again makes none.
import { makeOp, type Op, type OpKind, type Unit } from '../op/index.ts';
import type { Buffer } from './declare.ts';

/** How many operations a barrier or a buffer remembers; a program rarely has more of one. */
const MOST_REMEMBERED = 8;

/** What an operation is made of; buffers by themselves, so that nothing is made to look for it. */
export interface Wanted {
  readonly kind: OpKind;
  readonly unit: Unit | null;
  readonly target: number;
  readonly count: number;
  readonly bytes: number;
  readonly value: number;
  readonly cell: number;
  readonly reads: readonly Buffer[];
  readonly writes: readonly Buffer[];
  readonly ctas: readonly number[];
}

/** The operation in `memo` that is wanted, made and kept there where it is not. */
export function recall(memo: Op[], wanted: Wanted): Op {
  for (let i = 0; i < memo.length; i++) if (isWanted(memo[i]!, wanted)) return memo[i]!;
  const op = make(wanted, null);
  if (memo.length < MOST_REMEMBERED) memo.push(op);
  return op;
}

/** A new operation, with what one engine alone looks at. */
export function make(wanted: Wanted, detail: unknown): Op {
  const [reads, writes] = [wanted.reads.map(idOf), wanted.writes.map(idOf)];
  return makeOp(wanted.kind, { ...wanted, reads, writes, ctas: [...wanted.ctas], detail });
}

function isWanted(op: Op, wanted: Wanted): boolean {
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
