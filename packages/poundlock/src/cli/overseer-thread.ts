// The thread that `overseer.ts` starts: inspects and stops what keeps the main thread busy.
import type { Debugger } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import process from 'node:process';
import { workerData } from 'node:worker_threads';
import { Beat, type Deadline, type Stopped, type Watched } from './overseer.ts';

/** The number of looks that must all find the program text running. */
const LOOKS = 8;
/** A thread that runs is paused at once; one that waits is not within this time. */
const PAUSE_MS = 500;
/** How often within that time the processor time is read. */
const TICKS = 5;
/** The most milliseconds that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const { beat, silentMs, port, own } = workerData as Watched;

/** A debugger session for the main thread: the only way to inspect a busy thread. */
class Looking {
  readonly #session = new Session();
  /** File names of scripts. */
  readonly #urls = new Map<string, string>();

  async begin(): Promise<void> {
    this.#session.connectToMainThread();
    this.#session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => {
      this.#urls.set(scriptId, url);
    });
    await this.#session.post('Debugger.enable');
  }

  /** Pauses the main thread; the calls that it is in, or `undefined` if it was waiting. */
  async pause(): Promise<readonly Debugger.CallFrame[] | undefined> {
    const { promise, resolve } = Promise.withResolvers<Debugger.CallFrame[] | undefined>();
    this.#session.once('Debugger.paused', ({ params }) => resolve(params.callFrames));
    await this.#session.post('Debugger.pause');
    const late = setTimeout(resolve, PAUSE_MS, undefined);
    const frames = await promise;
    clearTimeout(late);
    return frames;
  }

  /** The first of some calls that is the user's code, as what was stopped. */
  stopped(frames: readonly Debugger.CallFrame[], number: number | null): Stopped {
    const at = frames.findIndex((frame) => this.isUsers(frame));
    if (at < 0) return { number, position: undefined, isInUserCode: false };
    const { lineNumber, columnNumber = 0 } = frames[at]!.location;
    const file = this.#urlOf(frames[at]!);
    const position = { file, line: lineNumber + 1, column: columnNumber + 1 };
    return { number, position, isInUserCode: at === 0 };
  }

  isUsers(frame: Debugger.CallFrame | undefined): boolean {
    const file = frame === undefined ? '' : this.#urlOf(frame);
    return file.startsWith('file:') && !own.some((folder) => file.startsWith(folder));
  }

  #urlOf({ location }: Debugger.CallFrame): string {
    return this.#urls.get(location.scriptId) ?? '';
  }

  async goOn(): Promise<void> {
    await this.#session.post('Debugger.resume');
  }

  /** Ends what the paused main thread is doing; it goes on with what comes next. */
  async terminate(): Promise<void> {
    // With its work stopped, the main thread may have nothing to wait for.
    Atomics.store(beat, Beat.stopping, 1);
    const terminated = this.#session.post('Runtime.terminateExecution');
    await this.#session.post('Debugger.resume');
    await terminated;
  }

  end(): void {
    this.#session.disconnect();
  }
}

/** Sends what was stopped to the main thread. */
function send(stopped: Stopped): void {
  // A port takes no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  port.postMessage(stopped);
  Atomics.store(beat, Beat.stopping, 0);
  Atomics.notify(beat, Beat.stopping);
}

/** Looks several times; stops a line of the program text that runs every time. */
async function look(): Promise<void> {
  const looking = new Looking();
  await looking.begin();
  for (let looks = 1; ; looks++) {
    const frames = await looking.pause();
    if (frames === undefined || !looking.isUsers(frames[0])) break;
    if (looks === LOOKS) {
      const stopped = looking.stopped(frames, null);
      await looking.terminate();
      send(stopped);
      break;
    }
    await looking.goOn();
    await sleep(silentMs / 100);
  }
  looking.end();
}

/** Stops whatever the main thread does: its time is up. */
async function stop(number: number): Promise<void> {
  const looking = new Looking();
  await looking.begin();
  const frames = await looking.pause();
  const stopped = looking.stopped(frames ?? [], number);
  if (frames !== undefined) await looking.terminate();
  looking.end();
  send(stopped);
}

let timer: NodeJS.Timeout | undefined;
port.on('message', (deadline: Deadline | null) => {
  clearTimeout(timer);
  if (deadline === null) return;
  const leftMs = Math.min(MAX_TIMER_MS, Math.max(0, deadline.atMs - Date.now()));
  timer = setTimeout(() => void stop(deadline.number), leftMs);
});

// A response of the main thread does not keep this thread alive.
setInterval(() => undefined, silentMs);

/** What the process has used of the processors: a thread that loops uses at least that. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

// On a busy machine the clock runs faster than a program does: processor time is what counts.
for (let [seen, usedThenMs] = [-1, 0]; ;) {
  const now = Atomics.load(beat, Beat.count);
  const isSilent = now === seen && usedMs() - usedThenMs > silentMs;
  if (isSilent) await look();
  if (isSilent || now !== seen) [seen, usedThenMs] = [now, usedMs()];
  await sleep(silentMs / TICKS);
}
