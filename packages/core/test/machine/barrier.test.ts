// Rules M01–M12 on the bare barrier state; the measured sequences are in test/conformance.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Alias, aliasOf, arrive, arriveDrop, changeBytes, init } from '#src/machine/barrier';
import { Fault } from '#src/machine/index';

function barrierOf(count: number): Int32Array {
  const words = new Int32Array(4);
  init(words, 0, count);
  return words;
}
const state = (words: Int32Array): number[] => [...words];

test('M06: a phase completes when the last arrival comes and no bytes are missing', () => {
  const words = barrierOf(2);
  arrive(words, 0, 1, 1, 0);
  assert.deepEqual(state(words), [2, 1, 0, 0]);
  arrive(words, 0, 1, 1, 0);
  assert.deepEqual(state(words), [2, 2, 0, 1]);
});

test('M04, M06: bytes may come first; below zero they complete nothing', () => {
  const words = barrierOf(1);
  changeBytes(words, 0, -32);
  assert.deepEqual(state(words), [1, 1, -32, 0]);
  arrive(words, 0, 1, 1, 0);
  assert.deepEqual(state(words), [1, 0, -32, 0]);
  changeBytes(words, 0, 32);
  assert.deepEqual(state(words), [1, 1, 0, 1]);
});

test('M03: lanes arrive one after the other and may run into the next phase', () => {
  const words = barrierOf(2);
  assert.equal(arrive(words, 0, 1, 5, 0), Fault.none);
  assert.deepEqual(state(words), [2, 1, 0, 2]);
});

test('M12: an arrival beyond the pending ones is an over-arrival', () => {
  const words = barrierOf(2);
  assert.equal(arrive(words, 0, 3, 1, 0), Fault.overArrival);
  const waiting = barrierOf(1);
  arrive(waiting, 0, 1, 1, 16);
  assert.equal(arrive(waiting, 0, 1, 1, 0), Fault.overArrival);
});

test('M05: dropping out lowers what later phases expect', () => {
  const words = barrierOf(2);
  assert.equal(arriveDrop(words, 0, 1), Fault.none);
  assert.deepEqual(state(words), [1, 1, 0, 0]);
  arrive(words, 0, 1, 1, 0);
  assert.deepEqual(state(words), [1, 1, 0, 1]);
});

test('M10: how far the true phase is from the one that parity shows', () => {
  const phase = 5;
  const kinds = [3, 4, 5, 6, 7, 8].map((completed) => aliasOf(completed, phase));
  const { none, falsePass, falseBlock, latePass } = Alias;
  assert.deepEqual(kinds, [none, falsePass, none, none, falseBlock, latePass]);
});
