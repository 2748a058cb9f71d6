// The thread that analyses for the language server: orders come in, reports go out.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { analyse } from './analysis-worker.ts';
import type { Order, AnalysisReport, ServerSettings } from './worker-protocol.ts';
import { settingsReader } from './file-settings.ts';

const settings = workerData as ServerSettings;
const port = parentPort!;
const inbox: Order[] = [];
let wake = (): void => {};
port.on('message', (order: Order) => {
  inbox.push(order);
  wake();
});

/** In the middle of work nothing is delivered: it has to be fetched. */
function take(): Order | undefined {
  return inbox.shift() ?? (receiveMessageOnPort(port)?.message as Order | undefined);
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

await analyse({
  root: settings.root,
  take,
  wait,
  // A port takes no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  send: (report: AnalysisReport) => port.postMessage(report),
  settingsOf: settingsReader(settings),
  now: () => performance.now(),
  onQuiet: collectGarbage,
});
port.close();
