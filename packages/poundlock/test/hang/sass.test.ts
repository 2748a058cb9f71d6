// What a stopped warp waits for, by the instructions around the place where it stands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitAround } from '#src/hang/dump/sass';

/** An instruction: its two words. */
type Words = readonly [low: bigint, high: bigint];

const NOTHING: Words = [0x918n, 0n];
/** `BAR.SYNC 3`. */
const MEETING: Words = [0xb1dn | (3n << 54n), 1n << 16n];
/** `ATOMG.E.ADD R4, [R2.64]`, and the same with its result in place of the address. */
const ATOMIC: Words = [0x9a8n | (4n << 16n) | (2n << 24n), 0n];
/** A branch that jumps two instructions back from the next one. */
const BACK: Words = [0x947n | (0xf8n << 16n) | (((1n << 30n) - 1n) << 34n), 0n];

const BACK_BY_THREE: Words = [BACK[0] - (4n << 16n), 0n];

function codeOf(...instructions: readonly Words[]): Uint8Array {
  const words = BigUint64Array.from(instructions.flat());
  return new Uint8Array(words.buffer);
}

test('a warp stands at the barrier of threads that it waits at, or behind it', () => {
  const code = codeOf(NOTHING, MEETING, NOTHING, NOTHING);
  const found = [16, 32, 48].map((offset) => waitAround(code, offset)?.kind);
  assert.deepEqual(found, ['named', 'named', undefined]);
  const wait = waitAround(code, 32);
  assert.equal(wait?.kind === 'named' ? wait.id : null, 3);
});

test('a loop that polls says where the result of the poll is', () => {
  const wait = waitAround(codeOf(ATOMIC, BACK), 16);
  assert.deepEqual(wait, { kind: 'load', offset: 0, bytes: 4, base: 2, plus: 0, result: 4 });
});

test('in a loop that polls and meets, a warp at the barrier waits there', () => {
  const code = codeOf(ATOMIC, MEETING, BACK_BY_THREE);
  assert.equal(waitAround(code, 16)?.kind, 'named');
});
