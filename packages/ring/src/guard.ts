// Debug mode: every acquire returns a new handle that reports double release, later use and leaks.
import type { ViewType } from '../../core/src/base/index.ts';
import { RingMisuse } from './errors.ts';
import type { Data, Schema } from './schema.ts';
import { currentLine, formatCallSite, CallSites } from './call-sites.ts';
import type { RingStage } from './tile.ts';

type OnLeak = (stage: number, line: string) => void;

/** The call sites and the state of one acquire. */
class AcquireRecord {
  readonly stage: number;
  readonly guard: HandleGuard;
  readonly line: string;
  readonly isExact: boolean;
  /** `null` while the stage is held. */
  releasedAt: string | null = null;
  isReleaseExact = true;

  constructor(stage: number, guard: HandleGuard, acquires: CallSites) {
    this.stage = stage;
    this.guard = guard;
    this.line = acquires.line;
    this.isExact = acquires.isExact;
  }

  /** Throws if the stage was released. */
  require(use: string): void {
    if (this.releasedAt !== null) this.#throwMisuse('use-after-release', `used (${use})`);
  }

  end(): void {
    if (this.releasedAt !== null) this.#throwMisuse('double-release', 'released again');
    this.guard.recordRelease(this);
  }

  #throwMisuse(rule: 'use-after-release' | 'double-release', what: string): never {
    throw new RingMisuse(
      rule,
      `stage ${this.stage} of ring ${this.guard.ring} is ${what} at ${currentLine()}: ` +
        `it was acquired at ${formatCallSite(this.line, this.isExact)} ` +
        `and released at ${formatCallSite(this.releasedAt!, this.isReleaseExact)}`,
    );
  }
}

// One for all guards: a registry that is itself collected reports nothing.
const LEAKS = new FinalizationRegistry<{ life: AcquireRecord; leaked: OnLeak }>(
  ({ life, leaked }) => {
    if (life.releasedAt === null) leaked(life.stage, life.line);
  },
);

/** The face of a {@link RingStage} for one acquire. */
class GuardedTile<S extends Schema> implements Pick<RingStage<S>, keyof RingStage<S>> {
  readonly index: number;
  readonly #tile: RingStage<S>;
  readonly record: AcquireRecord;

  constructor(tile: RingStage<S>, record: AcquireRecord) {
    this.index = tile.index;
    this.#tile = tile;
    this.record = record;
  }

  get bytes(): Uint8Array<SharedArrayBuffer> {
    this.record.require('bytes');
    return this.#tile.bytes;
  }

  get data(): Data<S> {
    this.record.require('data');
    return this.#tile.data;
  }

  view<T extends ViewType>(type: T): InstanceType<T> {
    this.record.require('view');
    return this.#tile.view(type);
  }

  get length(): number {
    this.record.require('length');
    return this.#tile.length;
  }

  set length(bytes: number) {
    this.record.require('length');
    this.#tile.length = bytes;
  }

  fill(value: number): void {
    this.record.require('fill');
    this.#tile.fill(value);
  }

  copyFrom(source: Uint8Array, at?: number): void {
    this.record.require('copyFrom');
    this.#tile.copyFrom(source, at);
  }

  copyTo(target: Uint8Array): void {
    this.record.require('copyTo');
    this.#tile.copyTo(target);
  }

  copy(): Uint8Array<ArrayBuffer> {
    this.record.require('copy');
    return this.#tile.copy();
  }

  get isCurrent(): boolean {
    return this.#tile.isCurrent;
  }

  get isCanceled(): boolean {
    return this.#tile.isCanceled;
  }

  endLife(): void {
    this.#tile.endLife();
  }

  release(): void {
    this.record.end();
    this.#tile.release();
  }

  cancel(): void {
    this.record.end();
    this.#tile.cancel();
  }

  [Symbol.dispose](): void {
    if (this.record.releasedAt !== null) return;
    this.record.end();
    this.#tile[Symbol.dispose]();
  }
}

/** Creates and watches the handles of one endpoint. */
export class HandleGuard {
  readonly ring: string;
  readonly #onLeak: OnLeak;
  readonly #acquires = new CallSites();
  readonly #releases = new CallSites();
  /** Handles that are held and not yet watched: most are released before a collection. */
  #unwatched: GuardedTile<Schema>[] = [];
  #willWatch = false;

  /** `onLeak` is called for a handle that was collected without a release. */
  constructor(ring: string, onLeak: OnLeak) {
    this.ring = ring;
    this.#onLeak = onLeak;
  }

  /** Records an acquire. Returns its line if that has changed, else `null`. */
  recordAcquire(): string | null {
    return this.#acquires.record() ? this.#acquires.line : null;
  }

  /** A handle of `tile` for the acquire that was noted last. */
  handle<S extends Schema>(tile: RingStage<S>): RingStage<S> {
    const handle = new GuardedTile(tile, new AcquireRecord(tile.index, this, this.#acquires));
    this.#unwatched.push(handle as unknown as GuardedTile<Schema>);
    if (!this.#willWatch) this.#watchSoon();
    // What a tile keeps to itself, its face has no need of.
    return handle as unknown as RingStage<S>;
  }

  /** Records the release of a handle of this guard. */
  recordRelease(record: AcquireRecord): void {
    this.#releases.record();
    record.releasedAt = this.#releases.line;
    record.isReleaseExact = this.#releases.isExact;
    const at = this.#unwatched.findLastIndex((handle) => handle.record === record);
    if (at >= 0) this.#unwatched.splice(at, 1);
  }

  /** Registers held handles at the end of the task: no collection happens before. */
  #watchSoon(): void {
    this.#willWatch = true;
    queueMicrotask(() => {
      this.#willWatch = false;
      for (const handle of this.#unwatched) {
        LEAKS.register(handle, { life: handle.record, leaked: this.#onLeak });
      }
      this.#unwatched = [];
    });
  }
}
