// `poundlock explain stepped-without-signal`.
import type { Page } from './page.ts';

const rejected = `import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('silent-consumer', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using full = yield* ab.consumeExplicit(); // its end moves on, and signals nothing
      mma.issue(full);
      yield* mma.waitGroup(0);
    }
  });

  return [load, multiply];
});`;

const fix = `import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('committing-consumer', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using full = yield* ab.consumeExplicit();
      mma.issue(full);
      mma.commit(full.mbar()); // signals the stage empty when the tensor core has read it
    }
  });

  return [load, multiply];
});`;

export const steppedWithoutSignal: Page = {
  rule: 'stepped-without-signal',
  title: 'a role moves on to the next stage and never signals the one it leaves',
  what:
    'Many releases only move a private counter, and the signal is made elsewhere: by copied ' +
    'bytes, a commit, or an arrive in the writer. When it is made nowhere, the other side waits ' +
    'for this stage forever: at once where a producer forgets it, and as soon as the ring is ' +
    'full where a consumer does. The finding stands before the deadlock that it causes.',
  rejected,
  fix,
  seeAlso: ['deadlock', 'leaked-stage', 'divergent-step'],
};
