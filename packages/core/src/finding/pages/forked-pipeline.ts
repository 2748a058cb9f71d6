// `poundlock explain forked-pipeline`.
import type { Page } from './page.ts';

const rejected = `import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('two-counters', { stages: 2 }, ({ stages }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });
  const again = ab.copy(); // passing a pipeline by value does this

  const load = role('load', function* () {
    for (let tile = 0; tile < 2 * stages; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const use = role('use', function* () {
    for (let tile = 0; tile < stages; tile++) {
      using full = yield* ab.consume();
      read(full.buffer());
    }
    for (let tile = 0; tile < stages; tile++) {
      using full = yield* again.consume(); // starts at lap 0 again
      read(full.buffer());
    }
  });

  return [load, use];
});`;

const fix = `import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('one-counter', { stages: 2 }, ({ stages }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < 2 * stages; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const use = role('use', function* () {
    for (let tile = 0; tile < 2 * stages; tile++) {
      using full = yield* ab.consume();
      read(full.buffer());
    }
  });

  return [load, use];
});`;

export const forkedPipeline: Page = {
  rule: 'forked-pipeline',
  title: 'two copies of one pipeline count their stages apart',
  what:
    'The barriers are shared, but the stage and the lap are private to each copy. A role that ' +
    'works through two copies on one side waits and signals as if the other were not there: ' +
    'the copy that is behind waits for a phase that has passed, and reads what it has read ' +
    'before.',
  rejected,
  fix,
  seeAlso: ['false-pass', 'false-block', 'double-acquire'],
};
