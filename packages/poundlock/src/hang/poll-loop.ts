// Loops of a PTX text that poll: where they are, and which word of global memory they read.
import type { Definitions } from '@poundlock/ptx/internal/flow/definitions';
import { accessOf, isStrong, operationOf, readOf } from '@poundlock/ptx/internal/isa/questions';
import type { Instruction, Operand, PtxFunction } from '@poundlock/ptx/internal/text/module';

/** A loop: the indices of its first and its last instruction. */
export interface TextLoop {
  readonly first: number;
  readonly last: number;
}

/** A word behind a parameter. */
export interface WordOfParameter {
  readonly parameter: string;
  /** Bytes from where the parameter points to. */
  readonly plus: number;
  readonly bytes: number;
}

/** The most instructions of a loop that polls. */
const MAX_POLL = 24;
/** Moves and sums that an address is followed through. */
const MAX_MOVES = 16;

/** The small loops around an instruction, the one that ends first being the first. */
export function loopsAround({ instructions }: PtxFunction, { index }: Instruction): TextLoop[] {
  return instructions.slice(index, index + MAX_POLL).flatMap(({ targets, index: last }) => {
    const back = targets.filter((target) => target <= index);
    const first = Math.max(...back);
    return back.length > 0 && last - first <= MAX_POLL ? [{ first, last }] : [];
  });
}

/** Whether an instruction reads what other blocks write to global memory. */
export function readsSharedWord(instruction: Instruction): boolean {
  const access = accessOf(instruction);
  const isRead = access?.op === 'load' || access?.op === 'atomic';
  const isGlobal = access?.space === 'global' || access?.space === 'generic';
  return isRead && isGlobal && isStrong(instruction);
}

/** The loop around an instruction that polls a word, with the instruction that reads it. */
export function pollAround(
  code: PtxFunction,
  instruction: Instruction,
): { readonly loop: TextLoop; readonly read: Instruction } | null {
  for (const loop of loopsAround(code, instruction)) {
    const read = code.instructions.slice(loop.first, loop.last + 1).find(readsSharedWord);
    if (read !== undefined) return { loop, read };
  }
  return null;
}

/** The word that an instruction reads; `null` where its address is computed of other values. */
export function wordRead(
  { parameters }: PtxFunction,
  definitions: Definitions,
  read: Instruction,
): WordOfParameter | null {
  const bytes = accessOf(read)?.bytes ?? 0;
  let plus = 0;
  let at = read.index;
  let operand: Operand | undefined = read.operands.find(({ kind }) => kind === 'address');
  for (let moves = 0; moves < MAX_MOVES; moves++) {
    if (operand?.kind === 'address') {
      plus += operand.offset;
      operand = operand.base;
    }
    if (operand?.kind !== 'register') return null;
    const [definition, other] = definitions.reaching(operand.register, at);
    if (definition === undefined || other !== undefined) return null;
    const parameter = parameterLoaded(definition);
    const isOne = parameters.some(({ name }) => name === parameter);
    if (parameter !== null) return isOne ? { parameter, plus, bytes } : null;
    const added = addedBy(definition);
    if (added === null) return null;
    plus += added;
    at = definition.index;
    operand = definition.operands[1];
  }
  return null;
}

/** The parameter whose first bytes an instruction loads; `null`: none. */
function parameterLoaded(instruction: Instruction): string | null {
  const [, input] = instruction.operands;
  if (readOf(instruction)?.space !== 'param' || input?.kind !== 'address') return null;
  const { base, offset } = input;
  return base.kind === 'symbol' && offset + base.offset === 0 ? base.name : null;
}

/** What an instruction adds to its first input; `null` where it does anything else. */
function addedBy(instruction: Instruction): number | null {
  const [, , added] = instruction.operands;
  const operation = operationOf(instruction);
  if (operation === 'mov' || operation === 'cvta') return 0;
  return operation === 'add' && added?.kind === 'immediate' ? added.value.low : null;
}
