// Wake-ups are put off by threads whose turns are short, and by nobody for long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Debts, debtsWith } from '#src/deferred-wakeups';
import { waitPhaseAsync, Woken } from '#src/wait';
import { PHASE } from '#src/futex-word';

const words = new Int32Array(new SharedArrayBuffer(64));

/** Waits on the word, and answers at which of `calls` it was woken; −1 for none. */
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

/** A thread that has had so many turns, each of so many milliseconds. */
function thread(...turns: readonly (readonly [count: number, ms: number])[]) {
  let now = 0;
  const debts = new Debts(() => now);
  for (const [count, ms] of turns) {
    for (let turn = 0; turn < count; turn++) {
      debts.owe(words, 0);
      now += ms;
      debts.pay();
    }
  }
  return debts;
}

const cases = [
  { name: 'a new thread wakes at once', turns: [], at: 0 },
  { name: 'after fast turns it wakes as it pays', turns: [[100, 0.1]], at: 1 },
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
    name: 'some do',
    turns: [
      [100, 0.1],
      [3, 10],
    ],
    at: 0,
  },
] as const;

for (const { name, turns, at } of cases) {
  test(name, async () => {
    const debts = thread(...turns);
    assert.equal(await wokenAt([() => debts.owe(words, 0), () => debts.pay()]), at);
  });
}

test('no more wake-ups than a bound are owed, and all are paid', async () => {
  const debts = thread([100, 0.1]);
  const owing = Array.from({ length: 65 }, () => () => debts.owe(words, 0));
  assert.equal(await wokenAt(owing), 64);
  assert.equal(await wokenAt([() => debts.pay(), () => debts.pay()]), 0);
});

test('with more than one CPU nothing is put off', () => {
  assert.equal(debtsWith(2), null);
  assert.ok(debtsWith(1) instanceof Debts);
});

test('who sleeps looks again, for a peer that turned to something else', async () => {
  const count = new Int32Array(new SharedArrayBuffer(64));
  const wanted = { at: 0, phase: 0, isCount: true, registerAt: -1, register: 0 };
  const woken = waitPhaseAsync(count, wanted, 10_000, undefined, new Debts(() => 0));
  setTimeout(() => Atomics.store(count, 0, PHASE), 50);
  assert.equal(await woken, Woken.passed);
});
