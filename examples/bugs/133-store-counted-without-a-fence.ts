// Partial results leave by bulk store, and the counter that announces them is raised without a fence.
// Split-K with a ring of stores: before its next task one thread waits for its store and adds to the
// counter of the last tile. Warps of another block poll that counter and read the partial results.
// Behind the loop there is a fence between the two, in the loop there is none (found in review).
// The fix: the same fence in the loop.
// https://github.com/flashinfer-ai/flashinfer/pull/4742
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
  waitGroup,
  write,
} from 'poundlock';

export default kernel('dual-splitk', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const sC = buffer('sC', { bytes: 8192 });
  const partial = Array.from({ length: tiles }, (_, t) =>
    buffer(`partial[${t}]`, { space: 'global' }),
  );
  const count = Array.from({ length: tiles }, (_, t) =>
    barrier(`count[${t}]`, { space: 'global', mode: 'counter' }),
  );

  const epilogue = role('epilogue', { cta: 0 }, function* () {
    for (let t = 0; t < tiles; t++) {
      if (t > 0) {
        yield* waitGroup(UNITS.bulk, 0);
        if (fixed) fence('acq_rel', { scope: 'gpu' });
        arrive(count[t - 1]!, { sem: 'relaxed', scope: 'gpu' });
      }
      write(sC);
      fence('proxy.async', { space: 'shared' });
      asyncCopy(UNITS.bulk, { reads: [sC], into: [partial[t]!], group: true });
    }
    yield* waitGroup(UNITS.bulk, 0);
    fence('acq_rel', { scope: 'gpu' });
    arrive(count[tiles - 1]!, { sem: 'relaxed', scope: 'gpu' });
  });

  const reduce = role('reduce', { cta: 1 }, function* () {
    for (let t = 0; t < tiles; t++) {
      yield* wait(count[t]!, 0, { scope: 'gpu' });
      read(partial[t]!);
    }
  });

  return [epilogue, reduce];
});
