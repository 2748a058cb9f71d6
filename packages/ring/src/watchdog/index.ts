// The watchdog of the rings that this thread created: started by the first ring that is given to
// another thread. In Node it is a thread of its own; a page of a browser, which never blocks, does
// its work itself.
import { moduleBeside } from '../../../core/src/base/index.ts';
import { builtinModule } from '../platform.ts';
import { lockName, Watch, WATCH_WORDS, type WatchConnection } from './connection.ts';
import { Deaths, type WatchedRing } from './deaths.ts';

export { connect, type WatchConnection } from './connection.ts';

interface Watchdog {
  readonly connection: WatchConnection;
  readonly watch: (ring: WatchedRing) => void;
}

let watchdog: Watchdog | null | undefined;

/** Has a ring watched, and returns how other threads connect; `null` where that is impossible. */
export function watch(ring: WatchedRing): WatchConnection | null {
  watchdog ??= start();
  watchdog?.watch(ring);
  return watchdog?.connection ?? null;
}

function start(): Watchdog | null {
  const words = new Int32Array(new SharedArrayBuffer(WATCH_WORDS * 4));
  const connection = { name: `poundlock-${randomName()}`, words };
  try {
    return builtinModule('node:worker_threads') === undefined
      ? startInPage(connection)
      : startThread(connection);
  } catch {
    // Not allowed to start threads: `Ring.supervise` remains.
    return null;
  }
}

/** Unlike `randomUUID`, this exists in pages without a secure context, too. */
function randomName(): string {
  return [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join('');
}

function startThread(connection: WatchConnection): Watchdog | null {
  const { Worker } = builtinModule('node:worker_threads')!;
  const thread = new Worker(moduleBeside('./thread', import.meta.url), {
    name: 'poundlock watchdog',
    workerData: connection,
    // It needs none of what the program preloads.
    execArgv: [],
    env: {},
  });
  const { words } = connection;
  thread.on('error', () => {
    Atomics.store(words, Watch.failed, 1);
    Atomics.notify(words, Watch.listening);
  });
  thread.unref();
  return { connection, watch: (ring) => thread.postMessage(ring) };
}

interface Locks {
  readonly request: <T>(
    name: string,
    options: { readonly ifAvailable?: boolean },
    use: (lock: unknown) => T,
  ) => Promise<T>;
}

/** How often the page looks whether a thread holds its lock already, and for how long. */
const LOOK_MS = 5;
const MAX_LOOK_MS = 1000;

function startInPage(connection: WatchConnection): Watchdog | null {
  const { locks } = navigator as unknown as { locks?: Locks };
  if (locks === undefined || typeof BroadcastChannel !== 'function') return null;
  const deaths = new Deaths();
  const follow = async (number: number): Promise<void> => {
    const name = lockName(connection.name, number);
    // The request of the thread may come later than its message.
    const end = performance.now() + MAX_LOOK_MS;
    while (performance.now() < end) {
      if (!(await locks.request(name, { ifAvailable: true }, (lock) => lock !== null))) break;
      await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
    }
    await locks.request(name, {}, () => deaths.died(number + 1));
  };
  const channel = new BroadcastChannel(connection.name);
  channel.addEventListener('message', (event) => {
    void follow((event as unknown as { data: number }).data).catch(() => {});
  });
  return { connection, watch: (ring) => deaths.watch(ring) };
}
