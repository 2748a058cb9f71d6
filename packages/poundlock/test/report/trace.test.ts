// The space-time table: lanes, arrows, folded stretches, and what it says of states.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from '#src/check/index';
import type { TraceStep } from '../../../core/src/finding/index.ts';
import { kernel, pipeline, read, role, tma, type Kernel } from '#src/public';
import { PLAIN } from '#src/report/index';
import { factsOf, FOLDED, MAX_ROW_COLUMNS, traceTable } from '#src/report/trace';
import { widthOf } from '#src/report/width';

function step(agent: string, changes: Partial<TraceStep> = {}): TraceStep {
  const nothing = { effects: [], barriers: [], slots: [] };
  return { agent, kind: 'role', verb: 'read', text: 'read ab[0]', ...nothing, ...changes };
}

function table(trace: readonly TraceStep[], all = false): string[] {
  return traceTable(trace, [], PLAIN, all).slice(1);
}

test('an arrow leads from the step that completed a phase to the wait that it lets pass', () => {
  const trace = [
    step('load', { verb: 'arrive' }),
    step('mma', { verb: 'wait', from: 1, waited: 'full phase 0' }),
    step('load', { verb: 'wait', from: 2, waited: 'empty phase 0' }),
    step('load', { verb: 'wait', from: 1, waited: 'full phase 0' }),
  ];
  assert.deepEqual(table(trace), [
    '   step  line  load    mma   then',
    '      1        arrive        read ab[0]',
    '      2        1──────▶wait  for full phase 0',
    '      3        wait◀───2     for empty phase 0',
    '      4        wait↑1        for full phase 0',
  ]);
});

test('a unit stands in parentheses, apart from a role of its name', () => {
  const [heading] = table([step('mma'), step('mma', { kind: 'unit', verb: 'complete' })]);
  assert.equal(heading, '   step  line  mma   (mma)     then');
});

test('a line has its file where that is not the file of the first step', () => {
  const here = { file: 'kernels/a.ts', line: 7, column: 1 };
  const there = { file: 'kernels/lib/b.ts', line: 120, column: 1 };
  const rows = table([step('load', here), step('load', there)]);
  assert.match(rows[1]!, /^ +1 +7 {2}read/);
  assert.match(rows[2]!, /^ +2 {2}b\.ts:120 {2}read/);
});

test('the middle of a long schedule is folded, and shown when all is asked for', () => {
  const trace = Array.from({ length: 1000 }, (_, index) => step(index % 4 === 0 ? 'load' : 'mma'));
  const rows = table(trace);
  assert.equal(rows.length, 1 + FOLDED.first + 1 + FOLDED.last);
  const laps = '242 times the same: load 1, mma 3';
  assert.equal(rows[1 + FOLDED.first], `   ⋮ 970 more steps: load 243, mma 727; ${laps}`);
  assert.match(rows.at(-1)!, /^ +1000 /);
  assert.equal(table(trace, true).length, 1001);
  assert.equal(table(trace.slice(0, 31)).length, 32);
});

suite('facts', () => {
  const full = { name: 'full', phase: 32, parity: 0, pending: 1, expected: 1, txBytes: 0 } as const;

  test('a barrier says how many phases an operation completed', () => {
    const effects = Array.from({ length: 32 }, (_, phase) => `full phase ${phase} completes`);
    const facts = factsOf(step('a', { barriers: [full], effects }));
    assert.deepEqual(facts, ['full: phase 0→32 (parity 0), pending 1/1']);
  });

  test('bytes that came before they were expected are below zero', () => {
    const facts = factsOf(step('a', { barriers: [{ ...full, txBytes: -16_384 }] }));
    assert.deepEqual(facts, ['full: phase 32 (parity 0), pending 1/1, tx -16,384 B']);
  });

  test('a slot says who holds it and what is in flight', () => {
    const flights = ['copy of load', 'copy of load', 'work of mma'];
    const slots = [
      { name: 'ab[0]', owners: ['left', 'right'], flights },
      { name: 'ab[1]', owners: [], data: 'empty' as const, flights: [] },
      { name: 'x', owners: [], flights: [] },
    ];
    assert.deepEqual(factsOf(step('a', { slots })), [
      'ab[0]: held by left and right; in flight: 2 × copy of load, work of mma',
      'ab[1]: empty',
      'x: idle',
    ]);
  });
});

/** A ring of two stages whose first reader keeps all of its tiles up to its end. */
function keeper(readers: number): Kernel {
  return kernel('keeper', {}, () => {
    const options = { stages: 2, bytes: 64, consumers: readers, advance: 'acquire' } as const;
    const ab = pipeline('ab', options);
    const load = role('load', function* () {
      for (let tile = 0; tile < 3; tile++) {
        using slot = yield* ab.produce();
        tma.load(slot);
      }
    });
    const hoarder = role('hoarder', function* () {
      const [one, two] = [yield* ab.acquireConsumer(), yield* ab.acquireConsumer()];
      const three = yield* ab.acquireConsumer();
      for (const tile of [one, two, three]) tile.release();
    });
    const reader = role('reader', function* () {
      for (let tile = 0; tile < 3; tile++) {
        using slot = yield* ab.consume();
        read(slot.buffer());
      }
    });
    return readers === 1 ? [load, hoarder] : [load, hoarder, reader];
  });
}

suite('who owes', () => {
  test('of several who arrive on a barrier, only those who have not yet in this phase', async () => {
    const { findings } = await check(keeper(2), { engine: 'search' });
    const deadlock = findings.find(({ rule }) => rule === 'deadlock')!;
    const load = deadlock.standing!.find(({ agent }) => agent === 'load')!;
    assert.equal(load.text, 'waits for ab.empty[0] phase 0: hoarder still owes an arrival');
  });
});

test('a table of few agents keeps to its columns', async () => {
  const { findings } = await check(keeper(1), { engine: 'search' });
  const rows = traceTable(findings[0]!.trace!, findings[0]!.standing!, PLAIN, true);
  const wide = rows.filter((row) => widthOf(row) > MAX_ROW_COLUMNS);
  assert.deepEqual(wide, []);
});
