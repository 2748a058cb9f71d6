// The table of a stopped kernel: which warp waits where, and what the words of barriers say.
import { callsOf, originAt, type Origin } from './dump/cubin.ts';
import { Row } from './dump/row.ts';
import {
  INSTRUCTION_BYTES,
  NO_UNIFORM,
  waitAround,
  waitOf,
  ZERO_REGISTER,
  type WaitInstruction,
} from './dump/sass.ts';
import { decodeWord, isBarrierWord, type BarrierWord } from './dump/word.ts';
import type { Instruction } from '@poundlock/ptx/internal/text/module';
import { isPhaseWait, type KernelText } from './kernel-text.ts';
import { nameOfAddress, placeVariables, type SharedPlacement } from './shared-names.ts';
import type { LaneGroup, PlaceInCode, StoppedBlock, StoppedGpu, Triple } from './stopped.ts';

/** What a group of lanes is in. */
export type WarpState =
  | {
      readonly kind: 'mbarrier';
      /** `null` where no variable can be named. */
      readonly name: string | null;
      /** The shared address in its block; `null` where registers are not known. */
      readonly address: number | null;
      readonly parity: 0 | 1 | null;
      /** The block of the cluster whose barrier it is, where that is another one. */
      readonly rank?: number;
    }
  | { readonly kind: 'named'; readonly id: number | null }
  | {
      readonly kind: 'word';
      readonly name: string | null;
      readonly address: string;
      /** `null` where the dump does not have it. */
      readonly holds: number | null;
    }
  | { readonly kind: 'exception'; readonly number: number; readonly name: string }
  | { readonly kind: 'cluster' | 'syncwarp' | 'nanosleep' | 'running' | 'ended' }
  /** Its code is not known, or what its instruction waits for is not. */
  | { readonly kind: 'unknown' };

/** A row: lanes of a warp that are at one place. */
export interface TableRow {
  readonly cta: Triple;
  readonly warp: number;
  readonly lanes: readonly number[];
  readonly pc: string;
  /** The place in the user's source, such as `hang.cu:36`; `null` where it is not known. */
  readonly at: string | null;
  /** The line in the PTX; `null` where it is not known. */
  readonly ptxLine: number | null;
  readonly state: WarpState;
  /** The word of the barrier that it waits for. */
  readonly word?: BarrierWord;
}

/** A barrier of a block. */
export interface TableBarrier extends BarrierWord {
  readonly cta: Triple;
  readonly name: string | null;
  readonly address: number;
}

/** What is known of a stopped kernel from what was saved alone. */
export interface HangTable {
  readonly rows: readonly TableRow[];
  readonly barriers: readonly TableBarrier[];
  /** Where variables lie; `null` where addresses cannot be named. */
  readonly placement: SharedPlacement | null;
}

/** What the table needs beside the dump. */
export interface TableContext {
  readonly gpu: StoppedGpu;
  readonly blocks: readonly StoppedBlock[];
  /** `undefined` where the PTX is not known. */
  readonly text: KernelText | undefined;
  /** Where code is whose image the dump has not: in another file, by name. */
  readonly codeAt: (pc: bigint) => PlaceInCode | undefined;
  /** The name of the buffer at an address, such as `flag+4`. */
  readonly bufferAt: (address: bigint) => string | null;
  /** How the user would name a file of the source. */
  readonly fileName: (file: string) => string;
}

/** A group of lanes with what its code says. */
interface Located {
  readonly block: StoppedBlock;
  readonly warp: number;
  readonly group: LaneGroup;
  readonly errorPc: bigint | undefined;
  readonly place: PlaceInCode | undefined;
  readonly wait: WaitInstruction | undefined;
  readonly ptxLine: number | null;
  readonly at: string | null;
  readonly address: number | null;
}

/** Makes the table. */
export function makeTable(context: TableContext): HangTable {
  const located = context.blocks.flatMap((block) =>
    block.warps.flatMap(({ warp, groups, errorPc }) =>
      groups.map((group) => locate(context, { block, warp, group, errorPc })),
    ),
  );
  const placement = placementOf(context, located);
  const rows = located.map((each) => rowOf(context, each, placement));
  return { rows, barriers: barriersOf(context, located, placement), placement };
}

