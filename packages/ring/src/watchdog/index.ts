// The watchdog of the rings that this thread created: started by the first ring that is given to
// another thread. In Node it is a thread of its own; a page of a browser, which never blocks, does
// its work itself.
import { moduleBeside } from '../../../core/src/base/index.ts';
import { builtinModule } from '../platform.ts';
import { Watch, WATCH_WORDS, type LockNotice, type WatchConnection } from './connection.ts';
import { Deaths, type WatchedRing } from './deaths.ts';

export { connect, connected, type WatchConnection } from './connection.ts';

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
  readonly request: (name: string, use: () => void) => Promise<void>;
  readonly query: () => Promise<{ readonly held?: readonly { readonly name?: string }[] }>;
}

/** How often the page looks whether a thread holds its lock, at first and after that time. */
const LOOK_MS = 5;
const LATE_LOOK_MS = 200;
const LATE_MS = 1000;

/**
 * A thread whose lock was never seen is not taken for dead: its request may be on its way for as
 * long as it blocks.
 */
function startInPage(connection: WatchConnection): Watchdog | null {
  const { locks } = navigator as unknown as { locks?: Locks };
  if (locks === undefined || typeof BroadcastChannel !== 'function') return null;
  const deaths = new Deaths();
  const followed = new Set<number>();
  const follow = async ({ number, lock }: LockNotice): Promise<void> => {
    if (followed.has(number)) return;
    followed.add(number);
    await locks.request(lock, () => deaths.died(number + 1));
  };
  const lookFor = async (notice: LockNotice): Promise<void> => {
    const start = performance.now();
    while (!followed.has(notice.number) && !deaths.isIdle) {
      const { held = [] } = await locks.query();
      if (held.some(({ name }) => name === notice.lock)) return follow(notice);
      const isLate = performance.now() - start > LATE_MS;
      await new Promise((done) => void setTimeout(done, isLate ? LATE_LOOK_MS : LOOK_MS));
    }
  };
  const channel = new BroadcastChannel(connection.name);
  channel.addEventListener('message', (event) => {
    const notice = (event as unknown as { data: LockNotice }).data;
    void (notice.isHeld ? follow(notice) : lookFor(notice)).catch(() => {});
  });
  return { connection, watch: (ring) => deaths.watch(ring) };
}
