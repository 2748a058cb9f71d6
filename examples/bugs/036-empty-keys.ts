// A sequence without keys and values hangs the attention kernel.
// The thread has no more than this, and that the fix came from CUTLASS 4.0. Modeled here: load and
// MMA have nothing to do for such a sequence, and the correction role waits for its output.
// The fix here: correction has a path for empty sequences, which stores zeros.
// https://github.com/flashinfer-ai/flashinfer/pull/1198
import {
  asyncUse,
  buffer,
  fence,
  kernel,
  mma,
  pipeline,
  read,
  role,
  tma,
  UNITS,
  waitGroup,
  write,
} from 'poundlock';

const defaults = { fixed: false, emptySequences: 1, blocks: 1 };

export default kernel('blackwell-fmha', defaults, ({ fixed, emptySequences, blocks }) => {
  const lengths = [blocks, ...Array<number>(emptySequences).fill(0)];
  const kv = pipeline('kv', { stages: 2, bytes: 16_384 });
  const output = pipeline('output', { stages: 1 });
  const accumulator = buffer('o');
  const staging = buffer('staging');

  const load = role('load', function* () {
    for (const length of lengths) {
      for (let block = 0; block < length; block++) {
        using slot = yield* kv.produce();
        tma.load(slot);
      }
    }
    yield* kv.drain();
  });

  const multiply = role('mma', function* () {
    for (const length of lengths) {
      if (length === 0) continue;
      using out = yield* output.produce();
      for (let block = 0; block < length; block++) {
        using tile = yield* kv.consumeExplicit();
        mma.issue(tile, [accumulator]);
        mma.commit(tile.mbar());
      }
      mma.commit(out.mbar());
    }
    yield* mma.waitGroup(0);
  });

  const correction = role('correction', function* () {
    for (const length of lengths) {
      if (length > 0 || !fixed) {
        using _out = yield* output.consume();
        read(accumulator);
      }
      write(staging);
      fence('proxy.async');
      asyncUse(UNITS.bulk, { reads: [staging], group: true });
      yield* waitGroup(UNITS.bulk, 0);
    }
  });

  return [load, multiply, correction];
});
