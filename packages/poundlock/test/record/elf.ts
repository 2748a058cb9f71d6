// Writes cubins for tests: 64-bit ELF files of nothing but named sections.

const HEADER = 64;

/** An ELF file with these sections, and one for their names. */
export function elf(sections: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const parts = Object.entries({ '': '', ...sections }).map(([name, body]) => ({
    name,
    body: Buffer.from(body as string),
  }));
  const names = Buffer.from(`${parts.map(({ name }) => name).join('\0')}\0.shstrtab\0`);
  parts.push({ name: '.shstrtab', body: names });
  const bodies = Buffer.concat(parts.map(({ body }) => body));
  const file = Buffer.alloc(HEADER + bodies.length + HEADER * parts.length);
  file.writeUInt32LE(0x464c457f, 0);
  file.set([2, 1, 1], 4);
  file.writeUInt16LE(190, 18); // EM_CUDA
  file.writeBigUInt64LE(BigInt(HEADER + bodies.length), 40);
  file.writeUInt16LE(HEADER, 58);
  file.writeUInt16LE(parts.length, 60);
  file.writeUInt16LE(parts.length - 1, 62);
  bodies.copy(file, HEADER);
  let at = HEADER;
  let nameAt = 0;
  for (const [index, { name, body }] of parts.entries()) {
    const header = HEADER + bodies.length + HEADER * index;
    file.writeUInt32LE(nameAt, header);
    file.writeUInt32LE(name === '' ? 0 : 1, header + 4); // SHT_PROGBITS
    file.writeBigUInt64LE(BigInt(at), header + 24);
    file.writeBigUInt64LE(BigInt(body.length), header + 32);
    at += body.length;
    nameAt += name.length + 1;
  }
  return file;
}

/** A fatbin with one entry, not packed: PTX (1) or a cubin (2). */
export function fatbin(kind: 1 | 2, contents: Uint8Array): Buffer {
  const header = Buffer.alloc(16 + 64);
  header.writeUInt32LE(0xba55ed50, 0);
  header.writeUInt16LE(1, 4);
  header.writeUInt16LE(16, 6);
  header.writeBigUInt64LE(BigInt(64 + contents.length), 8);
  header.writeUInt16LE(kind, 16);
  header.writeUInt32LE(64, 20);
  header.writeBigUInt64LE(BigInt(contents.length), 24);
  header.writeUInt32LE(90, 16 + 28);
  header.writeBigUInt64LE(0x10_0000n, 16 + 40); // for sm_90a alone
  return Buffer.concat([header, contents]);
}
