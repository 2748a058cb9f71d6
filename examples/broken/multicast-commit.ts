// Bug: the CTA that does not compute ends when its tile is there, while the leader's commit still
// frees the stage in both CTAs.
// On hardware: tcgen05.commit with a multicast mask arrives in the shared memory of the peer. The
// peer has exited: the arrival changes the memory of the next CTA there, or faults.
// Fix: the peer's load drains the ring before it ends.
import { arrive, kernel, mma, pipeline, role, tma } from 'poundlock';

const BYTES = 32_768;
const BOTH = [0, 1];

export default kernel('multicast-commit', { drains: false }, ({ drains }) => {
  const ab = pipeline('ab', { stages: 1, bytes: BYTES });

  const load = role('load', { cta: 0 }, function* () {
    using slot = yield* ab.produce();
    tma.expect(slot);
    tma.copy(slot, 0, { ctas: BOTH });
  });

  const multiply = role('mma', { cta: 0 }, function* () {
    {
      using tile = yield* ab.consumeExplicit();
      mma.issue(tile);
      mma.commit(tile.mbar(), { ctas: BOTH });
    }
    yield* mma.waitGroup(0);
  });

  const peer = role('peer', { cta: 1 }, function* () {
    arrive(ab.producerMbar(0), { bytes: BYTES }); // the stage is fresh: no wait
    ab.producerStep();
    yield* ab.waitProducer();
    if (drains) yield* ab.drain();
  });

  return [load, multiply, peer];
});
