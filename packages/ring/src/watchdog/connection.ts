// How a thread is connected to the watchdog: in Node by a socket, in a browser by a lock. Both end
// with the thread, however it ends, and neither needs an event loop in it.
import { builtinModule, isNodeWorker, isWebWorker, nodeProcess } from '../platform.ts';

/** The watchdog of a ring, as other threads know it: plain data that can be posted. */
export interface WatchConnection {
  /** How the watchdog's sockets or locks are named. */
  readonly name: string;
  /** How many threads requested for a connection, and how many can connect: see {@link Watch}. */
  readonly words: Int32Array<SharedArrayBuffer>;
}

/** The words of a connection. */
export const Watch = {
  /** Threads that requested to be watched. */
  requested: 0,
  /** Threads for which the watchdog listens. */
  listening: 1,
  /** 1 if there is no watchdog after all. */
  failed: 2,
} as const;
export const WATCH_WORDS = 3;

/** How long a thread waits until the watchdog, whose thread may still be starting, listens. */
const MAX_START_MS = 10_000;

/** Where the socket of a watched thread is. */
export function socketPath(name: string, number: number): string {
  if (nodeProcess?.platform === 'win32') return `\\\\.\\pipe\\${name}-${number}`;
  // Linux has names that are no files.
  if (nodeProcess?.platform === 'linux') return `\0${name}-${number}`;
  return `${builtinModule('node:os')?.tmpdir()}/${name}-${number}`;
}

/** What a thread of a browser posts to the page: its number, and the lock that it holds. */
export interface LockNotice {
  readonly number: number;
  readonly lock: string;
  /** Whether it holds the lock for certain: then the end of the lock is its own. */
  readonly isHeld: boolean;
}

/** Settled once the socket is connected, or cannot be: in Deno, after a turn of its event loop. */
const sockets = new Map<string, Promise<void>>();

/** The numbers of this thread, by the name of the watchdog; their connections stay open. */
const numbers = new Map<string, number>();
const connections: unknown[] = [];

/**
 * Connects this thread to a watchdog, once, and returns the number by which that knows it; 0 in a
 * thread that needs none, and where that is impossible. The connection comes before the first
 * endpoint: `examples/models/watchdog.ts` proves that then no death is missed.
 */
export function connect(connection: WatchConnection | null): number {
  if (connection === null || (!isNodeWorker && !isWebWorker)) return 0;
  const known = numbers.get(connection.name);
  if (known !== undefined) return known;
  const number = isNodeWorker ? connectSocket(connection) : announceLock(connection);
  numbers.set(connection.name, number);
  return number;
}

/** Connects this thread, and waits until its end would be noticed; `false` where nothing does. */
export async function connected(connection: WatchConnection | null): Promise<boolean> {
  if (connection === null || connect(connection) === 0) return false;
  await (threadLock?.held ?? sockets.get(connection.name));
  return true;
}

function connectSocket({ name, words }: WatchConnection): number {
  const net = builtinModule('node:net');
  if (net === undefined) return 0;
  const number = Atomics.add(words, Watch.requested, 1);
  Atomics.notify(words, Watch.requested);
  const deadline = performance.now() + MAX_START_MS;
  for (;;) {
    const seen = Atomics.load(words, Watch.listening);
    if (seen > number) break;
    const left = deadline - performance.now();
    if (left <= 0 || Atomics.load(words, Watch.failed) !== 0) return 0;
    Atomics.wait(words, Watch.listening, seen, left);
  }
  try {
    // A local socket is connected when this call returns.
    const socket = net.connect(socketPath(name, number));
    socket.on('error', () => {});
    const settled = ['connect', 'error'].map(
      (event) => new Promise<void>((resolve) => void socket.on(event, resolve)),
    );
    sockets.set(name, Promise.race(settled));
    socket.unref();
    connections.push(socket);
    return number + 1;
  } catch {
    return 0;
  }
}

interface Locks {
  readonly request: (name: string, use: () => Promise<void>) => Promise<void>;
}

interface ThreadLock {
  readonly name: string;
  isHeld: boolean;
  readonly held: Promise<void>;
}

/**
 * The lock of this thread. It is requested as the module is loaded, before the thread gets its
 * work: a browser passes on no request of a thread that blocks.
 */
const threadLock = isWebWorker ? holdLock() : null;

function holdLock(): ThreadLock | null {
  const { locks } = navigator as unknown as { locks?: Locks };
  if (locks === undefined || typeof BroadcastChannel !== 'function') return null;
  const name = `poundlock-thread-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  let granted = (): void => {};
  const held = new Promise<void>((resolve) => void (granted = resolve));
  const lock: ThreadLock = { name, isHeld: false, held };
  const use = async (): Promise<void> => {
    lock.isHeld = true;
    granted();
    // Held until the thread ends.
    return new Promise(() => {});
  };
  void locks.request(name, use).catch(() => {});
  return lock;
}

function announceLock({ name, words }: WatchConnection): number {
  if (threadLock === null) return 0;
  const number = Atomics.add(words, Watch.requested, 1);
  const channel = new BroadcastChannel(name);
  const announce = (): void => {
    const { name: lock, isHeld } = threadLock;
    channel.postMessage({ number, lock, isHeld } satisfies LockNotice);
  };
  announce();
  if (!threadLock.isHeld) void threadLock.held.then(announce);
  connections.push(channel);
  return number + 1;
}
