// Two roles read a packed word as the index of a split, and two others unpack it first.
// The scheduler puts the number of splits of a batch into the upper 16 bits of the index. Load and
// MMA pass the word on as it is: no split has such an index, and they find an empty range of
// blocks. Softmax and correction unpack it and find blocks. Every launch of this combination hangs.
// The fix: unpack it everywhere.
// https://github.com/Dao-AILab/flash-attention/pull/2761
import { buffer, kernel, mma, pipeline, read, role, tma, write } from 'poundlock';

const SPLITS = 2;

export default kernel('varlen-split-kv', { fixed: false, blocks: 2 }, ({ fixed, blocks }) => {
  const packed = (SPLITS << 16) | 1;
  const unpacked = packed & 0xffff;
  const blocksOf = (split: number) => (split < SPLITS ? blocks : 0);
  const seenByLoads = blocksOf(fixed ? unpacked : packed);
  const seenBySoftmax = blocksOf(unpacked);

  const keys = pipeline('keys', { stages: 2, bytes: 16_384 });
  const scores = pipeline('scores', { stages: 2 });
  const maxima = pipeline('maxima', { stages: 1 });
  const tmem = [buffer('s[0]'), buffer('s[1]')] as const;
  const maximum = buffer('rowMax');

  const load = role('load', function* () {
    for (let block = 0; block < seenByLoads; block++) {
      using slot = yield* keys.produce();
      tma.load(slot);
    }
    yield* keys.drain();
  });

  const multiply = role('mma', function* () {
    for (let block = 0; block < seenByLoads; block++) {
      using out = yield* scores.produce();
      using key = yield* keys.consumeExplicit();
      mma.issue(key, [tmem[out.index as 0 | 1]]);
      mma.commit(key.mbar());
      mma.commit(out.mbar());
    }
    yield* mma.waitGroup(0);
  });

  const softmax = role('softmax', function* () {
    for (let block = 0; block < seenBySoftmax; block++) {
      using found = yield* scores.consume();
      read(tmem[found.index as 0 | 1]);
      using slot = yield* maxima.produce();
      write(maximum);
      slot.arrive();
    }
    yield* maxima.drain();
  });

  const correction = role('correction', function* () {
    for (let block = 0; block < seenBySoftmax; block++) {
      using _found = yield* maxima.consume();
      read(maximum);
    }
  });

  return [load, multiply, softmax, correction];
});
