// Contents of memory that a recording has and no option asks for are named, not dropped silently.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCopies } from '#src/record/copies';
import { Withheld } from '#src/record/withheld';

const copyOf = (parameter: number, length: number, offset = 0) => {
  return { parameter, offset, bytes: new Uint8Array(length), addresses: [] };
};

test('what no option asks for is named once for each parameter, with its most bytes', () => {
  const withheld = new Withheld(readCopies(['0:16'], []));
  assert.equal(withheld.bytesOf(copyOf(0, 64)), 16);
  assert.equal(withheld.bytesOf(copyOf(5, 32)), 0);
  assert.equal(withheld.bytesOf(copyOf(2, 512)), 0);
  assert.equal(withheld.bytesOf(copyOf(2, 64, 8)), 0);
  assert.deepEqual(withheld.notes(), [
    'the recording has contents of memory that no launch file got: ' +
      '--copy 2:512 5:32 writes them, --with-integers only the numbers',
  ]);
});

test('where everything is asked for, or nothing is there, there is no note', () => {
  const withheld = new Withheld(readCopies([], ['1']));
  assert.deepEqual(withheld.notes(), []);
  assert.equal(withheld.bytesOf(copyOf(1, 8)), 8);
  assert.deepEqual(withheld.notes(), []);
});
