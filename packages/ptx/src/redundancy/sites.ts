// Instructions that synchronize and may be left out: what each is, and what stands in its place.
import { decodeOpcode } from '../isa/decode.ts';
import type { Effect, Unit } from '../isa/effect.ts';
import { isPhaseWait } from '../isa/questions.ts';
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
  readonly effect: Effect;
  /** Where it is in the kernel with its calls replaced. */
  readonly at: readonly number[];
}

/** `line:column` of an instruction. */
export function keyOf({ line, column }: Instruction): string {
  return `${line}:${column}`;
}

/** What waits for groups of asynchronous work. */
const GROUP_WAITS = {
  cpAsync: 'copy group wait',
  bulk: 'bulk group wait',
  wgmma: 'tensor core wait',
} as const satisfies Record<Unit, SiteKind>;

/** What an instruction is; `null` if it does not synchronize, or has a result that is needed. */
export function kindOf(instruction: Instruction): SiteKind | null {
  const { effect, operands } = instruction;
  switch (effect.kind) {
    case 'barrier':
      if (effect.of === 'cluster') return 'cluster barrier';
      return effect.op === 'reduce' ? null : 'barrier';
    case 'lanes':
      return effect.op === 'join' ? 'warp barrier' : null;
    case 'mbarrier':
      if (isPhaseWait(instruction)) return 'wait';
      return effect.op === 'arrive' && !effect.isExpect ? 'arrival' : null;
    case 'group':
      return effect.op === 'commit' ? null : GROUP_WAITS[effect.unit];
    case 'wgmma':
      return effect.op === 'fence' ? 'register fence' : null;
    case 'tcgen05':
      if (effect.op === 'wait load' || effect.op === 'wait store') return 'tensor memory wait';
      return effect.op === 'fence before' || effect.op === 'fence after' ? 'fence' : null;
    case 'fence':
      return operands.length === 0 ? 'fence' : null;
    case 'access':
    case 'matrix':
    case 'warp matrix':
    case 'copy':
    case 'prefetch':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'launch control':
    case 'control':
    case 'compute':
    case 'opaque':
    case 'hint':
      return null;
  }
}

/** The instructions of a kernel that may be left out, by their place in the text. */
export function sitesOf({ instructions }: PtxFunction): Site[] {
  const found = new Map<string, Site & { readonly at: number[] }>();
  for (const instruction of instructions) {
    const kind = kindOf(instruction);
    if (kind === null) continue;
    const key = keyOf(instruction);
    const { opcode, effect, index } = instruction;
    const site = found.get(key);
    if (site === undefined) found.set(key, { key, kind, opcode, effect, at: [index] });
    else site.at.push(index);
  }
  return [...found.values()];
}

const PAUSE = decodeOpcode('nanosleep.u32');
const EQUAL = decodeOpcode('setp.eq.u32');
const ZERO: Operand = { kind: 'immediate', value: { low: 0, high: 0, isFloat: false } };

/** What stands for an instruction that is left out: a wait answers yes, others do nothing. */
function without(instruction: Instruction): Instruction {
  const [to] = instruction.operands;
  if (!isPhaseWait(instruction)) return { ...instruction, ...PAUSE, operands: [ZERO] };
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
