// The thread that `overseer.ts` starts: looks at what keeps the main thread busy, if anything does.
import type { Debugger } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { ExitCode } from './exit-code.ts';
import { fileName } from '@poundlock/core/internal/host';
import type { Watched } from './overseer.ts';

/** In so many looks, all of them, the program text must be what runs. */
const LOOKS = 8;

const { beat, silentMs, cwd, own } = workerData as Watched;

/** Where the main thread stands still, until it is told to go on. */
interface Stop {
  readonly frame: string;
  readonly file: string;
  readonly place: string;
}

/** A debugger of the main thread: no other way leads into a thread that is busy. */
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

  /** Makes the main thread stand still; `undefined` where it was waiting and not at work. */
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

  /** Ends the process, whose main thread must stand still. */
  async exit({ frame: callFrameId }: Stop): Promise<void> {
    // With its output closed Node does not add that it waits for a debugger.
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

/** Looks several times; ends the process if every time a line of the program text runs. */
async function look(): Promise<void> {
  const looking = new Looking();
  await looking.begin();
  for (let looks = 1; ; looks++) {
    const stop = await looking.pause();
    if (stop === undefined || !stop.file.startsWith('file:') || isOwn(stop.file)) break;
    if (looks === LOOKS) {
      const late = `still running after ${silentMs / 1000} s`;
      const message = `${late}: a loop without end, or without a yield*?`;
      writeSync(2, `poundlock: ${stop.place}: ${message}\n`);
      return await looking.exit(stop);
    }
    await looking.goOn();
    await sleep(silentMs / 100);
  }
  looking.end();
}

// An answer of the main thread does not keep this one alive.
setInterval(() => undefined, silentMs);
for (let seen = -1; ;) {
  const now = Atomics.load(beat, 0);
  if (now === seen) await look();
  seen = now;
  await sleep(silentMs);
}
