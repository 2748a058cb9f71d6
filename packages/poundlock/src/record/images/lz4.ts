// Unpacks one raw LZ4 block, as fatbins have them. The packages for it are bindings of the C
// library or unmaintained; the format is a page.
import { InputError } from '@poundlock/core/internal/base';

const LEAST_MATCH = 4;
/** The value of a length that goes on in the next bytes. */
const LONG = 15;

function broken(): InputError {
  return new InputError('a packed part of the image is not an LZ4 block');
}

/**
 * Unpacks a block.
 *
 * @param size The most bytes that it unpacks to.
 * @throws InputError where the block is damaged, or larger.
 */
export function unpackLz4(source: Uint8Array, size: number): Uint8Array {
  const target = new Uint8Array(size);
  let from = 0;
  let to = 0;
  const lengthFrom = (start: number): number => {
    let length = start;
    if (start < LONG) return length;
    for (;;) {
      const byte = source[from++];
      if (byte === undefined) throw broken();
      length += byte;
      if (byte < 255) return length;
    }
  };
  while (from < source.length) {
    const token = source[from++]!;
    const literals = lengthFrom(token >> 4);
    if (from + literals > source.length || to + literals > size) throw broken();
    target.set(source.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from === source.length) break;
    if (from + 2 > source.length) throw broken();
    const distance = source[from]! | (source[from + 1]! << 8);
    from += 2;
    const match = lengthFrom(token & LONG) + LEAST_MATCH;
    if (distance === 0 || distance > to || to + match > size) throw broken();
    // A match may overlap what it writes: byte by byte.
    const end = to + match;
    for (; to < end; to++) target[to] = target[to - distance]!;
  }
  return target.subarray(0, to);
}
