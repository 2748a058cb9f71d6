// Reads a core dump of CUDA: tables of blocks, warps and lanes in sections of an ELF file.
import { InputError } from '@poundlock/core/internal/base';
import type {
  LaneGroup,
  PlaceInCode,
  StoppedBlock,
  StoppedGpu,
  StoppedGrid,
  StoppedWarp,
} from '../stopped.ts';
import { bytesInMemory, type ByteSource } from './byte-source.ts';
import { Cubin, type Code } from './cubin.ts';
import { ElfFile, type Section } from './elf.ts';
import { SectionIndex } from './section-index.ts';
import { Row, textAt } from './row.ts';

const CORE = 4;
const CUDA = 190;
/** The most loaded images, and what one may have. */
const MAX_IMAGES = 4096;
const MAX_IMAGE = 1 << 28;
const WARP_LANES = 32;

/**
 * Reads a core dump.
 *
 * @throws InputError where it is none, or is damaged.
 */
export function readCoreDump(source: ByteSource): StoppedGpu {
  const elf = new ElfFile(source);
  if (elf.type !== CORE || elf.machine !== CUDA)
    throw new InputError(`${source.name} is an ELF file, and no core dump of CUDA`);
  const dump = new DumpReader(elf);
  const blocks = dump.blocks();
  const places = new CodePlaces(elf, dump.index);
  return {
    file: source.name,
    architecture: dump.architecture(),
    blocks,
    grids: dump.grids,
    omitted: dump.omitted(),
    codeAt: (pc) => places.at(pc),
    memory: (address, length) => memoryOf(elf, dump.index, address, length),
    allocation: (address) => {
      const section = dump.index.memoryAt(address);
      return section === undefined ? null : { base: section.address, size: section.size };
    },
  };
}

function memoryOf(
  elf: ElfFile,
  index: SectionIndex,
  address: bigint,
  length: number,
): Uint8Array | undefined {
  const section = index.memoryAt(address);
  return section && elf.partOf(section, Number(address - section.address), length);
}

/** The tables of a dump. */
class DumpReader {
  readonly index: SectionIndex;
  readonly grids: StoppedGrid[] = [];
  readonly #elf: ElfFile;
  readonly #gridOf = new Map<bigint, StoppedGrid>();

  constructor(elf: ElfFile) {
    this.#elf = elf;
    this.index = new SectionIndex(elf);
    for (const section of this.index.tables('grids'))
      for (const [number, row] of [...elf.rows(section)].entries())
        this.#addGrid(section, number, row);
  }

  /** The architecture of the first device. */
  architecture(): string {
    for (const section of this.index.tables('devices'))
      for (const row of this.#elf.rows(section)) return this.#string(row.offset(16));
    return '';
  }

  omitted(): string {
    const parts = [
      ...(this.index.has('shared') ? [] : ['shared memory']),
      ...(this.index.has('global') || this.index.has('managed') ? [] : ['global memory']),
      ...(this.index.has('parameters') ? [] : ['parameters']),
    ];
    return parts.join(', ');
  }

  blocks(): StoppedBlock[] {
    return this.index.tables('blocks').flatMap((section) => {
      return [...this.#elf.rows(section)].map((row, number) => this.#block(section, number, row));
    });
  }

  #string(offset: number): string {
    const section = this.index.strings;
    return section === undefined ? '' : textAt(this.#elf.contents(section), offset);
  }

  #addGrid(section: Section, number: number, row: Row): void {
    const cluster = row.three(104);
    const parameters = this.index.child('parameters', section, number);
    const grid: StoppedGrid = {
      id: String(row.word64(0)),
      entry: row.word64(24),
      registers: row.word32(68),
      grid: atLeastOne(row.three(72)),
      block: atLeastOne(row.three(84)),
      cluster: atLeastOne(cluster),
      parameters: parameters && this.#elf.contents(parameters),
    };
    this.#gridOf.set(row.word64(0), grid);
    this.grids.push(grid);
  }

  #block(section: Section, number: number, row: Row): StoppedBlock {
    const grid = this.#gridOf.get(row.word64(0));
    if (grid === undefined)
      throw new InputError(`${this.#elf.source.name} is damaged: a block is of no grid`);
    const shared = this.index.child('shared', section, number);
    const warps = this.index.child('warps', section, number);
    const block = row.three(8);
    const processor = this.index.tables('processors').find(({ index }) => index === section.link);
    const state = processor && this.#elf.partOf(processor, section.info * processor.entrySize, 24);
    const processorState = state === undefined ? undefined : new Row(state);
    const found =
      warps === undefined
        ? []
        : [...this.#elf.rows(warps)].flatMap((each, at) => this.#warp(grid, warps, at, each));
    return {
      grid,
      block,
      rank: rankOf(block, grid.cluster),
      exception: processorState?.word32(8) ?? 0,
      sharedBytes: shared?.size ?? 0,
      sharedWord: (address) => {
        const bytes = shared && this.#elf.partOf(shared, address, 8);
        return bytes && new Row(bytes).word64(0);
      },
      warps: withException(found, processorState),
    };
  }

  #warp(grid: StoppedGrid, section: Section, number: number, row: Row): StoppedWarp[] {
    const lanes = this.index.child('lanes', section, number);
    const alive = row.word32(12);
    if (lanes === undefined || alive === 0) return [];
    const groups = new Map<bigint, { lanes: number; at: number; exception: number }>();
    let thread = -1;
    for (const [at, lane] of [...this.#elf.rows(lanes)].entries()) {
      const number = lane.word32(16) % WARP_LANES;
      if (thread < 0) thread = threadOf(lane.three(20), grid) - number;
      if (((alive >>> number) & 1) === 0) continue;
      const pc = lane.word64(0);
      const group = groups.get(pc) ?? { lanes: 0, at, exception: 0 };
      group.lanes = (group.lanes | (1 << number)) >>> 0;
      group.exception ||= lane.word32(32);
      groups.set(pc, group);
    }
    const uniform = this.#numbers(this.index.child('uniform', section, number));
    const found = [...groups].map(([pc, { lanes: mask, at, exception }]): LaneGroup => {
      const registers = this.#numbers(this.index.child('registers', lanes, at));
      return { lanes: mask, pc, exception, register: registers, uniform };
    });
    const errorPc = row.word32(24) !== 0 ? row.word64(0) : undefined;
    return [
      { warp: Math.floor(Math.max(0, thread) / WARP_LANES), lanes: alive, errorPc, groups: found },
    ];
  }

  /** A table of 32-bit numbers, which is read when one of them is wanted. */
  #numbers(section: Section | undefined): (index: number) => number | undefined {
    return (index) => {
      const bytes = section && this.#elf.partOf(section, index * 4, 4);
      return bytes && new Row(bytes).word32(0);
    };
  }
}

