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

/** The name of the lock that a watched thread of a browser holds. */
export function lockName(name: string, number: number): string {
  return `${name}-${number}`;
}

/** The numbers of this thread, by the name of the watchdog; their connections stay open. */
const connected = new Map<string, number>();
const connections: unknown[] = [];

/**
 * Connects this thread to a watchdog, once, and returns the number by which that knows it; 0 in a
 * thread that needs none, and where that is impossible. The connection comes before the first
 * endpoint: `examples/models/watchdog.ts` proves that then no death is missed.
 */
export function connect(connection: WatchConnection | null): number {
  if (connection === null || (!isNodeWorker && !isWebWorker)) return 0;
  const known = connected.get(connection.name);
  if (known !== undefined) return known;
  const number = isNodeWorker ? connectSocket(connection) : holdLock(connection);
  connected.set(connection.name, number);
  return number;
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

function holdLock({ name, words }: WatchConnection): number {
  const { locks } = navigator as unknown as { locks?: Locks };
  if (locks === undefined || typeof BroadcastChannel !== 'function') return 0;
  const number = Atomics.add(words, Watch.requested, 1);
  // Held until the thread ends. The request is under way when this call returns.
  void locks.request(lockName(name, number), () => new Promise(() => {})).catch(() => {});
  const channel = new BroadcastChannel(name);
  channel.postMessage(number);
  connections.push(channel);
  return number + 1;
}
