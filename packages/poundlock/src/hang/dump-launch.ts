// The launch of a stopped kernel as a launch file: what the dump has of it.
import type { KernelText } from './kernel-text.ts';
import type { StoppedBlock, StoppedGrid } from './stopped.ts';

/** Bytes of shared memory that belong to the system, and what a block's memory is a multiple of. */
const SYSTEM_BYTES = 1024;

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What memory is assumed to have held at the launch. */
export interface AssumedMemory {
  /** In hexadecimal, as `0x1f`. */
  readonly address: string;
  readonly bytes: Uint8Array;
}

/**
 * The launch file of a grid; `null` where the dump has no parameters. The contents of global memory
 * are those of the hang and not of the launch: none are in it.
 *
 * @param memory What memory is assumed to have held at the launch.
 */
export function launchOfDump(
  text: KernelText,
  grid: StoppedGrid,
  blocks: readonly StoppedBlock[],
  memory: readonly AssumedMemory[] = [],
): string | null {
  const { parameters } = grid;
  const { entry } = text;
  const isWhole = entry.parameters.every(({ offset, size }) => {
    return parameters !== undefined && offset + size <= parameters.length;
  });
  if (!isWhole) return null;
  const bytes = parameters ?? new Uint8Array(0);
  return JSON.stringify({
    format: 'poundlock-launch',
    version: 1,
    kernel: entry.name,
    grid: grid.grid,
    block: grid.block,
    cluster: grid.cluster,
    ...(grid.registers === 0 ? {} : { registers: grid.registers }),
    dynamicSharedMemory: dynamicBytes(text, blocks),
    parameters: entry.parameters.map((parameter) => ({
      name: text.parameterName(parameter),
      offset: parameter.offset,
      size: parameter.size,
      bytes: hex(bytes.subarray(parameter.offset, parameter.offset + parameter.size)),
    })),
    tensorMaps: [],
    pointers: [],
    memory: memory.map(({ address, bytes: held }) => ({
      parameter: 0,
      offset: 0,
      address,
      bytes: hex(held),
    })),
  });
}

/** Dynamic shared memory: what a block has beyond its variables, rounded up as the GPU does. */
function dynamicBytes({ arrays }: KernelText, blocks: readonly StoppedBlock[]): number {
  if (!arrays.some(({ isDynamic }) => isDynamic)) return 0;
  const ends = arrays
    .filter(({ isDynamic }) => !isDynamic)
    .map(({ offset, size }) => offset + size);
  const known = Math.max(0, ...blocks.map(({ sharedBytes }) => sharedBytes));
  return Math.max(0, known - Math.max(SYSTEM_BYTES, ...ends));
}
