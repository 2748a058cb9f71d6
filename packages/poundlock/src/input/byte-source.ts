// Bytes that are read in parts: of a file, or in memory.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { InputError } from '@poundlock/core/internal/base';
import { atFile } from '@poundlock/core/internal/host';

/** Bytes by their offsets. */
export interface ByteSource {
  readonly size: number;
  /** @throws InputError beyond the end. */
  readonly read: (at: number, length: number) => Uint8Array;
}

/** The most bytes of a part. */
const MAX_PART = 1 << 30;

function requirePart(at: number, length: number, size: number): void {
  if (at < 0 || length < 0 || at + length > size)
    throw new InputError(`the file ends before byte ${at + length}`);
  if (length > MAX_PART) throw new InputError(`a part of it has more than ${MAX_PART} bytes`);
}

/** Bytes in memory. */
export function inMemory(bytes: Uint8Array): ByteSource {
  const size = bytes.length;
  const read = (at: number, length: number): Uint8Array => {
    requirePart(at, length, size);
    return bytes.subarray(at, at + length);
  };
  return { size, read };
}

/** Reads a file in parts while some work is done: of one that is large only what is needed. */
export function withFile<Result>(
  path: string,
  shown: string,
  work: (source: ByteSource) => Result,
): Result {
  const descriptor = atFile(shown, () => openSync(path, 'r'));
  try {
    const { size } = fstatSync(descriptor);
    const read = (at: number, length: number): Uint8Array => {
      requirePart(at, length, size);
      const bytes = new Uint8Array(length);
      const count = atFile(shown, () => readSync(descriptor, bytes, 0, length, at));
      if (count < length) throw new InputError(`the file ends before byte ${at + length}`);
      return bytes;
    };
    return work({ size, read });
  } finally {
    closeSync(descriptor);
  }
}
