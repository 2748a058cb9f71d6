// Debug mode: every acquire has a handle of its own, which knows its lines and dies at the release.
import type { ViewType } from '../../core/src/base/index.ts';
import { RingMisuse } from './errors.ts';
import type { Data, Schema } from './schema.ts';
import { here, saidOf, Sites } from './call-sites.ts';
import type { RingStage } from './tile.ts';

type Leaked = (stage: number, line: string) => void;

/** What is known of one acquire. */
class Life {
  readonly stage: number;
  readonly guard: Guard;
  readonly line: string;
  readonly isSure: boolean;
  /** `null` while it is held. */
  releasedAt: string | null = null;
  wasSure = true;

  constructor(stage: number, guard: Guard, acquires: Sites) {
    this.stage = stage;
    this.guard = guard;
    this.line = acquires.line;
    this.isSure = acquires.isSure;
  }

  /** Throws once the stage was given up. */
  require(use: string): void {
    if (this.releasedAt !== null) this.#refuse('use-after-release', `used (${use})`);
  }

  end(): void {
    if (this.releasedAt !== null) this.#refuse('double-release', 'released again');
    this.guard.released(this);
  }

  #refuse(rule: 'use-after-release' | 'double-release', what: string): never {
    throw new RingMisuse(
      rule,
      `stage ${this.stage} of ring ${this.guard.ring} is ${what} at ${here()}: ` +
        `it was acquired at ${saidOf(this.line, this.isSure)} ` +
        `and released at ${saidOf(this.releasedAt!, this.wasSure)}`,
    );
  }
}

// One for all guards: a registry that is collected itself tells nothing.
const LOST = new FinalizationRegistry<{ life: Life; leaked: Leaked }>(({ life, leaked }) => {
  if (life.releasedAt === null) leaked(life.stage, life.line);
});

/** The face of a {@link RingStage} for one acquire. */
class GuardedTile<S extends Schema> implements Pick<RingStage<S>, keyof RingStage<S>> {
  readonly index: number;
  readonly #tile: RingStage<S>;
  readonly life: Life;

  constructor(tile: RingStage<S>, life: Life) {
    this.index = tile.index;
    this.#tile = tile;
    this.life = life;
  }

  get bytes(): Uint8Array<SharedArrayBuffer> {
    this.life.require('bytes');
    return this.#tile.bytes;
  }

  get data(): Data<S> {
    this.life.require('data');
    return this.#tile.data;
  }

  view<T extends ViewType>(type: T): InstanceType<T> {
    this.life.require('view');
    return this.#tile.view(type);
  }

  get length(): number {
    this.life.require('length');
    return this.#tile.length;
  }

  set length(bytes: number) {
    this.life.require('length');
    this.#tile.length = bytes;
  }

  fill(value: number): void {
    this.life.require('fill');
    this.#tile.fill(value);
  }

  copyFrom(source: Uint8Array, at?: number): void {
    this.life.require('copyFrom');
    this.#tile.copyFrom(source, at);
  }

  copyTo(target: Uint8Array): void {
    this.life.require('copyTo');
    this.#tile.copyTo(target);
  }

  release(): void {
    this.life.end();
    this.#tile.release();
  }

  cancel(): void {
    this.life.end();
    this.#tile.cancel();
  }

  [Symbol.dispose](): void {
    if (this.life.releasedAt !== null) return;
    this.life.end();
    this.#tile[Symbol.dispose]();
  }
}

/** Guards the handles of one endpoint. */
export class Guard {
  readonly ring: string;
  readonly #leaked: Leaked;
  readonly #acquires = new Sites();
  readonly #releases = new Sites();
  /** Handles that are held and not yet watched: most are released before they could be lost. */
  #unwatched: GuardedTile<Schema>[] = [];
  #willWatch = false;

  /** `leaked` is told of a handle that was collected without a release. */
  constructor(ring: string, leaked: Leaked) {
    this.ring = ring;
    this.#leaked = leaked;
  }

  /** Notes an acquire. The line that acquires, where it is another than before; else `null`. */
  newLine(): string | null {
    return this.#acquires.note() ? this.#acquires.line : null;
  }

  /** A handle of `tile` for the acquire that was noted last. */
  handle<S extends Schema>(tile: RingStage<S>): RingStage<S> {
    const handle = new GuardedTile(tile, new Life(tile.index, this, this.#acquires));
    this.#unwatched.push(handle as unknown as GuardedTile<Schema>);
    if (!this.#willWatch) this.#watchSoon();
    // What a tile keeps to itself, its face has no need of.
    return handle as unknown as RingStage<S>;
  }

  /** A handle of this guard gives its stage up. */
  released(life: Life): void {
    this.#releases.note();
    life.releasedAt = this.#releases.line;
    life.wasSure = this.#releases.isSure;
    const at = this.#unwatched.findLastIndex((handle) => handle.life === life);
    if (at >= 0) this.#unwatched.splice(at, 1);
  }

  /** Handles are collected between two tasks of a thread at the soonest: so long they are kept. */
  #watchSoon(): void {
    this.#willWatch = true;
    queueMicrotask(() => {
      this.#willWatch = false;
      for (const handle of this.#unwatched) {
        LOST.register(handle, { life: handle.life, leaked: this.#leaked });
      }
      this.#unwatched = [];
    });
  }
}