/** Line tables of code, which are searched for each row. */
const ORIGINS = new WeakMap<object, { source: readonly Origin[]; ptx: readonly Origin[] }>();

function originsOf({ cubin, code }: PlaceInCode): {
  readonly source: readonly Origin[];
  readonly ptx: readonly Origin[];
} {
  let known = ORIGINS.get(code);
  if (known === undefined) {
    known = { source: cubin.sourceOf(code), ptx: cubin.ptxLinesOf(code) };
    ORIGINS.set(code, known);
  }
  return known;
}

/** Whether the encodings of the code are known. */
export function isKnownArchitecture(architecture: string): boolean {
  return architecture === '' || /^sm_90a?$/.test(architecture);
}

function locate(
  context: TableContext,
  stopped: Pick<Located, 'block' | 'warp' | 'group' | 'errorPc'>,
): Located {
  const { gpu, text, codeAt, fileName } = context;
  const { group, errorPc } = stopped;
  const place = codeAt(errorPc ?? group.pc);
  if (place === undefined)
    return { ...stopped, place, wait: undefined, ptxLine: null, at: null, address: null };
  const isKnown = isKnownArchitecture(gpu.architecture);
  const wait = isKnown ? waitAround(place.code.bytes, place.offset) : undefined;
  const offset = lineOffset(place, wait, text);
  const origins = originsOf(place);
  const ptxLine = originAt(origins.ptx, offset)?.row.line ?? null;
  const source = originAt(origins.source, offset);
  // Code that the compiler moved may have no row of its own: the line of the PTX is more exact.
  const ofText = ptxLine === null ? undefined : text?.sourceOf(ptxLine);
  const call = ofText ?? (source && callsOf(source.row)[0]);
  const address = wait?.kind === 'mbarrier' ? sharedAddress(group, wait) : null;
  return {
    ...stopped,
    place,
    wait,
    ptxLine,
    at: call === undefined ? null : `${fileName(call.file)}:${call.line}`,
    address,
  };
}

/**
 * The offset whose lines are those of a wait. The scheduler may move a first try before its own
 * line begins: then the same wait is looked for where the line table has it.
 */
function lineOffset(
  place: PlaceInCode,
  wait: WaitInstruction | undefined,
  text: KernelText | undefined,
): number {
  if (wait?.kind !== 'mbarrier' || text === undefined) return wait?.offset ?? place.offset;
  const { ptx } = originsOf(place);
  const isRight = (offset: number): boolean => {
    const line = originAt(ptx, offset)?.row.line;
    const instruction = line === undefined ? undefined : text.at(line);
    return instruction !== undefined && isPhaseWait(instruction);
  };
  if (isRight(wait.offset)) return wait.offset;
  const code = new Row(place.code.bytes);
  for (let offset = 0; offset < place.code.bytes.length; offset += INSTRUCTION_BYTES) {
    const twin = waitOf(code, offset);
    if (twin?.kind !== 'mbarrier' || !isRight(offset)) continue;
    const isSame =
      twin.base === wait.base && twin.parity === wait.parity && twin.plus === wait.plus;
    if (isSame) return offset;
  }
  return wait.offset;
}

/** The address of a wait, with the rank of another block above its 24 bits. */
function sharedAddress(
  { register, uniform }: LaneGroup,
  wait: Extract<WaitInstruction, { kind: 'mbarrier' }>,
): number | null {
  const base = wait.base === ZERO_REGISTER ? 0 : register(wait.base);
  const added = wait.uniform === NO_UNIFORM ? 0 : uniform(wait.uniform);
  if (base === undefined || added === undefined) return null;
  return (base + added + wait.plus) >>> 0;
}

const RANK_BITS = 24;
const RANK_SIZE = 1 << RANK_BITS;

/** The address within a block. */
function withinBlock(address: number): number {
  return address % RANK_SIZE;
}

