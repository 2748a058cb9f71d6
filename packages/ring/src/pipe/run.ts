// A pipe that runs: its rings, its threads, and the groups of stages on this thread.
import { InputError } from '../../../core/src/base/index.ts';
import { RingClosed, RingPoisoned } from '../errors.ts';
import { builtinModule } from '../platform.ts';
import { createRing, type Ring } from '../ring.ts';
import { itemSchema, type ItemSchema } from './codec.ts';
import { Crew, withinMs } from './crew.ts';
import { openSink, openSource } from './ends.ts';
import type { OpenSink, OpenSource, PipeSink, PipeSource } from './ends.ts';
import { PipeError } from './errors.ts';
import { LocalGroup, nameOf } from './group.ts';
import { OrderWindow } from './order.ts';
import { topologyOf, type Plan, type PipeTopology } from './plan.ts';

/**
 * How long the error of a thread may take to arrive after the rings have noticed its end: it is on
 * its way. Only a browser has ends without any error.
 */
const CAUSE_MS = builtinModule('node:worker_threads') !== undefined ? 20_000 : 2000;
/** How long the source may take to clean up, and a stage on this thread, after the pipe failed. */
const SOURCE_END_MS = 1000;
const STAGE_END_MS = 100;

/** What went through a stage of a pipe. */
export interface StageProgress {
  /** The name of the stage; several that run on this thread together are one. */
  readonly stage: string;
  /** Its worker threads; 0 if it runs on this thread. */
  readonly workers: number;
  /** The items that it has taken. */
  readonly taken: number;
  /** The items that it has passed on. */
  readonly passed: number;
}

/** How far a pipe is. */
export interface PipeProgress {
  /** The items that were read from the source. */
  readonly read: number;
  /** The items that the sink has accepted, or that were read from the pipe. */
  readonly written: number;
  /** The stages in order. */
  readonly stages: readonly StageProgress[];
}

/**
 * A pipe that runs, from {@link pipe}. It ends with its source, by an error, by its signal or by
 * {@link cancel}; then its threads are gone. The end of its scope cancels what still runs.
 *
 * @example
 * import { pipe } from 'poundlock/ring';
 *
 * const square = (value: number) => value ** 2;
 * await using run = pipe([1, 2, 3], { square });
 * let sum = 0;
 * for await (const value of run) sum += value as number;
 * console.log(sum); // 14
 */
export class PipeRun<Out = unknown> implements AsyncIterable<Out>, AsyncDisposable {
  /**
   * How far the pipe came, once all of it has ended.
   *
   * @throws PipeError with the stage that failed, or the reason of the signal or of {@link cancel}.
   */
  readonly done: Promise<PipeProgress>;
  readonly #plan: Plan;
  readonly #rings: Ring<ItemSchema>[];
  readonly #windows = new Map<number, OrderWindow>();
  readonly #crew: Crew;
  readonly #source: OpenSource;
  readonly #sink: OpenSink | null;
  /** The groups of this thread, by their numbers, and those that run. */
  readonly #local = new Map<number, LocalGroup>();
  readonly #running: Promise<void>[] = [];
  readonly #signal: AbortSignal | undefined;
  #settle!: { resolve: (progress: PipeProgress) => void; reject: (error: unknown) => void };
  #isOver = false;
  readonly #over: Promise<void>;
  #markOver!: () => void;
  #isRead = false;
  readonly #abort = (): void => this.#end(this.#signal!.reason);

