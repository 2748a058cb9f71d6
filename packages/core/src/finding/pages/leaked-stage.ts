// `poundlock explain leaked-stage`.
import type { Page } from './page.ts';

const rejected = `import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('early-return', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
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
      read(full.buffer());
      if (tile === tiles - 1) return; // the last tile stays acquired
      full.release();
    }
  });

  return [load, mma];
});`;

const fix = `import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('released-on-every-path', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const mma = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using full = yield* ab.consume(); // released at the brace, also by the return
      read(full.buffer());
      if (tile === tiles - 1) return;
    }
  });

  return [load, mma];
});`;

export const leakedStage: Page = {
  rule: 'leaked-stage',
  title: 'a stage is acquired and never released',
  what:
    'Whoever acquires a stage owes its release on every path. A stage that is left behind is ' +
    'never signalled, so the other side waits for it one lap later, or the counter stays ' +
    'where it is and the next acquire hands out the same stage again. The finding points at ' +
    'the acquire. A scoped handle (`using`) is released at the closing brace on every path, ' +
    'an early return included.',
  rejected,
  fix,
  seeAlso: ['double-acquire', 'deadlock'],
};
