// Shapes of whole repositories, without installed types: see ../cases/README.md.
import { open } from 'node:fs/promises';
import pg from 'pg';
const { Client } = pg;
const { openSync } = require('node:fs');
declare const lazy: { connect(): Promise<void> };
declare const pools: { pool: typeof lazy };
declare function assertRejects(run: () => Promise<void>): Promise<void>;

export async function never(): Promise<void> {
  const client = new Client(); // expect: leak
  await client.connect();
  await client.query('SELECT 1');
}
export function required(path: string): void {
  const fd = openSync(path, 'r'); // expect: leak
  if (fd > 9) console.log(path);
}
export async function connected(): Promise<void> {
  await pools.pool.connect(); // expect: ok
}
export async function reconnecting(): Promise<{ close: () => Promise<void> }> {
  let client: pg.Client | null = null;
  const connect = async (): Promise<void> => {
    const next = new pg.Client(); // expect: ok
    client = next;
    await next.connect();
  };
  await connect();
  return { close: async () => { await client?.end(); } };
}
export async function refused(path: string): Promise<void> {
  await assertRejects(async () => { const file = await open(path, 'r'); }); // expect: ok
}

class Manager {
  #pool = new pg.Pool();
  async take(): Promise<pg.PoolClient> { return this.#pool.connect(); }
  async end(): Promise<void> { await this.#pool.end(); }
}
export async function endsItsSource(): Promise<void> {
  const manager = new Manager();
  const client = await manager.take(); // expect: ok
  try { await client.query('a'); } finally { await manager.end(); }
}
async function retried(client: pg.PoolClient): Promise<unknown> {
  return client.query('a');
}
export async function handsOnPromise(pool: pg.Pool): Promise<void> {
  const client = await pool.connect(); // expect: leak
  await retried(client);
  client.release();
}

class Work {
  private done = false;
  constructor(private readonly client: pg.PoolClient) {}
  isCompleted(): boolean { return this.done; }
  async begin(): Promise<void> { await this.client.query('BEGIN'); }
  async commit(): Promise<void> { this.done = true; this.release(); }
  private release(): void { this.client.release(); }
}
export async function begun(pool: pg.Pool): Promise<Work> {
  const client = await pool.connect(); // expect: ok
  const work = new Work(client);
  try {
    await work.begin();
    return work;
  } catch (error) {
    if (!work.isCompleted()) client.release();
    throw error;
  }
}
export async function circular(): Promise<void> {
  const first = second.default;
  var second = first.promises;
  const { open: opened } = second;
  await opened(first); // expect: ok
}
export async function asksForTheMethod(pool: pg.Pool): Promise<void> {
  const client = await pool.connect(); // expect: ok
  const { release } = client;
  if (typeof release === 'function') release.call(client);
}
export async function inArray(paths: string[], stop: Promise<void>): Promise<void> {
  const files = paths.map((path) => openSync(path, 'r')); // expect: leak
  await stop;
  console.log(files.length);
}
