// Writes a ZIP archive (APPNOTE 6.3.3): the same bytes for the same files.
import { crc32, deflateRawSync } from 'node:zlib';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** 2.0, the first version with deflate. */
const VERSION = 20;
/** The modes of files are those of Unix. */
const UNIX = 3 << 8;
const UTF8_NAMES = 0x800;
const DEFLATED = 8;
/** 1 January 1980, the first day of ZIP. */
const DATE = 0x21;
const REGULAR_FILE = 0o100000;

/**
 * An archive of files: their names, with `/`, and their bytes. `level` is that of deflate, and
 * `modeOf` the permissions of a file.
 */
export function zip(files, { level = 6, modeOf = () => 0o644 } = {}) {
  const parts = [];
  const entries = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const packed = deflateRawSync(bytes, { level });
    const about = fieldsOf(Buffer.from(name), bytes, packed);
    const local = [u32(LOCAL), about, Buffer.from(name), packed];
    entries.push(
      u32(CENTRAL),
      u16(UNIX | VERSION),
      about,
      // No comment, the first disk, no internal attributes.
      Buffer.alloc(6),
      u32((REGULAR_FILE | modeOf(name)) * 0x10000),
      u32(offset),
      Buffer.from(name),
    );
    parts.push(...local);
    offset += sizeOf(local);
  }
  const count = u16(Object.keys(files).length);
  const end = [u32(END), u32(0), count, count, u32(sizeOf(entries)), u32(offset), u16(0)];
  return Buffer.concat([...parts, ...entries, ...end]);
}

/** What the header of a file and its entry of the directory have in common. */
function fieldsOf(name, bytes, packed) {
  const sizes = [u32(crc32(bytes)), u32(packed.length), u32(bytes.length)];
  const kind = [u16(VERSION), u16(UTF8_NAMES), u16(DEFLATED), u16(0), u16(DATE)];
  return Buffer.concat([...kind, ...sizes, u16(name.length), u16(0)]);
}

function sizeOf(buffers) {
  return buffers.reduce((sum, { length }) => sum + length, 0);
}

function u16(value) {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
