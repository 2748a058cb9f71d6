// Records what the warps of a block issue, for a model in which the warps of an SM compete.
import { lineOf, meetingOf } from '@poundlock/core/internal/program';
import type {
  IssuedInstruction,
  IssuedWarp,
  IssueKind,
  IssueTrace,
} from '@poundlock/core/internal/program';
import { addressOf } from '../exec/warp/builder.ts';
import type { ReadAddress } from '../exec/warp/lane.ts';
import type { Warp } from '../exec/warp/warp.ts';
import type { Launch } from '../launch/launch.ts';
import { operationOf } from '../isa/questions.ts';
import { LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW } from '../launch/windows.ts';
import type { ExecutedRun } from '../steps/run.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { firstLane, laneCount } from '../values/lane-mask.ts';
import type { Wide } from '../values/wide.ts';
import type { InstructionTime } from './instruction-times.ts';
import { issueKindOf } from './issue-demand.ts';
import { loadRoomsOf, NO_LOAD } from './load-rooms.ts';

/** The most instructions of the warps of a block that are recorded. */
const MOST_STEPS = 8_000_000;
/** The most accesses at unknown places for one at a known place. */
const UNKNOWN = 0.05;
/** Of an access to local memory, or of no lane. */
const NEAR = -1;
const ACCESSES: ReadonlySet<IssueKind> = new Set(['load', 'store', 'atomic', 'copy']);
const OF_DATA = 'unknown data decides which instructions its lanes execute';
const WARP = 32;
const LINE_BYTES = 128;
const SECTOR_BYTES = 32;
/** Banks of shared memory, each a word wide. */
const BANKS = 32;
const WORD = 4;
/** Bytes between two numbers of the high half of an address. */
const WINDOW = 2 ** 32;

const at: Wide = { low: 0, high: 0 };

/** Numbers that are appended one by one. */
class Numbers<T extends Int32Array | Float64Array> {
  #numbers: T;
  readonly #make: (size: number) => T;
  length = 0;

  constructor(make: (size: number) => T) {
    this.#make = make;
    this.#numbers = make(256);
  }

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const more = this.#make(2 * this.length);
      more.set(this.#numbers as never);
      this.#numbers = more;
    }
    this.#numbers[this.length++] = value;
  }

  set(index: number, value: number): void {
    this.#numbers[index] = value;
  }

  done(): T {
    return this.#numbers.subarray(0, this.length) as T;
  }
}

interface Recorded {
  readonly at: Numbers<Int32Array>;
  readonly detail: Numbers<Int32Array>;
  readonly lines: Numbers<Float64Array>;
  /** The last instruction, and the lanes that executed it. */
  last: number;
  lastMask: number;
}

/** How to find out what an instruction accesses. */
interface Reader {
  readonly space: 'global' | 'shared' | 'generic';
  readonly bytes: number;
  readonly read: ReadAddress;
}

/** A function of the text, whose instructions have numbers from `first` on. */
interface Code {
  readonly first: number;
  readonly readers: readonly (Reader | null)[];
}

/** Records the warps of the first block of each run. */
export class IssueRecorder {
  readonly #launch: Launch;
  readonly #codes = new Map<PtxFunction, Code>();
  readonly #instructions: IssuedInstruction[] = [];
  readonly #warps = new Map<Warp, Recorded>();
  /** By the high half of addresses, or by what a pointer reaches: the number of a buffer. */
  readonly #buffers = new Map<number, number>();
  readonly #bytes: number[] = [];
  /** Of the access that is recorded: its lines, each at its first lane, and their sectors. */
  readonly #lines: number[] = [];
  readonly #sectors: number[] = [];
  /** The blocks of the runs that have ended. */
  readonly #blocks: IssuedWarp[][] = [];
  #registers = 0;
  /** Accesses at known places, and at unknown ones of global memory. */
  #known = 0;
  #unknown = 0;
  #steps = 0;
  /** Why there is no trace: it accesses what is not known, or does what the model lacks. */
  #lacks: string | null = null;
  /** Whether the text has an operation that is timed with its roles alone. */
  isOfRoles = false;

  constructor(launch: Launch) {
    this.#launch = launch;
  }

  begin(): void {
    this.#warps.clear();
    this.#steps = 0;
  }

  /** The run has ended: its block is one of the trace, unless unknown data has decided it. */
  end({ decisions, undecided }: Pick<ExecutedRun, 'decisions' | 'undecided'>): void {
    if (decisions.length + undecided.length > 0) this.#lacks ??= OF_DATA;
    const warps = [...this.#warps].toSorted(([one], [other]) => one.index - other.index);
    this.#blocks.push(
      warps.map(([, recorded]): IssuedWarp => ({
        at: recorded.at.done(),
        detail: recorded.detail.done(),
        lines: recorded.lines.done(),
      })),
    );
  }

  /** Instructions of the run. */
  get steps(): number {
    return this.#steps;
  }

