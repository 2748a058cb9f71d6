// A stage that is moved out of its scope, released, and acquired again by the same call inside it.
import { kernel, pipeline, role } from 'poundlock';
import type { ProduceContext } from 'poundlock';

export default kernel('nested', {}, () => {
  const ring = pipeline('ring', { stages: 1, bytes: 64, advance: 'acquire' });
  const make = role('make', function* () {
    const produce = () => ring.produce();
    let inner: ProduceContext;
    {
      using slot = yield* produce();
      const stage = slot.detach();
      stage.arrive();
      stage.release();
      inner = yield* produce();
    }
    // Had the end of the scope given the stage up, this would be a double release.
    using last = inner;
    last.arrive();
  });
  const take = role('take', function* () {
    for (let tile = 0; tile < 2; tile++) {
      const held = yield* ring.acquireConsumer();
      held.release();
    }
  });
  return [make, take];
});
