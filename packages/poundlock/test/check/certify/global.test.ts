// C02: barriers and cells in global memory, which all CTAs share.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arrive,
  barrier,
  buffer,
  cell,
  fetchAdd,
  kernel,
  read,
  role,
  wait,
  write,
} from 'poundlock';
import type { Kernel, Role } from 'poundlock';
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
