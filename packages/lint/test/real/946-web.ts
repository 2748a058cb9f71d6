// Files, bodies, writers and object URLs: see ../cases/README.md.
import { createInterface } from 'node:readline/promises';
import * as fs from 'node:fs';
import { opendir } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { useState } from 'react';
declare const pool: any;
export function tail(path: string, bytes: Uint8Array): void {
  const fd = fs.openSync(path, 'r'); // expect: leak
  fs.readSync(fd, bytes);
  fs.closeSync(fd);
}
export function head(path: string, bytes: Uint8Array): void {
  const fd = fs.openSync(path, 'r'); // expect: ok
  try { fs.readSync(fd, bytes); } finally { fs.closeSync(fd); }
}
export function touched(path: string): boolean {
  try { const fd = fs.openSync(path, 'r+'); fs.closeSync(fd); return true; } catch { return false; } // expect: ok
}
export function swallowed(path: string, bytes: Uint8Array): number | undefined {
  try { const fd = fs.openSync(path, 'r'); const read = fs.readSync(fd, bytes); fs.closeSync(fd); return read; } catch { return undefined; } // expect: leak
}
export async function configured(text: string): Promise<void> {
  const client = await pool.connect(); // expect: leak
  const { sql } = JSON.parse(text);
  try { await client.query(sql); } finally { client.release(); }
}
export async function copied(value: object): Promise<object> {
  const client = await pool.connect(); // expect: ok
  const copy = JSON.parse(JSON.stringify(value));
  try { return await client.query(copy); } finally { client.release(); }
}
export function detached(command: string, log: string): void {
  const out = fs.openSync(log, 'a'); // expect: leak
  spawn(command, [], { detached: true, stdio: ['ignore', out, out] }).unref();
}
export function lent(command: string, log: string): void {
  const out = fs.openSync(log, 'a'); // expect: ok
  try { spawn(command, [], { stdio: ['ignore', out, out] }); } finally { fs.closeSync(out); }
}
export async function limited(response: Response, most: number): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  const reader = response.body!.getReader(); // expect: leak
  try {
    for (let size = 0; ; ) { const { done, value } = await reader.read(); if (done) return chunks; size += value.length; if (size > most) throw new Error('too much'); chunks.push(value); }
  } finally { reader.releaseLock(); }
}
export async function bounded(response: Response, most: number): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  const reader = response.body!.getReader(); // expect: ok
  try {
    for (let size = 0; ; ) { const { done, value } = await reader.read(); if (done) return chunks; size += value.length; if (size > most) { await reader.cancel(); throw new Error('too much'); } chunks.push(value); }
  } finally { reader.releaseLock(); }
}
export async function aborted(url: string, most: number): Promise<void> {
  const controller = new AbortController();
  const { body } = await fetch(url, { signal: controller.signal });
  const reader = body!.getReader(); // expect: ok
  try { for (let size = 0; size < most; ) { const { done, value } = await reader.read(); if (done) return; size += value.length; } controller.abort(); } finally { reader.releaseLock(); }
}
export async function first(stream: ReadableStream<string>): Promise<string | undefined> {
  const reader = stream.getReader(); // expect: ok
  try { return (await reader.read()).value; } finally { reader.releaseLock(); }
}
export async function* lines(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body!.getReader(); // expect: leak
  try { for (;;) { const { done, value } = await reader.read(); if (done) return; yield value; } } finally { reader.releaseLock(); }
}
export function sent(stream: WritableStream<string>, text: string): void {
  const writer = stream.getWriter(); // expect: ok
  writer.write(text);
  writer.close();
}
export async function rendered(stream: WritableStream<string>, render: (writer: object) => Promise<void>): Promise<void> {
  const writer = stream.getWriter(); // expect: ok
  try { await render(writer); } finally { await writer.ready; await writer.close(); }
}
export async function command(port: { writable: WritableStream<string> }, text: string): Promise<void> {
  const writer = port.writable.getWriter(); // expect: leak
  await writer.write(text);
  writer.releaseLock();
}
export async function listed(path: string): Promise<string[]> {
  const names: string[] = [];
  const dir = await opendir(path); // expect: ok
  try { for await (const { name } of dir) names.push(name); } finally { await dir.close().catch(() => {}); }
  return names;
}
export function progress(child: { stderr: any }, each: (line: string) => void): void {
  const lines = createInterface({ input: child.stderr }); // expect: ok
  lines.on('line', each);
}
export async function asked(answer: () => Promise<string>): Promise<string> {
  const lines = createInterface({ input: process.stdin }); // expect: leak
  const text = await answer();
  lines.close();
  return text;
}
export function iterable(stream: ReadableStream<string>): AsyncIterable<string> {
  const reader = stream.getReader(); // expect: ok
  const iterator = {
    async next(): Promise<any> { return await reader.read(); },
    async return(): Promise<any> { await reader.cancel(); return { done: true }; },
  };
  return { [Symbol.asyncIterator]() { return iterator; } };
}
export function page(blob: Blob, number: number): string {
  const url = URL.createObjectURL(blob); // expect: ok
  return `${url}#page=${number}`;
}
export function view(blob: Blob, show: (url: string) => void): () => void {
  const url = URL.createObjectURL(blob) + '#top'; // expect: ok
  show(url);
  return () => show('');
}
export function Picture(): (blob: Blob) => void {
  const [url, setUrl] = useState('');
  return (blob) => { if (url === '') setUrl(window.URL.createObjectURL(blob)); }; // expect: leak
}
export async function measured(blob: Blob): Promise<number> {
  const maker = window.URL || (window as any).webkitURL;
  const image = new Image();
  image.src = maker.createObjectURL(blob); // expect: leak
  return await new Promise((resolve) => { image.onload = () => resolve(image.width); });
}
export class Shelf {
  async load(name: string): Promise<{ name: string; url: string }> {
    const blob = await (await fetch(name)).blob();
    const url = URL.createObjectURL(blob); // expect: ok
    return { name, url };
  }
}
export function closedAndOut(path: string): void {
  const fd = fs.openSync(path, 'r'); // expect: ok
  if (path === '') { fs.closeSync(fd); process.exit(1); }
  fs.closeSync(fd);
}
export function fatal(path: string): void {
  const fd = fs.openSync(path, 'r'); // expect: ok
  if (path === '') process.exit(1);
  fs.closeSync(fd);
}
export async function confirmed(): Promise<boolean> {
  const lines = createInterface({ input: process.stdin }); // expect: ok
  const answer = await lines.question('sure?');
  lines.close();
  return answer === 'y';
}
export function Gallery(): (blob: Blob) => Promise<void> {
  const [, setShown] = useState<Record<string, string>>({});
  return async (blob) => {
    const url = URL.createObjectURL(blob); // expect: ok
    setShown((old) => ({ ...old, [blob.type]: url }));
  };
}
export async function done(response: Response, each: (text: string) => void): Promise<void> {
  const reader = response.body!.getReader(); // expect: ok
  const decoder = new TextDecoder();
  try { for (;;) { const { done: isOver, value } = await reader.read(); if (isOver) return; const text = decoder.decode(value); if (text.includes('[DONE]')) return; each(text); } } finally { reader.releaseLock(); }
}
export class Panel extends HTMLElement {
  constructor() {
    super();
    new MutationObserver(() => this.normalize()).observe(this, { childList: true }); // expect: ok
  }
}
export function unheard(stream: ReadableStream<string>): ReadableStream<string> {
  const reader = stream.getReader(); // expect: leak
  return new ReadableStream({
    async pull(controller) { const { done, value } = await reader.read(); if (done) controller.close(); else controller.enqueue(value); },
  });
}
export function heard(stream: ReadableStream<string>): ReadableStream<string> {
  const reader = stream.getReader(); // expect: ok
  return new ReadableStream({
    async pull(controller) { const { done, value } = await reader.read(); if (done) controller.close(); else controller.enqueue(value); },
    cancel: (reason) => reader.cancel(reason),
  });
}
export function started(launcher: any, log: string): void {
  let stdio: any[] = ['ignore', 'ignore', 'ignore'];
  try { const fd = fs.openSync(log, 'a'); stdio = ['ignore', fd, fd]; } catch {} // expect: leak
  launcher.start('x', { stdio });
}
export async function shell(process_: any, terminal: any): Promise<any> {
  const input = process_.input.getWriter(); // expect: ok
  terminal.onData((data: string) => { input.write(data); });
  return process_;
}
export function asked2(data: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker('work.js'); // expect: ok
    worker.onmessage = ({ data: answer }) => { worker.terminate(); resolve(answer); };
    worker.onerror = (error) => { worker.terminate(); reject(error); };
    worker.postMessage(data);
  });
}
export function asked3(data: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker('work.js'); // expect: leak
    worker.onmessage = ({ data: answer }) => { worker.terminate(); resolve(answer); };
    worker.onerror = reject;
    worker.postMessage(data);
  });
}
export async function untilAborted(response: Response, signal: AbortSignal): Promise<number> {
  const reader = response.body!.getReader(); // expect: ok
  let size = 0;
  try { for (;;) { if (signal.aborted) break; const { done: isOver, value } = await reader.read(); if (isOver) break; size += value.length; } } finally { reader.releaseLock(); }
  return size;
}
export async function eitherWay(path: string): Promise<unknown> {
  const response = await fetch(path); // expect: ok
  if (!response.body) return '';
  if (response.ok) { for await (const chunk of response.body) use(chunk); return ''; }
  return response.text();
}
export async function onlyTested(path: string): Promise<string> {
  const response = await fetch(path); // expect: leak
  if (!response.ok || !response.body) throw new Error('no body');
  return await response.text();
}
