// What a cubin says: the code of functions, the lines it comes from, and the PTX itself.
import type { ByteSource } from './byte-source.ts';
import { ElfFile, type Section } from './elf.ts';
import { readLineTable, type LineRow, type Relocations } from './line-table.ts';
import { textAt } from './row.ts';

/** The code of a function. */
export interface Code {
  readonly name: string;
  /** Where the device has it; 0 in a cubin that is not loaded. */
  readonly address: bigint;
  readonly bytes: Uint8Array;
}

/** Where a part of a function's code comes from. */
export interface Origin {
  /** The offset in the function. */
  readonly offset: number;
  readonly row: LineRow;
}

/** A cubin. */
export class Cubin {
  readonly code: readonly Code[];
  /** The PTX that it was compiled from, where it has line information. */
  readonly ptx: string | undefined;
  readonly #elf: ElfFile;
  readonly #named = new Map<string, Section>();
  readonly #tables = new Map<string, readonly LineRow[]>();
  #symbols: readonly string[] | undefined;

  /** @throws InputError where it is damaged. */
  constructor(source: ByteSource) {
    this.#elf = new ElfFile(source);
    const code: Code[] = [];
    for (const section of this.#elf.sections()) {
      const name = this.#elf.nameOf(section);
      if (!this.#named.has(name)) this.#named.set(name, section);
      if (!name.startsWith('.text.')) continue;
      const bytes = this.#elf.contents(section);
      code.push({ name: name.slice('.text.'.length), address: section.address, bytes });
    }
    this.code = code;
    const ptx = this.#contents('.nv_debug_ptx_txt');
    // Lines end with a zero.
    this.ptx = ptx && new TextDecoder().decode(ptx).replaceAll('\0', '\n');
  }

  /** Where the code of a function comes from in the user's source, in the order of offsets. */
  sourceOf(code: Code): readonly Origin[] {
    return this.#originsOf('.debug_line', code);
  }

  /** Which lines of the PTX the code of a function comes from, in the order of offsets. */
  ptxLinesOf(code: Code): readonly Origin[] {
    return this.#originsOf('.nv_debug_line_sass', code);
  }

  #contents(name: string): Uint8Array | undefined {
    const section = this.#named.get(name);
    return section === undefined || section.size === 0 ? undefined : this.#elf.contents(section);
  }

  #originsOf(table: string, { name, address, bytes }: Code): readonly Origin[] {
    let rows = this.#tables.get(table);
    if (rows === undefined) {
      const contents = this.#contents(table);
      rows = contents === undefined ? [] : readLineTable(contents, this.#relocations(table));
      this.#tables.set(table, rows);
    }
    const size = BigInt(bytes.length);
    const origins = rows.flatMap((row) => {
      // A loaded image has addresses; elsewhere a relocation names the function.
      const isLoaded = address > 0n && row.address >= address;
      if (!isLoaded && row.symbol !== undefined && row.symbol !== name) return [];
      const offset = isLoaded ? row.address - address : row.address;
      return offset < 0n || offset >= size ? [] : [{ offset: Number(offset), row }];
    });
    return origins.toSorted((a, b) => a.offset - b.offset);
  }

  /** The functions whose addresses a table is relocated by; none in a loaded image. */
  #relocations(table: string): Relocations {
    const found = new Map<number, string>();
    for (const kind of ['.rela', '.rel']) {
      const section = this.#named.get(kind + table);
      if (section === undefined) continue;
      for (const row of this.#elf.rows(section)) {
        const symbol = this.#symbol(Number(row.word64(8) >> 32n));
        if (symbol !== undefined) found.set(row.offset(0), symbol);
      }
    }
    return found;
  }

  #symbol(index: number): string | undefined {
    if (this.#symbols === undefined) {
      const table = this.#named.get('.symtab');
      const names = table && this.#elf.contents(this.#elf.section(table.link));
      const rows = table === undefined ? [] : [...this.#elf.rows(table)];
      const functions = [...this.code];
      this.#symbols = rows.map((row) => {
        const name = textAt(names!, row.word32(0));
        // A section has no name of its own.
        return name === '' ? (this.#sectionName(row.word16(6)) ?? functions[0]?.name ?? '') : name;
      });
    }
    return this.#symbols[index]?.replace(/^\.text\./, '');
  }

  #sectionName(index: number): string | undefined {
    if (index >= this.#elf.count) return undefined;
    return this.#elf.nameOf(this.#elf.section(index));
  }
}

/** What covers an offset: the last origin that begins at or before it. */
export function originAt(origins: readonly Origin[], offset: number): Origin | undefined {
  return origins.findLast((each) => each.offset <= offset);
}

/** The calls that a row was inlined through, the outermost first, then the row itself. */
export function callsOf(row: LineRow): LineRow[] {
  const calls: LineRow[] = [];
  const limit = 100;
  let at: LineRow | undefined = row;
  while (at !== undefined && calls.length < limit) {
    calls.push(at);
    at = at.inlinedAt;
  }
  return calls.toReversed();
}
