// Cuts what no program header of an ELF file covers: symbols for debuggers, and section headers.
const MAGIC = 0x464c457f;
const CLASS_64 = 2;
const LITTLE_ENDIAN = 1;
const PROGRAM_HEADERS = 32;
const SECTION_HEADERS = 40;
const HEADER_SIZE = 54;
const HEADER_COUNT = 56;
const SECTION_COUNT = 60;
const SECTION_NAMES = 62;
const FILE_OFFSET = 8;
const FILE_SIZE = 32;

/**
 * The bytes that the loader maps. A file that is not a 64-bit little-endian ELF is returned as it
 * is: those of macOS and Windows are signed.
 */
export function loadedPart(bytes) {
  const isElf = bytes.length > 64 && bytes.readUInt32LE(0) === MAGIC;
  if (!isElf || bytes[4] !== CLASS_64 || bytes[5] !== LITTLE_ENDIAN) return bytes;
  const start = Number(bytes.readBigUInt64LE(PROGRAM_HEADERS));
  const size = bytes.readUInt16LE(HEADER_SIZE);
  const count = bytes.readUInt16LE(HEADER_COUNT);
  const headers = Array.from({ length: count }, (_, index) => start + index * size);
  const ends = headers.map((at) =>
    Number(bytes.readBigUInt64LE(at + FILE_OFFSET) + bytes.readBigUInt64LE(at + FILE_SIZE)),
  );
  const part = Buffer.from(bytes.subarray(0, Math.max(start + count * size, ...ends)));
  part.writeBigUInt64LE(0n, SECTION_HEADERS);
  part.writeUInt16LE(0, SECTION_COUNT);
  part.writeUInt16LE(0, SECTION_NAMES);
  return part;
}
