// Tile: an acquired stage, its bytes, and its release.
import type { SharedMemory, ViewType } from '../../core/src/base/index.ts';
import { bulkMemoryOf, type BulkMemory } from './memory.ts';
import type { Data, Schema } from './schema.ts';

/** What a tile needs from the endpoint that holds it. */
export interface TileOwner {
  /** Releases the tile; throws when it is not held. */
  release: (stage: number) => void;
  /** Returns an unfilled tile; only producers. */
  cancel: (stage: number) => void;
  /** The end of a scope. */
  endScope: (stage: number) => void;
  getLength: (stage: number) => number;
  setLength: (stage: number, bytes: number) => void;
  /** Bytes up to `end` were copied in. */
  growLength: (stage: number, end: number) => void;
}

/**
 * A stage that an endpoint holds. There is one object for each stage and endpoint: after {@link
 * release} it must not be used until it is acquired again. With the option `debug`, each acquire
 * has an object of its own, and every use after the release throws.
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
  /** The number of the stage, from 0. */
  readonly index: number;
  /** The whole payload, in place. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** The fields of the schema, in place. */
  readonly data: Data<S>;
  /** Cached: reading `memory.buffer` takes longer than a small copy. */
  readonly #buffer: SharedArrayBuffer;
  readonly #bulkMemory: BulkMemory;
  readonly #owner: TileOwner;
  #views: Map<ViewType, ArrayBufferView> | undefined;
  /** The last requested type, usually the only one, and its view. */
  #type: ViewType | undefined;
  #view: ArrayBufferView | undefined;

  /** @internal */
  constructor(
    index: number,
    memory: SharedMemory,
    at: number,
    bytes: number,
    data: Data<S>,
    owner: TileOwner,
  ) {
    this.index = index;
    this.#buffer = memory.buffer;
    this.#bulkMemory = bulkMemoryOf(memory);
    this.bytes = new Uint8Array(this.#buffer, at, bytes);
    this.data = data;
    this.#owner = owner;
  }

  /** The payload as another typed array; created once for each type. */
  view<T extends ViewType>(type: T): InstanceType<T> {
    if (type !== this.#type) {
      this.#view = this.#viewOf(type);
      this.#type = type;
    }
    return this.#view as InstanceType<T>;
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

  /** The used bytes of the payload: the whole payload unless the producer sets it. */
  get length(): number {
    return this.#owner.getLength(this.index);
  }

  /** For producers: how many bytes of the payload mean something. */
  set length(bytes: number) {
    this.#owner.setLength(this.index, bytes);
  }

  /** Fills the payload with one byte. */
  fill(value: number): void {
    this.#bulkMemory.fill(this.bytes.byteOffset, value, this.bytes.byteLength);
  }

  /**
   * For producers: copies into the payload, from byte `at` on; fastest from {@link
   * RingEndpoint.scratch}. {@link length} becomes the end of the copied bytes, or of the last of
   * several copies.
   */
  copyFrom(source: Uint8Array, at = 0): void {
    const { byteOffset, byteLength } = source;
    this.#requireRoom(at, byteLength);
    this.#owner.growLength(this.index, at + byteLength);
    if (source.buffer !== this.#buffer) this.bytes.set(source, at);
    else this.#bulkMemory.copy(this.bytes.byteOffset + at, byteOffset, byteLength);
  }

  #requireRoom(at: number, bytes: number): void {
    const room = this.bytes.byteLength;
    if (Number.isInteger(at) && at >= 0 && at + bytes <= room) return;
    throw new RangeError(`${bytes} bytes from byte ${at} on do not fit into a tile of ${room}`);
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
    const bytes = Math.min(this.length, target.byteLength);
    if (target.buffer === this.#buffer) {
      this.#bulkMemory.copy(target.byteOffset, this.bytes.byteOffset, bytes);
    } else if (bytes === this.bytes.byteLength) target.set(this.bytes);
    else target.set(this.bytes.subarray(0, bytes));
  }

  /**
   * Passes the stage on: a producer to the consumers, a consumer back. It must be called exactly
   * once.
   *
   * @throws RingMisuse if the endpoint does not hold the stage.
   */
  release(): void {
    this.#owner.release(this.index);
  }

  /** For producers: gives up the stage. No consumer sees it. */
  cancel(): void {
    this.#owner.cancel(this.index);
  }

  /**
   * The end of a scope. A consumer's stage is released. If a producer's stage was not released,
   * the ring is poisoned, since an exception may have ended the scope.
   */
  [Symbol.dispose](): void {
    this.#owner.endScope(this.index);
  }
}
