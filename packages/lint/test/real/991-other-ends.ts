// Handles that a signal, a user, a pipe, or the removal of their path ends.
import fs, { promises } from 'node:fs';
import { createInterface } from 'node:readline';
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

interface Transport {
  close(): Promise<void>;
}
interface Client {
  connect(transport: Transport): Promise<void>;
  ping(): Promise<boolean>;
  close(): Promise<void>;
}
declare function createClient(): Client;
declare function openTransport(): Promise<Transport>;

/** The end of what a client stands on is its end. */
export async function probed(): Promise<boolean> {
  const client = createClient();
  let transport;
  try {
    transport = await openTransport();
  } catch {
    await client.close();
    return false;
  }
  try {
    await client.connect(transport);
    await client.close();
    return true;
  } catch {
    await transport.close();
    return false;
  }
}
export async function standing(transport: Transport): Promise<boolean> {
  const client = createClient(); // expect: leak
  await client.connect(transport);
  if (!(await client.ping())) return false;
  await client.close();
  return true;
}

/** It reports its end, as its input does: a user closes it. */
class Prompt {
  private readonly lines = createInterface({ input: process.stdin });
  constructor() {
    this.lines.on('line', console.log);
    this.lines.once('close', () => console.log('bye'));
  }
  start(): void {
    this.lines.prompt();
  }
  close(): void {
    this.lines.close();
  }
}
/** Nothing in it hears that it has ended. */
class Deaf {
  private readonly lines = createInterface({ input: process.stdin });
  start(): void {
    this.lines.prompt();
  }
  close(): void {
    this.lines.close();
  }
}
export function prompts(): void {
  const prompt = new Prompt();
  prompt.start();
}
export function promptsEarly(isBad: boolean): void {
  const prompt = new Prompt(); // expect: leak
  if (isBad) return;
  prompt.close();
}
export function deaf(): void {
  const prompt = new Deaf(); // expect: leak
  prompt.start();
}
