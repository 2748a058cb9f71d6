// A named barrier inside the branch of one warpgroup counts the threads of both.
// The thread: the block has 256 threads, two warpgroups of 128, and the barriers for S and for the
// softmax are in blocks that one warpgroup executes. 128 threads come, and 256 are waited for.
// The fix that the thread proposes: the count is 128.
// https://github.com/deepseek-ai/FlashMLA/pull/57
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  fence,
  kernel,
  mma,
  pipeline,
  role,
  syncNamed,
  tma,
  UNITS,
  wait,
  waitGroup,
  write,
} from 'poundlock';

const WARPGROUP = 128;
const S_READY = 1; // a named barrier

export default kernel('flash-mla', { fixed: false, blocks: 2 }, ({ fixed, blocks }) => {
  const kv = pipeline('kv', { stages: 2, bytes: 16_384, consumers: 2 });
  const probabilities = buffer('p');
  const pReady = barrier('pReady');
  const pFree = barrier('pFree');

  const load = role('load', function* () {
    for (let block = 0; block < blocks; block++) {
      using slot = yield* kv.produce();
      tma.load(slot);
    }
    yield* kv.drain();
  });

  const softmax = role('softmax', { lanes: WARPGROUP }, function* () {
    for (let block = 0; block < blocks; block++) {
      using keys = yield* kv.consumeExplicit();
      mma.issue(keys);
      yield* mma.waitGroup(0);
      yield* wait(pFree, block - 1);
      write(probabilities);
      fence('proxy.async');
      yield* syncNamed(S_READY, fixed ? WARPGROUP : 2 * WARPGROUP); // all rows are written
      arrive(pReady);
      arrive(keys.mbar());
    }
  });

  const output = role('output', { lanes: WARPGROUP }, function* () {
    for (let block = 0; block < blocks; block++) {
      using values = yield* kv.consumeExplicit();
      yield* wait(pReady, block);
      asyncUse(UNITS.mma, { reads: [probabilities, ...values.buffers], group: true });
      yield* waitGroup(UNITS.mma, 0);
      arrive(pFree);
      arrive(values.mbar());
    }
  });

  return [load, softmax, output];
});
