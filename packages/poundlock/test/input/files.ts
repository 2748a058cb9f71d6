// Binary files with PTX in them, written by this code: fatbins, cubins, and files of the host.
import { deflateRawSync } from 'node:zlib';

const SECTION_HEADER = 64;
const ELF_HEADER = 64;

/** A section of an ELF file. */
export interface Section {
  readonly name: string;
  readonly contents: Uint8Array;
}

function bytesOf(size: number, fill: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size);
  fill(new DataView(bytes.buffer));
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** A 64-bit ELF file of a machine. */
export function elf(machine: number, sections: readonly Section[]): Uint8Array {
  const names = new TextEncoder().encode(`\0${sections.map(({ name }) => name).join('\0')}\0`);
  const all = [...sections, { name: '', contents: names }];
  const table = ELF_HEADER + all.reduce((sum, { contents }) => sum + contents.length, 0);
  const header = bytesOf(ELF_HEADER, (view) => {
    view.setUint32(0, 0x464c457f, true);
    view.setUint16(18, machine, true);
    view.setBigUint64(40, BigInt(table), true);
    view.setUint16(58, SECTION_HEADER, true);
    view.setUint16(60, all.length, true);
    view.setUint16(62, all.length - 1, true);
  });
  let offset = ELF_HEADER;
  let name = 1;
  const headers = all.map((section) => {
    const own = bytesOf(SECTION_HEADER, (view) => {
      view.setUint32(0, section.name === '' ? 0 : name, true);
      view.setBigUint64(24, BigInt(offset), true);
      view.setBigUint64(32, BigInt(section.contents.length), true);
    });
    offset += section.contents.length;
    name += section.name === '' ? 0 : section.name.length + 1;
    return own;
  });
  return joined([header, ...all.map(({ contents }) => contents), ...headers]);
}

/** A cubin; with the PTX that it was compiled from if there is one. */
export function cubin(text: string | null): Uint8Array {
  const section = { name: '.nv_debug_ptx_txt', contents: new TextEncoder().encode(text ?? '') };
  return elf(190, text === null ? [] : [section]);
}

/** A fatbin with a PTX text, plain. */
export function fatbin(text: string, architecture = 90): Uint8Array {
  const contents = new TextEncoder().encode(text);
  const entry = bytesOf(64, (view) => {
    view.setUint16(0, 1, true);
    view.setUint32(4, 64, true);
    view.setBigUint64(8, BigInt(contents.length), true);
    view.setUint32(28, architecture, true);
  });
  const header = bytesOf(16, (view) => {
    view.setUint32(0, 0xba55ed50, true);
    view.setUint16(4, 1, true);
    view.setUint16(6, 16, true);
    view.setBigUint64(8, BigInt(entry.length + contents.length), true);
  });
  return joined([header, entry, contents]);
}

/** A file of the host with fatbins back to back, the first one empty, as that of the runtime. */
export function library(fatbins: readonly Uint8Array[]): Uint8Array {
  const empty = bytesOf(16, (view) => {
    view.setUint32(0, 0xba55ed50, true);
    view.setUint16(6, 16, true);
  });
  const padded = [empty, ...fatbins].map((each) => {
    return joined([each, new Uint8Array((8 - (each.length % 8)) % 8)]);
  });
  return elf(62, [{ name: '.nv_fatbin', contents: joined(padded) }]);
}

/** A ZIP archive whose files are packed. */
export function zip(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const parts: Uint8Array[] = [];
  const table: Uint8Array[] = [];
  let at = 0;
  for (const [name, contents] of Object.entries(files)) {
    const [title, packed] = [new TextEncoder().encode(name), deflateRawSync(contents)];
    const sizes = (view: DataView, from: number): void => {
      view.setUint32(from, packed.length, true);
      view.setUint32(from + 4, contents.length, true);
      view.setUint16(from + 8, title.length, true);
    };
    const offset = at;
    const local = bytesOf(30, (view) => {
      view.setUint32(0, 0x0403_4b50, true);
      view.setUint16(8, 8, true);
      sizes(view, 18);
    });
    const entry = bytesOf(46, (view) => {
      view.setUint32(0, 0x0201_4b50, true);
      view.setUint16(10, 8, true);
      sizes(view, 20);
      view.setUint32(42, offset, true);
    });
    parts.push(local, title, packed);
    table.push(entry, title);
    at += local.length + title.length + packed.length;
  }
  const end = bytesOf(22, (view) => {
    view.setUint32(0, 0x0605_4b50, true);
    view.setUint16(10, table.length / 2, true);
    view.setUint32(12, joined(table).length, true);
    view.setUint32(16, at, true);
  });
  return joined([...parts, ...table, end]);
}
