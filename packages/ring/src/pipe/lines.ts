// Cuts a stream of bytes after the ends of lines, so that each part can be parsed by itself.
import type { PipeSource } from './ends.ts';
import { openSource } from './ends.ts';

const NEWLINE = 10;

const MAX_PART = 65_536;

/**
 * The bytes of a source in parts that end with a newline, the last one excepted: items for stages
 * that work on lines. A part has at most `bytes` bytes, unless one line has more; 65,536 unless
 * specified.
 *
 * @example
 * import { wholeLines } from 'poundlock/ring';
 *
 * const chunks = ['ab\nc', 'd\ne'].map((text) => new TextEncoder().encode(text));
 * const lengths = [];
 * for await (const part of wholeLines(chunks)) lengths.push(part.length);
 * console.log(lengths.join(' ')); // 3 3 1
 */
export async function* wholeLines(
  source: PipeSource<Uint8Array>,
  bytes = MAX_PART,
): AsyncGenerator<Uint8Array, void, void> {
  const opened = openSource(source);
  let rest: Uint8Array = new Uint8Array();
  let hasEnded = false;
  try {
    for (;;) {
      const { done, value } = await opened.next();
      if ((hasEnded = done === true)) break;
      rest = joined(rest, value as Uint8Array);
      for (let end; (end = endOfPart(rest, bytes)) > 0; rest = rest.subarray(end)) {
        yield rest.subarray(0, end);
      }
    }
    if (rest.length > 0) yield rest;
  } finally {
    if (!hasEnded) await opened.cancel(undefined);
  }
}

/** Where the next part ends: after the last line that fits, or the first one; 0 without one. */
function endOfPart(all: Uint8Array, bytes: number): number {
  if (all.length === 0) return 0;
  const last = all.lastIndexOf(NEWLINE, bytes - 1) + 1;
  return last > 0 ? last : all.indexOf(NEWLINE, bytes) + 1;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
