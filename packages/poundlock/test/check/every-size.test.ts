// `every`: what depends on single values is noticed, found at a value that is tried, or assumed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import {
  barrier,
  count,
  end,
  integer,
  kernel,
  loop,
  pipeline,
  role,
  waitParity,
  type Kernel,
} from 'poundlock';
import { fill, take } from './counted-rounds.ts';

/** A correct ring; a role that stays behind where `isStuck` says so. */
function counting(isStuck: (tiles: number) => boolean): Kernel {
  return kernel('counting', { tiles: 8 }, ({ tiles }) => build(tiles, () => isStuck(tiles)));
}

function build(tiles: number, isStuck: () => boolean) {
  const ab = pipeline('ab', { stages: 2, bytes: 64 });
  const never = barrier('never');
  const items = count(tiles);
  return [
    role('load', function* () {
      yield* fill(ab, items);
      yield* ab.drain();
    }),
    role('use', function* () {
      yield* take(ab, items);
      if (isStuck()) yield* waitParity(never, 0);
    }),
  ];
}

/** Looks at a number, by the value with which it goes wrong. */
const LOOKS: Record<string, readonly [wrongAt: number, (tiles: number) => boolean]> = {
  '===': [7, (tiles) => tiles === 7],
  '=== after arithmetic': [9, (tiles) => tiles + 1 === 10],
  switch: [
    17,
    (tiles) => {
      switch (tiles) {
        case 17:
          return true;
        default:
          return false;
      }
    },
  ],
  includes: [133, (tiles) => [133, 134].includes(tiles)],
  'the key of a Map': [64, (tiles) => new Map([[64, true]]).get(tiles) === true],
  'the member of a Set': [1_000, (tiles) => new Set([1_000]).has(tiles)],
  parity: [1, (tiles) => tiles % 2 === 1],
  'a bit': [16, (tiles) => (tiles & 16) !== 0],
  'its truth': [0, (tiles) => !tiles],
  'a whole number with a size': [64, (tiles) => Number.isInteger(tiles) && tiles > 20],
  'a safe number with a size': [133, (tiles) => Number.isSafeInteger(tiles) && tiles > 100],
  'typeof and a size': [17, (tiles) => typeof tiles === 'number' && tiles >= 17],
  'Object.is': [3, (tiles) => Object.is(tiles, 3)],
  'a division': [133, (tiles) => Math.ceil(tiles / 132) > 1],
  'the length of an array': [64, (tiles) => Array.from({ length: tiles }).length >= 64],
  'another length': [16, (tiles) => Array(tiles).length >= 10],
  'a template': [17, (tiles) => `${tiles}`.length > 1 && `${tiles}` >= '17'],
  JSON: [2, (tiles) => JSON.stringify({ tiles }) === '{"tiles":2}'],
  'a method': [1_000, (tiles) => tiles.toFixed().length > 3],
};

for (const [how, [wrongAt, isStuck]] of Object.entries(LOOKS)) {
  test(`${how}: an error with ${wrongAt} tiles is found`, async () => {
    const { verdict, params, findings } = await check(counting(isStuck), { every: 'tiles' });
    assert.equal(verdict, 'counterexample');
    assert.ok(isStuck(Number(params['tiles'])), JSON.stringify(params));
    assert.match(findings[0]!.notes.at(-1)!, /^the error needs tiles=\d+/);
  });

  test(`${how}: a kernel that looks and stays right is certified`, async () => {
    const looking = kernel('looking', { tiles: 8 }, ({ tiles }) => {
      let looked = 0;
      return build(tiles, () => {
        if (isStuck(tiles)) looked++;
        return looked > 1;
      });
    });
    const { verdict, scope, reason } = await check(looking, { every: 'tiles' });
    assert.ok(scope.sizes[0]!.certified.includes(133));
    // Either it holds for every value and names what it assumes, or for those that it lists.
    if (scope.every.length > 0) {
      assert.equal(verdict, 'certified');
      assert.ok(scope.assumptions.some(({ name }) => name === 'single-values'));
    } else {
      assert.equal(verdict, 'inconclusive');
      assert.match(reason!, /^this holds for tiles=0–.* only, because/);
    }
  });
}

test('whatever an object can notice is for single values, with its line', async () => {
  const seen = ['parity', 'a division', 'a template', 'JSON', 'a method', 'the length of an array'];
  for (const how of seen) {
    const [, look] = LOOKS[how]!;
    const looking = kernel('looking', { tiles: 8 }, ({ tiles }) =>
      build(tiles, () => look(tiles) && false),
    );
    const { scope, reason } = await check(looking, { every: 'tiles' });
    assert.deepEqual(scope.every, [], how);
    assert.match(reason!, /tiles is used as a plain number in line \d+/, how);
  }
});

