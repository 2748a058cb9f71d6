// Fatbins: code and PTX for several architectures in one image, plain or packed.
import { zstdDecompressSync } from 'node:zlib';
import { InputError } from '@poundlock/core/internal/base';
import { ImageView } from './bytes.ts';
import { unpackLz4 } from './lz4.ts';

/** The first four bytes of a fatbin. */
export const FATBIN_MAGIC = 0xba55ed50;

/** The most bytes that an entry may unpack to. */
const MAX_UNPACKED = 1 << 28;
/** The most entries of a fatbin. */
const MAX_ENTRIES = 4096;
const ENTRY_HEADER = 64;
const KIND_PTX = 1;
const KIND_CUBIN = 2;
const FLAG_LZ4 = 0x2000;
const FLAG_ZSTD = 0x8000;
const FLAG_SPECIFIC = 0x10_0000;

/** How an entry is stored. */
export type Packing = 'plain' | 'lz4' | 'zstd';

/** An entry of a fatbin. */
export interface FatbinEntry {
  readonly kind: 'ptx' | 'cubin' | 'other';
  /** The number of the architecture, such as 90. */
  readonly architecture: number;
  /** Whether it is for that architecture alone, such as `sm_90a`. */
  readonly isSpecific: boolean;
  readonly packing: Packing;
  /** Unpacks its contents. */
  readonly read: () => Uint8Array;
}

/**
 * The entries of a fatbin.
 *
 * @throws InputError where it is damaged.
 */
export function fatbinEntries(bytes: Uint8Array): FatbinEntry[] {
  const view = new ImageView(bytes);
  let at = view.word16(6);
  const end = Math.min(bytes.length, at + view.word64(8));
  const entries: FatbinEntry[] = [];
  while (at + ENTRY_HEADER <= end) {
    const header = view.word32(at + 4);
    const size = view.word64(at + 8);
    if (header < ENTRY_HEADER || entries.length >= MAX_ENTRIES)
      throw new InputError('the entries of the fatbin cannot be read');
    entries.push(entryAt(view, at, header, size));
    at += header + size;
  }
  return entries;
}

function entryAt(view: ImageView, at: number, header: number, size: number): FatbinEntry {
  const kind = view.word16(at);
  const packed = view.word32(at + 16);
  const flags = view.word64(at + 40);
  const unpacked = view.word64(at + 56);
  const packing = flags & FLAG_ZSTD ? 'zstd' : flags & FLAG_LZ4 ? 'lz4' : 'plain';
  const readers: Readonly<Record<Packing, () => Uint8Array>> = {
    plain: () => view.part(at + header, size),
    lz4: () => unpackLz4(view.part(at + header, packed || size), bounded(unpacked)),
    zstd: () => unpackZstd(view.part(at + header, packed || size)),
  };
  return {
    kind: kind === KIND_PTX ? 'ptx' : kind === KIND_CUBIN ? 'cubin' : 'other',
    architecture: view.word32(at + 28),
    isSpecific: (flags & FLAG_SPECIFIC) !== 0,
    packing,
    read: readers[packing],
  };
}

function bounded(size: number): number {
  if (size > MAX_UNPACKED) throw new InputError(`a part of the image has ${size} bytes`);
  return size;
}

function unpackZstd(bytes: Uint8Array): Uint8Array {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: MAX_UNPACKED });
  } catch {
    throw new InputError('a packed part of the image is not in the format of zstd');
  }
}
