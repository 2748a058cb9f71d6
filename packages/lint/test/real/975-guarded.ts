// What runs while a lock is held, and whether the lock is held for long enough.
import { Mutex, Semaphore } from 'async-mutex';
interface Lockable {
  acquire(): Promise<() => void>;
}
const mutex = new Mutex();
const semaphore = new Semaphore(2);
async function save(text: string): Promise<number> {
  return text.length;
}
function length(text: string): number {
  return text.length;
}
export async function early(text: string): Promise<number> {
  const release = await mutex.acquire();
  try {
    return save(text); // expect: use-after-release
  } finally {
    release();
  }
}
export async function awaited(text: string): Promise<number> {
  const release = await mutex.acquire();
  try {
    return await save(text); // expect: ok
  } finally {
    release();
  }
}
export async function withLock<T>(lock: Lockable, work: () => Promise<T>): Promise<T> {
  const unlock = await lock.acquire();
  try {
    return work(); // expect: use-after-release
  } finally {
    unlock();
  }
}
export async function plain(text: string): Promise<number> {
  const release = await mutex.acquire();
  try {
    return length(text); // expect: ok
  } finally {
    release();
  }
}
export async function chained(text: string): Promise<number> {
  const release = await mutex.acquire();
  return save(text).finally(() => release()); // expect: ok
}
export async function settled(text: string): Promise<number> {
  const release = await mutex.acquire();
  try {
    return Promise.resolve(length(text)); // expect: ok
  } finally {
    release();
  }
}
export async function limited(text: string): Promise<number> {
  const [, release] = await semaphore.acquire();
  try {
    return save(text); // expect: use-after-release
  } finally {
    release();
  }
}
export class Store {
  readonly #mutex = new Mutex();
  async write(text: string): Promise<number> {
    await this.#mutex.acquire();
    try {
      return this.#write(text); // expect: use-after-release
    } finally {
      this.#mutex.release();
    }
  }
  async read(text: string): Promise<number> {
    await this.#mutex.acquire();
    try {
      const found = this.#write(text);
      return await found; // expect: ok
    } finally {
      this.#mutex.release();
    }
  }
  async #write(text: string): Promise<number> {
    return await save(text);
  }
}
export async function generic<R>(work: () => R): Promise<Awaited<R>> {
  const release = await mutex.acquire();
  try {
    return work() as Awaited<R>; // expect: use-after-release
  } finally {
    release();
  }
}
export async function ofAnyKind<R>(work: () => R | Promise<R>): Promise<R> {
  const release = await mutex.acquire();
  try {
    return work(); // expect: use-after-release
  } finally {
    release();
  }
}
export async function ofWhateverKind<R>(work: () => R): Promise<R> {
  const release = await mutex.acquire();
  try {
    return work(); // expect: use-after-release
  } finally {
    release();
  }
}
export async function ofNoKind(work: () => number): Promise<number> {
  const release = await mutex.acquire();
  try {
    return work(); // expect: ok
  } finally {
    release();
  }
}
async function locked<T>(work: () => Promise<T>): Promise<T> {
  const release = await mutex.acquire();
  try {
    return await work(); // expect: ok
  } finally {
    release();
  }
}
export async function nested(text: string): Promise<number> {
  return locked(async () => {
    return locked(async () => save(text)); // expect: ok
  });
}
