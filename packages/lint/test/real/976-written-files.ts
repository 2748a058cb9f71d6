// Streams into files, of functions that end them themselves.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
export async function saved(chunks: AsyncIterable<string>, path: string): Promise<void> {
  const file = createWriteStream(path); // expect: leak
  for await (const chunk of chunks) file.write(chunk);
  file.end();
}
export async function savedSafely(chunks: AsyncIterable<string>, path: string): Promise<void> {
  const file = createWriteStream(path); // expect: ok
  try { for await (const chunk of chunks) file.write(chunk); } finally { file.end(); }
}
export async function downloaded(url: string, path: string): Promise<void> {
  const file = createWriteStream(path); // expect: leak
  const response: any = await fetch(url);
  for (const line of (await response.text()).split('\n')) file.write(line);
  file.close();
}
export function piped(source: NodeJS.ReadableStream, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const file = createWriteStream(path); // expect: ok
    source.pipe(file).on('error', reject);
    file.on('finish', () => { file.close(); resolve(); });
  });
}
export async function pipelined(source: NodeJS.ReadableStream, path: string): Promise<void> {
  const file = createWriteStream(path); // expect: ok
  try { await pipeline(source, file); } catch (error) { file.destroy(); throw error; }
}
export function opened(path: string): NodeJS.WritableStream {
  return createWriteStream(path); // expect: ok
}
