// A file of which parts are read, through a few pages that are kept in memory.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InputError } from '@poundlock/core/internal/base';
import { atFile, fileName, type Host } from '@poundlock/core/internal/host';
import { bytesInMemory, type ByteSource } from '../../hang/index.ts';

const PAGE = 1 << 16;
const MAX_PAGES = 64;
/** What a packed file may unpack to in memory. */
const MAX_UNPACKED = 1 << 28;
const GZIP = [0x1f, 0x8b] as const;

/** An open file; `close` ends it. */
export interface OpenFile {
  readonly source: ByteSource;
  readonly close: () => void;
}

/** The name that stands for the standard input. */
const STDIN = '-';

/** Opens a file, plain or packed by gzip. */
export function openFile(argument: string, host: Pick<Host, 'cwd'>): OpenFile {
  if (argument === STDIN) {
    const bytes = atFile('stdin', () => readFileSync(0));
    return { source: bytesInMemory('stdin', bytes), close: () => {} };
  }
  const path = resolve(host.cwd, argument);
  const name = fileName(path, host.cwd);
  const descriptor = atFile(name, () => openSync(path, 'r'));
  const close = (): void => closeSync(descriptor);
  const status = fstatSync(descriptor);
  if (!status.isFile()) {
    close();
    throw new InputError(`${name} is no file`);
  }
  const source: ByteSource = { name, size: status.size, read: pagedReader(descriptor) };
  const head = source.size >= GZIP.length ? source.read(0, GZIP.length) : [];
  if (head[0] !== GZIP[0] || head[1] !== GZIP[1]) return { source, close };
  try {
    return { source: unpacked(source), close };
  } catch (error) {
    close();
    throw error;
  }
}

function pagedReader(descriptor: number): ByteSource['read'] {
  const pages = new Map<number, Page>();
  const pageAt = (number: number): Page => {
    const known = pages.get(number);
    if (known !== undefined) return known;
    let bytes = new Uint8Array(0);
    if (pages.size >= MAX_PAGES) {
      const [oldest, page] = pages.entries().next().value!;
      pages.delete(oldest);
      // What was read from it is a copy.
      ({ bytes } = page);
    }
    if (bytes.length < PAGE) bytes = new Uint8Array(PAGE);
    const page = { bytes, length: readInto(descriptor, bytes, number * PAGE) };
    pages.set(number, page);
    return page;
  };
  return (offset, length) => {
    const first = Math.floor(offset / PAGE);
    const within = offset - first * PAGE;
    if (within + length > PAGE) {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, readInto(descriptor, bytes, offset));
    }
    const page = pageAt(first);
    return page.bytes.slice(within, Math.min(within + length, page.length));
  };
}

/** A part of the file, of which the first bytes are there. */
interface Page {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly length: number;
}

/** Fills bytes from an offset of a file; how many there were. */
function readInto(descriptor: number, bytes: Uint8Array, offset: number): number {
  let done = 0;
  while (done < bytes.length) {
    const count = readSync(descriptor, bytes, done, bytes.length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

function unpacked({ name, size, read }: ByteSource): ByteSource {
  if (size > MAX_UNPACKED) throw tooLarge(name);
  try {
    const bytes = gunzipSync(read(0, size), { maxOutputLength: MAX_UNPACKED });
    return bytesInMemory(name, bytes);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(name);
    throw new InputError(`${name} is packed by gzip, and damaged`);
  }
}

function tooLarge(name: string): InputError {
  return new InputError(`${name} unpacks to more than ${MAX_UNPACKED >> 20} MB: unpack it first`);
}
