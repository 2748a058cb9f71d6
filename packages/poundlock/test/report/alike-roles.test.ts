// Roles of which the same is shown: neighbors share a row, and each role is in one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { alikeRoles } from '#src/report/alike-roles';

const named = (count: number): string[] => Array.from({ length: count }, (_, at) => `warp${at}`);

test('neighbors that show the same share a row, which names them', () => {
  const shown = ['a', 'b', 'b', 'b', 'a', 'c', 'c'];
  assert.deepEqual(
    alikeRoles(named(7), (role) => shown[role]!).map(({ name }) => name),
    ['warp0', 'warp1–warp3', 'warp4', 'warp5 and warp6'],
  );
});

test('each role is in one row, in order, and rows beside one another differ', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b'), { maxLength: 12 }), (shown) => {
      const rows = alikeRoles(named(shown.length), (role) => shown[role]!);
      assert.deepEqual(
        rows.flatMap(({ roles }) => roles),
        [...shown.keys()],
      );
      for (const [at, { roles }] of rows.entries()) {
        const [key] = new Set(roles.map((role) => shown[role]));
        assert.ok(roles.every((role) => shown[role] === key));
        assert.notEqual(shown[rows[at + 1]?.roles[0] ?? -1], key);
      }
    }),
  );
});
