// P07: each of a row of equal tries may fail, until it is so long that it is taken for a poll.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceText as sourceOf } from '@poundlock/core/internal/host';
import { check } from '#src/check/index';
import { arrive, barrier, buffer, kernel, read, role, tryWait, wait, write } from '#src/public';
import type { Barrier, Buffer, Kernel, Role } from '#src/public';

type Body = (ready: Barrier, tile: Buffer, never: Barrier) => ReturnType<Role['body']>;

/** A producer that signals once, and what a consumer does until it has seen that. */
function consuming(body: Body): Kernel {
  const text = kernel('consuming', {}, () => {
    const [ready, never, tile] = [barrier('ready'), barrier('never'), buffer('tile')];
    return [
      role('p', function* () {
        write(tile);
        arrive(ready);
      }),
      role('c', function* () {
        yield* body(ready, tile, never);
      }),
    ];
  });
  return { ...text, sourceOf };
}

const ROWS: Readonly<Record<string, readonly [verdict: string, Kernel]>> = {
  'a read after two tries': [
    'race',
    consuming(function* (ready, tile) {
      for (let i = 0; i < 2; i++) if (yield* tryWait(ready, 0)) break;
      read(tile);
    }),
  ],
  'a read after the tenth failure of many': [
    'race',
    consuming(function* (ready, tile) {
      for (let i = 0; i < 14; i++) if (!(yield* tryWait(ready, 0)) && i === 9) read(tile);
      yield* wait(ready, 0);
    }),
  ],
  'a fallback that waits for what never comes': [
    'deadlock',
    consuming(function* (ready, _tile, never) {
      let isReady = false;
      for (let i = 0; i < 3 && !isReady; i++) isReady = yield* tryWait(ready, 0);
      if (!isReady) yield* wait(never, 0);
    }),
  ],
  'a fallback that waits': [
    'certified',
    consuming(function* (ready, tile) {
      let isReady = false;
      for (let i = 0; i < 3 && !isReady; i++) isReady = yield* tryWait(ready, 0);
      if (!isReady) yield* wait(ready, 0);
      read(tile);
    }),
  ],
  'a poll': [
    'certified',
    consuming(function* (ready, tile) {
      while (!(yield* tryWait(ready, 0)));
      read(tile);
    }),
  ],
  'a poll that counts': [
    'certified',
    consuming(function* (ready, tile) {
      for (let misses = 0; ; misses++) if (yield* tryWait(ready, 0)) break;
      read(tile);
    }),
  ],
  'a poll of what never comes': [
    'deadlock',
    consuming(function* (_ready, _tile, never) {
      while (!(yield* tryWait(never, 0)));
    }),
  ],
  'a row that ends far beyond the bound': [
    'inconclusive',
    consuming(function* (ready, tile) {
      for (let i = 0; i < 9_000; i++) if (yield* tryWait(ready, 0)) break;
      read(tile);
    }),
  ],
};

for (const [what, [expected, program]] of Object.entries(ROWS)) {
  for (const engine of ['auto', 'reduced', 'search'] as const) {
    test(`${what}, by ${engine}`, async () => {
      const { verdict, findings, scope } = await check(program, { engine });
      assert.equal(verdict === 'counterexample' ? findings[0]!.rule : verdict, expected);
      const names = scope.assumptions.map(({ name }) => name);
      if (verdict === 'inconclusive') assert.deepEqual(names, ['poll']);
    });
  }
}

test('polls of a hundred tiles are one run, and assume nothing', async () => {
  const text = kernel('polls', {}, () => {
    const [full, empty, tile] = [barrier('full'), barrier('empty'), buffer('tile')];
    return [
      role('p', function* () {
        for (let i = 0; i < 100; i++) {
          if (i > 0) while (!(yield* tryWait(empty, i - 1)));
          write(tile);
          arrive(full);
        }
      }),
      role('c', function* () {
        for (let i = 0; i < 100; i++) {
          while (!(yield* tryWait(full, i)));
          read(tile);
          arrive(empty);
        }
      }),
    ];
  });
  // Without the text of its module, that of the kernel is enough.
  for (const program of [text, { ...text, sourceOf }]) {
    const { verdict, stats, scope } = await check(program, { engine: 'certify' });
    assert.deepEqual([verdict, stats.engine, scope.assumptions], ['certified', 'certify', []]);
  }
});
