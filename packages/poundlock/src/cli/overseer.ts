// Watches the main thread from another thread and stops code that does not return.
import process from 'node:process';
import {
  MessageChannel,
  receiveMessageOnPort,
  Worker,
  type MessagePort,
} from 'node:worker_threads';
import { moduleBeside, ownFolders, type Position } from '@poundlock/core/internal/base';

/** The processor time that a program text may use without a sign of life from its thread. */
export const MAX_SILENT_MS = 10_000;
/** How much longer than its time-out a check may take before it is stopped from outside. */
export const GRACE_MS = 700;

/** The words that both threads see. */
export const Beat = {
  /** Counts up whenever the main thread gets to do anything else. */
  count: 0,
  /** Whether the main thread was stopped, and has not been sent what was stopped. */
  stopping: 1,
} as const;
/** The longest that the main thread waits for that. */
const MAX_SEND_MS = 5_000;

/** The data that the watching thread receives. */
export interface Watched {
  /** {@link Beat}. */
  readonly beat: Int32Array;
  readonly silentMs: number;
  /** Deadlines come here, `null` to cancel one; what was stopped is sent back. */
  readonly port: MessagePort;
  /** The URLs of poundlock's own code. */
  readonly own: readonly string[];
}

/** When work must end, by the system's clock. */
export interface Deadline {
  readonly number: number;
  readonly atMs: number;
}

/** Code that was stopped, because it did not return or for a deadline. */
export interface Stopped {
  /** The number of the deadline; `null` where code did not return. */
  readonly number: number | null;
  /** The user's line that was running. */
  readonly position: Position | undefined;
  /** Whether that line was running itself, and not something that it had called. */
  readonly isInUserCode: boolean;
}

/** Whether this is a process of `node --permission`, without the permission for threads. */
function mayNotStartThreads(): boolean {
  const { permission } = process as unknown as { permission?: { has: (name: string) => boolean } };
  return permission?.has('worker') === false;
}

/** The watching thread, as the main thread sees it. */
export class Overseer {
  readonly #port: MessagePort;
  #deadlines = 0;

  /** `onStop` is called on the main thread, whose work was stopped: its promises never settle. */
  constructor(onStop: (stopped: Stopped) => void, silentMs = MAX_SILENT_MS) {
    const beat = new Int32Array(new SharedArrayBuffer(8));
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', onStop);
    port1.unref();
    // Stopped work leaves the event loop empty: the process must not end before it is known why.
    process.on('beforeExit', () => {
      Atomics.wait(beat, Beat.stopping, 1, MAX_SEND_MS);
      const received = receiveMessageOnPort(port1) as { readonly message: Stopped } | undefined;
      if (received !== undefined) onStop(received.message);
    });
    setInterval(() => void Atomics.add(beat, Beat.count, 1), silentMs / 10).unref();
    const watched: Watched = { beat, silentMs, port: port2, own: ownFolders() };
    const thread = moduleBeside('./overseer-thread', import.meta.url);
    // What runs a restricted process, which may start no threads, has to end it.
    if (mayNotStartThreads()) return;
    const options = { workerData: watched, transferList: [port2], execArgv: [] };
    new Worker(thread, options).unref();
  }

  /** Stops the main thread's work if it is not canceled in time; returns the deadline's number. */
  expect(timeoutMs: number): number {
    const deadline: Deadline = {
      number: ++this.#deadlines,
      atMs: Date.now() + timeoutMs + GRACE_MS,
    };
    this.#send(deadline);
    return deadline.number;
  }

  cancel(): void {
    this.#send(null);
  }

  #send(deadline: Deadline | null): void {
    // A port takes no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#port.postMessage(deadline);
  }
}
