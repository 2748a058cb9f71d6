// Cuts a stream of bytes after the ends of lines, so that each part can be parsed by itself.
import type { PipeSource } from './ends.ts';
import { openSource } from './ends.ts';

const NEWLINE = 10;

/**
 * The bytes of a source in parts that end with a newline, the last one excepted: an item for
 * stages that work on lines.
 *
 * @example
 * import { wholeLines } from 'poundlock/ring';
 *
 * const chunks = ['ab\nc', 'd\ne'].map((text) => new TextEncoder().encode(text));
 * for await (const part of wholeLines(chunks)) console.log(part.length); // 3 3 1
 */
export async function* wholeLines(
  source: PipeSource<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const opened = openSource(source);
  let rest = new Uint8Array();
  let hasEnded = false;
  try {
    for (;;) {
      const { done, value } = await opened.next();
      if ((hasEnded = done === true)) break;
      const chunk = value as Uint8Array;
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end > 0) yield joined(rest, chunk.subarray(0, end));
      rest = joined(end > 0 ? new Uint8Array() : rest, chunk.subarray(end));
    }
    if (rest.length > 0) yield rest;
  } finally {
    if (!hasEnded) await opened.cancel(undefined);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
