// Warning: a ring of two stages is read by threads and overwritten by copies. The reader executes a
// proxy fence before it releases the first stage, and none before it releases the second one.
// On hardware: the copy writes through the async proxy, which nothing but a fence orders after a
// read of a thread. No failure of such a read is known, and many kernels have no fence at all; here
// one of two branches has it, which is the shape of a bug.
// Fix: a fence before each release.
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  fence,
  kernel,
  read,
  role,
  UNITS,
  wait,
} from 'poundlock';

const BYTES = 16_384;

export default kernel('uneven-fences', { laps: 2, even: false }, ({ laps, even }) => {
  const stages = [0, 1].map((stage) => ({
    stage,
    tile: buffer(`tile[${stage}]`),
    full: barrier(`full[${stage}]`),
    empty: barrier(`empty[${stage}]`),
  }));

  const load = role('load', function* () {
    for (let lap = 0; lap < laps; lap++) {
      for (const { tile, full, empty } of stages) {
        yield* wait(empty, lap - 1);
        arrive(full, { bytes: BYTES });
        asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: BYTES });
      }
    }
    for (const { empty } of stages) yield* wait(empty, laps - 1);
  });

  const add = role('add', function* () {
    for (let lap = 0; lap < laps; lap++) {
      for (const { stage, tile, full, empty } of stages) {
        yield* wait(full, lap);
        read(tile);
        if (even || stage === 0) fence('proxy.async');
        arrive(empty);
      }
    }
  });

  return [load, add];
});
