// `poundlock explain use-after-release`.
import type { Page } from './page.ts';

const rejected = `import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('released-too-early', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const full = yield* ab.acquireConsumer();
      full.release();
      mma.issue(full);
      yield* mma.waitGroup(0);
    }
  });

  return [load, multiply];
});`;

const fix = `import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('released-after-use', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const full = yield* ab.acquireConsumer();
      mma.issue(full);
      yield* mma.waitGroup(0);
      full.release();
    }
  });

  return [load, multiply];
});`;

export const useAfterRelease: Page = {
  rule: 'use-after-release',
  title: 'a stage is used through a handle that was released',
  what:
    'A released stage belongs to the other side: the producer may be overwriting it while it ' +
    'is read here. The handle still names the same memory, so nothing but the order of the ' +
    'calls protects the data. Release after the last use, and let asynchronous work that ' +
    'reads the stage make the signal itself.',
  rejected,
  fix,
  seeAlso: ['race', 'double-release'],
};
