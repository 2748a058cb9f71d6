// A file of which parts are read: a core dump may be larger than memory.
import { InputError } from '@poundlock/core/internal/base';

/** Bytes that are read in parts. */
export interface ByteSource {
  /** What messages call it. */
  readonly name: string;
  readonly size: number;
  /** Reads `length` bytes from `offset` on, which lie within the source. */
  readonly read: (offset: number, length: number) => Uint8Array;
}

/** Bytes in memory. */
export function bytesInMemory(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
  };
}

/**
 * Reads a part.
 *
 * @throws InputError where the source ends before it.
 */
export function partOf(source: ByteSource, offset: number, length: number): Uint8Array {
  const isWithin = offset >= 0 && length >= 0 && offset + length <= source.size;
  if (!isWithin) throw cutOff(source, offset + length);
  const bytes = source.read(offset, length);
  if (bytes.length < length) throw cutOff(source, offset + length);
  return bytes;
}

function cutOff({ name, size }: ByteSource, end: number): InputError {
  return new InputError(
    `${name} is cut off or damaged: it has ${size} bytes, and names byte ${end}`,
  );
}
