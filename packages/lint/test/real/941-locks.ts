// Locks: of packages, and of a project's own: see ../cases/README.md.
import { Mutex } from 'async-mutex';
const mutex = new Mutex();
export async function ran(work: () => Promise<void>): Promise<void> {
  const release = await mutex.acquire(); // expect: ok
  try { await work(); } finally { release(); }
}
export async function gap(work: () => Promise<void>): Promise<void> {
  const release = await mutex.acquire(); // expect: leak
  await work();
  release();
}
export async function thrown(ready: boolean): Promise<void> {
  const release = await mutex.acquire(); // expect: leak
  if (!ready) throw new Error('not ready');
  release();
}
class Mailbox {
  readonly #lock = new OwnLock();
  async send(work: () => Promise<void>): Promise<void> {
    const unlock = await this.#lock.acquire(); // expect: leak
    await work();
    unlock();
  }
  async safe(work: () => Promise<void>): Promise<void> {
    const unlock = await this.#lock.acquire(); // expect: ok
    try { await work(); } finally { unlock(); }
  }
}
class OwnLock {
  #last: Promise<void> = Promise.resolve();
  async acquire(): Promise<() => void> {
    let open: () => void = () => {};
    const before = this.#last;
    this.#last = new Promise((resolve) => { open = resolve; });
    await before;
    return open;
  }
}
export async function object(locks: any): Promise<void> {
  const held = await locks.acquire('a'); // expect: ok
  try { await work2(); } finally { await held.release(); }
}
export async function chained(pool: any): Promise<unknown> {
  return pool.acquire().query('a'); // expect: ok
}
export const mailbox = new Mailbox();
class Ledger {
  async open(): Promise<unknown> {
    await this.#pageMutex.lock(); // expect: leak
    if (this.#stale) await this.renew();
    return this.#page;
  }
  async openRenewed(): Promise<unknown> {
    if (this.#stale) await this.renew();
    await this.#pageMutex.lock(); // expect: ok
    return this.#page;
  }
  async openOrLetGo(): Promise<unknown> {
    await this.#pageMutex.lock(); // expect: ok
    try { await this.renew(); } catch (error) { this.#unlockPage(); throw error; }
    return this.#page;
  }
  async claim(): Promise<boolean> {
    if (!(await this.writeLock.acquire())) return false; // expect: leak
    await this.renew();
    return true;
  }
  async once(make: any): Promise<void> {
    const lock = make.lockFor('daily');
    await lock.acquire(60_000); // expect: ok
    await this.renew();
  }
}
export async function callForgotten(locks: any, held: Map<string, any>): Promise<void> {
  const lock = await locks.mutex.acquire(); // expect: ok
  const old = held.get('a');
  if (old?.release) await old.release;
  held.set('a', lock);
}
