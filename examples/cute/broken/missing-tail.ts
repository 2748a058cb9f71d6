// Bug: two CTAs multicast to each other, and no producer waits for its tail.
// On hardware: a release commits to the empty barriers of both CTAs. One that has nothing left to do
// exits, and the commit of the other one reaches shared memory that is not there any more.
// sgl-project/sglang issue 32907 is a fault of this kind, a cluster block not present.
// Fix: yield* producer.tail(), the last that a producer does.
import { kernel, mma, role, tma } from 'poundlock';
import { Agent, CooperativeGroup, PipelineTmaUmma } from 'poundlock/cute';

export default kernel('missing-tail', { tails: false, tiles: 1 }, ({ tails, tiles }) => {
  const [producer, consumer] = PipelineTmaUmma.create('ab', {
    numStages: 1,
    bytes: { a: 16_384, b0: 8192, b1: 8192 }, // each CTA has its rows of A, and loads half of B
    ctaLayoutVmnk: [1, 2, 1, 1],
    consumerGroup: new CooperativeGroup(Agent.Thread, 2), // a commit of each CTA
  }).makeParticipants();

  return [0, 1].flatMap((cta) => [
    role(`load${cta}`, { cta }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        const handle = yield* producer.acquireAndAdvance();
        tma.copy(handle, 0);
        tma.copy(handle, 1 + cta, { ctas: [0, 1] });
      }
      if (tails) yield* producer.tail();
    }),
    role(`mma${cta}`, { cta }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        const handle = yield* consumer.waitAndAdvance();
        mma.issue(handle);
        handle.release();
      }
    }),
  ]);
});
