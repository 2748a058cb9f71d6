// Why nothing is decided: the certificate's reason first, then what was searched, and for how long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrive, barrier, cell, kernel, load, role, store, wait } from 'poundlock';
import { check } from '../accepting.ts';
import type { CheckOptions } from '#src/check/index';
import { SEARCH_MS } from '#src/check/options';
import { partsOf } from '#src/report/verdict';
import type { Kernel } from '../../../core/src/program/index.ts';

/** A right program that no certificate is had of, with more states than a test may search. */
function flags(roles: number): Kernel {
  return kernel('flags', {}, () => {
    const cells = Array.from({ length: roles }, (_, at) => cell(`flag${at}`, 0));
    const done = barrier('done', { count: roles });
    return Array.from({ length: roles }, (_, at) =>
      role(`r${at}`, function* () {
        store(cells[at]!, 1);
        yield* load(cells[(at + 1) % roles]!);
        yield* load(cells[(at + 2) % roles]!);
        arrive(done);
        yield* wait(done, 0);
      }),
    );
  });
}

/** A clock that counts how often it is asked, so that a slow machine changes nothing. */
function counting(step = 1): Pick<CheckOptions, 'now'> {
  let now = 0;
  return { now: () => (now += step) };
}

const REFUSED = 'a store and a load of a cell are not ordered';

test('a search after a certificate that failed is short, and says what it saw', async () => {
  const { verdict, reason, stats } = await check(flags(9), counting(50));
  assert.equal(verdict, 'inconclusive');
  const text = /^(?<why>.*); (?<states>[\d,]+) states were searched until (?<until>.*)$/.exec(
    reason!,
  );
  const { why, states, until } = text!.groups!;
  assert.equal(why, REFUSED);
  assert.equal(Number(states!.replaceAll(',', '')), stats.states);
  assert.match(until!, /^the bound search-time of [\d,]+ ms was reached$/);
});

test('a longer certificate is followed by a longer search', async () => {
  const limitOf = async (step: number): Promise<number> => {
    const { reason } = await check(flags(9), counting(step));
    return Number(/search-time of ([\d,]+) ms/.exec(reason!)![1]!.replaceAll(',', ''));
  };
  assert.equal(await limitOf(20), SEARCH_MS);
  assert.ok((await limitOf(5_000)) > 5_000);
});

test('a time-out, and an engine that searches, ask for more or less', async () => {
  const timed = await check(flags(9), { ...counting(50), timeoutMs: 9_000 });
  assert.match(timed.reason!, /until the bound timeout of 9,000 ms was reached$/);
  // How far it came is a fact of the verdict, which every surface shows.
  const { unfinished, states } = timed.stats;
  assert.ok(unfinished!.depth > 0 && unfinished!.open > 0 && unfinished!.open <= states);
  assert.match(partsOf(timed).statistics, /^[\d,]+ states to depth [\d,]+, [\d,]+ open, /);
  const few = { ...counting(50), maxStates: 2_000 };
  for (const engine of ['search', 'reduced'] as const) {
    const { reason } = await check(flags(9), { ...few, engine });
    assert.match(reason!, /^the bound max-states of 2,000 was reached/);
  }
  // What is small enough is decided.
  const { verdict, stats } = await check(flags(2), counting());
  assert.deepEqual([verdict, stats.unfinished], ['certified', undefined]);
});

test('a check that has a clock ends', async () => {
  const { reason } = await check(flags(9), { ...counting(40_000), engine: 'search' });
  assert.match(reason!, /^the bound timeout of 600,000 ms was reached/);
});
