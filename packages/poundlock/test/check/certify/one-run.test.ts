// The certificate: what it proves from one run, and what it leaves to the search.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  cell,
  end,
  exit,
  init,
  invalidate,
  kernel,
  load,
  loop,
  read,
  role,
  store,
  wait,
} from 'poundlock';
import { UNITS, waitParity, write, type Kernel } from 'poundlock';

const EXAMPLES = ['gemm', 'gemm-linear', 'hand-over-hand', 'multicast', 'three-roles'];

async function example(name: string): Promise<Kernel> {
  return ((await import(`../../../../../examples/${name}.ts`)) as { default: Kernel }).default;
}

/** Why one run does not decide a kernel; empty when it is certified. */
async function undecided(target: Kernel): Promise<string> {
  const { verdict, reason, stats } = await check(target, { engine: 'certify' });
  assert.equal(stats.engine, 'certify');
  assert.equal(stats.states, 0);
  return verdict === 'certified' ? '' : reason!;
}

for (const name of EXAMPLES) {
  test(`${name} is certified with a thousand tiles, from so many events as there are`, async () => {
    const kernel = await example(name);
    const [small, large] = await Promise.all(
      [100, 1000].map((tiles) => check(kernel, { engine: 'certify', params: { tiles } })),
    );
    assert.equal(large!.verdict, 'certified');
    const growth = large!.stats.events / small!.stats.events;
    assert.ok(growth > 8 && growth < 11, `${growth}`);
  });
}

/** Two roles, a barrier that one of them completes, and a buffer. */
const pair = (first: (b: Parts) => void, second: (b: Parts) => Iterable<never> | void) =>
  kernel('pair', {}, () => {
    const parts = {
      full: barrier('full'),
      other: barrier('other', { count: 2 }),
      slot: buffer('slot'),
    };
    return [
      role('a', function* () {
        first(parts);
      }),
      role('b', function* () {
        yield* waitParity(parts.full, 0);
        second(parts);
      }),
    ];
  });
type Parts = Record<'full' | 'other', ReturnType<typeof barrier>> & {
  slot: ReturnType<typeof buffer>;
};

test('R: an access that no wait orders is left to the search', async () => {
  const racing = pair(
    ({ full, slot }) => (arrive(full), write(slot)),
    ({ slot }) => read(slot),
  );
  assert.match(await undecided(racing), /two accesses to slot are not ordered/);
  const ordered = pair(
    ({ full, slot }) => (write(slot), arrive(full)),
    ({ slot }) => read(slot),
  );
  assert.equal(await undecided(ordered), '');
});

test('R: the end of a CTA must come after all other roles', async () => {
  const early = kernel('early', {}, () => {
    const slot = buffer('slot');
    return [
      role('reader', function* () {
        read(slot);
      }),
      role('ender', function* () {
        exit();
      }),
    ];
  });
  assert.match(await undecided(early), /can end while other roles still access it/);
});

test('R: barriers may be initialized and invalidated where that is ordered', async () => {
  const ordered = pair(
    ({ full }) => arrive(full),
    ({ full }) => invalidate(full),
  );
  assert.equal(await undecided(ordered), '');
  const early = kernel('early', {}, () => {
    const late = barrier('late', { count: 0 });
    return [
      role('a', function* () {
        init(late, 1);
      }),
      role('b', function* () {
        arrive(late);
      }),
    ];
  });
  assert.match(await undecided(early), /\binitialized\b/);
});

test('R: a barrier is initialized again after its last life is known to have ended', async () => {
  const reborn = (isOrdered: boolean) =>
    kernel('reborn', {}, () => {
      const [one, ended] = [barrier('one', { count: 2 }), barrier('ended')];
      return [
        role('ender', function* () {
          invalidate(one);
          arrive(ended);
        }),
        role('beginner', function* () {
          if (isOrdered) yield* wait(ended, 0);
          init(one, 1);
        }),
      ];
    });
  assert.match(await undecided(reborn(false)), /can end while other roles still access it/);
  assert.equal((await check(reborn(false))).findings[0]!.rule, 'uninitialised-barrier');
  assert.equal(await undecided(reborn(true)), '');
});

test('M: arrivals that can count for several phases are left to the search', async () => {
  const free = kernel('free', {}, () => {
    const bar = barrier('bar', { count: 2 });
    const arriver = (name: string) =>
      role(name, function* () {
        arrive(bar);
      });
    return ['a', 'b', 'c', 'd'].map(arriver);
  });
  assert.match(
    await undecided(free),
    /arrivals on bar can be distributed over its phases in a different way/,
  );
  assert.equal((await check(free)).verdict, 'certified');
});

test('a loop that waits by polling is left to the search', async () => {
  const polling = kernel('polling', {}, () => {
    const flag = cell('flag');
    return [
      role('poller', function* () {
        yield* loop(null, function* () {
          return (yield* load(flag)) === 1 ? end(null) : null;
        });
      }),
      role('setter', function* () {
        store(flag, 1);
      }),
    ];
  });
  assert.match(await undecided(polling), /may never end/);
  assert.equal((await check(polling)).verdict, 'certified');
});

test('D: bytes without an expect are left to the search', async () => {
  const unasked = kernel('unasked', {}, () => {
    const bar = barrier('bar');
    return [
      role('a', function* () {
        asyncCopy(UNITS.tma, { into: [], bar, bytes: 8 });
      }),
    ];
  });
  assert.match(await undecided(unasked), /bytes are missing or left over/);
});