function placementOf(
  { text }: TableContext,
  located: readonly Located[],
): SharedPlacement | null {
  if (text === undefined) return null;
  const waits = located.filter(({ address }) => address !== null);
  const seen = new Map<string, { address: number; symbols: ReadonlySet<string> | null }>();
  for (const { address, ptxLine } of waits) {
    const instruction = ptxLine === null ? undefined : text.at(ptxLine);
    const isWait = instruction !== undefined && isPhaseWait(instruction);
    const symbols = isWait ? text.variablesOf(instruction) : null;
    const key = `${address} ${isWait ? ptxLine : ''}`;
    seen.set(key, { address: withinBlock(address!), symbols });
  }
  const { block } = located.find((each) => each.block.sharedBytes > 0) ?? {};
  return placeVariables(text, [...seen.values()], (placement) => {
    return block === undefined || holdsBarriers(block, text, placement);
  });
}

/** Whether each variable that is an array of mbarriers has words of its barriers. */
function holdsBarriers(
  block: StoppedBlock,
  text: KernelText,
  { placed }: SharedPlacement,
): boolean {
  return placed.every(({ array, at }) => {
    if (!array.hasBarriers || array.isDynamic || array.size > MAX_BARRIERS * 8) return true;
    const counts = text.countsOf(array.symbol);
    for (let offset = 0; offset + 8 <= array.size; offset += 8) {
      const word = block.sharedWord(at + offset);
      // A barrier that was not initialized yet is zero, and a variable may hold other data.
      if (word === undefined || word === 0n || (offset > 0 && !isBarrierWord(word))) continue;
      if (!isBarrierWord(word)) return false;
      if (counts !== null && !counts.has(decodeWord(word).count)) return false;
    }
    return true;
  });
}

/** Larger variables hold data, too. */
const MAX_BARRIERS = 64;

function rowOf(
  context: TableContext,
  located: Located,
  placement: SharedPlacement | null,
): TableRow {
  const { block, warp, group, at, ptxLine } = located;
  const state = stateOf(context, located, placement);
  const word = wordOf(context, located);
  return {
    cta: block.block,
    warp,
    lanes: Array.from({ length: 32 }, (_, lane) => lane).filter(
      (lane) => (group.lanes >>> lane) & 1,
    ),
    pc: `0x${group.pc.toString(16)}`,
    at,
    ptxLine,
    state,
    ...(state.kind === 'mbarrier' && word !== undefined && { word }),
  };
}

/** The block that an address of a wait is of. */
function ownerOf({ blocks }: TableContext, block: StoppedBlock, address: number): StoppedBlock {
  const rank = Math.floor(address / RANK_SIZE);
  // Without a cluster an address has no rank; in one, that of the own block may be left out.
  if (rank === 0 || rank === block.rank) return block;
  const { cluster } = block.grid;
  const origin = block.block.map((each, axis) => each - (each % cluster[axis]!));
  const peer = blocks.find((each) => {
    const isNear = each.block.every((at, axis) => at - (at % cluster[axis]!) === origin[axis]);
    return each.grid === block.grid && isNear && each.rank === rank;
  });
  return peer ?? block;
}

function wordOf(context: TableContext, { block, address }: Located): BarrierWord | undefined {
  if (address === null) return undefined;
  const word = ownerOf(context, block, address).sharedWord(withinBlock(address));
  return word === undefined ? undefined : decodeWord(word);
}

/** The names of exceptions, by their numbers in `cudadebugger.h`. */
const EXCEPTIONS: Readonly<Record<number, string>> = {
  1: 'illegal address',
  2: 'stack overflow',
  3: 'stack overflow',
  4: 'illegal instruction',
  5: 'address out of range',
  6: 'misaligned address',
  7: 'invalid address space',
  8: 'invalid program counter',
  9: 'stack overflow',
  10: 'illegal address',
  11: 'misaligned address',
  12: 'failed assertion',
  13: 'error in a system call',
  14: 'illegal address',
  17: 'a block of the cluster that is not there',
  18: 'address out of range in the cluster',
};