/** Bytes around the place of an exception at which its warp may be. */
const NEAR = 64n;

/** Warps of an SM with an exception that no warp has itself: those at its place, else all. */
function withException(
  warps: readonly StoppedWarp[],
  processor: Row | undefined,
): readonly StoppedWarp[] {
  const isRaised = processor !== undefined && processor.word32(8) !== 0;
  const isKnown = warps.some(
    ({ errorPc, groups }) => errorPc !== undefined || groups.some((each) => each.exception > 0),
  );
  if (!isRaised || isKnown || processor.word32(12) === 0) return warps;
  const errorPc = processor.word64(16);
  const near = warps.filter(({ groups }) =>
    groups.some(({ pc }) => pc > errorPc - NEAR && pc < errorPc + NEAR),
  );
  const raised = new Set(near.length > 0 ? near : warps);
  return warps.map((each) => (raised.has(each) ? { ...each, errorPc } : each));
}

function atLeastOne([x, y, z]: readonly [number, number, number]): [number, number, number] {
  return [Math.max(1, x), Math.max(1, y), Math.max(1, z)];
}

/** The number of a thread in its block. */
function threadOf([x, y, z]: readonly [number, number, number], { block }: StoppedGrid): number {
  return x + block[0] * (y + block[1] * z);
}

/** The number of a block in its cluster. */
function rankOf(block: readonly number[], cluster: readonly number[]): number {
  const [x, y, z] = [0, 1, 2].map((axis) => block[axis]! % cluster[axis]!) as [
    number,
    number,
    number,
  ];
  return x + cluster[0]! * (y + cluster[1]! * z);
}

/** Finds code by its address. */
class CodePlaces {
  readonly #elf: ElfFile;
  readonly #sections: readonly Section[];
  readonly #cubins = new Map<number, Cubin | null>();
  readonly #ranges: { readonly cubin: Cubin; readonly code: Code; readonly end: bigint }[] = [];
  #next = 0;

  constructor(elf: ElfFile, index: SectionIndex) {
    this.#elf = elf;
    // Loaded images have the addresses of the device; those as they were before have none.
    this.#sections = [...index.tables('relocated'), ...index.tables('images')].slice(0, MAX_IMAGES);
  }

  at(pc: bigint): PlaceInCode | undefined {
    for (;;) {
      const found = this.#ranges.find(({ code, end }) => pc >= code.address && pc < end);
      if (found !== undefined) return { ...found, offset: Number(pc - found.code.address) };
      if (this.#next >= this.#sections.length) return undefined;
      this.#open(this.#sections[this.#next++]!);
    }
  }

  #open(section: Section): void {
    if (section.size > MAX_IMAGE || this.#cubins.has(section.index)) return;
    const cubin = cubinIn(this.#elf, section);
    this.#cubins.set(section.index, cubin);
    for (const code of cubin?.code ?? []) {
      const end = code.address + BigInt(code.bytes.length);
      // Functions that never ran have the address 0.
      if (cubin !== null && code.address > 0n) this.#ranges.push({ cubin, code, end });
    }
  }
}

/** The cubin in a section; `null` where the driver's own module cannot be read. */
function cubinIn(elf: ElfFile, section: Section): Cubin | null {
  try {
    return new Cubin(bytesInMemory('an image in the dump', elf.contents(section)));
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
