// Items as the bytes of a stage, and back: bytes, text, numbers, and what can be cloned.
import { InputError } from '../../../core/src/base/index.ts';
import { builtinModule } from '../platform.ts';
import type { RingStage } from '../tile.ts';

/** How an item lies in its stage. `none`: an item without a result, where order is preserved. */
const Kind = { none: 0, bytes: 1, buffer: 2, text: 3, number: 4, clone: 5, json: 6 } as const;
type Kind = (typeof Kind)[keyof typeof Kind];

/** The payload of the rings of a pipe: the number and the kind of an item, and its bytes. */
export interface ItemSchema extends Readonly<
  Record<string, 'f64' | 'i32' | readonly ['u8', number]>
> {
  /** Its place in the order of the source; a number itself, if the item is one. */
  readonly order: 'f64';
  readonly number: 'f64';
  readonly kind: 'i32';
  readonly size: 'i32';
  readonly bytes: readonly ['u8', number];
}

export type ItemTile = RingStage<ItemSchema>;

/** The schema of items with at most so many bytes. */
export function itemSchema(bytes: number): ItemSchema {
  return { order: 'f64', number: 'f64', kind: 'i32', size: 'i32', bytes: ['u8', bytes] };
}

/** The result of a stage that has none for an item. */
export const NO_RESULT = Symbol('no result');

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const v8 = builtinModule('node:v8');

interface BufferApi {
  readonly isBuffer: (value: unknown) => boolean;
  readonly from: (buffer: ArrayBuffer) => Uint8Array;
}
const { Buffer } = globalThis as unknown as { Buffer?: BufferApi };

/** Writes an item into a stage, which is released afterwards. */
export function writeItem(tile: ItemTile, item: unknown, order: number): void {
  const { data } = tile;
  data.order = order;
  if (typeof item === 'number') {
    data.kind = Kind.number;
    data.number = item;
    return;
  }
  const [kind, bytes] = encode(item);
  const room = data.bytes;
  if (bytes.byteLength > room.length) {
    throw new InputError(
      `an item of ${bytes.byteLength} bytes does not fit into a stage of ${room.length}: ` +
        `set the option bytes of the pipe`,
    );
  }
  room.set(bytes);
  data.kind = kind;
  data.size = bytes.byteLength;
}

const EMPTY = new Uint8Array();

function encode(item: unknown): [kind: Kind, bytes: Uint8Array] {
  if (item === NO_RESULT) return [Kind.none, EMPTY];
  if (Buffer?.isBuffer(item) === true) return [Kind.buffer, item as Uint8Array];
  // A subclass of its own would not arrive as one.
  if (item instanceof Uint8Array && item.constructor === Uint8Array) return [Kind.bytes, item];
  if (typeof item === 'string' && isWellFormed(item)) return [Kind.text, encoder.encode(item)];
  if (v8 !== undefined) return [Kind.clone, v8.serialize(item)];
  return [Kind.json, encoder.encode(strictJson(item))];
}

/** Half of a surrogate pair has no encoding in UTF-8. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** The JSON of a value, which becomes an equal value again. */
function strictJson(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key: string): unknown {
    const each = this[key];
    const isPlain =
      each === null ||
      typeof each === 'string' ||
      typeof each === 'boolean' ||
      (typeof each === 'number' && Number.isFinite(each) && !Object.is(each, -0)) ||
      Array.isArray(each) ||
      (typeof each === 'object' && Object.getPrototypeOf(each) === Object.prototype);
    if (isPlain) return each;
    throw new InputError(
      `an item of a pipe has ${String(each)} at ${key}, which JSON has no form of`,
    );
  });
}

/** The item of a stage, in memory of its own. */
export function readItem({ data }: ItemTile): unknown {
  const kind = data.kind as Kind;
  if (kind === Kind.number) return data.number;
  if (kind === Kind.none) return NO_RESULT;
  const bytes = new Uint8Array(data.bytes.subarray(0, data.size));
  return DECODERS[kind](bytes);
}

const DECODERS = {
  [Kind.bytes]: (bytes) => bytes,
  [Kind.buffer]: (bytes) => Buffer?.from(bytes.buffer) ?? bytes,
  [Kind.text]: (bytes) => decoder.decode(bytes),
  [Kind.clone]: (bytes) => v8!.deserialize(bytes),
  [Kind.json]: (bytes) => JSON.parse(decoder.decode(bytes)) as unknown,
} satisfies Record<Exclude<Kind, 0 | 4>, (bytes: Uint8Array<ArrayBuffer>) => unknown>;
