// Tile: an acquired stage, its bytes, and its release.
import type { SharedMemory, ViewType } from '../../core/src/base/index.ts';
import { bulkMemoryOf, type BulkMemory } from './memory.ts';
import type { Data, Schema } from './schema.ts';

/** What a tile needs from the endpoint that acquired it. */
export interface TileOwner {
  /** Releases the tile; throws when it is not held. */
  release: (stage: number) => void;
  /** Returns an unfilled tile; only producers. */
  cancel: (stage: number) => void;
  /** The end of a scope in which the tile was not released. */
  endScope: (tile: { readonly index: number; readonly release: () => void }) => void;
  getLength: (stage: number) => number;
  setLength: (stage: number, bytes: number) => void;
  /** Bytes up to `end` were copied in. */
  growLength: (stage: number, end: number) => void;
  /** Throws: a handle was used, or released, after its release. */
  throwStale: (stage: number, use: string) => never;
}

/** What a slot is for: the handle that holds its stage, or those that have released it. */
type SlotUse = 'held' | 'released' | 'canceled';

/**
 * What the handles of a stage in one endpoint refer to: its views while they hold it, and a slot
 * without views afterwards. All are of one class, which V8 reads fastest.
 */
export class TileSlot<S extends Schema = Schema> {
  readonly index: number;
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  readonly data: Data<S>;
  /** Cached: reading `memory.buffer` takes longer than a small copy. */
  readonly buffer: SharedArrayBuffer;
  readonly bulkMemory: BulkMemory;
  readonly owner: TileOwner;
  /** The slot of a handle after its release; `null` if no handle of this slot holds the stage. */
  afterRelease: TileSlot<S> | null;
  readonly isCanceled: boolean;
  readonly #memory: SharedMemory;
  #views: Map<ViewType, ArrayBufferView> | undefined;
  /** The last requested type, usually the only one, and its view. */
  #type: ViewType | undefined;
  #view: ArrayBufferView | undefined;

  constructor(
    index: number,
    memory: SharedMemory,
    bytes: Uint8Array<SharedArrayBuffer>,
    data: Data<S>,
    owner: TileOwner,
    use: SlotUse = 'held',
  ) {
    this.index = index;
    this.#memory = memory;
    this.buffer = memory.buffer;
    this.bulkMemory = bulkMemoryOf(memory);
    this.bytes = bytes;
    this.data = data;
    this.owner = owner;
    this.isCanceled = use === 'canceled';
    this.afterRelease =
      use === 'held' ? new TileSlot(index, memory, bytes, data, owner, 'released') : null;
  }

  /** The slot of the handle that gives its stage up. */
  canceled(): TileSlot<S> {
    return new TileSlot(this.index, this.#memory, this.bytes, this.data, this.owner, 'canceled');
  }

  view(type: ViewType): ArrayBufferView {
    if (type !== this.#type) {
      this.#view = this.#viewOf(type);
      this.#type = type;
    }
    return this.#view!;
  }

  #viewOf(type: ViewType): ArrayBufferView {
    this.#views ??= new Map();
    let view = this.#views.get(type);
    if (view === undefined) {
      const { buffer, byteOffset, byteLength } = this.bytes;
      const length = Math.floor(byteLength / type.BYTES_PER_ELEMENT);
      view = new type(buffer as unknown as ArrayBuffer, byteOffset, length);
      this.#views.set(type, view);
    }
    return view;
  }
}

/** The use of a handle that passes its stage on. */
export const RELEASE = 'release';

/** The slot of a handle that is used. */
function held<S extends Schema>(slot: TileSlot<S>, use: string): TileSlot<S> {
  if (slot.afterRelease === null) slot.owner.throwStale(slot.index, use);
  return slot;
}

/**
 * A stage that an endpoint holds, from its acquire to its {@link release}. Each acquire returns a
 * handle of its own, and every later use of it throws {@link RingMisuse}; views and arrays that
 * were read from it before are not checked. The option `debug` also names the source lines.
 *
 * @mustRelease release | cancel | [Symbol.dispose]
 * @scopeAfterRelease
 *
 * @example
 * import { createRing } from 'poundlock/ring';
 *
 * const ring = createRing({ stages: 2, schema: { id: 'i32', samples: ['f32', 4] } });
 * const stage = ring.producer().acquireSync();
 * stage.data.id = 1;
 * stage.data.samples.set([1, 2, 3, 4]);
 * stage.release();
 * console.log(ring.consumer().acquireSync()?.data.samples[3]); // 4
 */
export class RingStage<S extends Schema = Schema> implements Disposable {
  #slot: TileSlot<S>;

  /** @internal */
  constructor(slot: TileSlot<S>) {
    this.#slot = slot;
  }

  /** The number of the stage, from 0. */
  get index(): number {
    return this.#slot.index;
  }

