// Pools of connections, as code without installed types uses them: see ../cases/README.md.
import { Client, Pool } from 'pg';
declare const pool: Pool;
export async function gap(): Promise<void> {
  const client = await pool.connect(); // expect: leak
  await prepare(client);
  try { await client.query('a'); } finally { client.release(); }
}
export async function guarded(): Promise<void> {
  const client = await pool.connect(); // expect: ok
  try { await client.query('a'); } finally { client.release(); }
}
export async function both(): Promise<void> {
  const client = await pool.connect(); // expect: ok
  try { await client.query('a'); client.release(); } catch (error) { client.release(true); throw error; }
}
export async function onlyOnSuccess(): Promise<void> {
  const client = await pool.connect(); // expect: leak
  await client.query('a');
  client.release();
}
export async function early(wanted: boolean): Promise<number> {
  const client = await pool.connect(); // expect: leak
  if (!wanted) return 0;
  try { return await client.query('a'); } finally { client.release(); }
}
export async function handedOn(): Promise<unknown> {
  const client = await pool.connect(); // expect: leak
  await check(client);
  return client;
}
export async function factory(): Promise<unknown> {
  return pool.connect(); // expect: ok
}
export async function slept(): Promise<void> {
  const client = await pool.connect(); // expect: ok
  await new Promise((resolve) => setTimeout(resolve, 10));
  client.release();
}
export async function asked(ask: (done: () => void) => void): Promise<void> {
  const client = await pool.connect(); // expect: leak
  await new Promise((resolve, reject) => { ask(() => reject(new Error('no'))); });
  client.release();
}
export async function started(url: string): Promise<void> {
  const client = new Client(url); // expect: ok
  await client.connect();
  try { await client.query('a'); } finally { await client.end(); }
}
export async function neverEnded(url: string): Promise<void> {
  const client = new Client(url); // expect: leak
  await client.connect();
  await client.query('a');
}
export async function guessed(db: any): Promise<void> {
  const conn = await db.getConnection(); // expect: leak
  await conn.query('a');
  conn.release();
}
export async function noGuess(db: any): Promise<void> {
  const conn = await db.getConnection(); // expect: ok
  await conn.query('a');
}
export async function transacted(db: any): Promise<void> {
  const trx = await db.transaction(); // expect: leak
  await trx.insert('a');
  await trx.commit();
}
export async function rolledBack(db: any): Promise<void> {
  const trx = await db.transaction(); // expect: ok
  try { await trx.insert('a'); await trx.commit(); } catch (error) { await trx.rollback(); throw error; }
}
export async function runner(source: any): Promise<void> {
  const runner = source.createQueryRunner(); // expect: ok
  await runner.connect();
  try { await runner.query('a'); } finally { await runner.release(); }
}
export async function lent(given: any, source: any): Promise<void> {
  const runner = given ?? source.createQueryRunner(); // expect: ok
  try { await runner.query('a'); } finally { if (!given) await runner.release(); }
}
export async function wrapped(): Promise<void> {
  const client = await pool.connect(); // expect: leak
  const session = new Session(client);
  await session.begin();
  try { await session.work(); } finally { client.release(); }
}
export async function wrapperLeaves(): Promise<unknown> {
  const client = await pool.connect(); // expect: ok
  const session = new Session(client);
  try { await session.begin(); return session; } catch (error) { client.release(); throw error; }
}
export async function inside(): Promise<void> {
  const session = new Session(await pool.connect()); // expect: leak
  await session.begin();
  try { await session.work(); } finally { session.client.release(); }
}
export async function union(conn: any): Promise<void> {
  const client = await pool.connect(); // expect: ok
  if ('release' in client) client.release();
}
