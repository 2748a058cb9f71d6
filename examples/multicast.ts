// P producers fill a stage together, C consumers all read it: one ring with counts above one.
//
// Shows: `full` completes when every producer has brought its own part, `empty` when every consumer
// has read all parts. Each role has counters of its own, so producers may be a stage apart, and so
// may consumers; the counts of the two barriers alone hold them together.
// Unlike gemm, a stage has as many owners as roles. Unlike work-queue, every consumer gets every
// tile.
//
//   role         waits for         works on                     signals
//   producer<p>  ab.empty[stage]   a TMA copy of its own part   ab.full[stage], 1 of `producers`
//   consumer<c>  ab.full[stage]    reads all parts              ab.empty[stage], 1 of `consumers`
import { count, end, kernel, loop, pipeline, read, role, tma } from 'poundlock';

const defaults = { producers: 2, consumers: 2, stages: 2, tiles: 4 };

export default kernel('multicast', defaults, ({ producers, consumers, stages, tiles }) => {
  const parts = Array.from({ length: producers }, (_, p) => [`part${p}`, 16_384] as const);
  const bytes = Object.fromEntries(parts);
  const ab = pipeline('ab', { stages, bytes, producers, consumers });
  const items = count(tiles);

  const producer = (p: number) =>
    role(`producer${p}`, function* () {
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        using slot = yield* ab.produce();
        tma.expect(slot, slot.partBytes[p]); // arrives, and expects no more than it brings
        tma.copy(slot, p);
        return null;
      });
      yield* ab.drain();
    });

  const consumer = (c: number) =>
    role(`consumer${c}`, function* () {
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        using tile = yield* ab.consume();
        for (const part of tile.buffers) read(part);
        return null;
      });
    });

  return [
    ...Array.from({ length: producers }, (_, p) => producer(p)),
    ...Array.from({ length: consumers }, (_, c) => consumer(c)),
  ];
});
