// Pools, locks and transactions of a project's own, and of packages that nobody knows.
import { Sequelize } from 'sequelize';
import { Semaphore } from './semaphore';
declare const sequelize: Sequelize;
class Conn {
  async query(text: string): Promise<unknown> { return await raw(text); }
  async release(): Promise<void> { await raw('back'); }
}
class OwnPool {
  #free: Conn[] = [];
  async connect(): Promise<Conn> { return this.#free.pop() ?? new Conn(); }
}
class Client {
  pool = new OwnPool();
  async version(): Promise<unknown> {
    const conn = await this.pool.connect(); // expect: leak
    const version = await conn.query('a');
    await conn.release();
    return version;
  }
  async given(options: any): Promise<unknown> {
    const conn = options?.connection ? options.connection : await this.pool.connect(); // expect: ok
    try { return await conn.query('a'); } finally { if (!options.connection) await conn.release(); }
  }
  async many(texts: string[], options: any): Promise<unknown[]> {
    const conn = options.connection ?? (await this.pool.connect()); // expect: leak
    const results: unknown[] = [];
    for (const text of texts) {
      const result = await conn.query(text);
      if (!result) continue;
      else if (typeof result === 'number') results.push({ count: result });
      else results.push({ rows: result });
    }
    if (!options.connection) await conn.release();
    return results;
  }
}
class Job {
  semaphore = new Semaphore(3);
  locks: any;
  workers: any;
  async permit(): Promise<void> {
    await this.semaphore.acquire(); // expect: leak
    await raw('a');
    this.semaphore.release();
  }
  async safePermit(): Promise<void> {
    await this.semaphore.acquire(); // expect: ok
    try { await raw('a'); } finally { this.semaphore.release(); }
  }
  async pair(key: string): Promise<void> {
    await this.acquireLock(key); // expect: leak
    await raw(key);
    await this.releaseLock(key);
  }
  async asked(key: string): Promise<void> {
    const isMine = await this.acquireLock(key); // expect: ok
    if (!isMine) return;
    try { await raw(key); } finally { await this.releaseLock(key); }
  }
  async answered(key: string): Promise<void> {
    const answer = await this.locks.acquire(key); // expect: ok
    if (answer !== 'OK') return;
    try { await raw(key); } finally { await this.locks.release(key); }
  }
  async attempt(key: string): Promise<void> {
    const lock = await this.locks.acquireLock(key); // expect: ok
    if (!lock.acquired) return;
    try { await raw(key); } finally { await this.locks.releaseLock(lock); }
  }
  async handedOver(): Promise<void> {
    await this.locks.lock(); // expect: ok
    try { await raw('a'); } catch (error) { this.locks.unlock(); throw error; }
  }
  async thrownAway(work: (conn: unknown) => Promise<void>, isBroken: boolean): Promise<void> {
    const conn = await this.workers.acquire(); // expect: ok
    try { await work(conn); } finally {
      if (isBroken) await this.workers.destroy(conn);
      else this.workers.release(conn);
    }
  }
  async acquireLock(key: string): Promise<boolean> { return (await raw(key)) === 1; }
  async releaseLock(key: string): Promise<void> { await raw(key); }
}
export async function moved(store: any): Promise<void> {
  const tx = await sequelize.transaction(); // expect: leak
  await store.init(tx);
  await tx.commit();
}
export async function managed(store: any): Promise<void> {
  await sequelize.transaction((tx: unknown) => store.init(tx)); // expect: ok
}
export async function begun(source: any): Promise<void> {
  const runner = source.createQueryRunner(); // expect: leak
  await runner.connect();
  await runner.startTransaction();
  try { await runner.query('a'); } finally { await runner.release(); }
}
export function pinged(pool: any): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error: unknown, conn: any) => { // expect: leak
      if (error) return reject(error);
      conn.ping((failure: unknown) => {
        if (failure) return reject(failure);
        conn.release();
        resolve();
      });
    });
  });
}
export function nested(pool: any): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error: unknown, conn: any) => { // expect: ok
      if (error) return reject(error);
      conn.beginTransaction((failure: unknown) => {
        if (failure) { conn.release(); return reject(failure); }
        conn.query('a', (worse: unknown) => {
          if (worse) return conn.rollback(() => { conn.release(); reject(worse); });
          conn.commit(() => { conn.release(); resolve(); });
        });
      });
    });
  });
}
export const jobs = [new Job(), new Client()];
