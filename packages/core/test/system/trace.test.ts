// Schedules as findings show them: steps, causes, slots, and where every role stands (R01, U01).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  cell,
  kernel,
  load,
  mma,
  pipeline,
  read,
  role,
  tma,
  UNITS,
  wait,
  waitGroup,
  waitParity,
  type Kernel,
} from '#src/public';
import { standingOf, traceOf } from '#src/system/index';
import { codeAt, scheduleOf } from './explore.ts';

/** A ring with two parts in a stage, whose consumer is a tensor core that signals by a commit. */
const gemm: Kernel = kernel('gemm', {}, () => {
  const ab = pipeline('ab', { stages: 1, bytes: { a: 16, b: 48 } });
  return [
    role('load', function* () {
      for (let tile = 0; tile < 2; tile++) {
        using slot = yield* ab.produce();
        tma.load(slot);
      }
      yield* ab.drain();
    }),
    role('use', function* () {
      for (let tile = 0; tile < 2; tile++) {
        using full = yield* ab.consumeExplicit();
        mma.issue(full);
        mma.commit(full.mbar());
      }
    }),
  ];
});

test('a step says who makes it, what it changes, and which step let it pass', () => {
  // load: wait, expect, two copies; both land; use: wait, work, commit; the work and signal land.
  const trace = traceOf(scheduleOf(gemm, 'l4t2u3m2l1'));
  assert.deepEqual(
    trace.map(({ agent, verb }) => `${agent} ${verb}`),
    [
      'load wait',
      'load arrive',
      'load copy',
      'load copy',
      'tma complete',
      'tma complete',
      'use wait',
      'use use',
      'use commit',
      'mma complete',
      'mma signal',
      'load wait',
    ],
  );
  assert.equal(trace[0]!.waited, 'ab.empty[0] phase -1, fresh');
  assert.equal(trace[0]!.from, undefined, 'a fresh barrier was completed by no step');
  assert.match(trace[5]!.effects.join(), /ab\.full\[0\] phase 0/);
  assert.deepEqual([trace[6]!.from, trace[6]!.waited], [6, 'ab.full[0] phase 0']);
  assert.deepEqual([trace[11]!.from, trace[11]!.waited], [11, 'ab.empty[0] phase 0']);
  assert.match(trace[6]!.text, /stage 0$/);
  assert.deepEqual(trace[1]!.barriers, [
    { name: 'ab.full[0]', phase: 0, parity: 0, pending: 0, expected: 1, txBytes: 64 },
  ]);
  assert.equal(trace[10]!.kind, 'unit');
  assert.equal(
    codeAt({ file: trace[10]!.file!, line: trace[10]!.line! }),
    'mma.commit(full.mbar());',
  );
});

test('a slot is its producer’s until it is full, and its consumer’s until the signal', () => {
  const trace = traceOf(scheduleOf(gemm, 'l4t2u3m2l1'));
  const slots = trace.map(({ slots: changed }) =>
    changed.map(({ name, owners, data, flights }) => {
      return [name, owners.join(), data ?? '-', flights.join()].join(' | ');
    }),
  );
  assert.deepEqual(slots, [
    ['ab[0] | load | - | '],
    [],
    ['ab[0] | load | - | copy of load'],
    ['ab[0] | load | - | copy of load,copy of load'],
    ['ab[0] | load | - | copy of load'],
    ['ab[0] |  | full | '],
    ['ab[0] | use | full | '],
    ['ab[0] | use | full | work of use'],
    [],
    ['ab[0] | use | full | '],
    ['ab[0] |  | empty | '],
    ['ab[0] | load | empty | '],
  ]);
});

test('R04: a drain takes no stage', () => {
  const target = kernel('drain', {}, () => {
    const ab = pipeline('ab', { stages: 1 });
    return [
      role('load', function* () {
        yield* ab.drain();
      }),
    ];
  });
  assert.deepEqual(traceOf(scheduleOf(target, 'l1'))[0]!.slots, []);
});

test('slots of a cluster, and memory that is no stage', () => {
  const target = kernel('cluster', {}, () => {
    const [ab, out] = [pipeline('ab', { stages: 1 }), buffer('out')];
    return [
      role('one', { cta: 1 }, function* () {
        yield* ab.waitConsumer();
        asyncUse(UNITS.bulk, { writes: [out] });
      }),
    ];
  });
  const names = traceOf(scheduleOf(target, 'o2')).flatMap(({ slots }) => slots);
  assert.deepEqual(
    names.map(({ name, owners, flights }) => [name, owners, flights]),
    [
      ['ab[0] of CTA 1', ['one'], []],
      ['out of CTA 1', [], ['work of one']],
    ],
  );
});

test('U04: a wait for groups passes by the last work of its role that landed', () => {
  const target = kernel('groups', {}, () => {
    const tiles = [buffer('t0'), buffer('t1')];
    return [
      role('work', function* () {
        for (const tile of tiles) asyncUse(UNITS.mma, { writes: [tile], group: true });
        yield* waitGroup(UNITS.mma, 0);
      }),
    ];
  });
  const trace = traceOf(scheduleOf(target, 'w2m2w1'));
  assert.deepEqual([trace[4]!.verb, trace[4]!.from], ['group', 4]);
});

/** Where each agent stands after a schedule, by its name. */
function standing(target: Kernel, token: string): Record<string, string> {
  const all = standingOf(scheduleOf(target, token));
  return Object.fromEntries(all.map(({ agent, text }) => [agent, text]));
}

