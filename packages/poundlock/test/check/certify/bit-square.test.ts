// A square that is turned over its diagonal, against bits that are moved one by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { SIDE, transpose } from '#src/check/certify/bit-square';

test('a square that is turned has row and column of every bit exchanged', () => {
  const words = fc.array(fc.integer(), { minLength: SIDE, maxLength: SIDE });
  fc.assert(
    fc.property(words, (rows) => {
      const square = Int32Array.from(rows);
      transpose(square);
      for (let r = 0; r < SIDE; r++) {
        for (let c = 0; c < SIDE; c++) {
          assert.equal((square[c]! >>> r) & 1, (rows[r]! >>> c) & 1, `bit ${r}, ${c}`);
        }
      }
    }),
  );
});
