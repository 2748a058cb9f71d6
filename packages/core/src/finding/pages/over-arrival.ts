// `poundlock explain over-arrival`.
import type { Page } from './page.ts';

const rejected = `import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('expected-twice', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: { a: 8_192, b: 8_192 } });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.expect(slot, 8_192);
      tma.copy(slot, 0);
      tma.expect(slot, 8_192); // a second arrival, where one ends the phase
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

export default kernel('expected-once', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: { a: 8_192, b: 8_192 } });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.expect(slot, 16_384); // one arrival, for the bytes of both parts
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

export const overArrival: Page = {
  rule: 'over-arrival',
  title: 'a barrier gets more arrivals in one phase than it expects',
  what:
    'The phase has no arrival left to take, but it can not end yet because bytes are missing. ' +
    'Hardware leaves the result undefined, and traps on some parts. Expecting bytes is an ' +
    'arrival of its own (`arrive.expect_tx`), so a stage that is filled in parts is expected ' +
    'once, with all its bytes.',
  rejected,
  fix,
  seeAlso: ['tx-mismatch', 'double-acquire'],
};
