// The sections of a core dump by their kind, and by the row of the table that they belong to.
import { InputError } from '@poundlock/core/internal/base';
import type { ElfFile, Section } from './elf.ts';

const FIRST = 0x8000_0000;

/** The kinds of sections, by their number above the first type that an application may use. */
const KINDS = {
  managed: 1,
  global: 2,
  shared: 4,
  registers: 5,
  images: 6,
  relocated: 7,
  devices: 9,
  processors: 11,
  grids: 12,
  blocks: 13,
  warps: 14,
  lanes: 15,
  parameters: 18,
  uniform: 19,
  about: 22,
} as const;

/** A kind of section. */
export type SectionKind = keyof typeof KINDS;

/** The kinds of which a row of a table has at most one. */
const CHILDREN: ReadonlySet<number> = new Set([
  KINDS.shared,
  KINDS.registers,
  KINDS.warps,
  KINDS.lanes,
  KINDS.parameters,
  KINDS.uniform,
]);

/** The most sections of a dump: a dump of all threads of a GPU has less than a million. */
const MAX_SECTIONS = 1 << 22;
const MAX_ROW = 2 ** 20;
const STRINGS = 3;

/** Finds sections without a search for each. */
export class SectionIndex {
  /** Names of devices and programs. */
  readonly strings: Section | undefined;
  readonly #elf: ElfFile;
  readonly #tables = new Map<number, Section[]>();
  /** What belongs to rows, as sorted keys: a dump has several sections for each thread. */
  readonly #keys: Float64Array;
  readonly #order: Uint32Array;
  readonly #kinds = new Set<number>();

  constructor(elf: ElfFile) {
    this.#elf = elf;
    if (elf.count > MAX_SECTIONS)
      throw new InputError(`${elf.source.name} has more than ${MAX_SECTIONS} sections`);
    this.#keys = new Float64Array(elf.count);
    let count = 0;
    const order = new Uint32Array(elf.count);
    let strings: Section | undefined;
    elf.scan((index, type, link, info) => {
      const kind = type - FIRST;
      if (type === STRINGS && elf.nameOf(elf.section(index)) === '.strtab')
        strings = elf.section(index);
      if (kind <= 0) return;
      this.#kinds.add(kind);
      if (CHILDREN.has(kind)) {
        this.#keys[index] = keyOf(kind, link, info);
        order[count++] = index;
      } else this.#add(kind, elf.section(index));
    });
    this.strings = strings;
    this.#order = order.subarray(0, count).sort((a, b) => this.#keys[a]! - this.#keys[b]!);
  }

  /** Whether the dump has sections of a kind. */
  has(kind: SectionKind): boolean {
    return this.#kinds.has(KINDS[kind]);
  }

  /** All sections of a kind. */
  tables(kind: SectionKind): readonly Section[] {
    return this.#tables.get(KINDS[kind]) ?? [];
  }

  /** What belongs to a row of a table. */
  child(kind: SectionKind, { index }: Section, row: number): Section | undefined {
    const key = keyOf(KINDS[kind], index, row);
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#keys[this.#order[middle]!]! < key) low = middle + 1;
      else high = middle;
    }
    const found = this.#order[low];
    return found !== undefined && this.#keys[found] === key ? this.#elf.section(found) : undefined;
  }

  /** The saved global memory that an address lies in. */
  memoryAt(address: bigint): Section | undefined {
    const all = [...this.tables('global'), ...this.tables('managed')];
    return all.find((each) => {
      return address >= each.address && address < each.address + BigInt(Math.max(0, each.size));
    });
  }

  #add(kind: number, section: Section): void {
    const known = this.#tables.get(kind);
    if (known === undefined) this.#tables.set(kind, [section]);
    else known.push(section);
  }
}

/** A number for a kind, the section of a table, and a row in it. */
function keyOf(kind: number, link: number, row: number): number {
  return (kind * MAX_SECTIONS + (link % MAX_SECTIONS)) * MAX_ROW + (row % MAX_ROW);
}
