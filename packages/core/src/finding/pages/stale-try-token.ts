// `poundlock explain stale-try-token`.
import type { Page } from './page.ts';

const rejected = `import { kernel, pipeline, role, tma } from 'poundlock';

export default kernel('one-answer-for-two', { stages: 2 }, ({ stages }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < stages; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const peek = role('peek', function* () {
    const ready = yield* ab.tryWaitProducer(); // says that stage 0 is full
    for (let tile = 0; tile < stages; tile++) {
      yield* ab.waitProducerIfNeeded(ready); // and is believed of stage 1, too
      ab.consumerStep();
    }
  });

  return [load, peek];
});`;

const fix = `import { kernel, pipeline, role, tma } from 'poundlock';

export default kernel('an-answer-for-each', { stages: 2 }, ({ stages }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < stages; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const peek = role('peek', function* () {
    for (let tile = 0; tile < stages; tile++) {
      const ready = yield* ab.tryWaitProducer();
      yield* ab.waitProducerIfNeeded(ready);
      ab.consumerStep();
    }
  });

  return [load, peek];
});`;

export const staleTryToken: Page = {
  rule: 'stale-try-token',
  title: 'the answer of a try is used for another stage than it was asked about',
  what:
    'A successful try says that one phase of one stage has completed. It is a plain boolean, ' +
    'tied to no stage: after a step it says nothing about the next one, and skipping the wait ' +
    'there reads data that is not there yet.',
  rejected,
  fix,
  seeAlso: ['false-pass', 'race'],
};
