// Bug: only the elected lane of the load warp steps, together with the copy that it issues.
// On hardware: every lane has its own stage and lap. The other 31 wait for stage 0 again and again,
// and when another lane is elected it copies over the tile that is there.
// Fix: the guard belongs to the copy; the step is made by the whole warp.
import { UNITS, arrive, asyncCopy, kernel, mma, pipeline, role } from 'poundlock';

const BYTES = 32_768;

export default kernel('divergent-step', { steppingLanes: 1, tiles: 2 }, (params) => {
  const { steppingLanes, tiles } = params;
  const ab = pipeline('ab', { stages: 2, bytes: BYTES });

  const load = role('load', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const stage = yield* ab.waitConsumer();
      const full = ab.producerMbar(stage);
      arrive(full, { bytes: BYTES });
      asyncCopy(UNITS.tma, { into: ab.buffers(stage), bar: full, bytes: BYTES });
      ab.producerStep({ lanes: steppingLanes });
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
