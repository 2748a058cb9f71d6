// What a run ledger follows of each instruction: accesses of lanes, signals, barriers of the warp.
import { elementBytes, vectorWidth } from '../exec/warp/form.ts';
import type { LaneEvent } from './lane-pairs.ts';
import { readsOf } from '../flow/liveness.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';

/** Why an access to global memory may be seen by other blocks before the kernel ends. */
const ORDERED = new Set(['volatile', 'relaxed', 'acquire', 'release', 'acq_rel', 'mmio']);
/** What makes an atomic a signal by itself. */
const SEMANTIC = new Set(['acquire', 'release', 'acq_rel']);
/** Operations on memory that give the same result in any order. */
const COMMUTATIVE = new Set(['add', 'and', 'or', 'xor', 'min', 'max']);
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

function spaceOf(parts: readonly string[]): 'shared' | 'global' | 'generic' | 'private' {
  for (const part of parts) {
    if (part.startsWith('shared')) return 'shared';
    if (part === 'global') return 'global';
    if (/^(local|param|const)/.test(part)) return 'private';
  }
  return 'generic';
}

function addressAt(instruction: Instruction, index: number) {
  const operand = instruction.operands[index];
  return operand?.kind === 'address' ? operand : null;
}

function threadAccess(
  instruction: Instruction,
  isUsed: (register: number) => boolean,
): Watched | null {
  const { parts } = instruction;
  const space = spaceOf(parts);
  // Read-only memory has no writer.
  if (space === 'private' || parts.includes('nc')) return null;
  const isAtomic = parts[0] === 'atom' || parts[0] === 'red';
  const isStore = parts[0] === 'st';
  const address = addressAt(instruction, isStore || parts[0] === 'red' ? 0 : 1);
  if (address === null) return null;
  const [result] = instruction.operands;
  const hasResult =
    parts[0] === 'atom' && !(result?.kind === 'register' && !isUsed(result.register));
  const operation = parts.find((part) => COMMUTATIVE.has(part)) ?? null;
  return {
    kind: 'access',
    instruction,
    address,
    bytes: elementBytes(parts) * vectorWidth(parts),
    space,
    isRead: !isStore,
    isWrite: isStore || isAtomic,
    isOrdered: isAtomic || parts.some((part) => ORDERED.has(part)),
    isSignal: parts.some((part) => (isAtomic ? SEMANTIC : ORDERED).has(part)),
    commutes: isAtomic && !hasResult ? operation : null,
    rows: 0,
    isCopy: false,
    source: null,
  };
}

function matrixAccess(instruction: Instruction): Watched | null {
  const { parts } = instruction;
  const isStore = parts[0] === 'stmatrix';
  const matrices = parts.includes('x4') ? 4 : parts.includes('x2') ? 2 : 1;
  const address = addressAt(instruction, isStore ? 0 : 1);
  if (address === null) return null;
  return {
    kind: 'access',
    instruction,
    address,
    bytes: ROW_BYTES,
    space: 'shared',
    isRead: !isStore,
    isWrite: isStore,
    isOrdered: false,
    isSignal: false,
    commutes: null,
    rows: MATRIX_ROWS * matrices,
    isCopy: false,
    source: null,
  };
}

function copy(instruction: Instruction): Watched | null {
  const { parts, operands, opcode } = instruction;
  if (parts.includes('bulk')) {
    if (parts.includes('commit_group')) return SIGNAL;
    if (parts.includes('wait_group')) return WAIT;
    if (parts.includes('prefetch')) return null;
    const isLoad = !/global\.shared::cta/.test(opcode);
    const isInside = /shared::cluster\.shared::cta/.test(opcode);
    const global = addressAt(instruction, isLoad ? 1 : 0);
    if (isInside || global === null) return SIGNAL;
    const size = parts.includes('tensor') ? null : (operands[2] ?? null);
    return { kind: 'bulk copy', instruction, global, size, isRead: isLoad };
  }
  if (parts.includes('commit_group')) return { kind: 'copy group' };
  if (parts.includes('wait_all')) return { kind: 'copy wait', pending: 0 };
  if (parts.includes('wait_group')) {
    const [count] = operands;
    return { kind: 'copy wait', pending: count?.kind === 'immediate' ? count.value.low : 0 };
  }
  const address = addressAt(instruction, 0);
  const size = operands[2];
  if (parts.includes('mbarrier') || address === null) return SIGNAL;
  return {
    kind: 'access',
    instruction,
    address,
    bytes: size?.kind === 'immediate' ? size.value.low : ROW_BYTES,
    space: 'shared',
    isRead: false,
    isWrite: true,
    isOrdered: false,
    isSignal: false,
    commutes: null,
    rows: 0,
    isCopy: true,
    source: addressAt(instruction, 1),
  };
}

function threads(instruction: Instruction): Watched {
  const { parts, operands } = instruction;
  if (parts[1] === 'warp') return { kind: 'join', mask: operands[0] ?? null };
  const isArrive = parts.includes('arrive');
  return isArrive ? SIGNAL : { kind: 'join', mask: null };
}

/** Fences of threads that reach beyond the cluster. */
function fence({ parts }: Instruction): Watched | null {
  const isProxy = parts.includes('proxy') || parts.includes('mbarrier_init');
  const isWide = parts.some((part) => ['gpu', 'sys', 'gl'].includes(part));
  return isWide && !isProxy ? { kind: 'wide fence' } : null;
}

type Watch = (instruction: Instruction, isUsed: (register: number) => boolean) => Watched | null;

const WATCHED: Readonly<Record<string, Watch>> = {
  ld: threadAccess,
  ldu: threadAccess,
  st: (instruction, isUsed) =>
    instruction.parts[1] === 'async' ? SIGNAL : threadAccess(instruction, isUsed),
  atom: threadAccess,
  red: (instruction, isUsed) =>
    instruction.parts[1] === 'async' ? SIGNAL : threadAccess(instruction, isUsed),
  ldmatrix: matrixAccess,
  stmatrix: matrixAccess,
  cp: copy,
  bar: threads,
  barrier: threads,
  mbarrier: ({ parts }) =>
    parts[1] === 'init' ? INIT : (parts[1] ?? '').endsWith('_wait') ? WAIT : SIGNAL,
  tcgen05: ({ parts }) =>
    /^(mma|cp|commit|alloc|dealloc|shift)/.test(parts[1] ?? '') ? SIGNAL : null,
  griddepcontrol: ({ parts }) => (parts[1] === 'wait' ? { kind: 'grid wait' } : SIGNAL),
  clusterlaunchcontrol: () => SIGNAL,
  fence,
  membar: fence,
};

/** What a ledger does at each instruction of a kernel; `null` where it does nothing. */
export function watchedIn({ instructions }: PtxFunction): (Watched | null)[] {
  const used = new Set(instructions.flatMap(readsOf));
  const isUsed = (register: number): boolean => used.has(register);
  return instructions.map((one) => WATCHED[one.parts[0]!]?.(one, isUsed) ?? null);
}
