// Bug: the load role prefetches: it steps by hand to start a second tile, and releases both later.
// On hardware: a release steps past the current stage of the counter. Both tiles were stepped
// past once and are released once more: the counter is two stages too far, and the consumer waits
// for tiles that are skipped.
// Fix: advance: 'acquire'; or do not release what was stepped past: its bytes signal it.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('release-order', { stages: 4, tiles: 4 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile += 2) {
      const first = yield* ab.acquireProducer();
      ab.producerStep();
      const second = yield* ab.acquireProducer();
      tma.load(first);
      tma.load(second);
      first.release();
      second.release();
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    for (let k = 0; k < tiles; k++) {
      using tile = yield* ab.consumeExplicit();
      mma.issue(tile);
      mma.commit(tile.mbar());
    }
  });

  return [load, multiply];
});