function stateOf(
  context: TableContext,
  { block, group, place, wait, ptxLine, address, errorPc }: Located,
  placement: SharedPlacement | null,
): WarpState {
  if (group.exception > 0 || errorPc !== undefined) {
    const number = group.exception || block.exception;
    return { kind: 'exception', number, name: EXCEPTIONS[number] ?? `exception ${number}` };
  }
  const instruction = ptxLine === null ? undefined : context.text?.at(ptxLine);
  if (wait?.kind === 'mbarrier') {
    const parity = wait.parity === ZERO_REGISTER ? 0 : group.register(wait.parity);
    const owner = address === null ? block : ownerOf(context, block, address);
    const within = address === null ? null : withinBlock(address);
    return {
      kind: 'mbarrier',
      name: within === null || placement === null ? null : (nameOfAddress(placement, within) ?? null),
      address: within,
      parity: parity === undefined ? null : parity >>> 31 === 1 ? 1 : 0,
      ...(owner !== block && { rank: owner.rank }),
    };
  }
  if (wait?.kind === 'load') return wordState(context, group, wait);
  if (wait?.kind === 'named') return { kind: 'named', id: wait.id };
  if (wait !== undefined) return { kind: wait.kind };
  const isKnown = isKnownArchitecture(context.gpu.architecture);
  if (place === undefined || (!isKnown && instruction === undefined)) return { kind: 'unknown' };
  return instruction === undefined ? { kind: 'running' } : stateOfText(context.text!, instruction);
}

/** Where the encoding of the code does not say it: what a warp at an instruction waits for. */
function stateOfText(text: KernelText, instruction: Instruction): WarpState {
  const kind = text.waitAround(instruction);
  if (kind === 'mbarrier') return { kind, name: null, address: null, parity: null };
  if (kind === 'named') return { kind, id: null };
  if (kind === 'word') return { kind, name: null, address: '', holds: null };
  return { kind };
}

function wordState(
  { gpu, bufferAt }: TableContext,
  { register }: LaneGroup,
  { base, plus, bytes }: Extract<WaitInstruction, { kind: 'load' }>,
): WarpState {
  const [low, high] = [register(base), register(base + 1)];
  if (low === undefined || high === undefined)
    return { kind: 'word', name: null, address: '', holds: null };
  const address = (BigInt(high) << 32n) + BigInt(low) + BigInt(plus);
  const memory = gpu.memory(address, bytes);
  const row = memory && new Row(memory);
  const value = row && (bytes === 8 ? BigInt.asIntN(64, row.word64(0)) : row.word32(0) | 0);
  return {
    kind: 'word',
    name: bufferAt(address),
    address: `0x${address.toString(16)}`,
    holds: value === undefined ? null : Number(value),
  };
}

/** The barriers of each block: those that are waited for, and those beside them. */
function barriersOf(
  { blocks, text }: TableContext,
  located: readonly Located[],
  placement: SharedPlacement | null,
): TableBarrier[] {
  const waited = new Set(
    located.flatMap(({ address }) => (address === null ? [] : [withinBlock(address)])),
  );
  const addresses = new Set(waited);
  for (const { array, at } of placement?.placed ?? [])
    if (array.hasBarriers && !array.isDynamic && array.size <= MAX_BARRIERS * 8)
      for (let offset = 0; offset + 8 <= array.size; offset += 8) addresses.add(at + offset);
  return blocks.flatMap((block) => {
    const own = new Set(addresses);
    if (text === undefined || placement === null) addNeighbors(block, waited, own);
    return [...own]
      .toSorted((a, b) => a - b)
      .flatMap((address): TableBarrier[] => {
        const word = block.sharedWord(address);
        if (word === undefined || !isBarrierWord(word)) return [];
        const name = placement === null ? null : (nameOfAddress(placement, address) ?? null);
        return [{ cta: block.block, name, address, ...decodeWord(word) }];
      });
  });
}

/** Words next to a barrier that look like one, too. */
function addNeighbors(block: StoppedBlock, waited: ReadonlySet<number>, found: Set<number>): void {
  for (const address of waited)
    for (const step of [-8, 8])
      for (let at = address + step; Math.abs(at - address) <= 64 && at >= 0; at += step) {
        const word = block.sharedWord(at);
        if (word === undefined || word === 0n || !isBarrierWord(word)) break;
        found.add(at);
      }
}
