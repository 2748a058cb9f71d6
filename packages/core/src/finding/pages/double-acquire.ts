// `poundlock explain double-acquire`.
import type { Page } from './page.ts';

const rejected = `import { kernel, pipeline, role, tma } from 'poundlock';

export default kernel('same-stage-twice', { stages: 2, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const mma = role('mma', function* () {
    const first = yield* ab.acquireConsumer();
    const second = yield* ab.acquireConsumer(); // the counter has not moved: the same stage
    first.release();
    second.release();
  });

  return [load, mma];
});`;

const fix = `import { kernel, pipeline, role, tma } from 'poundlock';

export default kernel('two-stages-held', { stages: 2, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384, advance: 'acquire' });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const mma = role('mma', function* () {
    const first = yield* ab.acquireConsumer();
    const second = yield* ab.acquireConsumer();
    first.release();
    second.release();
  });

  return [load, mma];
});`;

export const doubleAcquire: Page = {
  rule: 'double-acquire',
  title: 'the same stage is acquired twice without a release between',
  what:
    "With `advance: 'release'` a role's counter moves only when it releases. A second acquire " +
    'before that waits for the phase that has already completed, passes at once, and hands ' +
    'out the same stage under a second handle. To hold several stages at a time, let the ' +
    'counter move at the acquire.',
  rejected,
  fix,
  seeAlso: ['leaked-stage', 'over-arrival'],
};
