// Bug: the epilogue stores the stage of the previous tile, to add it to the next one, but its scope
// has ended by then.
// On hardware: the address is still valid, but it holds the tile after the next one, or half
// of it.
// Fix: hold the tile itself: acquireConsumer, and release it one round later (hand-over-hand.ts).
import { kernel, pipeline, read, role, tma, type BorrowedStage } from 'poundlock';

export default kernel('escaped-stage', { stages: 2, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const epilogue = role('epilogue', function* () {
    let before: BorrowedStage | undefined;
    for (let k = 0; k < tiles; k++) {
      using tile = yield* ab.consume();
      read(tile.buffer());
      if (before !== undefined) read(before.buffer());
      before = tile.stage();
    }
  });

  return [load, epilogue];
});
