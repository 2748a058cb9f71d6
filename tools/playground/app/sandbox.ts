// Runs a program in a frame that can reach nothing: each run has a thread of its own.
import type {
  BuiltChoice,
  BuiltOffer,
  SharedFile,
} from '../../../packages/poundlock/src/explore/index.ts';
import type { Engine } from '../../../packages/poundlock/app/engine.ts';
import { early, FIRST_RUN, say } from './early.ts';
import type { FromFrame } from './frame.ts';
import type { Request, Requests } from './messages.ts';
import { plainAnswer } from './plain-answer.ts';

/** No answer takes longer: a check has a minute, and what is stopped then does not return. */
const MOST_MS = 75_000;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** What was loaded: its kernel is made by `begin`. */
export interface Loaded {
  readonly engine: Engine;
  readonly offer: BuiltOffer | null;
  readonly begin: () => Promise<void>;
}

/** The frame, and the thread of the program that runs in it. */
export class Sandbox {
  readonly #pending = new Map<number, Pending>();
  #run = FIRST_RUN;
  /** The run whose thread was started before there was a program for it; 0 if there is none. */
  #spare = FIRST_RUN;
  #id = 0;

  constructor() {
    addEventListener('message', ({ source, data }: MessageEvent<FromFrame>) => {
      if (source === early.frame.contentWindow && data.kind !== 'ready') this.#receive(data);
    });
  }

  /** Starts a thread, loads a program in it, and answers about its kernel. */
  async load(files: readonly SharedFile[], choice: BuiltChoice): Promise<Loaded> {
    const run = await this.#started();
    if (!/\.(?:ptx|jsonl)$/i.test(files[0]!.name)) {
      await this.#ask(run, 'stripper', [await early.stripper]);
    }
    const offer = await this.#ask(run, 'load', [files, choice]);
    const engine: Engine = {
      kernel: () => this.#ask(run, 'kernel', []),
      state: (...args) => this.#ask(run, 'state', args),
      verdict: (...args) => this.#ask(run, 'verdict', args),
      simulation: (...args) => this.#ask(run, 'simulation', args),
      whatIf: (...args) => this.#ask(run, 'whatIf', args),
      source: (...args) => this.#ask(run, 'source', args),
    };
    return { engine, offer, begin: () => this.#ask(run, 'begin', []) };
  }

  /** The run of a thread that has nothing to do yet. */
  async #started(): Promise<number> {
    if (this.#spare > 0 && this.#spare === this.#run) {
      this.#spare = 0;
      await early.started;
      return this.#run;
    }
    this.stop('another program was started');
    const run = ++this.#run;
    const [script] = await Promise.all([early.script, early.ready]);
    if (run !== this.#run) throw new Error('another program was started');
    say(early.frame, { kind: 'start', run, script });
    return run;
  }

  /** Ends the thread. */
  stop(why = 'stopped'): void {
    this.#run++;
    say(early.frame, { kind: 'stop' });
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new Error(why));
    }
    this.#pending.clear();
  }

  #ask<M extends keyof Requests>(
    run: number,
    method: M,
    args: Parameters<Requests[M]>,
  ): ReturnType<Requests[M]> {
    const answer = new Promise<unknown>((resolve, reject) => {
      if (run !== this.#run) throw new Error('stopped: run it again');
      const id = ++this.#id;
      const seconds = MOST_MS / 1000;
      const late = `still running after ${seconds} s: an infinite loop, or a loop without yield*?`;
      const timer = setTimeout(() => this.stop(late), MOST_MS);
      this.#pending.set(id, { resolve, reject, timer });
      say(early.frame, { kind: 'ask', request: { id, method, args } satisfies Request });
    });
    return answer as ReturnType<Requests[M]>;
  }

  #receive(message: Exclude<FromFrame, { readonly kind: 'ready' }>): void {
    if (message.run !== this.#run) return;
    if (message.kind === 'failed') return this.stop(String(message.message));
    const answer = plainAnswer(message.answer);
    const pending = answer === null ? undefined : this.#pending.get(answer.id);
    if (answer === null || pending === undefined) return;
    this.#pending.delete(answer.id);
    clearTimeout(pending.timer);
    if ('error' in answer) pending.reject(new Error(answer.error));
    else pending.resolve(answer.value);
  }
}
