// Little-endian numbers of a table's row; what lies beyond the row is absent.

/** A row of a table, or all bytes of a section. */
export class Row {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #start: number;
  readonly #length: number;

  constructor(bytes: Uint8Array, view?: DataView, start = 0, length = bytes.length) {
    this.bytes = bytes;
    // Rows of one table share what reads it.
    this.#view = view ?? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#start = start;
    this.#length = length;
  }

  /** A row within these bytes. */
  part(start: number, length: number): Row {
    return new Row(this.bytes, this.#view, this.#start + start, length);
  }

  /** Whether the row has a field of `size` bytes at an offset. */
  has(offset: number, size: number): boolean {
    return offset >= 0 && offset + size <= this.#length;
  }

  /** A byte; 0 where the row has none. */
  byte(offset: number): number {
    return this.has(offset, 1) ? this.#view.getUint8(this.#start + offset) : 0;
  }

  /** A 16-bit number; 0 where the row has none. */
  word16(offset: number): number {
    return this.has(offset, 2) ? this.#view.getUint16(this.#start + offset, true) : 0;
  }

  /** A 32-bit number; 0 where the row has none. */
  word32(offset: number): number {
    return this.has(offset, 4) ? this.#view.getUint32(this.#start + offset, true) : 0;
  }

  /** A 64-bit number; 0 where the row has none. */
  word64(offset: number): bigint {
    return this.has(offset, 8) ? this.#view.getBigUint64(this.#start + offset, true) : 0n;
  }

  /** A 64-bit offset or size; −1 where it is larger than any file. */
  offset(offset: number): number {
    const value = this.word32(offset + 4) * 2 ** 32 + this.word32(offset);
    return value > Number.MAX_SAFE_INTEGER ? -1 : value;
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
