// The analysis behind the server, in a thread of its own: the compiler answers synchronously.
// Typing is followed file by file; when nothing happens for a while, everything is looked at again.
import type { LintOptions, Told } from '../lint.ts';
import { LiveLint } from '../live.ts';
import { LiveSeven } from '../typescript/live-seven.ts';
import type { AnalysisReport, Order } from './worker-protocol.ts';

/** What a file's configuration says. */
export interface FileSettings {
  /** Files with equal keys are analysed together. */
  readonly key: string;
  readonly options: LintOptions;
  /** Leaves out what a baseline knows. */
  readonly select: (told: readonly Told[]) => readonly Told[];
}

export interface AnalystHost {
  readonly root: string;
  /** The next order, if there is one already. */
  readonly take: () => Order | undefined;
  /** Resolves when there is an order, or after so many milliseconds. */
  readonly wait: (ms: number | undefined) => Promise<void>;
  readonly send: (report: AnalysisReport) => void;
  /** Rejects for a configuration that can not be used. */
  readonly settingsOf: (path: string) => Promise<FileSettings>;
  /** Milliseconds since some start. */
  readonly now: () => number;
  /** Called when everything is done: what it does is in nobody's way. */
  readonly onQuiet: () => void;
}

/** So long nothing may happen before everything is looked at again. */
export const SETTLE_MS = 500;

/** At every so many checkpoints it is looked whether something newer has come. */
const LOOK_EVERY = 32;

/** Thrown through the analysis when there is something newer to do. */
class Stale extends Error {}

/** The open files of one project with one configuration. */
interface Unit {
  readonly project: string;
  readonly settings: FileSettings;
  readonly lint: LiveLint;
  readonly open: Set<string>;
  /** When everything is looked at again; `undefined` when nothing has changed. */
  due: number | undefined;
  hasSettled: boolean;
}

interface Buffer {
  readonly text: string;
  readonly version: number;
}

/**
 * Works off orders until it is told to stop.
 *
 * @throws whatever the compiler throws when it has died: start another analyst then.
 */
export async function analyse(host: AnalystHost): Promise<void> {
  const analyst = new Analyst(host);
  try {
    while (await analyst.step());
  } finally {
    analyst.close();
  }
}

class Analyst {
  readonly #host: AnalystHost;
  readonly #buffers = new Map<string, Buffer>();
  readonly #units = new Map<string, Unit>();
  readonly #unitOf = new Map<string, Unit>();
  readonly #inbox: Order[] = [];
  readonly #typed = new Set<string>();
  readonly #live: LiveSeven;
  #isPatient = false;
  #checkpoints = 0;

  constructor(host: AnalystHost) {
    this.#host = host;
    this.#live = new LiveSeven(host.root, (path) => this.#buffers.get(path)?.text);
  }

  close(): void {
    this.#live.close();
  }

