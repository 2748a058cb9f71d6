// Whether a role does the same whatever its tries return, but for waits that have become needless.
import { isGhost, isTry, isWait, OpKind, type Op } from '@poundlock/core/internal/op';
import type { Instruction } from '@poundlock/core/internal/machine';
import { Cursor, type Program, type Resolver } from '@poundlock/core/internal/program';
import { NO_TEST, type TryLog } from './try-log.ts';

/** The result of a role's try with a number. */
export type Pattern = (attempt: number) => boolean;

/**
 * Runs a role with other results of its tries beside what it did when all of them failed. It must
 * do the same, except that it may omit a wait for a phase that one of its tries has seen complete,
 * or skip its test (R08).
 */
export function rejoins(
  program: Program,
  resolver: Resolver,
  role: number,
  log: TryLog,
  pattern: Pattern,
): boolean {
  const cursor = new Cursor(program.instance(role, false));
  const { instructions, ops, answers, barriers, phases } = log;
  /** By barrier: the last phase that a try has seen complete. */
  const seen = new Map<number, number>();
  let op = cursor.nextOp(0);
  let attempts = 0;
  for (let at = 0; at < instructions.length; at++) {
    const expected = instructions[at]!;
    const barrier = barriers[at]!;
    const isSame = op !== null && (op === ops[at] || isOne(resolver, role, op, ops[at]!, expected));
    if (isSame && (!isTry(expected.kind) || log.polls.has(at))) {
      op = cursor.nextOp(answers[at]!);
    } else if (isSame && !log.retries.has(at)) {
      const isSeen = pattern(attempts++);
      if (isSeen) seen.set(barrier, phases[at]!);
      op = cursor.nextOp(isSeen ? 1 : 0);
    } else if (isSame && !has(seen, barrier, phases[at]!)) {
      // P07: a retry, after a try that has failed here, too.
      op = cursor.nextOp(1);
    } else {
      const isTest = isWait(expected.kind) || log.retries.has(at);
      if (!isTest || barrier === NO_TEST || !has(seen, barrier, phases[at]!)) return false;
      const found = resolved(resolver, op, role);
      if (skips(found, expected)) op = cursor.nextOp(answers[at]!);
    }
  }
  return log.isFull || op === null;
}

/** Whether `op` is the operation that `known` was, with the instruction `expected`. */
function isOne(
  resolver: Resolver,
  role: number,
  op: Op,
  known: Op,
  expected: Instruction,
): boolean {
  if (op.kind !== known.kind) return false;
  // Waits and tries for a phase are new operations each time, and need not be looked up.
  if (op.resolved === null && op.kind === OpKind.wait && known.kind === OpKind.wait) {
    return op.args.barrier === known.args.barrier && op.args.phase === known.args.phase;
  }
  if (op.resolved === null && op.kind === OpKind.tryWait && known.kind === OpKind.tryWait) {
    return op.args.barrier === known.args.barrier && op.args.phase === known.args.phase;
  }
  return resolved(resolver, op, role) === expected;
}

function has(seen: ReadonlyMap<number, number>, barrier: number, phase: number): boolean {
  const last = seen.get(barrier);
  return last !== undefined && last >= phase;
}

/** R08: whether `found` is the wait `expected` without its test. */
export function skips(found: Instruction | null, expected: Instruction): boolean {
  return (
    found !== null &&
    found.isAssumed &&
    found.kind === OpKind.waitStage &&
    expected.kind === OpKind.waitStage &&
    found.target === expected.target &&
    found.side === expected.side
  );
}

function resolved(resolver: Resolver, op: Op | null, role: number): Instruction | null {
  if (op === null || isGhost(op.kind)) return null;
  return resolver.resolve(op, role);
}
