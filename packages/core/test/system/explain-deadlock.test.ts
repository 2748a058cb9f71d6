// Deadlocks explained: who waits for what, which operation would bring it, and what has come (P11).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alloc,
  arrive,
  arriveDrop,
  asyncCopy,
  barrier,
  buffer,
  cell,
  completeTx,
  expectTx,
  join,
  kernel,
  load,
  loop,
  pipeline,
  pool,
  read,
  role,
  syncCluster,
  syncNamed,
  tma,
  tryWait,
  UNITS,
  wait,
  waitParity,
} from '#src/public';
import { explain } from '#src/system/index';
import { codeAt, deadlockOf, findingOf, placesOf, systemOf, textOf } from './explore.ts';

test('two roles that wait for each other: each needs what the other does after its wait', () => {
  const target = kernel('cycle', {}, () => {
    const [one, two] = [barrier('one'), barrier('two')];
    return [
      role('left', function* () {
        yield* wait(one, 0);
        arrive(two);
      }),
      role('right', function* () {
        yield* wait(two, 0);
        arrive(one);
      }),
    ];
  });
  const found = findingOf(target, 'deadlock');
  assert.match(found.message, /left and right wait/);
  assert.deepEqual(placesOf(found), [
    'left: yield* wait(one, 0);',
    'right: yield* wait(two, 0);',
    'right: arrive(one);',
    'left: arrive(two);',
  ]);
  assert.match(found.primary.text, /one phase 0: needs 1 arrival from right/);
  assert.equal(found.replayToken, '', 'it is there before the first move');
});

test('an arrival that no role brings any more is the cause, and the others come after it', () => {
  const target = kernel('short', {}, () => {
    const [ready, done] = [barrier('ready', { count: 2 }), barrier('done')];
    return [
      role('source', function* () {
        arrive(ready);
      }),
      role('sink', function* () {
        yield* wait(done, 0);
      }),
      role('middle', function* () {
        yield* wait(ready, 0);
        arrive(done);
      }),
    ];
  });
  const found = findingOf(target, 'deadlock');
  assert.match(
    found.message,
    /^ready counts 2 arrivals .* gets only 1, from source; middle waits for it/,
  );
  assert.deepEqual(placesOf(found), [
    'middle: yield* wait(ready, 0);',
    'sink: yield* wait(done, 0);',
    'middle: arrive(done);',
    'source: arrive(ready);',
  ]);
  assert.match(found.primary.text, /1 of its 2 arrivals/);
  assert.match(textOf(found), /source .*1 of the 2 arrivals .*ready/);
  assert.deepEqual(
    found.standing!.map(({ agent }) => agent),
    ['source', 'sink', 'middle'],
  );
});

test('M06: bytes that are expected and never copied', () => {
  const target = kernel('no-copy', {}, () => {
    const full = barrier('full');
    return [
      role('load', function* () {
        arrive(full, { bytes: 32_768 });
      }),
      role('use', function* () {
        yield* wait(full, 0);
      }),
    ];
  });
  const found = findingOf(target, 'deadlock');
  assert.match(
    found.message,
    /^full expects 32,768 B in each phase, and no copy .*; use waits for it/,
  );
  assert.match(textOf(found), /load expects 32,768 B on full/);
  assert.match(
    found.standing!.find(({ agent }) => agent === 'use')!.text,
    /full phase 0: .*32,768 B/,
  );
});

test('M06: bytes that have come and that no arrival expects', () => {
  const target = kernel('no-expect', {}, () => {
    const [full, tile] = [barrier('full'), buffer('tile')];
    return [
      role('load', function* () {
        asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: 64 });
      }),
      role('use', function* () {
        yield* wait(full, 0);
      }),
    ];
  });
  const found = findingOf(target, 'deadlock');
  assert.match(found.message, /64 B .*full.* use waits/);
  assert.match(found.primary.text, /1 arrival and .* 64 B/);
  assert.match(textOf(found), /load .* 64 B here/);
  assert.match(found.helps.join(), /tma\.expect/);
});

test('a consumer that holds every stage of a ring while it waits for one more', () => {
  const target = kernel('held', {}, () => {
    const ab = pipeline('ab', { stages: 2, advance: 'acquire' });
    return [
      role('fill', function* () {
        for (let i = 0; i < 3; i++) {
          const slot = yield* ab.acquireProducer();
          slot.arrive();
          slot.release();
        }
      }),
      role('drain', function* () {
        const tiles = [];
        for (let i = 0; i < 3; i++) tiles.push(yield* ab.acquireConsumer());
        for (const tile of tiles) tile.release();
      }),
    ];
  });
  const found = findingOf(target, 'deadlock');
  assert.match(found.notes.join('\n'), /drain holds stages 0 and 1 of ab .*only 2 stages/);
  assert.match(found.helps.join('\n'), /2 tiles .*3 stages/);
  assert.match(textOf(found), /the arrival .*fill needs is .* here, after that wait/);
});

test('M07: waits for parity 0 of fresh barriers, and who has to start with parity 1', () => {
  const target = kernel('fresh', {}, () => {
    const [full, empty] = [barrier('full'), barrier('empty')];
    return [
      role('fill', function* () {
        yield* waitParity(empty, 0);
        arrive(full);
      }),
      role('use', function* () {
        yield* waitParity(full, 0);
        arrive(empty);
      }),
    ];
  });
  const found = findingOf(target, 'deadlock');
  assert.match(found.notes.join(), /empty and full have not completed.* parity 1 passes/);
  assert.match(found.helps.join(), /parity 1/);
  assert.match(found.primary.text, /empty parity 0: needs 1 arrival from use/);
});

