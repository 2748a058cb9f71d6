// Line tables of cubins: DWARF 2 line programs, from addresses of code to lines of a source or PTX.
import { Row, textAt } from './row.ts';

/** A row of a line table: what the code from an address on comes from. */
export interface LineRow {
  /** The address, or where `symbol` says so the offset in that function. */
  readonly address: bigint;
  /** The function that a relocation names; absent in a relocated image. */
  readonly symbol: string | undefined;
  readonly file: string;
  readonly line: number;
  /** The row of the call that this code was inlined at; `undefined` in the function itself. */
  readonly inlinedAt: LineRow | undefined;
}

/** Symbols by the offset of the number in a section that a relocation fills. */
export type Relocations = ReadonlyMap<number, string>;

/** The most rows of a table. */
const MAX_ROWS = 1 << 22;
const EXTENDED = 0;
const END_OF_SEQUENCE = 1;
const SET_ADDRESS = 2;
/** NVIDIA's own: the code that follows was inlined at the call in a row. */
const INLINED_CALL = 0x90;

/** Reads bytes of a line program. What lies beyond its end is zero. */
class Cursor {
  at: number;
  readonly row: Row;

  constructor(row: Row, at: number) {
    this.row = row;
    this.at = at;
  }

  byte(): number {
    return this.row.byte(this.at++);
  }

  /** A number of any length, without a sign. */
  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      if (shift < 49) value += (byte & 127) * 2 ** shift;
      if ((byte & 128) === 0) return value;
    }
  }

  /** A number of any length with a sign. */
  signed(): number {
    let value = 0;
    for (let shift = 0; ;) {
      const byte = this.byte();
      if (shift < 49) value += (byte & 127) * 2 ** shift;
      shift += 7;
      if ((byte & 128) !== 0) continue;
      return (byte & 64) !== 0 && shift <= 49 ? value - 2 ** shift : value;
    }
  }

  text(): string {
    const text = textAt(this.row.bytes, this.at);
    this.at += text.length + 1;
    return text;
  }
}

/** What the head of a unit says. */
interface Unit {
  readonly end: number;
  readonly start: number;
  readonly minimum: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  readonly lengths: readonly number[];
  readonly files: readonly string[];
}

function readUnit(row: Row, from: number): Unit {
  const cursor = new Cursor(row, from + 10);
  const end = Math.min(row.bytes.length, from + 4 + row.word32(from));
  const start = Math.min(end, from + 10 + row.word32(from + 6));
  const minimum = cursor.byte();
  cursor.byte();
  const lineBase = (cursor.byte() << 24) >> 24;
  const lineRange = Math.max(1, cursor.byte());
  const opcodeBase = Math.max(1, cursor.byte());
  const lengths = Array.from({ length: opcodeBase - 1 }, () => cursor.byte());
  const folders = [''];
  while (cursor.at < start && row.byte(cursor.at) !== 0) folders.push(cursor.text());
  cursor.at++;
  const files = [''];
  while (cursor.at < start && row.byte(cursor.at) !== 0) {
    const name = cursor.text();
    const folder = folders[cursor.unsigned()] ?? '';
    cursor.unsigned();
    cursor.unsigned();
    const isWhole = folder === '' || name.startsWith('/');
    files.push(isWhole ? name : `${folder.replace(/\/$/, '')}/${name}`);
  }
  return { end, start, minimum, lineBase, lineRange, opcodeBase, lengths, files };
}

/** The registers of a line program. */
class Program {
  readonly rows: LineRow[];
  readonly #unit: Unit;
  readonly #relocations: Relocations;
  /** Rows of this unit, which calls are named by. */
  readonly #own: LineRow[] = [];
  #address = 0n;
  #file = 1;
  #line = 1;
  #symbol: string | undefined;
  #inlinedAt: LineRow | undefined;

  constructor(unit: Unit, relocations: Relocations, rows: LineRow[]) {
    this.#unit = unit;
    this.#relocations = relocations;
    this.rows = rows;
  }

  run(row: Row): void {
    const cursor = new Cursor(row, this.#unit.start);
    while (cursor.at < this.#unit.end && this.rows.length < MAX_ROWS) {
      const opcode = cursor.byte();
      if (opcode === EXTENDED) this.#extended(cursor);
      else if (opcode >= this.#unit.opcodeBase) this.#special(opcode);
      else this.#standard(opcode, cursor);
    }
  }

  #add(): void {
    const row: LineRow = {
      address: this.#address,
      symbol: this.#symbol,
      file: this.#unit.files[this.#file] ?? '?',
      line: this.#line,
      inlinedAt: this.#inlinedAt,
    };
    this.rows.push(row);
    this.#own.push(row);
  }

  #advance(operations: number): void {
    this.#address += BigInt(operations * this.#unit.minimum);
  }

  #extended(cursor: Cursor): void {
    const length = cursor.unsigned();
    const end = Math.min(this.#unit.end, cursor.at + length);
    const kind = cursor.byte();
    if (kind === END_OF_SEQUENCE) {
      this.#address = 0n;
      this.#file = 1;
      this.#line = 1;
      this.#inlinedAt = undefined;
    } else if (kind === SET_ADDRESS) {
      this.#address = cursor.row.word64(cursor.at);
      this.#symbol = this.#relocations.get(cursor.at);
      // A call is named by its row in the sequence of its function.
      this.#own.length = 0;
    } else if (kind === INLINED_CALL) this.#inlinedAt = this.#own[cursor.unsigned() - 1];
    cursor.at = end;
  }

  #special(opcode: number): void {
    const { opcodeBase, lineRange, lineBase } = this.#unit;
    const offset = opcode - opcodeBase;
    this.#advance(Math.floor(offset / lineRange));
    this.#line += lineBase + (offset % lineRange);
    this.#add();
  }

  #standard(opcode: number, cursor: Cursor): void {
    const { opcodeBase, lineRange, lengths } = this.#unit;
    if (opcode === 1) this.#add();
    else if (opcode === 2) this.#advance(cursor.unsigned());
    else if (opcode === 3) this.#line += cursor.signed();
    else if (opcode === 4) this.#file = cursor.unsigned();
    else if (opcode === 8) this.#advance(Math.floor((255 - opcodeBase) / lineRange));
    else if (opcode === 9) {
      this.#address += BigInt(cursor.row.word16(cursor.at));
      cursor.at += 2;
    } else for (let left = lengths[opcode - 1] ?? 0; left > 0; left--) cursor.unsigned();
  }
}

/** The rows of a line table, in the order of the section. */
export function readLineTable(bytes: Uint8Array, relocations: Relocations): LineRow[] {
  const row = new Row(bytes);
  const rows: LineRow[] = [];
  for (let from = 0; from + 15 <= bytes.length && rows.length < MAX_ROWS;) {
    const unit = readUnit(row, from);
    if (unit.end <= from + 4) break;
    new Program(unit, relocations, rows).run(row);
    from = unit.end;
  }
  return rows;
}