test('a role that waits: what is missing, and which roles still owe it', () => {
  assert.match(standing(gemm, 'l1')['use']!, /ab\.full\[0\] phase 0: load still owes an arrival/);
  assert.match(standing(gemm, 'l4')['use']!, /ab\.full\[0\] phase 0: 64 B/);
  assert.match(standing(gemm, 'l2')['use']!, /load still owes 64 B/);
});

test('several roles that owe one arrival each, and more arrivals than roles', () => {
  const target = (arrivals: number): Kernel =>
    kernel('owing', {}, () => {
      const done = barrier('done', { count: arrivals });
      const flag = cell('flag');
      const worker = function* () {
        yield* load(flag);
        arrive(done);
      };
      return [
        role('one', worker),
        role('two', worker),
        role('last', function* () {
          yield* wait(done, 0);
        }),
      ];
    });
  assert.match(standing(target(2), '')['last']!, /one and two still owe an arrival/);
  assert.match(standing(target(3), '')['last']!, /3 arrivals.*, which one and two still owe/);
  assert.match(standing(target(2), 'o2')['last']!, /: two still owes an arrival/);
  assert.match(standing(target(3), 'o2t2')['last']!, /1 arrival.*, which/);
  assert.match(standing(target(2), '')['one']!, /load flag$/);
  assert.equal(standing(target(2), 'o2')['one'], 'has ended');
});

test('M10: a role whose phase was lapped stands behind the phases that have completed', () => {
  const target = kernel('lapped', {}, () => {
    const ready = barrier('ready');
    return [
      role('ahead', function* () {
        arrive(ready);
        arrive(ready);
      }),
      role('behind', function* () {
        yield* wait(ready, 0);
      }),
    ];
  });
  assert.match(standing(target, 'a2')['behind']!, /ready phase 0.* 2 phases have completed/);
});

test('roles that are not spawned, that broke a rule, or that came to a misuse', () => {
  const target = kernel('ends', {}, () => {
    const full = barrier('full');
    const ab = pipeline('ab', { stages: 1 });
    return [
      role('breaks', function* () {
        arrive(full, { count: 2 });
      }),
      role('leaks', function* () {
        yield* ab.acquireProducer();
      }),
      role('later', { spawned: true }, function* () {}),
    ];
  });
  assert.match(standing(target, 'b1')['breaks']!, /over-arrival in step 1/);
  assert.match(standing(target, 'l1')['leaks']!, /leaked-stage/);
  assert.match(standing(target, '')['later']!, /not been started/);
});

test('units have what is still under way, one by one or by their number', () => {
  const target = kernel('units', {}, () => {
    const tiles = ['a', 'b', 'c'].map((name) => buffer(name));
    const other = buffer('other');
    return [
      role('load', function* () {
        for (const tile of tiles) asyncCopy(UNITS.tma, { into: [tile] });
        read(other);
      }),
    ];
  });
  assert.match(standing(target, 'l1')['tma']!, /the copy into a$/);
  assert.match(standing(target, 'l3')['tma']!, /3 .* of load/);
  assert.equal(standing(target, 'l3t3')['tma'], undefined);
});

test('a step has the work that it issues, and the step that completes it', () => {
  const trace = traceOf(scheduleOf(gemm, 'l4t2u3m1'));
  const issued = trace.flatMap(({ issues }, at) =>
    issues === undefined ? [] : [[at + 1, issues]],
  );
  assert.deepEqual(issued, [
    [3, [{ unit: 'tma', until: 5 }]],
    [4, [{ unit: 'tma', until: 6 }]],
    [8, [{ unit: 'mma', until: 10 }]],
    [9, [{ unit: 'mma' }]],
  ]);
});

test('a role waits for others while something can move, and starves when nothing can', () => {
  const statesOf = (token: string) =>
    standingOf(scheduleOf(gemm, token)).map(({ agent, state, owedBy }) => [agent, state, owedBy]);
  assert.deepEqual(statesOf(''), [
    ['load', 'continues', undefined],
    ['use', 'waits', ['load']],
  ]);
  const stuck: Kernel = kernel('stuck', {}, () => {
    const full = barrier('full');
    return [
      role('one', function* () {
        yield* wait(full, 0);
      }),
      role('other', function* () {}),
    ];
  });
  const states = standingOf(scheduleOf(stuck, '')).map(({ agent, state }) => [agent, state]);
  assert.deepEqual(states, [
    ['one', 'starves'],
    ['other', 'ended'],
  ]);
});

test('a role and its work name the barriers that they wait for, or reach next', () => {
  const names = [0, 1, 2].map((at) => `full[${at}]`);
  const target: Kernel = kernel('named', {}, () => {
    const [first, second, tile] = [barrier('full[0]'), barrier('full[1]'), buffer('tile')];
    const both = barrier('full[2]', { count: 2 });
    return [
      role('load', function* () {
        asyncCopy(UNITS.tma, { into: [tile], bar: first, bytes: 16 });
        arrive(both);
      }),
      role('parity', function* () {
        yield* waitParity(second, 0);
      }),
      role('phase', function* () {
        yield* wait(both, 0);
      }),
      role('free', function* () {}),
    ];
  });
  const found = standingOf(scheduleOf(target, 'l1')).map(({ agent, barriers }) => [
    agent,
    barriers,
  ]);
  assert.deepEqual(found, [
    ['load', [names[2]]],
    ['parity', [names[1]]],
    ['phase', [names[2]]],
    ['free', undefined],
    ['tma', [names[0]]],
  ]);
});
