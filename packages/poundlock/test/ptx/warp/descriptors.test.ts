// The bytes that matrix descriptors reach: an operand within a swizzle atom stays in its atoms.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { descriptorRanges } from '#src/ptx/warp/descriptors';

/** A descriptor of sm_90: start, leading and stride offsets in bytes, and its layout. */
function descriptor(start: number, leading: number, stride: number, layout: number): number[] {
  return [(start >>> 4) | ((leading >>> 4) << 16), (stride >>> 4) | (layout << 30)];
}

const SWIZZLE_64 = 2;
const SWIZZLE_128 = 1;

test('half of the columns of an atom are read within it', () => {
  const [low, high] = descriptor(2048 + 32, 512, 512, SWIZZLE_64);
  const shape = { rows: 16, depthBytes: 32, isRowMajor: true };
  assert.deepEqual(descriptorRanges(low!, high!, shape, 'sm90'), [2048, 2560, 2560, 3072]);
});

test('columns that begin within an atom may end in the next one', () => {
  const [low, high] = descriptor(64, 4096, 1024, SWIZZLE_128);
  const shape = { rows: 64, depthBytes: 16, isRowMajor: true };
  assert.deepEqual(descriptorRanges(low!, high!, shape, 'sm90'), [0, 1024, 4096, 5120]);
});

test('whole atoms along the rows lie at the leading offset', () => {
  const [low, high] = descriptor(0, 2048, 1024, SWIZZLE_128);
  const shape = { rows: 128, depthBytes: 32, isRowMajor: true };
  assert.deepEqual(
    descriptorRanges(low!, high!, shape, 'sm90'),
    [0, 1024, 1024, 2048, 2048, 3072, 3072, 4096],
  );
});
