// Short texts in shared memory: names, lines and the cause of a failure.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes `text` behind its length, cut to `room` bytes between two characters. */
export function writeText(words: Int32Array, at: number, room: number, text: string): void {
  // An encoder fills no shared bytes. A character takes at least one byte.
  const bytes = new Uint8Array(room - 4);
  const { written } = encoder.encodeInto(text.slice(0, bytes.length), bytes);
  new Uint8Array(words.buffer, words.byteOffset + at * 4 + 4, written).set(
    bytes.subarray(0, written),
  );
  words[at] = written;
}

export function readText(words: Int32Array, at: number): string {
  const bytes = new Uint8Array(words.buffer, words.byteOffset + at * 4 + 4, words[at]!);
  // A decoder takes no shared bytes.
  return decoder.decode(bytes.slice());
}
