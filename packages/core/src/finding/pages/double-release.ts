// `poundlock explain double-release`.
import type { Page } from './page.ts';

const rejected = `import { kernel, pipeline, role, tma } from 'poundlock';

export default kernel('released-twice', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const mma = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const full = yield* ab.acquireConsumer();
      full.release();
      if (tile === 0) full.release();
    }
  });

  return [load, mma];
});`;

const fix = `import { kernel, pipeline, role, tma } from 'poundlock';

export default kernel('released-once', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const mma = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const full = yield* ab.acquireConsumer();
      full.release();
    }
  });

  return [load, mma];
});`;

export const doubleRelease: Page = {
  rule: 'double-release',
  title: 'a handle is released a second time',
  what:
    'The first release gave the stage away, and another role may own it by now. The second ' +
    'one signals the empty barrier again and moves the counter past a stage that was never ' +
    'used, so from here on this role and the others count differently. Exactly one call ' +
    'releases a linear handle.',
  rejected,
  fix,
  seeAlso: ['use-after-release', 'over-arrival'],
};
