// Handles that a signal, a user, a pipe, or the removal of their path ends.
import fs, { promises } from 'node:fs';
import { watch } from 'chokidar';
import { chromium } from 'playwright';
import tmp from 'tmp-promise';
import { request } from 'undici';

export function untilAborted(signal: AbortSignal): void {
  const watcher = fs.watch('a', { signal, recursive: true });
  console.log(watcher);
}
export function forever(): void {
  const watcher = fs.watch('a', { recursive: true }); // expect: note
  console.log(watcher);
}

export async function show(): Promise<void> {
  const browser = await chromium.launch({ headless: false });
  console.log(browser.contexts());
}
export async function hide(): Promise<void> {
  const browser = await chromium.launch(); // expect: leak
  console.log(browser.contexts());
}

export async function pathOf(): Promise<string> {
  const file = await tmp.file();
  return file.path;
}
export async function removed(): Promise<void> {
  const folder = await tmp.dir();
  await promises.rm(folder.path, { recursive: true });
}
export async function left(): Promise<number> {
  const folder = await tmp.dir(); // expect: leak
  return folder.path.length;
}

export async function piped(to: NodeJS.WritableStream): Promise<void> {
  const { body } = await request('http://a');
  body.pipe(to);
}
export async function unread(): Promise<number> {
  const { body, statusCode } = await request('http://a'); // expect: leak
  console.log(body);
  return statusCode;
}

/** Emitters of unknown type return themselves. */
export class Watched {
  readonly #watcher = watch('a').on('change', () => undefined);
  async close(): Promise<void> {
    await this.#watcher.close();
  }
}
export function watchOnce(): void {
  watch('a').on('change', () => undefined); // expect: note
}
