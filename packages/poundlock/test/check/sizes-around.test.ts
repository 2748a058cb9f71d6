// Sizes around the requested one: which are tried, what is found there, and what is no size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import {
  alloc,
  arrive,
  barrier,
  buffer,
  count,
  end,
  free,
  integer,
  kernel,
  loop,
  pipeline,
  pool,
  read,
  relinquish,
  role,
  tma,
  waitParity,
  write,
  type Kernel,
} from 'poundlock';

/** A loader and a consumer, which takes `taken(n)` of `n` tiles; `extra` comes after the loop. */
function ring(taken: (tiles: number) => number, tiles: number | ReturnType<typeof integer> = 3) {
  return kernel('ring', { stages: 2, tiles }, ({ stages, tiles: all }) => {
    const ab = pipeline('ab', { stages, bytes: 64 });
    return [
      role('load', function* () {
        for (let tile = 0; tile < all; tile++) {
          const slot = yield* ab.acquireProducer();
          tma.load(slot);
          slot.release();
        }
        yield* ab.drain();
      }),
      role('use', function* () {
        for (let tile = 0; tile < taken(all); tile++) {
          const slot = yield* ab.acquireConsumer();
          slot.release();
        }
      }),
    ];
  });
}

async function at(target: Kernel, params = {}) {
  const { verdict, findings, scope, params: checked } = await check(target, { params });
  const [finding] = findings;
  return { verdict, message: finding?.message ?? '', params: finding?.params, scope, checked };
}

test('a certificate names the sizes that it is about', async () => {
  const { verdict, scope } = await at(ring((tiles) => tiles));
  assert.equal(verdict, 'certified');
  const sizes = [{ parameter: 'tiles', certified: [0, 1, 2, 4], refused: [], open: [] }];
  assert.deepEqual(scope.sizes, sizes);
});

test('roles that disagree with one tile more are an error that names both sizes', async () => {
  const { verdict, message, params, checked } = await at(ring((tiles) => Math.min(tiles, 3)));
  assert.equal(verdict, 'counterexample');
  assert.match(message, /^at tiles=4 \(requested: tiles=3\): /);
  assert.deepEqual([params, checked['tiles']], [{ tiles: 4 }, 3]);
});

test('roles that disagree without tiles are a warning, which can be denied', async () => {
  const wrongAt0 = ring((tiles) => Math.max(tiles, 1));
  const { verdict, findings, scope } = await check(wrongAt0);
  assert.equal(verdict, 'certified');
  assert.deepEqual(
    findings.map(({ rule, severity, params }) => [rule, severity, params]),
    [['undeclared-size', 'warning', { tiles: 0 }]],
  );
  assert.notEqual(findings[0]!.replayToken, undefined);
  const tried = { certified: [1, 2, 4], refused: [], open: [], undeclared: [0] };
  assert.deepEqual(scope.sizes, [{ parameter: 'tiles', ...tried }]);
  const denied = await check(wrongAt0, { deny: ['undeclared-size'] });
  assert.deepEqual([denied.verdict, denied.findings[0]?.severity], ['counterexample', 'error']);
  const other = await check(wrongAt0, { deny: ['not-quiescent'] });
  assert.equal(other.verdict, 'certified');
  await assert.rejects(check(wrongAt0, { deny: ['race'] }), /a rule of deny must be/);
});

test('the size 0 that is requested, a default or in the range is an error there', async () => {
  const wrongAt0 = (tiles: number): number => Math.max(tiles, 1);
  const requested = await check(ring(wrongAt0), { params: { tiles: 0 } });
  assert.deepEqual(
    [requested.verdict, requested.findings[0]?.rule],
    ['counterexample', 'deadlock'],
  );
  const ofDefault = await at(ring(wrongAt0, 0), { tiles: 3 });
  assert.deepEqual([ofDefault.verdict, ofDefault.params], ['counterexample', { tiles: 0 }]);
  const inRange = await at(ring(wrongAt0, integer(3, { min: 0 })));
  assert.deepEqual([inRange.verdict, inRange.params], ['counterexample', { tiles: 0 }]);
});

test('both ends of a range are tried, whatever its parameter counts', async () => {
  const lanes = (max: number): Kernel =>
    kernel('k', { lanes: integer(64, { min: 32, max, multipleOf: 32 }) }, ({ lanes: all }) => {
      const full = barrier('full', { count: all });
      return [
        role('a', function* () {
          arrive(full, { count: Math.min(all, 128) });
        }),
        role('b', function* () {
          yield* waitParity(full, 0);
        }),
      ];
    });
  const right = await at(lanes(128));
  assert.deepEqual(right.scope.sizes[0]?.certified, [32, 96, 128]);
  const wrong = await at(lanes(1024));
  assert.deepEqual([wrong.verdict, wrong.params], ['counterexample', { lanes: 1024 }]);
});

test('roles that disagree with fewer than stages, and with twice as many', async () => {
  const at1 = await at(ring((tiles) => (tiles === 1 ? 0 : tiles)));
  assert.deepEqual([at1.verdict, at1.params], ['counterexample', { tiles: 1 }]);
  const at8 = await at(
    ring((tiles) => (tiles === 8 ? 7 : tiles)),
    { stages: 4, tiles: 20 },
  );
  assert.deepEqual([at8.verdict, at8.params], ['counterexample', { tiles: 8 }]);
});

