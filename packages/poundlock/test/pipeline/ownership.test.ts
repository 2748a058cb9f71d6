// Handles that move, leave early, outlive what they were taken from, or come from elsewhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import { OpKind } from '@poundlock/core/internal/op';
import { StageHandle } from '@poundlock/core/internal/program';
import { misuseOf, Ownership } from '../../../core/src/program/ownership.ts';
import { adopt, choose, end, kernel, loop, pipeline, read, role, tma } from 'poundlock';
import type { BorrowedStage, ConsumeContext, ConsumerStage } from 'poundlock';
import { placesOf } from '../../../core/test/system/explore.ts';
import { rulesOf } from '../kernels.ts';
import { findingsOf, loads, ringOf, starvingIn, type Part } from './ring.ts';

const found = (consumer: Part, tiles = 2) => findingsOf(ringOf(loads(tiles), consumer));

test('O07: adopt moves a handle into a scope, through a DisposableStack as well', async () => {
  assert.deepEqual(
    await found(function* (ab) {
      {
        using full = adopt(yield* ab.acquireConsumer());
        read(full.buffer());
      }
      using scope = new DisposableStack();
      read(scope.use(adopt(yield* ab.acquireConsumer())).buffer());
    }),
    [],
  );
});

test('O07: a handle that was adopted is dead', async () => {
  const [twice] = await found(function* (ab) {
    const full = yield* ab.acquireConsumer();
    using _one = adopt(full);
    using _two = adopt(full);
  });
  assert.equal(twice?.rule, 'double-release');
  assert.deepEqual(placesOf(twice), [
    'use: using _two = adopt(full);',
    'use: using _one = adopt(full);',
  ]);
  const [used] = await found(function* (ab) {
    const full = yield* ab.acquireConsumer();
    using _one = adopt(full);
    read(full.buffer());
  });
  assert.equal(used?.rule, 'use-after-release');
  assert.deepEqual(placesOf(used), ['use: read(full.buffer());', 'use: using _one = adopt(full);']);
});

test('O07: detach moves a handle out of its scope, whose end does nothing then', async () => {
  assert.deepEqual(
    await found(function* (ab) {
      const last = yield* loop<ConsumerStage | null>(null, function* (previous) {
        previous?.release();
        if (previous !== null) return end(null);
        using full = yield* ab.consume();
        return full.detach();
      });
      assert.equal(last, null);
      using slot = yield* ab.consume();
      read(slot.buffer());
    }),
    [],
  );
});

test('O07: a producer can be detached and adopted as well', async () => {
  const target = ringOf(
    function* (ab) {
      for (let tile = 0; tile < 2; tile++) {
        using slot = yield* ab.produce();
        using again = adopt(slot.detach());
        tma.load(again);
      }
    },
    function* (ab) {
      for (let tile = 0; tile < 2; tile++) {
        using _full = yield* ab.consume();
      }
    },
  );
  assert.deepEqual(await rulesOf(target), []);
});

test('O07: what was detached must be released', async () => {
  const [leak] = await found(function* (ab) {
    using full = yield* ab.consume();
    full.detach();
  });
  assert.equal(leak?.rule, 'leaked-stage');
  assert.deepEqual(placesOf(leak), ['use: using full = yield* ab.consume();']);
});

test('O06: a child of a scope that was detached is dead, too', async () => {
  const [dead] = await found(function* (ab) {
    using full = yield* ab.consume();
    const view = full.stage();
    const detached = full.detach();
    read(view.buffer());
    detached.release();
  });
  assert.equal(dead?.rule, 'child-outlives-parent');
  assert.deepEqual(placesOf(dead), [
    'use: read(view.buffer());',
    'use: const detached = full.detach();',
  ]);
});

test('O06: a child can not travel through the state of a loop', async () => {
  const travelling = ringOf(loads(1), function* (ab) {
    using full = yield* ab.consume();
    yield* loop<BorrowedStage>(full.stage(), function* (view) {
      return end(view);
    });
  });
  await assert.rejects(check(travelling), /view is a scoped handle/);
});

class Handle extends StageHandle {
  readonly linear = true;
  readonly steps = false;
  drop(): void {}
}

test('O06: a handle that was acquired through another ends before it', () => {
  const ownership = new Ownership();
  const note = (kind: 34 | 35 | 36, handle: Handle) => {
    const op = ownership.note(kind, handle, 0, undefined);
    return op === null ? null : misuseOf(op)!.rule;
  };
  const parent = new Handle(0, 1, 0, 0);
  const child = new Handle(1, 1, 0, 1, parent.id);
  assert.equal(note(OpKind.own, parent), null);
  assert.equal(note(OpKind.own, child), null);
  assert.equal(note(OpKind.disown, parent), 'child-outlives-parent');
  assert.equal(note(OpKind.disown, child), null);
});

test('O08: a wrong order of two scopes is reported with both', async () => {
  const crossed = kernel('crossed', {}, () => {
    const [a, b] = ['a', 'b'].map((name) => pipeline(name, { stages: 1, bytes: 16 }));
    return [
      role('load', function* () {
        using _one = yield* a!.produce();
        using _two = yield* b!.produce();
      }),
      role('cross', function* () {
        const one = yield* a!.produce();
        const two = yield* b!.produce();
        one[Symbol.dispose]();
        two[Symbol.dispose]();
      }),
    ];
  });
  const [first] = await findingsOf(crossed);
  assert.deepEqual(placesOf(first!), [
    'cross: const one = yield* a!.produce();',
    'cross: const two = yield* b!.produce();',
  ]);
});

