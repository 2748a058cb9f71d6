// `poundlock explain child-outlives-parent`.
import type { Page } from './page.ts';

const rejected = `import { kernel, pipeline, read, role, tma, type BorrowedStage } from 'poundlock';

export default kernel('kept-stage', { tiles: 2 }, ({ tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const use = role('use', function* () {
    let last: BorrowedStage | undefined;
    for (let tile = 0; tile < tiles; tile++) {
      using full = yield* ab.consume();
      last = full.stage();
    }
    if (last !== undefined) read(last.buffer()); // its scope has given the stage back
  });

  return [load, use];
});`;

const fix = `import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('used-in-its-scope', { tiles: 2 }, ({ tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const use = role('use', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using full = yield* ab.consume();
      const stage = full.stage();
      if (tile === tiles - 1) read(stage.buffer());
    }
  });

  return [load, use];
});`;

export const childOutlivesParent: Page = {
  rule: 'child-outlives-parent',
  title: 'a handle is used after the handle that it was taken from was released',
  what:
    'What is taken from a stage belongs to the stage: once the stage is given back, it is ' +
    'filled again under whoever still looks at it. A handle that was acquired through another ' +
    'one must be released before it, too.',
  rejected,
  fix,
  seeAlso: ['use-after-release', 'release-order'],
};
