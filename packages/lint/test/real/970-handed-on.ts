// Handles that a callback hands on to a promise, that a hook's function gets, or a test's end.
import * as fs from 'node:fs';
import * as Comlink from 'comlink';
import pg from 'pg';
import { useCallback } from 'react';
import t from 'tap';
import { driver } from './passed-on/index.js';
declare const pages: any;
export async function wrapped(path: string, write: (fd: number) => Promise<void>): Promise<void> {
  const fd = await new Promise<number>((resolve, reject) => fs.open(path, 'w', (error, file) => (error ? reject(error) : resolve(file)))); // expect: leak
  await write(fd);
  fs.closeSync(fd);
}
export async function wrappedSafely(path: string, write: (fd: number) => Promise<void>): Promise<void> {
  const fd = await new Promise<number>((resolve, reject) => { fs.open(path, 'w', (error, file) => { if (error) reject(error); else resolve(file); }); }); // expect: ok
  try { await write(fd); } finally { fs.closeSync(fd); }
}
export function opened(path: string): Promise<number> {
  return new Promise((resolve, reject) => fs.open(path, (error, fd) => (error ? reject(error) : resolve(fd)))); // expect: ok
}
export function useExport(): (json: string) => void {
  const show = useCallback((url: string) => { const link = document.createElement('a'); link.setAttribute('href', url); link.click(); }, []);
  return useCallback((json: string) => {
    const url = URL.createObjectURL(new Blob([json])); // expect: leak
    show(url);
  }, [show]);
}
export function useDownload(): (json: string) => void {
  const show = useCallback((url: string) => { const link = document.createElement('a'); link.href = url; link.click(); URL.revokeObjectURL(url); }, []);
  return useCallback((json: string) => {
    const url = URL.createObjectURL(new Blob([json])); // expect: ok
    show(url);
  }, [show]);
}
t.test('a client that is ended after the test', async (each: any) => {
  const client = new pg.Client(); // expect: ok
  each.after(async () => { await client.end(); });
  await client.connect();
  await client.query('SELECT 1');
});
t.test('a client that nobody ends', async (each: any) => {
  const client = new pg.Client(); // expect: leak
  each.after(async () => { await each.report(); });
  await client.connect();
  await client.query('SELECT 1');
});
export async function histogram(values: number[]): Promise<number[]> {
  const worker = Comlink.wrap<any>(new Worker('histogram.js')); // expect: leak
  const result = await worker.histogram(values);
  worker[Comlink.releaseProxy]();
  return result;
}
export async function histogramOnce(values: number[]): Promise<number[]> {
  const worker = new Worker('histogram.js'); // expect: ok
  try { return await Comlink.wrap<any>(worker).histogram(values); } finally { worker.terminate(); }
}
export async function launched(url: string): Promise<void> {
  const browser = await driver.launch(); // expect: leak
  await browser.newContext({ baseURL: url });
  await browser.close();
}
export async function measured(fn: () => void): Promise<void> {
  const browser = await driver.launch(); // expect: ok
  try {
    const page = await browser.newPage();
    const handle = await page.evaluateHandle(() => 1); // expect: ok
    await page.evaluate(fn, handle);
    await handle.dispose();
    await page.close();
  } finally { await browser.close(); }
}
export async function visited(urls: string[]): Promise<string[]> {
  const browser = await driver.launch(); // expect: ok
  try {
    return await Promise.all(urls.map(async (url) => {
      const page = await browser.newPage(); // expect: ok
      await page.goto(url);
      const title = await page.title();
      await page.close();
      return title;
    }));
  } finally { await browser.close(); }
}
export async function lentBrowser(launch: () => Promise<any>, urls: string[]): Promise<void> {
  const browser = await launch();
  await Promise.all(urls.map(async (url) => {
    const page = await browser.newPage(); // expect: leak
    await page.goto(url);
    await page.close();
  }));
}