  /** The whole payload, in place. */
  get bytes(): Uint8Array<SharedArrayBuffer> {
    return held(this.#slot, 'bytes').bytes;
  }

  /** The fields of the schema, in place. */
  get data(): Data<S> {
    return held(this.#slot, 'data').data;
  }

  /**
   * Whether the stage was neither released nor given up by this handle.
   *
   * @internal
   */
  get isCurrent(): boolean {
    return this.#slot.afterRelease !== null;
  }

  /**
   * Whether the stage was given up by this handle.
   *
   * @internal
   */
  get isCanceled(): boolean {
    return this.#slot.isCanceled;
  }

  /**
   * Ends the life of this handle, whose stage is released together with others.
   *
   * @internal
   */
  endLife(): void {
    this.#slot = held(this.#slot, RELEASE).afterRelease!;
  }

  /** The payload as another typed array; created once for each type. */
  view<T extends ViewType>(type: T): InstanceType<T> {
    return held(this.#slot, 'view').view(type) as InstanceType<T>;
  }

  /** The used bytes of the payload: the whole payload unless the producer sets it. */
  get length(): number {
    const { owner, index } = held(this.#slot, 'length');
    return owner.getLength(index);
  }

  /** For producers: how many bytes of the payload mean something. */
  set length(bytes: number) {
    const { owner, index } = held(this.#slot, 'length');
    owner.setLength(index, bytes);
  }

  /** Fills the payload with one byte. */
  fill(value: number): void {
    const { bytes, bulkMemory } = held(this.#slot, 'fill');
    bulkMemory.fill(bytes.byteOffset, value, bytes.byteLength);
  }

  /**
   * For producers: copies into the payload, from byte `at` on; fastest from {@link
   * RingEndpoint.scratch}. {@link length} becomes the end of the copied bytes, or of the last of
   * several copies.
   */
  copyFrom(source: Uint8Array, at = 0): void {
    const { bytes, buffer, bulkMemory, owner, index } = held(this.#slot, 'copyFrom');
    const { byteOffset, byteLength } = source;
    requireRoom(bytes.byteLength, at, byteLength);
    owner.growLength(index, at + byteLength);
    if (source.buffer !== buffer) bytes.set(source, at);
    else bulkMemory.copy(bytes.byteOffset + at, byteOffset, byteLength);
  }

  /**
   * The used bytes in memory of their own, for functions that refuse shared memory: those of the
   * Web (`TextDecoder`, `fetch`, `crypto.subtle`, `ImageData`, …), and for later use.
   *
   * @example
   * import { createRing } from 'poundlock/ring';
   *
   * const ring = createRing({ stages: 2, bytes: 64 });
   * const stage = ring.producer().acquireSync();
   * stage.copyFrom(new TextEncoder().encode('hello'));
   * stage.release();
   * console.log(new TextDecoder().decode(ring.consumer().acquireSync()?.copy())); // hello
   */
  copy(): Uint8Array<ArrayBuffer> {
    const copied = new Uint8Array(this.length);
    this.copyTo(copied);
    return copied;
  }

  /** Copies the used bytes out, as many as fit; fastest into {@link RingEndpoint.scratch}. */
  copyTo(target: Uint8Array): void {
    const slot = held(this.#slot, 'copyTo');
    const bytes = Math.min(slot.owner.getLength(slot.index), target.byteLength);
    if (target.buffer === slot.buffer) {
      slot.bulkMemory.copy(target.byteOffset, slot.bytes.byteOffset, bytes);
    } else if (bytes === slot.bytes.byteLength) target.set(slot.bytes);
    else target.set(slot.bytes.subarray(0, bytes));
  }

  /**
   * Passes the stage on: a producer to the consumers, a consumer back. It must be called exactly
   * once.
   *
   * @throws RingMisuse if the stage was released before.
   */
  release(): void {
    const slot = held(this.#slot, RELEASE);
    this.#slot = slot.afterRelease!;
    slot.owner.release(slot.index);
  }

  /** For producers: gives up the stage. No consumer sees it. */
  cancel(): void {
    const slot = held(this.#slot, RELEASE);
    slot.owner.cancel(slot.index);
    this.#slot = slot.canceled();
  }

  /**
   * The end of a scope. A consumer's stage is released. If a producer's stage was not released,
   * the ring is poisoned, since an exception may have ended the scope.
   */
  [Symbol.dispose](): void {
    if (this.isCurrent) this.#slot.owner.endScope(this);
  }
}

function requireRoom(room: number, at: number, bytes: number): void {
  if (Number.isInteger(at) && at >= 0 && at + bytes <= room) return;
  throw new RangeError(`${bytes} bytes from byte ${at} on do not fit into a tile of ${room}`);
}
