// The queues of a farm, in Redis, Valkey or PostgreSQL.
import { createPostgresBackend, Queue, QueueEvents, Worker, type Processor } from 'bullmq';
import type { QueueOptions, WorkerOptions } from 'bullmq';

/** What each queue is for. Jobs with code have a queue of their own: others never see them. */
export const QUEUES = ['data', 'code', 'programs', 'workers'] as const;
/** One of {@link QUEUES}. */
export type QueueName = (typeof QUEUES)[number];

/** Events that a queue keeps for those that follow it. */
const MAX_EVENTS = 100_000;

/** Where a farm is, and the version whose jobs it runs. */
export interface Place {
  readonly url: string;
  /** Jobs of one version are never run by another. */
  readonly version: string;
}

const PROTOCOL = /^(redis|rediss|postgres|postgresql):\/\//;

/** Whether an address is one of a farm. */
export function isFarmUrl(url: string): boolean {
  return PROTOCOL.test(url);
}

function isPostgres(url: string): boolean {
  return url.startsWith('postgres');
}

/** The name of a queue, without characters that have a meaning there. */
function fullName({ version }: Place, name: QueueName): string {
  return `poundlock-${version.replaceAll(/[^\w.]/g, '-')}-${name}`;
}

function optionsOf({ url }: Place): QueueOptions {
  const connection = isPostgres(url)
    ? { connectionString: url, migrate: true }
    : { url, maxRetriesPerRequest: null };
  return { connection } as QueueOptions;
}

/** The backend of a queue: without one, BullMQ's is Redis. */
function backendOf({ url }: Place): undefined {
  // The types of the two backends have nothing in common that a caller needs.
  return (isPostgres(url) ? createPostgresBackend : undefined) as undefined;
}

/** A connection that is lost comes back: until then, its errors are not those of a job. */
function quiet<T extends { on: (event: 'error', listener: () => void) => unknown }>(one: T): T {
  one.on('error', () => undefined);
  return one;
}

/** Opens a queue. */
export function openQueue(place: Place, name: QueueName): Queue<string, string> {
  const streams = { events: { maxLen: MAX_EVENTS } };
  const options = { ...optionsOf(place), streams };
  return quiet(new Queue<string, string>(fullName(place, name), options, backendOf(place)));
}

/** Follows what becomes of the jobs of a queue. */
export function openEvents(place: Place, name: QueueName): QueueEvents {
  return quiet(new QueueEvents(fullName(place, name), optionsOf(place), backendOf(place)));
}

/** Takes jobs from a queue. */
export function openWorker(
  place: Place,
  name: QueueName,
  processor: Processor<string, string>,
  options: Omit<WorkerOptions, 'connection'>,
): Worker<string, string> {
  const all = { ...optionsOf(place), ...options } as WorkerOptions;
  return quiet(new Worker<string, string>(fullName(place, name), processor, all, backendOf(place)));
}
