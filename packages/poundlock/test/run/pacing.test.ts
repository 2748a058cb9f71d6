// Rests before looks grow while looks find little, and end where the peer is just slow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pacing } from '#src/run/pacing';

const STAGES = 8;

/** The rests before each of `looks` looks, where a look after so many finds what `found` says. */
function restsOf(pace: Pacing, looks: number, found: (rests: number) => number): number[] {
  return Array.from({ length: looks }, () => {
    const { rests } = pace;
    pace.rest();
    pace.found(found(rests), false);
    return rests;
  });
}

const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);

test('no pauses where looks find half a ring', () => {
  assert.equal(sum(restsOf(new Pacing(STAGES, true), 1000, () => STAGES / 2)), 0);
});

test('rests are as long as it takes for half a ring', () => {
  const rests = restsOf(new Pacing(STAGES, true), 1000, (one) => 1 + Math.floor(one / 3));
  assert.deepEqual(new Set(rests.slice(100)), new Set([8, 9]));
});

test('where rests find nothing more, they are tried ever more rarely', () => {
  const rests = restsOf(new Pacing(STAGES, true), 100_000, () => 1);
  assert.equal(Math.max(...rests), 32);
  assert.ok(sum(rests) / rests.length < 0.5, `${sum(rests) / rests.length}`);
  const starts = rests.flatMap((one, at) => (one === 1 && rests[at - 1] === 0 ? [at] : []));
  assert.equal(starts.length, 4);
});

test('a peer without a CPU of its own, and a ring of two stages, are not kept waiting', () => {
  assert.equal(sum(restsOf(new Pacing(STAGES, false), 1000, () => 1)), 0);
  assert.equal(sum(restsOf(new Pacing(2, true), 1000, () => 1)), 0);
});

test('a look that reaches the end of the ring says nothing of the peer', () => {
  const pace = new Pacing(STAGES, true);
  for (let look = 0; look < 100; look++) pace.found(1, true);
  assert.equal(pace.rests, 0);
});

test('in lockstep, a stage at a time round the ring, rests come to an end', () => {
  const pace = new Pacing(STAGES, true);
  let rests = 0;
  for (let look = 0; look < 100_000; look++) {
    rests += pace.rests;
    pace.found(1, look % STAGES === STAGES - 1);
  }
  assert.ok(rests < 50_000, `${rests}`);
});
