// Whole pools and databases, made and ended by one function; ends of the process.
import knex from 'knex';
import { MongoClient } from 'mongodb';
import mysql from 'mysql2/promise';
import pg, { Pool } from 'pg';
import { createClient } from 'redis';
import { commit, rollback } from './transactions';
declare const pool: Pool;
export async function found(url: string): Promise<void> {
  const client = new MongoClient(url); // expect: leak
  await client.connect();
  await client.db().collection('a').findOne({});
  await client.close();
}
export async function guarded(url: string): Promise<void> {
  const client = new MongoClient(url); // expect: ok
  try { await client.connect(); await client.db().collection('a').findOne({}); } finally { await client.close(); }
}
export async function forAll(url: string): Promise<unknown> {
  const client = createClient({ url }); // expect: ok
  await client.connect();
  return client;
}
export async function executed(): Promise<void> {
  const connection = await mysql.createConnection({}); // expect: leak
  await connection.execute('a');
}
export async function migrated(): Promise<void> {
  const db = knex({}); // expect: ok
  await db.migrate.latest();
  await db.destroy();
}
export async function main(): Promise<void> {
  try {
    const client = await pool.connect(); // expect: ok
    await client.query('a');
    process.exit(0);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}
export async function committed(): Promise<void> {
  const client = await pool.connect(); // expect: ok
  try { await client.query('a'); await commit(client); } catch (error) {
    try { await rollback(client); } catch (worse) { client.release(worse); }
    throw error;
  }
}
export async function early(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try { return work(client); } finally { client.release(); } // expect: use-after-release
}
export async function aborted(one: AbortSignal, other: AbortSignal): Promise<void> {
  const client = await pool.connect(); // expect: ok
  if (one.aborted || other.aborted) {
    client.release();
    one.throwIfAborted();
    other.throwIfAborted();
  }
  try { await client.query('a'); } finally { client.release(); }
}
function letGo(client: any): void {
  if (client.inTransaction === true) return;
  client.release();
}
async function loadWith(client: any, sql: string): Promise<unknown> {
  const rows = await client.query(sql);
  letGo(client);
  return rows;
}
export async function flagged(sql: string): Promise<void> {
  const client: any = await pool.connect(); // expect: ok
  client.inTransaction = true;
  try { await loadWith(client, sql); await client.query('commit'); } finally { client.release(); }
}
export async function flaggedLost(sql: string): Promise<void> {
  const client: any = await pool.connect(); // expect: leak
  client.inTransaction = true;
  await loadWith(client, sql);
  await client.query('commit');
  client.release();
}
function letGoNow(client: any): void { client.release(); }
export async function letGoTwice(): Promise<void> {
  const client = await pool.connect();
  letGoNow(client);
  client.release(); // expect: double-release
}
