// Clients, tensors of what is not typed, locks and browsers: see ../cases/README.md.
import { chromium } from 'playwright';
import * as tf from '@tensorflow/tfjs';
import AwaitLock from 'await-lock';
import Database from 'better-sqlite3';
import { MongoClient } from 'mongodb';
import oracledb from 'oracledb';
import { Cluster } from 'puppeteer-cluster';
type Work = (given?: unknown) => Promise<void>;
export async function opened(work: Work): Promise<void> {
  const database = new Database('file'); // expect: leak
  await work();
  database.close();
}
export async function openedWell(work: Work): Promise<void> {
  const database = new Database('file'); // expect: ok
  try { await work(); } finally { database.close(); }
}
export const forever = new Database('file'); // expect: ok
export function handedOut(): Database { return new Database('file'); } // expect: ok
export async function connected(work: Work): Promise<void> {
  const client = await MongoClient.connect('url'); // expect: leak
  await work();
  await client.close();
}
export async function asked(): Promise<void> {
  const connection = await oracledb.getConnection(); // expect: leak
  await connection.execute('select 1');
  await connection.close();
}
export async function locked(lock: AwaitLock, work: Work): Promise<void> {
  await lock.acquireAsync(); // expect: leak
  await work();
  lock.release();
}
export async function lockedWell(lock: AwaitLock, work: Work): Promise<void> {
  await lock.acquireAsync(); // expect: ok
  try { await work(); } finally { lock.release(); }
}
export async function clustered(work: Work): Promise<void> {
  const cluster = await Cluster.launch({}); // expect: leak
  await work();
  await cluster.close();
}
export async function launched(work: Work): Promise<void> {
  const browser = await chromium.launch(); // expect: ok
  try { await work(); } finally { await browser.close(); }
}
export async function scaled(images: any): Promise<unknown> {
  const image = await images.next();
  return image.div(tf.scalar(255)); // expect: leak
}
export async function noisy(weights: any): Promise<unknown> {
  await weights.ready;
  return weights.add(tf.randomNormal([1])); // expect: leak
}
export async function collected(kept: Set<unknown>, list: any): Promise<void> {
  await list.ready;
  kept.add(tf.scalar(1)); // expect: ok
  list.add(tf.scalar(2)); // expect: ok
}
