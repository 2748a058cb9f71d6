// The instructions of sm_90 that wait, and the loops that they are polled in.
import { Row } from './row.ts';

/** Bytes of an instruction. */
export const INSTRUCTION_BYTES = 16;

/** A register that an instruction names; 255 is zero. */
export const ZERO_REGISTER = 255;
/** The uniform register that stands for none. */
export const NO_UNIFORM = 63;

/** An instruction that a warp may be waiting in. */
export type WaitInstruction =
  | {
      readonly kind: 'mbarrier';
      readonly offset: number;
      /** The address is the sum of these. */
      readonly base: number;
      readonly uniform: number;
      readonly plus: number;
      /** The register whose highest bit is the parity. */
      readonly parity: number;
    }
  | { readonly kind: 'named'; readonly offset: number; readonly id: number | null }
  | { readonly kind: 'nanosleep' | 'cluster'; readonly offset: number }
  | {
      /** A load or an atomic operation that sees what other blocks write. */
      readonly kind: 'load';
      /** Bytes of the word. */
      readonly bytes: 4 | 8;
      readonly offset: number;
      /** The first of the two registers of the address, and what is added. */
      readonly base: number;
      readonly plus: number;
      /** The first register of the result. */
      readonly result: number;
    };

const TRY_WAIT = 0x5a7;
const BAR_SYNC = 0xb1d;
const NANOSLEEP = new Set([0x95d, 0x35d]);
const LOADS = new Set([0x981, 0x980]);
const ATOMICS = new Set([0x3a9, 0x9a9, 0x3a8, 0x9a8, 0x38a, 0x98a, 0x38b, 0x98b]);
const CLUSTER_WAIT = 0xdc7;
/** The strength of a load that no other thread is ordered with. */
const WEAK = 1;
const SIZE_64 = 5;
const BRANCH = 0x947;
const NOTHING = 0x918;

/** An instruction: its two words. */
interface Encoded {
  readonly low: bigint;
  readonly high: bigint;
}

function encodedAt(code: Row, offset: number): Encoded {
  return { low: code.word64(offset), high: code.word64(offset + 8) };
}

function opcodeOf({ low }: Encoded): number {
  return Number(low & 0xfffn);
}

/** The bits of a number from one on. */
function field(word: bigint, from: number, bits: number): number {
  return Number((word >> BigInt(from)) & ((1n << BigInt(bits)) - 1n));
}

/** What an instruction waits for; `undefined` where it does not wait. */
export function waitOf(code: Row, offset: number): WaitInstruction | undefined {
  const encoded = encodedAt(code, offset);
  const { low, high } = encoded;
  const opcode = opcodeOf(encoded);
  const address = {
    base: field(low, 24, 8),
    uniform: field(high, 0, 6),
    plus: Number(BigInt.asIntN(24, low >> 40n)),
  };
  if (opcode === TRY_WAIT)
    return { kind: 'mbarrier', offset, ...address, parity: field(low, 32, 8) };
  if (opcode === BAR_SYNC) {
    const isImmediate = field(high, 16, 1) === 1;
    return { kind: 'named', offset, id: isImmediate ? field(low, 54, 4) : null };
  }
  if (NANOSLEEP.has(opcode)) return { kind: 'nanosleep', offset };
  if (opcode === CLUSTER_WAIT) return { kind: 'cluster', offset };
  const isStrong = LOADS.has(opcode) && field(high, 12, 5) !== WEAK;
  if (!isStrong && !ATOMICS.has(opcode)) return undefined;
  const bytes = field(high, 9, 3) === SIZE_64 ? 8 : 4;
  const { base, plus } = address;
  return { kind: 'load', offset, bytes, base, plus, result: field(low, 16, 8) };
}

/** Whether an instruction only fills the end of a function. */
export function isPadding(code: Row, offset: number): boolean {
  return opcodeOf(encodedAt(code, offset)) === NOTHING;
}

/** Where a branch goes, as an offset in the function; `undefined` where it is no branch. */
export function branchTarget(code: Row, offset: number): number | undefined {
  const encoded = encodedAt(code, offset);
  if (opcodeOf(encoded) !== BRANCH) return undefined;
  const { low } = encoded;
  // In units of four bytes from the next instruction on: the low byte is apart from the others.
  const high = Number(BigInt.asIntN(30, low >> 34n));
  return offset + INSTRUCTION_BYTES + (high * 256 + field(low, 16, 8)) * 4;
}

/** A loop: the offsets of its first and its last instruction. */
export interface CodeLoop {
  readonly first: number;
  readonly last: number;
}

/** The loops of a function that an offset lies in, the smallest first. */
export function loopsAround(code: Row, offset: number): CodeLoop[] {
  const loops: CodeLoop[] = [];
  for (let last = 0; last + INSTRUCTION_BYTES <= code.bytes.length; last += INSTRUCTION_BYTES) {
    const first = branchTarget(code, last);
    if (first !== undefined && first <= offset && first <= last && offset <= last && first >= 0)
      loops.push({ first, last });
  }
  return loops.toSorted((a, b) => a.last - a.first - (b.last - b.first));
}

/** How far the place where a warp is stopped may be from the instruction that it waits in. */
const NEAR = [0, -16, -32, 16] as const;

/**
 * What a warp that is stopped at an offset waits for: the wait of the polling loop around it, else
 * an instruction that blocks right there.
 */
export function waitAround(bytes: Uint8Array, offset: number): WaitInstruction | undefined {
  const code = new Row(bytes);
  const meeting = meetingAt(code, offset);
  if (meeting !== undefined) return meeting;
  const [loop] = loopsAround(code, offset);
  const polled = loop === undefined ? undefined : pollIn(loop, waitsIn(code, loop));
  if (polled !== undefined) return polled;
  for (const distance of NEAR) {
    const wait = waitOf(code, offset + distance);
    if (wait === undefined || wait.kind === 'load') continue;
    // A sleep, or another barrier, that is behind the place is over.
    if (wait.kind === 'mbarrier' || distance >= 0) return wait;
  }
  return undefined;
}

/** A barrier of threads: a warp waits for others behind the instruction that arrives there. */
function meetingAt(code: Row, offset: number): WaitInstruction | undefined {
  const near = [offset, offset - INSTRUCTION_BYTES].map((at) => waitOf(code, at));
  return near.find((wait) => wait?.kind === 'named');
}

/** The most instructions of a loop that does nothing but poll, and of one that sleeps or loads. */
const MAX_BARE_POLL = 8;
const MAX_POLL = 24;

/** What a loop polls; `undefined` where it does other work. */
function pollIn(
  { first, last }: CodeLoop,
  waits: readonly WaitInstruction[],
): WaitInstruction | undefined {
  const size = (last - first) / INSTRUCTION_BYTES + 1;
  if (size > MAX_POLL) return undefined;
  const of = (kind: WaitInstruction['kind']): WaitInstruction | undefined =>
    waits.find((each) => each.kind === kind);
  const [phase, word, sleep] = [of('mbarrier'), of('load'), of('nanosleep')];
  if (phase !== undefined) return size <= MAX_BARE_POLL || sleep !== undefined ? phase : undefined;
  return word ?? sleep;
}

function waitsIn(code: Row, { first, last }: CodeLoop): WaitInstruction[] {
  const waits: WaitInstruction[] = [];
  for (let offset = first; offset <= last; offset += INSTRUCTION_BYTES) {
    const wait = waitOf(code, offset);
    if (wait !== undefined) waits.push(wait);
  }
  return waits;
}
