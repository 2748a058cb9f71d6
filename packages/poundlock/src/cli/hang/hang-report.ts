// `poundlock hang`: reads what was stopped, finds its PTX and its launch, and explains it.
import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { counted, InputError } from '@poundlock/core/internal/base';
import { atFile, fileName, type Host } from '@poundlock/core/internal/host';
import type { Kernel } from '@poundlock/core/internal/program';
import { ptxKernel } from '@poundlock/ptx/internal/kernel/kernel';
import {
  explainHang,
  launchOfDump,
  type AssumedMemory,
  makeTable,
  readKernelText,
  type Explanation,
  type HangTable,
  type KernelText,
  type StoppedBlock,
  type StoppedGpu,
  type StoppedGrid,
} from '../../hang/index.ts';
import { sourceFile } from '../load-ptx.ts';
import { findText, placeElsewhere, type FoundText, type PtxFile } from './kernel-source.ts';
import { assumedKernel, bufferAt, polledWords, unchangedMemory } from './memory-at-launch.ts';
import { isLaunchOf, readLaunch, type ReadLaunch } from './read-launch.ts';

/** Instructions that a kernel which moves is executed with at first. */
const QUICK_INSTRUCTIONS = 5_000_000;

interface Bounds {
  readonly maxInstructions?: number;
}

/** What the command line names beside the dump. */
export interface HangChoice {
  readonly ptx: PtxFile | undefined;
  /** A launch file. */
  readonly launch: string | undefined;
  readonly launchIndex: number;
  /** Where the PTX of the dump is written. */
  readonly emit: string | undefined;
  readonly timeoutMs: number;
}

/** What is known of a kernel that was stopped. */
export interface HangReport {
  readonly gpu: StoppedGpu;
  readonly grid: StoppedGrid;
  readonly blocks: readonly StoppedBlock[];
  /** Its name, mangled as in the code; empty where it is not known. */
  readonly kernel: string;
  readonly text: KernelText | undefined;
  /** The PTX as findings name it. */
  readonly ptx: FoundText | undefined;
  readonly table: HangTable;
  readonly explanation: Explanation;
}

/** Explains what a GPU was stopped in. */
export async function reportHang(
  gpu: StoppedGpu,
  choice: HangChoice,
  host: Host,
): Promise<HangReport> {
  const grid = stoppedGrid(gpu);
  const blocks = gpu.blocks.filter((block) => block.grid === grid);
  const place = gpu.codeAt(grid.entry) ?? placeOfFirst(gpu, blocks);
  const named = place?.code.name ?? gpu.kernelName ?? '';
  const read =
    choice.launch === undefined ? undefined : readLaunch(choice.launch, named, grid, host);
  const kernel = named || (read?.file.kernel ?? '');
  const found = findText(gpu, place?.code.name ?? kernel, place, choice.ptx);
  const ptx = found === undefined ? undefined : emitted(found, choice, host);
  const [text, why] = textOf(ptx, kernel);
  const folder = dirname(resolve(host.cwd, gpu.file));
  const nameOf = (address: bigint): string | null =>
    bufferAt(address, gpu, grid, text, read?.file, choice.launchIndex);
  const table = makeTable({
    gpu,
    blocks,
    text,
    codeAt: (pc) => gpu.codeAt(pc) ?? placeElsewhere(gpu, choice.ptx, pc),
    bufferAt: nameOf,
    fileName: (file) => {
      const name = shortName(file, folder, host);
      return name.startsWith('..') ? basename(name) : name;
    },
  });
  const launch = text === undefined ? null : launchText(text, grid, blocks, read);
  const modelWith = (bounds: Bounds): Kernel | string =>
    text === undefined ? why : kernelOf(text, ptx!, launch, { choice, folder, ...bounds }, host);
  const quick = modelWith({ maxInstructions: QUICK_INSTRUCTIONS });
  const assumed =
    text === undefined || read !== undefined
      ? null
      : assumedKernel(
          text,
          polledWords(table, grid, text, nameOf),
          unchangedMemory(gpu, grid, text),
          (memory) => {
            const own = launchText(text, grid, blocks, undefined, memory);
            return kernelOf(text, ptx!, own, { choice, folder }, host);
          },
        );
  const explanation = await explainHang({
    table,
    blocks,
    areOfOnePoll: (one, other) => text?.areOfOnePoll(one, other) ?? false,
    kernel: modelWith({}),
    quick: typeof quick === 'string' ? null : quick,
    assumed,
    now: host.now,
    pause: host.pause,
    timeoutMs: choice.timeoutMs,
  });
  const notes = [...differencesOf(gpu, grid, read), ...explanation.notes];
  return { gpu, grid, blocks, kernel, text, ptx, table, explanation: { ...explanation, notes } };
}

