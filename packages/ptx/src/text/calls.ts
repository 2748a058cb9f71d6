// The operands of a call: `(result), function, (argument, other)`, maybe with a prototype.
import type { Operand } from './module.ts';

/** The parts of a call. */
export interface Call {
  /** The name of a function, or the register with its address. */
  readonly target: Operand | undefined;
  readonly results: readonly Operand[];
  readonly inputs: readonly Operand[];
}

/** Sorts the operands of a call. */
export function partsOfCall(operands: readonly Operand[]): Call {
  const [first, ...rest] = operands;
  const [target, inputs] = first?.kind === 'list' ? rest : operands;
  return {
    target,
    results: first?.kind === 'list' ? first.elements : [],
    inputs: inputs?.kind === 'list' ? inputs.elements : [],
  };
}
