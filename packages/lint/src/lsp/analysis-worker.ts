// The analysis of the language server, in a worker thread because the compiler's API is
// synchronous. Edits are analyzed file by file; after an idle period, everything is analyzed again.
import { LiveLint, type LintOptions, type LocatedFinding } from '../index.ts';
import { LiveSeven } from '../typescript/live-seven.ts';
import type { WorkerRequest, AnalysisReport } from './worker-protocol.ts';

/** The configuration of a file. */
export interface FileSettings {
  /** Files with equal keys are analyzed together. */
  readonly key: string;
  readonly options: LintOptions;
  /** Removes the findings of the baseline. */
  readonly select: (findings: readonly LocatedFinding[]) => readonly LocatedFinding[];
}

export interface AnalysisHost {
  readonly root: string;
  /** The next request, if one is queued. */
  readonly take: () => WorkerRequest | undefined;
  /** Resolves when there is a request, or after so many milliseconds. */
  readonly wait: (ms: number | undefined) => Promise<void>;
  readonly send: (report: AnalysisReport) => void;
  /** Rejects for an invalid configuration. */
  readonly settingsOf: (path: string) => Promise<FileSettings>;
  /** Milliseconds since some start. */
  readonly now: () => number;
  /** Called when no work is left, for example to collect garbage. */
  readonly onIdle: () => void;
}

/** The idle period before everything is analyzed again. */
export const IDLE_MS = 500;

/** The number of checkpoints between two looks for new requests. */
const RECEIVE_EVERY = 32;

/** Cancels the analysis when a newer request has arrived. */
class Stale extends Error {}

/** The open files of one project with one configuration. */
interface Unit {
  readonly project: string;
  readonly settings: FileSettings;
  readonly lint: LiveLint;
  readonly open: Set<string>;
  /** The time of the next full analysis; `undefined` when nothing has changed. */
  due: number | undefined;
  hasSettled: boolean;
}

interface Buffer {
  readonly text: string;
  readonly version: number;
}

/**
 * Processes requests until a stop request.
 *
 * @throws the compiler's error when its process has died; start another worker then.
 */
export async function runWorker(host: AnalysisHost): Promise<void> {
  const worker = new AnalysisWorker(host);
  try {
    while (await worker.step());
  } finally {
    worker.close();
  }
}

class AnalysisWorker {
  readonly #host: AnalysisHost;
  readonly #buffers = new Map<string, Buffer>();
  readonly #units = new Map<string, Unit>();
  readonly #unitOf = new Map<string, Unit>();
  readonly #inbox: WorkerRequest[] = [];
  readonly #typed = new Set<string>();
  readonly #live: LiveSeven;
  #isUninterruptible = false;
  #checkpoints = 0;

  constructor(host: AnalysisHost) {
    this.#host = host;
    this.#live = new LiveSeven(host.root, (path) => this.#buffers.get(path)?.text);
  }

  close(): void {
    this.#live.close();
  }

  /** Performs the most urgent task; `false` after a stop request. */
  async step(): Promise<boolean> {
    this.#receive();
    if (this.#inbox.some(({ kind }) => kind === 'stop')) return false;
    this.#applyRequests();
    const [typed] = this.#typed;
    if (typed !== undefined) {
      this.#typed.delete(typed);
      await this.#untilStale(() => this.#follow(typed));
      return true;
    }
    const { now, wait } = this.#host;
    const [next] = [...this.#units.values()]
      .filter(({ due }) => due !== undefined)
      .sort((a, b) => a.due! - b.due!);
    if (next !== undefined && next.due! <= now()) {
      next.due = now() + IDLE_MS;
      await this.#untilStale(() => this.#settle(next));
    } else await wait(next?.due === undefined ? undefined : next.due - now());
    return true;
  }

  #receive(): void {
    for (let request = this.#host.take(); request !== undefined; request = this.#host.take()) {
      this.#inbox.push(request);
    }
  }

  /** Applies all queued requests, so that ten keystrokes are one change. */
  #applyRequests(): void {
    const changed = new Set<string>();
    for (const request of this.#inbox.splice(0)) {
      if (request.kind === 'buffer') {
        this.#buffers.set(request.path, request);
        this.#typed.add(request.path);
        changed.add(request.path);
      } else if (request.kind === 'close') {
        this.#forget(request.path);
        changed.add(request.path);
      } else if (request.kind === 'files') {
        this.#live.change(request.changes);
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

  /** The unit of an open file; created if it is new. */
  async #unit(path: string): Promise<Unit | undefined> {
    const current = this.#unitOf.get(path);
    if (current !== undefined) return current;
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

  /** Analyzes the edited file with the known results of the others. */
  async #follow(path: string): Promise<void> {
    const unit = await this.#unit(path);
    const buffer = this.#buffers.get(path);
    if (unit === undefined || buffer === undefined) return;
    if (!unit.hasSettled) return this.#settle(unit);
    const program = this.#live.program(unit.project, [...unit.open]);
    const findings = program && this.#uninterrupted(() => unit.lint.follow(program, path));
    // The findings of other files may have changed, too: analyze them later.
    unit.due = this.#host.now() + (findings === undefined ? 0 : IDLE_MS);
    if (findings !== undefined) this.#publish(unit, path, findings, false);
  }

  /** Analyzes everything; canceled by newer requests unless it is the first analysis. */
  #settle(unit: Unit): void {
    const requested = [...unit.open];
    for (const path of requested) this.#typed.delete(path);
    this.#live.forgetAnswers(unit.project);
    const program = this.#live.program(unit.project, requested);
    if (program === undefined) return;
    const work = (): Map<string, LocatedFinding[]> => unit.lint.settle(program);
    const byPath = unit.hasSettled ? work() : this.#uninterrupted(work);
    unit.due = undefined;
    unit.hasSettled = true;
    for (const [path, findings] of byPath) this.#publish(unit, path, findings, true);
    this.#receive();
    if (this.#inbox.length === 0) this.#host.onIdle();
  }

  async #untilStale(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
    }
  }

  #publish(
    unit: Unit,
    path: string,
    findings: readonly LocatedFinding[],
    isSettled: boolean,
  ): void {
    const version = this.#buffers.get(path)?.version;
    if (version === undefined) return;
    const selected = unit.settings.select(findings);
    const hovers = unit.lint.hovers(path);
    this.#host.send({ kind: 'found', path, version, findings: selected, hovers, isSettled });
  }

  #uninterrupted<T>(work: () => T): T {
    this.#isUninterruptible = true;
    try {
      return work();
    } finally {
      this.#isUninterruptible = false;
    }
  }

  readonly #checkpoint = (): void => {
    if (++this.#checkpoints % RECEIVE_EVERY !== 0) return;
    this.#receive();
    const isUrgent = this.#inbox.some(({ kind }) => !this.#isUninterruptible || kind === 'stop');
    if (isUrgent) throw new Stale();
  };

  #failed(path: string, error: unknown): void {
    if (error instanceof Stale || !this.#live.isAlive()) throw error;
    const message = error instanceof Error ? error.message : String(error);
    this.#host.send({ kind: 'failed', path, message: `internal error: ${message}` });
  }
}

function keyOf(project: string, { key }: FileSettings): string {
  return `${project}\n${key}`;
}
