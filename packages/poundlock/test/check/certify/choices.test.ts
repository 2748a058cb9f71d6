// Proofs by choices: what they prove, what they leave to the search, and in how many states.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import {
  alloc,
  arrive,
  arriveDrop,
  barrier,
  buffer,
  cell,
  choose,
  end,
  fetchAdd,
  free,
  join,
  kernel,
  loop,
  pool,
  read,
  role,
  spawn,
  tryWait,
  wait,
  write,
  type Kernel,
  type Role,
} from 'poundlock';

/** Why there is no proof; empty when there is one. */
async function undecided(target: Kernel): Promise<string> {
  const { verdict, reason, stats } = await check(target, { engine: 'certify' });
  assert.notEqual(stats.engine, 'search');
  return verdict === 'certified' ? '' : reason!;
}

async function model(name: string): Promise<Kernel> {
  const file = `../../../../../examples/${name}.ts`;
  return ((await import(file)) as { default: Kernel }).default;
}

// checking.md §5.3 has the states that another implementation of the theorem stores.
const MOST_STATES = [
  ['models/m4', { S: 6, T: 8, C: 3 }, 2622],
  ['models/m4', { S: 6, T: 8, C: 4 }, 6565],
  ['models/m4', { S: 2, T: 4, C: 2, TRY: true }, 100],
  ['work-queue', { stages: 2, workers: 2 }, 76],
  ['work-queue', { stages: 4, workers: 3 }, 1673],
] as const;

for (const [name, params, most] of MOST_STATES) {
  test(`${name} ${JSON.stringify(params)} is proved in at most ${most} states`, async () => {
    const { verdict, stats } = await check(await model(name), { engine: 'certify', params });
    assert.deepEqual([verdict, stats.engine], ['certified', 'hybrid']);
    assert.ok(stats.states <= most, `${stats.states}`);
  });
}

/** Two roles, a barrier and a buffer. */
const pair = (
  make: (full: ReturnType<typeof barrier>, slot: ReturnType<typeof buffer>) => Role[],
) => kernel('pair', {}, () => make(barrier('full'), buffer('slot')));

test('both answers of a try are followed', async () => {
  const careful = pair((full, slot) => [
    role('a', function* () {
      write(slot);
      arrive(full);
    }),
    role('b', function* () {
      if (yield* tryWait(full, 0)) read(slot);
      else yield* wait(full, 0);
      read(slot);
    }),
  ]);
  assert.equal(await undecided(careful), '');
  const careless = pair((full, slot) => [
    role('a', function* () {
      write(slot);
      arrive(full);
    }),
    role('b', function* () {
      yield* tryWait(full, 0);
      read(slot);
    }),
  ]);
  assert.match(await undecided(careless), /two accesses to slot are not ordered/);
  assert.equal((await check(careless)).findings[0]?.rule, 'race');
});

test('a loop that polls a barrier is proved; one that polls for nothing is not', async () => {
  const polling = (phase: number) =>
    pair((full, slot) => [
      role('a', function* () {
        write(slot);
        arrive(full);
      }),
      role('b', function* () {
        yield* loop(null, function* () {
          return (yield* tryWait(full, phase)) ? end(null) : null;
        });
        read(slot);
      }),
    ]);
  assert.equal(await undecided(polling(0)), '');
  assert.match(await undecided(polling(2)), /no terminal|different phase/);
});

test('of turns at a cell every order is followed', async () => {
  const last = (isRight: boolean) =>
    kernel('last', {}, () => {
      const [turns, one, two] = [cell('turns'), buffer('one'), buffer('two')];
      const worker = (name: string, own: typeof one, other: typeof one) =>
        role(name, function* () {
          write(own);
          const before = yield* fetchAdd(turns, 1);
          if (before === (isRight ? 1 : 0)) read(other);
        });
      return [worker('a', one, two), worker('b', two, one)];
    });
  assert.equal(await undecided(last(true)), '');
  assert.match(await undecided(last(false)), /not ordered/);
});

test('of turns at a pool every order is followed', async () => {
  const shared = kernel('shared', {}, () => {
    const memory = pool('memory', { capacity: 1, buffers: 2 });
    const user = (name: string) =>
      role(name, function* () {
        const own = yield* alloc(memory, 1);
        write(own);
        free(own);
      });
    return [user('a'), user('b'), user('c')];
  });
  // No role relinquishes the permit: that is a warning, which the search reports.
  assert.match(await undecided(shared), /unfinished phases or allocations/);
  assert.equal((await check(shared)).verdict, 'certified');
});

test('roles that are spawned and joined need no choice', async () => {
  const family = (waits: boolean) =>
    kernel('family', {}, () => {
      const slot = buffer('slot');
      return [
        role('parent', function* () {
          write(slot);
          spawn(1);
          if (waits) yield* join(1);
          read(slot);
        }),
        role('child', { spawned: true }, function* () {
          write(slot);
          yield* choose(1);
        }),
      ];
    });
  assert.equal(await undecided(family(true)), '');
  assert.match(await undecided(family(false)), /not ordered/);
});

test('an arrival that is the last of its role changes only later phases', async () => {
  const leaving = kernel('leaving', {}, () => {
    const bar = barrier('bar', { count: 2 });
    return [
      role('a', function* () {
        arriveDrop(bar);
      }),
      role('b', function* () {
        arrive(bar);
        yield* wait(bar, 0);
        arrive(bar);
        yield* wait(bar, 1);
      }),
    ];
  });
  const { verdict, stats } = await check(leaving);
  assert.deepEqual([verdict, stats.engine], ['certified', 'certify']);
});

test('harmless deviations go to the search, which says that phases are ambiguous', async () => {
  const free4 = kernel('free', {}, () => {
    const bar = barrier('bar', { count: 2 });
    const arriver = (name: string) =>
      role(name, function* () {
        arrive(bar);
      });
    return ['a', 'b', 'c', 'd'].map(arriver);
  });
  const { verdict, stats, notes } = await check(free4);
  assert.deepEqual([verdict, stats.engine], ['certified', 'search']);
  assert.match(notes![0]!, /^phases are ambiguous/);
});

test('a phase that is waited for by its number keeps it (R06)', async () => {
  const late = (isLate: boolean) =>
    pair((full, slot) => [
      role('a', function* () {
        yield* choose(2);
        write(slot);
        arrive(full);
        if (isLate) {
          arrive(full);
          arrive(full);
        }
      }),
      role('b', function* () {
        yield* choose(2);
        yield* wait(full, 0);
        read(slot);
      }),
    ]);
  assert.equal(await undecided(late(false)), '');
  assert.match(await undecided(late(true)), /different phase|different way/);
  assert.equal((await check(late(true))).findings[0]?.rule, 'false-block');
});

test('of two roles that do the same, one that is waited for by its number is not the other', async () => {
  // The other one may still read: it is only when it is behind that it does.
  const named = (number: number) =>
    kernel('named', {}, () => {
      const [turns, slot] = [cell('turns'), buffer('slot')];
      const reader = (name: string) =>
        role(name, function* () {
          yield* fetchAdd(turns, 0);
          read(slot);
          yield* fetchAdd(turns, 0);
          yield* fetchAdd(turns, 0);
        });
      const last = role('last', function* () {
        yield* join(number);
        write(slot);
        yield* join(3 - number);
      });
      return [last, reader('a'), reader('b')];
    });
  for (const number of [1, 2]) {
    assert.match(await undecided(named(number)), /not ordered/);
    assert.equal((await check(named(number))).findings[0]?.rule, 'race');
  }
});
