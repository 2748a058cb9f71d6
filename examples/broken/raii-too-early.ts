// Bug: the stages are released by destructors, and the tensor core still reads one when the last
// use of its handle is over.
// On hardware: a destructor that runs as soon as the handle is dead runs right after the MMA was
// issued. The stage is signalled empty, the next copy lands in it, and the MMA reads both tiles.
// Fix: ownership: 'explicit', and a release after waitGroup; or a commit, which waits by itself.
import { kernel, mma, pipeline, role, tma } from 'poundlock';

const raii = { ownership: 'raii' } as const;

export default kernel(
  'raii-too-early',
  { stages: 2, tiles: 3 },
  ({ stages, tiles }) => {
    const ab = pipeline('ab', { stages, bytes: 32_768 });

    const load = role('load', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        const slot = yield* ab.acquireProducer();
        tma.load(slot);
      }
      yield* ab.drain();
    });

    const multiply = role('mma', function* () {
      for (let k = 0; k < tiles; k++) {
        const tile = yield* ab.acquireConsumer();
        mma.issue(tile);
        yield* mma.waitGroup(0);
      }
    });

    return [load, multiply];
  },
  raii,
);
