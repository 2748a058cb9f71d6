// The thread of the watchdog in Node. It waits for other threads only while it listens for their
// connections, and learns of a death by the end of one: no other event loop is needed.
import { builtinModule } from '../platform.ts';
import { socketPath, Watch, type WatchConnection } from './connection.ts';
import { Deaths, type WatchedRing } from './deaths.ts';

const { parentPort, workerData } = builtinModule('node:worker_threads')!;
const { createServer } = builtinModule('node:net')!;
const { name, words } = workerData as WatchConnection;
const deaths = new Deaths();
parentPort!.on('message', (ring: WatchedRing) => deaths.watch(ring));

/** Listens for the one connection of thread `number`; that it ends means that the thread did. */
function listenFor(number: number): Promise<void> {
  return new Promise<void>((resolve) => {
    const server = createServer((socket) => {
      server.close();
      socket.on('error', () => {});
      socket.on('close', () => deaths.died(number + 1));
      socket.resume();
    });
    server.on('error', () => resolve());
    server.listen(socketPath(name, number), resolve);
  });
}

for (let listening = 0; ;) {
  while (listening < Atomics.load(words, Watch.requested)) {
    await listenFor(listening++);
    Atomics.store(words, Watch.listening, listening);
    Atomics.notify(words, Watch.listening);
  }
  const { async, value } = Atomics.waitAsync(words, Watch.requested, listening);
  if (async) await value;
}
