// Starts the analysis thread of the language server.
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { moduleBeside } from '@poundlock/core/internal/base';
import type { AnalysisReport } from './worker-protocol.ts';
import type { AnalysisThread, ServerHost } from './server.ts';
import { messageOf } from '@poundlock/core/internal/host';

/** The allocations of one version are garbage after the next: more room only delays collection. */
const YOUNG_MB = 16;
/** A thread that does not stop on request is terminated after this time. */
const STOP_MS = 2_000;

export const startThread: ServerHost['startThread'] = (settings, onReport, onEnd) => {
  // Output of a configuration file must not mix with the messages of the protocol.
  const worker = new Worker(moduleBeside('./thread', import.meta.url), {
    workerData: settings,
    stdout: true,
    // The compiler is written in Go, whose collector lets the heap double by default.
    env: { GOGC: '50', ...process.env },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  worker.stdout.pipe(process.stderr);
  let isWanted = true;
  const end = (reason: string): void => {
    if (isWanted) onEnd(reason);
    isWanted = false;
  };
  worker.on('message', (report: AnalysisReport) => void (isWanted && onReport(report)));
  worker.on('error', (error) => end(messageOf(error)));
  worker.on('exit', (code) => end(`its thread ended with ${code}`));
  const stop = async (): Promise<void> => {
    isWanted = false;
    const exited = Promise.withResolvers<void>();
    worker.once('exit', () => exited.resolve());
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage({ kind: 'stop' });
    const timer = setTimeout(() => void worker.terminate(), STOP_MS);
    await exited.promise;
    clearTimeout(timer);
  };
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    post: (request) => worker.postMessage(request),
    stop,
  } satisfies AnalysisThread;
};
