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
  const pages = new Map<number, Uint8Array>();
  const pageAt = (number: number): Uint8Array => {
    const known = pages.get(number);
    if (known !== undefined) return known;
    const page = readAt(descriptor, number * PAGE, PAGE);
    if (pages.size >= MAX_PAGES) pages.delete(pages.keys().next().value!);
    pages.set(number, page);
    return page;
  };
  return (offset, length) => {
    const first = Math.floor(offset / PAGE);
    const within = offset - first * PAGE;
    if (length > PAGE || within + length > PAGE) return readAt(descriptor, offset, length);
    return pageAt(first).subarray(within, within + length);
  };
}

function readAt(descriptor: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const count = readSync(descriptor, bytes, done, length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
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
