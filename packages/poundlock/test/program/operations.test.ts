// Operations refuse numbers that mean nothing, in one clear line with its place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import * as poundlock from 'poundlock';

const { barrier, cell, kernel, pool, role } = poundlock;

type Body = (declared: ReturnType<typeof parts>) => unknown;
const parts = () => ({
  bar: barrier('bar'),
  cell: cell('cell'),
  pool: pool('pool', { capacity: 4 }),
});

const refused: readonly (readonly [string, Body, RegExp])[] = [
  ['arrive', ({ bar }) => poundlock.arrive(bar, { count: 0 }), /count of arrive\(\).* not 0$/],
  ['bytes', ({ bar }) => poundlock.arrive(bar, { bytes: -1 }), /bytes of arrive\(\).* not -1$/],
  ['expectTx', ({ bar }) => poundlock.expectTx(bar, 1.5), /bytes of expectTx\(\).* not 1.5$/],
  ['init', ({ bar }) => poundlock.init(bar, Number.NaN), /count of init\(\).* not NaN$/],
  ['wait', ({ bar }) => poundlock.wait(bar, -2), /phase of wait\(\).* from -1 .* not -2$/],
  ['waitParity', ({ bar }) => poundlock.waitParity(bar, 2), /parity of waitParity\(\).* 0 to 1/],
  ['store', ({ cell: one }) => poundlock.store(one, 2 ** 40), /value of store\(\)/],
  ['choose', () => poundlock.choose(0), /answers of choose\(\) .* not 0$/],
  ['alloc', ({ pool: one }) => poundlock.alloc(one, 0), /units of alloc\(\)/],
  ['syncNamed', () => poundlock.syncNamed(16, 32), /named barrier .* 0 to 15, not 16$/],
  ['join', () => poundlock.join(3), /join names role 3 of 0 to 0$/],
];

for (const [name, body, message] of refused) {
  test(`${name} refuses it`, async () => {
    const bad = kernel('bad', {}, () => {
      const declared = parts();
      return [
        role('r', function* () {
          const target = body(declared);
          if (target instanceof Object) yield* target as Iterable<never>;
        }),
      ];
    });
    await assert.rejects(check(bad), (error: Error & { position?: { file: string } }) => {
      assert.match(error.message, message);
      if (name !== 'join') assert.match(error.position!.file, /operations\.test\.ts$/);
      return true;
    });
  });
}
