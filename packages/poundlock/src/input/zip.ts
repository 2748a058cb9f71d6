// The files in a ZIP archive, such as a wheel of Python, one at a time.
import { inflateRawSync } from 'node:zlib';
import { InputError } from '@poundlock/core/internal/base';
import { ImageView, textOf } from '../record/images/bytes.ts';
import type { ByteSource } from './byte-source.ts';

/** A file of an archive. */
export interface ArchivedFile {
  readonly name: string;
  readonly read: () => Uint8Array;
}

const MAGIC = 0x0403_4b50;
const ENTRY_MAGIC = 0x0201_4b50;
const END_MAGIC = 0x0605_4b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT = 65_535;
/** The most bytes of the table of files, and of an unpacked file. */
const MAX_TABLE = 1 << 26;
const MAX_FILE = 1 << 30;
const STORED = 0;
const DEFLATED = 8;
/** A size or an offset that stands elsewhere. */
const ELSEWHERE = 0xffff_ffff;

/** Whether a file begins as an archive. */
export function isZip(start: Uint8Array): boolean {
  return start.length >= 4 && new ImageView(start).word32(0) === MAGIC;
}

/** The files of an archive. @throws InputError where it is damaged. */
export function filesOfZip(source: ByteSource): ArchivedFile[] {
  const end = endOf(source);
  const [size, at] = [end.word32(12), end.word32(16)];
  if (size > MAX_TABLE || at === ELSEWHERE)
    throw new InputError('has a table of files that is too large');
  const table = new ImageView(source.read(at, size));
  const files: ArchivedFile[] = [];
  for (let offset = 0; offset + ENTRY_BYTES <= size;) {
    if (table.word32(offset) !== ENTRY_MAGIC) throw new InputError('has a damaged table of files');
    const nameLength = table.word16(offset + 28);
    const more = table.word16(offset + 30) + table.word16(offset + 32);
    const name = textOf(table.part(offset + ENTRY_BYTES, nameLength));
    files.push({ name, read: reader(source, table, offset) });
    offset += ENTRY_BYTES + nameLength + more;
  }
  return files;
}

/** The record at the end of an archive, in front of a comment. */
function endOf({ size, read }: ByteSource): ImageView {
  const length = Math.min(size, END_BYTES + MAX_COMMENT);
  const tail = new ImageView(read(size - length, length));
  for (let at = length - END_BYTES; at >= 0; at--)
    if (tail.word32(at) === END_MAGIC) return new ImageView(tail.part(at, END_BYTES));
  throw new InputError('is a damaged archive: it has no table of files');
}

function reader({ read }: ByteSource, table: ImageView, entry: number): () => Uint8Array {
  const [method, packed, size] = [10, 20, 24].map((at) => {
    return at === 10 ? table.word16(entry + at) : table.word32(entry + at);
  }) as [number, number, number];
  const at = table.word32(entry + 42);
  return () => {
    if (size > MAX_FILE || packed > MAX_FILE)
      throw new InputError(`has a file of more than ${MAX_FILE} bytes`);
    const local = new ImageView(read(at, LOCAL_BYTES));
    const start = at + LOCAL_BYTES + local.word16(26) + local.word16(28);
    const bytes = read(start, packed);
    if (method === STORED) return bytes;
    if (method !== DEFLATED) throw new InputError(`has a file packed by method ${method}`);
    try {
      return inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) });
    } catch {
      throw new InputError('has a damaged file');
    }
  };
}
