// The parameters of a launch as its kernel has them: where each starts in the recorded bytes, and
// its bytes without padding and real addresses.
import { InputError } from '@poundlock/core/internal/base';
import type { PtxFunction } from '@poundlock/ptx/internal/text/module';
import type { CopiedMemory } from '../copies.ts';
import type { RawLaunch } from '../raw/raw-launch.ts';
import { addressText, type Allocations } from './allocations.ts';
import { bytesRead } from './read-bytes.ts';

/** A byte of the recorded ones, as a parameter and an offset in it. */
export interface Place {
  readonly parameter: number;
  readonly offset: number;
}

/** A recorded parameter. */
interface Span {
  /** Where it starts in the recorded bytes. */
  readonly from: number;
  readonly size: number;
}

/**
 * Where the parameters of a kernel are in the recorded bytes.
 *
 * @throws InputError where the PTX has other parameters than the code that was launched.
 */
export function spansOf(raw: RawLaunch, entry: PtxFunction): Span[] {
  const { parameters } = entry;
  if (!raw.isSized)
    throw new InputError('the driver, older than 12.4, does not say how large its parameters are');
  if (raw.isPacked) {
    const end = Math.max(0, ...parameters.map(({ offset, size }) => offset + size));
    // A program may leave out the padding at the end.
    if (end - raw.bytes.length >= 16)
      throw new InputError(`it was launched with ${raw.bytes.length} of ${end} parameter bytes`);
    return parameters.map(({ offset, size }) => ({ from: offset, size }));
  }
  const sizes = raw.parameters.map(({ size }) => size);
  const isSame =
    sizes.length === parameters.length &&
    parameters.every(({ size }, index) => size === sizes[index]);
  if (!isSame)
    throw new InputError(
      `its PTX has other parameters (${parameters.map(({ size }) => size).join(', ')} bytes) ` +
        `than the driver (${sizes.join(', ')})`,
    );
  return raw.parameters.map(({ offset, size }) => ({ from: offset, size }));
}

/** The place of a recorded byte; `undefined` if it is in no parameter. */
export function placeOf(spans: readonly Span[], at: number): Place | undefined {
  const parameter = spans.findIndex(({ from, size }) => at >= from && at < from + size);
  return parameter < 0 ? undefined : { parameter, offset: at - spans[parameter]!.from };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Writes an address over the eight bytes at a place. */
function writeAddress(bytes: Uint8Array, at: number, address: bigint): void {
  for (let byte = 0; byte < 8 && at + byte < bytes.length; byte++)
    bytes[at + byte] = Number((address >> BigInt(8 * byte)) & 0xffn);
}

const TENSOR_MAP_BYTES = 128;

/**
 * The bytes of the parameters: only what the kernel reads, with addresses under other numbers.
 * Tensor maps have none, they are described apart.
 */
export function parameterDocuments(
  raw: RawLaunch,
  entry: PtxFunction,
  spans: readonly Span[],
  allocations: Allocations,
): object[] {
  const bytes = new Uint8Array(raw.bytes);
  const isShown = new Uint8Array(bytes.length);
  const isRead = bytesRead(entry);
  for (const [index, { from, size }] of spans.entries()) {
    const { offset } = entry.parameters[index]!;
    isShown.set(isRead.subarray(offset, offset + size).subarray(0, bytes.length - from), from);
  }
  for (const { at, address } of raw.pointers) {
    const renumbered = allocations.renumber(address);
    if (renumbered === undefined) continue;
    writeAddress(bytes, at, renumbered);
    isShown.fill(1, at, at + 8);
  }
  for (const { at, isBehindPointer } of raw.tensorMaps)
    if (!isBehindPointer) isShown.fill(0, at, at + TENSOR_MAP_BYTES);
  const shown = bytes.map((byte, at) => (isShown[at] === 1 ? byte : 0));
  return spans.map(({ from, size }, index) => {
    const block = new Uint8Array(size);
    block.set(shown.subarray(from, from + size));
    // Of a parameter that is not read there is nothing to say.
    const isEmpty = !isShown.subarray(from, from + size).includes(1);
    const { offset } = entry.parameters[index]!;
    return { offset, size, bytes: isEmpty ? '' : hex(block) };
  });
}

/** The pointers among the parameters, and the bytes behind each in its allocation. */
export function pointerDocuments(
  raw: RawLaunch,
  spans: readonly Span[],
  allocations: Allocations,
): object[] {
  return raw.pointers.flatMap(({ at, address }) => {
    const place = placeOf(spans, at);
    const renumbered = allocations.renumber(address);
    if (place === undefined || renumbered === undefined) return [];
    return [{ ...place, address: addressText(renumbered), left: allocations.left(address) }];
  });
}

/** Copies of device memory, with addresses under other numbers. */
export function memoryDocuments(
  raw: RawLaunch,
  spans: readonly Span[],
  allocations: Allocations,
  bytesOf: (copy: CopiedMemory) => number,
): object[] {
  return raw.memory.flatMap(({ at, address, bytes, pointers }) => {
    const place = placeOf(spans, at);
    const renumbered = allocations.renumber(address);
    if (place === undefined || renumbered === undefined) return [];
    const addresses = pointers.map((each) => each.at);
    const length = bytesOf({ ...place, bytes, addresses });
    if (length === 0) return [];
    const shown = bytes.slice(0, length);
    for (const each of pointers) writeAddress(shown, each.at, allocations.renumber(each.address)!);
    return [{ ...place, address: addressText(renumbered), bytes: hex(shown) }];
  });
}