/** What else runs, and a launch file that is of another launch. */
function differencesOf(
  { blocks, architecture }: StoppedGpu,
  { grid, block, id }: StoppedGrid,
  read: ReadLaunch | undefined,
): string[] {
  const others = new Set(blocks.flatMap((each) => (each.grid.id === id ? [] : [each.grid.id])));
  const notes = others.size === 0 ? [] : [`${counted(others.size, 'other launch')} runs, too`];
  const isOther = read !== undefined && !isLaunchOf(read, { grid, block });
  // The text of a debugger need not show the launch.
  return isOther && architecture !== ''
    ? [...notes, `${read.name} is of another launch: the dump has ${grid.join('×')} blocks`]
    : notes;
}

/** The launch that had not ended; with several, the one that has most blocks. */
function stoppedGrid({ blocks, file }: StoppedGpu): StoppedGrid {
  const counts = Map.groupBy(blocks, ({ grid }) => grid);
  const [most] = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
  if (most === undefined)
    throw new InputError(`${file} has no kernel that runs: it was written when none did`);
  return most[0];
}

function placeOfFirst(gpu: StoppedGpu, blocks: readonly StoppedBlock[]) {
  const pcs = blocks.flatMap(({ warps }) => warps.flatMap(({ groups }) => groups));
  return pcs.map(({ pc }) => gpu.codeAt(pc)).find((each) => each !== undefined);
}

/** A source that is not there is named by the last part of its path. */
function shortName(file: string, folder: string, { cwd }: Host): string {
  const found = sourceFile(file, folder, cwd);
  return found === file && !existsSync(file) ? basename(file) : found;
}

/** Writes the PTX where the command line wants it: then findings can be replayed. */
function emitted(found: FoundText, { emit }: HangChoice, host: Host): FoundText {
  if (emit === undefined) return found;
  const path = resolve(host.cwd, emit);
  const name = fileName(path, host.cwd);
  atFile(name, () => writeFileSync(path, found.text));
  return { text: found.text, file: name, isFile: true };
}

/** The kernel of a text, or why there is none. */
function textOf(ptx: FoundText | undefined, kernel: string): [KernelText | undefined, string] {
  if (ptx === undefined)
    return [
      undefined,
      'the dump has no PTX: compile with -lineinfo, or name the PTX or the cubin with --ptx',
    ];
  try {
    return [readKernelText(ptx.text, ptx.file, kernel), ''];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [undefined, error.message];
  }
}

/** The launch: that of the command line, or that of the dump; `null` where neither has one. */
function launchText(
  text: KernelText,
  grid: StoppedGrid,
  blocks: readonly StoppedBlock[],
  read: ReadLaunch | undefined,
  memory: readonly AssumedMemory[] = [],
): { readonly file: string; readonly text: string } | null {
  if (read !== undefined) return { file: read.name, text: read.text };
  const launch = launchOfDump(text, grid, blocks, memory);
  return launch === null ? null : { file: 'the launch in the dump', text: launch };
}

/** The kernel that is checked, or why there is none. */
function kernelOf(
  text: KernelText,
  ptx: FoundText,
  launch: { readonly file: string; readonly text: string } | null,
  { choice, folder, ...bounds }: Bounds & { readonly choice: HangChoice; readonly folder: string },
  host: Host,
): Kernel | string {
  if (launch === null)
    return 'the dump has no parameters: name the launch with --launch, or record it';
  try {
    return ptxKernel({
      ptx: { file: ptx.file, text: ptx.text },
      launch,
      launchIndex: choice.launchIndex,
      ...bounds,
      entry: text.entry.name,
      assumeBoxes: true,
      resolveSource: (source) => shortName(source, folder, host),
    });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message;
  }
}
