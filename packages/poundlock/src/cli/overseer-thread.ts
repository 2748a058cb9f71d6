// The thread that `overseer.ts` starts: inspects what keeps the main thread busy.
import type { Debugger } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { ExitCode } from './exit-code.ts';
import { fileName } from '@poundlock/core/internal/host';
import type { Watched } from './overseer.ts';

/** The number of looks that must all find the program text running. */
const LOOKS = 8;

const { beat, silentMs, cwd, own } = workerData as Watched;

/** Where the main thread is paused, until it is resumed. */
interface Stop {
  readonly frame: string;
  readonly file: string;
  readonly place: string;
}

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

  /** Pauses the main thread; `undefined` if it was waiting instead of running. */
  async pause(): Promise<Stop | undefined> {
    const { promise, resolve } = Promise.withResolvers<Debugger.CallFrame | undefined>();
    this.#session.once('Debugger.paused', ({ params }) => resolve(params.callFrames[0]));
    await this.#session.post('Debugger.pause');
    const late = setTimeout(resolve, silentMs, undefined);
    const top = await promise;
    clearTimeout(late);
    if (top === undefined) return undefined;
    const { scriptId, lineNumber, columnNumber = 0 } = top.location;
    const file = this.#urls.get(scriptId) ?? '';
    const place = `${fileName(file, cwd)}:${lineNumber + 1}:${columnNumber + 1}`;
    return { frame: top.callFrameId, file, place };
  }

  async goOn(): Promise<void> {
    await this.#session.post('Debugger.resume');
  }

  /** Ends the process, whose main thread must be paused. */
  async exit({ frame: callFrameId }: Stop): Promise<void> {
    // With its output closed, Node does not print that it waits for a debugger.
    const close = "globalThis.process.getBuiltinModule('node:fs').closeSync(2)";
    const expression = `${close}; globalThis.process.reallyExit(${ExitCode.couldNotRun})`;
    await this.#session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression });
  }

  end(): void {
    this.#session.disconnect();
  }
}

function isOwn(file: string): boolean {
  return own.some((folder) => file.startsWith(folder));
}

/** Looks several times; ends the process if a line of the program text runs every time. */
async function look(): Promise<void> {
  const looking = new Looking();
  await looking.begin();
  for (let looks = 1; ; looks++) {
    const stop = await looking.pause();
    if (stop === undefined || !stop.file.startsWith('file:') || isOwn(stop.file)) break;
    if (looks === LOOKS) {
      const late = `still running after ${silentMs / 1000} s`;
      const message = `${late}: an infinite loop, or a loop without yield*?`;
      writeSync(2, `poundlock: ${stop.place}: ${message}\n`);
      return await looking.exit(stop);
    }
    await looking.goOn();
    await sleep(silentMs / 100);
  }
  looking.end();
}

// A response of the main thread does not keep this thread alive.
setInterval(() => undefined, silentMs);
for (let seen = -1; ;) {
  const now = Atomics.load(beat, 0);
  if (now === seen) await look();
  seen = now;
  await sleep(silentMs);
}
