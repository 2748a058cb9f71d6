// Bug: two roles read every tile, and the empty barrier expects one of them.
// On hardware: the faster reader alone releases the stage, and the next tile is written while the
// slower one reads, which computes with a mixture of both.
// Fix: consumers: 2.
import { kernel, pipeline, read, role, write } from 'poundlock';

export default kernel('count-too-small', { consumers: 1, tiles: 2 }, ({ consumers, tiles }) => {
  const ab = pipeline('ab', { stages: 1, bytes: 32_768, consumers });

  const dequantise = role('dequantise', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      write(slot.buffer());
      slot.arrive();
    }
    yield* ab.drain();
  });

  const reader = (name: string) =>
    role(name, function* () {
      for (let k = 0; k < tiles; k++) {
        using tile = yield* ab.consume();
        read(tile.buffer());
      }
    });

  return [dequantise, reader('left'), reader('right')];
});
