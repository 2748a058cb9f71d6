// Links that contain a program: its files, compressed, in the fragment, which no server sees.
import { InputError } from '@poundlock/core/internal/base';

/** A file of a program, or a PTX or launch file. */
export interface SharedFile {
  /** The path relative to the folder of the program, with forward slashes. */
  readonly name: string;
  readonly text: string;
}

/** The most files of a link, and the most characters of all together. */
export const MAX_SHARED_FILES = 64;
export const MAX_SHARED_TEXT = 8 * 1024 * 1024;
/** The most characters of a name. */
const MAX_NAME = 200;
const VERSION = 1;

/** Files as a word of an address. */
export async function writeProgram(files: readonly SharedFile[]): Promise<string> {
  const fault = faultOf(files.map(({ name, text }) => [name, text]));
  if (fault !== null) throw new InputError(fault);
  const content = { v: VERSION, files: files.map(({ name, text }) => [name, text]) };
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const packed = await readAll(through(bytes, new CompressionStream('deflate-raw')), Infinity);
  return wordOf(packed!);
}

/**
 * The files of a word that {@link writeProgram} has written. The word is not to be trusted.
 *
 * @throws InputError if it is none.
 */
export async function readProgram(word: string): Promise<SharedFile[]> {
  const content = await contentOf(word);
  if (content === null) throw new InputError('the link is damaged: a part of it may be missing');
  const { v, files } = content;
  if (v !== VERSION) throw new InputError('the link is of another version of the playground');
  const fault = faultOf(files);
  if (fault !== null) throw new InputError(fault);
  return (files as readonly [string, string][]).map(([name, text]) => ({ name, text }));
}

async function contentOf(word: string): Promise<{ v?: unknown; files?: unknown } | null> {
  try {
    const stream = through(bytesOf(word), new DecompressionStream('deflate-raw'));
    // A byte of the text is at least a byte of its JSON.
    const bytes = await readAll(stream, 6 * MAX_SHARED_TEXT);
    if (bytes === null) return null;
    const content: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof content === 'object' ? content : null;
  } catch {
    return null;
  }
}

/** What is wrong with a list of names and texts; `null` if nothing is. */
function faultOf(files: unknown): string | null {
  if (!Array.isArray(files) || files.length === 0) return 'the link has no program';
  if (files.length > MAX_SHARED_FILES) return `a link has at most ${MAX_SHARED_FILES} files`;
  const names = new Set<string>();
  let length = 0;
  for (const file of files as readonly unknown[]) {
    if (!Array.isArray(file)) return 'the link has no program';
    const [name, text] = file as readonly unknown[];
    if (typeof name !== 'string' || typeof text !== 'string') return 'the link has no program';
    if (!isName(name)) return `a link names files within a folder, not ${JSON.stringify(name)}`;
    if (names.has(name)) return `the link has two files ${name}`;
    names.add(name);
    length += text.length;
  }
  return length > MAX_SHARED_TEXT ? 'the program is too large for a link' : null;
}

/** Whether a name is a path within a folder. */
function isName(name: string): boolean {
  if (name.length > MAX_NAME || !/^[\w@+.,()[\] -]+(?:\/[\w@+.,()[\] -]+)*$/.test(name))
    return false;
  return !name.split('/').some((part) => part === '.' || part === '..');
}

/** Characters of a call: an argument list has a limit. */
const CALL = 8192;

/** Bytes in the alphabet of addresses (base64url). */
function wordOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CALL)
    text += String.fromCharCode(...bytes.subarray(at, at + CALL));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function bytesOf(word: string): Uint8Array<ArrayBuffer> {
  const text = atob(word.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream().pipeThrough(stream);
}

/** All bytes of a stream; `null` where it has more than `most`. */
async function readAll(
  stream: ReadableStream<Uint8Array>,
  most: number,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > most) return null;
    chunks.push(chunk);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
