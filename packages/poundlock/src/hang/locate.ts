// Where lanes are in their code, in the PTX and in the user's source.
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
import { isPhaseWait, type KernelText } from './kernel-text.ts';
import type { TableContext } from './rows.ts';
import type { LaneGroup, PlaceInCode, StoppedBlock } from './stopped.ts';

/** A group of lanes with what its code says. */
export interface Located {
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

/** Finds where a group of lanes is. */
export function locate(
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
    const other = waitOf(code, offset);
    if (other?.kind !== 'mbarrier' || !isRight(offset)) continue;
    const isSame =
      other.base === wait.base && other.parity === wait.parity && other.plus === wait.plus;
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

/** Above the address in a block is the number of the block in its cluster. */
export const RANK_SIZE = 1 << 24;

/** The address within a block. */
export function withinBlock(address: number): number {
  return address % RANK_SIZE;
}
