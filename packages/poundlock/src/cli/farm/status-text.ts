// The state of a farm as a table.
import type { FarmStatus, WorkerReport } from '@poundlock/farm';
import { displayText, duration, grouped } from '@poundlock/core/internal/base';
import { counted } from '../../report/index.ts';

const MEBIBYTE = 1024 * 1024;
const MS_PER_SECOND = 1000;

/** The columns of a worker: for the table and for the page. */
export const WORKER_COLUMNS = [
  'worker',
  'machine',
  'process',
  'threads',
  'programs',
  'jobs',
  'failed',
  'rate',
  'memory',
  'last sign',
] as const;

/** The cells of a worker, in the order of {@link WORKER_COLUMNS}. */
export function workerCells(worker: WorkerReport, now: number): string[] {
  const seconds = Math.max(1, worker.at - worker.startedAt) / MS_PER_SECOND;
  return [
    worker.id.slice(0, 8),
    displayText(worker.host),
    String(worker.pid),
    String(worker.concurrency),
    worker.trustsPrograms ? 'trusted' : 'refused',
    grouped(worker.done),
    grouped(worker.failed),
    `${(worker.done / seconds).toFixed(1)}/s`,
    `${grouped(Math.round(worker.memoryBytes / MEBIBYTE))} MiB`,
    `${duration(Math.max(0, now - worker.at))} ago`,
  ];
}

/** `3 jobs wait, 2 run, 10 are done, 1 failed`. */
export function countsText(status: FarmStatus): string {
  const { waiting, active, completed, failed } = status;
  const parts = [
    `${counted(waiting, 'job')} ${waiting === 1 ? 'waits' : 'wait'}`,
    `${grouped(active)} ${active === 1 ? 'runs' : 'run'}`,
    `${grouped(completed)} ${completed === 1 ? 'is' : 'are'} done`,
    `${grouped(failed)} failed`,
  ];
  return parts.join(', ');
}

/** What has to be done for the farm to go on; empty where nothing has. */
export function warningsOf({ waitingForTrust, lost, workers, waiting }: FarmStatus): string[] {
  return [
    ...(waiting > 0 && workers.length === 0 ? ['no worker of this version'] : []),
    ...(waitingForTrust > 0
      ? [`${counted(waitingForTrust, 'job')} for a worker with --trust-programs`]
      : []),
    ...(lost > 0 ? [`${counted(lost, 'worker')} without a sign of life`] : []),
  ];
}

/** The state of a farm as lines. */
export function statusText(status: FarmStatus, now: number): string {
  const { workers, failures } = status;
  const rows = workers.map((worker) => workerCells(worker, now));
  const widths = WORKER_COLUMNS.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd();
  const table = rows.length === 0 ? [] : ['', line(WORKER_COLUMNS), ...rows.map(line)];
  const failed = failures.map(({ id, message }) => `${id.slice(0, 12)}  ${displayText(message)}`);
  return [
    countsText(status),
    ...warningsOf(status),
    ...table,
    ...(failed.length === 0 ? [] : ['', 'failed:', ...failed]),
    '',
  ].join('\n');
}
