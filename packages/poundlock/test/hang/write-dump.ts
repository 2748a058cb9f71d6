// Writes core dumps of CUDA: tables as docs of the format have them, a cubin with its PTX.
import {
  Bytes,
  writeElf,
  writeLineTable,
  type WrittenLine,
  type WrittenSection,
} from './write-elf.ts';

/** A wait for a phase: registers of its address and its parity. */
export function tryWait(base: number, parity: number): readonly [bigint, bigint] {
  return [0x75a7n | (BigInt(base) << 24n) | (BigInt(parity) << 32n), 0x3fn];
}

/** A branch, as an offset from the next instruction. */
export function branch(distance: number): readonly [bigint, bigint] {
  const units = BigInt(distance / 4);
  const low = 0x947n | ((units & 255n) << 16n) | (BigInt.asUintN(30, units >> 8n) << 34n);
  return [low, 0n];
}

export const NOP: readonly [bigint, bigint] = [0x7918n, 0n];
export const SLEEP: readonly [bigint, bigint] = [0x795dn, 0n];
/** A barrier of the block with a number. */
export const barSync = (id: number): readonly [bigint, bigint] => [
  0xb1dn | (BigInt(id) << 54n),
  0x10000n,
];
/** `LDG.E.STRONG.GPU` of 32 bits by two registers. */
export const load = (base: number): readonly [bigint, bigint] => [
  0x981n | (BigInt(base) << 24n),
  0xc1ef900n,
];

/** A cubin as a dump has it. */
export interface WrittenCubin {
  readonly kernel: string;
  readonly address: bigint;
  readonly code: readonly (readonly [bigint, bigint])[];
  readonly ptx?: string;
  readonly ptxLines?: readonly WrittenLine[];
  readonly source?: readonly WrittenLine[];
}

/** The file of a cubin. */
export function writeCubin(cubin: WrittenCubin): Uint8Array {
  const { kernel, address, code, ptx, ptxLines, source } = cubin;
  const text = new Bytes();
  for (const words of code) text.u64(...words);
  const sections: WrittenSection[] = [
    { name: `.text.${kernel}`, type: 1, address, data: text.done() },
  ];
  if (ptx !== undefined) {
    const data = new TextEncoder().encode(ptx.replaceAll('\n', '\0'));
    sections.push({ name: '.nv_debug_ptx_txt', type: 1, data });
  }
  if (ptxLines !== undefined)
    sections.push({
      name: '.nv_debug_line_sass',
      type: 1,
      data: writeLineTable('x.ptx', address, ptxLines),
    });
  if (source !== undefined)
    sections.push({
      name: '.debug_line',
      type: 1,
      data: writeLineTable('pair.cu', address, source),
    });
  return writeElf(2, 190, sections);
}

/** A warp that has not ended. */
export interface WrittenWarp {
  readonly warp: number;
  readonly lanes?: number;
  readonly pc: bigint;
  readonly registers?: readonly number[];
  readonly exception?: number;
  readonly errorPc?: bigint;
}

/** A block that has not ended. */
export interface WrittenBlock {
  readonly block: readonly [number, number, number];
  /** Words of shared memory by their addresses; `undefined`: it is not saved. */
  readonly shared?: ReadonlyMap<number, bigint>;
  readonly warps: readonly WrittenWarp[];
}

/** A core dump of one kernel. */
export interface WrittenDump {
  readonly cubin: Uint8Array;
  readonly entry: bigint;
  readonly architecture?: string;
  readonly grid: readonly [number, number, number];
  readonly threads: number;
  readonly cluster?: readonly [number, number, number];
  readonly parameters?: Uint8Array;
  readonly blocks: readonly WrittenBlock[];
  readonly memory?: readonly { readonly address: bigint; readonly data: Uint8Array }[];
  readonly isExtended?: boolean;
  /** An exception that the SM has, and no warp. */
  readonly raised?: { readonly number: number; readonly pc: bigint };
}

const FIRST = 0x8000_0000;
const SHARED_BYTES = 4096;

/** The file of a core dump. */
export function writeDump(dump: WrittenDump): Uint8Array {
  const { architecture = 'sm_90', threads, cluster = [0, 0, 0], parameters, isExtended } = dump;
  const sections: WrittenSection[] = [];
  const add = (kind: number, data: Uint8Array, rest: Partial<WrittenSection> = {}): number => {
    sections.push({ type: FIRST + kind, data, ...rest });
    return sections.length;
  };
  const strings = new Bytes().text('GPU').text('type').text(architecture).done();
  sections.push({ name: '.strtab', type: 3, data: strings });
  const device = new Bytes().u64(0, 4, 9).u32(0, 0, 0, 132, 64, 32, 255).to(56).done();
  add(9, device, { entrySize: device.length });
  add(7, dump.cubin);
  const grid = new Bytes().u64(2, 0, 0, dump.entry, 1, 0, 0).to(64).u32(1, 24);
  grid
    .u32(...dump.grid, threads, 1, 1)
    .to(104)
    .u32(...cluster)
    .to(120);
  const grids = add(12, grid.done(), { entrySize: grid.length });
  if (parameters !== undefined) add(18, parameters, { link: grids, info: 0 });
  const { number = 0, pc = 0n } = dump.raised ?? {};
  const processor = new Bytes()
    .u32(7, 0, number, number === 0 ? 0 : 1)
    .u64(pc)
    .done();
  const processors = add(11, processor, { entrySize: processor.length });
  const rows = new Bytes();
  for (const { block } of dump.blocks) rows.u64(2).u32(...block, 0, 0, 0);
  const blocks = add(13, rows.done(), { entrySize: 32, link: processors, info: 0 });
  for (const [number, block] of dump.blocks.entries()) addBlock(add, block, blocks, number);
  for (const { address, data } of dump.memory ?? []) add(2, data, { address });
  return writeElf(4, 190, sections, isExtended);
}

function addBlock(
  add: (kind: number, data: Uint8Array, rest?: Partial<WrittenSection>) => number,
  { shared, warps }: WrittenBlock,
  blocks: number,
  number: number,
): void {
  if (shared !== undefined) {
    const memory = new DataView(new ArrayBuffer(SHARED_BYTES));
    for (const [address, word] of shared) memory.setBigUint64(address, word, true);
    add(4, new Uint8Array(memory.buffer), { link: blocks, info: number });
  }
  const rows = new Bytes();
  for (const { lanes = 0xffff_ffff, errorPc } of warps)
    rows
      .u64(errorPc ?? 0)
      .u32(0, lanes, lanes, 0, errorPc === undefined ? 0 : 1)
      .u32(0, 0, 0, 0, 0, 0, 0, 0, 0);
  const table = add(14, rows.done(), { entrySize: 64, link: blocks, info: number });
  for (const [index, each] of warps.entries()) {
    const lanes = new Bytes();
    const { warp, pc, exception = 0, registers } = each;
    for (let lane = 0; lane < 32; lane++)
      lanes.u64(pc, 0).u32(lane, warp * 32 + lane, 0, 0, exception, 0, 0, 0, 0, 0);
    const lane = add(15, lanes.done(), { entrySize: 56, link: table, info: index });
    const data = new Bytes().u32(...(registers ?? [])).done();
    if (registers !== undefined)
      for (let row = 0; row < 32; row++) add(5, data, { link: lane, info: row });
  }
}