test('what no object notices is noticed where two numbers differ in it', async () => {
  const whole = kernel('whole', { tiles: 8 }, ({ tiles }) => {
    const items = count(tiles);
    return [
      role('a', function* () {
        yield* loop(null, function* () {
          return (yield* items.more()) ? null : end(null);
        });
        const rounds = typeof tiles === 'number' ? 3 : 2;
        const ready = Array.from({ length: rounds }, (_, n) => n);
        while (ready.pop() !== undefined) yield* items.more();
      }),
    ];
  });
  const { verdict, scope, reason } = await check(whole, { every: 'tiles' });
  assert.deepEqual([verdict, scope.every], ['inconclusive', []]);
  assert.match(reason!, /because its roles depend on the value of tiles/);
});

/** `waves` follows from `tiles` over `depth` defaults. */
function waves(size: number, depth: 1 | 2, reads: (waves: number) => boolean): Kernel {
  const first = ({ tiles }: { tiles: number }): number => Math.ceil(tiles / size);
  const defaults =
    depth === 1
      ? { tiles: 16, waves: first }
      : { tiles: 16, ctas: first, waves: ({ ctas }: { ctas: number }) => ctas };
  return kernel('waves', defaults, (params) => {
    const { tiles, waves: number } = params as { tiles: number; waves: number };
    return build(tiles, () => reads(number));
  });
}

for (const size of [132, 148, 16, 500]) {
  for (const depth of [1, 2] as const) {
    test(`a default over ${depth} levels follows every value: a second wave of ${size}`, async () => {
      const wrong = await check(
        waves(size, depth, (number) => number > 1),
        { every: 'tiles' },
      );
      assert.equal(wrong.verdict, 'counterexample');
      assert.ok(Number(wrong.params['tiles']) > size);
      const right = await check(
        waves(size, depth, (number) => number > 1e6),
        { every: 'tiles' },
      );
      assert.deepEqual([right.verdict, right.scope.every], ['inconclusive', []]);
      assert.match(right.reason!, /tiles is used as a plain number in line \d+/);
    });
  }
}

test('a default that is the number itself is proved for every value', async () => {
  const same = ({ tiles }: { tiles: number }): number => tiles;
  const defaults = { tiles: 8, loaded: same, used: ({ loaded }: { loaded: number }) => loaded };
  const equal = kernel('equal', defaults, ({ tiles, loaded, used }) => {
    const [all, some] = [count(loaded, 'loaded'), count(used, 'used')];
    const items = count(tiles, 'all');
    const ab = pipeline('ab', { stages: 2, bytes: 64 });
    return [
      role('load', function* () {
        yield* fill(ab, all);
        yield* ab.drain();
      }),
      role('use', function* () {
        yield* take(ab, some);
      }),
      role('count', function* () {
        yield* loop(null, function* () {
          return (yield* items.more()) ? null : end(null);
        });
      }),
    ];
  });
  const { verdict, scope } = await check(equal, { every: 'tiles' });
  assert.deepEqual([verdict, scope.every], ['certified', ['tiles']]);
  // A value that is set does not follow.
  const set = await check(equal, { every: 'tiles', params: { used: 8 } });
  assert.equal(set.verdict, 'counterexample');
});

test('the fewest items of a declared range are required before there are no more', async () => {
  const min = (least: number): Kernel =>
    kernel('min', { tiles: integer(8, { min: least }) }, ({ tiles }) => {
      const ab = pipeline('ab', { stages: 2, bytes: 64 });
      const items = count(tiles);
      return [
        role('load', function* () {
          yield* fill(ab, items);
          yield* ab.drain();
        }),
        role('use', function* () {
          // Three tiles are taken before the first question.
          for (let tile = 0; tile < 3; tile++) {
            yield* items.more();
            (yield* ab.acquireConsumer()).release();
          }
          yield* take(ab, items);
        }),
      ];
    });
  const { verdict, scope } = await check(min(3), { every: 'tiles' });
  assert.deepEqual([verdict, scope.every], ['certified', ['tiles']]);
  assert.deepEqual(scope.sizes[0]!.refused, [0, 1, 2]);
  const less = await check(min(2), { every: 'tiles' });
  assert.deepEqual([less.verdict, less.params['tiles']], ['counterexample', 2]);
});

test('the integers of a kernel and the numbers after them are tried', async () => {
  for (const add of [0, 1]) {
    const special = kernel('special', { tiles: 8 }, ({ tiles }) =>
      build(tiles, () => tiles - add === 37),
    );
    const { verdict, params } = await check(special, { every: 'tiles' });
    assert.deepEqual([verdict, params['tiles']], ['counterexample', 37 + add]);
  }
});

test('a condition that is no size of any list stays an assumption of the verdict', async () => {
  const odd = new Set([1_234, 5_678].map((n) => n * 7 + 1));
  const { verdict, scope } = await check(
    counting((tiles) => odd.has(tiles)),
    { every: 'tiles' },
  );
  assert.deepEqual([verdict, scope.every], ['certified', ['tiles']]);
  assert.match(
    scope.assumptions.map((one) => one.text).join(),
    /===, switch, includes, the key of a Map/,
  );
  const { certified } = scope.sizes[0]!;
  const wanted = [0, 1, 2, 3, 4, 7, 8, 9, 16, 17, 64, 133, 1_000];
  assert.deepEqual(
    wanted.filter((size) => !certified.includes(size)),
    [],
  );
});
