// Short texts in shared memory: names, lines and the cause of a failure.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes `text` behind its length, cut to `room` bytes. */
export function writeText(words: Int32Array, at: number, room: number, text: string): void {
  const bytes = encoder.encode(text).subarray(0, room - 4);
  new Uint8Array(words.buffer, words.byteOffset + at * 4 + 4, bytes.length).set(bytes);
  words[at] = bytes.length;
}

export function readText(words: Int32Array, at: number): string {
  const bytes = new Uint8Array(words.buffer, words.byteOffset + at * 4 + 4, words[at]!);
  // A decoder takes no shared bytes; a character that was cut becomes a replacement character.
  return decoder.decode(bytes.slice());
}
