// C02: barriers and cells in global memory, which all CTAs share.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arrive,
  barrier,
  buffer,
  cell,
  fence,
  fetchAdd,
  kernel,
  read,
  role,
  syncNamed,
  wait,
  write,
} from 'poundlock';
import type { Kernel, Op, Role } from 'poundlock';
import type { RuleId } from '@poundlock/core/internal/finding';
import { check } from '#src/check/index';

/** CTAs that meet at a counter after each round, and read what all have written. */
function rounds(meets: boolean, sem?: 'relaxed'): Kernel {
  return kernel('rounds', { ctas: 3 }, ({ ctas }) => {
    const met = barrier('met', { count: ctas, mode: 'counter', space: 'global' });
    const parts = Array.from({ length: ctas }, (_, one) =>
      buffer(`part${one}`, { space: 'global' }),
    );
    const options = sem === undefined ? {} : { sem };
    return parts.map((part, cta): Role =>
      role(`cta${cta}`, { cta }, function* () {
        for (let round = 0; round < 3; round++) {
          write(part);
          arrive(met, options);
          if (meets) yield* wait(met, 2 * round);
          for (const each of parts) read(each);
          arrive(met);
          yield* wait(met, 2 * round + 1);
        }
      }),
    );
  });
}

test('C02: a counter that all CTAs add to and wait for is a barrier of the grid', async () => {
  assert.equal((await check(rounds(true))).verdict, 'certified');
  assert.equal((await check(rounds(true), { memory: 'practice' })).verdict, 'certified');
});

test('C02: without the wait the parts race', async () => {
  assert.equal((await check(rounds(false))).findings[0]?.rule, 'race');
});

test('C02: a relaxed addition carries no memory', async () => {
  const { findings } = await check(rounds(true, 'relaxed'), { memory: 'practice' });
  assert.equal(findings[0]?.rule, 'relaxed-signal');
});

/** CTAs that take turns in their order, declared last to first. */
const TURNS = kernel('turns', { ctas: 4 }, ({ ctas }) => {
  const lock = barrier('lock', { mode: 'counter', space: 'global' });
  const sum = buffer('sum', { space: 'global' });
  return Array.from({ length: ctas }, (_, index) => {
    const cta = ctas - 1 - index;
    return role(`cta${cta}`, { cta }, function* () {
      if (cta > 0) yield* wait(lock, cta - 1);
      read(sum);
      write(sum);
      arrive(lock);
    });
  });
});

test('C02, L: a wait at a counter needs not to know the phase before', async () => {
  const { verdict, stats } = await check(TURNS);
  assert.equal(`${verdict} ${stats.engine}`, 'certified certify');
});

test('C02: a wait that comes late knows its own phase and no later one', async () => {
  const late = kernel('late', {}, () => {
    const flag = barrier('flag', { mode: 'counter', space: 'global' });
    const [first, second] = [
      buffer('first', { space: 'global' }),
      buffer('second', { space: 'global' }),
    ];
    return [
      role('a', { cta: 0 }, function* () {
        write(first);
        arrive(flag);
        write(second);
        arrive(flag);
      }),
      role('b', { cta: 1 }, function* () {
        yield* wait(flag, 0);
        read(first);
        read(second);
      }),
    ];
  });
  const { findings } = await check(late);
  assert.equal(findings[0]?.rule, 'race');
  assert.match(findings[0].message, /second/);
});

test('C02: the last of several CTAs to add to a cell knows what all of them did', async () => {
  const last = kernel('last', { ctas: 5 }, ({ ctas }) => {
    const ticket = cell('ticket', 0, { space: 'global' });
    const parts = Array.from({ length: ctas }, (_, one) =>
      buffer(`part${one}`, { space: 'global' }),
    );
    return parts.map((part, cta) =>
      role(`cta${cta}`, { cta }, function* () {
        write(part);
        const before = yield* fetchAdd(ticket, 1);
        if (before === ctas - 1) for (const each of parts) read(each);
      }),
    );
  });
  assert.equal((await check(last, { memory: 'practice' })).verdict, 'certified');
});

/** What a block of four warps does before one of them signals, and another block behind a wait. */
interface Fenced {
  readonly before?: () => Iterable<Op, void, number>;
  readonly after?: () => Iterable<Op, void, number>;
  readonly sem?: 'relaxed';
}

function* fencedMeeting(): Generator<Op, void, number> {
  fence('acq_rel', { scope: 'gpu' });
  yield* syncNamed(0, 128);
}

function* meeting(): Generator<Op, void, number> {
  yield* syncNamed(0, 128);
}

/** Four warps write, and one of them adds to a counter, relaxed, that another block waits for. */
function signaled({ before = fencedMeeting, after = meeting, sem }: Fenced): Kernel {
  return kernel('signaled', {}, () => {
    const part = buffer('part', { space: 'global' });
    const flag = barrier('flag', { space: 'global', mode: 'counter' });
    const writer = role('writer', { cta: 0, warps: 4 }, function* () {
      write(part);
      yield* before();
      arrive(flag, { sem: 'relaxed', scope: 'gpu', by: 'one' });
    });
    const reader = role('reader', { cta: 1, warps: 4 }, function* () {
      yield* wait(flag, 0, { scope: 'gpu', by: 'one', ...(sem && { sem }) });
      yield* after();
      read(part);
    });
    return [writer, reader];
  });
}

function* meetAndFence(): Generator<Op, void, number> {
  yield* syncNamed(0, 128);
  fence('acquire');
}

function* fenceOfBlock(): Generator<Op, void, number> {
  fence('acq_rel', { scope: 'cta' });
  yield* syncNamed(0, 128);
}

const PLACES: readonly (readonly [string, Fenced, number])[] = [
  ['all fence before they meet, and one signals', {}, 1],
  ['one waits, and all fence behind the barrier', { sem: 'relaxed', after: meetAndFence }, 2],
];

for (const [what, fenced, places] of PLACES)
  test(`H15: ${what}`, async () => {
    const { verdict, scope } = await check(signaled(fenced), { memory: 'practice' });
    assert.equal(verdict, 'certified');
    assert.deepEqual(scope.memory?.practices, [{ id: 'H15', places }]);
    const { findings } = await check(signaled(fenced), { memory: 'isa' });
    assert.equal(findings[0]?.rule, 'relaxed-signal');
  });

const UNFENCED: readonly (readonly [string, Fenced, RuleId])[] = [
  ['no fence before they meet', { before: meeting }, 'relaxed-signal'],
  ['a fence of the block', { before: fenceOfBlock }, 'scope-too-narrow'],
  ['a fence behind the barrier', { before: meetAndFence }, 'relaxed-signal'],
  ['a relaxed wait without a fence', { sem: 'relaxed' }, 'relaxed-signal'],
];

for (const [what, fenced, rule] of UNFENCED)
  test(`H15 does not hold: ${what}`, async () => {
    const { findings } = await check(signaled(fenced), { memory: 'practice' });
    assert.equal(findings[0]?.rule, rule);
  });
