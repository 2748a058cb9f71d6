// `poundlock explain divergent-step`.
import type { Page } from './page.ts';

const rejected = `import { arrive, kernel, pipeline, role, tma } from 'poundlock';

export default kernel('one-lane-steps', { stages: 2, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const use = role('use', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const stage = yield* ab.waitProducer();
      arrive(ab.consumerMbar(stage));
      ab.consumerStep({ lanes: 1 }); // under the same condition as the arrival
    }
  });

  return [load, use];
});`;

const fix = `import { arrive, kernel, pipeline, role, tma } from 'poundlock';

export default kernel('all-lanes-step', { stages: 2, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const use = role('use', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const stage = yield* ab.waitProducer();
      arrive(ab.consumerMbar(stage)); // one elected lane signals
      ab.consumerStep(); // and every lane moves on
    }
  });

  return [load, use];
});`;

export const divergentStep: Page = {
  rule: 'divergent-step',
  title: 'the threads of one role step their counters differently',
  what:
    'Every thread of a warp keeps the stage and the lap for itself, so all of them have to step, ' +
    'also those that were not elected to issue the copy or to signal. Otherwise they work on ' +
    'different stages: the ones that stayed behind wait for a phase that has long passed.',
  rejected,
  fix,
  seeAlso: ['double-acquire', 'stepped-without-signal'],
};
