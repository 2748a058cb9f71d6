// The contributions of one operation to each barrier that it reaches: arrivals and bytes.
import { unreachable } from '../../base/index.ts';
import type { Instruction } from '../../machine/index.ts';
import { isSignal, OpKind } from '../../op/index.ts';

export interface Brought {
  readonly arrivals: number;
  /** Bytes that it completes, and bytes that it makes the barrier expect. */
  readonly bytes: number;
  readonly expected: number;
}

const NOTHING: Brought = { arrivals: 0, bytes: 0, expected: 0 };

export function broughtBy(instruction: Instruction): Brought {
  const { kind, arrivals, lanes, bytes } = instruction;
  if (!isSignal(kind)) return NOTHING;
  switch (kind) {
    case OpKind.arrive:
      return { ...NOTHING, arrivals: arrivals * lanes, expected: bytes };
    case OpKind.arriveDrop:
      return { ...NOTHING, arrivals };
    case OpKind.expectTx:
      return { ...NOTHING, expected: bytes };
    case OpKind.completeTx:
      return { ...NOTHING, bytes };
    // Lifetimes bring nothing, and a flight brings its contribution as it completes.
    case OpKind.init:
    case OpKind.invalidate:
    case OpKind.asyncCopy:
    case OpKind.commit:
      return NOTHING;
    default:
      return unreachable(kind);
  }
}
