// The entry of the analysis thread of the language server: requests in, reports out.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { runWorker } from './analysis-worker.ts';
import type { WorkerRequest, AnalysisReport, ServerSettings } from './worker-protocol.ts';
import { settingsReader } from './file-settings.ts';

const settings = workerData as ServerSettings;
const port = parentPort!;
const inbox: WorkerRequest[] = [];
let wake = (): void => {};
port.on('message', (request: WorkerRequest) => {
  inbox.push(request);
  wake();
});

/** During synchronous work no message event fires, so messages are received explicitly. */
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

// By default, V8 accumulates the garbage of many versions before a collection: a server that runs
// all day should not hold hundreds of megabytes of it.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

await runWorker({
  root: settings.root,
  take,
  wait,
  // A port takes no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  send: (report: AnalysisReport) => port.postMessage(report),
  settingsOf: settingsReader(settings),
  now: () => performance.now(),
  onIdle: collectGarbage,
});
port.close();
