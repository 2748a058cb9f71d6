// The entry of a thread that runs jobs, which `jobs/pool.ts` starts.
import '../own-folder.ts';
import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { parentPort } from 'node:worker_threads';
import type { Host } from '@poundlock/core/internal/host';
import { processHost } from './process-host.ts';
import { executeJob } from './jobs/execute.ts';
import { canonicalJson } from './jobs/job.ts';
import { JobKernels } from './jobs/job-kernel.ts';
import { resultText, type ResultDocument } from './jobs/outcome.ts';
import type { Answer, Order } from './jobs/pool.ts';
import type { CheckProgress } from '../check/index.ts';
import { ReceivedPrograms } from './jobs/sent-programs.ts';

/** How often the thread shows that it is alive. */
const BEAT_MS = 500;

// Engines that another thread has compiled are not compiled again.
enableCompileCache();
const port = parentPort!;
// The thread that started this one watches it: what ends it ends this thread alone.
const host: Host = { ...processHost(), guarded: (_file, work) => work() };
const kernels = new JobKernels(host);
const received = new ReceivedPrograms();

let progress: CheckProgress | null = null;
setInterval(() => {
  port.postMessage({ beat: true, progress } satisfies Answer);
}, BEAT_MS).unref();

port.on('message', (order: Order) => {
  if ('program' in order.source) received.add(order.source.program);
  void run(order);
});

async function run({ number, job, source, hash }: Order): Promise<void> {
  const start = performance.now();
  let name = (file: string): string => file;
  const load = async () => {
    const from = 'sent' in source ? { program: received.get(source.sent) } : source;
    const loaded = await kernels.of(from);
    name = loaded.name;
    return loaded;
  };
  try {
    const { now, pause } = host;
    progress = null;
    const onProgress = (latest: CheckProgress): void => {
      progress = latest;
    };
    const named = (file: string): string => name(file);
    const outcome = await executeJob(load, job, { name: named, now, pause, onProgress });
    const elapsedMs = Math.round((performance.now() - start) * 1000) / 1000;
    // In the order in which it travels: a file has the same bytes, wherever the job ran.
    const ordered = JSON.parse(canonicalJson(job)) as Order['job'];
    const document: ResultDocument = {
      schema: 'poundlock/result@1',
      hash,
      job: ordered,
      outcome,
      elapsedMs,
    };
    port.postMessage({ number, text: resultText(document) } satisfies Answer);
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const crash = `internal error (please report): ${text}`;
    port.postMessage({ number, crash } satisfies Answer);
    if (process.env['POUNDLOCK_DEBUG']) process.stderr.write(`${(error as Error).stack}\n`);
  }
}
