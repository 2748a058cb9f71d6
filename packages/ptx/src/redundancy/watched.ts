// What a run ledger follows of each instruction: accesses of lanes, signals, barriers of the warp.
import type { LaneEvent } from './lane-pairs.ts';
import { readsOf } from '../flow/liveness.ts';
import type { Access, Copy, Fence, Group, MatrixAccess, TensorMemory } from '../isa/effect.ts';
import { isPhaseWait } from '../isa/questions.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';

/** Operations on memory that give the same result in any order. */
const COMMUTATIVE: ReadonlySet<Access['operation']> = new Set([
  'add',
  'and',
  'or',
  'xor',
  'min',
  'max',
]);
const ROW_BYTES = 16;
const MATRIX_ROWS = 8;

/** An access of lanes to shared or global memory. */
export interface WatchedAccess {
  readonly kind: 'access';
  readonly instruction: Instruction;
  readonly address: Extract<Operand, { kind: 'address' }>;
  readonly bytes: number;
  /** The space that the opcode names. */
  readonly space: 'shared' | 'global' | 'generic';
  readonly isRead: boolean;
  readonly isWrite: boolean;
  /** Whether it is volatile, atomic, or has an order. */
  readonly isOrdered: boolean;
  /** Whether other blocks may take it for a signal: beside a fence, an atomic is one, too. */
  readonly isSignal: boolean;
  /** The operation of an atomic without a result that may come in any order; else `null`. */
  readonly commutes: string | null;
  /** Lanes that give addresses, where they read or write for all lanes; 0: each for itself. */
  readonly rows: number;
  /** Whether the access is complete at a later wait only. */
  readonly isCopy: boolean;
  /** Where a copy reads; `null`: it is none. */
  readonly source: Extract<Operand, { kind: 'address' }> | null;
}

/** What a ledger does at an instruction. */
export type Watched =
  | WatchedAccess
  /** All lanes that a barrier of the block or the cluster joins, or those of a mask. */
  | { readonly kind: 'join'; readonly mask: Operand | null }
  /** A signal, a wait or the start of work: lanes that do not execute it are not part of it. */
  | { readonly kind: 'event'; readonly event: LaneEvent }
  | { readonly kind: 'copy group' }
  | { readonly kind: 'copy wait'; readonly pending: number }
  /** A bulk copy between shared and global memory. */
  | {
      readonly kind: 'bulk copy';
      readonly instruction: Instruction;
      readonly global: Extract<Operand, { kind: 'address' }>;
      readonly size: Operand | null;
      readonly isRead: boolean;
    }
  /** A signal to other blocks or other kernels. */
  | { readonly kind: 'grid wait' }
  | { readonly kind: 'wide fence' };

const SIGNAL: Watched = { kind: 'event', event: 'signal' };
const WAIT: Watched = { kind: 'event', event: 'wait' };
const INIT: Watched = { kind: 'event', event: 'init' };

/** An access to shared memory that neither reads nor writes, for itself alone. */
const PLAIN = {
  kind: 'access',
  space: 'shared',
  isRead: false,
  isWrite: false,
  isOrdered: false,
  isSignal: false,
  commutes: null,
  rows: 0,
  isCopy: false,
  source: null,
} as const;

function addressAt({ operands }: Instruction, index: number | undefined) {
  const operand = index === undefined ? undefined : operands[index];
  return operand?.kind === 'address' ? operand : null;
}

function threadAccess(
  instruction: Instruction,
  effect: Access,
  isUsed: (register: number) => boolean,
): Watched | null {
  const { op, space, order, operation, isStrong, bytes, width } = effect;
  if (space === 'local' || space === 'param' || space === 'const') return null;
  // Read-only memory has no writer.
  if (effect.isNonCoherent || effect.isMultimem || op === 'discard') return null;
  const address = addressAt(instruction, op === 'store' || op === 'reduction' ? 0 : 1);
  if (address === null) return null;
  const [result] = instruction.operands;
  const isAtomic = op === 'atomic' || op === 'reduction';
  const hasResult = op === 'atomic' && !(result?.kind === 'register' && !isUsed(result.register));
  return {
    ...PLAIN,
    instruction,
    address,
    bytes: bytes * width,
    space,
    isRead: op !== 'store',
    isWrite: op !== 'load',
    isOrdered: isStrong,
    isSignal: isAtomic ? order !== 'relaxed' : isStrong,
    commutes: isAtomic && !hasResult && COMMUTATIVE.has(operation) ? operation : null,
  };
}