  /** Lanes pass over instructions which are not executed one by one. */
  passesOver(): void {
    this.#lacks ??= OF_DATA;
  }

  executes(warp: Warp, index: number, mask: number, times: readonly InstructionTime[]): void {
    if (warp.cta.rank !== 0 || this.#lacks !== null) return;
    const code = this.#codeOf(warp, times);
    const instruction = this.#instructions[code.first + index]!;
    if (this.#isRepeated(warp, code.first + index, mask)) return;
    if (instruction.kind === 'plain' && instruction.slots === 0 && times[index]!.isCopy) {
      this.#push(warp, code.first + index, 0);
      return;
    }
    const reader = code.readers[index]!;
    if (reader === null || mask === 0) {
      const isAccess = ACCESSES.has(instruction.kind);
      this.#push(warp, code.first + index, isAccess ? NEAR : this.#detailOf(warp, index));
      return;
    }
    this.#access(warp, code.first + index, mask, reader);
  }

  /** Why there is no trace; `null` where there is one. */
  get lacks(): string | null {
    if (this.#lacks !== null) return this.#lacks;
    return this.#unknown > UNKNOWN * this.#known
      ? 'unknown data decides which places in global memory its threads access'
      : null;
  }

  /** What was recorded; `null`: not all that the warps did is what the model knows. */
  trace(): IssueTrace | null {
    if (this.lacks !== null || this.#blocks.length === 0) return null;
    const ends = this.#blocks.slice(0, 2);
    return {
      instructions: this.#instructions,
      registers: this.#registers,
      buffers: this.#bytes,
      ends,
      blocks: this.#blocks.length > ends.length ? this.#blocks.slice(ends.length) : ends,
    };
  }

  /** Whether a warp that had to wait executes its instruction again. */
  #isRepeated(warp: Warp, instruction: number, mask: number): boolean {
    const recorded = this.#warps.get(warp);
    if (recorded === undefined) return false;
    const { kind } = this.#instructions[instruction]!;
    const isSame = recorded.last === instruction && kind !== 'branch';
    // Lanes that come to a barrier later wait there with the others.
    if (isSame && (kind === 'barrier' || recorded.lastMask === mask)) return true;
    recorded.last = instruction;
    recorded.lastMask = mask;
    return false;
  }

  #push(warp: Warp, instruction: number, detail: number): Recorded {
    let recorded = this.#warps.get(warp);
    if (recorded === undefined) {
      recorded = {
        at: new Numbers((size) => new Int32Array(size)),
        detail: new Numbers((size) => new Int32Array(size)),
        lines: new Numbers((size) => new Float64Array(size)),
        last: instruction,
        lastMask: -1,
      };
      this.#warps.set(warp, recorded);
    }
    recorded.at.push(instruction);
    recorded.detail.push(detail);
    if (++this.#steps > MOST_STEPS)
      this.#lacks ??= 'its warps execute more instructions than are recorded';
    return recorded;
  }

  /** The groups that a wait leaves open; the number of a barrier, and the warps that meet there. */
  #detailOf(warp: Warp, index: number): number {
    const { effect, operands } = warp.program.code.instructions[index]!;
    const [first, threads] = operands;
    if (effect.kind === 'group') return effect.op === 'wait' ? numberIn(warp, first) : 0;
    if (effect.kind !== 'barrier') return 0;
    const warps = threads === undefined ? 0 : Math.ceil(numberIn(warp, threads) / WARP);
    return meetingOf(numberIn(warp, first), warps);
  }

  #access(warp: Warp, instruction: number, mask: number, reader: Reader): void {
    const { read, space } = reader;
    const isKnown = read(warp, firstLane(mask), at);
    const isShared = space === 'shared' || (isKnown && at.high === SHARED_WINDOW);
    if (isShared) {
      // Below -1, so that a generic address is known not to be one of global memory.
      this.#push(warp, instruction, NEAR - (isKnown ? roundsOf(warp, mask, reader) : 1));
      return;
    }
    if (isKnown && (at.high === LOCAL_WINDOW || at.high === PARAMETER_WINDOW)) {
      this.#push(warp, instruction, NEAR);
      return;
    }
    const isPlaced = this.#findSectors(warp, mask, reader);
    if (isPlaced) this.#known++;
    else this.#unknown++;
    const { detail, lines } = this.#push(warp, instruction, NEAR);
    if (!isPlaced) return;
    const found = this.#lines.length;
    detail.set(detail.length - 1, lines.length);
    lines.push(found);
    lines.push(laneCount(mask) * reader.bytes);
    for (let index = 0; index < found; index++)
      lines.push(this.#lines[index]! + this.#sectors[index]!);
  }

  /** Finds the lines that lanes access, with their sectors; whether all places are known. */
  #findSectors(warp: Warp, mask: number, { read, bytes }: Reader): boolean {
    this.#lines.length = this.#sectors.length = 0;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      if (!read(warp, firstLane(rest), at)) return false;
      const buffer = this.#bufferOf(at);
      for (let byte = 0; byte < bytes; byte += SECTOR_BYTES) {
        const low = at.low + byte;
        const line = lineOf(buffer, Math.floor(low / LINE_BYTES), 0);
        const sector = 1 << (Math.floor(low / SECTOR_BYTES) % (LINE_BYTES / SECTOR_BYTES));
        // Lanes beside one another access lines beside one another: it is mostly the last one.
        const known = this.#lines.lastIndexOf(line);
        if (known >= 0) this.#sectors[known]! |= sector;
        else {
          this.#lines.push(line);
          this.#sectors.push(sector);
        }
      }
    }
    return true;
  }

