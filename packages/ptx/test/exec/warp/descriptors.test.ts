// The bytes that matrix descriptors reach: an operand within a swizzle atom stays in its atoms.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { descriptorRanges } from '#src/exec/warp/descriptors';

/** A descriptor of sm_90: start, leading and stride offsets in bytes, and its layout. */
function descriptor(start: number, leading: number, stride: number, layout: number): number[] {
  return [(start >>> 4) | ((leading >>> 4) << 16), (stride >>> 4) | (layout << 30)];
}

const SWIZZLE_32 = 3;
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

/** The 16-byte parts that an operand consists of, after the swizzle of their addresses. */
function parts(base: number, stride: number, span: number, rows: number, bytes: number): number[] {
  const mask = span / 16 - 1;
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: bytes / 16 }, (_, part) => {
      const address = base + Math.floor(row / 8) * stride + (row % 8) * span + part * 16;
      return address ^ (((address >>> 7) & mask) << 4);
    }),
  ).flat();
}

test('a swizzled operand may begin with any row of an atom: its rows are read and no others', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 512 }),
      fc.constantFrom([128, SWIZZLE_128], [64, SWIZZLE_64], [32, SWIZZLE_32]),
      fc.nat({ max: 3 }),
      fc.constantFrom(8, 64, 256),
      (aligned, [span, layout], along, rows) => {
        const offset = (along * 32) % span!;
        const base = aligned * 128 + offset;
        const stride = 8 * span!;
        const [low, high] = descriptor(base, 16, stride, layout!);
        const shape = { rows, depthBytes: 32, isRowMajor: false };
        const ranges = descriptorRanges(low!, high!, shape, 'sm90');
        const isRead = (address: number): boolean =>
          ranges.some(
            (from, index) => index % 2 === 0 && from <= address && address < ranges[index + 1]!,
          );
        const read = parts(base, stride, span!, rows, 32);
        assert.ok(read.every((part) => isRead(part) && isRead(part + 15)));
        assert.ok(!isRead(Math.min(...read) - span!));
        assert.ok(!isRead(Math.max(...read) + span!));
      },
    ),
  );
});

test('columns of tiles that follow barriers begin with their own row', () => {
  const [low, high] = descriptor(1024 + 384 + 64, 8192, 1024, SWIZZLE_128);
  const shape = { rows: 64, depthBytes: 16, isRowMajor: true };
  assert.deepEqual(descriptorRanges(low!, high!, shape, 'sm90'), [1408, 2432, 9600, 10624]);
});