test('a wait for bytes and an arrival that one operation of a later step brings', () => {
  const target = kernel('together', {}, () => {
    const ab = pipeline('ab', { stages: 1, bytes: 16 });
    const gate = barrier('gate');
    return [
      role('load', function* () {
        yield* wait(gate, 0);
        using slot = yield* ab.produce();
        tma.load(slot);
      }),
      role('use', function* () {
        using tile = yield* ab.consume();
        void tile;
        arrive(gate);
      }),
    ];
  });
  const found = findingOf(target, 'deadlock');
  assert.match(textOf(found), /the arrival and the copy .*use needs are .* here/);
  assert.match(textOf(found), /1 arrival and 16 B from load/);
});

test('M04, M05: bytes that a role completes, and a drop, are owed like copies and arrivals', () => {
  const target = kernel('owed', {}, () => {
    const [full, gate] = [barrier('full'), barrier('gate')];
    return [
      role('use', function* () {
        expectTx(full, 8);
        yield* wait(full, 0);
        arrive(gate);
      }),
      role('load', function* () {
        yield* wait(gate, 0);
        completeTx(full, 8);
        arriveDrop(full);
      }),
    ];
  });
  const found = findingOf(target, 'deadlock');
  assert.match(found.primary.text, /1 arrival and 8 B from load/);
  assert.deepEqual(placesOf(found).slice(2), [
    'load: completeTx(full, 8);',
    'load: arriveDrop(full);',
    'use: arrive(gate);',
    'use: expectTx(full, 8);',
  ]);
});

test('N01, N02, L01, A01: waits that are not for a barrier', () => {
  const target = kernel('others', {}, () => {
    const never = barrier('never');
    const tmem = pool('tmem', { capacity: 8, buffers: 2 });
    return [
      role('named', { lanes: 32 }, function* () {
        yield* syncNamed(3, 64);
      }),
      role('cluster', function* () {
        yield* syncCluster();
      }),
      role('joiner', function* () {
        yield* join(4);
      }),
      role('taker', function* () {
        yield* alloc(tmem, 8);
        yield* alloc(tmem, 8);
      }),
      role('stuck', function* () {
        yield* wait(never, 0);
      }),
    ];
  });
  const found = findingOf(target, 'deadlock');
  const texts = textOf(found);
  assert.match(texts, /named .*named barrier 3: 32 of 64 threads/);
  assert.match(texts, /cluster .*every role/);
  assert.match(texts, /joiner .*until stuck has ended/);
  assert.match(texts, /taker .*8 free units of tmem/);
  assert.match(
    found.message,
    /^never counts 1 arrival .* gets none; stuck waits for it/,
    'the cause is what no role can bring',
  );
});

test('M08: a role that tries again and again is stuck once no try can pass', () => {
  const target = kernel('polling', {}, () => {
    const ready = barrier('ready');
    return [
      role('poll', function* () {
        yield* loop(0, function* () {
          yield* tryWait(ready, 0);
          return 0;
        });
      }),
      role('other', function* () {}),
    ];
  });
  const { system, names } = systemOf(target);
  const words = system.initial();
  const found = explain(system, names, deadlockOf(system, words), []);
  assert.match(found.message, /poll waits for phase 0 of ready, and no role has arrived on ready/);
  assert.match(found.primary.text, /poll polls .*ready phase 0/);
  assert.equal(codeAt(found.primary), 'yield* tryWait(ready, 0);');
});

test('a wait that only a failed try leads to is explained, too', () => {
  const target = kernel('doubt', {}, () => {
    const [first, second] = [barrier('first'), barrier('second')];
    return [
      role('doubter', function* () {
        if (yield* tryWait(first, 0)) return;
        yield* wait(second, 0);
        arrive(second);
      }),
      role('helper', function* () {
        arrive(first);
      }),
    ];
  });
  const { message } = findingOf(target, 'deadlock');
  assert.equal(message, 'doubter waits for second, and only its own later operations complete it');
});

test('P11: roles that go on and can not end are shown where they are', () => {
  const target = kernel('endless', {}, () => {
    const flag = cell('flag');
    return [
      role('turn', function* () {
        yield* loop(0, function* () {
          yield* load(flag);
          return 0;
        });
      }),
      role('never', { spawned: true }, function* () {}),
    ];
  });
  const { system, names } = systemOf(target);
  const words = system.initial();
  const found = explain(system, names, deadlockOf(system, words), []);
  assert.match(found.message, /^turn reads flag, which is 0/);
  assert.deepEqual(placesOf(found), ['turn: yield* load(flag);']);
  assert.match(found.helps.join(), /end\(…\)/);
});

test('P11: a role that polls for ever is not stuck while another one may still help it', () => {
  const target = kernel('busy', {}, () => {
    const [tile, ready] = [buffer('tile'), barrier('ready')];
    return [
      role('poll', function* () {
        yield* loop(0, function* () {
          yield* tryWait(ready, 0);
          return 0;
        });
      }),
      role('help', function* () {
        read(tile);
        arrive(ready);
      }),
    ];
  });
  const { system, names } = systemOf(target);
  const found = explain(system, names, deadlockOf(system, system.initial()), []);
  // The arrival is to come, and yet the loop has no end.
  assert.match(found.message, /^poll and help can/);
  assert.deepEqual(placesOf(found), ['poll: yield* tryWait(ready, 0);', 'help: read(tile);']);
  assert.match(found.notes.join(), /try/);
  assert.deepEqual(found.helps, []);
});