test('return, break and throw end scopes, and JavaScript keeps their order', async () => {
  const leaves: Part = function* (ab) {
    for (;;) {
      using full = yield* ab.consume();
      read(full.buffer());
      if ((yield* choose(2)) === 0) break;
      try {
        using _again: ConsumeContext = adopt(full.detach());
        throw new Error('caught');
      } catch {
        return;
      }
    }
  };
  assert.deepEqual(await found(leaves, 1), []);
});

const throwing = (body: Part) => check(ringOf(loads(1), body));

test('an exception that leaves a role is no finding: the program could not be run', async () => {
  const holding: Part = function* (ab) {
    using _full = yield* ab.consume();
    throw new Error('no tile');
  };
  await assert.rejects(throwing(holding), /role use threw: no tile/);
});

test('a release that throws hides no other error', async () => {
  const both: Part = function* (ab) {
    using _full = yield* ab.consume();
    using _log = {
      [Symbol.dispose]() {
        throw new Error('the log is closed');
      },
    };
    throw new Error('no tile');
  };
  await assert.rejects(
    throwing(both),
    /role use threw: no tile; then, at the end of a block: the log is closed/,
  );
});

let smuggled: ConsumerStage | null = null;

test('a handle that another role acquired can not be used', async () => {
  const stolen = kernel('stolen', {}, () => {
    const ab = pipeline('ab', { stages: 2, bytes: 16 });
    const handed = pipeline('handed', { stages: 1 });
    return [
      role('load', function* () {
        yield* loads(1)(ab);
      }),
      role('first', function* () {
        smuggled = yield* ab.acquireConsumer();
        yield* handed.producerSignalAndStep();
        smuggled.release();
      }),
      role('second', function* () {
        yield* handed.waitProducer();
        read(smuggled!.buffer());
      }),
    ];
  });
  const [found] = await findingsOf(stolen);
  assert.equal(found?.rule, 'use-after-release');
  assert.deepEqual(placesOf(found), [
    'second: read(smuggled!.buffer());',
    'first: smuggled = yield* ab.acquireConsumer();',
  ]);
});

let isSet = false;

test('a role that looks whether another one has left something is no function of its answers', async () => {
  const looking = kernel('looking', {}, () => {
    const ab = pipeline('ab', { stages: 2, bytes: 16 });
    return [
      role('load', function* () {
        yield* loads(1)(ab);
      }),
      role('first', function* () {
        using _full = yield* ab.consume();
        isSet = true;
      }),
      role('second', function* () {
        if (isSet) read(ab.buffers(0)[0]!);
      }),
    ];
  });
  const { findings } = await check(looking, { engine: 'search' });
  assert.equal(findings[0]?.rule, 'nondeterministic-role');
});

test('P12: a role that keeps the stage, or drains, is not reported', async () => {
  const keeps = ringOf(
    loads(3),
    function* (ab) {
      const held = [yield* ab.acquireConsumer(), yield* ab.acquireConsumer()];
      held.push(yield* ab.acquireConsumer());
      for (const full of held) full.release();
    },
    { advance: 'acquire' },
  );
  assert.deepEqual(await rulesOf(keeps), ['deadlock']);
  const drains = ringOf(
    function* (ab) {
      yield* loads(2)(ab);
      yield* ab.drain();
    },
    function* (ab) {
      for (let tile = 0; tile < 3; tile++) {
        using _full = yield* ab.consume();
      }
    },
  );
  assert.deepEqual(await rulesOf(drains), ['deadlock']);
});

test('P12: a signal that another role makes is not missing', async () => {
  const delegated = kernel('delegated', {}, () => {
    const ab = pipeline('ab', { stages: 1, bytes: 16 });
    const done = pipeline('done', { stages: 1 });
    return [
      role('load', function* () {
        yield* loads(2)(ab);
      }),
      role('use', function* () {
        for (let tile = 0; tile < 2; tile++) {
          (yield* ab.acquireConsumer()).releaseWithoutSignal();
          yield* done.producerSignalAndStep();
        }
      }),
      role('signal', function* () {
        yield* done.consumerSignalAndStep();
        yield* done.waitProducer(); // should have signalled before this
        yield* done.consumerSignalAndStep();
        (yield* ab.acquireConsumer()).release();
      }),
    ];
  });
  assert.equal((await rulesOf(delegated))[0], 'deadlock');
});

test('P12: a consumer of another CTA signals there, and is not to blame here', async () => {
  const two = kernel('two', {}, () => {
    const ab = pipeline('ab', { stages: 1, bytes: 16 });
    const part = (cta: number) => [
      role(`load${cta}`, { cta }, function* () {
        yield* loads(2)(ab);
      }),
      role(`use${cta}`, { cta }, function* () {
        for (let tile = 0; tile < 2; tile++) {
          const full = yield* ab.acquireConsumer();
          if (cta === 0) full.releaseWithoutSignal();
          else full.release();
        }
      }),
    ];
    return [...part(0), ...part(1)];
  });
  const findings = await findingsOf(two);
  assert.deepEqual(
    findings.map(({ rule, primary }) => [rule, primary.role]),
    [['stepped-without-signal', 'use0']],
  );
  assert.deepEqual(starvingIn(findings[0]!), ['load0', 'use0']);
});

test('R10: a stage that is held over a loop with steps of its own is no captured variable', async () => {
  const held = ringOf(
    loads(4),
    function* (ab) {
      const first = yield* ab.acquireConsumer();
      ab.consumerStep();
      yield* loop(0, function* (round) {
        if (round === 2) return end(null);
        yield* ab.consumerSignalAndStep();
        return round + 1;
      });
      first.release();
    },
    { stages: 4 },
  );
  const [found] = await findingsOf(held);
  assert.equal(found?.rule, 'release-order');
  assert.deepEqual(placesOf(found), [
    'use: first.release();',
    'use: const first = yield* ab.acquireConsumer();',
  ]);
});