  /** @internal */
  constructor(
    plan: Plan,
    source: PipeSource<unknown>,
    sink: PipeSink<never> | undefined,
    signal: AbortSignal | undefined,
  ) {
    this.#plan = plan;
    this.#signal = signal;
    this.done = new Promise((resolve, reject) => void (this.#settle = { resolve, reject }));
    this.#over = new Promise((resolve) => void (this.#markOver = resolve));
    this.#crew = new Crew((stage, number, error) => this.#fail(stage, number, error));
    this.#source = openSource(source);
    this.#sink =
      sink === undefined ? null : openSink(sink, (error) => this.#fail('sink', null, error));
    this.#rings = this.#createRings();
    signal?.addEventListener('abort', this.#abort);
    if (signal?.aborted === true) this.#end(signal.reason);
    else this.#start();
  }

  /** What the pipe consists of, for `poundlock check`. */
  describe(): PipeTopology {
    return topologyOf(this.#plan);
  }

  /** How far the pipe is now. */
  progress(): PipeProgress {
    const { groups } = this.#plan;
    const stages = groups.flatMap(({ stages: names, workers }, at) =>
      names.length === 0 ? [] : [{ stage: names.join(', '), workers, ...this.#countsOf(at) }],
    );
    const written = this.#countsOf(groups.length - 1).passed;
    return { read: this.#countsOf(0).taken, written, stages };
  }

  /** Ends the pipe and waits until its threads are gone; {@link done} is rejected with `reason`. */
  async cancel(
    reason: unknown = new DOMException('The pipe was canceled', 'AbortError'),
  ): Promise<void> {
    // Who cancels a pipe knows that it has ended.
    const over = this.done.catch(() => {});
    this.#end(reason);
    await over;
  }

  /** The items of a pipe without a sink, once. Leaving the loop early cancels the pipe. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Out, void, void> {
    if (this.#sink !== null || this.#isRead) {
      throw new InputError('the items of a pipe are read once, and only where it has no sink');
    }
    this.#isRead = true;
    // The loop throws what `done` does.
    this.done.catch(() => {});
    const last = this.#plan.groups.length - 1;
    let hasEnded = false;
    try {
      yield* (this.#local.get(last)?.results() ?? []) as AsyncIterable<Out>;
      hasEnded = true;
    } catch (error) {
      await this.#groupFailed(last, error);
      hasEnded = true;
    } finally {
      if (!hasEnded) await this.cancel();
    }
    await this.#finish();
    await this.done;
  }

  /** The end of the scope: cancels what has not ended, and waits until its threads are gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver) await this.done.catch(() => {});
    else await this.cancel();
  }

  #createRings(): Ring<ItemSchema>[] {
    const { name, bytes, groups, links } = this.#plan;
    const workers = groups.reduce((sum, group) => sum + group.workers, 0);
    return links.map(({ depth, producers, consumers }, at) => {
      const [from, to] = [nameOf(groups, at), nameOf(groups, at + 1)];
      return createRing({
        name: `${name} ${from} → ${to}`,
        schema: itemSchema(bytes),
        stages: depth,
        producers,
        consumers,
        threads: workers + 1,
        // A source may be slow for any time; deaths end the waits.
        timeoutMs: Infinity,
      });
    });
  }

  #start(): void {
    const { groups, links } = this.#plan;
    for (const [at, { workers, isOrdered }] of groups.entries()) {
      if (isOrdered) this.#windows.set(at, new OrderWindow(links[at - 1]!.depth + workers));
    }
    const last = groups.length - 1;
    for (const [at, { workers }] of groups.entries()) {
      if (workers > 0) this.#startWorkers(at);
      else this.#local.set(at, this.#groupAt(at));
    }
    for (const [at, group] of this.#local) {
      if (at < last || this.#sink !== null) this.#running.push(this.#run(at, group));
    }
    if (this.#sink !== null) void this.#finish();
  }

  #startWorkers(at: number): void {
    const { workers, isOrdered, work } = this.#plan.groups[at]!;
    const { name, work: url } = work[0]!;
    const common = { pipe: this.#plan.name, stage: name, module: String(url as URL), isOrdered };
    for (let number = 0; number < workers; number++) {
      const role = `${name} ${number}`;
      const [from, to] = [this.#rings[at - 1]!, this.#rings[at]!];
      const rings = { from: from.transfer(role), to: to.transfer(role) };
      this.#crew.start({ ...common, ...rings }, number);
    }
  }

  #groupAt(at: number): LocalGroup {
    return new LocalGroup({
      pipe: this.#plan.name,
      group: this.#plan.groups[at]!,
      source: this.#source,
      from: this.#rings[at - 1],
      to: this.#rings[at],
      orderBefore: this.#windows.get(at - 1),
      orderAfter: this.#windows.get(at + 1),
      isOver: () => this.#isOver,
    });
  }

  /** Everything on this thread has ended: so do the threads, unless the pipe has failed. */
  async #finish(): Promise<void> {
    await Promise.all(this.#running);
    await this.#crew.ended();
    await this.#stop(() => this.#settle.resolve(this.progress()));
  }

  /** Ends what is left, once, and settles {@link done}. */
  async #stop(settle: () => void): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#markOver();
    this.#signal?.removeEventListener('abort', this.#abort);
    await this.#crew.stop();
    settle();
  }

  #fail(stage: string, worker: number | null, error: unknown): void {
    if (!this.#isOver) this.#end(new PipeError(this.#plan.name, stage, worker, error));
  }

  /** Ends the pipe before its source: every wait of every thread ends. */
  #end(reason: unknown): void {
    if (this.#isOver) return;
    const cause = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
    for (const ring of this.#rings) ring.poison(cause, this.#plan.name);
    for (const window of this.#windows.values()) window.open();
    this.#sink?.abort(reason);
    const ending = Promise.all([
      withinMs(this.#source.cancel(reason), SOURCE_END_MS),
      withinMs(Promise.all(this.#running), STAGE_END_MS),
    ]);
    void this.#stop(() => void ending.then(() => this.#settle.reject(reason)));
  }

  async #run(at: number, group: LocalGroup): Promise<void> {
    const isLast = at === this.#plan.groups.length - 1;
    try {
      await (isLast ? group.writeTo(this.#sink!) : group.writeToRing());
    } catch (error) {
      await this.#groupFailed(at, error);
    }
  }

  /** What a group on this thread has thrown is the failure of the pipe, or a result of one. */
  async #groupFailed(at: number, error: unknown): Promise<void> {
    if (error instanceof RingPoisoned) {
      // The thread that failed reports the error itself, unless it could not any more.
      await withinMs(this.#over, CAUSE_MS);
      this.#fail(error.role, null, error);
    } else if (error instanceof PipeError) this.#fail(error.stage, null, error.cause);
    else if (!(error instanceof RingClosed)) this.#fail(nameOf(this.#plan.groups, at), null, error);
  }

  #countsOf(at: number): { readonly taken: number; readonly passed: number } {
    const { workers } = this.#plan.groups[at]!;
    if (workers === 0) {
      const { taken = 0, passed = 0 } = this.#local.get(at) ?? {};
      return { taken, passed };
    }
    const { consumed } = this.#rings[at - 1]!.items();
    const { produced } = this.#rings[at]!.items();
    return { taken: consumed, passed: produced - (this.#windows.get(at)?.skipped ?? 0) };
  }
}
