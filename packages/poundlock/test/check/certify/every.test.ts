// Every number of tiles: proofs, the smallest number that fails, and what is no mere count.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import {
  arrive,
  barrier,
  buffer,
  count,
  end,
  kernel,
  loop,
  pipeline,
  read,
  role,
  waitParity,
  write,
  type Kernel,
} from 'poundlock';

async function example(name: string): Promise<Kernel> {
  const file = `../../../../../examples/${name}.ts`;
  return ((await import(file)) as { default: Kernel }).default;
}

const COUNTING = ['gemm', 'gemm-linear', 'hand-over-hand', 'multicast', 'three-roles'];

for (const name of COUNTING) {
  test(`${name} is certified for every number of tiles`, async () => {
    const { verdict, scope, stats } = await check(await example(name), { every: 'tiles' });
    assert.deepEqual([verdict, scope.every], ['certified', ['tiles']]);
    assert.ok(!('tiles' in scope.params));
    // Without its text nothing is proved of what cannot be observed.
    const names = new Set(scope.assumptions.map((one) => one.name));
    assert.ok(names.has('loop-state') && names.has('single-values'), [...names].join());
    assert.ok(stats.states < 100, `${stats.states}`);
  });
}

test('m2 is certified for every number of tiles in few states, however many steps a tile has', async () => {
  const params = { S1: 8, S2: 2, K: 64 };
  const { verdict, stats } = await check(await example('models/m2'), { every: 'T', params });
  assert.equal(verdict, 'certified');
  assert.ok(stats.events < 50_000, `${stats.events}`);
});

/** A ring of `stages` by hand; the consumer reads too late where `late` tiles have gone by. */
const ring = (stages: number, late: number) =>
  kernel('ring', { tiles: 4 }, ({ tiles }) => {
    const ids = Array.from({ length: stages }, (_, s) => s);
    const full = ids.map((s) => barrier(`full[${s}]`));
    const empty = ids.map((s) => barrier(`empty[${s}]`));
    const slot = ids.map((s) => buffer(`slot[${s}]`));
    const items = count(tiles);
    const parity = (n: number): number => Math.floor(n / stages) % 2;
    return [
      role('producer', function* () {
        yield* loop(0, function* (n) {
          if (!(yield* items.more())) return end(0);
          yield* waitParity(empty[n % stages]!, 1 - parity(n));
          write(slot[n % stages]!);
          arrive(full[n % stages]!);
          return (n + 1) % (2 * stages);
        });
      }),
      role('consumer', function* () {
        yield* loop({ n: 0, seen: 0 }, function* ({ n, seen }) {
          if (!(yield* items.more())) return end(0);
          const s = n % stages;
          yield* waitParity(full[s]!, parity(n));
          if (seen === late) arrive(empty[s]!);
          read(slot[s]!);
          if (seen !== late) arrive(empty[s]!);
          return { n: (n + 1) % (2 * stages), seen: Math.min(seen + 1, 20) };
        });
      }),
    ];
  });

test('the smallest number that fails is named, and fewer are right', async () => {
  for (const late of [0, 1, 3]) {
    const target = ring(2, late);
    const { verdict, params, findings } = await check(target, { every: 'tiles' });
    // The slot is written again two tiles later.
    const tiles = late + 3;
    assert.deepEqual([verdict, params['tiles']], ['counterexample', tiles]);
    const [finding] = findings;
    assert.equal(finding?.rule, 'race');
    assert.ok(
      finding.notes.includes(`the error needs tiles=${tiles}: smaller values have no error`),
    );
    const fewer = await check(target, { params: { tiles: tiles - 1 }, engine: 'search' });
    assert.equal(fewer.verdict, 'certified');
  }
  assert.equal((await check(ring(2, 99), { every: 'tiles' })).verdict, 'certified');
});

test('a plain for is certified for its size, with a note of how to get more', async () => {
  const result = await check(await example('models/m1a'), { every: 'T' });
  assert.deepEqual([result.verdict, result.scope.every], ['inconclusive', []]);
  assert.match(
    result.reason!,
    /T=0–5, 16.* only, because T is used as a plain number in line \d+: a loop/,
  );
});

