// `poundlock explain race`.
import type { Page } from './page.ts';

const rejected = `import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('early-release', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
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
      full.release(); // the tensor core may still be reading
    }
  });

  return [load, multiply];
});`;

const fix = `import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('released-by-commit', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
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
      mma.commit(full.mbar()); // signals the stage empty when the reads have landed
      full.releaseWithoutSignal();
    }
  });

  return [load, multiply];
});`;

export const race: Page = {
  rule: 'race',
  title: 'two accesses to one stage, at least one of them a write, can happen at the same time',
  what:
    'Both accesses are the next step of their role or unit in one reachable state, so nothing ' +
    'orders them: whichever comes first, a reader can see half of the old and half of the new ' +
    'data. Asynchronous work counts as an access until it lands, not until it is issued. A ' +
    'stage may be given back only after the last read of it has landed: let the unit itself ' +
    'make the signal, or wait for it first.',
  rejected,
  fix,
  seeAlso: ['use-after-release', 'tx-mismatch', 'false-pass'],
};
