// One operation as data: what programs yield and post, and what every engine reads.
import type { OpArguments } from './arguments.ts';
import { isGhost, type GhostKind } from './catalogue.ts';
import type { OpKind } from './kind.ts';

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

/** An operation of one kind. */
export interface OpOf<K extends OpKind> {
  readonly kind: K;
  readonly args: OpArguments[K];
  /** What the engine resolved it to; an operation belongs to one role instance. */
  resolved: object | null;
}

/**
 * An operation as data: what roles yield. A generator that performs operations for a role has the
 * type `Generator<Op, Result, number>`. Programs never look inside.
 */
export type Op = { [K in OpKind]: OpOf<K> }[OpKind];

/** An operation about a handle alone. */
export type GhostOp = Extract<Op, { kind: GhostKind }>;

export function isGhostOp(op: Op): op is GhostOp {
  return isGhost(op.kind);
}

/** Builds an operation. */
export function makeOp<K extends OpKind>(kind: K, args: OpArguments[K]): OpOf<K> {
  return { kind, args, resolved: null };
}