test('a number that shapes the kernel is refused, and a sweep is offered', async () => {
  const checked = check(await example('gemm'), { every: 'stages' });
  await assert.rejects(checked, /no finite proof covers every value.*try --sweep stages=1\.\.16/);
});

test('what is no number, or not there, or to be searched, is refused', async () => {
  const m1 = await example('models/m1');
  await assert.rejects(check(m1, { every: 'BUG_EARLY' }), /is not a number/);
  await assert.rejects(check(m1, { every: 'tiles' }), /no parameter tiles: it has S, T/);
  await assert.rejects(check(m1, { every: 'T', engine: 'search' }), /needs a certificate/);
});

test('a role that depends on a number is located at the comparison', async () => {
  const fussy = (isFussy: (tiles: number) => boolean) =>
    kernel('fussy', { tiles: 4 }, ({ tiles }) => {
      const [items, bar] = [count(tiles), barrier('bar')];
      return [
        role('a', function* () {
          yield* loop(0, function* () {
            return (yield* items.more()) ? 0 : end(0);
          });
          if (!isFussy(tiles)) arrive(bar);
        }),
        role('b', function* () {
          yield* waitParity(bar, 0);
        }),
      ];
    });
  const compared = await check(
    fussy((tiles) => tiles > 100),
    { every: 'tiles' },
  );
  // 133 is one of the values that are tried.
  assert.deepEqual([compared.verdict, compared.params['tiles']], ['counterexample', 133]);
  // Neither of these can be seen, so that some numbers are tried one by one.
  const zero = await check(
    fussy((tiles) => !tiles),
    { every: 'tiles' },
  );
  assert.deepEqual([zero.verdict, zero.params['tiles']], ['counterexample', 0]);
  const three = await check(
    fussy((tiles) => tiles === 3),
    { every: 'tiles' },
  );
  assert.deepEqual([three.verdict, three.params['tiles']], ['counterexample', 3]);
});

test('a million tiles are proved as any number of them, unless a certificate is asked for', async () => {
  const gemm = await example('gemm');
  const many = await check(gemm, { params: { tiles: 1_000_000 } });
  assert.deepEqual([many.verdict, many.scope.every], ['certified', []]);
  assert.ok(many.stats.engine === 'hybrid' && many.stats.events < 1000);
  const few = await check(gemm, { params: { tiles: 2_000 }, engine: 'certify' });
  assert.ok(few.stats.engine === 'certify' && few.stats.events > 20_000);
});

test('what is right for one number alone is counted out', async () => {
  const exact = (rounds: number) =>
    kernel('exact', { tiles: 3000 }, ({ tiles }) => {
      const [items, full, empty] = [count(tiles), barrier('full'), barrier('empty')];
      return [
        role('a', function* () {
          yield* loop(0, function* (n) {
            if (!(yield* items.more())) return end(0);
            yield* waitParity(empty, 1 - n);
            arrive(full);
            return 1 - n;
          });
        }),
        role('b', function* () {
          for (let n = 0; n < rounds; n++) {
            yield* waitParity(full, n % 2);
            arrive(empty);
          }
        }),
      ];
    });
  const { verdict, stats } = await check(exact(3000), { sizes: 'requested' });
  assert.deepEqual([verdict, stats.engine], ['certified', 'certify']);
  assert.equal((await check(exact(3001))).verdict, 'counterexample');
});

test('R06: a ring that a role only counts with, while its barriers stay, closes a proof', async () => {
  const counting = kernel('counting', { tiles: 4 }, ({ tiles }) => {
    const ring = pipeline('ring', { stages: 2 });
    const items = count(tiles);
    const writer = role('writer', function* () {
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        const stage = yield* ring.producerStage();
        write(ring.buffers(stage)[0]!);
        ring.producerStep();
        return null;
      });
    });
    return [writer];
  });
  const { verdict, stats } = await check(counting, { every: 'tiles', maxStates: 100 });
  assert.equal(verdict, 'certified');
  assert.ok(stats.states < 20, `${stats.states}`);
});
