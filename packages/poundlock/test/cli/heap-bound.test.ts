// The heap of the process is a bound of a check: it has a name, and says what raises it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyFull } from '#src/cli/heap-bound';

const MEGABYTE = 2 ** 20;

test('a heap that is nearly all in use is full; one with room is not', () => {
  const limit = { heap_size_limit: 4096 * MEGABYTE };
  assert.equal(whyFull({ ...limit, used_heap_size: 3000 * MEGABYTE }), null);
  assert.equal(
    whyFull({ ...limit, used_heap_size: 3900 * MEGABYTE }),
    'the bound memory of 4,096 MB was reached: NODE_OPTIONS=--max-old-space-size=MB raises it',
  );
  assert.equal(whyFull(), null);
});
