// Little-endian numbers of a table's row; what lies beyond the row is absent.

/** A row of a table. */
export class Row {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Whether the row has a field of `size` bytes at an offset. */
  has(offset: number, size: number): boolean {
    return offset >= 0 && offset + size <= this.bytes.length;
  }

  /** A byte; 0 where the row has none. */
  byte(offset: number): number {
    return this.bytes[offset] ?? 0;
  }

  /** A 16-bit number; 0 where the row has none. */
  word16(offset: number): number {
    return this.has(offset, 2) ? this.#view.getUint16(offset, true) : 0;
  }

  /** A 32-bit number; 0 where the row has none. */
  word32(offset: number): number {
    return this.has(offset, 4) ? this.#view.getUint32(offset, true) : 0;
  }

  /** A 64-bit number; 0 where the row has none. */
  word64(offset: number): bigint {
    return this.has(offset, 8) ? this.#view.getBigUint64(offset, true) : 0n;
  }

  /** A 64-bit offset or size; −1 where it is larger than any file. */
  offset(offset: number): number {
    const value = this.word64(offset);
    return value > BigInt(Number.MAX_SAFE_INTEGER) ? -1 : Number(value);
  }

  /** Three 32-bit numbers. */
  three(offset: number): readonly [number, number, number] {
    return [this.word32(offset), this.word32(offset + 4), this.word32(offset + 8)];
  }
}

/** Text up to a zero byte. */
export function textAt(bytes: Uint8Array, offset: number): string {
  if (offset < 0 || offset >= bytes.length) return '';
  const end = bytes.indexOf(0, offset);
  return decoder.decode(bytes.subarray(offset, end < 0 ? bytes.length : end));
}

const decoder = new TextDecoder('latin1');
