// What memory held at the launch of a stopped kernel, as far as the dump allows to assume it.
import type { Kernel } from '@poundlock/core/internal/program';
import { list } from '@poundlock/core/internal/system';
import type { LaunchFile } from '@poundlock/ptx/internal/launch/read-launch';
import {
  polledWord,
  Row,
  type AssumedMemory,
  type HangTable,
  type KernelText,
  type StoppedGpu,
  type StoppedGrid,
} from '../../hang/index.ts';

/** Bytes from an address on that an assumption takes to be zero at the launch. */
const ZERO_BYTES = 8;
/** Bytes behind a pointer that are taken along, as what they were at the launch. */
const MAX_UNCHANGED = 65_536;

/** Memory behind a parameter that the kernel only reads. */
interface UnchangedMemory extends AssumedMemory {
  readonly name: string;
}

/** What the dump has of memory that the kernel only reads. */
export function unchangedMemory(
  gpu: StoppedGpu,
  { parameters }: StoppedGrid,
  text: KernelText,
): UnchangedMemory[] {
  if (parameters === undefined) return [];
  const addresses = new Map(
    text.entry.parameters.flatMap(({ name, offset, size }) => {
      const isPointer = size === POINTER_BYTES && offset + size <= parameters.length;
      return isPointer ? [[name, new Row(parameters).word64(offset)] as const] : [];
    }),
  );
  return text.readOnlyParameters.flatMap((parameter) => {
    const address = addresses.get(parameter.name);
    const saved = address === undefined ? null : gpu.allocation(address);
    if (address === undefined || saved === null) return [];
    // Another buffer may begin in the same allocation.
    const end = [...addresses.values(), saved.base + BigInt(saved.size)]
      .filter((each) => each > address)
      .reduce((one, other) => (one < other ? one : other));
    const left = Number(end - address);
    const bytes = gpu.memory(address, Math.min(left, MAX_UNCHANGED));
    const name = text.parameterName(parameter);
    return bytes === undefined ? [] : [{ name, address: `0x${address.toString(16)}`, bytes }];
  });
}

/** A word that a kernel polls. */
interface PolledWord {
  readonly name: string | null;
  readonly address: string;
}

/** The words that are polled where warps were stopped, or in the loops around these places. */
export function polledWords(
  { rows }: HangTable,
  grid: StoppedGrid,
  text: KernelText,
  nameOf: (address: bigint) => string | null,
): PolledWord[] {
  return rows.flatMap(({ state, ptxLine }): PolledWord[] => {
    if (state.kind === 'word') return state.address === '' ? [] : [state];
    const word = ptxLine === null ? null : polledWord(text, grid, ptxLine);
    if (word === null) return [];
    const { address } = word;
    return [{ name: nameOf(address), address: `0x${address.toString(16)}` }];
  });
}

/** The kernel with what memory is likely to have held at the launch. */
export function assumedKernel(
  text: KernelText,
  polled: readonly PolledWord[],
  unchanged: readonly UnchangedMemory[],
  make: (memory: readonly AssumedMemory[]) => Kernel | string,
): { readonly kernel: Kernel; readonly note: string } | null {
  if (polled.length === 0 && unchanged.length === 0) return null;
  const words = [...new Set(polled.map(({ address }) => address))];
  const zeros = words.map((address) => ({ address, bytes: new Uint8Array(ZERO_BYTES) }));
  const kernel = make([...unchanged, ...zeros]);
  const were = (names: readonly string[], what: string): string[] =>
    names.length === 0 ? [] : [`${list(names)} ${names.length === 1 ? 'was' : 'were'} ${what}`];
  const facts = [
    ...were([...new Set(polled.map(({ name, address }) => name ?? address))], '0'),
    ...were(
      unchanged.map(({ name }) => name),
      'as in the dump',
    ),
  ];
  const what = `${facts.join(', and ')} at the launch of ${text.name}`;
  const note = `assumption: ${what}; name the launch with --launch where that is not so`;
  return typeof kernel === 'string' ? null : { kernel, note };
}

const POINTER_BYTES = 8;
/** Addresses further behind a pointer are not named by it. */
const MAX_DISTANCE = 2n ** 32n;

/** The parameter that points to an address, and the distance: `flag`, `flag+4`. */
export function bufferAt(
  address: bigint,
  gpu: StoppedGpu,
  { parameters }: StoppedGrid,
  text: KernelText | undefined,
  launch: LaunchFile | undefined,
  launchIndex: number,
): string | null {
  if (text === undefined || parameters === undefined) return null;
  const view = new DataView(parameters.buffer, parameters.byteOffset, parameters.byteLength);
  const saved = gpu.allocation(address);
  let best: { readonly name: string; readonly distance: bigint } | null = null;
  for (const [index, parameter] of text.entry.parameters.entries()) {
    const { offset, size } = parameter;
    if (size !== POINTER_BYTES || offset + size > parameters.length) continue;
    const base = view.getBigUint64(offset, true);
    const distance = address - base;
    const isNear = distance >= 0n && distance < MAX_DISTANCE;
    const isOther = saved !== null && base < saved.base;
    if (!isNear || isOther || (best !== null && distance >= best.distance)) continue;
    const name = launch?.names(launchIndex)[index] || text.parameterName(parameter);
    best = { name, distance };
  }
  if (best === null) return null;
  return best.distance === 0n ? best.name : `${best.name}+${best.distance}`;
}
