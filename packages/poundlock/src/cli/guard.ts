// Runs the code of program texts: whatever it does ends the work for its file, not the process.
import { setImmediate } from 'node:timers/promises';
import { resolve } from 'node:path';
import { InputError, TimeUpError, type Position } from '@poundlock/core/internal/base';
import { fileName, pathOf, type LateFailure } from '@poundlock/core/internal/host';
import { abandonRoles } from '@poundlock/core/internal/program';
import { formatNumber } from '@poundlock/core/internal/system';
import { MAX_SILENT_MS, Overseer, type Stopped } from './overseer.ts';
import { setTraps } from './traps.ts';

/** The work that is done now. */
interface Current {
  readonly path: string;
  readonly reject: (error: unknown) => void;
  readonly timeoutMs: number | undefined;
  deadline: number | null;
}

/** Runs work that calls the user's code, one file at a time. */
export class Guard {
  readonly #cwd: string;
  readonly #silentMs: number;
  #overseer: Overseer | undefined;
  #current: Current | undefined;
  /** The files whose work failed already: one line for each is enough. */
  readonly #failed = new Set<string>();
  #late: LateFailure[] = [];
  /** The files whose code was run, the newest first. */
  #paths: string[] = [];

  constructor(cwd: string, silentMs = MAX_SILENT_MS) {
    this.#cwd = cwd;
    this.#silentMs = silentMs;
  }

  /** See `Host.guarded`. */
  async run<T>(file: string, work: () => Promise<T>, timeoutMs?: number): Promise<T> {
    setTraps((error) => this.#fault(error));
    this.#overseer ??= new Overseer((stopped) => this.#stopped(stopped), this.#silentMs);
    const { promise: failure, reject } = Promise.withResolvers<never>();
    const path = resolve(this.#cwd, pathOf(file));
    const outer = this.#current;
    // Work within other work has its deadline, unless it has one of its own.
    const limit = timeoutMs ?? outer?.timeoutMs;
    const current: Current = { path, reject, timeoutMs: limit, deadline: outer?.deadline ?? null };
    this.#current = current;
    this.#paths = [path, ...this.#paths.filter((other) => other !== path)];
    if (timeoutMs !== undefined) current.deadline = this.#overseer.expect(timeoutMs);
    try {
      return await Promise.race([surfaced(work), failure]);
    } catch (error) {
      this.#failed.add(path);
      throw error;
    } finally {
      this.#current = outer;
      if (timeoutMs !== undefined) this.#overseer.cancel();
    }
  }

  /** See `Host.lateFailures`. */
  lateFailures(): readonly LateFailure[] {
    const late = this.#late;
    this.#late = [];
    return late;
  }

  /** An error that was not caught, or a call that would have ended the process. */
  #fault(error: unknown): void {
    const path = this.#pathOf(error);
    if (this.#current?.path === path) return this.#current.reject(uncaught(error));
    if (this.#failed.has(path)) return;
    this.#failed.add(path);
    this.#late.push({ file: fileName(path, this.#cwd), error: uncaught(error) });
  }

  /** The file whose code is on the stack of an error; the one that is run now if none is. */
  #pathOf(error: unknown): string {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    const found = this.#paths.find((path) => stack.includes(path));
    return found ?? this.#current?.path ?? this.#paths[0]!;
  }

  #stopped({ number, position, isInUserCode }: Stopped): void {
    const current = this.#current;
    if (current === undefined || (number !== null && number !== current.deadline)) return;
    // What was stopped could not clean up.
    abandonRoles();
    current.reject(this.#stopReason(number === null, position, isInUserCode, current.timeoutMs));
  }

  #stopReason(
    isSilent: boolean,
    position: Position | undefined,
    isInUserCode: boolean,
    timeoutMs = 0,
  ): Error {
    const isLoop = isInUserCode && position !== undefined;
    if (isSilent) {
      const late = `still running after ${this.#silentMs / 1000} s`;
      return new InputError(`${late}: an infinite loop, or a loop without yield*?`, position);
    }
    const reached = `timeout of ${formatNumber(timeoutMs)} ms was reached`;
    if (position === undefined) return new TimeUpError(`the bound ${reached}`);
    const place = `${fileName(position.file, this.#cwd)}:${position.line}:${position.column}`;
    const what = isLoop ? ': an infinite loop, or a loop without yield*?' : '';
    // More time does not help a loop that never ends.
    const bound = isLoop ? 'the' : 'the bound';
    return new TimeUpError(`${bound} ${reached} while ${place} was running${what}`);
  }
}

/**
 * Work, and a turn of the event loop after it, in which unhandled rejections surface. It
 * starts in a turn of its own: what is stopped takes every microtask with it that is waiting.
 */
async function surfaced<T>(work: () => Promise<T>): Promise<T> {
  await setImmediate();
  const result = await work();
  await setImmediate();
  return result;
}

/** What was thrown with nothing to catch it, as the user's error. */
function uncaught(error: unknown): unknown {
  return error instanceof Error ? error : new InputError(`throws ${String(error)}`);
}
