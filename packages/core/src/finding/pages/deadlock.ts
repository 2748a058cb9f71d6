// `poundlock explain deadlock`.
import type { Page } from './page.ts';

const rejected = `import { kernel, pipeline, role, tma } from 'poundlock';

export default kernel('keeps-its-tile', { stages: 1, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384, advance: 'acquire' });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce(); // waits for the only stage to be given back
      tma.load(slot);
    }
  });

  const blend = role('blend', function* () {
    const first = yield* ab.acquireConsumer();
    const second = yield* ab.acquireConsumer(); // waits for a tile while it keeps one
    first.release();
    second.release();
  });

  return [load, blend];
});`;

const fix = `import { kernel, pipeline, role, tma } from 'poundlock';

export default kernel('has-room-for-two', { stages: 2, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384, advance: 'acquire' });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const blend = role('blend', function* () {
    const first = yield* ab.acquireConsumer();
    const second = yield* ab.acquireConsumer();
    first.release();
    second.release();
  });

  return [load, blend];
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
  seeAlso: ['stepped-without-signal', 'false-block', 'leaked-stage'],
};
