// What code that runs once acquires and never releases lives as long as its process.
import { mkdtempDisposableSync, watch } from 'node:fs';
import pg from 'pg';

const pool = new pg.Pool();
watch('module', () => {}); // expect: note

export async function main(): Promise<void> {
  const client = await pool.connect(); // expect: note
  await client.query('listen jobs');
  start();
  await twice();
  await closes(true);
  await closes(false);
  mkdtempDisposableSync('outlives the process'); // expect: leak
}
function start(): void {
  const watcher = watch('once'); // expect: note
  watcher.on('change', () => {});
}
async function twice(): Promise<void> {
  for (const name of ['a', 'b']) await again(name);
}
/** Files are watched until the process ends, where nothing ends it before. */
export function serve(): void {
  watch('served').on('change', () => {}); // expect: note
}
export function reload(isLast: boolean): void {
  const watcher = watch('reloaded'); // expect: leak
  watcher.on('change', () => {});
  if (isLast) watcher.close();
}
async function again(name: string): Promise<void> {
  const client = await pool.connect(); // expect: leak
  await client.query(name);
}
/** It is not meant to stay. */
async function closes(isEmpty: boolean): Promise<void> {
  const client = await pool.connect(); // expect: leak
  if (isEmpty) return;
  client.release();
}
process.on('SIGTERM', async () => {
  const client = await pool.connect(); // expect: note
  await client.query('insert into ends values (now())');
});
process.on('message', async () => {
  const client = await pool.connect(); // expect: leak
  await client.query('select 1');
});
void (async () => {
  const client = await pool.connect(); // expect: note
  await client.query('listen jobs');
})();
export async function handler(): Promise<void> {
  const client = await pool.connect(); // expect: leak
  await client.query('select 1');
}
class Server {
  constructor() {
    const watcher = watch('singleton'); // expect: note
    watcher.on('change', () => {});
  }
}
/** Its objects end before the process. */
class Ending {
  constructor() {
    const watcher = watch('ending'); // expect: leak
    watcher.on('change', () => {});
  }
  close(): void {}
}
export const all = [new Server(), new Ending()];
