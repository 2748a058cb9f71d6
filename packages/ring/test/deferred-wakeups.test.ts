// Threads with short turns defer wake-ups, for a bounded time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeferredWakeups, deferredWakeupsFor } from '#src/deferred-wakeups';
import { waitPhaseAsync, WaitResult } from '#src/wait';
import { PHASE } from '#src/futex-word';

const words = new Int32Array(new SharedArrayBuffer(64));

/** Waits on the word and returns the index of the call that woke it; −1 for none. */
async function wokenAt(calls: readonly (() => void)[]): Promise<number> {
  const { async, value } = Atomics.waitAsync(words, 0, 0, 10_000);
  assert.ok(async);
  let woken = -1;
  let now = -1;
  const over = (value as Promise<string>).then(() => void (woken = now));
  for (const [at, call] of calls.entries()) {
    now = at;
    call();
    // A notified wait is over some turns of the event loop later.
    for (let turn = 0; turn < 5; turn++) await new Promise((done) => void setImmediate(done));
  }
  if (woken < 0) Atomics.notify(words, 0);
  const found = woken;
  await over;
  return found;
}

/** The wake-ups of a thread after so many turns, each of so many milliseconds. */
function thread(...turns: readonly (readonly [count: number, ms: number])[]) {
  let now = 0;
  const wakeups = new DeferredWakeups(() => now);
  for (const [count, ms] of turns) {
    for (let turn = 0; turn < count; turn++) {
      wakeups.defer(words, 0);
      now += ms;
      wakeups.flush();
    }
  }
  return wakeups;
}

const cases = [
  { name: 'a new thread wakes at once', turns: [], at: 0 },
  { name: 'after fast turns it wakes at the flush', turns: [[100, 0.1]], at: 1 },
  { name: 'after slow ones at once', turns: [[100, 10]], at: 0 },
  {
    name: 'one slow turn among fast ones changes nothing',
    turns: [
      [100, 0.1],
      [1, 10],
    ],
    at: 1,
  },
  {
    name: 'several slow turns disable deferring',
    turns: [
      [100, 0.1],
      [3, 10],
    ],
    at: 0,
  },
] as const;

for (const { name, turns, at } of cases) {
  test(name, async () => {
    const wakeups = thread(...turns);
    assert.equal(await wokenAt([() => wakeups.defer(words, 0), () => wakeups.flush()]), at);
  });
}

test('the number of deferred wake-ups is bounded, and all are flushed', async () => {
  const wakeups = thread([100, 0.1]);
  const deferrals = Array.from({ length: 65 }, () => () => wakeups.defer(words, 0));
  assert.equal(await wokenAt(deferrals), 64);
  assert.equal(await wokenAt([() => wakeups.flush(), () => wakeups.flush()]), 0);
});

test('with more than one CPU nothing is deferred', () => {
  assert.equal(deferredWakeupsFor(2), null);
  assert.ok(deferredWakeupsFor(1) instanceof DeferredWakeups);
});

test('a sleeping thread checks again in case its peer does not flush', async () => {
  const count = new Int32Array(new SharedArrayBuffer(64));
  const wanted = { at: 0, phase: 0, isCount: true, registerAt: -1, register: 0 };
  const woken = waitPhaseAsync(count, wanted, 10_000, undefined, new DeferredWakeups(() => 0));
  setTimeout(() => Atomics.store(count, 0, PHASE), 50);
  assert.equal(await woken, WaitResult.passed);
});