test('a ring by hand that is refilled without a wait races one block later', async () => {
  const blocks = kernel('blocks', { blocks: 3 }, ({ blocks: all }) => {
    const slots = [0, 1, 2].map((s) => ({ full: barrier(`full${s}`), data: buffer(`data${s}`) }));
    const items = count(all);
    return [
      role('writer', function* () {
        yield* loop(0, function* (n) {
          if (!(yield* items.more())) return end(0);
          write(slots[n % 3]!.data);
          arrive(slots[n % 3]!.full);
          return (n + 1) % 6;
        });
      }),
      role('reader', function* () {
        yield* loop(0, function* (n) {
          if (!(yield* items.more())) return end(0);
          yield* waitParity(slots[n % 3]!.full, Math.floor(n / 3));
          read(slots[n % 3]!.data);
          return (n + 1) % 6;
        });
      }),
    ];
  });
  const { verdict, message, params } = await at(blocks);
  assert.deepEqual([verdict, params], ['counterexample', { blocks: 4 }]);
  assert.match(message, /^at blocks=4 \(requested: blocks=3\): /);
});

test('the requested size alone, where that is chosen', async () => {
  const wrong = ring((tiles) => Math.min(tiles, 3));
  const { verdict, scope } = await check(wrong, { sizes: 'requested' });
  assert.deepEqual([verdict, scope.sizes], ['certified', []]);
  // An explicit engine checks that size only, too.
  for (const engine of ['certify', 'search', 'reduced'] as const) {
    assert.equal((await check(wrong, { engine })).verdict, 'certified');
  }
  assert.equal(
    (await check(wrong, { engine: 'search', sizes: 'around' })).verdict,
    'counterexample',
  );
  await assert.rejects(check(wrong, { sizes: 'arond' as never }), /not 'arond': did you mean/);
});

test('a size that the kernel refuses is no finding', async () => {
  const even = kernel('even', { tiles: 4 }, ({ tiles }) => {
    if (tiles % 2 !== 0) throw new RangeError(`tiles must be even, not ${tiles}`);
    return ring((all) => all).build({ stages: 2, tiles });
  });
  const { verdict, scope } = await at(even);
  assert.equal(verdict, 'certified');
  const [{ certified, refused } = { certified: [], refused: [] }] = scope.sizes;
  assert.deepEqual(
    [certified, refused],
    [
      [0, 2],
      [1, 3, 5],
    ],
  );
});

test('a declared range is what is tried', async () => {
  const wrongAt0 = (tiles: number): number => Math.max(tiles, 1);
  const { verdict, scope } = await at(ring(wrongAt0, integer(3, { min: 1, max: 3 })));
  assert.equal(verdict, 'certified');
  assert.deepEqual(scope.sizes[0]?.certified, [1, 2]);
  assert.equal((await at(ring(wrongAt0, integer(3)))).verdict, 'counterexample');
});

/** Kernels that are right with their default only, each for a parameter that counts no items. */
const NO_COUNTS: Record<string, Kernel> = {
  'a number of arrivals': kernel('k', { lanes: 2 }, ({ lanes }) => {
    const full = barrier('full', { count: 2 });
    return [
      role('a', function* () {
        arrive(full, { count: lanes });
      }),
      role('b', function* () {
        yield* waitParity(full, 0);
      }),
    ];
  }),
  'a number of columns': kernel('k', { columns: 256 }, ({ columns }) => {
    const tmem = pool('tmem', { capacity: 512 });
    return [
      role('a', function* () {
        const [one, other] = [yield* alloc(tmem, columns), yield* alloc(tmem, columns)];
        free(one);
        free(other);
        relinquish(tmem);
      }),
    ];
  }),
  'a phase': kernel('k', { start: 0 }, ({ start }) => {
    const full = barrier('full');
    return [
      role('a', function* () {
        arrive(full);
      }),
      role('b', function* () {
        yield* waitParity(full, start % 2);
        arrive(full);
      }),
    ];
  }),
  'a variant': kernel('k', { variant: 2 }, ({ variant }) => {
    const full = barrier('full');
    return [
      role('a', function* () {
        if (variant === 2) arrive(full);
        if (variant === 3) for (let n = 0; n < 3; n++) arrive(full);
      }),
      role('b', function* () {
        yield* waitParity(full, 0);
      }),
    ];
  }),
  'a number of stages': kernel('k', { stages: 2 }, ({ stages }) => {
    const ab = pipeline('ab', { stages, bytes: 64, advance: 'acquire' });
    return [
      role('a', function* () {
        const one = yield* ab.acquireProducer();
        const two = yield* ab.acquireProducer();
        for (const slot of [one, two]) {
          tma.load(slot);
          slot.release();
        }
        yield* ab.drain();
      }),
      role('b', function* () {
        for (let n = 0; n < 2; n++) (yield* ab.acquireConsumer()).release();
      }),
    ];
  }),
};

for (const [what, target] of Object.entries(NO_COUNTS)) {
  test(`${what} is not varied`, async () => {
    const { verdict, scope, message } = await at(target);
    assert.deepEqual([verdict, scope.sizes, message], ['certified', [], '']);
  });
}

test('a default that follows from another parameter follows it', async () => {
  const derived = kernel(
    'derived',
    { tiles: 3, taken: (p: { tiles: number }) => p.tiles },
    ({ tiles, taken }) => ring(() => taken).build({ stages: 2, tiles }),
  );
  const { verdict, scope } = await at(derived);
  assert.deepEqual(
    [verdict, scope.sizes.map(({ parameter }) => parameter)],
    ['certified', ['tiles']],
  );
});

test('sizes that are left out by a bound are listed, and the verdict stays', async () => {
  let time = 0;
  const right = ring((tiles) => tiles);
  const { verdict, scope } = await check(right, { now: () => (time += 300), timeoutMs: 1e9 });
  assert.equal(verdict, 'certified');
  assert.ok(scope.sizes[0]!.open.length > 0);
});
