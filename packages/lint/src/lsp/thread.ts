// The thread that analyses for the language server: orders come in, reports go out.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { runWorker } from './analysis-worker.ts';
import type { WorkerRequest, WorkerReport, ServerSettings } from './worker-protocol.ts';
import { settingsReader } from './file-settings.ts';

const settings = workerData as ServerSettings;
const port = parentPort!;
const inbox: WorkerRequest[] = [];
let wake = (): void => {};
port.on('message', (request: WorkerRequest) => {
  inbox.push(request);
  wake();
});

/** In the middle of work nothing is delivered: it has to be fetched. */
function take(): WorkerRequest | undefined {
  return inbox.shift() ?? (receiveMessageOnPort(port)?.message as WorkerRequest | undefined);
}

async function wait(ms: number | undefined): Promise<void> {
  if (inbox.length > 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  wake = resolve;
  const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
  await promise;
  clearTimeout(timer);
}

// Left alone, V8 lets garbage of many versions pile up before it looks: a server that runs all day
// should not hold hundreds of megabytes that nobody needs.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

await runWorker({
  root: settings.root,
  take,
  wait,
  // A port takes no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  send: (report: WorkerReport) => port.postMessage(report),
  settingsOf: settingsReader(settings),
  now: () => performance.now(),
  onIdle: collectGarbage,
});
port.close();