  /** The number of the buffer at an address: what a pointer reaches, or a window of addresses. */
  #bufferOf({ low, high }: Wide): number {
    const { reached = [], bounds } = this.#launch;
    const address = high * WINDOW + low;
    const piece = reached.findIndex(([from, to]) => from <= address && address < to);
    const key = piece < 0 ? high : -1 - piece;
    let buffer = this.#buffers.get(key);
    if (buffer !== undefined) return buffer;
    buffer = this.#bytes.length;
    this.#buffers.set(key, buffer);
    const [from, to] = reached[piece] ?? [0, bounds.get(high)?.bytes ?? Infinity];
    this.#bytes.push(to - from);
    return buffer;
  }

  #codeOf(warp: Warp, times: readonly InstructionTime[]): Code {
    const { code, addressIn } = warp.program;
    const known = this.#codes.get(code);
    if (known !== undefined) return known;
    const first = this.#instructions.length;
    const rooms = loadRoomsOf(code, this.#launch);
    for (const [index, instruction] of code.instructions.entries()) {
      const kind = issueKindOf(instruction);
      if (kind === null) {
        this.isOfRoles = true;
        this.#lacks ??= `${instruction.opcode} is timed with its roles alone`;
      }
      const { demand, latency, reads, writes } = times[index]!;
      const isUncached = isPastCache(instruction);
      const shift = (register: number): number => register + this.#registers;
      this.#instructions.push({
        kind: kind ?? 'plain',
        ...demand,
        latency,
        reads: reads.map(shift),
        writes: writes.map(shift),
        isUncached,
        isConversion: operationOf(instruction) === 'cvt',
        ...(kind === 'load' ? rooms[index]! : NO_LOAD),
      });
    }
    const readers = code.instructions.map((instruction) => readerOf(instruction, addressIn));
    const recorded = { first, readers };
    this.#registers += code.registers.length + 1;
    this.#codes.set(code, recorded);
    return recorded;
  }
}

/** An immediate number, or what a register holds in a warp. */
function numberIn(warp: Warp, operand: Operand | undefined): number {
  if (operand?.kind === 'immediate') return operand.value.low;
  if (operand?.kind !== 'register') return 0;
  return warp.registers.read(operand.register, firstLane(warp.lanes), at) ? at.low : 0;
}

function isPastCache({ effect }: Instruction): boolean {
  if (effect.kind === 'access') return effect.isUncached || effect.isStrong;
  return effect.kind === 'copy' && effect.isUncached;
}

function readerOf(
  instruction: Instruction,
  addressIn: Warp['program']['addressIn'],
): Reader | null {
  const { effect, operands } = instruction;
  if (effect.kind === 'copy' && effect.op === 'thread') {
    const size = operands[2];
    const bytes = size?.kind === 'immediate' ? size.value.low : 16;
    return { space: 'global', bytes, read: addressIn(addressOf(instruction, 1)) };
  }
  if (effect.kind === 'matrix' && effect.op !== 'transpose') return null;
  if (effect.kind !== 'access' || effect.isMultimem || effect.op === 'discard') return null;
  const { space } = effect;
  if (space !== 'global' && space !== 'shared' && space !== 'generic') return null;
  const isWrite = effect.op === 'store' || effect.op === 'reduction';
  const read = addressIn(addressOf(instruction, isWrite ? 0 : 1));
  return { space, bytes: effect.bytes * effect.width, read };
}

/** Rounds of an access to shared memory: the most words of one bank, over the lanes of a round. */
function roundsOf(warp: Warp, mask: number, { read, bytes }: Reader): number {
  const words = Math.max(1, bytes / WORD);
  const perRound = BANKS / words;
  let rounds = 0;
  let lanes = 0;
  let banks = new Map<number, Set<number>>();
  const most = (): number => Math.max(1, ...[...banks.values()].map(({ size }) => size));
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    if (!read(warp, firstLane(rest), at)) continue;
    for (let word = 0; word < words; word++) {
      const place = Math.floor(at.low / WORD) + word;
      const bank = place % BANKS;
      let all = banks.get(bank);
      if (all === undefined) banks.set(bank, (all = new Set()));
      all.add(place);
    }
    if (++lanes < perRound) continue;
    rounds += most();
    lanes = 0;
    banks = new Map();
  }
  return lanes > 0 ? rounds + most() : rounds;
}
