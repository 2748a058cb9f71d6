// Instructions that synchronize and may be left out: what each is, and what stands in its place.
import { decodeOpcode } from '../isa/decode.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';

/** What an instruction that may be left out does. */
export type SiteKind =
  | 'barrier'
  | 'warp barrier'
  | 'cluster barrier'
  | 'wait'
  | 'arrival'
  | 'copy group wait'
  | 'bulk group wait'
  | 'tensor core wait'
  | 'tensor memory wait'
  | 'register fence'
  | 'fence';

/** An instruction of the text; the calls of a function have it several times. */
export interface Site {
  /** `line:column` in the PTX text. */
  readonly key: string;
  readonly kind: SiteKind;
  readonly opcode: string;
  /** Where it is in the kernel with its calls replaced. */
  readonly at: readonly number[];
}

/** `line:column` of an instruction. */
export function keyOf({ line, column }: Instruction): string {
  return `${line}:${column}`;
}

/** By mnemonic: what an instruction is; `null` if it does not synchronize. */
const KINDS: Readonly<Record<string, (instruction: Instruction) => SiteKind | null>> = {
  bar: barrierKind,
  barrier: barrierKind,
  mbarrier: ({ parts: [, form, effect] }) => {
    if (form === 'try_wait' || form === 'test_wait') return 'wait';
    return form === 'arrive' && effect !== 'expect_tx' ? 'arrival' : null;
  },
  cp: ({ parts }) => {
    if (!parts.includes('wait_group') && !parts.includes('wait_all')) return null;
    return parts.includes('bulk') ? 'bulk group wait' : 'copy group wait';
  },
  wgmma: ({ parts: [, form] }) => {
    if (form === 'wait_group') return 'tensor core wait';
    return form === 'fence' ? 'register fence' : null;
  },
  tcgen05: ({ parts: [, form = ''] }) => {
    if (form.startsWith('wait')) return 'tensor memory wait';
    return form.startsWith('fence') ? 'fence' : null;
  },
  fence: fenceKind,
  membar: fenceKind,
};

function barrierKind({ parts: [, second, third] }: Instruction): SiteKind | null {
  if (second === 'warp') return 'warp barrier';
  if (second === 'cluster') return 'cluster barrier';
  const form = second === 'cta' ? third : second;
  return form === 'sync' || form === 'arrive' ? 'barrier' : null;
}

function fenceKind({ operands }: Instruction): SiteKind | null {
  return operands.length === 0 ? 'fence' : null;
}

/** What an instruction is; `null` if it does not synchronize, or has a result that is needed. */
export function kindOf(instruction: Instruction): SiteKind | null {
  return KINDS[instruction.parts[0]!]?.(instruction) ?? null;
}

/** The instructions of a kernel that may be left out, by their place in the text. */
export function sitesOf({ instructions }: PtxFunction): Site[] {
  const found = new Map<string, Site & { readonly at: number[] }>();
  for (const instruction of instructions) {
    const kind = kindOf(instruction);
    if (kind === null) continue;
    const key = keyOf(instruction);
    const site = found.get(key);
    if (site === undefined)
      found.set(key, { key, kind, opcode: instruction.opcode, at: [instruction.index] });
    else site.at.push(instruction.index);
  }
  return [...found.values()];
}

const PAUSE = decodeOpcode('nanosleep.u32');
const EQUAL = decodeOpcode('setp.eq.u32');
const ZERO: Operand = { kind: 'immediate', value: { low: 0, high: 0, isFloat: false } };

/** What stands for an instruction that is left out: a wait answers yes, others do nothing. */
function without(instruction: Instruction): Instruction {
  const [to] = instruction.operands;
  if (instruction.parts[0] !== 'mbarrier' || instruction.parts[1] === 'arrive')
    return { ...instruction, ...PAUSE, operands: [ZERO] };
  const result = to?.kind === 'pair' ? to.first : to!;
  const operands = [result, ZERO, ZERO];
  return { ...instruction, ...EQUAL, operands };
}

/** A change of a kernel: instructions left out, and other numbers of groups that stay open. */
export interface Change {
  readonly deleted: ReadonlySet<number>;
  /** By instruction. */
  readonly pending: ReadonlyMap<number, number>;
}

/** The kernel with a change; indices stay the same. */
export function changed(code: PtxFunction, { deleted, pending }: Change): PtxFunction {
  const instructions = code.instructions.map((instruction) => {
    if (deleted.has(instruction.index)) return without(instruction);
    const open = pending.get(instruction.index);
    if (open === undefined) return instruction;
    const count: Operand = { kind: 'immediate', value: { low: open, high: 0, isFloat: false } };
    return { ...instruction, operands: [count] };
  });
  return { ...code, instructions };
}
