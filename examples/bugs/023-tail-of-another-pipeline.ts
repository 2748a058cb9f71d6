// A warpgroup runs the tail of a pipeline that belongs to another one.
// Gated delta net prefill: the output goes from warpgroup 1 to the epilogue. Warpgroup 0 never
// acquires or commits a stage of that pipeline, but runs its tail, and the kernel can hang. Modeled
// here: its state still has the first phase. If warpgroup 1 has used a stage once by then, that
// phase is over, and the wait is for one that does not come.
// The fix: the call is gone.
// https://github.com/flashinfer-ai/flashinfer/pull/3581
import { asyncUse, fence, kernel, pipeline, read, role, UNITS, waitGroup, write } from 'poundlock';

export default kernel('gdn-prefill', { fixed: false, chunks: 1 }, ({ fixed, chunks }) => {
  const state = pipeline('state', { stages: 1, bytes: 8192 });
  const output = pipeline('output', { stages: 1, bytes: 16_384 });

  const group0 = role('group0', { lanes: 128 }, function* () {
    for (let chunk = 0; chunk < chunks; chunk++) {
      using slot = yield* state.produce();
      write(slot.buffer());
      slot.arrive({ lanes: 1 });
    }
    yield* state.drain();
    if (!fixed) yield* output.drain();
  });

  const group1 = role('group1', { lanes: 128 }, function* () {
    for (let chunk = 0; chunk < chunks; chunk++) {
      using before = yield* state.consumeExplicit();
      read(before.buffer());
      before.arrive({ lanes: 1 });
      using slot = yield* output.produce();
      write(slot.buffer());
      fence('proxy.async');
      slot.arrive({ lanes: 1 });
    }
    yield* output.drain();
  });

  const epilogue = role('epilogue', { lanes: 32 }, function* () {
    for (let chunk = 0; chunk < chunks; chunk++) {
      using tile = yield* output.consumeExplicit();
      asyncUse(UNITS.bulk, { reads: tile.buffers, group: true });
      yield* waitGroup(UNITS.bulk, 0);
      tile.arrive({ lanes: 1 });
    }
  });

  return [group0, group1, epilogue];
});
