// What a small kernel looks like in each format; UPDATE_GOLDEN=1 rewrites it.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { exportKernel, FORMATS } from '#src/export/index';
import { count, end, kernel, loop, mma, pipeline, role, tma } from 'poundlock';

const EXTENSIONS = { promela: 'pml', tla: 'tla', dot: 'dot' } as const;

/** A ring with everything a ring has: bytes, a unit in order, a drain. */
const ring = kernel('small-ring', { stages: 1, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 64 });
  const items = count(tiles);
  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      return null;
    });
    yield* ab.drain();
  });
  const multiply = role('mma', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      using tile = yield* ab.consume();
      mma.issue(tile);
      yield* mma.waitGroup(0);
      return null;
    });
  });
  return [load, multiply];
});

for (const format of FORMATS) {
  test(`a small ring as ${format}`, () => {
    const text = exportKernel(ring, format);
    const path = join(import.meta.dirname, 'golden', 'small-ring', `ring.${EXTENSIONS[format]}`);
    if (process.env['UPDATE_GOLDEN'] === '1') {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    assert.equal(text, readFileSync(path, 'utf8'), `${path}; UPDATE_GOLDEN=1 rewrites it`);
  });
}

test('an export is the same every time', () => {
  for (const format of FORMATS) {
    assert.equal(exportKernel(ring, format), exportKernel(ring, format));
  }
});
