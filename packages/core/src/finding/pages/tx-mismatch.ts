// `poundlock explain tx-mismatch`.
import type { Page } from './page.ts';

const rejected = `import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('half-expected', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: { a: 8_192, b: 8_192 } });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.expect(slot, 8_192); // the bytes of one part, and two are copied
      tma.copy(slot, 0);
      tma.copy(slot, 1);
    }
  });

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using full = yield* ab.consume();
      mma.issue(full);
      yield* mma.waitGroup(0);
    }
  });

  return [load, multiply];
});`;

const fix = `import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('fully-expected', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: { a: 8_192, b: 8_192 } });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot); // expects all bytes of the stage and copies every part
    }
  });

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using full = yield* ab.consume();
      mma.issue(full);
      yield* mma.waitGroup(0);
    }
  });

  return [load, multiply];
});`;

export const txMismatch: Page = {
  rule: 'tx-mismatch',
  title: 'a phase ends while a copy that belongs to it is still under way',
  what:
    "A full barrier's phase ends when its arrivals are in and the bytes that were expected " +
    'have landed. Fewer bytes were expected than the copies bring, so the phase ended with ' +
    'one of them still in flight: a consumer reads a stage that is not complete, and the late ' +
    'bytes count against the next phase. Expect the sum of everything that is copied into the ' +
    'stage, in every CTA.',
  rejected,
  fix,
  seeAlso: ['over-arrival', 'race'],
};
