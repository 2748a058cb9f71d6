// Bug: one warp initializes the barriers of the ring, and the others do not wait until it has.
// On hardware: a wait on a word that is not a barrier yet passes, blocks or traps, depending on its
// contents; the initialization overwrites an arrival: an intermittent hang.
// Fix: all warps meet after initMbars: yield* syncCluster(), fence and cluster_sync in a kernel.
import { kernel, mma, pipeline, role, syncCluster, tma } from 'poundlock';

export default kernel('late-init', { tiles: 2, synced: false }, ({ tiles, synced }) => {
  const ab = pipeline('ab', { stages: 2, bytes: 32_768, producers: 0, consumers: 0 });

  const load = role('load', function* () {
    ab.initMbars(1, 1);
    if (synced) yield* syncCluster();
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    if (synced) yield* syncCluster();
    for (let k = 0; k < tiles; k++) {
      using tile = yield* ab.consumeExplicit();
      mma.issue(tile);
      mma.commit(tile.mbar());
    }
  });

  return [load, multiply];
});
