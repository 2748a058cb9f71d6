// `poundlock explain deadlock`.
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

export default kernel('signalling-consumer', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using full = yield* ab.consume(); // its end signals the stage empty
      mma.issue(full);
      yield* mma.waitGroup(0);
    }
  });

  return [load, multiply];
});`;

export const deadlock: Page = {
  rule: 'deadlock',
  title: 'roles wait for each other and nothing can move any more',
  what:
    'A state was reached in which no role and no unit can make a step, or from which no ' +
    'continuation ends every role. Every wait names a barrier, and the arrival that would let ' +
    'it pass is made by a role that is itself waiting, or is made by nobody. Hardware has no ' +
    'timeout for this: the kernel hangs. The finding shows each waiting role, what its ' +
    'barrier still needs, and who owes it.',
  rejected,
  fix,
  seeAlso: ['false-block', 'leaked-stage', 'double-acquire'],
};
