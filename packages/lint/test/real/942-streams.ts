// Readers, writers and files: see ../cases/README.md.
import { open, opendir } from 'node:fs/promises';
export async function drained(stream: ReadableStream<string>): Promise<string> {
  let text = '';
  const reader = stream.getReader(); // expect: ok
  for (;;) { const { done, value } = await reader.read(); if (done) break; text += value; }
  return text;
}
export async function limited(stream: ReadableStream<string>, most: number): Promise<string> {
  let text = '';
  const reader = stream.getReader(); // expect: leak
  for (;;) { const { done, value } = await reader.read(); if (done) break; text += value; if (text.length > most) return text; }
  return text;
}
export async function cancelled(stream: ReadableStream<string>, most: number): Promise<string> {
  let text = '';
  const reader = stream.getReader(); // expect: ok
  for (;;) { const { done, value } = await reader.read(); if (done) break; text += value; if (text.length > most) { await reader.cancel(); return text; } }
  return text;
}
export async function handled(stream: ReadableStream<string>, each: (text: string) => Promise<void>): Promise<void> {
  const reader = stream.getReader(); // expect: leak
  for (;;) { const { done, value } = await reader.read(); if (done) break; await each(value); }
}
export async function* chunks(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader(); // expect: leak
  for (;;) { const { done, value } = await reader.read(); if (done) return; yield value; }
}
export async function* safeChunks(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader(); // expect: ok
  try { for (;;) { const { done, value } = await reader.read(); if (done) return; yield value; } } finally { await reader.cancel(); }
}
export async function size(path: string): Promise<number> {
  const file = await open(path); // expect: leak
  const { size: bytes } = await file.stat();
  await file.close();
  return bytes;
}
export async function stat(path: string): Promise<number> {
  let file;
  try { file = await open(path); return (await file.stat()).size; } finally { await file?.close(); } // expect: ok
}
export async function piped(path: string, sink: any): Promise<void> {
  const file = await open(path); // expect: ok
  file.createReadStream().pipe(sink);
}
export async function listed(path: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(path)) names.push(name); // expect: ok
  return names;
}
export async function scoped(client: any): Promise<void> {
  const session = client.startSession(); // expect: ok
  await using _ = { [Symbol.asyncDispose]: () => session.endSession() };
  if (!client.ready) throw new Error('not ready');
  await client.run(session);
}
export function late(path: string): { close: () => Promise<void> } {
  let file: any;
  const ready = (async () => { file = await open(path); await file.stat(); })(); // expect: ok
  return { close: async () => { await ready; await file?.close(); } };
}
export function saved(blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob); // expect: leak
  link.click();
}
export function revoked(blob: Blob): void {
  const url = URL.createObjectURL(blob); // expect: ok
  const link = document.createElement('a');
  link.href = url;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
export function loaded(blob: Blob): void {
  const image = new Image();
  image.onload = () => URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(blob); // expect: ok
}
function replaced(list: { url: string }[], index: number, entry: { url: string }): { url: string }[] {
  if (list[index] === entry) return list;
  const copy = [...list];
  copy[index] = entry;
  return copy;
}
export class Sides {
  #sides: { url: string }[] = [];
  show(index: number, blob: Blob): void {
    const before = this.#sides[index];
    if (before !== undefined) URL.revokeObjectURL(before.url);
    this.#sides = replaced(this.#sides, index, { url: URL.createObjectURL(blob) }); // expect: ok
  }
}
export function decoded(blob: Blob): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(blob); // expect: leak
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => { URL.revokeObjectURL(url); resolve(image); };
    image.onerror = () => reject(new Error('no image'));
    image.src = url;
  });
}
export function decodedOrRejected(blob: Blob): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(blob); // expect: leak
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.addEventListener('load', () => { URL.revokeObjectURL(url); resolve(image); });
    image.addEventListener('error', reject);
    image.src = url;
  });
}
export function decodedEitherWay(blob: Blob): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(blob); // expect: ok
  return new Promise((resolve, reject) => {
    const image = new Image();
    const end = (): void => URL.revokeObjectURL(url);
    image.onload = () => { end(); resolve(image); };
    image.onerror = (error) => { end(); reject(error); };
    image.src = url;
  });
}
export function decodedAndEnded(blob: Blob): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(blob); // expect: ok
  const image = new Image();
  return new Promise<HTMLImageElement>((resolve, reject) => {
    image.onload = () => resolve(image);
    image.onerror = reject;
    image.src = url;
  }).finally(() => URL.revokeObjectURL(url));
}
declare const helpers: any;
export async function* polite(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader(); // expect: ok
  try { for (;;) { const { done, value } = await reader.read(); if (done) return; yield value; } } finally { await helpers.tryCancel(reader); reader.releaseLock(); }
}
export async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const { readable, writable } = new DecompressionStream('deflate');
  const writer = writable.getWriter(); // expect: ok
  await writer.write(bytes);
  await writer.close();
  return await new Response(readable).arrayBuffer();
}
export function neverEnding(rows: string[]): TransformStream {
  const progress = new TransformStream();
  const writer = progress.writable.getWriter(); // expect: leak
  async function report(): Promise<void> {
    for (const row of rows) await writer.write(row);
  }
  report();
  return progress;
}
export function endingOnce(rows: string[]): TransformStream {
  const progress = new TransformStream();
  const writer = progress.writable.getWriter(); // expect: ok
  async function report(): Promise<void> {
    for (const row of rows) await writer.write(row);
    await writer.close();
  }
  report();
  return progress;
}
export function writerHandedOn(rows: string[], fill: any): ReadableStream {
  const progress = new TransformStream();
  const writer = progress.writable.getWriter(); // expect: ok
  fill(writer, rows);
  return progress.readable;
}
