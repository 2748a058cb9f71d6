// The sections of a 64-bit ELF file, as core dumps of CUDA and cubins are.
import { InputError } from '@poundlock/core/internal/base';
import { partOf, type ByteSource } from './byte-source.ts';
import { Row, textAt } from './row.ts';

/** A section. */
export interface Section {
  readonly index: number;
  readonly type: number;
  /** The address that its contents have on the device. */
  readonly address: bigint;
  readonly size: number;
  /** Bytes of a row. */
  readonly entrySize: number;
  readonly link: number;
  readonly info: number;
}

const HEADER = 64;
const MAGIC = 0x464c457f;
/** The number that stands for "see the first section". */
const EXTENDED = 0xffff;
/** The type of a section without bytes in the file. */
const NO_BITS = 8;
/** Bytes of section headers that are read at once. */
const CHUNK = 256;

/** Whether bytes begin as an ELF file. */
export function isElf(bytes: Uint8Array): boolean {
  return new Row(bytes).word32(0) === MAGIC;
}

/** An ELF file. */
export class ElfFile {
  readonly source: ByteSource;
  /** What the file is: 4 is a core dump. */
  readonly type: number;
  readonly machine: number;
  readonly count: number;
  readonly #table: number;
  readonly #stride: number;
  readonly #names: number;
  #nameBytes: Uint8Array | undefined;

  /** @throws InputError where it is none, or its table of sections lies outside of it. */
  constructor(source: ByteSource) {
    this.source = source;
    const head = new Row(source.size < HEADER ? new Uint8Array(0) : partOf(source, 0, HEADER));
    const isKnown = head.word32(0) === MAGIC && head.byte(4) === 2 && head.byte(5) === 1;
    if (!isKnown) throw new InputError(`${source.name} is no 64-bit ELF file`);
    this.type = head.word16(16);
    this.machine = head.word16(18);
    this.#table = head.offset(40);
    this.#stride = head.word16(58);
    if (this.#stride < HEADER) throw new InputError(`${source.name} has no table of sections`);
    // A file with more sections than 16 bits can count has their number in the first one.
    const first = new Row(partOf(source, this.#table, HEADER));
    const named = head.word16(62);
    this.count = head.word16(60) || first.offset(32);
    this.#names = named === EXTENDED ? first.word32(40) : named;
    partOf(source, this.#table + (this.count - 1) * this.#stride, HEADER);
  }

  /** All sections in order. */
  *sections(): Generator<Section> {
    for (let index = 0; index < this.count; index++) yield this.section(index);
  }

  /** Visits the headers of all sections in order, which are read in parts. */
  scan(visit: (index: number, type: number, link: number, info: number) => void): void {
    for (let from = 0; from < this.count; from += CHUNK) {
      const many = Math.min(CHUNK, this.count - from);
      const length = (many - 1) * this.#stride + HEADER;
      const table = new Row(partOf(this.source, this.#table + from * this.#stride, length));
      for (let at = 0; at < many; at++) {
        const start = at * this.#stride;
        const [type, link] = [table.word32(start + 4), table.word32(start + 40)];
        visit(from + at, type, link, table.word32(start + 44));
      }
    }
  }

  /** A section by its number. */
  section(index: number): Section {
    return sectionOf(this.#header(index), index);
  }

  /** The name of a section. */
  nameOf({ index }: Section): string {
    this.#nameBytes ??= this.contents(this.section(this.#names));
    return textAt(this.#nameBytes, this.#header(index).word32(0));
  }

  /** The contents of a section. */
  contents(section: Section): Uint8Array {
    if (section.type === NO_BITS) return new Uint8Array(0);
    return partOf(this.source, this.#header(section.index).offset(24), section.size);
  }

  /** Part of the contents of a section; `undefined` where it has none there. */
  partOf(section: Section, offset: number, length: number): Uint8Array | undefined {
    if (section.type === NO_BITS || offset < 0 || offset + length > section.size) return undefined;
    return partOf(this.source, this.#header(section.index).offset(24) + offset, length);
  }

  /** The rows of a section that is a table. */
  *rows(section: Section): Generator<Row> {
    const { entrySize } = section;
    if (entrySize <= 0) return;
    const table = new Row(this.contents(section));
    const { length } = table.bytes;
    for (let at = 0; at + entrySize <= length; at += entrySize) yield table.part(at, entrySize);
  }

  #header(index: number): Row {
    if (!(index >= 0 && index < this.count))
      throw new InputError(`${this.source.name} is damaged: it has no section ${index}`);
    return new Row(partOf(this.source, this.#table + index * this.#stride, HEADER));
  }
}

function sectionOf(row: Row, index: number): Section {
  return {
    index,
    type: row.word32(4),
    address: row.word64(16),
    size: row.offset(32),
    entrySize: row.offset(56),
    link: row.word32(40),
    info: row.word32(44),
  };
}
