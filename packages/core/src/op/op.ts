// One operation as data: what programs yield and post, and what every engine reads.
import type { OpKind } from './kind.ts';
import type { Unit } from './unit.ts';

/**
 * An object that a kernel declares. Declarations are numbered in order, so that the same
 * declaration has the same `id` in every call of the kernel.
 */
export interface Declared {
  /** Its number among the declarations of its type. */
  readonly id: number;
  /** Its name in findings. */
  readonly name: string;
}

/**
 * An operation. All operations have the same fields, so that engines stay fast; the catalogue says
 * which of them an operation uses. Ids are those of the kernel's declarations, −1 where unused.
 */
export interface Op {
  readonly kind: OpKind;
  /** The declared barrier, buffer, cell, pool, count, ring or role; or a named barrier's number. */
  readonly target: number;
  /** The CTAs that are reached; empty: the role's own. */
  readonly ctas: readonly number[];
  /** Arrivals, units of a pool, the number of choices, groups in flight, threads, cycles. */
  readonly count: number;
  /** Transaction bytes. */
  readonly bytes: number;
  /** The absolute phase or the parity that is waited for, a ring's side, or a stored value. */
  readonly value: number;
  /** The asynchronous engine, or `null`. */
  readonly unit: Unit | null;
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** A second target: the cell that an asynchronous copy writes. */
  readonly cell: number;
  /** What one engine alone looks at: a loop's body, a handle, the work of `compute`. */
  readonly detail: unknown;
  /** What the engine resolved it to; an operation belongs to one role instance. */
  resolved: object | null;
}

const NONE: readonly number[] = Object.freeze([]);

/** Builds an operation from the fields that it uses. */
export function makeOp(kind: OpKind, fields: Partial<Omit<Op, 'kind' | 'resolved'>> = {}): Op {
  return {
    kind,
    target: fields.target ?? -1,
    ctas: fields.ctas ?? NONE,
    count: fields.count ?? 0,
    bytes: fields.bytes ?? 0,
    value: fields.value ?? 0,
    unit: fields.unit ?? null,
    reads: fields.reads ?? NONE,
    writes: fields.writes ?? NONE,
    cell: fields.cell ?? -1,
    detail: fields.detail ?? null,
    resolved: null,
  };
}
