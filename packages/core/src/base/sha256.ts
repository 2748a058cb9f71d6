// SHA-256 of a text, where there is no Node: the hash by which a verdict knows its text.

/** The first 32 bits of the fractional part of a root of each of the first primes. */
function rootsOf(count: number, root: number): Uint32Array {
  const words: number[] = [];
  for (let number = 2; words.length < count; number++) {
    let divisor = 2;
    while (divisor * divisor <= number && number % divisor !== 0) divisor++;
    if (divisor * divisor > number) words.push((number ** (1 / root) % 1) * 2 ** 32);
  }
  return Uint32Array.from(words);
}

const ROUNDS = 64;
const BLOCK = 64;
const CONSTANTS = rootsOf(ROUNDS, 3);
const START = rootsOf(8, 2);

/** The text as UTF-8 with a 1 bit, zeros and its length in bits at the end. */
function padded(text: string): DataView {
  const bytes = new TextEncoder().encode(text);
  const length = Math.ceil((bytes.length + 9) / BLOCK) * BLOCK;
  const all = new Uint8Array(length);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(length - 4, bytes.length * 8);
  return view;
}

const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Mixes one block into the state. */
function mix(state: Uint32Array, words: Uint32Array): void {
  for (let at = 16; at < ROUNDS; at++) {
    const [early, late] = [words[at - 15]!, words[at - 2]!];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[at] = words[at - 16]! + first + words[at - 7]! + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < ROUNDS; at++) {
    const choice = (e & f) ^ (~e & g);
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const added = (h + high + choice + CONSTANTS[at]! + words[at]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + added) | 0, c, b, a, (added + low + majority) | 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = state[at]! + word;
}

/** The hash in hexadecimal digits, as `sha256sum` prints it. */
export function sha256Of(text: string): string {
  const view = padded(text);
  const state = START.slice();
  const words = new Uint32Array(ROUNDS);
  for (let block = 0; block < view.byteLength; block += BLOCK) {
    for (let at = 0; at < 16; at++) words[at] = view.getUint32(block + 4 * at);
    mix(state, words);
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}
