// Writes ELF files of sections, and line tables, as cubins and core dumps have them.

/** A section of a file. */
export interface WrittenSection {
  readonly name?: string;
  readonly type: number;
  readonly address?: bigint;
  readonly link?: number;
  readonly info?: number;
  readonly entrySize?: number;
  readonly data: Uint8Array;
}

/** Collects little-endian numbers. */
export class Bytes {
  readonly #parts: number[] = [];

  get length(): number {
    return this.#parts.length;
  }

  u8(...values: readonly number[]): this {
    for (const value of values) this.#parts.push(value & 255);
    return this;
  }

  u16(value: number): this {
    return this.u8(value, value >> 8);
  }

  u32(...values: readonly number[]): this {
    for (const value of values) this.u16(value & 0xffff).u16(value >>> 16);
    return this;
  }

  u64(...values: readonly (bigint | number)[]): this {
    for (const value of values) {
      const word = BigInt.asUintN(64, BigInt(value));
      this.u32(Number(word & 0xffff_ffffn), Number(word >> 32n));
    }
    return this;
  }

  text(text: string): this {
    return this.u8(...new TextEncoder().encode(text), 0);
  }

  /** Zeros up to a length. */
  to(length: number): this {
    while (this.length < length) this.u8(0);
    return this;
  }

  done(): Uint8Array {
    return Uint8Array.from(this.#parts);
  }
}

const HEADER = 64;

/** An ELF file; its first section is empty, and its last one has the names. */
export function writeElf(
  type: number,
  machine: number,
  sections: readonly WrittenSection[],
  isExtended = false,
): Uint8Array {
  const names = new Bytes().u8(0);
  const nameAt = sections.map(({ name = '' }) => {
    const at = names.length;
    names.text(name);
    return at;
  });
  const all = [...sections, { type: 3, data: names.done() } satisfies WrittenSection];
  let offset = HEADER;
  const placed = all.map((section, index) => {
    const at = offset;
    offset += Math.ceil(section.data.length / 16) * 16;
    return { section, at, name: nameAt[index] ?? 0 };
  });
  const count = all.length + 1;
  const bytes = new Uint8Array(offset + count * HEADER);
  const head = new Bytes()
    .u8(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0x33)
    .to(16)
    .u16(type)
    .u16(machine)
    .u32(1)
    .u64(0, 0, offset)
    .u32(0)
    .u16(HEADER)
    .u16(0)
    .u16(0)
    .u16(HEADER)
    .u16(isExtended ? 0 : count)
    .u16(isExtended ? 0xffff : count - 1);
  bytes.set(head.done());
  // With more sections than 16 bits count, the first one has their number and that of the names.
  const first = isExtended ? [0, 0, count, count - 1] : [0, 0, 0, 0];
  bytes.set(headerOf(0, 0, 0n, first[0]!, first[2]!, first[3]!, 0, 0).done(), offset);
  for (const [index, { section, at, name }] of placed.entries()) {
    bytes.set(section.data, at);
    const { address = 0n, link = 0, info = 0, entrySize = 0, data } = section;
    const header = headerOf(name, section.type, address, at, data.length, link, info, entrySize);
    bytes.set(header.done(), offset + (index + 1) * HEADER);
  }
  return bytes;
}

function headerOf(
  name: number,
  type: number,
  address: bigint,
  offset: number,
  size: number,
  link: number,
  info: number,
  entrySize: number,
): Bytes {
  return new Bytes()
    .u32(name, type)
    .u64(0, address, offset, size)
    .u32(link, info)
    .u64(1, entrySize);
}

/** A row of a line table. */
export interface WrittenLine {
  readonly offset: number;
  readonly line: number;
  /** The row, from 1, of the call that the code was inlined at. */
  readonly inlinedAt?: number;
}

/** A line table of one function. */
export function writeLineTable(
  file: string,
  address: bigint,
  rows: readonly WrittenLine[],
): Uint8Array {
  const header = new Bytes().u8(1, 1, 0xfb, 14, 10).u8(0, 1, 1, 1, 1, 0, 0, 0, 1);
  header.text('/home/dev').u8(0).text(file).u8(1, 0, 0).u8(0);
  const program = new Bytes().u8(0, 9, 2).u64(address);
  let [at, line] = [0, 1];
  for (const row of rows) {
    if (row.inlinedAt !== undefined) program.u8(0, 3, 0x90, row.inlinedAt, 0);
    program.u8(2, ...unsigned(row.offset - at));
    program.u8(3, ...signed(row.line - line));
    program.u8(1);
    [at, line] = [row.offset, row.line];
  }
  program.u8(0, 1, 1);
  const body = header.done();
  const code = program.done();
  const unit = new Bytes()
    .u32(2 + 4 + body.length + code.length)
    .u16(2)
    .u32(body.length);
  return new Bytes().u8(...unit.done(), ...body, ...code).done();
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const isLast =
      (rest >> 6 === 0 && (rest & 64) === 0) || (rest >> 6 === -1 && (rest & 64) !== 0);
    if (isLast) return [...bytes, rest & 127];
    bytes.push((rest & 127) | 128);
  }
}
