// Parity aliases explained: who waits, which phase it wants, and how many have completed (M10).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrive, barrier, cell, kernel, load, role, wait, type Kernel } from '#src/public';
import { findingOf, placesOf, rulesOf, textOf } from './explore.ts';

/** A role arrives so many times on a barrier, and another one waits for one phase of it. */
function oneWay(
  arrivals: number,
  phase: number,
  { mode = 'parity', isLate = false }: { mode?: 'parity' | 'counter'; isLate?: boolean } = {},
): Kernel {
  return kernel('one-way', {}, () => {
    const ready = barrier('ready', { mode });
    const elsewhere = cell('elsewhere');
    return [
      role('ahead', function* () {
        for (let i = 0; i < arrivals; i++) arrive(ready);
      }),
      role('behind', function* () {
        if (isLate) yield* load(elsewhere);
        yield* wait(ready, phase);
      }),
    ];
  });
}

test('M10: a wait for a phase whose parity an older one has passes too early', () => {
  const found = findingOf(oneWay(2, 1), 'false-pass');
  assert.equal(found.severity, 'error');
  assert.match(found.message, /behind .*ready/);
  assert.deepEqual(placesOf(found), [
    'behind: yield* wait(ready, phase);',
    'ahead: for (let i = 0; i < arrivals; i++) arrive(ready);',
  ]);
  assert.match(found.primary.text, /behind .*ready phase 1.*no phase/);
  assert.match(found.labels[0]!.text, /phase 0/, 'it still has to arrive in phase 0');
  assert.match(found.notes.join(), /phases? 1 and .*-1/);
});

test('M10: a wait for a phase that was lapped blocks although it is over', () => {
  const found = findingOf(oneWay(2, 0), 'false-block');
  assert.equal(found.severity, 'error');
  assert.deepEqual(placesOf(found), [
    'behind: yield* wait(ready, phase);',
    'ahead: for (let i = 0; i < arrivals; i++) arrive(ready);',
  ]);
  assert.match(found.primary.text, /behind .*ready phase 0 here: 2 phases have completed/);
  assert.match(found.labels[0]!.text, /ahead completed ready phases 0 and 1 here/);
  assert.match(found.helps.join(), /ready.* sync/);
});

test('M10: a wait for phase -1 is lapped by the first completion but one', () => {
  const found = findingOf(oneWay(1, -1), 'false-block');
  assert.match(found.primary.text, /ready phase -1 here, .*: 1 phase has completed/);
  assert.match(found.labels[0]!.text, /phase 0/);
});

test('M10: a wait that a later phase lets pass is late, which is a warning', () => {
  const found = findingOf(oneWay(3, 0, { isLate: true }), 'late-pass');
  assert.equal(found.severity, 'warning');
  assert.match(textOf(found), /2 phases late/);
  assert.match(found.primary.text, /3 phases have completed/);
});

test('M10: one operation of several threads that completes several phases is the cause', () => {
  const target = kernel('burst', {}, () => {
    const ready = barrier('ready', { count: 1 });
    return [
      role('many', { lanes: 2 }, function* () {
        arrive(ready, { everyLane: true });
      }),
      role('one', function* () {
        yield* wait(ready, 0);
      }),
    ];
  });
  const found = findingOf(target, 'false-block');
  assert.match(found.message, /many completes 2 phases of ready/);
  assert.deepEqual(placesOf(found), [
    'one: yield* wait(ready, 0);',
    'many: arrive(ready, { everyLane: true });',
  ]);
  assert.match(found.labels[0]!.text, /2 threads of many .*phase .* 1/);
  assert.match(found.helps.join(), /one elected thread/);
});

test('M09: counters have no aliases: whatever parity gets wrong, they get right', () => {
  for (const [arrivals, phase] of [
    [2, 1],
    [2, 0],
    [1, -1],
    [3, 0],
  ] as const) {
    assert.deepEqual(rulesOf(oneWay(arrivals, phase, { mode: 'counter' })), []);
  }
});

test('M10: a barrier that is neither ahead nor behind has no alias', () => {
  assert.deepEqual(rulesOf(oneWay(1, 0)), []);
  assert.deepEqual(rulesOf(oneWay(0, -1)), []);
});
