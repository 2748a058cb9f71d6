// A recorded launch and its PTX as a launch file.
import { registerLimit } from '@poundlock/ptx/internal/exec/machine/entry-registers';
import type { PtxFunction } from '@poundlock/ptx/internal/text/module';
import type { CopiedMemory } from '../copies.ts';
import { hasLines, targetOf, type Origin } from '../images/compiled-text.ts';
import type { RawLaunch } from '../raw/raw-launch.ts';
import { Allocations } from './allocations.ts';
import { memoryDocuments, parameterDocuments, pointerDocuments, spansOf } from './parameters.ts';
import { tensorMapDocuments } from './tensor-maps.ts';

/** The PTX of a launch, as it is written. */
export interface WrittenText {
  readonly text: string;
  readonly sha256: string;
  readonly origin: Origin;
  readonly isExact: boolean;
}

/** How many bytes are shown of what was copied from behind a pointer. */
export type BytesOfCopy = (copy: CopiedMemory) => number;

/**
 * Makes the launch file.
 *
 * @throws InputError where the PTX cannot be that of the code that was launched.
 */
export function launchDocument(
  raw: RawLaunch,
  entry: PtxFunction,
  ptx: WrittenText,
  bytesOf: BytesOfCopy,
): object {
  const spans = spansOf(raw, entry);
  const allocations = new Allocations();
  const mapped = raw.tensorMaps.flatMap(({ allocation }) => allocation ?? []);
  const copied = raw.memory.flatMap(({ pointers }) => pointers);
  for (const { base, size } of [...raw.pointers, ...mapped, ...copied]) allocations.add(base, size);
  const { major, minor, processors, driver } = raw.device;
  return {
    format: 'poundlock-launch',
    version: 1,
    kernel: raw.name,
    ptx: {
      file: 'kernel.ptx',
      sha256: ptx.sha256,
      target: targetOf(ptx.text),
      from: ptx.origin,
      exact: ptx.isExact,
      lines: hasLines(ptx.text) ? '.loc' : 'no .loc',
    },
    device: { architecture: `${major}.${minor}`, multiprocessors: processors, driver },
    grid: raw.grid,
    block: raw.block,
    cluster: raw.cluster ?? [1, 1, 1],
    dynamicSharedMemory: raw.dynamicShared,
    ...(raw.registers > 0 && registerLimit(entry) !== null && { registers: raw.registers }),
    ...(raw.isCooperative && { cooperative: true }),
    ...(raw.isProgrammatic && { programmatic: true }),
    parameters: parameterDocuments(raw, entry, spans, allocations),
    tensorMaps: tensorMapDocuments(raw, spans, allocations),
    pointers: pointerDocuments(raw, spans, allocations),
    memory: memoryDocuments(raw, spans, allocations, bytesOf),
  };
}

/** The text of a launch file: lists of numbers on one line. */
export function launchText(document: object): string {
  const lists = /\[\s+((?:-?\d+(?:\.\d+)?,?\s*)+)\]/g;
  const text = JSON.stringify(document, null, 1).replace(lists, (_, numbers: string) => {
    return `[${numbers.trim().replaceAll(/\s+/g, ' ')}]`;
  });
  return `${text}\n`;
}

/**
 * What makes a launch another one: all but the device, and where its memory lies. Addresses are
 * numbered anew for each launch, but a view into an allocation has an offset of its own.
 */
export function launchKey(raw: RawLaunch, document: object): string {
  const launch = document as {
    readonly parameters: readonly { readonly bytes: string }[];
    readonly tensorMaps: readonly object[];
    readonly pointers: readonly { readonly parameter: number; readonly offset: number }[];
    readonly memory: readonly { readonly bytes: string }[];
  };
  const parameters = launch.parameters.map(({ bytes }, index) => {
    const isHidden = new Set(
      launch.pointers.filter((each) => each.parameter === index).map((each) => each.offset),
    );
    return [...isHidden].reduce(
      (text, offset) => text.slice(0, 2 * offset) + '-'.repeat(16) + text.slice(2 * offset + 16),
      bytes,
    );
  });
  const { grid, block, cluster, dynamicShared, isCooperative, isProgrammatic } = raw;
  return JSON.stringify([
    [grid, block, cluster ?? [1, 1, 1], dynamicShared, isCooperative, isProgrammatic],
    parameters,
    launch.tensorMaps.map((map) => ({ ...map, address: undefined })),
    launch.memory.map(({ bytes }) => bytes),
  ]);
}
