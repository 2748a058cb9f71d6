// Little-endian numbers of an image, with a message where they lie outside of it.
import { InputError } from '@poundlock/core/internal/base';

/** Reads numbers of an image. */
export class ImageView {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws InputError where the image is too short. */
  part(at: number, length: number): Uint8Array {
    if (at < 0 || length < 0 || at + length > this.bytes.length)
      throw new InputError(`the image ends before byte ${at + length}`);
    return this.bytes.subarray(at, at + length);
  }

  word16(at: number): number {
    this.part(at, 2);
    return this.#view.getUint16(at, true);
  }

  word32(at: number): number {
    this.part(at, 4);
    return this.#view.getUint32(at, true);
  }

  /** A 64-bit number that is an offset or a size. */
  word64(at: number): number {
    this.part(at, 8);
    const value = this.#view.getBigUint64(at, true);
    if (value > BigInt(Number.MAX_SAFE_INTEGER))
      throw new InputError(`the image has no size or offset at byte ${at}`);
    return Number(value);
  }
}

/** Text of an image, without the zeros at its end. */
export function textOf(bytes: Uint8Array): string {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return new TextDecoder().decode(bytes.subarray(0, end));
}