function matrixAccess(instruction: Instruction, { op, count }: MatrixAccess): Watched | null {
  const isWrite = op === 'store';
  const address = op === 'transpose' ? null : addressAt(instruction, isWrite ? 0 : 1);
  if (address === null) return null;
  const rows = MATRIX_ROWS * count;
  return { ...PLAIN, instruction, address, bytes: ROW_BYTES, isRead: !isWrite, isWrite, rows };
}

function copy(instruction: Instruction, { op, from, to, isMultimem }: Copy): Watched | null {
  if (isMultimem || op === 'zeros') return null;
  const { operands, roles } = instruction;
  const size = roles.bytes === undefined ? null : operands[roles.bytes]!;
  if (op === 'thread') {
    const address = addressAt(instruction, roles.to);
    if (address === null) return SIGNAL;
    const bytes = size?.kind === 'immediate' ? size.value.low : ROW_BYTES;
    const source = addressAt(instruction, roles.from);
    return { ...PLAIN, instruction, address, bytes, isWrite: true, isCopy: true, source };
  }
  const isRead = from === 'global';
  const global = addressAt(instruction, roles.map ?? (isRead ? roles.from : roles.to));
  if (global === null || (!isRead && to !== 'global')) return SIGNAL;
  return { kind: 'bulk copy', instruction, global, size, isRead };
}

function group({ operands }: Instruction, { op, unit }: Group): Watched | null {
  switch (unit) {
    case 'wgmma':
      return null;
    case 'bulk':
      return op === 'commit' ? SIGNAL : WAIT;
    case 'cpAsync': {
      if (op === 'commit') return { kind: 'copy group' };
      const [count] = operands;
      return { kind: 'copy wait', pending: count?.kind === 'immediate' ? count.value.low : 0 };
    }
  }
}

/** What starts or ends work of the tensor core, or allocates its memory. */
const OF_TENSOR_CORE: ReadonlySet<TensorMemory['op']> = new Set([
  'multiply',
  'copy',
  'commit',
  'alloc',
  'dealloc',
  'shift',
]);

/** What a ledger does at an instruction. */
function watchedAt(
  instruction: Instruction,
  isUsed: (register: number) => boolean,
): Watched | null {
  const { effect, operands } = instruction;
  switch (effect.kind) {
    case 'access':
      return threadAccess(instruction, effect, isUsed);
    case 'matrix':
      return matrixAccess(instruction, effect);
    case 'copy':
      return copy(instruction, effect);
    case 'group':
      return group(instruction, effect);
    case 'mbarrier':
      return effect.op === 'init' ? INIT : isPhaseWait(instruction) ? WAIT : SIGNAL;
    case 'barrier':
      return effect.op === 'arrive' ? SIGNAL : { kind: 'join', mask: null };
    case 'lanes':
      return effect.op === 'join' ? { kind: 'join', mask: operands[0] ?? null } : null;
    case 'fence':
      return isWideFence(effect) ? { kind: 'wide fence' } : null;
    case 'tcgen05':
      return OF_TENSOR_CORE.has(effect.op) ? SIGNAL : null;
    case 'grid':
      return effect.op === 'wait' ? { kind: 'grid wait' } : SIGNAL;
    case 'launch control':
      return SIGNAL;
    case 'warp matrix':
    case 'prefetch':
    case 'wgmma':
    case 'registers':
    case 'tensor map':
    case 'control':
    case 'compute':
    case 'opaque':
    case 'hint':
      return null;
  }
}

/** Whether a fence of threads reaches beyond the cluster. */
function isWideFence({ proxy, restriction, scope }: Fence): boolean {
  const isOfThreads = proxy === null && restriction !== 'mbarrier init';
  return isOfThreads && (scope === 'gpu' || scope === 'sys');
}

/** What a ledger does at each instruction of a kernel; `null` where it does nothing. */
export function watchedIn({ instructions }: PtxFunction): (Watched | null)[] {
  const used = new Set(instructions.flatMap(readsOf));
  const isUsed = (register: number): boolean => used.has(register);
  return instructions.map((one) => watchedAt(one, isUsed));
}