  /** Does the most urgent thing; `false` after an order to stop. */
  async step(): Promise<boolean> {
    this.#receive();
    if (this.#inbox.some(({ kind }) => kind === 'stop')) return false;
    this.#obey();
    const [typed] = this.#typed;
    if (typed !== undefined) {
      this.#typed.delete(typed);
      await this.#untilStale(() => this.#follow(typed));
      return true;
    }
    const { now, wait } = this.#host;
    const [next] = [...this.#units.values()]
      .filter(({ due }) => due !== undefined)
      .sort((one, other) => one.due! - other.due!);
    if (next !== undefined && next.due! <= now()) {
      next.due = now() + SETTLE_MS;
      await this.#untilStale(() => this.#settle(next));
    } else await wait(next?.due === undefined ? undefined : next.due - now());
    return true;
  }

  #receive(): void {
    for (let order = this.#host.take(); order !== undefined; order = this.#host.take()) {
      this.#inbox.push(order);
    }
  }

  /** Takes note of all that has come, so that ten keystrokes are one change. */
  #obey(): void {
    const changed = new Set<string>();
    for (const order of this.#inbox.splice(0)) {
      if (order.kind === 'buffer') {
        this.#buffers.set(order.path, order);
        this.#typed.add(order.path);
        changed.add(order.path);
      } else if (order.kind === 'close') {
        this.#forget(order.path);
        changed.add(order.path);
      } else if (order.kind === 'files') {
        this.#live.change(order.changes);
        for (const unit of this.#units.values()) unit.due = this.#host.now();
      }
    }
    if (changed.size > 0) this.#live.change({ changed: [...changed] });
  }

  #forget(path: string): void {
    const unit = this.#unitOf.get(path);
    this.#buffers.delete(path);
    this.#typed.delete(path);
    this.#unitOf.delete(path);
    this.#live.closeFile(path);
    unit?.open.delete(path);
    if (unit === undefined || unit.open.size > 0) return;
    this.#units.delete(keyOf(unit.project, unit.settings));
    const isShared = [...this.#units.values()].some(({ project }) => project === unit.project);
    if (!isShared) this.#live.closeProject(unit.project);
  }

  /** The unit of an open file, which is enrolled when it is new. */
  async #unit(path: string): Promise<Unit | undefined> {
    const known = this.#unitOf.get(path);
    if (known !== undefined) return known;
    const settings = await this.#settings(path);
    const project = settings && this.#live.open(path);
    if (settings === undefined || project === undefined) return undefined;
    const key = keyOf(project, settings);
    const unit = this.#units.get(key) ?? {
      project,
      settings,
      lint: new LiveLint({
        ...settings.options,
        onCheckpoint: () => this.#checkpoint(),
        onFailure: (file, error) => this.#failed(file, error),
      }),
      open: new Set<string>(),
      due: undefined,
      hasSettled: false,
    };
    unit.open.add(path);
    this.#units.set(key, unit);
    this.#unitOf.set(path, unit);
    return unit;
  }

  async #settings(path: string): Promise<FileSettings | undefined> {
    try {
      return await this.#host.settingsOf(path);
    } catch (error) {
      this.#host.send({ kind: 'failed', path, message: (error as Error).message });
      return undefined;
    }
  }

  /** The file that somebody types in, with what is known of the others. */
  async #follow(path: string): Promise<void> {
    const unit = await this.#unit(path);
    const buffer = this.#buffers.get(path);
    if (unit === undefined || buffer === undefined) return;
    if (!unit.hasSettled) return this.#settle(unit);
    const program = this.#live.program(unit.project, [...unit.open]);
    const told = program && this.#patiently(() => unit.lint.follow(program, path));
    // What others are told may have changed, too: later.
    unit.due = this.#host.now() + (told === undefined ? 0 : SETTLE_MS);
    if (told !== undefined) this.#tell(unit, path, told, false);
  }

  /** Everything; given up for what is newer, unless nothing is known yet. */
  #settle(unit: Unit): void {
    const asked = [...unit.open];
    for (const path of asked) this.#typed.delete(path);
    this.#live.askAgain(unit.project);
    const program = this.#live.program(unit.project, asked);
    if (program === undefined) return;
    const work = (): Map<string, Told[]> => unit.lint.settle(program);
    const found = unit.hasSettled ? work() : this.#patiently(work);
    unit.due = undefined;
    unit.hasSettled = true;
    for (const [path, told] of found) this.#tell(unit, path, told, true);
    this.#receive();
    if (this.#inbox.length === 0) this.#host.onQuiet();
  }

  async #untilStale(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
    }
  }

  #tell(unit: Unit, path: string, told: readonly Told[], isSettled: boolean): void {
    const version = this.#buffers.get(path)?.version;
    if (version === undefined) return;
    const selected = unit.settings.select(told);
    this.#host.send({ kind: 'found', path, version, told: selected, isSettled });
  }

  #patiently<T>(work: () => T): T {
    this.#isPatient = true;
    try {
      return work();
    } finally {
      this.#isPatient = false;
    }
  }

  readonly #checkpoint = (): void => {
    if (++this.#checkpoints % LOOK_EVERY !== 0) return;
    this.#receive();
    const isUrgent = this.#inbox.some(({ kind }) => !this.#isPatient || kind === 'stop');
    if (isUrgent) throw new Stale();
  };

  #failed(path: string, error: unknown): void {
    if (error instanceof Stale || !this.#live.isAlive()) throw error;
    const message = error instanceof Error ? error.message : String(error);
    this.#host.send({ kind: 'failed', path, message: `a bug of ours: ${message}` });
  }
}

function keyOf(project: string, { key }: FileSettings): string {
  return `${project}\n${key}`;
}
