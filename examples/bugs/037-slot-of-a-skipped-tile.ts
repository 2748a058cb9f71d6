// The load role numbers scratch slots by a uniform tile count, skipped tiles included, and the role
// that transposes numbers them by the tiles that it gets.
// FP8 attention on Hopper with sequences of different lengths: a persistent scheduler decoded tiles
// as if every head had the same number and skipped the invalid ones later. The thread names that,
// and a bug in the barriers and slots of the transpose. Modeled here is how the two meet: the
// copies of two tiles go to one slot.
// The fix: decode tiles by the lengths themselves.
// https://github.com/flashinfer-ai/flashinfer/pull/2957
import { arrive, asyncCopy, buffer, kernel, pipeline, read, role, UNITS, write } from 'poundlock';

const BYTES = 8192;
const TILES_OF_HEAD = [1, 2]; // and 2 are assumed for each

export default kernel('fp8-fmha', { fixed: false, slots: 2 }, ({ fixed, slots }) => {
  const scratch = Array.from({ length: slots }, (_, slot) => buffer(`scratch[${slot}]`));
  const copied = pipeline('copied', { stages: slots });
  const v = pipeline('v', { stages: 1, bytes: BYTES });
  const most = Math.max(...TILES_OF_HEAD);
  const uniform = TILES_OF_HEAD.flatMap((tiles, head) =>
    Array.from({ length: tiles }, (_, tile) => head * most + tile),
  );
  const numbers = fixed ? uniform.map((_, n) => n) : uniform;

  const load = role('load', function* () {
    for (const number of numbers) {
      using slot = yield* copied.produce();
      const into = [scratch[number % slots]!];
      arrive(slot.mbar(), { bytes: BYTES });
      asyncCopy(UNITS.tma, { into, bar: slot.mbar(), bytes: BYTES });
    }
    yield* copied.drain();
  });

  const transpose = role('transpose', function* () {
    for (let n = 0; n < uniform.length; n++) {
      using out = yield* v.produce();
      using _found = yield* copied.consume();
      read(scratch[n % slots]!);
      write(out.buffer());
      out.arrive();
    }
    yield* v.drain();
  });

  const math = role('math', function* () {
    for (let n = 0; n < uniform.length; n++) {
      using tile = yield* v.consume();
      read(tile.buffer());
    }
  });

  return [load, transpose, math];
});
